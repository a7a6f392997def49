//! Front end of State Machines For Cloud (SM4C): reads, checks and lowers a definition to the HIR.
//!
//! Phases: `parse` reads the tree into the AST and resolves names, `operations` reads the
//! operations of services, and `lower` compiles expressions and lowers the AST.

pub mod ast;
mod check;
pub mod codes;
pub mod dialect;
mod expression;
pub mod functions;
mod lower;
mod operations;
mod parse;

use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::names::NameTable;
use crate::files::Inputs;
use crate::hir::{Outline, Workflow};
use crate::source::Span;
use crate::syntax::Node;
use ast::{Name, Reference};

/// Reads a definition. If it is too broken, all errors are reported.
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

/// Parses a state machine and the files that it names. Returns `None` after reporting an error.
pub fn state_machine(
    definition: &Node,
    inputs: &mut Inputs,
    diagnostics: &mut Diagnostics,
) -> Option<ast::StateMachine> {
    let before = diagnostics.errors();
    let machine = parse::parse(definition, inputs, diagnostics);
    machine.filter(|_| diagnostics.errors() == before)
}

/// Context of the parser.
struct Sm4cParseCx<'a> {
    /// Names of states. A table is `None` if its definitions could not be read, which has been
    /// reported.
    states: Option<NameTable>,
    events: Option<NameTable>,
    functions: Option<NameTable>,
    retries: Option<NameTable>,
    /// References `fn:name` in expressions. A later check requires that the functions are
    /// expressions.
    functions_in_expressions: Vec<Reference>,
    /// Calls of functions.
    calls: Vec<FunctionCall>,
    diagnostics: &'a mut Diagnostics,
}

/// Call of a function, with the members that have no effect if the function is an expression.
struct FunctionCall {
    function: usize,
    /// Spans of the keys `arguments` and `timeout`, if present.
    without_effect: Vec<(&'static str, Span)>,
    /// Span of the function's name, if the call does not wait for the result.
    unobserved: Option<Span>,
}

impl Sm4cParseCx<'_> {
    fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn state(&mut self, name: Name) -> Option<Reference> {
        self.states.as_ref()?.resolve(name, self.diagnostics)
    }

    fn event(&mut self, name: Name) -> Option<Reference> {
        self.events.as_ref()?.resolve(name, self.diagnostics)
    }

    fn function(&mut self, name: Name) -> Option<Reference> {
        self.functions.as_ref()?.resolve(name, self.diagnostics)
    }

    fn retry(&mut self, name: Name) -> Option<Reference> {
        self.retries.as_ref()?.resolve(name, self.diagnostics)
    }
}

#[cfg(test)]
mod tests;
