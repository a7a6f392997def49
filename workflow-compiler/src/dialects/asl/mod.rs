//! The Amazon States Language: reading, checking and lowering to the HIR.
//!
//! Tree → placeholders bound (`placeholders`) → AST (`parse`) → checks across states (`check`) → HIR (`lower`).
//! Whether states are there, can be reached and can end, and whether variables have been assigned, is for the passes over
//! the HIR to find out.

pub mod ast;
mod check;
mod expressions;
pub mod functions;
mod lower;
mod parse;
mod placeholders;
mod resource;
mod timestamp;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::hir::Workflow;
use crate::syntax::Node;

/// Reads a definition. `None` where it is too broken to go on; what is wrong has been reported then.
pub fn read(definition: &Node, name: &str, options: &Options, diagnostics: &mut Diagnostics) -> Option<Workflow> {
    let bound = placeholders::bind(definition, options);
    let machine = parse::parse(&mut parse::Cx { options, bound: &bound, diagnostics })?;
    check::check(&machine, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let workflow = lower::lower(&machine, name, options, diagnostics);
    workflow.filter(|_| !diagnostics.has_errors())
}

#[cfg(test)]
mod tests;
