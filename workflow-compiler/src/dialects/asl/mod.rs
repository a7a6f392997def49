//! The Amazon States Language: reading, checking and lowering to the HIR.

pub mod functions;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::hir::Workflow;
use crate::syntax::Node;

/// Reads a definition. `None` where it is too broken to go on; what is wrong has been reported then.
pub fn read(_definition: &Node, _name: &str, _options: &Options, _diagnostics: &mut Diagnostics) -> Option<Workflow> {
    None
}
