//! Readers of JSON and YAML. They produce one tree in which every value, key and character has a
//! span.
//!
//! Reading never fails outright. It returns the part of the tree that could be parsed, and reports
//! the rest.

pub mod expressions;
pub mod json;
pub mod limits;
mod members;
mod number;
mod report;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod wrong_type;
#[cfg(feature = "yaml")]
pub mod yaml;

use crate::diagnostics::Diagnostics;
pub(crate) use crate::escape::shown;
use crate::source::{FileId, Sources, Span};
pub(crate) use wrong_type::wrong_type;

/// Parses a file of `sources`.
///
/// The file's name determines the format: `.json` is JSON, `.yaml` and `.yml` are YAML. With any
/// other name the first character that is not blank decides: `{` is JSON, everything else YAML.
pub fn read(file: FileId, sources: &Sources, diagnostics: &mut Diagnostics) -> Node {
    let source = sources.get(file);
    match format_of(&source.name, &source.text) {
        Format::Json => json::read(file, &source.text, diagnostics),
        Format::Yaml => read_yaml(file, &source.text, diagnostics),
    }
}

/// Parses a file of `sources` as lenient JSON ([`json::read_leniently`]). Returns `None` if the
/// text does not look like it, or if the file is YAML by its name and lenient JSON has errors,
/// too: the errors of the YAML reader are then the better ones.
pub fn read_leniently(file: FileId, sources: &Sources, diagnostics: &mut Diagnostics) -> Option<Node> {
    let source = sources.get(file);
    let first = first_character(&source.text)?;
    match format_of(&source.name, &source.text) {
        Format::Json => {
            matches!(first, '{' | '"' | '“' | '”').then(|| json::read_leniently(file, &source.text, diagnostics))
        }
        Format::Yaml if cfg!(feature = "yaml") && first == '{' && source.text.len() <= limits::MAX_YAML_BYTES => {
            let node = json::read_leniently(file, &source.text, diagnostics);
            (!diagnostics.has_errors()).then_some(node)
        }
        Format::Yaml => None,
    }
}

/// Returns the first character that is not blank.
fn first_character(text: &str) -> Option<char> {
    text.trim_start_matches(report::BYTE_ORDER_MARK).trim_start().chars().next()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Yaml,
}

fn format_of(name: &str, text: &str) -> Format {
    let extension =
        name.rsplit(['/', '\\']).next().and_then(|file| file.rsplit_once('.')).map_or("", |(_, after)| after);
    if extension.eq_ignore_ascii_case("json") {
        Format::Json
    } else if extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml") {
        Format::Yaml
    } else if first_character(text) == Some('{') {
        Format::Json
    } else {
        Format::Yaml
    }
}

#[cfg(feature = "yaml")]
fn read_yaml(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Node {
    yaml::read(file, text, diagnostics)
}

#[cfg(not(feature = "yaml"))]
fn read_yaml(file: FileId, _text: &str, diagnostics: &mut Diagnostics) -> Node {
    use crate::diagnostics::{Diagnostic, codes::syntax::WF0132};
    let span = Span::new(file, 0, 0);
    diagnostics.push(
        Diagnostic::new(&WF0132, span, "this is a YAML file, and the compiler was built without YAML")
            .help("enable the feature `yaml`, or write the definition in JSON"),
    );
    Node { span, tree: Tree::Null }
}

/// A value with its span.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The span of the whole value. For a string it includes the quotes.
    pub span: Span,
    /// The value.
    pub tree: Tree,
}

/// The six kinds of value that JSON and YAML share.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number that fits 64 bits.
    Int(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    String(Text),
    /// A list.
    Array(Vec<Node>),
    /// An object, in source order. Duplicate keys have been reported; the first one is kept.
    Object(Vec<Entry>),
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key, unescaped.
    pub key: Text,
    /// The value.
    pub value: Node,
}

/// An unescaped string with the source positions of its characters.
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    /// The unescaped text.
    pub value: String,
    /// The span of the string, including its quotes.
    pub span: Span,
    /// The source offset of the first character. The following characters correspond byte by byte
    /// up to the first break.
    pub(crate) start: u32,
    /// `(byte of the value, byte of the source)`: points at which both are aligned again, after an
    /// escape or a folded line break.
    pub(crate) breaks: Vec<(u32, u32)>,
    /// `true` if a value of the program replaces a part. The source does not contain that value,
    /// so that no fix applies to the text.
    pub(crate) is_substituted: bool,
}

