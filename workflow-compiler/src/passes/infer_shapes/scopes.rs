//! The analysis of scopes: a fixpoint over the states of each.

use super::env::LocalShapes;
use super::flow::StateFlow;
use super::mentions::crossing;
use super::names::WrittenNames;
use super::task_uses::TaskUses;
use super::types::ProgramTypes;
use super::{InferredShapes, ScopeShapes, StateShapes};
use crate::diagnostics::Diagnostic;
use crate::expr::LocalId;
use crate::hir::{OnTimeout, Scope, StepKind, Workflow};
use crate::index::IndexVec;
use crate::model::{Invoke, LocalKind, ScopeId};
use crate::passes::order::{WorkList, postorder};
use crate::shapes::{AnyReason, PathCheck, PathCount, Shape, ValueOrigin};
use std::collections::{BTreeMap, BTreeSet};

/// The most steps of the analysis, for each state and each known local there. Beyond it nothing is
/// claimed.
const MOST_WORK: usize = 4_000_000;
/// The number of joins at a state after which shapes are widened.
const JOINS: u32 = 3;
/// The number of joins at a state after which locals that still change are forgotten.
const WIDENINGS: u32 = 8;
/// The depth of scopes inside each other that is analysed.
const MOST_SCOPES: usize = 64;

/// The analysis of a workflow.
pub struct Analysis<'a> {
    /// The workflow.
    pub workflow: &'a Workflow,
    /// The names that the workflow writes, if names that are read are compared with them.
    pub names: Option<&'a WrittenNames>,
    /// The types of the program.
    types: ProgramTypes,
    /// The locals that carry data from one state to another.
    crossing: IndexVec<LocalId, bool>,
    scopes: IndexVec<ScopeId, Known<'a>>,
    work: usize,
    depth: usize,
    /// The diagnostics, once the shapes are final.
    pub report: Option<Vec<Diagnostic>>,
    /// The number of paths, once the shapes are final.
    pub paths: PathCount,
    /// The paths into values of the program's types, once the shapes are final.
    pub checks: Vec<PathCheck>,
    /// The data of the tasks, once the shapes are final.
    pub tasks: TaskUses,
    /// The outputs of runs that end inside of branches and iterations, once the shapes are final.
    pub terminated: Shape,
    /// `true` if the analysis has left out a scope.
    is_partial: bool,
}

/// The state of the analysis of a scope.
#[derive(Default)]
struct Known<'a> {
    /// The locals before the entry steps.
    entry: Option<LocalShapes>,
    is_active: bool,
    /// `true` if each run enters the scope.
    is_certain: bool,
    /// The states that each run of the scope comes to.
    certain: BTreeSet<usize>,
    states: Vec<Option<LocalShapes>>,
    /// The number of joins at each state.
    joins: Vec<u32>,
    index: BTreeMap<&'a str, usize>,
    output: Option<Shape>,
}

impl<'a> Analysis<'a> {
    /// Creates the analysis of a workflow.
    pub fn new(workflow: &'a Workflow, types: ProgramTypes) -> Analysis<'a> {
        let known = |scope: &'a Scope| Known {
            certain: certain(scope),
            states: vec![None; scope.states.len()],
            joins: vec![0; scope.states.len()],
            index: scope.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect(),
            ..Known::default()
        };
        let scopes: Vec<Known<'a>> = workflow.scopes.iter().map(known).collect();
        let scopes = scopes.into();
        Analysis {
            workflow,
            names: None,
            types,
            crossing: crossing(workflow),
            scopes,
            work: 0,
            depth: 0,
            report: None,
            paths: PathCount::default(),
            checks: Vec::new(),
            tasks: TaskUses::default(),
            terminated: Shape::never(),
            is_partial: false,
        }
    }

    /// Runs the analysis. Returns the shapes and the diagnostics, or `None` if it is abandoned.
    pub fn run(&mut self) -> Option<(InferredShapes, Vec<Diagnostic>)> {
        let mut entry = LocalShapes::default();
        let input = self.input();
        match input.is_unknown() {
            true => entry.forget_for(self.workflow.input, AnyReason::Input),
            false => entry.set(self.workflow.input, input),
        }
        if !self.workflow.scopes.is_empty() {
            self.enter(ScopeId(0), &entry, true);
        }
        if let OnTimeout::Continue { scope, .. } = self.workflow.on_timeout {
            self.enter(scope, &LocalShapes::default(), false);
        }
        if self.is_exhausted() {
            return None;
        }
        self.report = Some(Vec::new());
        let scopes: Vec<ScopeShapes> = self.workflow.scopes.ids().map(|id| self.finish(id)).collect();
        if self.is_exhausted() {
            return None;
        }
        let (checks, tasks) = (std::mem::take(&mut self.checks), std::mem::take(&mut self.tasks));
        let output = self.output();
        let shapes = InferredShapes { scopes: scopes.into(), paths: self.paths, checks, output, tasks };
        Some((shapes, self.report.take().unwrap_or_default()))
    }

