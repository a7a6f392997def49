//! Checks of regular expressions, so that the runtime can compile every accepted one.

use regex::{Error, RegexBuilder};

/// The largest compiled pattern, in bytes. Equal to the limit of the runtime.
const SIZE_LIMIT: usize = 1 << 20;

/// The help for rejected patterns.
#[cfg(feature = "serverless-workflow")]
pub(crate) const HELP: &str =
    "write a pattern such as `[A-Z]+`, without look-around, back references or large numbers of repetitions";

/// Anchoring and dot semantics of a pattern, as in the runtime.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// Anchored: the pattern matches the whole text.
    Whole,
    /// Unanchored: the pattern matches a part of the text.
    #[cfg(feature = "cel")]
    Part,
    /// Anchored. A dot matches any character except `\n` and `\r` (RFC 9485 §4).
    NarrowWhole,
    /// Unanchored, with dots as in `NarrowWhole`.
    NarrowPart,
}

/// Checks a pattern. An error is a reason that completes a sentence about the pattern.
pub(crate) fn check(pattern: &str, flavour: Flavour) -> Result<(), String> {
    // Parse the pattern alone first: a syntax error must not show the added anchors.
    if let Err(error) = regex_syntax::ast::parse::Parser::new().parse(pattern) {
        return Err(format!("is not valid: {}", error.kind().to_string().trim_end_matches('.')));
    }
    let compiled = match flavour {
        Flavour::Whole => format!(r"\A(?:{pattern})\z"),
        #[cfg(feature = "cel")]
        Flavour::Part => pattern.to_owned(),
        Flavour::NarrowWhole => format!(r"\A(?:{})\z", with_narrow_dots(pattern)),
        Flavour::NarrowPart => with_narrow_dots(pattern),
    };
    match RegexBuilder::new(&compiled).size_limit(SIZE_LIMIT).build() {
        Ok(_) => Ok(()),
        Err(Error::CompiledTooBig(_)) => Err(format!("is too large: it compiles to more than {SIZE_LIMIT} bytes")),
        Err(error) => Err(format!("is not valid: {}", reason(&error))),
    }
}

/// Replaces each `.` by its meaning in RFC 9485 §4. The runtime does the same.
fn with_narrow_dots(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    let mut in_class = false;
    while let Some(c) = characters.next() {
        match c {
            '\\' => {
                written.push(c);
                written.extend(characters.next());
                continue;
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '.' if !in_class => {
                written.push_str(r"[^\n\r]");
                continue;
            }
            _ => {}
        }
        written.push(c);
    }
    written
}

/// Returns the last line of an error, without the excerpt that precedes it.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
