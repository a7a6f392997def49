//! Function tasks: JavaScript, or what the program puts in its place.

use super::ast::State;
use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::expr::Script;
use crate::syntax::Text;

/// Compiles the function of a state, which sees the variables of these names. `None` where that failed; why has been
/// reported then.
pub fn read(
    state: &State,
    _function: &Text,
    _visible: &[String],
    _options: &Options,
    _diagnostics: &mut Diagnostics,
) -> Option<Script> {
    Some(Script::Rust(format!("crate::{}", state.name.value)))
}
