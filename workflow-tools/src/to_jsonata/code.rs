//! Texts of JSONata expressions.

use workflow_compiler::expr::Literal;

/// The strength with which an expression holds its parts together, from the weakest to the
/// strongest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Binding {
    /// `or`
    Or,
    /// `and`
    And,
    /// `=`, `<`, `in` and their like.
    Compare,
    /// `+`, `-` and `&`.
    Add,
    /// A literal, or a constructor of an object or array.
    Literal,
    /// A path, a variable, or a call.
    Path,
}

/// The type of an expression's value, as far as it is certain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any type.
    Any,
    /// `null`, a boolean, or a number.
    Scalar,
    /// A string.
    String,
    /// An object.
    Object,
    /// An array whose text is not a constructor.
    Array,
    /// An array whose text is a constructor: `[…]`.
    Constructor,
}

/// The members of an object, as far as its expression shows them.
#[derive(Debug, Clone, PartialEq)]
enum Shape {
    /// Unknown members.
    Unknown,
    /// These members, and no others.
    Members(Vec<(String, Code)>),
    /// The members of another value, and a member that replaces one of them.
    Merged(Box<(Code, String, Code)>),
}

/// An expression as text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Code {
    /// The text.
    pub text: String,
    /// The strength of the outermost operator.
    pub binding: Binding,
    /// The type of the value.
    pub kind: Kind,
    shape: Shape,
}

impl Code {
    /// Returns an expression.
    pub fn new(text: impl Into<String>, binding: Binding, kind: Kind) -> Code {
        Code { text: text.into(), binding, kind, shape: Shape::Unknown }
    }

    /// Returns the object constructor with these members.
    pub fn object(members: Vec<(String, Code)>) -> Code {
        let texts: Vec<String> =
            members.iter().map(|(key, value)| format!("{}: {}", quoted(key), value.text)).collect();
        let code = Code::new(format!("{{{}}}", texts.join(", ")), Binding::Literal, Kind::Object);
        Code { shape: Shape::Members(members), ..code }
    }

    /// Returns the object `base` with a member added or replaced, by the function `merge`.
    pub fn merged(merge: &str, base: Code, name: &str, value: Code) -> Code {
        let text = format!("{merge}([{}, {{{}: {}}}])", base.text, quoted(name), value.text);
        let shape = Shape::Merged(Box::new((base, name.to_owned(), value)));
        Code { shape, ..Code::new(text, Binding::Path, Kind::Object) }
    }

    /// Returns a path, a variable or a call, whose value has any type.
    pub fn path(text: impl Into<String>) -> Code {
        Code::new(text, Binding::Path, Kind::Any)
    }

    /// Returns an array constructor around the text.
    pub fn constructor(inside: &str) -> Code {
        Code::new(format!("[{inside}]"), Binding::Literal, Kind::Constructor)
    }

    /// Returns a condition.
    pub fn condition(text: impl Into<String>, binding: Binding) -> Code {
        Code::new(text, binding, Kind::Scalar)
    }

    /// Returns the text as an operand of an operator of this strength, in parentheses if it needs
    /// them.
    pub fn operand(&self, least: Binding) -> String {
        if self.binding < least { format!("({})", self.text) } else { self.text.clone() }
    }

    /// Returns the value of a string in a definition: `{% … %}`.
    pub fn in_delimiters(&self) -> String {
        format!("{{% {} %}}", self.text)
    }

    /// Returns the path that goes on with the member `name`. `$` alone is the context item, whose
    /// members need no `$`.
    pub fn member(&self, name: &str) -> Code {
        match &self.shape {
            Shape::Members(members) => {
                if let Some((_, value)) = members.iter().find(|(key, _)| key == name) {
                    return value.clone();
                }
            }
            Shape::Merged(merged) if merged.1 == name => return merged.2.clone(),
            Shape::Merged(merged) => return merged.0.member(name),
            Shape::Unknown => {}
        }
        match (step(name), self.text == "$") {
            (Some(step), true) => Code::path(step),
            (Some(step), false) => Code::path(format!("{}.{step}", self.operand(Binding::Path))),
            (None, _) => Code::path(format!("$lookup({}, {})", self.text, quoted(name))),
        }
    }

    /// Returns the path that goes on with a predicate.
    pub fn predicate(&self, inside: &str) -> Code {
        let is_constructor = self.kind == Kind::Constructor;
        let least = if is_constructor { Binding::Literal } else { Binding::Path };
        Code::path(format!("{}[{inside}]", self.operand(least)))
    }
}

/// Returns a name as a step of a path, or `None` if no notation of a step allows the name.
fn step(name: &str) -> Option<String> {
    const WORDS: [&str; 6] = ["and", "or", "in", "true", "false", "null"];
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name != "function"
        && !WORDS.contains(&name);
    if is_plain {
        return Some(name.to_owned());
    }
    let is_quotable = !name.is_empty() && !name.contains(|c: char| c == '`' || c.is_control());
    is_quotable.then(|| format!("`{name}`"))
}

