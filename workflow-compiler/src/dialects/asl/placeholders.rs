//! Placeholders `${Name}` of deployment templates ([A10](docs/amazon-states-language.md#a10),
//! [A39](docs/amazon-states-language.md#a39)). Placeholders that have a value are replaced before
//! the tree is read.

use crate::Options;
use crate::syntax::{Entry, Node, Text, Tree};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Placeholder in a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder<'a> {
    /// Bytes of the placeholder, with `${` and `}`.
    pub at: Range<usize>,
    /// Name of the placeholder.
    pub name: &'a str,
}

/// Definition after the substitution of placeholders that have values.
pub struct BoundDefinition<'a> {
    /// Tree after the substitution.
    pub node: Cow<'a, Node>,
    /// Starts of the strings that consisted of a single placeholder. Their values may stand for
    /// numbers and booleans.
    single_placeholders: BTreeSet<u32>,
}

impl BoundDefinition<'_> {
    /// Returns `true` if the string consisted of a single placeholder, so that its text may stand
    /// for a number or a boolean.
    pub fn was_placeholder(&self, text: &Text) -> bool {
        self.single_placeholders.contains(&text.span.start)
    }
}

/// Replaces the placeholders that have a value, in values and in keys.
pub fn bind<'a>(definition: &'a Node, options: &Options) -> BoundDefinition<'a> {
    let mut single_placeholders = BTreeSet::new();
    let mut node = Cow::Borrowed(definition);
    if !options.substitutions.is_empty() {
        bind_node(node.to_mut(), &options.substitutions, &mut single_placeholders);
    }
    BoundDefinition { node, single_placeholders }
}

/// Iterates over the placeholders of a string, in order. A name has letters, digits and `_`. Any
/// other text between the braces is plain text.
pub fn placeholders(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    in_braces(text, is_placeholder_character)
}

/// Iterates over the placeholders of a resource, a function name or a role. Names such as
/// `Charge.Arn` count, too: CloudFormation replaces them.
pub fn placeholders_in_resource(text: &str) -> impl Iterator<Item = Placeholder<'_>> {
    in_braces(text, |c| is_placeholder_character(c) || matches!(c, '-' | '.' | ':' | '[' | ']'))
}

fn in_braces(text: &str, is_name_character: fn(char) -> bool) -> impl Iterator<Item = Placeholder<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let start = from + text[from..].find("${")?;
            from = start + 2;
            let length = text[from..].find(|c| !is_name_character(c)).unwrap_or(text.len() - from);
            let name = &text[from..from + length];
            if !name.is_empty() && text[from + length..].starts_with('}') {
                from += length + 1;
                return Some(Placeholder { at: start..from, name });
            }
        }
    })
}

/// Iterates over the placeholders of a path or an intrinsic function that stand outside of
/// constants. They are parts of names, which must be known at compile time.
pub fn placeholders_in_names(expression: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let mut constants = constants(expression).into_iter().peekable();
    placeholders(expression).filter(move |placeholder| {
        let start = placeholder.at.start;
        while constants.next_if(|constant| constant.end <= start).is_some() {}
        constants.peek().is_none_or(|constant| start < constant.start)
    })
}

/// Returns the ranges of the strings of an expression that are constants: `'a'` in
/// `States.Format('a')` and in `$.x[?(@.y == 'a')]`. The string in `$['a']` is a name.
fn constants(expression: &str) -> Vec<Range<usize>> {
    let mut constants = Vec::new();
    // Stack of open brackets. An element is `true` if its brackets hold names.
    let mut open: Vec<bool> = Vec::new();
    let mut characters = expression.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        match c {
            '[' => open.push(characters.peek().is_none_or(|(_, next)| *next != '?')),
            '(' => open.push(false),
            ']' | ')' => _ = open.pop(),
            '\'' | '"' => {
                let mut end = expression.len();
                while let Some((at, inside)) = characters.next() {
                    match inside {
                        '\\' => _ = characters.next(),
                        _ if inside == c => {
                            end = at;
                            break;
                        }
                        _ => {}
                    }
                }
                if open.last() != Some(&true) {
                    constants.push(at..end);
                }
            }
            _ => {}
        }
    }
    constants
}

/// Returns the name of the placeholder if the text consists of exactly one.
pub fn only_placeholder(text: &str) -> Option<&str> {
    placeholders(text)
        .next()
        .filter(|placeholder| placeholder.at == (0..text.len()))
        .map(|placeholder| placeholder.name)
}

/// Returns the text with each placeholder replaced by its name. Resources, function names and
/// roles are shown in this form.
pub fn placeholders_as_names(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut done = 0;
    for placeholder in placeholders_in_resource(text) {
        shown.push_str(&text[done..placeholder.at.start]);
        shown.push_str(placeholder.name);
        done = placeholder.at.end;
    }
    shown.push_str(&text[done..]);
    shown
}