impl Text {
    /// Creates a text that occurs in the source verbatim, from the byte `start` on.
    pub(crate) fn verbatim(value: &str, span: Span, start: usize) -> Self {
        Text { value: value.to_owned(), span, start: start as u32, breaks: Vec::new(), is_substituted: false }
    }

    /// Returns `true` if the string is unquoted, as in YAML.
    pub fn is_plain(&self) -> bool {
        self.start == self.span.start
    }

    /// Returns the source span of the bytes `start..end` of the unescaped text.
    pub fn span_of(&self, start: usize, end: usize) -> Span {
        let file = self.span.file;
        let from = self.source_byte(start, self.breaks.partition_point(|(value, _)| *value as usize <= start));
        let before_end = self.breaks.partition_point(|(value, _)| (*value as usize) < end);
        // A break at the end marks the end of the last character. A construct without a value,
        // such as an escaped line break, has two breaks, before and after it.
        let at_end = self.breaks.get(before_end).is_some_and(|(value, _)| *value as usize == end);
        let to = self.source_byte(end, before_end + usize::from(at_end));
        Span { file, start: from, end: to.max(from) }
    }

    /// Returns the text after a prefix that the source does not have.
    #[cfg(feature = "serverless-workflow")]
    pub(crate) fn prefixed(&self, prefix: &str) -> Text {
        let shift = prefix.len() as u32;
        let breaks = std::iter::once((shift, self.start))
            .chain(self.breaks.iter().map(|(value, source)| (value + shift, *source)));
        Text {
            value: format!("{prefix}{}", self.value),
            span: self.span,
            start: self.start,
            breaks: breaks.collect(),
            is_substituted: self.is_substituted,
        }
    }

    /// Returns the bytes `start..end` of the unescaped text as a text.
    pub fn slice(&self, start: usize, end: usize) -> Text {
        let passed = self.breaks.partition_point(|(value, _)| *value as usize <= start);
        let inner = self.breaks[passed..].iter().filter(|(value, _)| (*value as usize) < end);
        Text {
            value: self.value[start..end].to_owned(),
            span: self.span_of(start, end),
            start: self.source_byte(start, passed),
            breaks: inner.map(|(value, source)| (value - start as u32, *source)).collect(),
            is_substituted: self.is_substituted,
        }
    }

    /// Returns the text with a dot before it. The dot has no source position of its own.
    pub fn dotted(&self) -> Text {
        // The text before the first character in the source stands for the dot.
        let breaks = self.breaks.iter().map(|(value, source)| (value + 1, *source));
        let first = (1, self.start);
        let span = self.span;
        Text {
            value: format!(".{}", self.value),
            span,
            start: self.start,
            breaks: std::iter::once(first).chain(breaks).collect(),
            is_substituted: self.is_substituted,
        }
    }

    /// Returns the source offset of the byte `at`, before which `passed` breaks lie.
    fn source_byte(&self, at: usize, passed: usize) -> u32 {
        let at = at.min(self.value.len()) as u32;
        let (value, source) = if passed == 0 { (0, self.start) } else { self.breaks[passed - 1] };
        // A construct that yields more than was written, such as a fold, ends where the next piece
        // starts.
        let next = self.breaks.get(passed).map_or(self.span.end, |(_, source)| *source);
        (source + at.saturating_sub(value)).min(next).min(self.span.end)
    }
}

impl Node {
    /// Returns the value of the member `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.value)
    }

    /// Returns the member `key` with its key, if this is an object that has it.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.as_object()?.iter().find(|entry| entry.key.value == key)
    }

    /// Returns the members, if this is an object.
    pub fn as_object(&self) -> Option<&[Entry]> {
        match &self.tree {
            Tree::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// Returns the elements, if this is an array.
    pub fn as_array(&self) -> Option<&[Node]> {
        match &self.tree {
            Tree::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns `true` for an object without braces, as in YAML.
    pub fn is_block(&self) -> bool {
        let first = self.as_object().and_then(<[Entry]>::first);
        first.is_some_and(|entry| entry.key.span.start == self.span.start)
    }

    /// Returns the text, if this is a string.
    pub fn as_text(&self) -> Option<&Text> {
        match &self.tree {
            Tree::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the kind of the value as messages name it: `an object`, `a string`, …
    pub fn kind(&self) -> &'static str {
        match &self.tree {
            Tree::Null => "null",
            Tree::Bool(_) => "a boolean",
            Tree::Int(_) | Tree::Float(_) => "a number",
            Tree::String(_) => "a string",
            Tree::Array(_) => "an array",
            Tree::Object(_) => "an object",
        }
    }
}
