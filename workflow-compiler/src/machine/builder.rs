//! Construction of a machine.

use super::{Block, BlockId, EntryId, Local, Machine, MapId, MapRow, ResumePoint, ResumePointId, RetriersId};
use crate::expr::LocalId;
use crate::index::IndexVec;
use crate::model::{Retrier, ScriptId};
use crate::names::NameScope;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A machine under construction. Blocks refer to each other, so a block is reserved first and
/// defined later.
#[derive(Debug)]
pub struct MachineBuilder {
    locals: IndexVec<LocalId, Local>,
    blocks: IndexVec<BlockId, Option<Block>>,
    points: IndexVec<ResumePointId, ResumePoint>,
    retriers: IndexVec<RetriersId, (String, Vec<Retrier>)>,
    /// The resume points of each authored name.
    namesakes: BTreeMap<String, Vec<ResumePointId>>,
}

/// A block that is reserved and not yet defined. [`MachineBuilder::define`] consumes it, so that
/// no block is defined twice.
#[derive(Debug)]
#[must_use = "a reserved block must be defined"]
pub struct ReservedBlock(BlockId);

impl ReservedBlock {
    /// Returns the index by which other blocks refer to the block.
    pub fn id(&self) -> BlockId {
        self.0
    }
}

/// The parts of a machine that are known once all blocks are.
#[derive(Debug)]
pub struct Interface {
    /// The resume point at which an execution starts.
    pub entry: ResumePointId,
    /// The local that holds its input.
    pub input: LocalId,
    /// The scopes that run as executions of their own, as in [`Machine::entries`].
    pub entries: IndexVec<EntryId, (ResumePointId, LocalId)>,
    /// The distributed Maps.
    pub maps: IndexVec<MapId, MapRow>,
    /// The continuation after the execution time-out, as in [`Machine::on_timeout`].
    pub on_timeout: Option<(EntryId, LocalId)>,
    /// The function names of scripts.
    pub scripts: IndexVec<ScriptId, String>,
    /// `true` if any expression reads the context object.
    pub context: bool,
}

impl MachineBuilder {
    /// Creates a machine with these locals.
    pub fn new(locals: IndexVec<LocalId, Local>) -> Self {
        MachineBuilder {
            locals,
            blocks: IndexVec::new(),
            points: IndexVec::new(),
            retriers: IndexVec::new(),
            namesakes: BTreeMap::new(),
        }
    }

    /// Reserves a block.
    pub fn reserve(&mut self) -> ReservedBlock {
        ReservedBlock(self.blocks.push(None))
    }

    /// Defines a reserved block.
    pub fn define(&mut self, reserved: ReservedBlock, block: Block) {
        self.blocks[reserved.0] = Some(block);
    }

    /// Adds a resume point with an authored name.
    pub fn add_point(&mut self, authored: &str, point: ResumePoint) -> ResumePointId {
        let id = self.points.push(point);
        self.namesakes.entry(authored.to_owned()).or_default().push(id);
        id
    }

    /// Adds a list of retriers with the name of its constant.
    pub fn add_retriers(&mut self, name: String, retriers: Vec<Retrier>) -> RetriersId {
        self.retriers.push((name, retriers))
    }

    /// Returns the machine.
    ///
    /// # Panics
    ///
    /// If a reserved block is not defined, which is a defect of the caller.
    pub fn finish(mut self, interface: Interface) -> Machine {
        for points in self.namesakes.values() {
            for (at, point) in (1..).zip(points) {
                self.points[*point].among = (at, points.len() as u32);
            }
        }
        let blocks: Option<IndexVec<BlockId, Block>> = self.blocks.into_iter().collect();
        let Interface { entry, input, entries, maps, on_timeout, scripts, context } = interface;
        Machine {
            locals: self.locals,
            blocks: blocks.expect("each reserved block is defined"),
            points: self.points,
            entry,
            input,
            retriers: self.retriers,
            scripts,
            programs: Vec::new(),
            constants: Arc::new(NameScope::default()),
            context,
            entries,
            maps,
            on_timeout,
        }
    }
}
