//! Checks that a machine is consistent. They run in debug builds: after each pass, and in a macro
//! after the first pass and the last pass of each stage.

use super::{
    Block, BlockBody, BlockId, Callee, Command, Machine, OnFault, Op, OpKind, ResumePointId, ResumePointKind,
    Terminator,
};
use crate::expr::{Expr, LocalId};
use crate::index::IndexSet;

type Set = IndexSet<LocalId>;

/// A stage of the passes, with what holds of a machine from then on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Every reference has a target, and every handler receives a fault.
    Lowered,
    /// Every local that is read, passed or saved has a value there.
    Live,
    /// Every parameter and every saved local has an identifier. No two that are used have the
    /// same.
    Named,
    /// Every function that calls one which takes the turn takes it, too.
    Marked,
}

impl Machine {
    /// Checks the machine. Returns the first defect, in terms of `dump`.
    pub fn verify(&self, stage: Stage) -> Result<(), String> {
        self.points
            .iter()
            .try_for_each(|point| self.verify_point(&point.kind).map_err(|defect| at(&point.tag, defect)))?;
        for (at, _) in &self.entries {
            self.verify_reference(at.0, self.points.len(), "resume point")?;
        }
        self.verify_reference(self.entry.0, self.points.len(), "resume point")?;
        if let Some((entry, _)) = self.on_timeout {
            self.verify_reference(entry.0, self.entries.len(), "entry")?;
        }
        for map in &self.maps {
            for entry in std::iter::once(&map.entry).chain(&map.selector) {
                self.verify_reference(entry.0, self.entries.len(), "entry").map_err(|defect| at(&map.label, defect))?;
            }
        }
        for block in &self.blocks {
            self.verify_targets(&block.body).map_err(|defect| at(&block.name, defect))?;
        }
        if stage >= Stage::Live {
            let mut set = Set::below(self.locals.len());
            self.verify_payloads(&mut set)?;
            for block in &self.blocks {
                set.reset(0);
                block.params.iter().for_each(|local| set.insert(*local));
                self.verify_reads(&block.body, &mut set).map_err(|defect| at(&block.name, defect))?;
            }
        }
        if stage >= Stage::Named {
            self.verify_names()?;
        }
        if stage >= Stage::Marked { self.verify_turns() } else { Ok(()) }
    }

    fn verify_reference(&self, number: u32, count: usize, what: &str) -> Result<(), String> {
        match (number as usize) < count {
            true => Ok(()),
            false => Err(format!("there is no {what} {number}")),
        }
    }

    fn verify_point(&self, kind: &ResumePointKind) -> Result<(), String> {
        self.verify_reference(kind.block().0, self.blocks.len(), "block")?;
        let children: &[ResumePointId] = match kind {
            ResumePointKind::Fork(_, children) => children,
            ResumePointKind::ForEach { child, .. } => std::slice::from_ref(child),
            ResumePointKind::Enter(_) | ResumePointKind::Resume(_) | ResumePointKind::Elapsed(_) => &[],
        };
        for child in children {
            self.verify_reference(child.0, self.points.len(), "resume point")?;
            if !matches!(self.point(*child).kind, ResumePointKind::Enter(_)) {
                return Err(format!("a frame starts at `{}`, which is not an entry", self.point(*child).tag));
            }
        }
        Ok(())
    }

