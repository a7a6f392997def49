//! The intrinsic functions of the Amazon States Language, and the payload templates they stand in.

mod arguments;
mod format;
pub mod functions;
mod parse;
mod template;

pub use template::template;

use super::Expr;
use super::jsonpath::{self, JsonPath, Mode, Roots};
use crate::diagnostics::Diagnostics;
use crate::syntax::Text;

/// How deep calls nest.
const MAX_NESTING: usize = 32;

/// The longest call, in bytes, that its faults show whole. Every argument has the text of its call in the generated code:
/// without a limit, the code of one call would grow with the square of its length.
const LONGEST_SHOWN: usize = 1_000;

/// Reads a string that is an intrinsic function. What is wrong with it is reported, and `None` returned then.
///
/// Absence of what a path in it leads to is a fault; the expression yields one value.
pub fn parse(text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
    parse::whole(text, roots, diagnostics)
}

/// A path or an intrinsic function.
#[derive(Debug, Clone, PartialEq)]
pub enum Dynamic {
    /// A path. Whether it must lead somewhere, and what to say if it does not, is for the caller to decide.
    Path(JsonPath),
    /// An intrinsic function.
    Intrinsic(Expr),
}

/// Reads a string that is a path or an intrinsic function (`ErrorPath`, `CausePath`).
pub fn path_or_intrinsic(text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Dynamic> {
    if text.value.starts_with('$') {
        jsonpath::parse(text, Mode::Jayway, roots, diagnostics).map(Dynamic::Path)
    } else {
        parse(text, roots, diagnostics).map(Dynamic::Intrinsic)
    }
}

#[cfg(test)]
mod tests;
