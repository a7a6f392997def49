//! The requests to object stores.

use super::ChildRecord;
use crate::value::{Str, Value};
use workflow_model::ReaderKind;

/// The request for items of a distributed Map.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadItems {
    /// The name of the Map state.
    pub map: Str,
    /// The resource.
    pub kind: ReaderKind,
    /// The evaluated `Parameters` or `Arguments`.
    pub arguments: Value,
    /// The evaluated `ReaderConfig`.
    pub config: Value,
    /// The position of an earlier chunk, or null for the beginning.
    pub position: Value,
    /// The largest number of items.
    pub count: u32,
    /// About the largest number of bytes of JSON text.
    pub bytes: u64,
}

/// The request to write results of a distributed Map.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct WriteResults {
    /// The name of the Map state.
    pub map: Str,
    /// The evaluated `Parameters` or `Arguments`.
    pub arguments: Value,
    /// The evaluated `WriterConfig`.
    pub config: Value,
    /// The name of the Map run, the last part of its ARN.
    pub run: Str,
    /// The ARN of the Map run.
    pub map_run_arn: Str,
    /// The state that the previous request has returned, or null.
    pub state: Value,
    /// The records, in the order of the items.
    pub records: Vec<ChildRecord>,
    /// `true` if the manifest is to be written: there are no more records.
    pub is_last: bool,
    /// `true` for the first request after a redrive, which has no records: the children that had
    /// failed or were pending run again, so that the state is to forget their files. Those that
    /// are written next replace no file.
    pub is_redriven: bool,
}

impl ReadItems {
    /// Creates a request for items from the beginning.
    pub fn new(kind: ReaderKind, arguments: Value, config: Value, count: u32, bytes: u64) -> ReadItems {
        ReadItems { map: Str::default(), kind, arguments, config, position: Value::Null, count, bytes }
    }

    /// Sets the name of the Map state.
    #[must_use]
    pub fn of_map(mut self, map: Str) -> ReadItems {
        self.map = map;
        self
    }

    /// Sets the position of an earlier chunk.
    #[must_use]
    pub fn behind(mut self, position: Value) -> ReadItems {
        self.position = position;
        self
    }
}

impl WriteResults {
    /// Creates a request to write records, which are not the last ones.
    pub fn new(arguments: Value, config: Value, run: Str, map_run_arn: Str, records: Vec<ChildRecord>) -> WriteResults {
        WriteResults {
            map: Str::default(),
            arguments,
            config,
            run,
            map_run_arn,
            state: Value::Null,
            records,
            is_last: false,
            is_redriven: false,
        }
    }

    /// Sets the name of the Map state.
    #[must_use]
    pub fn of_map(mut self, map: Str) -> WriteResults {
        self.map = map;
        self
    }

    /// Sets the state that the previous request has returned.
    #[must_use]
    pub fn after(mut self, state: Value) -> WriteResults {
        self.state = state;
        self
    }

    /// Makes the request the first one after a redrive.
    #[must_use]
    pub fn redriven(mut self, is_redriven: bool) -> WriteResults {
        self.is_redriven = is_redriven;
        self
    }

    /// Makes the records the last ones.
    #[must_use]
    pub fn last(mut self, is_last: bool) -> WriteResults {
        self.is_last = is_last;
        self
    }
}