    /// Checks the blocks, points and retriers that a body refers to.
    fn verify_targets(&self, body: &BlockBody) -> Result<(), String> {
        for op in &body.ops {
            match &op.on_fault {
                Some(OnFault::Call(handler)) => self.verify_handler(Some(*handler))?,
                Some(OnFault::Run(handler)) if handler.handled_fault().is_none() => {
                    return Err("a handler of an operation handles no fault".to_owned());
                }
                Some(OnFault::Run(handler)) => self.verify_targets(handler)?,
                None => {}
            }
        }
        let point = |point: ResumePointId| self.verify_reference(point.0, self.points.len(), "resume point");
        match &body.terminator {
            Terminator::Goto { block, bounce } => {
                self.verify_reference(block.0, self.blocks.len(), "block")?;
                let Some(bounce) = bounce else { return Ok(()) };
                point(*bounce)?;
                match self.point(*bounce).kind {
                    ResumePointKind::Enter(entered) if entered == *block => Ok(()),
                    _ => Err(format!("`{}` does not enter the block of its transition", self.point(*bounce).tag)),
                }
            }
            Terminator::Wait { command, point: after, on_fault, .. } => {
                match command {
                    Command::Call { target: Callee::Entry(entry), .. } => {
                        self.verify_reference(entry.0, self.entries.len(), "entry")?;
                    }
                    Command::Call { target: Callee::Map(map), .. } => {
                        self.verify_reference(map.0, self.maps.len(), "map")?;
                    }
                    _ => {}
                }
                self.verify_handler(*on_fault)?;
                point(*after)
            }
            Terminator::Raise { handler, .. } => self.verify_handler(*handler),
            Terminator::Choose { arms, otherwise, on_fault } => {
                self.verify_handler(*on_fault)?;
                arms.iter().try_for_each(|(_, body)| self.verify_targets(body))?;
                self.verify_targets(otherwise)
            }
            Terminator::Handle { retry, catchers, otherwise, .. } => {
                if let Some((retriers, _, after)) = retry {
                    self.verify_reference(retriers.0, self.retriers.len(), "list of retriers")?;
                    point(*after)?;
                }
                catchers.iter().try_for_each(|(_, body)| self.verify_targets(body))?;
                self.verify_targets(otherwise)
            }
            Terminator::Done(_) | Terminator::Terminate(_) | Terminator::Fail { .. } | Terminator::FailWith(_) => {
                Ok(())
            }
        }
    }

    /// Checks that a block receives a fault.
    fn verify_handler(&self, handler: Option<BlockId>) -> Result<(), String> {
        let Some(handler) = handler else { return Ok(()) };
        self.verify_reference(handler.0, self.blocks.len(), "block")?;
        match self.block(handler).body.handled_fault() {
            Some(_) => Ok(()),
            None => Err(format!("`{}` handles no fault", self.block(handler).name)),
        }
    }

    /// Checks that a resume point saves what its block takes, and what the frames take that it
    /// starts.
    fn verify_payloads(&self, set: &mut Set) -> Result<(), String> {
        let entries = self.entries.iter().copied().chain([(self.entry, self.input)]);
        for (entry, input) in entries {
            set.reset(0);
            set.insert(input);
            let payload = &self.point(entry).payload;
            self.verify_set(payload, set).map_err(|defect| at(&self.point(entry).tag, defect))?;
        }
        for point in &self.points {
            set.reset(0);
            point.payload.iter().for_each(|local| set.insert(*local));
            self.verify_resumption(&point.kind, set).map_err(|defect| at(&point.tag, defect))?;
        }
        Ok(())
    }

    /// Checks what the block and the frames of a resume point take. It saves the locals in `set`.
    fn verify_resumption(&self, kind: &ResumePointKind, set: &mut Set) -> Result<(), String> {
        let block = self.block(kind.block());
        self.verify_set(&block.params, set)?;
        if let Some(op @ Op { kind: OpKind::Receive(_), .. }) = block.body.ops.first() {
            self.verify_raise(op.handler(), set)?;
        }
        match kind {
            ResumePointKind::Fork(_, children) => {
                children.iter().try_for_each(|child| self.verify_set(&self.point(*child).payload, set))
            }
            ResumePointKind::ForEach { child, item, .. } => {
                set.insert(*item);
                self.verify_set(&self.point(*child).payload, set)
            }
            ResumePointKind::Enter(_) | ResumePointKind::Resume(_) | ResumePointKind::Elapsed(_) => Ok(()),
        }
    }

    fn verify_set(&self, needed: &[LocalId], set: &Set) -> Result<(), String> {
        match needed.iter().find(|local| !set.contains(**local)) {
            Some(missing) => Err(format!("`{}` has no value", self.local(*missing).name)),
            None => Ok(()),
        }
    }

    /// Checks the reads of a body, before which the locals in `set` have values. If it finds no
    /// defect, the set is the same afterwards.
    fn verify_reads(&self, body: &BlockBody, set: &mut Set) -> Result<(), String> {
        let before = set.mark();
        for Op { kind, on_fault, .. } in &body.ops {
            self.verify_set(&kind.reads(), set)?;
            // A resume point passes a received fault to its handler.
            if !matches!(kind, OpKind::Receive(_)) {
                self.verify_fault(on_fault.as_ref(), set)?;
            }
            kind.sets().into_iter().for_each(|local| set.insert(local));
        }
        self.verify_reads_at_end(&body.terminator, set)?;
        set.reset(before);
        Ok(())
    }

