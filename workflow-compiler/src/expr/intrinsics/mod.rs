//! The intrinsic functions of the Amazon States Language, and the payload templates that contain
//! them.

mod arguments;
pub mod codes;
mod format;
pub mod functions;
mod parse;
mod template;

pub use template::template;

use super::Expr;
use super::jsonpath::{self, JsonPath, Mode, Roots};
use crate::diagnostics::Diagnostics;
use crate::syntax::Text;

/// The greatest nesting of calls.
const MAX_NESTING: usize = 32;

/// The longest call, in bytes, that faults show in full. Generated code repeats the text of a call
/// for each argument. Without a limit, its size would be quadratic in the length of the call.
const MAX_SHOWN_BYTES: usize = 1_000;

/// Parses a string that is an intrinsic function. Returns `None` after reporting an error.
///
/// The expression yields one value. It fails if a path in an argument leads nowhere. A call that
/// fails in every run is an error, which the options can allow
/// ([A37](docs/amazon-states-language.md#a37)).
pub fn parse(text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
    parse::parse_call(text, roots, diagnostics)
}

/// A path or an intrinsic function.
#[derive(Debug, Clone, PartialEq)]
pub enum Dynamic {
    /// A path. The caller decides on the treatment of an absent value.
    Path(JsonPath),
    /// An intrinsic function.
    Intrinsic(Expr),
}

/// Parses a string that is a path or an intrinsic function (`ErrorPath`, `CausePath`).
pub fn path_or_intrinsic(text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Dynamic> {
    if text.value.starts_with('$') {
        jsonpath::parse(text, Mode::Jayway, roots, diagnostics).map(Dynamic::Path)
    } else {
        parse(text, roots, diagnostics).map(Dynamic::Intrinsic)
    }
}

#[cfg(test)]
mod tests;
