//! Common subexpressions: a call that repeats an earlier one reads its result.
//!
//! ```text
//! let total = jq::get(order, "total")?          let total = jq::get(order, "total")?
//! let is_large = jq::gt(total, 10)              let is_large = jq::gt(total, 10)
//! let total_2 = jq::get(order, "total")?    =>
//! let is_small = jq::lt(total_2, 20)            let is_small = jq::lt(total, 20)
//! ```
//!
//! The earlier call stands in the same block or in one around it, so that it has succeeded where
//! the later one is reached. Between the two, nothing changes an operand or a value that an
//! operand refers to. No call is moved. A result is shared only if this adds no clone.

mod calls;
mod uses;

use super::visit::{Mention, Mentions, PartMut};
use super::{
    Atom, Computation, CoreArgument, CoreBlock, CoreCall, CoreFunction, CoreLocal, CoreLocalId, CoreStatement,
    CoreType, Takes,
};
use crate::index::IndexVec;
use calls::{is_same, operand};
use std::collections::BTreeMap;
use uses::Uses;

impl CoreFunction {
    /// Replaces the results of repeated calls by those of the first ones.
    pub fn share(&mut self) {
        let mentions = self.mentions();
        let uses = Uses::of(self, &mentions);
        let mut may_change = IndexVec::filled_like(&self.locals, false);
        for (local, may_change) in may_change.entries_mut() {
            *may_change = mentions[local].changes || self.locals[local].ty == CoreType::Place;
        }
        uses.sources.values().for_each(|source| may_change[*source] = true);
        let mut sharer = Sharer {
            locals: &self.locals,
            mentions: &mentions,
            uses,
            may_change,
            roots: IndexVec::filled_like(&self.locals, Vec::new()),
            changed_at: IndexVec::filled_like(&self.locals, 0),
            time: 0,
            replaced: IndexVec::filled_like(&self.locals, None),
            known: BTreeMap::new(),
            order: Vec::new(),
        };
        sharer.block(&mut self.body);
    }
}

/// A call whose result later calls can read.
struct Known {
    result: CoreLocalId,
    call: CoreCall,
    /// The time of the call.
    made: u32,
}

struct Sharer<'a> {
    locals: &'a IndexVec<CoreLocalId, CoreLocal>,
    mentions: &'a IndexVec<CoreLocalId, Mentions>,
    uses: Uses,
    /// `true` for a local that changes, is a place, or is the source of a copy that changes.
    may_change: IndexVec<CoreLocalId, bool>,
    /// For each local, the locals that change and that its value may refer to, with itself if it
    /// changes.
    roots: IndexVec<CoreLocalId, Vec<CoreLocalId>>,
    /// The time of the last change of each local.
    changed_at: IndexVec<CoreLocalId, u32>,
    /// The number of changes so far.
    time: u32,
    /// The locals that are read instead of others.
    replaced: IndexVec<CoreLocalId, Option<CoreLocalId>>,
    /// The calls in the enclosing blocks, by their first local.
    known: BTreeMap<CoreLocalId, Vec<Known>>,
    /// The keys of these calls, in the order of the calls.
    order: Vec<CoreLocalId>,
}

