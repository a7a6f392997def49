//! The Workflow DSL: reading, checking and lowering to the HIR.
//!
//! Tree → AST (`parse`), in which names are resolved and filters are read → HIR (`lower`), for which expressions are compiled.
//! Text that is not quite JSON is read by `syntax` before.

pub mod ast;
mod check;
pub mod functions;
mod lower;
mod parse;
#[cfg(test)]
mod tests;

pub use parse::filter::filter;

use crate::Options;
use crate::diagnostics::codes::syntax::W0130;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// Reads a definition. Where it is too broken to go on, all that is wrong has been reported.
pub fn read(
    definition: &Node,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    if options.express {
        let message = "`express` has no effect on a workflow of the Workflow DSL";
        let help = "it checks the restrictions of AWS's Express workflows, which are in the Amazon States Language";
        diagnostics.push(Diagnostic::new(&W0130, definition.span.at_start(), message).help(help));
    }
    let before = diagnostics.errors();
    let definition = parse::parse(definition, diagnostics).filter(|_| diagnostics.errors() == before);
    let workflow = definition.and_then(|definition| {
        check::check_directions(&definition, diagnostics);
        lower::lower(&definition, name, options, diagnostics)
    });
    workflow.filter(|_| !diagnostics.has_errors()).ok_or_else(Outline::default)
}
