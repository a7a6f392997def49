//! Spells authored names with the characters of Rust's identifiers.

use super::reserved::{JAVASCRIPT, JQ, KEYWORDS, is_method_of_all};
use std::ops::RangeInclusive;
use unicode_normalization::UnicodeNormalization;

/// A text in Unicode's normal form C, in which rustc compares identifiers.
pub fn normalized(text: &str) -> String {
    text.nfc().collect()
}

/// `ChargeCard`, `charge card` and `charge-card` become `charge_card`.
pub fn snake_case(authored: &str) -> String {
    legal(&words(authored).join("_").to_lowercase())
}

/// `charge card` becomes `CHARGE_CARD`.
pub(super) fn upper_case(authored: &str) -> String {
    let name = legal(&words(authored).join("_").to_uppercase());
    // Nothing was left of the text.
    if name == UNNAMED { name.to_uppercase() } else { name }
}

/// The name of a text that has nothing that a name can have.
const UNNAMED: &str = "unnamed";

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
    legal(&name)
}

/// The method that stands for a task: in snake case, and none that other traits may have on the same type.
pub fn method_name(authored: &str) -> String {
    let name = snake_case(authored);
    if is_method_of_all(&name) { format!("{name}_") } else { name }
}

/// The name of a local of JavaScript as the author wrote it, as far as Rust takes it.
///
/// A name that ends in `_` and is not the author's is a temporary of generated code: the author's get one more. A name that
/// starts with a capital letter would be read as a constant in patterns.
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
    if is_upper || name.ends_with('_') || KEYWORDS.contains(&&*name) || JAVASCRIPT.contains(&&*name) {
        name.push('_');
    }
    name
}

/// The name of a local of jq: short, and in ASCII.
pub fn short_name(authored: &str) -> String {
    /// The longest name of a local, in bytes.
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

/// Returns `true` if a text is an identifier that items can have.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    let begins = chars.next().is_some_and(|first| first == '_' || unicode_ident::is_xid_start(first));
    begins && chars.all(unicode_ident::is_xid_continue) && !KEYWORDS.contains(&text)
}

/// Makes an identifier of what is spelled.
fn legal(name: &str) -> String {
    let mut name = fitted(name);
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// Makes what is an identifier or a keyword, in normal form. The other case of a letter can be several characters, and others
/// can follow a letter than begin a name.
fn fitted(name: &str) -> String {
    let mut name: String = name.nfc().filter(|c| unicode_ident::is_xid_continue(*c)).collect();
    if name.is_empty() {
        name.push_str(UNNAMED);
    }
    if !name.starts_with(|first| first == '_' || unicode_ident::is_xid_start(first)) {
        name.insert(0, '_');
    }
    name
}

/// Splits at everything that is no letter or digit, and where capitals say so.
fn words(authored: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let chars: Vec<char> = authored.nfc().collect();
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

/// Returns `true` if a character can stand in an identifier as it is. rustc warns of characters that normal form KC would
/// change. Characters that cannot be seen would make two names look the same.
fn usable(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric();
    }
    unicode_ident::is_xid_continue(c)
        && std::iter::once(c).nfkc().eq([c])
        && !INVISIBLE.iter().any(|range| range.contains(&c))
}

/// The characters of identifiers that are not shown: Unicode's `Default_Ignorable_Code_Point`.
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
