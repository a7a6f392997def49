//! Makes Rust identifiers out of authored names: readable, legal, and each used once.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Names that generated functions use for their own parameters and locals, and that no function may have: a call of a
/// function would find the local of the same name first.
const OWN_LOCALS: &[&str] = &[
    "credentials",
    "current",
    "fault",
    "heartbeat",
    "index",
    "item",
    "limits",
    "node",
    "outcome",
    "request",
    "seconds",
    "time",
    "timeout",
    "turn",
    "value",
];

/// Constants of every generated module.
const OWN_CONSTANTS: &[&str] = &["DEFINITION", "GRAPH", "METADATA", "POINTS"];
/// How the constants begin that hold literals; a number follows.
const LITERAL: &str = "LITERAL_";
/// How the constants begin that hold operations of services; a number follows.
const OPERATION: &str = "OPERATION_";
/// How the constants begin that hold schemas; a number follows.
const SCHEMA: &str = "SCHEMA_";
/// How the constants begin that hold long texts; a number follows.
const TEXT: &str = "TEXT_";

/// Types of every generated module, and what it takes from the runtime and the prelude of Rust.
const OWN_TYPES: &[&str] = &[
    "At",
    "Bound",
    "Err",
    "Fault",
    "Future",
    "Get",
    "Into",
    "Js",
    "None",
    "Ok",
    "Option",
    "Outcome",
    "Result",
    "Retries",
    "Send",
    "Some",
    "State",
    "Step",
    "Sync",
    "T",
    "TaskContext",
    "Tasks",
    "Turn",
    "Value",
];

const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true",
    "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "Self", "_",
];

/// Hands out identifiers.
#[derive(Debug, Default)]
pub struct Names {
    /// Functions, locals and constants share a namespace.
    values: Taken,
    points: Taken,
    tags: Taken,
}

impl Names {
    /// No name is taken but those generated code uses itself.
    pub fn new() -> Self {
        let values = OWN_LOCALS.iter().chain(OWN_CONSTANTS).map(|name| ((*name).to_owned(), 1));
        Names { values: values.collect(), ..Names::default() }
    }

    /// The name of a local.
    pub fn local(&mut self, authored: &str) -> String {
        unique(&mut self.values, snake_case(authored))
    }

    /// The name of a function.
    pub fn function(&mut self, authored: &str) -> String {
        unique(&mut self.values, snake_case(authored))
    }

    /// The name of a constant.
    pub fn constant(&mut self, authored: &str) -> String {
        let mut name = snake_case(authored).to_uppercase();
        if [LITERAL, OPERATION, SCHEMA, TEXT].iter().any(|own| name.starts_with(own)) {
            name.insert(0, '_');
        }
        unique(&mut self.values, name)
    }

    /// The variant of a point, and the name that snapshots know it by.
    pub fn point(&mut self, authored: &str) -> (String, String) {
        let name = unique(&mut self.points, camel_case(authored));
        (name, numbered(&mut self.tags, authored.to_owned(), " #"))
    }
}

/// Names that are taken, each with the last number that was put after it.
type Taken = BTreeMap<String, usize>;

fn unique(taken: &mut Taken, name: String) -> String {
    let gap = if name.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
    numbered(taken, name, gap)
}

fn numbered(taken: &mut Taken, name: String, gap: &str) -> String {
    let Some(mut count) = taken.get(&name).copied() else {
        taken.insert(name.clone(), 1);
        return name;
    };
    let candidate = loop {
        count += 1;
        let candidate = format!("{name}{gap}{count}");
        if !taken.contains_key(&candidate) {
            break candidate;
        }
    };
    taken.insert(name, count);
    taken.insert(candidate.clone(), 1);
    candidate
}

/// `ChargeCard`, `charge card` and `charge-card` become `charge_card`.
pub fn snake_case(authored: &str) -> String {
    let words = words(authored);
    legal(words.join("_").to_lowercase())
}

/// `charge card` becomes `ChargeCard`.
pub fn camel_case(authored: &str) -> String {
    let mut name = String::new();
    for word in words(authored) {
        let mut chars = word.chars();
        if let Some(first) = chars.next() {
            // A digit after a digit would make `a 1 2` and `a 12` look the same.
            if first.is_ascii_digit() && name.ends_with(|c: char| c.is_ascii_digit()) {
                name.push('_');
            }
            name.extend(first.to_uppercase());
            name.push_str(chars.as_str());
        }
    }
    legal(name)
}

/// Whether a text is an identifier that items can have.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let begins = chars.next().is_some_and(|first| first == '_' || unicode_ident::is_xid_start(first));
    begins && chars.all(unicode_ident::is_xid_continue) && !KEYWORDS.contains(&text)
}

/// The type that stands for the workflow of this name.
pub fn type_name(workflow: &str) -> String {
    let name = camel_case(workflow);
    if OWN_TYPES.contains(&name.as_str()) { format!("{name}Workflow") } else { name }
}

/// The constant that holds the literal with this number.
pub fn literal_name(number: usize) -> String {
    format!("{LITERAL}{number}")
}

/// The constant that holds the operation of a service with this number.
pub fn operation_name(number: usize) -> String {
    format!("{OPERATION}{number}")
}