    /// Counts the paths of all states, also of those that are never entered, with data of which
    /// nothing is known.
    pub fn count(mut self) -> usize {
        self.report = Some(Vec::new());
        // Each scope is visited once, and not again where it is entered.
        self.depth = MOST_SCOPES;
        for id in self.workflow.scopes.ids() {
            let scope = self.workflow.scope(id);
            StateFlow::new(&mut self, id, None).entry(&scope.entry, LocalShapes::default());
            for (at, state) in scope.states.iter().enumerate() {
                StateFlow::new(&mut self, id, Some(at)).state(state, LocalShapes::default());
            }
        }
        self.paths.all
    }

    /// Returns the shape of the workflow's input. An execution that events start has another one
    /// at first, of which nothing is known.
    fn input(&self) -> Shape {
        let span = self.workflow.span.at_start();
        let object = match self.workflow.input_must_be_object {
            true => Shape::any_object().from_origin(ValueOrigin::new(span, "the input of the workflow")),
            false => Shape::any(),
        };
        match &self.workflow.input_schema {
            Some(schema) if self.workflow.starts_on.is_none() => schema.described().meet(&object),
            None if self.workflow.starts_on.is_none() => self.types.input(self.workflow).unwrap_or(object),
            _ => object,
        }
    }

    /// Returns the shape of the workflow's output.
    fn output(&self) -> Shape {
        if self.is_partial {
            return Shape::any();
        }
        let late = match self.workflow.on_timeout {
            OnTimeout::Continue { scope, .. } => Some(scope),
            _ => None,
        };
        let ends = self.scopes.ids().take(1).chain(late).filter_map(|id| self.scopes[id].output.as_ref());
        ends.fold(self.terminated.clone(), |all, one| all.join(one))
    }

    /// Returns the shape of the result of a task that no schema describes. A type of the program
    /// takes precedence over what the service documents.
    pub fn result(&self, invoke: &Invoke) -> Shape {
        let typed = self.types.result(self.workflow, invoke);
        match self.workflow.tasks.find(invoke.task) {
            Some(task) if typed.is_unknown() => task.shapes.documented.clone(),
            _ => typed,
        }
    }

    /// Counts work. The analysis is abandoned where it is too much.
    pub fn spend(&mut self, work: usize) {
        self.work = self.work.saturating_add(work);
    }

    /// Returns `true` if the analysis is abandoned.
    pub fn is_exhausted(&self) -> bool {
        self.work > MOST_WORK
    }

    /// Returns `true` if each run comes to a state, or to the entry steps of a scope, if no task
    /// fails.
    pub fn is_certain(&self, id: ScopeId, state: Option<usize>) -> bool {
        let known = &self.scopes[id];
        known.is_certain && state.is_none_or(|at| known.certain.contains(&at))
    }

    /// Adds a way into a scope, which each run takes if `is_certain`. Returns the output of the
    /// scope as far as it is known: [`Shape::never`] for a scope that never ends.
    pub fn enter(&mut self, id: ScopeId, env: &LocalShapes, is_certain: bool) -> Shape {
        let known = &mut self.scopes[id];
        known.is_certain |= is_certain;
        if known.is_active || self.depth >= MOST_SCOPES {
            self.is_partial = true;
            return Shape::any();
        }
        let joined = match &known.entry {
            Some(entry) => entry.join(env),
            None => env.clone(),
        };
        if known.entry.as_ref() != Some(&joined) {
            known.entry = Some(joined.clone());
            known.is_active = true;
            self.depth += 1;
            self.settle(id, joined);
            self.depth -= 1;
            self.scopes[id].is_active = false;
        }
        self.scopes[id].output.clone().unwrap_or_else(Shape::never)
    }

