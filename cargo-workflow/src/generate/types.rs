//! The types of the tasks of a starter crate: structs with the members that a definition passes to
//! a task, and with those that it reads of an output.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use workflow_compiler::escape::{comment, rust_string};
use workflow_compiler::names::{camel_case, means_own_item, snake_case};
use workflow_compiler::shapes::{KindSet, Numbers, RecordShape, Shape};

/// A type in a starter crate.
pub struct DataType {
    /// The type as Rust: `Vec<ChargeInputItem>`.
    pub code: String,
    /// A value of it as Rust, for tests.
    pub sample: String,
    /// The struct that both name, if there is one.
    pub declared: Option<String>,
}

/// The direction of the data of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
}

/// The structs of a starter crate.
#[derive(Default)]
pub struct Declarations {
    taken: BTreeSet<String>,
    /// The structs as Rust, each before those of its members.
    structs: Vec<String>,
    /// The imports that the declarations and the types need.
    pub imports: BTreeSet<&'static str>,
}

impl DataType {
    fn plain(code: &str, sample: &str) -> DataType {
        DataType { code: code.to_owned(), sample: sample.to_owned(), declared: None }
    }

    /// Returns `true` for the type of any data, which a binding does not name.
    pub fn is_value(&self) -> bool {
        self.code == VALUE
    }
}

const VALUE: &str = "Value";

/// The number of characters of the name of a struct, without a number behind it.
const MAX_NAME: usize = 80;

impl Declarations {
    /// Creates declarations beside an item of the crate.
    pub fn beside(item: &str) -> Declarations {
        Declarations { taken: BTreeSet::from([item.to_owned()]), ..Declarations::default() }
    }

    /// Returns the declarations as Rust.
    pub fn text(&self) -> String {
        self.structs.concat()
    }

    /// Returns a type for data of a shape. `name` is that of its struct, and `what` the data in
    /// words.
    pub fn declare(&mut self, shape: &Shape, name: &str, what: &str, direction: Direction) -> DataType {
        let Some(kinds) = shape.kinds() else { return self.any() };
        if kinds.null {
            let inner = self.declare(&shape.only(KindSet::NULL.complement()), name, what, direction);
            return if inner.is_value() { inner } else { inner.optional() };
        }
        let set = kinds.set();
        if set == KindSet::STRING {
            return DataType::plain("String", "String::new()");
        }
        if set == KindSet::BOOLEAN {
            return DataType::plain("bool", "false");
        }
        if set == KindSet::NUMBER {
            return match kinds.numbers {
                Numbers::Any => DataType::plain("f64", "0.0"),
                Numbers::Known(_) | Numbers::Whole => DataType::plain("i64", "0"),
            };
        }
        if set == KindSet::ARRAY {
            let elements = shape.elements();
            let inner = match elements.is_never() {
                true => self.any(),
                false => self.declare(&elements, &format!("{name}Item"), &format!("an element of {what}"), direction),
            };
            let code = format!("Vec<{}>", inner.code);
            return DataType { code, sample: "Vec::new()".to_owned(), declared: inner.declared };
        }
        match &kinds.object {
            Some(object) if set == KindSet::OBJECT && !object.fields.is_empty() => {
                self.record(object, name, what, direction)
            }
            _ => self.any(),
        }
    }

    /// Returns the type of any data.
    fn any(&mut self) -> DataType {
        self.imports.insert(VALUE);
        DataType::plain(VALUE, "Default::default()")
    }

    fn record(&mut self, object: &RecordShape, name: &str, what: &str, direction: Direction) -> DataType {
        let name = self.free(name);
        let (role, derived) = match direction {
            Direction::Input if object.is_closed() => {
                ("that the definition passes; others are ignored", "Debug, Default, Deserialize")
            }
            Direction::Input => {
                ("that are known. The definition passes others, which are ignored", "Debug, Default, Deserialize")
            }
            Direction::Output => ("that the definition reads; add others that it passes on", "Debug, Serialize, Shape"),
        };
        self.imports.extend(match direction {
            Direction::Input => &["Deserialize"][..],
            Direction::Output => &["Serialize", "Shape"],
        });
        let (mut text, place) = (String::new(), self.structs.len());
        self.structs.push(String::new());
        let _ = write!(
            text,
            "\n/// The members of {what} {role}.\n#[derive({derived})]\npub struct {name} {{\n",
            what = comment(what)
        );
        let mut fields = BTreeSet::new();
        for (member, field) in &object.fields {
            let inner = self.declare(
                &field.shape,
                &format!("{name}{}", camel_case(member).trim_matches('_')),
                &format!("`{member}` of {what}"),
                direction,
            );
            let inner = if field.required { inner } else { inner.optional() };
            let ident = snake_case(member);
            let gap = if ident.ends_with('_') { "" } else { "_" };
            let ident = numbered(&ident, gap, |ident| fields.insert(ident.to_owned()));
            let mut attributes = Vec::new();
            if ident != **member {
                attributes.push(format!("rename = {}", rust_string(member)));
            }
            if !field.required && direction == Direction::Output {
                attributes.push("skip_serializing_if = \"Option::is_none\"".to_owned());
            }
            if !attributes.is_empty() {
                let _ = writeln!(text, "    #[serde({})]", attributes.join(", "));
            }
            let _ = writeln!(text, "    pub {ident}: {},", inner.code);
        }
        text.push_str("}\n");
        self.structs[place] = text;
        DataType { code: name.clone(), sample: format!("{name}::default()"), declared: Some(name) }
    }

    /// Reserves a name of a struct. A long one is cut.
    fn free(&mut self, wanted: &str) -> String {
        let end = wanted.char_indices().nth(MAX_NAME).map_or(wanted.len(), |(end, _)| end);
        let wanted = &wanted[..end];
        // A letter before `_` is not camel case.
        let gap = if wanted.ends_with(|last: char| last.is_ascii_digit()) { "_" } else { "" };
        numbered(wanted, gap, |name| !means_own_item(name) && self.taken.insert(name.to_owned()))
    }
}

impl DataType {
    fn optional(self) -> DataType {
        if self.code.starts_with("Option<") {
            return self;
        }
        DataType { code: format!("Option<{}>", self.code), sample: "None".to_owned(), ..self }
    }
}

/// Returns the first name that can be taken: the wanted one, or one with a number.
fn numbered(wanted: &str, gap: &str, mut take: impl FnMut(&str) -> bool) -> String {
    if take(wanted) {
        return wanted.to_owned();
    }
    (2..).map(|number| format!("{wanted}{gap}{number}")).find(|name| take(name)).unwrap_or_default()
}