/// The constant that holds the long text with this number.
pub fn text_name(number: usize) -> String {
    format!("{TEXT}{number}")
}

/// The constant that holds the schema with this number.
pub fn schema_name(number: usize) -> String {
    format!("{SCHEMA}{number}")
}

fn legal(mut name: String) -> String {
    if name.is_empty() {
        name.push_str("unnamed");
    }
    if !name.starts_with(unicode_ident::is_xid_start) {
        name.insert(0, if name.starts_with('_') { 'n' } else { '_' });
    }
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Splits at everything that is no letter or digit, and where capitals say so.
fn words(authored: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = authored.chars().collect();
    for (at, &c) in chars.iter().enumerate() {
        if !usable(c) {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let before = at.checked_sub(1).map(|at| chars[at]);
        let after = chars.get(at + 1);
        let starts = c.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_ascii_digit()
                    || before.is_uppercase() && after.is_some_and(|after| after.is_lowercase())
            });
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(c);
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// Whether a character can stand in an identifier as it is. Rust compares identifiers in normal form C, and warns of
/// characters that form KC would change: those are left out, and so are the letters of Hangul that join to syllables.
fn usable(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    unicode_ident::is_xid_start(c) && !CHANGING.iter().any(|range| range.contains(&(c as u32)))
}

/// Characters that normal forms would change, by blocks.
const CHANGING: &[RangeInclusive<u32>] = &[
    0x0132..=0x0133,
    0x013f..=0x0140,
    0x0149..=0x0149,
    0x017f..=0x017f,
    0x01c4..=0x01cc,
    0x01f1..=0x01f3,
    0x02b0..=0x02ff,
    0x0340..=0x0345,
    0x0374..=0x037e,
    0x0387..=0x0387,
    0x0958..=0x095f,
    0x1100..=0x11ff,
    0x1d2c..=0x1d7f,
    0x1f00..=0x1fff,
    0x2070..=0x218f,
    0x3130..=0x318f,
    0xa960..=0xa97f,
    0xd7b0..=0xd7ff,
    0xf900..=0xfaff,
    0xfb00..=0xfdff,
    0xfe70..=0xfeff,
    0xff00..=0xffef,
    0x1_d400..=0x1_d7ff,
    0x1_ee00..=0x1_eeff,
    0x2_f800..=0x2_fa1f,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authored_names_become_readable_identifiers() {
        for (authored, snake, camel) in [
            ("ChargeCard", "charge_card", "ChargeCard"),
            ("charge card", "charge_card", "ChargeCard"),
            ("a-b", "a_b", "AB"),
            ("if", "if_", "If"),
            ("self", "self_", "Self_"),
            ("Wait 20s", "wait_20s", "Wait20s"),
            ("状态", "状态", "状态"),
            ("S3GetObject", "s3_get_object", "S3GetObject"),
            ("HTTPRequest", "http_request", "HTTPRequest"),
            ("1st", "_1st", "_1st"),
            ("***", "unnamed", "unnamed"),
            ("a 1 2", "a_1_2", "A1_2"),
            ("\u{212a}elvin", "elvin", "Elvin"),
            ("\u{1100}\u{1161} 가", "가", "가"),
            ("Ⅷ ＡＢ x", "x", "X"),
        ] {
            assert_eq!(snake_case(authored), snake, "{authored}");
            assert_eq!(camel_case(authored), camel, "{authored}");
        }
    }

    #[test]
    fn every_name_is_handed_out_once() {
        let mut names = Names::new();
        assert_eq!(names.local("d"), "d");
        assert_eq!(names.function("d"), "d2");
        assert_eq!(names.function("a-b"), "a_b");
        assert_eq!(names.function("a b"), "a_b2");
        assert_eq!(names.function("turn"), "turn2");
        assert_eq!(names.local("timeout"), "timeout2");
        assert_eq!(names.constant("状态"), "状态");
        assert_eq!(names.function("状态"), "状态2");
        assert_eq!(names.constant("Graph"), "GRAPH2");
        assert_eq!(names.constant("Metadata"), "METADATA2");
        assert_eq!(names.constant("Literal 1"), "_LITERAL_1");
        assert_eq!(names.constant("Operation 1"), "_OPERATION_1");
        assert_eq!(names.constant("Schema 1"), "_SCHEMA_1");
        assert_eq!(names.point("A B"), ("AB".into(), "A B".into()));
        assert_eq!(names.point("A-B"), ("AB2".into(), "A-B".into()));
        assert_eq!(names.point("A B"), ("AB3".into(), "A B #2".into()));
    }

    #[test]
    fn identifiers_are_told_from_other_texts() {
        for (text, expected) in [
            ("charge_card", true),
            ("_1", true),
            ("状态", true),
            ("", false),
            ("1", false),
            ("a-b", false),
            ("fn", false),
            ("_", false),
        ] {
            assert_eq!(is_identifier(text), expected, "{text}");
        }
    }

    #[test]
    fn types_of_workflows_leave_those_of_the_module_alone() {
        assert_eq!(type_name("order"), "Order");
        assert_eq!(type_name("state"), "StateWorkflow");
        assert_eq!(type_name("t"), "TWorkflow");
    }
}