impl Sharer<'_> {
    fn block(&mut self, block: &mut CoreBlock) {
        let outside = self.order.len();
        block.statements.retain_mut(|statement| self.statement(statement));
        if let Some(value) = &mut block.value {
            self.operand(value);
        }
        self.forget(outside);
    }

    /// Forgets the calls of a block at its end.
    fn forget(&mut self, outside: usize) {
        while self.order.len() > outside
            && let Some(key) = self.order.pop()
        {
            self.known.entry(key).and_modify(|calls| _ = calls.pop());
        }
    }

    /// Returns `false` for a statement whose result is that of an earlier one.
    fn statement(&mut self, statement: &mut CoreStatement) -> bool {
        if let Some(computation) = statement.computation_mut() {
            self.computation(computation);
        }
        if let Some(atom) = statement.operand_mut() {
            self.operand(atom);
        }
        match statement {
            CoreStatement::Let(local, computation) => {
                self.lead(&[*local], computation);
                if let Some(from) = self.uses.sources.get(local).copied() {
                    self.change(from);
                }
                if let Computation::Call(call) = computation
                    && self.takes_part(*local, call)
                {
                    return !self.repeats(*local, call);
                }
            }
            CoreStatement::Assign(local, computation) => {
                self.lead(&[*local], computation);
                self.change(*local);
            }
            CoreStatement::Store(local, _) | CoreStatement::Decrement(local) => self.change(*local),
            CoreStatement::For { items, over, .. } => self.lead(items, over),
            _ => {}
        }
        if let Some(body) = statement.body_mut() {
            // A change in one pass of the loop counts for the next pass, too.
            self.changes_in(body);
            self.block(body);
        }
        true
    }

    fn computation(&mut self, computation: &mut Computation) {
        if let Computation::IfPresent { items, of, .. } = computation {
            self.lead(items, of);
        }
        self.lead_parameters(computation);
        if let Computation::Call(call) = computation {
            self.captures(call);
        }
        let is_owned = matches!(computation, Computation::Call(call)
            if call.callee.takes.contains(&Takes::OwnedClosure));
        for part in computation.parts_mut() {
            match part {
                PartMut::Operand(atom, _) => self.operand(atom),
                PartMut::Changed(local) => self.change(*local),
                PartMut::Inner(inner) => self.computation(inner),
                PartMut::Block(block) => self.block(block),
                // Such a closure reads only the copies that it owns.
                PartMut::Closure(block) if is_owned => {
                    let outside = (std::mem::take(&mut self.known), std::mem::take(&mut self.order));
                    self.block(block);
                    (self.known, self.order) = outside;
                }
                PartMut::Closure(block) => {
                    self.changes_in(block);
                    self.block(block);
                }
            }
        }
    }

    /// Replaces the locals that closures copy.
    fn captures(&self, call: &mut CoreCall) {
        for arg in &mut call.args {
            if let CoreArgument::Closure(closure) = arg {
                closure.captures.iter_mut().for_each(|(_, outer)| *outer = self.replaced[*outer].unwrap_or(*outer));
            }
        }
    }

    /// Replaces an operand. A place may be changed where it is mentioned.
    fn operand(&mut self, atom: &mut Atom) {
        if let Atom::Local(local) = atom {
            *local = self.replaced[*local].unwrap_or(*local);
            if self.locals[*local].ty == CoreType::Place {
                self.change(*local);
            }
        }
    }

    /// Notes the change of a local, and of what a place leads to.
    fn change(&mut self, local: CoreLocalId) {
        self.time += 1;
        self.changed_at[local] = self.time;
        if self.locals[local].ty == CoreType::Place {
            for root in &self.roots[local] {
                self.changed_at[*root] = self.time;
            }
        }
    }

    /// Notes all changes in a block that may run several times.
    fn changes_in(&mut self, block: &CoreBlock) {
        let mut changed = Vec::new();
        block.visit(&mut |mention| match mention {
            Mention::Changed(local) => changed.push(local),
            Mention::Read(local) if self.locals[local].ty == CoreType::Place => changed.push(local),
            Mention::Read(_) => {}
            Mention::Bound(local) => changed.extend(self.uses.sources.get(&local)),
        });
        changed.into_iter().for_each(|local| self.change(local));
    }

    /// Notes what locals lead to that are bound to a computation.
    fn lead(&mut self, locals: &[CoreLocalId], computation: &Computation) {
        let leads = match computation {
            Computation::Call(call) => call.callee.borrows,
            Computation::Atom(_)
            | Computation::If { .. }
            | Computation::IfPresent { .. }
            | Computation::Labelled(..)
            | Computation::Attempt(_) => true,
            _ => false,
        };
        let mut roots = if leads { self.roots_of(computation) } else { Vec::new() };
        roots.extend(locals.iter().filter(|local| self.may_change[**local]));
        if !roots.is_empty() {
            locals.iter().for_each(|local| self.roots[*local].clone_from(&roots));
        }
    }

    /// Notes that the parameters of closures lead to what the function takes.
    fn lead_parameters(&mut self, computation: &Computation) {
        let Computation::Call(call) = computation else { return };
        for arg in &call.args {
            if let CoreArgument::Closure(closure) = arg {
                let roots = self.roots_of(computation);
                closure.params.iter().for_each(|param| self.roots[*param].clone_from(&roots));
            }
        }
    }

    /// Returns the locals whose changes a computation may show.
    fn roots_of(&self, computation: &Computation) -> Vec<CoreLocalId> {
        let mut roots = Vec::new();
        computation.visit(&mut |mention| {
            if let Mention::Read(local) = mention {
                roots.extend(self.may_change[local].then_some(local));
                roots.extend(&self.roots[local]);
            }
        });
        roots.sort_unstable();
        roots.dedup();
        roots
    }

    /// Finds the call that this one repeats, whose result is read from now on. If there is none,
    /// later calls can repeat this one.
    fn repeats(&mut self, result: CoreLocalId, call: &CoreCall) -> bool {
        let mut operands = call.args.iter().filter_map(operand);
        let Some(key) = operands.next() else { return false };
        let calls = self.known.get(&key).map_or(&[][..], Vec::as_slice);
        let earlier = calls.iter().rev().find(|known| is_same(&known.call, call) && self.is_current(known));
        match earlier.map(|known| known.result) {
            Some(earlier) if self.costs_nothing(earlier, result, call) => {
                self.replaced[result] = Some(earlier);
                true
            }
            _ => {
                self.known.entry(key).or_default().push(Known { result, call: call.clone(), made: self.time });
                self.order.push(key);
                false
            }
        }
    }

    /// Returns `true` if nothing has changed since a call.
    fn is_current(&self, known: &Known) -> bool {
        known.call.args.iter().filter_map(operand).all(|local| {
            let is_before = |local: &CoreLocalId| self.changed_at[*local] <= known.made;
            is_before(&local) && self.roots[local].iter().all(is_before)
        })
    }
}
