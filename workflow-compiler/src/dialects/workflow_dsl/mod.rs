//! The Workflow DSL: reading, checking and lowering to the HIR.
//!
//! Tree → AST (`parse`), in which names are resolved and filters are read → HIR (`lower`), for which expressions are compiled.
//! Text that is not quite JSON is read by `syntax` before.

pub mod ast;
mod check;
pub mod functions;
mod lower;
mod parse;
mod subflows;
#[cfg(test)]
mod tests;

pub use parse::filter::filter;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::files::Inputs;
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// Reads a definition. Where it is too broken to go on, all that is wrong has been reported.
pub fn read(
    tree: &Node,
    name: &str,
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    let before = diagnostics.errors();
    let definition = parse::parse(tree, diagnostics).filter(|_| diagnostics.errors() == before);
    let workflow = definition.and_then(|definition| {
        check::check_directions(&definition, diagnostics);
        subflows::check_subflows(&definition, (tree, name), options, inputs, diagnostics);
        lower::lower(&definition, name, options, diagnostics)
    });
    workflow.filter(|_| !diagnostics.has_errors()).ok_or_else(Outline::default)
}
