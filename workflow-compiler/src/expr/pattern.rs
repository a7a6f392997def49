//! Regular expressions of definitions: whether the runtime can compile them.

use regex::{Error, RegexBuilder};

/// The largest compiled pattern, in bytes: as much as the runtime allows.
const SIZE_LIMIT: usize = 1 << 20;

/// What helps where a pattern is refused.
pub(crate) const HELP: &str =
    "write one such as `[A-Z]+`, without look-around and back references, and without large numbers of repetitions";

/// What is wrong with a pattern that is to match a whole text, or a part of one, as the end of a sentence.
pub(crate) fn check(pattern: &str) -> Result<(), String> {
    // What is wrong with the text itself is told without what is put around it.
    if let Err(error) = regex_syntax::ast::parse::Parser::new().parse(pattern) {
        return Err(format!("is not valid: {}", error.kind().to_string().trim_end_matches('.')));
    }
    match RegexBuilder::new(&format!(r"\A(?:{pattern})\z")).size_limit(SIZE_LIMIT).build() {
        Ok(_) => Ok(()),
        Err(Error::CompiledTooBig(_)) => Err(format!("is too large: compiled, it takes more than {SIZE_LIMIT} bytes")),
        Err(error) => Err(format!("is not valid: {}", reason(&error))),
    }
}

/// The last line of what is said, without the picture above it.
fn reason(error: &Error) -> String {
    let text = error.to_string();
    let last = text.lines().last().unwrap_or_default();
    last.strip_prefix("error: ").unwrap_or(last).to_owned()
}
