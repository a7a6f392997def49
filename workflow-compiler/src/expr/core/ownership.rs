//! The decision whether a use of a value moves, borrows or clones it.
//!
//! A first walk finds out what each local holds: a `Value`, or a `&Value` and the locals that it
//! borrows from. A second walk goes from the end to the beginning with the set of locals that are
//! still read, and marks the last uses. A local that is borrowed from counts as read as long as
//! the reference is.

mod tries;

use super::live::LocalSet;
use super::visit::{Mention, Mentions, OperandUse, Part, PartMut};
use super::{
    Atom, Attempt, Computation, CoreArgument, CoreBlock, CoreCall, CoreFunction, CoreLocalId, CoreStatement, CoreType,
    ErrorExit, LabelId, Takes,
};
use crate::expr::Literal;
use crate::index::IndexVec;
use std::collections::BTreeMap;

/// The content of a local.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Holds {
    /// A value of its type.
    Owned,
    /// A reference to a value of these locals, or of the caller.
    Borrowed(LocalSet),
}

/// The result of the pass.
#[derive(Debug, Clone, PartialEq)]
pub struct Ownership {
    /// The content of each local.
    pub holds: IndexVec<CoreLocalId, Holds>,
    /// The mentions of each local.
    pub mentions: IndexVec<CoreLocalId, Mentions>,
    /// The references that are copied where they are bound, because what they borrow from is
    /// changed while they are read.
    pub copied: LocalSet,
}

impl Ownership {
    /// Returns `true` if a local holds a reference.
    pub fn is_borrowed(&self, local: CoreLocalId) -> bool {
        matches!(self.holds[local], Holds::Borrowed(_))
    }
}

/// Marks the last uses of all locals, and decides what each local holds.
///
/// The input is held as a `Value` if the function changes it in place, and as `&Value` otherwise.
pub fn assign(function: &mut CoreFunction) -> Ownership {
    let mentions = function.mentions();
    let mut copied = LocalSet::default();
    // The input counts as owned, until it is known that nothing takes it.
    let mut owns_input = function.params.first().is_some_and(|input| is_taken(&function.body, *input, &mentions));
    loop {
        let mut held = Held::new(function, &mentions, copied, owns_input);
        held.block(&function.body);
        let Held { holds, copied: still_copied, .. } = held;
        let mut marker = Marker {
            holds: &holds,
            mentions: &mentions,
            labels: BTreeMap::new(),
            blocked: LocalSet::default(),
            lent: LocalSet::default(),
        };
        let mut marked = function.body.clone();
        marker.block(&mut marked, LocalSet::default());
        let blocked = marker.blocked;
        copied = still_copied;
        let mut grows = false;
        blocked.iter().for_each(|local| grows |= copied.insert(local));
        if grows {
            continue;
        }
        let input = function.params.first().copied();
        if owns_input && !input.is_some_and(|input| moves(&marked, input, &mentions)) {
            owns_input = false;
            copied = LocalSet::default();
            continue;
        }
        function.body = marked;
        return Ownership { holds, mentions, copied };
    }
}

/// Returns `true` if a local that is changed in place begins as a copy of the input.
fn is_taken(block: &CoreBlock, input: CoreLocalId, mentions: &IndexVec<CoreLocalId, Mentions>) -> bool {
    block.statements.iter().any(|statement| match statement {
        CoreStatement::Let(local, Computation::Atom(Atom::Local(from))) => *from == input && mentions[*local].changes,
        _ => false,
    })
}

/// Returns `true` if such a local takes the input.
fn moves(block: &CoreBlock, input: CoreLocalId, mentions: &IndexVec<CoreLocalId, Mentions>) -> bool {
    block.statements.iter().any(|statement| match statement {
        CoreStatement::Let(local, Computation::Atom(Atom::Last(from))) => *from == input && mentions[*local].changes,
        _ => false,
    })
}

/// The walk that finds out what locals hold.
struct Held<'a> {
    function: &'a CoreFunction,
    mentions: &'a IndexVec<CoreLocalId, Mentions>,
    holds: IndexVec<CoreLocalId, Holds>,
    copied: LocalSet,
}