    fn verify_reads_at_end(&self, terminator: &Terminator, set: &mut Set) -> Result<(), String> {
        let read = |expr: &Expr| self.verify_set(&expr.locals(), set);
        match terminator {
            Terminator::Goto { block, bounce: None } => self.verify_set(&self.block(*block).params, set),
            Terminator::Goto { bounce: Some(point), .. } => self.verify_set(&self.point(*point).payload, set),
            Terminator::Wait { command, point, on_fault, .. } => {
                self.verify_set(&command.locals(), set)?;
                self.verify_raise(*on_fault, set)?;
                self.verify_set(&self.point(*point).payload, set)
            }
            Terminator::Done(output) | Terminator::Terminate(output) | Terminator::FailWith(output) => read(output),
            Terminator::Fail { error, cause } => error.iter().chain(cause).try_for_each(read),
            Terminator::Raise { fault, handler } => {
                self.verify_set(&[*fault], set)?;
                self.verify_raise(*handler, set)
            }
            Terminator::Choose { arms, otherwise, on_fault } => {
                self.verify_raise(*on_fault, set)?;
                arms.iter().try_for_each(|(condition, _)| read(condition))?;
                arms.iter().try_for_each(|(_, body)| self.verify_reads(body, set))?;
                self.verify_reads(otherwise, set)
            }
            Terminator::Handle { fault, retry, catchers, otherwise } => {
                self.verify_set(&[*fault], set)?;
                if let Some((_, counters, point)) = retry {
                    self.verify_set(&[*counters], set)?;
                    self.verify_set(&self.point(*point).payload, set)?;
                }
                catchers.iter().try_for_each(|(_, body)| self.verify_reads(body, set))?;
                self.verify_reads(otherwise, set)
            }
        }
    }

    /// Checks that the handler of an operation gets what it reads.
    fn verify_fault(&self, on_fault: Option<&OnFault>, set: &mut Set) -> Result<(), String> {
        match on_fault {
            None => Ok(()),
            Some(OnFault::Call(handler)) => self.verify_raise(Some(*handler), set),
            Some(OnFault::Run(body)) => {
                let before = set.mark();
                body.handled_fault().into_iter().for_each(|fault| set.insert(fault));
                self.verify_reads(body, set)?;
                set.reset(before);
                Ok(())
            }
        }
    }

    /// Checks that a handler gets what it takes beside the fault.
    fn verify_raise(&self, handler: Option<BlockId>, set: &Set) -> Result<(), String> {
        let Some(handler) = handler else { return Ok(()) };
        let Block { params, body, .. } = self.block(handler);
        let fault = body.handled_fault();
        // The fault is the last parameter, if the handler reads it.
        match params.split_last() {
            Some((last, others)) if Some(*last) == fault => self.verify_set(others, set),
            _ => self.verify_set(params, set),
        }
    }

    /// Checks that the parameters of a function and the payload of a resume point have different
    /// identifiers.
    fn verify_names(&self) -> Result<(), String> {
        let blocks = self.blocks.iter().map(|block| (&block.name, &block.params, &block.names));
        let points = self.points.iter().map(|point| (&point.tag, &point.payload, &point.names));
        let mut used: Vec<&str> = Vec::new();
        for (place, locals, names) in blocks.chain(points) {
            used.clear();
            for local in locals {
                let Some(name) = names.get(local) else {
                    return Err(at(place, format!("`{}` has no identifier", self.local(*local).name)));
                };
                used.extend((name != "_").then_some(&**name));
            }
            used.sort_unstable();
            if let Some(pair) = used.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(at(place, format!("two locals have the identifier `{}`", pair[0])));
            }
        }
        Ok(())
    }

    /// Checks that a block has the turn for the blocks that it calls.
    fn verify_turns(&self) -> Result<(), String> {
        for block in self.blocks.iter().filter(|block| !block.takes_turn) {
            let mut callee = None;
            block.body.walk(&mut |body| {
                callee = callee.or_else(|| body.direct_calls().find(|callee| self.block(*callee).takes_turn));
            });
            if let Some(callee) = callee {
                let defect = format!("`{}` takes the turn, which this block does not have", self.block(callee).name);
                return Err(at(&block.name, defect));
            }
        }
        Ok(())
    }
}

fn at(place: &str, defect: String) -> String {
    format!("{place}: {defect}")
}