/// Returns a string literal.
pub(super) fn quoted(text: &str) -> String {
    // JSONata has no escape for `'`.
    let quote = if text.contains('\'') { '"' } else { '\'' };
    let mut literal = String::from(quote);
    for c in text.chars() {
        match c {
            '\\' => literal.push_str("\\\\"),
            '"' if quote == '"' => literal.push_str("\\\""),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            c if c.is_control() => literal.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => literal.push(c),
        }
    }
    literal.push(quote);
    literal
}

/// The greatest whole number that a JSONata literal has exactly.
const GREATEST_EXACT: u64 = 1 << 53;

/// Returns a constant, or the reason for which it cannot be in an expression.
pub(super) fn literal(value: &Literal) -> Result<Code, String> {
    let scalar = |text: String| Code::new(text, Binding::Literal, Kind::Scalar);
    Ok(match value {
        Literal::Null => scalar("null".to_owned()),
        Literal::Bool(value) => scalar(value.to_string()),
        Literal::Int(number) if number.unsigned_abs() > GREATEST_EXACT => {
            return Err(format!("an expression cannot contain the number {number} exactly"));
        }
        Literal::Int(number) => scalar(number.to_string()),
        Literal::Float(number) => scalar(format!("{number:?}")),
        Literal::String(text) if has_placeholder(text) => {
            return Err(format!("the placeholder in {} would be in an expression", quoted(text)));
        }
        Literal::String(text) => Code::new(quoted(text), Binding::Literal, Kind::String),
        Literal::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| Ok(literal(item)?.text)).collect::<Result<_, String>>()?;
            Code::constructor(&items.join(", "))
        }
        Literal::Object(members) => {
            let member = |(key, value): &(String, Literal)| Ok((key.clone(), literal(value)?));
            Code::object(members.iter().map(member).collect::<Result<Vec<_>, String>>()?)
        }
    })
}

/// Returns the text with all operands joined. Many operands are grouped, because an evaluation has
/// a level for each operator of a chain.
pub(super) fn chain(operands: &[Code], operator: &str, binding: Binding) -> Code {
    const LONGEST: usize = 24;
    match operands {
        [one] => one.clone(),
        many if many.len() <= LONGEST => {
            let operands: Vec<String> = many.iter().map(|one| one.operand(binding)).collect();
            Code::condition(operands.join(&format!(" {operator} ")), binding)
        }
        many => {
            let (left, right) = many.split_at(many.len() / 2);
            let [left, right] = [left, right].map(|half| chain(half, operator, binding));
            Code::condition(format!("({}) {operator} ({})", left.text, right.text), binding)
        }
    }
}

/// Returns `true` if a text contains a placeholder, `${Name}`.
pub(super) fn has_placeholder(text: &str) -> bool {
    text.match_indices("${").any(|(at, _)| {
        let name = &text[at + 2..];
        name.find('}').is_some_and(|end| end > 0 && name[..end].chars().all(|c| c.is_alphanumeric() || c == '_'))
    })
}

/// Returns `true` if a constant text has a delimiter of expressions.
pub(super) fn has_delimiter(text: &str) -> bool {
    text.contains("{%") || text.contains("%}")
}

/// Returns the levels of an expression's evaluation, or a few more: each bracket is one, and so is
/// each operator of a chain.
pub(super) fn levels(text: &str) -> usize {
    /// An operand of a list, in the brackets around it.
    #[derive(Default)]
    struct Part {
        operators: usize,
        inside: usize,
        /// The levels of the longest operand before this one.
        before: usize,
    }
    impl Part {
        fn total(&self) -> usize {
            self.before.max(self.operators + self.inside)
        }
    }
    let mut outer: Vec<Part> = Vec::new();
    let mut part = Part::default();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match c {
            // The texts have no division: `/` starts a regular expression.
            '\'' | '"' | '`' | '/' => {
                while let Some(inner) = characters.next().filter(|inner| *inner != c) {
                    if inner == '\\' && c != '`' {
                        characters.next();
                    }
                }
            }
            '(' | '[' | '{' => outer.push(std::mem::take(&mut part)),
            ')' | ']' | '}' => {
                let total = part.total() + 1;
                part = outer.pop().unwrap_or_default();
                part.inside = part.inside.max(total);
            }
            ',' => part = Part { before: part.total(), ..Part::default() },
            ' ' => {
                let rest = characters.as_str();
                let word = rest.split_once(' ').map_or("", |(word, _)| word);
                let is_operator = !word.is_empty() && word.chars().all(|c| "&+-*%=<>!".contains(c));
                part.operators += usize::from(is_operator || matches!(word, "and" | "or" | "in"));
            }
            _ => {}
        }
    }
    part.total()
}
