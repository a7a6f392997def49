//! Blocks and attempts, whose bodies can run again.

use super::super::env::LocalShapes;
use super::{StateFlow, handles};
use crate::hir::{Block, Label, Try};

/// The number of times that a nested loop is analysed before shapes are widened, and before
/// changing locals are forgotten.
const ROUNDS: usize = 2;
const WIDENED: usize = 5;

impl<'a> StateFlow<'_, 'a> {
    /// Computes the locals at the start of a body that can run again. `run` returns the locals
    /// with which it does. A body that is entered again, by a run of the body around it, starts
    /// where it settled before: the cost of nested bodies does not grow exponentially. The flag
    /// that is returned is `true` if the body ran once, with these locals, as did the bodies
    /// inside of it, and nothing would be reported: its run is not repeated.
    fn settle(
        &mut self,
        label: Label,
        mut entry: LocalShapes,
        run: &mut dyn FnMut(&mut Self, LocalShapes) -> Option<LocalShapes>,
    ) -> (LocalShapes, bool) {
        self.analysis.spend(1 + entry.len());
        if let Some(settled) = self.settled.get(&label) {
            let joined = entry.join(settled);
            if joined == *settled {
                return (joined, false);
            }
            entry = joined;
        }
        let around = std::mem::replace(&mut self.is_settling, true);
        let (is_certain, repeated_rounds) = (self.is_certain, self.repeated_rounds);
        for round in 0.. {
            self.repeated_rounds += usize::from(round == 1);
            self.left.remove(&label);
            let Some(again) = run(self, entry.clone()) else { break };
            let next = match round {
                0..ROUNDS => entry.join(&again),
                ROUNDS..WIDENED => entry.widen(&again),
                _ => entry.forget(&again),
            };
            self.analysis.spend(1 + next.len());
            if next == entry || self.analysis.is_exhausted() {
                break;
            }
            entry = next;
        }
        self.is_settling = around;
        self.settled.insert(label, entry.clone());
        let is_done = self.repeated_rounds == repeated_rounds && (self.analysis.report.is_none() || around);
        if !is_done {
            self.is_certain = is_certain;
            self.left.remove(&label);
        }
        (entry, is_done)
    }

    /// Analyses a block. Returns the locals after it, or `None` if no path continues there.
    pub(super) fn block(&mut self, block: &'a Block, mut env: LocalShapes) -> Option<LocalShapes> {
        if block.repeated.is_some() {
            let is_done;
            (env, is_done) = self.settle(block.label, env, &mut |flow, env| {
                flow.run_block(block, env);
                flow.repeated.remove(&block.label)
            });
            if is_done {
                return self.left.remove(&block.label);
            }
        }
        self.run_block(block, env);
        self.repeated.remove(&block.label);
        self.left.remove(&block.label)
    }

    fn run_block(&mut self, block: &'a Block, env: LocalShapes) {
        self.body(&block.body, env);
        for exit in &block.exits {
            if let Some(env) = self.left.remove(&exit.label) {
                self.body(&exit.body, env);
            }
        }
    }

    /// Analyses an attempt, as [`StateFlow::block`] does for a block.
    pub(super) fn attempt(&mut self, attempt: &'a Try, mut env: LocalShapes) -> Option<LocalShapes> {
        if attempt.is_repeated() {
            let is_done;
            (env, is_done) = self.settle(attempt.label, env, &mut |flow, env| {
                let at_fault = flow.run_attempt(attempt, env);
                let again = flow.repeated.remove(&attempt.label);
                let at_fault = at_fault.filter(|_| attempt.retries.is_some());
                match (again, at_fault) {
                    (Some(again), Some(fault)) => Some(again.join(&fault)),
                    (again, fault) => again.or(fault),
                }
            });
            if is_done {
                return self.left.remove(&attempt.label);
            }
        }
        self.run_attempt(attempt, env);
        self.repeated.remove(&attempt.label);
        self.left.remove(&attempt.label)
    }

    /// Analyses the body and the catchers once. Returns the locals where a fault can occur.
    fn run_attempt(&mut self, attempt: &'a Try, env: LocalShapes) -> Option<LocalShapes> {
        let handles = handles(attempt);
        self.faults.push(None);
        self.handlers += usize::from(handles);
        self.body(&attempt.body, env);
        self.handlers -= usize::from(handles);
        let at_fault = self.faults.pop().flatten();
        if let Some(env) = &at_fault {
            self.fault(env);
        }
        // A run that a catcher continues does not come to the steps after the attempt.
        self.is_certain &= !handles;
        if let Some(env) = &at_fault {
            self.catchers += 1;
            attempt.catchers.iter().for_each(|catcher| self.body(&catcher.body, env.clone()));
            self.catchers -= 1;
        }
        at_fault
    }
}
