//! Lowering of a flow to a scope: the states of the workflow, of a branch, or of the body of a
//! foreach state.

use super::super::ast::Flow;
use super::super::functions::{IS_BETWEEN, IS_YOUNGER};
use super::super::schedule::{Active, Schedule};
use super::Cx;
use crate::expr::{Arg, Expr};
use crate::hir::{Arm, Body, Next, Scope, State, Step};
use crate::model::ScopeId;
use crate::source::Spanned;
use std::sync::Arc;

impl Cx<'_> {
    /// Adds the scope of a flow, and lowers its states.
    pub(super) fn flow(
        &mut self,
        flow: &Flow,
        label: String,
        parent: Option<(ScopeId, Arc<str>)>,
        entry: Vec<Step>,
    ) -> ScopeId {
        let id = self.workflow.scopes.push(Scope {
            label,
            parent,
            entry,
            start: flow.states[flow.start].name.clone(),
            states: Vec::new(),
            span: flow.span,
        });
        let scope = std::mem::replace(&mut self.scope, id);
        let names = flow.states.iter().map(|state| state.name.value.clone()).collect();
        let outer = std::mem::replace(&mut self.names, names);
        let mut transitions = flow.states.iter().flat_map(|state| state.transitions());
        let leads_back = transitions.any(|transition| transition.target.index == flow.start);
        for (at, state) in flow.states.iter().enumerate() {
            let is_start = at == flow.start;
            let lowered = self.state(state, is_start, is_start && self.is_top && !leads_back);
            self.workflow.scopes[id].states.push(lowered);
        }
        if let (Some(schedule), false) = (&flow.schedule, self.is_top) {
            self.begin_if_active(flow, schedule, id);
        }
        (self.scope, self.names) = (scope, outer);
        id
    }

    /// Lets a branch or an iteration whose start state is inactive complete at once with its input
    /// ([R17](docs/serverless-workflow.md#r17)). A synthetic state makes the test, because other
    /// states may lead to the start state later.
    fn begin_if_active(&mut self, flow: &Flow, schedule: &Spanned<Schedule>, id: ScopeId) {
        let span = schedule.span;
        let first = flow.states[flow.start].name.clone();
        let name: Arc<str> = format!("{} {}", first.value, id.0).into();
        let name = Spanned { value: name, span };
        let condition = match schedule.value.active {
            Active::Between { from, until } => {
                Expr::call(&IS_BETWEEN, vec![Arg::Int(from.as_microsecond()), Arg::Int(until.as_microsecond())])
            }
            Active::For(time) => Expr::call(&IS_YOUNGER, vec![Arg::Float(time.as_secs_f64())]),
        };
        let begin = Body::to(Next::Goto(first));
        let ends = Body::to(Next::End(Expr::Local(self.data)));
        let arm = Arm { condition, body: begin, span, on_error: false };
        let body = Body::to(Next::Choose { arms: vec![arm], otherwise: Box::new(ends) });
        let input = self.data;
        let state = State { name: name.clone(), comment: None, kind: "", span, input, body, is_synthetic: true };
        let scope = &mut self.workflow.scopes[id];
        scope.states.insert(0, state);
        scope.start = name;
    }
}