fn is_placeholder_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn bind_node(node: &mut Node, values: &BTreeMap<String, String>, single_placeholders: &mut BTreeSet<u32>) {
    match &mut node.tree {
        Tree::String(text) => {
            let is_whole = placeholders_in_resource(&text.value).any(|found| found.at == (0..text.value.len()));
            if bind_text(text, values) && is_whole {
                single_placeholders.insert(text.span.start);
            }
        }
        Tree::Array(items) => items.iter_mut().for_each(|item| bind_node(item, values, single_placeholders)),
        Tree::Object(entries) => {
            for Entry { key, value } in entries {
                bind_text(key, values);
                bind_node(value, values, single_placeholders);
            }
        }
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_) => {}
    }
}

/// Replaces the placeholders that have a value. Returns `true` if there was one. The text that
/// follows a replacement keeps its spans in the source.
fn bind_text(text: &mut Text, values: &BTreeMap<String, String>) -> bool {
    let mut value = String::new();
    let mut breaks = Vec::new();
    let mut done = 0;
    // A value that the program supplies shows that the text is a placeholder, whatever its name.
    for placeholder in placeholders_in_resource(&text.value) {
        let Some(replacement) = values.get(placeholder.name) else { continue };
        text.copy(done..placeholder.at.start, &mut value, &mut breaks);
        value.push_str(replacement);
        done = placeholder.at.end;
    }
    if done == 0 {
        return false;
    }
    text.copy(done..text.value.len(), &mut value, &mut breaks);
    text.value = value;
    text.breaks = breaks;
    text.is_substituted = true;
    true
}

impl Text {
    /// Appends the bytes `range` of this text to `value`, and their source positions to `breaks`.
    fn copy(&self, range: Range<usize>, value: &mut String, breaks: &mut Vec<(u32, u32)>) {
        let shift = value.len() as i64 - range.start as i64;
        let start = self.span_of(range.start, range.start).start;
        breaks.push((value.len() as u32, start));
        let inner = self.breaks.iter().filter(|(at, _)| (range.start as u32) < *at && (*at as usize) < range.end);
        breaks.extend(inner.map(|(at, source)| ((i64::from(*at) + shift) as u32, *source)));
        value.push_str(&self.value[range]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, Span};

    fn text(value: &str) -> Text {
        let span = Span::new(FileId(0), 100, 100 + value.len() + 2);
        Text { value: value.into(), span, start: 101, breaks: Vec::new(), is_substituted: false }
    }

    #[test]
    fn placeholders_have_names() {
        for (text, expected) in [
            ("${Fn}", &["Fn"][..]),
            ("arn:${Partition}:s3:::${Bucket_1}/x", &["Partition", "Bucket_1"]),
            ("`${payload.name} of ${payload['batch']}`", &[]),
            ("States.Format('${}/{}', $.x)", &[]),
            ("${1}", &["1"]),
            ("${open", &[]),
            ("${${Inner}}", &["Inner"]),
            ("$${Late}", &["Late"]),
        ] {
            let names: Vec<_> = placeholders(text).map(|placeholder| placeholder.name).collect();
            assert_eq!(names, expected, "{text}");
        }
        assert_eq!(only_placeholder("${Fn}"), Some("Fn"));
        assert_eq!(only_placeholder("${Fn}:${Alias}"), None);
        assert_eq!(placeholders_as_names("arn:${P}:x:${Fn.Arn}"), "arn:P:x:Fn.Arn");
    }

    #[test]
    fn names_are_distinguished_from_constants() {
        for (text, expected) in [
            ("$.${A}", &["A"][..]),
            ("$['${A}', '${B}'].c[?(@.d == '${C}' && @['${D}'] > 1)]", &["A", "B", "D"]),
            ("States.Format('${A} \\'${B}\\' {}', $.${C})", &["C"]),
            ("States.Array($.a['${A}'], '${B}')", &["A"]),
            ("'open ${A}", &[]),
        ] {
            let names: Vec<_> = placeholders_in_names(text).map(|placeholder| placeholder.name).collect();
            assert_eq!(names, expected, "{text}");
        }
    }

    #[test]
    fn values_take_their_places_and_the_rest_keeps_its_own() {
        let mut shown = text("a${X}b${Y}c");
        let values = BTreeMap::from([("X".to_owned(), "long value".to_owned())]);
        let mut dotted = text("${Table.Name}");
        assert!(bind_text(&mut dotted, &BTreeMap::from([("Table.Name".to_owned(), "orders".to_owned())])));
        assert_eq!(dotted.value, "orders");
        assert!(bind_text(&mut shown, &values));
        assert_eq!(shown.value, "along valueb${Y}c");
        let b = shown.value.find('b').unwrap_or_default();
        assert_eq!(shown.span_of(b, b + 1).start, 101 + 5);
        let y = shown.value.find("${Y}").unwrap_or_default();
        assert_eq!(shown.span_of(y, y + 4), Span::new(FileId(0), 107, 111));
        assert!(!bind_text(&mut text("${Y}"), &values));
    }

    #[test]
    fn strings_that_were_placeholders_are_remembered() {
        let node = Node { span: text("${X}").span, tree: Tree::String(text("${X}")) };
        let options = Options { substitutions: BTreeMap::from([("X".into(), "30".into())]), ..Options::default() };
        let bound = bind(&node, &options);
        let bound_text = bound.node.as_text().cloned().unwrap_or_else(|| text(""));
        assert_eq!(bound_text.value, "30");
        assert!(bound.was_placeholder(&bound_text));
    }
}
