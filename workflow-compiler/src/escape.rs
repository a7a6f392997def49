//! Escaping of foreign text in the output of the compiler and its front ends: messages, lines for
//! cargo, comments, literals.
//!
//! The texts of a definition and the names of files are untrusted: an archive or a repository can
//! contain any. Each kind of output has one function here, and foreign text is written through it
//! only.

mod visible;

pub use visible::{visible, visible_char, visible_lines};

use std::borrow::Cow;
use std::fmt;

/// Returns `true` for characters that change how the text around them is read: control characters,
/// separators of lines and paragraphs, and marks that turn the direction of writing.
pub fn is_disruptive(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Returns a text for a comment of a generated file. It contains no line break, so that the
/// compiler reads none of it as code.
pub fn comment(text: &str) -> Cow<'_, str> {
    match text.chars().any(is_disruptive) {
        true => text.chars().map(|c| if is_disruptive(c) { ' ' } else { c }).collect(),
        false => Cow::Borrowed(text),
    }
}

/// Returns a text for a doc comment, which may be divided into lines. Like [`comment`], but white
/// space is collapsed, and a run of backticks or tildes that could open a fence becomes one
/// character: rustdoc runs fenced code.
pub fn documentation(text: &str) -> String {
    let text = text.trim_matches(' ');
    if is_plain(text) {
        return text.to_owned();
    }
    let (mut line, mut is_spaced) = (String::with_capacity(text.len()), false);
    for c in text.chars() {
        if c.is_whitespace() || is_disruptive(c) {
            is_spaced = !line.is_empty();
            continue;
        }
        if std::mem::take(&mut is_spaced) {
            line.push(' ');
        }
        line.push(c);
    }
    ["```", "~~~"].into_iter().fold(line, |line, fence| match line.split_once(fence) {
        None => line,
        Some((before, mut rest)) => {
            let mut without = before.to_owned();
            loop {
                without.push_str(&fence[..1]);
                rest = rest.trim_start_matches(&fence[..1]);
                let Some((before, after)) = rest.split_once(fence) else { break without + rest };
                without.push_str(before);
                rest = after;
            }
        }
    })
}

/// Returns `true` for a text of visible ASCII with single blanks inside and single marks that
/// could open a fence. Nearly all texts are plain. In builds without optimization, in which macros
/// expand, a loop over bytes takes a tenth of the time of a loop over characters.
fn is_plain(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut last) = (0, b' ');
    while at < bytes.len() {
        let byte = bytes[at];
        if !matches!(byte, b' '..=b'~') || (byte == last && matches!(byte, b' ' | b'`' | b'~')) {
            return false;
        }
        last = byte;
        at += 1;
    }
    true
}

/// Returns a Rust string literal.
pub fn rust_string(text: &str) -> String {
    format!("{text:?}")
}

/// Returns a TOML basic string.
pub fn toml_string(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if is_disruptive(c) => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Returns a word for a POSIX shell command line, quoted if necessary.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+:@%,".contains(c);
    match !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

/// Returns the line `cargo::KEY=VALUE`, by which a build script instructs cargo. Refuses a value
/// with a line break or another control character, because cargo would read the rest as another
/// instruction.
pub fn instruction(key: &str, value: &str) -> Result<String, NotOneLine> {
    match value.chars().find(|c| is_disruptive(*c)) {
        Some(found) => Err(NotOneLine { value: value.to_owned(), found }),
        None => Ok(format!("cargo::{key}={value}")),
    }
}

/// The error for a value that does not fit into one line for cargo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotOneLine {
    value: String,
    found: char,
}

impl fmt::Display for NotOneLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, code) = (visible(&self.value), u32::from(self.found));
        write!(f, "cannot pass `{value}` to cargo, because it contains the character U+{code:04X}: rename the file")
    }
}

/// Returns a name of a definition for messages: on one line, with a limited length.
pub fn shown(name: &str) -> String {
    const MOST: usize = 60;
    let mut shown = comment(&name.chars().take(MOST).collect::<String>()).into_owned();
    if name.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stay_on_their_line() {
        assert_eq!(comment("a\nfn b() {}\r\u{85}\u{2028}c\u{202e}"), "a fn b() {}   c ");
        assert_eq!(documentation("  a\n```\nb()\n```  ````~~~~ `c`"), "a ` b() ` `~ `c`");
    }

    #[test]
    fn literals_hold_any_text() {
        for text in ["", "a\"b\\c", "\u{0}\n\r\t\u{7f}\u{2028}\u{202e}", "ä`'${x}"] {
            let tokens: proc_macro2::TokenStream = rust_string(text).parse().expect("it is Rust");
            assert_eq!(tokens.into_iter().count(), 1);
            assert!(!toml_string(text).contains('\n') && !rust_string(text).contains('\n'));
        }
        assert_eq!(toml_string("a\"b\\c\n\u{7f}ä"), r#""a\"b\\c\U0000000A\U0000007Fä""#);
        assert_eq!(shell_word("flows/order.asl.json"), "flows/order.asl.json");
        assert_eq!(shell_word("a; b'c"), r"'a; b'\''c'");
        assert_eq!(shell_word("-x"), "'-x'");
    }

    #[test]
    fn an_instruction_is_one_line() {
        assert_eq!(instruction("rerun-if-changed", "a b.json").as_deref(), Ok("cargo::rerun-if-changed=a b.json"));
        for value in ["api\ncargo::rustc-env=A=b", "a\rb", "a\u{0}", "a\u{2028}b"] {
            assert!(instruction("rerun-if-changed", value).is_err(), "{value:?}");
        }
        let refused = instruction("warning", "api\ncargo::x").map_err(|refused| refused.to_string());
        let message = "cannot pass `api cargo::x` to cargo, because it contains the character U+000A: rename the file";
        assert_eq!(refused, Err(message.to_owned()));
    }
}
