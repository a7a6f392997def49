//! Front end of Serverless Workflow, draft of June 2020: reads, checks and lowers a definition to
//! the HIR.
//!
//! Phases: `parse` reads the tree into the AST and resolves names, `correlation` checks
//! correlation keys, `operations` reads the operations of services, and `lower` compiles paths and
//! expressions and lowers the AST.
//!
//! Headings in quotes, such as "Event Definition", name sections of the draft. Questions
//! that the draft leaves open are decided from [R1](docs/serverless-workflow.md#r1) on.

mod ast;
pub mod codes;
mod correlation;
pub mod dialect;
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
        correlation::check(&definition, options, diagnostics);
        let operations = operations::read(&definition, inputs, diagnostics);
        let workflow = lower::lower(&definition, &operations, name, options, inputs, diagnostics)?;
        Some(Workflow { metadata: metadata::collect(tree), ..workflow })
    });
    workflow.filter(|_| !diagnostics.has_errors()).ok_or_else(Outline::default)
}
