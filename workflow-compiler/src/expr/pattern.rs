//! Regular expressions of definitions: whether the runtime can compile them.

use regex::{Error, RegexBuilder};

/// The largest compiled pattern, in bytes: as much as the runtime allows.
const SIZE_LIMIT: usize = 1 << 20;

/// What helps where a pattern is refused.
#[cfg(feature = "serverless-workflow")]
pub(crate) const HELP: &str =
    "write one such as `[A-Z]+`, without look-around and back references, and without large numbers of repetitions";

/// How much of a text a pattern is to match, and what a dot in it means: as the runtime has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavour {
    /// All of it.
    Whole,
    /// A part of it.
    #[cfg(feature = "cel")]
    Part,
    /// All of it. A dot is anything but `\n` and `\r` (RFC 9485 §4).
    NarrowWhole,
    /// A part of it, with such dots.
    NarrowPart,
}

/// What is wrong with a pattern, as the end of a sentence.
pub(crate) fn check(pattern: &str, flavour: Flavour) -> Result<(), String> {
    // What is wrong with the text itself is told without what is put around it.
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
        Err(Error::CompiledTooBig(_)) => Err(format!("is too large: compiled, it takes more than {SIZE_LIMIT} bytes")),
        Err(error) => Err(format!("is not valid: {}", reason(&error))),
    }
}

/// The pattern with each `.` written as what it means in RFC 9485 §4. The runtime does the same.
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

/// The last line of what is said, without the picture above it.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
