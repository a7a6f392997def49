//! Lowering of states with nested flows ("Parallel State", "ForEach State",
//! [R1](docs/serverless-workflow.md#r1), [R2](docs/serverless-workflow.md#r2),
//! [R10](docs/serverless-workflow.md#r10) and [R11](docs/serverless-workflow.md#r11)).

use super::super::ast::{self, Branch, Flow, StateKind};
use super::super::functions::{ELEMENTS, SET, WITH_BRANCHES, WITH_FIRST};
use super::Cx;
use crate::dialects::body::BodyBuilder;
use crate::expr::{Arg, Expr, Literal};
use crate::hir::{self, Step, StepKind};
use crate::model::{Join, ScopeId, Seconds};
use crate::source::Span;
use std::sync::Arc;

impl Cx<'_> {
    /// Lowers the flow of a branch or an iteration, which starts with data of its own.
    fn nested_flow(
        &mut self,
        state: &ast::State,
        flow: &Flow,
        label: String,
        does_one_thing: bool,
        data: impl FnOnce(&Self) -> (Expr, Span),
    ) -> ScopeId {
        let parent = Some((self.scope, Arc::from(self.state.as_str())));
        let (begin, span) = data(self);
        let inner = self.local("data", span);
        let mut entry = vec![Step { kind: StepKind::Let { local: inner, value: begin }, span }];
        let only = does_one_thing.then(|| {
            let only = self.local("only", span);
            entry.push(Step { kind: StepKind::Let { local: only, value: Expr::NULL }, span });
            only
        });
        self.known = None;
        let outer = (self.data, self.input, self.has_outer_handler, self.is_top, self.goes_on);
        let names = self.state.clone();
        let outer_only = std::mem::replace(&mut self.only, only);
        self.data = inner;
        self.has_outer_handler |= state.handles_errors();
        self.is_top = false;
        let id = self.flow(flow, label, parent, entry);
        self.known = None;
        (self.data, self.input, self.has_outer_handler, self.is_top, self.goes_on) = outer;
        self.state = names;
        self.only = outer_only;
        id
    }

    /// Lowers concurrent branches, each with a copy of the data
    /// ([R10](docs/serverless-workflow.md#r10)).
    pub(super) fn parallel(&mut self, state: &ast::State, branches: &[Branch], first: u32, steps: &mut BodyBuilder) {
        let span = state.span;
        let scopes: Vec<ScopeId> = branches
            .iter()
            .map(|branch| {
                let label = format!("the branch `{}` of `{}`", branch.name.value, state.name.value);
                self.nested_flow(state, &branch.flow, label, false, |cx| (Expr::Local(cx.data), branch.flow.span))
            })
            .collect();
        let names = branches.iter().map(|branch| branch.name.value.to_string()).collect();
        let result = self.local("outputs", span);
        let (join, function) = match first as usize == branches.len() {
            true => (Join::All, &WITH_BRANCHES),
            false => (Join::NOf(first), &WITH_FIRST),
        };
        steps.push(StepKind::Fork { branches: scopes, join, result }, span);
        let args = vec![Arg::Owned(Expr::Local(self.data)), Arg::Value(Expr::Local(result)), Arg::Strs(names)];
        self.set_data(Expr::call(function, args), span, steps);
    }

    /// Lowers a foreach state ([R11](docs/serverless-workflow.md#r11)).
    pub(super) fn foreach(&mut self, state: &ast::State, each: &ast::ForEach, steps: &mut BodyBuilder) {
        let span = state.span;
        let Some(path) = self.path(&each.input, Expr::Local(self.data)) else { return };
        let items = self.local("items", each.input.span);
        let args = vec![Arg::Maybe(path.expr), Arg::Str(each.input.value.as_str().into())];
        steps.set(items, Expr::call(&ELEMENTS, args), each.input.span);
        let item = self.local("item", each.parameter.span);
        let parameter = self.place(&each.parameter, "inputParameter");
        let output = each.output.as_ref().map(|output| self.place(output, "outputCollection"));
        let (Some(parameter), false) = (parameter, matches!(output, Some(None))) else { return };
        let label = format!("each element in `{}`", state.name.value);
        let body = self.nested_flow(state, &each.flow, label, only_calls_function(&each.flow), |cx| {
            let args = vec![Arg::Owned(Expr::Local(cx.data)), Arg::Strs(parameter), Arg::Owned(Expr::Local(item))];
            (Expr::call(&SET, args), each.parameter.span)
        });
        let result = self.local("outputs", span);
        steps.push(
            StepKind::ForEach(Box::new(hir::ForEach {
                body,
                items,
                item,
                limit: (each.max > 0).then(|| Expr::Literal(Literal::Int(i64::from(each.max)))),
                tolerated_count: None,
                tolerated_percentage: None,
                in_batches: false,
                completion_order: false,
                delay: each.delay.as_ref().map(|delay| Seconds::Fixed(delay.value.as_secs_f64())),
                result,
            })),
            span,
        );
        if let Some(Some(names)) = output {
            let args = vec![Arg::Owned(Expr::Local(self.data)), Arg::Strs(names), Arg::Owned(Expr::Local(result))];
            self.set_data(Expr::call(&SET, args), span, steps);
        }
    }
}

/// Returns `true` if iterations call one function and do nothing else with their data, so that the
/// result of the call is their output ([R1](docs/serverless-workflow.md#r1)).
fn only_calls_function(flow: &Flow) -> bool {
    let mut actions = Vec::new();
    for state in &flow.states {
        match &state.kind {
            StateKind::Operation { actions: own } => actions.extend(&own.list),
            StateKind::Delay { .. } | StateKind::DataSwitch { .. } => {}
            _ => return false,
        }
        if state.filter.input.is_some() || state.filter.output.is_some() {
            return false;
        }
    }
    matches!(&actions[..], [action] if action.results.is_none())
}
