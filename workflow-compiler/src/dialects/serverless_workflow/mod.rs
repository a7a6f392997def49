//! Serverless Workflow, the draft of June 2020: reading, checking and lowering to the HIR.
//!
//! Tree → AST (`parse`), in which names are resolved → HIR (`lower`), for which paths and expressions are compiled. What the text
//! leaves open is decided by the rulings R1 to R27, which `docs/serverless-workflow.md` tells.

mod ast;
mod correlation;
mod functions;
mod lower;
mod metadata;
mod operations;
mod parse;
mod schedule;
#[cfg(test)]
mod tests;

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
        correlation::check(&definition, options, diagnostics);
        let operations = operations::read(&definition, inputs, diagnostics);
        let workflow = lower::lower(&definition, &operations, name, options, inputs, diagnostics)?;
        Some(Workflow { metadata: metadata::collect(tree), ..workflow })
    });
    workflow.filter(|_| !diagnostics.has_errors()).ok_or_else(Outline::default)
}
