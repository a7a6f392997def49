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
mod outline;
mod parse;
mod placeholders;
mod resource;
mod timestamp;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// Reads a definition. Where it is too broken to go on, what is wrong has been reported, and what is known of the states is
/// yielded.
pub fn read(
    definition: &Node,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    let bound = placeholders::bind(definition, options);
    // Of two equal keys one was left out: its transitions are not known.
    let is_whole = !diagnostics.has_errors();
    let before = diagnostics.errors();
    let machine = parse::parse(&mut parse::Cx::new(options, &bound, diagnostics));
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