impl<'a> Held<'a> {
    fn new(
        function: &'a CoreFunction,
        mentions: &'a IndexVec<CoreLocalId, Mentions>,
        copied: LocalSet,
        owns_input: bool,
    ) -> Held<'a> {
        let mut holds = IndexVec::filled_like(&function.locals, Holds::Owned);
        for (position, param) in function.params.iter().enumerate() {
            let is_value = function.locals[*param].ty == CoreType::Value && !function.locals[*param].is_declared;
            if is_value && !(owns_input && position == 0) {
                holds[*param] = Holds::Borrowed(LocalSet::default());
            }
        }
        Held { function, mentions, holds, copied }
    }

    fn hold(&mut self, local: CoreLocalId, holds: Holds) {
        if self.function.locals[local].is_declared {
            return;
        }
        let is_value = matches!(self.function.locals[local].ty, CoreType::Value | CoreType::Items);
        let is_place = self.function.locals[local].ty == CoreType::Place;
        self.holds[local] = match holds {
            Holds::Borrowed(_) if is_place => holds,
            Holds::Borrowed(_) if !is_value || self.copied.has(local) || self.mentions[local].changes => Holds::Owned,
            holds => holds,
        };
    }

    fn block(&mut self, block: &CoreBlock) {
        for statement in &block.statements {
            if let Some(computation) = statement.computation() {
                self.inside(computation);
            }
            match statement {
                CoreStatement::Let(local, computation) => {
                    let holds = self.of(computation);
                    self.hold(*local, holds);
                }
                CoreStatement::For { items, over, body, .. } => {
                    let holds = self.of(over);
                    self.items(items, holds);
                    self.block(body);
                }
                CoreStatement::Loop { body, .. } => self.block(body),
                _ => {}
            }
        }
    }

    /// Holds the items of a loop or a test. The key of an entry is a value of its own.
    fn items(&mut self, items: &[CoreLocalId], holds: Holds) {
        if let Some((last, first)) = items.split_last() {
            self.hold(*last, holds);
            first.iter().for_each(|key| self.hold(*key, Holds::Owned));
        }
    }

    /// Visits the blocks inside a computation.
    fn inside(&mut self, computation: &Computation) {
        match computation {
            Computation::IfPresent { items, of, then, otherwise } => {
                self.inside(of);
                let holds = self.of(of);
                self.items(items, holds);
                self.block(then);
                self.block(otherwise);
            }
            Computation::Call(call) => {
                for (arg, takes) in call.args.iter().zip(call.callee.takes) {
                    if let CoreArgument::Closure(closure) = arg {
                        if matches!(takes, Takes::FallibleClosureOfRef | Takes::OwnedClosure) {
                            let lent = Holds::Borrowed(LocalSet::default());
                            closure.params.iter().for_each(|param| self.holds[*param] = lent.clone());
                        }
                        self.block(&closure.body);
                    }
                }
            }
            _ => computation.parts().into_iter().for_each(|part| match part {
                Part::Block(block) | Part::Closure(block) => self.block(block),
                Part::Inner(inner) => self.inside(inner),
                Part::Operand(_) | Part::Changed(_) => {}
            }),
        }
    }

    /// Returns what the result of a computation is.
    fn of(&self, computation: &Computation) -> Holds {
        match computation {
            Computation::Call(call) if call.callee.borrows => self.of_call(call),
            Computation::If { then, otherwise, .. } => self.of_values(&[], then, otherwise),
            Computation::IfPresent { items, then, otherwise, .. } => self.of_values(items, then, otherwise),
            Computation::Atom(Atom::Local(local)) => match self.function.locals[*local].ty {
                CoreType::Value => Holds::Borrowed(self.borrow(*local)),
                CoreType::Items => self.holds[*local].clone(),
                _ => Holds::Owned,
            },
            Computation::Atom(Atom::Literal(literal)) if is_static(literal) && *literal != Literal::Null => {
                Holds::Borrowed(LocalSet::default())
            }
            _ => Holds::Owned,
        }
    }

    fn of_call(&self, call: &CoreCall) -> Holds {
        let mut bases = LocalSet::default();
        for arg in &call.args {
            match arg {
                // The value of a scalar is a temporary.
                CoreArgument::Atom(Atom::Local(local) | Atom::Last(local))
                    if matches!(self.function.locals[*local].ty, CoreType::Bool | CoreType::Number) =>
                {
                    return Holds::Owned;
                }
                CoreArgument::Atom(Atom::Local(local) | Atom::Last(local)) | CoreArgument::Changed(local) => {
                    bases.extend(&self.borrow(*local));
                }
                // Other constants are temporaries.
                CoreArgument::Atom(Atom::Literal(literal)) if !is_static(literal) => return Holds::Owned,
                CoreArgument::Atom(Atom::Constant(_)) => return Holds::Owned,
                _ => {}
            }
        }
        Holds::Borrowed(bases)
    }

    /// Returns what a reference to a local borrows from.
    fn borrow(&self, local: CoreLocalId) -> LocalSet {
        match &self.holds[local] {
            Holds::Borrowed(bases) => {
                let mut bases = bases.clone();
                bases.insert(local);
                bases
            }
            Holds::Owned => {
                let mut bases = LocalSet::default();
                bases.insert(local);
                bases
            }
        }
    }

    /// Returns what the value of one of two blocks is. `items` are bound for the first.
    fn of_values(&self, items: &[CoreLocalId], then: &CoreBlock, otherwise: &CoreBlock) -> Holds {
        match (self.of_value(items, then), self.of_value(&[], otherwise)) {
            (Some(mut bases), Some(others)) => {
                bases.extend(&others);
                Holds::Borrowed(bases)
            }
            _ => Holds::Owned,
        }
    }

    /// Returns what the value of a block borrows from, if it can be a reference after the block.
    fn of_value(&self, items: &[CoreLocalId], block: &CoreBlock) -> Option<LocalSet> {
        match &block.value {
            Some(Atom::Literal(literal)) if is_static(literal) => Some(LocalSet::default()),
            Some(Atom::Local(local)) if self.function.locals[*local].ty == CoreType::Value => {
                let mut bound = LocalSet::default();
                items.iter().for_each(|item| {
                    bound.insert(*item);
                });
                block.visit(&mut |mention| {
                    if let Mention::Bound(local) = mention {
                        bound.insert(local);
                    }
                });
                let bases = self.borrow(*local);
                let ends = |base: CoreLocalId| bound.has(base) && self.holds[base] == Holds::Owned;
                let ends = bases.iter().any(ends);
                (!ends).then_some(bases)
            }
            // The end of a block that jumps away is never reached.
            None if block.jumps() => Some(LocalSet::default()),
            _ => None,
        }
    }
}

