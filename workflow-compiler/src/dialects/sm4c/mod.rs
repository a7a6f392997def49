//! State Machines For Cloud: reading, checking and lowering to the HIR.
//!
//! Tree → AST (`parse`), in which names are resolved → HIR (`lower`), for which expressions are compiled, and the operations of
//! functions are read (`operations`).

pub mod ast;
mod check;
mod expression;
pub mod functions;
mod lower;
mod operations;
mod parse;

use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::graph as graph_codes, codes::state_machines as codes};
use crate::dialects::names::Names;
use crate::files::Inputs;
use crate::hir::{Outline, Workflow};
use crate::source::Span;
use crate::syntax::Node;
use ast::{Name, Reference};

/// Reads a definition. Where it is too broken to go on, all that is wrong has been reported.
pub fn read(
    definition: &Node,
    name: &str,
    options: &Options,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Result<Workflow, Outline> {
    let machine = state_machine(definition, inputs, diagnostics);
    let workflow = machine.and_then(|machine| {
        let operations = operations::read(&machine, inputs, diagnostics);
        lower::lower(&machine, &operations, name, options, diagnostics)
    });
    workflow.filter(|_| !diagnostics.has_errors()).ok_or_else(Outline::default)
}

/// The state machine, and what is in the files that it names. `None` where anything is wrong with it, which has been reported.
pub fn state_machine(
    definition: &Node,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Option<ast::StateMachine> {
    let before = diagnostics.errors();
    let machine = parse::parse(definition, inputs, diagnostics);
    machine.filter(|_| diagnostics.errors() == before)
}

/// What reading needs beside the tree.
struct Cx<'a> {
    /// Names of states. Of names that could not be read there is nothing to say: that has been reported.
    states: Option<Names>,
    events: Option<Names>,
    functions: Option<Names>,
    retries: Option<Names>,
    /// Functions that expressions stand for: whether they are ones that have a value is known later.
    functions_in_expressions: Vec<Reference>,
    /// Calls of functions.
    calls: Vec<CallOfFunction>,
    diagnostics: &'a mut Diagnostics,
}

/// What is said of the call of a function that an expression has no use for.
struct CallOfFunction {
    function: usize,
    /// The keys of `arguments` and `timeout`, if they are there.
    unused: Vec<(&'static str, Span)>,
    /// The place of the name, where the call does not wait for what the function yields.
    unseen: Option<Span>,
}

impl Cx<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn state(&mut self, name: Name) -> Option<Reference> {
        self.states.as_ref()?.resolve(name, &graph_codes::E0201, self.diagnostics)
    }

    fn event(&mut self, name: Name) -> Option<Reference> {
        self.events.as_ref()?.resolve(name, &codes::E0803, self.diagnostics)
    }

    fn function(&mut self, name: Name) -> Option<Reference> {
        self.functions.as_ref()?.resolve(name, &codes::E0803, self.diagnostics)
    }

    fn retry(&mut self, name: Name) -> Option<Reference> {
        self.retries.as_ref()?.resolve(name, &codes::E0803, self.diagnostics)
    }
}

#[cfg(test)]
mod tests;