    /// Computes the locals at each state of a scope.
    fn settle(&mut self, id: ScopeId, entry: LocalShapes) {
        let scope = self.workflow.scope(id);
        let index = &self.scopes[id].index;
        let targets = scope
            .states
            .iter()
            .map(|state| state.body.targets().into_iter().filter_map(|to| index.get(&*to.value).copied()).collect());
        let next: IndexVec<usize, Vec<usize>> = targets.collect();
        let Some(start) = index.get(&*scope.start.value).copied() else { return };
        let Some(entered) = StateFlow::new(self, id, None).entry(&scope.entry, entry) else { return };
        self.arrive(id, start, entered);
        let mut order = postorder(&next, [start]);
        order.reverse();
        let mut open = WorkList::new(order, &next);
        while let Some(at) = open.next() {
            let Some(env) = self.scopes[id].states[at].clone() else { continue };
            self.spend(1 + env.len());
            if self.is_exhausted() {
                return;
            }
            let mut flow = StateFlow::new(self, id, Some(at));
            flow.state(&scope.states[at], env);
            let (out, ends) = (std::mem::take(&mut flow.out), std::mem::take(&mut flow.ends));
            for (target, env) in out {
                let Some(target) = self.scopes[id].index.get(target).copied() else { continue };
                if self.arrive(id, target, env) {
                    open.open(target);
                }
            }
            let output = &mut self.scopes[id].output;
            for end in ends {
                *output = Some(output.take().map_or(end.clone(), |output| output.join(&end)));
            }
        }
    }

    /// Adds a way to a state. Returns `true` if this changes what is known there.
    fn arrive(&mut self, id: ScopeId, at: usize, mut env: LocalShapes) -> bool {
        env.retain(|local| self.crossing.find(local).copied().unwrap_or(true));
        self.spend(1 + env.len());
        let known = &mut self.scopes[id];
        let Some(before) = &known.states[at] else {
            known.states[at] = Some(env);
            return true;
        };
        let joined = match known.joins[at] {
            0..JOINS => before.join(&env),
            JOINS..WIDENINGS => before.widen(&env),
            _ => before.forget(&env),
        };
        let changed = joined != *before;
        if changed {
            known.joins[at] += 1;
            known.states[at] = Some(joined);
        }
        changed
    }

    /// Reports the diagnostics of a scope. Returns its shapes.
    fn finish(&mut self, id: ScopeId) -> ScopeShapes {
        let scope = self.workflow.scope(id);
        if let Some(entry) = self.scopes[id].entry.clone() {
            StateFlow::new(self, id, None).entry(&scope.entry, entry);
        }
        let states = scope.states.iter().enumerate().map(|(at, state)| {
            let env = self.scopes[id].states[at].clone()?;
            let mut flow = StateFlow::new(self, id, Some(at));
            flow.state(state, env.clone());
            let left = flow.out.iter().map(|(_, env)| env.get(state.input));
            let output = left.chain(flow.ends.iter().cloned()).fold(Shape::never(), |all, one| all.join(&one));
            let known = env.iter().map(|(local, shape)| (self.workflow.local(local), shape));
            let variables = known.filter(|(local, _)| local.kind == LocalKind::Variable);
            let variables = variables.map(|(local, shape)| (local.name.clone(), shape.clone())).collect();
            Some(StateShapes { input: env.get(state.input), output, variables })
        });
        let states = states.collect();
        let output = self.scopes[id].output.clone();
        ScopeShapes { states, output: output.unwrap_or_else(Shape::never) }
    }
}

/// Returns the states that each run of a scope comes to: those from the start to the first that
/// chooses, or that succeeds only if all of its branches or iterations do.
fn certain(scope: &Scope) -> BTreeSet<usize> {
    let index: BTreeMap<&str, usize> = scope.states.iter().map(|state| &*state.name.value).zip(0..).collect();
    let mut certain = BTreeSet::new();
    let mut next = Some(&*scope.start.value);
    while let Some(at) = next.and_then(|name| index.get(name).copied()).filter(|at| certain.insert(*at)) {
        let body = &scope.states[at].body;
        let targets: BTreeSet<&str> = body.targets().into_iter().map(|target| &*target.value).collect();
        let mut has_scopes = false;
        body.walk_steps(&mut |step| {
            use StepKind::{DistributedMap, ForEach, Fork};
            has_scopes |= matches!(step.kind, Fork { .. } | ForEach(_) | DistributedMap(_));
        });
        next = targets.first().copied().filter(|_| targets.len() == 1 && !body.can_end() && !has_scopes);
    }
    certain
}

#[cfg(all(test, feature = "asl"))]
mod tests;
