//! Lowering of boolean expressions ([R6](docs/serverless-workflow.md#r6),
//! [R7](docs/serverless-workflow.md#r7) and [R24](docs/serverless-workflow.md#r24)).

use super::super::ast::{Definition, Expression, Flow, Language, State, StateKind};
use super::super::functions::OR_NULL;
use super::Cx;
use super::steps::member;
#[cfg(not(feature = "cel"))]
use crate::diagnostics::{Diagnostic, codes::syntax::WF0132};
#[cfg(feature = "cel")]
use crate::expr::cel;
use crate::expr::jsonpath::functions::HOLDS;
use crate::expr::{Apply, Arg, Expr, Fallibility, LocalId, Program, ProgramText, Selector, jq, spel};
use crate::hir::PathRead;
use crate::syntax::Text;
use std::cell::RefCell;
use std::sync::Arc;

/// Variable of the workflow's input.
pub(super) const WORKFLOW_INPUT: &str = "workflowInput";
/// Variable of the state's data after its input filter.
pub(super) const STATE_INPUT: &str = "stateInputData";
/// Variable of the state's data.
const STATE_OUTPUT: &str = "stateOutputData";

/// Locals that an expression sees.
#[derive(Clone, Copy)]
pub(super) struct Sees {
    /// Local of the data.
    pub root: LocalId,
    /// Local of the error, if the expression belongs to a handler.
    pub error: Option<LocalId>,
}

impl Cx<'_> {
    /// Compiles a boolean expression. Returns `None` after reporting an error.
    pub(super) fn condition(&mut self, expression: &Expression, sees: Sees) -> Option<Expr> {
        let variables = self.variables(sees);
        let body = &expression.body;
        match expression.language {
            Language::SpEl => {
                let schema = self.known.as_ref().filter(|_| sees.root == self.data);
                let (root, paths) = (Expr::Local(sees.root), RefCell::default());
                let scope = spel::SpelScope { root, variables: &variables, schema, paths: &paths };
                let condition = spel::read(body, &scope, spel::SpelMode::Test, self.diagnostics);
                let read = |path: spel::SpelPath| {
                    let spel::SpelPath { base, steps, names, span } = path;
                    PathRead { base, steps, names, span }
                };
                self.workflow.paths.extend(paths.into_inner().into_iter().map(read));
                condition
            }
            Language::JsonPath => {
                let selection = self.selection(body, Expr::Local(sees.root))?;
                Some(Expr::call(&HOLDS, vec![Arg::Maybe(selection)]))
            }
            Language::Jq => {
                let known: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
                let filter = jq::read(body, &known, jq::ResultMode::Test, self.engine, self.diagnostics)?;
                let value = |name: &String| {
                    variables.iter().find(|(known, _)| known == name).map_or(Expr::NULL, |(_, value)| value.clone())
                };
                let values = filter.variables.iter().map(value).collect();
                self.workflow.programs.push(ProgramText { text: body.clone(), start: 0 });
                Some(Expr::Apply(Apply {
                    program: Arc::new(Program::Jq(filter)),
                    name: format!("{} expression", self.state),
                    input: Box::new(Expr::Local(sees.root)),
                    variables: values,
                    fallibility: Fallibility::Catchable,
                }))
            }
            Language::Cel => self.cel(body, sees, &variables),
        }
    }

    /// Compiles an expression in CEL.
    #[cfg(feature = "cel")]
    fn cel(&mut self, body: &Text, sees: Sees, variables: &[(&str, Expr)]) -> Option<Expr> {
        let names: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
        let known = self.known.as_ref().filter(|_| sees.root == self.data);
        let program = cel::read(body, &names, known, self.diagnostics)?;
        let value = |name: &String| {
            variables.iter().find(|(known, _)| known == name).map_or(Expr::NULL, |(_, value)| value.clone())
        };
        let values = program.variables.iter().map(value).collect();
        self.workflow.programs.push(ProgramText { text: body.clone(), start: 0 });
        Some(Expr::Apply(Apply {
            program: Arc::new(Program::Cel(program)),
            name: format!("{} expression", self.state),
            input: Box::new(Expr::Local(sees.root)),
            variables: values,
            fallibility: Fallibility::Catchable,
        }))
    }

    /// Reports that expressions in CEL are not built in.
    #[cfg(not(feature = "cel"))]
    fn cel(&mut self, body: &Text, _: Sees, _: &[(&str, Expr)]) -> Option<Expr> {
        let message = "the compiler was built without CEL";
        let help = "enable the feature `cel`, or write the expression in SpEL, JSONPath or jq";
        self.diagnostics.push(Diagnostic::new(&WF0132, body.span, message).help(help));
        None
    }

    /// Returns the variables of an expression with their values.
    fn variables(&self, sees: Sees) -> Vec<(&'static str, Expr)> {
        let mut variables = vec![(STATE_OUTPUT, Expr::Local(self.data))];
        variables.extend(self.input.map(|input| (STATE_INPUT, Expr::Local(input))));
        variables.extend(self.workflow_input.map(|workflow_input| (WORKFLOW_INPUT, Expr::Local(workflow_input))));
        if let Some(error) = sees.error {
            for name in ["name", "message", "trace"] {
                variables.push((name, Expr::call(&OR_NULL, vec![Arg::Maybe(member(error, name))])));
            }
            variables.extend([("error", Expr::Local(error)), ("exception", Expr::Local(error))]);
        }
        variables
    }
}

/// Returns `true` if an expression of the workflow mentions a variable.
pub(super) fn mentions(definition: &Definition, name: &str) -> bool {
    flow_mentions(&definition.flow, name)
}

fn flow_mentions(flow: &Flow, name: &str) -> bool {
    flow.states.iter().any(|state| {
        let inner = match &state.kind {
            StateKind::Parallel { branches, .. } => branches.iter().any(|branch| flow_mentions(&branch.flow, name)),
            StateKind::ForEach(each) => flow_mentions(&each.flow, name),
            _ => false,
        };
        inner || state_mentions(state, name)
    })
}

/// Returns `true` if an expression of a state mentions a variable.
pub(super) fn state_mentions(state: &State, name: &str) -> bool {
    let handlers = state.handlers.iter().map(|handler| &handler.expression);
    let retries = state.retries.iter().map(|retry| &retry.expression);
    let guards = state.transitions().filter_map(|transition| transition.guard.as_ref());
    handlers.chain(retries).chain(guards).any(|expression| expression.body.value.contains(name))
}

/// Returns `true` if an expression reads the error in its data.
pub(super) fn asks_for_error(expression: &Expr, root: LocalId) -> bool {
    let mut asks = false;
    expression.walk(&mut |inner| match inner {
        Expr::Find(path) | Expr::Select(path) if *path.base == Expr::Local(root) => {
            asks |= path.segments.first().is_some_and(|first| {
                first.selectors.iter().any(|selector| match selector {
                    Selector::Name(name) | Selector::NameThroughSingleton(name) => is_error(name),
                    _ => false,
                })
            });
        }
        // A program of another language is searched as text.
        Expr::Apply(apply) => {
            asks |= match &*apply.program {
                Program::Jq(filter) => jq::members_read(&filter.source).iter().any(|name| is_error(name)),
                #[cfg(feature = "cel")]
                Program::Cel(program) => program.reads.iter().any(|name| is_error(name)),
                // No condition of this dialect is in JSONata.
                #[cfg(feature = "asl")]
                Program::Jsonata(_) => false,
            };
        }
        _ => {}
    });
    asks
}

fn is_error(name: &str) -> bool {
    matches!(name, "error" | "exception")
}
