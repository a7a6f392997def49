//! Visitors of the steps, expressions and transitions of a workflow.

use super::{Body, Deadline, Expiry, Next, Spanned, Step, StepKind, Workflow};
use crate::expr::{Arg, Expr};
use crate::model::{EventId, ScopeId, Seconds, Wait};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Workflow {
    /// Calls `visit` with every expression.
    pub fn walk_exprs<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        for scope in &self.scopes {
            scope.entry.iter().for_each(|step| step.exprs().into_iter().for_each(&mut *visit));
            for state in &scope.states {
                state.body.walk_exprs(visit);
            }
        }
    }
}

impl Workflow {
    /// Returns the runtime features of the engines that some expressions need.
    pub fn engines(&self) -> BTreeSet<&'static str> {
        let mut needed = BTreeSet::new();
        self.walk_exprs(&mut |expr| {
            expr.walk(&mut |inner| match inner {
                Expr::Apply(apply) if apply.program.signature().needs_engine => {
                    needed.insert(apply.program.engine_program().feature);
                }
                _ => {}
            });
        });
        needed
    }

    /// Returns `true` if any data is checked against a JSON Schema.
    pub fn has_schemas(&self) -> bool {
        let is_schema = |arg: &Arg| matches!(arg, Arg::Schema(_));
        let mut has = self.input_schema.is_some() || self.output_schema.is_some();
        self.walk_exprs(&mut |expr| {
            expr.walk(&mut |inner| has |= matches!(inner, Expr::Call(call) if call.args.iter().any(is_schema)));
        });
        has
    }

    /// Returns `true` if a state other than the first awaits events of a kind.
    pub fn is_awaited_later(&self, event: EventId) -> bool {
        let first = self.scopes.first().map(|scope| &*scope.start.value);
        let mut found = false;
        let mut visit = |step: &Step| {
            found |= matches!(&step.kind, StepKind::Receive(receive) if receive.events.contains(&event));
        };
        for (scope, at) in self.scopes.iter().zip(0..) {
            scope.entry.iter().for_each(&mut visit);
            let others = scope.states.iter().filter(|state| at != 0 || Some(&*state.name.value) != first);
            others.for_each(|state| state.body.walk_steps(&mut visit));
        }
        found
    }

    /// Returns the longest task time-out in seconds, or `None` if a task has no time-out or only a
    /// computed one.
    pub fn longest_task(&self) -> Option<f64> {
        let mut longest = Some(0.0);
        let mut visit = |step: &Step, deadlines: &[&Deadline]| {
            if let StepKind::Invoke(invoke) = &step.kind {
                let bounds = deadlines.iter().filter(|deadline| matches!(deadline.expiry, Expiry::Fault(_)));
                let own = invoke.timeout.as_ref().and_then(Seconds::fixed);
                let most = bounds.map(|deadline| deadline.seconds).chain(own).reduce(f64::min);
                longest = longest.zip(most).map(|(longest, most): (f64, f64)| longest.max(most));
            }
        };
        let states = self.scopes.iter().flat_map(|scope| &scope.states);
        states.for_each(|state| state.body.walk_steps_within(&mut Vec::new(), &mut visit));
        longest
    }

    /// Returns `true` if a task waits for an outcome by its token.
    pub fn waits_for_tokens(&self) -> bool {
        let mut waits = false;
        self.walk_steps(&mut |step| {
            waits |= matches!(&step.kind, StepKind::Invoke(invoke) if invoke.callback);
        });
        waits
    }

    /// Returns `true` if a state is a distributed Map.
    pub fn has_distributed_maps(&self) -> bool {
        let mut has_maps = false;
        self.walk_steps(&mut |step| has_maps |= matches!(step.kind, StepKind::DistributedMap(_)));
        has_maps
    }

    /// Returns `true` if a distributed Map reads tables of Apache Parquet.
    pub fn reads_parquet(&self) -> bool {
        let mut reads = false;
        self.walk_steps(&mut |step| {
            if let StepKind::DistributedMap(map) = &step.kind {
                reads |= map.input_type() == Some("PARQUET");
            }
        });
        reads
    }

    /// Returns the scopes that select items.
    pub fn item_selections(&self) -> BTreeSet<ScopeId> {
        let mut scopes = BTreeSet::new();
        self.walk_steps(&mut |step| {
            if let StepKind::DistributedMap(map) = &step.kind {
                scopes.extend(map.selection.as_ref().map(|selection| selection.scope));
            }
        });
        scopes
    }

    /// Calls `visit` with every step, including the steps of inner bodies.
    fn walk_steps<'a>(&'a self, visit: &mut dyn FnMut(&'a Step)) {
        for scope in &self.scopes {
            scope.entry.iter().for_each(&mut *visit);
            scope.states.iter().for_each(|state| state.body.walk_steps(visit));
        }
    }
}

impl Body {
    /// Calls `visit` with every step in source order, including the steps of inner bodies.
    pub fn walk_steps<'a>(&'a self, visit: &mut dyn FnMut(&'a Step)) {
        self.walk_steps_within(&mut Vec::new(), &mut |step, _| visit(step));
    }

