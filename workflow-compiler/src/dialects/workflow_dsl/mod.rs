//! Front end of the Workflow DSL: reads, checks and lowers a definition to the HIR.
//!
//! Phases: `parse` reads the tree into the AST, resolves names and parses filters, `check` and
//! `subflows` check the AST, and `lower` compiles expressions and lowers the AST. The tolerant
//! JSON reader of `syntax` repairs text that is not quite JSON beforehand.

pub mod ast;
mod check;
pub mod codes;
pub mod dialect;
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

/// Reads a definition. If it is too broken, all errors are reported.
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
