//! Front end of OpenWhisk Composer's finite state machines: reads, checks and lowers a composition
//! to the HIR.
//!
//! Phases: `parse` reads the tree into the AST, `shapes` infers the shape of the stack in every
//! state, and `lower` lowers the AST. Levels of the stack become locals, handlers become
//! transitions, and names of variables are resolved, so that no stack is left at run time.

pub mod ast;
pub mod codes;
pub mod dialect;
mod function;
pub mod functions;
mod lower;
mod names;
mod parse;
mod shapes;
mod stack;

use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::hir::{Outline, Workflow};
use crate::syntax::Node;

/// Reads a definition. If it is too broken, all errors are reported.
pub fn read(
    definition: &Node,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    let workflow = lowered(definition, name, options, diagnostics).filter(|_| !diagnostics.has_errors());
    workflow.ok_or_else(Outline::default)
}

fn lowered(definition: &Node, name: &str, options: &Options, diagnostics: &mut Diagnostics) -> Option<Workflow> {
    let shaped = parse::parse(definition, diagnostics)
        .and_then(|composition| Some((shapes::infer(&composition, diagnostics)?, composition)));
    let Some((shapes, composition)) = shaped else {
        // JavaScript functions are checked even if the rest of the composition is broken.
        for entry in definition.get("States").and_then(Node::as_object).unwrap_or_default() {
            if let Some(text) = entry.value.get("Function").and_then(Node::as_text) {
                function::check_syntax(&entry.key.value, text, options, diagnostics);
            }
        }
        return None;
    };
    lower::lower(&composition, &shapes, name, options, diagnostics)
}

#[cfg(test)]
mod tests;