    /// Calls `visit` with every step in source order, including the steps of inner bodies, and
    /// with the deadlines around the step. `deadlines` are those around this body.
    pub fn walk_steps_within<'a>(
        &'a self,
        deadlines: &mut Vec<&'a Deadline>,
        visit: &mut dyn FnMut(&'a Step, &[&'a Deadline]),
    ) {
        for step in &self.steps {
            visit(step, deadlines);
            let outer = deadlines.len();
            if let StepKind::Deadline(deadline) = &step.kind {
                deadlines.push(deadline);
            }
            step.bodies().into_iter().for_each(|body| body.walk_steps_within(deadlines, visit));
            deadlines.truncate(outer);
        }
        self.next.bodies().into_iter().for_each(|body| body.walk_steps_within(deadlines, visit));
    }

    /// Calls `visit` with every expression.
    pub fn walk_exprs<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        self.walk_steps(&mut |step| step.exprs().into_iter().for_each(&mut *visit));
        for body in self.bodies() {
            match &body.next {
                Next::End(output) | Next::Terminate(output) => visit(output),
                Next::Fail { error, cause } => error.iter().chain(cause).for_each(&mut *visit),
                Next::FailWith(fault) => visit(fault),
                Next::Choose { arms, .. } => arms.iter().for_each(|arm| visit(&arm.condition)),
                Next::Goto(_) | Next::Raise(_) | Next::Leave(_) | Next::Repeat(_) | Next::Retry(_) | Next::Never => {}
            }
        }
    }

    /// Returns the targets of all transitions, in source order.
    pub fn targets<'a>(&'a self) -> Vec<&'a Spanned<Arc<str>>> {
        let target = |body: &'a Body| match &body.next {
            Next::Goto(target) => Some(target),
            _ => None,
        };
        self.bodies().into_iter().filter_map(target).collect()
    }

    /// Returns `true` if the scope can end here, by success or failure.
    pub fn can_end(&self) -> bool {
        let ends =
            |next: &Next| matches!(next, Next::End(_) | Next::Terminate(_) | Next::Fail { .. } | Next::FailWith(_));
        self.bodies().into_iter().any(|body| ends(&body.next))
    }

    /// Returns this body and all bodies inside it. The bodies of catchers come last.
    pub fn bodies(&self) -> Vec<&Body> {
        let mut found = Vec::new();
        self.collect_bodies(&mut found);
        found
    }

    /// Returns `true` if a single path leads through the body: nothing in it chooses or catches,
    /// and there is no block. Retries do not count.
    pub fn is_straight(&self) -> bool {
        let step = |step: &Step| match &step.kind {
            StepKind::Block(_) => false,
            StepKind::Try(attempt) => attempt.catchers.is_empty() && attempt.body.is_straight(),
            StepKind::Deadline(deadline) => deadline.body.is_straight(),
            _ => true,
        };
        self.next.bodies().is_empty() && self.steps.iter().all(step)
    }

    fn collect_bodies<'a>(&'a self, found: &mut Vec<&'a Body>) {
        found.push(self);
        let (mut inner, mut catchers) = (Vec::new(), Vec::new());
        for step in &self.steps {
            let mut bodies = step.bodies();
            // The first body is the attempt.
            if let StepKind::Try(_) = &step.kind {
                catchers.extend(bodies.split_off(1));
            }
            inner.extend(bodies);
        }
        inner.into_iter().chain(self.next.bodies()).chain(catchers).for_each(|body| body.collect_bodies(found));
    }
}

impl Step {
    /// Returns the expressions of this step, without those of nested steps.
    pub fn exprs(&self) -> Vec<&Expr> {
        match &self.kind {
            StepKind::Let { value, .. } | StepKind::Inspect { value, .. } => vec![value],
            StepKind::Assign(values) => values.iter().map(|(_, value)| value).collect(),
            StepKind::Invoke(invoke) => {
                let limits = [&invoke.timeout, &invoke.heartbeat].into_iter().flatten().filter_map(Seconds::expr);
                std::iter::once(&invoke.input).chain(&invoke.credentials).chain(limits).collect()
            }
            StepKind::Wait(Wait::For(time)) => time.expr().into_iter().collect(),
            StepKind::Wait(Wait::Until(time)) => vec![time],
            StepKind::ForEach(each) => {
                let limits = [&each.limit, &each.tolerated_count, &each.tolerated_percentage].into_iter().flatten();
                limits.chain(each.delay.iter().filter_map(Seconds::expr)).collect()
            }
            StepKind::Receive(receive) => receive.collected.iter().collect(),
            StepKind::Publish(publish) => vec![&publish.data],
            StepKind::Call(call) => {
                std::iter::once(&call.input).chain(call.timeout.iter().filter_map(Seconds::expr)).collect()
            }
            StepKind::DistributedMap(map) => vec![&map.settings],
            StepKind::Run(_)
            | StepKind::Block(_)
            | StepKind::Try(_)
            | StepKind::Deadline(_)
            | StepKind::Fork { .. } => Vec::new(),
        }
    }
}

impl StepKind {
    /// Returns `true` if the runtime counts the step among the calls of a state.
    pub fn is_call(&self) -> bool {
        matches!(
            self,
            StepKind::Invoke(_)
                | StepKind::Call(_)
                | StepKind::Publish(_)
                | StepKind::Fork { .. }
                | StepKind::ForEach(_)
                | StepKind::DistributedMap(_)
        )
    }
}
