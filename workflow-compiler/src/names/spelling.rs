//! Spelling of authored names with the characters of Rust's identifiers.

use super::reserved::{JAVASCRIPT, JQ, is_keyword, is_method_of_all};
use std::borrow::Cow;
use std::ops::RangeInclusive;
use unicode_normalization::UnicodeNormalization;

/// Returns the text in Unicode normal form C, in which rustc compares identifiers.
pub fn normalized(text: &str) -> Cow<'_, str> {
    // Most texts are in normal form: the iterator of characters costs much more than this test.
    if text.is_ascii() { Cow::Borrowed(text) } else { text.nfc().collect() }
}

/// Converts a name to snake case: `ChargeCard`, `charge card` and `charge-card` become
/// `charge_card`.
pub fn snake_case(authored: &str) -> String {
    legal(&words(&normalized(authored)).join("_").to_lowercase())
}

/// Converts a name to upper case: `charge card` becomes `CHARGE_CARD`.
pub(super) fn upper_case(authored: &str) -> String {
    let name = legal(&words(&normalized(authored)).join("_").to_uppercase());
    // The text has no usable character.
    if name == UNNAMED { name.to_uppercase() } else { name }
}

/// The name for a text without usable characters.
const UNNAMED: &str = "unnamed";

/// Converts a name to camel case: `charge card` becomes `ChargeCard`.
pub fn camel_case(authored: &str) -> String {
    let mut name = String::new();
    for word in words(&normalized(authored)) {
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
    legal(&name)
}

/// Returns the method name of a task: in snake case, and different from methods that other traits
/// may give the same type.
pub fn method_name(authored: &str) -> String {
    let name = snake_case(authored);
    if is_method_of_all(&name) { format!("{name}_") } else { name }
}

/// Returns the name of a JavaScript local as the author wrote it, as far as Rust allows.
///
/// Names that end in `_` get one more `_`, because names that end in `_` are temporaries of
/// generated code. Names that start with a capital letter get one, too: in patterns they would be
/// read as constants.
pub fn as_written(authored: &str) -> String {
    let mut name = String::new();
    for c in normalized(authored).chars() {
        match c {
            '$' => name.push_str("dollar"),
            '_' => name.push('_'),
            c if usable(c) => name.push(c),
            c => name.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    let mut name = fitted(&name);
    let is_upper = name.chars().next().is_some_and(|first| !first.is_lowercase() && first != '_');
    if is_upper || name.ends_with('_') || is_keyword(&name) || JAVASCRIPT.contains(&&*name) {
        name.push('_');
    }
    name
}

/// Returns the name of a jq local: short, and in ASCII.
pub fn short_name(authored: &str) -> String {
    /// The maximum length of a local's name, in bytes.
    const LONGEST: usize = 24;
    let mut name = snake_case(authored);
    if name.len() > LONGEST || !name.is_ascii() {
        name = "value".to_owned();
    }
    if JQ.contains(&&*name) {
        name.push_str("_of");
    }
    name
}

/// Returns `true` if items can have a text as their identifier.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let begins = chars.next().is_some_and(|first| first == '_' || unicode_ident::is_xid_start(first));
    begins && chars.all(unicode_ident::is_xid_continue) && !is_keyword(text)
}

/// Makes an identifier of a spelled name.
fn legal(name: &str) -> String {
    let mut name = fitted(name);
    if is_keyword(&name) {
        name.push('_');
    }
    name
}

/// Makes an identifier or a keyword in normal form of a name that consists of usable characters
/// and `_`. A letter can have several characters in the other case, and an identifier can contain
/// characters that it cannot start with.
fn fitted(name: &str) -> String {
    let mut name: String = match name.is_ascii() {
        true => name.to_owned(),
        false => name.nfc().filter(|c| unicode_ident::is_xid_continue(*c)).collect(),
    };
    if name.is_empty() {
        name.push_str(UNNAMED);
    }
    if !name.starts_with(|first| first == '_' || unicode_ident::is_xid_start(first)) {
        name.insert(0, '_');
    }
    name
}

/// Splits a text in normal form at characters other than letters and digits, and at capitals that
/// begin a word.
fn words(text: &str) -> Vec<&str> {
    let (mut words, mut start, mut before) = (Vec::new(), 0, None);
    for (at, c) in text.char_indices() {
        let is_usable = usable(c);
        let ends = !is_usable || c.is_uppercase() && begins_word(before, &text[at + c.len_utf8()..]);
        if ends && start < at {
            words.push(&text[start..at]);
        }
        if ends {
            start = if is_usable { at } else { at + c.len_utf8() };
        }
        before = Some(c);
    }
    if start < text.len() {
        words.push(&text[start..]);
    }
    words
}

/// Returns `true` if a capital between `before` and `rest` begins a word.
fn begins_word(before: Option<char>, rest: &str) -> bool {
    before.is_some_and(|before| {
        before.is_lowercase()
            || before.is_ascii_digit()
            || before.is_uppercase() && rest.starts_with(char::is_lowercase)
    })
}

/// Returns `true` if a character can stand in an identifier unchanged. rustc warns about
/// characters that normal form KC would change. Invisible characters would make two names look the
/// same.
fn usable(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    unicode_ident::is_xid_continue(c)
        && std::iter::once(c).nfkc().eq([c])
        && !INVISIBLE.iter().any(|range| range.contains(&c))
}

/// The invisible characters of identifiers: Unicode's `Default_Ignorable_Code_Point`.
const INVISIBLE: &[RangeInclusive<char>] = &[
    '\u{34f}'..='\u{34f}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200c}'..='\u{200d}',
    '\u{3164}'..='\u{3164}',
    '\u{fe00}'..='\u{fe0f}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{e0100}'..='\u{e01ef}',
];
