//! Front end of the Amazon States Language: reads, checks and lowers a definition to the HIR.
//!
//! Phases: `placeholders` binds the placeholders of the tree, `parse` reads the tree into the AST,
//! `check` checks rules across states, and `lower` lowers the AST. Passes over the HIR check
//! targets, reachability, ends, and the assignment of variables.
//!
//! Citations `ASL §…` name sections of the Amazon States Language specification,
//! <https://states-language.net/spec.html>.

pub mod ast;
mod check;
pub mod codes;
mod context;
pub mod dialect;
mod expressions;
pub mod functions;
mod jsonata;
mod lower;
mod outline;
mod parse;
mod placeholders;
mod resource;
mod services;
mod timestamp;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::hir::{Outline, Workflow};
use crate::model::ErrorNames;
use crate::syntax::Node;

/// The predefined error names (ASL §Appendix A).
const ERROR_NAMES: ErrorNames = ErrorNames {
    any: "States.ALL",
    any_task: "States.TaskFailed",
    timeout: "States.Timeout",
    heartbeat: "States.HeartbeatTimeout",
};

/// Reads a definition. If it is too broken, all errors are reported, and `Err` has the outline of
/// the states.
pub fn read(
    definition: &Node,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    let bound = placeholders::bind(definition, options);
    // Of two equal keys the tree keeps one, so that the transitions of the other are unknown.
    let is_whole = !diagnostics.has_errors();
    let before = diagnostics.errors();
    let machine = parse::parse(&mut parse::AslParseCx::new(options, &bound, diagnostics));
    machine
        .filter(|machine| {
            check::check(machine, diagnostics);
            diagnostics.errors() == before
        })
        .and_then(|machine| lower::lower(&machine, name, options, diagnostics))
        .ok_or_else(|| {
            let mut outline = outline::outline(&bound.node);
            outline.is_complete &= is_whole;
            outline
        })
}

#[cfg(test)]
mod tests;
