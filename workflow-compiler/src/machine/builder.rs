//! Construction of a machine.

use super::{Block, BlockId, Local, Machine, ResumePoint, ResumePointId, RetriersId};
use crate::expr::LocalId;
use crate::index::IndexVec;
use crate::model::Retrier;
use std::collections::BTreeMap;

/// A machine under construction. Blocks refer to each other, so a block is reserved first and
/// defined later.
#[derive(Debug, Default)]
pub struct MachineBuilder {
    locals: IndexVec<LocalId, Local>,
    blocks: IndexVec<BlockId, Option<Block>>,
    points: IndexVec<ResumePointId, ResumePoint>,
    retriers: IndexVec<RetriersId, (String, Vec<Retrier>)>,
    /// The resume points of each authored name.
    namesakes: BTreeMap<String, Vec<ResumePointId>>,
}

impl MachineBuilder {
    /// Creates a machine with these locals.
    pub fn new(locals: IndexVec<LocalId, Local>) -> Self {
        MachineBuilder { locals, ..MachineBuilder::default() }
    }

    /// Reserves a block.
    pub fn reserve(&mut self) -> BlockId {
        self.blocks.push(None)
    }

    /// Defines a reserved block.
    ///
    /// # Panics
    ///
    /// In debug builds, if the block is defined already.
    pub fn define(&mut self, id: BlockId, block: Block) {
        debug_assert!(self.blocks[id].is_none(), "`{}` is defined twice", block.name);
        self.blocks[id] = Some(block);
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

    /// Returns the machine. An execution starts at `entry`, with its input in the local `input`.
    ///
    /// # Panics
    ///
    /// In debug builds, if a reserved block is not defined.
    pub fn finish(mut self, entry: ResumePointId, input: LocalId) -> Machine {
        for points in self.namesakes.values() {
            for (at, point) in (1..).zip(points) {
                self.points[*point].among = (at, points.len() as u32);
            }
        }
        debug_assert!(self.blocks.iter().all(Option::is_some), "a reserved block is not defined");
        Machine {
            locals: self.locals,
            blocks: self.blocks.into_iter().flatten().collect(),
            points: self.points,
            entry,
            input,
            retriers: self.retriers,
            ..Machine::default()
        }
    }
}