/// Returns `true` if a constant is stored in a `static`.
pub(super) fn is_static(literal: &Literal) -> bool {
    matches!(literal, Literal::Null | Literal::Array(_) | Literal::Object(_))
}

/// The walk from the end to the beginning.
struct Marker<'a> {
    holds: &'a IndexVec<CoreLocalId, Holds>,
    mentions: &'a IndexVec<CoreLocalId, Mentions>,
    /// The locals that are read after a jump to each label.
    labels: BTreeMap<LabelId, Jump>,
    /// The locals that the iterators of the enclosing loops borrow from.
    lent: LocalSet,
    /// References that keep a local from being taken, which is then changed in place.
    blocked: LocalSet,
}

/// The locals that are read after a jump.
struct Jump {
    after_break: LocalSet,
    after_continue: LocalSet,
}

impl Marker<'_> {
    /// Marks the last uses in a block. `live` has the locals that are read after it. Returns those
    /// that are read from its beginning.
    fn block(&mut self, block: &mut CoreBlock, mut live: LocalSet) -> LocalSet {
        if let Some(value) = &mut block.value {
            self.consume(value, &mut live);
        }
        for statement in block.statements.iter_mut().rev() {
            live = self.statement(statement, live);
        }
        live
    }

    fn statement(&mut self, statement: &mut CoreStatement, mut live: LocalSet) -> LocalSet {
        match statement {
            CoreStatement::Let(local, computation) => {
                live.remove(*local);
                if let Computation::Atom(Atom::Local(from)) = computation
                    && self.mentions[*local].changes
                {
                    self.block_references(*from, &live);
                }
                self.computation(computation, live)
            }
            CoreStatement::Assign(local, computation) => {
                self.block_references_into(*local, &live);
                live.remove(*local);
                self.computation(computation, live)
            }
            CoreStatement::Do(computation) => self.computation(computation, live),
            CoreStatement::Store(place, value) => {
                self.read(*place, &mut live);
                self.consume(value, &mut live);
                live
            }
            CoreStatement::Decrement(local) => {
                self.read(*local, &mut live);
                live
            }
            CoreStatement::Break(label, value) => {
                let mut live = self.labels.get(label).map_or(live, |jump| jump.after_break.clone());
                if let Some(value) = value {
                    self.consume(value, &mut live);
                }
                live
            }
            CoreStatement::Return(value) | CoreStatement::Fail(value) => {
                let mut live = LocalSet::default();
                self.consume(value, &mut live);
                live
            }
            CoreStatement::Continue(label) => self.labels.get(label).map_or(live, |jump| jump.after_continue.clone()),
            CoreStatement::For { label, items, over, body } => {
                // An iterator borrows until the loop is left, also by a jump.
                let outside = self.lent.clone();
                self.lent.extend(&self.lenders(over));
                let head = self.repeat(*label, items, body, live.clone(), live);
                self.lent = outside;
                self.computation(over, head)
            }
            CoreStatement::Loop { label, body } => self.repeat(*label, &[], body, live, LocalSet::default()),
        }
    }

    /// Returns the locals that an iterator borrows from.
    fn lenders(&self, over: &Computation) -> LocalSet {
        let mut lenders = LocalSet::default();
        match over {
            Computation::Call(call) if call.callee.borrows => {
                for part in over.parts() {
                    if let Part::Operand(atom) = part
                        && let Some(local) = atom.local()
                    {
                        self.read(local, &mut lenders);
                    }
                }
            }
            Computation::Atom(Atom::Local(local) | Atom::Last(local)) => self.read(*local, &mut lenders),
            _ => {}
        }
        lenders
    }

    /// Marks the last uses in the body of a loop. The next turn reads the same locals from outside
    /// as this one.
    fn repeat(
        &mut self,
        label: LabelId,
        items: &[CoreLocalId],
        body: &mut CoreBlock,
        after: LocalSet,
        at_end: LocalSet,
    ) -> LocalSet {
        let mut head = at_end;
        head.extend(&self.outer_reads(body));
        items.iter().for_each(|item| head.remove(*item));
        self.labels.insert(label, Jump { after_break: after, after_continue: head.clone() });
        let mut first = self.block(body, head.clone());
        items.iter().for_each(|item| first.remove(*item));
        head.extend(&first);
        head
    }

    /// Returns the locals that a block reads and does not bind, with what they borrow from.
    fn outer_reads(&self, block: &CoreBlock) -> LocalSet {
        let (mut reads, mut bound) = (LocalSet::default(), LocalSet::default());
        block.visit(&mut |mention| match mention {
            Mention::Read(local) => self.read(local, &mut reads),
            Mention::Bound(local) => {
                bound.insert(local);
            }
            Mention::Changed(_) => {}
        });
        bound.iter().for_each(|local| reads.remove(local));
        reads
    }

    fn computation(&mut self, computation: &mut Computation, live: LocalSet) -> LocalSet {
        match computation {
            Computation::Call(call) => self.call(call, live),
            Computation::Logic { left, right, .. } => {
                let mut before = self.block(right, live.clone());
                before.extend(&live);
                self.use_atom(left, &mut before);
                before
            }
            Computation::If { test, then, otherwise } => {
                let mut before = self.block(then, live.clone());
                before.extend(&self.block(otherwise, live));
                self.use_atom(test, &mut before);
                before
            }
            Computation::IfPresent { items, of, then, otherwise } => {
                let mut before = self.block(then, live.clone());
                items.iter().for_each(|item| before.remove(*item));
                before.extend(&self.block(otherwise, live));
                self.computation(of, before)
            }
            Computation::Labelled(label, body) => {
                self.labels.insert(*label, Jump { after_break: live.clone(), after_continue: live.clone() });
                self.block(body, live)
            }
            Computation::Attempt(attempt) => {
                let Attempt { label, body, error, handler } = &mut **attempt;
                let mut handled = self.block(handler, live.clone());
                handled.remove(*error);
                // The handler is code behind the block, so the body takes nothing that it reads,
                // also where no error follows.
                let mut after = live;
                after.extend(&handled);
                self.labels.insert(*label, Jump { after_break: handled.clone(), after_continue: handled });
                self.block(body, after)
            }
            Computation::Try(inner) => self.try_closure(inner, live),
            Computation::Not(atom) => {
                let mut live = live;
                self.use_atom(atom, &mut live);
                live
            }
            Computation::Atom(_)
            | Computation::Array(_)
            | Computation::List(_)
            | Computation::Texts(_)
            | Computation::Object(_)
            | Computation::Maybe(_) => {
                let mut live = live;
                let counts = computation.reads();
                for part in computation.parts_mut().into_iter().rev() {
                    match part {
                        PartMut::Operand(atom, OperandUse::Consumed) => self.consume_once(atom, &counts, &mut live),
                        PartMut::Operand(atom, OperandUse::Read) => self.use_atom(atom, &mut live),
                        _ => {}
                    }
                }
                live
            }
        }
    }

    fn call(&mut self, call: &mut CoreCall, mut live: LocalSet) -> LocalSet {
        if let (true, ErrorExit::Attempt(label)) = (call.callee.fails, call.on_error)
            && let Some(jump) = self.labels.get(&label)
        {
            live.extend(&jump.after_break);
        }
        let mut computation = Computation::Call(call.clone());
        let counts = computation.reads();
        self.read_captured(call, &mut live);
        // A closure is called any number of times, and borrows what it reads.
        let closures = computation.parts().into_iter().filter_map(|part| match part {
            Part::Closure(block) => Some(self.outer_reads(block)),
            _ => None,
        });
        let mut closures: Vec<LocalSet> = closures.collect();
        closures.iter().for_each(|outer| live.extend(outer));
        for part in computation.parts_mut().into_iter().rev() {
            match part {
                PartMut::Operand(atom, OperandUse::Consumed) => self.consume_once(atom, &counts, &mut live),
                PartMut::Operand(atom, OperandUse::Read) => self.use_atom(atom, &mut live),
                PartMut::Changed(local) => self.read(*local, &mut live),
                PartMut::Closure(block) => {
                    let after = closures.pop().unwrap_or_default();
                    let outside = self.lent.clone();
                    self.lent.extend(&after);
                    self.block(block, after);
                    self.lent = outside;
                }
                PartMut::Inner(_) | PartMut::Block(_) => {}
            }
        }
        if let Computation::Call(marked) = computation {
            *call = marked;
        }
        live
    }

    /// Marks a use that takes the value, unless the computation reads the local elsewhere as well.
    fn consume_once(&mut self, atom: &mut Atom, counts: &BTreeMap<CoreLocalId, usize>, live: &mut LocalSet) {
        match atom.local() {
            Some(local) if counts.get(&local).is_some_and(|count| *count > 1) => self.read(local, live),
            _ => self.consume(atom, live),
        }
    }

    fn consume(&mut self, atom: &mut Atom, live: &mut LocalSet) {
        if let Atom::Local(local) = *atom {
            if !live.has(local) && !self.lent.has(local) && self.holds[local] == Holds::Owned {
                *atom = Atom::Last(local);
            }
            self.read(local, live);
        }
    }

    fn use_atom(&mut self, atom: &mut Atom, live: &mut LocalSet) {
        if let Some(local) = atom.local() {
            self.read(local, live);
        }
    }

    /// Counts a local as read, and with it what it borrows from.
    fn read(&self, local: CoreLocalId, live: &mut LocalSet) {
        live.insert(local);
        if let Holds::Borrowed(bases) = &self.holds[local] {
            live.extend(bases);
        }
    }

    /// Notes the references that are read later and keep a local from being taken.
    fn block_references(&mut self, from: CoreLocalId, live: &LocalSet) {
        if self.holds[from] != Holds::Owned || !live.has(from) || self.lent.has(from) {
            return;
        }
        for local in live.iter() {
            if let Holds::Borrowed(bases) = &self.holds[local]
                && bases.has(from)
            {
                self.blocked.insert(local);
            }
        }
    }
}

impl Computation {
    /// Counts the mentions of each local inside the computation, those in closures twice.
    fn reads(&self) -> BTreeMap<CoreLocalId, usize> {
        let mut counts = BTreeMap::new();
        for part in self.parts() {
            match part {
                Part::Operand(atom) => {
                    if let Some(local) = atom.local() {
                        *counts.entry(local).or_default() += 1;
                    }
                }
                Part::Changed(local) => *counts.entry(local).or_default() += 1,
                Part::Closure(block) => block.visit(&mut |mention| {
                    if let Mention::Read(local) = mention {
                        *counts.entry(local).or_default() += 2;
                    }
                }),
                Part::Inner(_) | Part::Block(_) => {}
            }
        }
        counts
    }
}
