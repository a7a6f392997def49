//! Expressions that say whether something is done (rulings R6, R7 and R24).

use super::super::ast::{Definition, Expression, Flow, Language, State, StateKind};
use super::super::functions::OR_NULL;
use super::Cx;
use super::steps::member;
#[cfg(not(feature = "cel"))]
use crate::diagnostics::{Diagnostic, codes::serverless_workflow::E1215};
#[cfg(feature = "cel")]
use crate::expr::cel;
use crate::expr::jsonpath::functions::HOLDS;
use crate::expr::{Apply, Arg, Expr, Fails, LocalId, Program, Selector, jq, spel};
use crate::syntax::Text;
use std::sync::Arc;

/// The variable that holds the workflow's input.
pub(super) const WORKFLOW_INPUT: &str = "workflowInput";
/// The variable that holds a state's data after its input filter.
pub(super) const STATE_INPUT: &str = "stateInputData";
/// The variable that holds a state's data.
const STATE_OUTPUT: &str = "stateOutputData";

/// What an expression sees.
#[derive(Clone, Copy)]
pub(super) struct Sees {
    /// The data.
    pub root: LocalId,
    /// The error, where one is handled.
    pub error: Option<LocalId>,
}

impl Cx<'_> {
    /// Whether an expression holds. `None` where it is wrong, which has been reported.
    pub(super) fn condition(&mut self, expression: &Expression, sees: Sees) -> Option<Expr> {
        let variables = self.variables(sees);
        let body = &expression.body;
        match expression.language {
            Language::SpEl => {
                let schema = self.known.as_ref().filter(|_| sees.root == self.data);
                let scope = spel::Scope { root: Expr::Local(sees.root), variables: &variables, schema };
                spel::read(body, &scope, spel::Mode::Test, self.diagnostics)
            }
            Language::JsonPath => {
                let found = self.selection(body, Expr::Local(sees.root))?;
                Some(Expr::call(&HOLDS, vec![Arg::Maybe(found)]))
            }
            Language::Jq => {
                let known: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
                let filter = jq::read(body, &known, jq::Mode::Test, self.engine, self.diagnostics)?;
                let value = |name: &String| {
                    variables.iter().find(|(known, _)| known == name).map_or(Expr::NULL, |(_, value)| value.clone())
                };
                let values = filter.variables.iter().map(value).collect();
                Some(Expr::Apply(Apply {
                    program: Arc::new(Program::Jq(filter)),
                    name: format!("{} expression", self.state),
                    input: Box::new(Expr::Local(sees.root)),
                    variables: values,
                    fails: Fails::Catchably,
                }))
            }
            Language::Cel => self.cel(body, sees, &variables),
        }
    }

    /// An expression in CEL.
    #[cfg(feature = "cel")]
    fn cel(&mut self, body: &Text, sees: Sees, variables: &[(&str, Expr)]) -> Option<Expr> {
        let names: Vec<&str> = variables.iter().map(|(name, _)| *name).collect();
        let known = self.known.as_ref().filter(|_| sees.root == self.data);
        let program = cel::read(body, &names, known, self.diagnostics)?;
        let value = |name: &String| {
            variables.iter().find(|(known, _)| known == name).map_or(Expr::NULL, |(_, value)| value.clone())
        };
        let values = program.variables.iter().map(value).collect();
        Some(Expr::Apply(Apply {
            program: Arc::new(Program::Cel(program)),
            name: format!("{} expression", self.state),
            input: Box::new(Expr::Local(sees.root)),
            variables: values,
            fails: Fails::Catchably,
        }))
    }

    /// Tells that expressions in CEL are not built in.
    #[cfg(not(feature = "cel"))]
    fn cel(&mut self, body: &Text, _: Sees, _: &[(&str, Expr)]) -> Option<Expr> {
        let message = "expressions in CEL are not built in";
        let help = "turn on the feature `cel`, or write the expression in SpEL, JSONPath or jq";
        self.diagnostics.push(Diagnostic::new(&E1215, body.span, message).help(help));
        None
    }

    /// The variables of an expression, and what they stand for.
    fn variables(&self, sees: Sees) -> Vec<(&'static str, Expr)> {
        let mut variables = vec![(STATE_OUTPUT, Expr::Local(self.data))];
        variables.extend(self.input.map(|input| (STATE_INPUT, Expr::Local(input))));
        variables.extend(self.given.map(|given| (WORKFLOW_INPUT, Expr::Local(given))));
        if let Some(error) = sees.error {
            for name in ["name", "message", "trace"] {
                variables.push((name, Expr::call(&OR_NULL, vec![Arg::Maybe(member(error, name))])));
            }
            variables.extend([("error", Expr::Local(error)), ("exception", Expr::Local(error))]);
        }
        variables
    }
}

/// Whether an expression of a workflow mentions a variable.
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

/// Whether an expression of a state mentions a variable.
pub(super) fn state_mentions(state: &State, name: &str) -> bool {
    let handlers = state.handlers.iter().map(|handler| &handler.expression);
    let retries = state.retries.iter().map(|retry| &retry.expression);
    let guards = state.transitions().filter_map(|transition| transition.guard.as_ref());
    handlers.chain(retries).chain(guards).any(|expression| expression.body.value.contains(name))
}

/// Whether an expression asks for an error in what it looks at.
pub(super) fn asks_for_error(expression: &Expr, root: LocalId) -> bool {
    let mut asks = false;
    expression.walk(&mut |inner| match inner {
        Expr::Find(path) | Expr::Select(path) if *path.base == Expr::Local(root) => {
            asks |= path.segments.first().is_some_and(|first| {
                first.selectors.iter().any(|selector| match selector {
                    Selector::Name(name) | Selector::Through(name) => is_error(name),
                    _ => false,
                })
            });
        }
        // What is in a program of another language is seen by its text.
        Expr::Apply(apply) => {
            asks |= match &*apply.program {
                Program::Jq(filter) => jq::members_read(&filter.source).iter().any(|name| is_error(name)),
                #[cfg(feature = "cel")]
                Program::Cel(program) => program.reads.iter().any(|name| is_error(name)),
            };
        }
        _ => {}
    });
    asks
}

fn is_error(name: &str) -> bool {
    matches!(name, "error" | "exception")
}
