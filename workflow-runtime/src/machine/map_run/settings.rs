//! The settings of a run, as the Map state hands them over.

use crate::fault::{Fault, names};
use crate::objects::Transformation;
use crate::value::{DOCUMENT_LIMIT, Object, Value};

/// The largest number of children at once, as AWS has it.
pub(super) const MAX_CONCURRENCY: u64 = 10_000;

/// The settings of a run.
#[derive(Debug)]
pub(super) struct Settings {
    /// The input of the run, for snapshots.
    pub all: Value,
    /// The items, if there is no reader.
    pub items: Value,
    /// The arguments of the reader, and its configuration.
    pub reader: Value,
    pub config: Value,
    pub batcher: Option<Batcher>,
    /// The largest number of children at once.
    pub concurrency: u64,
    pub limits: Tolerance,
    /// The values that the selector needs.
    pub scope: Value,
    pub writer: ResultDestination,
}

/// The batches of items that children receive.
#[derive(Debug)]
pub(super) struct Batcher {
    /// The member `BatchInput`.
    pub input: Option<Value>,
    /// The largest number of items.
    pub items: u64,
    /// The largest number of bytes of the whole input.
    pub bytes: u64,
}

/// The failures that a run tolerates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Tolerance {
    count: Option<f64>,
    percentage: Option<f64>,
}

/// The place and the form of the results.
#[derive(Debug)]
pub(super) struct ResultDestination {
    /// The arguments, if the results are written to an object store.
    pub arguments: Option<Value>,
    pub config: Value,
    pub transformation: Transformation,
}

impl Settings {
    /// Reads the settings. Missing members have their defaults. The code of the Map state has
    /// checked all members.
    pub fn new(all: Value) -> Settings {
        let none = Object::new();
        let members = all.as_object().unwrap_or(&none);
        let value = |name: &str| members.get(name).cloned().unwrap_or_default();
        let number = |name: &str| members.get(name).and_then(Value::as_f64);
        let concurrency = members.get("concurrency").and_then(count).filter(|most| *most > 0);
        Settings {
            items: value("items"),
            reader: value("reader"),
            config: value("config"),
            batcher: members.get("batcher").and_then(Value::as_object).map(Batcher::new),
            concurrency: concurrency.map_or(MAX_CONCURRENCY, |most| most.min(MAX_CONCURRENCY)),
            limits: Tolerance {
                count: number("tolerated_count").filter(|count| *count > 0.0),
                percentage: number("tolerated_percentage").filter(|percentage| *percentage > 0.0),
            },
            scope: value("scope"),
            writer: ResultDestination::new(members.get("writer").and_then(Value::as_object).unwrap_or(&none)),
            all,
        }
    }
}

/// Returns the fault of a Map that does not tolerate its failures.
pub(super) fn exceeded() -> Fault {
    let cause = "The specified tolerated failure threshold was exceeded";
    Fault::named(names::EXCEED_TOLERATED_FAILURE_THRESHOLD, cause)
}

/// Returns the fault of a Map with these settings of whose items this many have failed, if it does
/// not tolerate them. A Map whose settings limit no failures tolerates any number, as AWS's
/// TestState has it: the result of such a test is that of a Map that has succeeded. The outer
/// `None` says that it depends on the number of all items, which is not known.
#[cfg(feature = "testing")]
pub(crate) fn fault_of_failures(settings: &Value, failed: u64, total: Option<u64>) -> Option<Option<Fault>> {
    let limits = Settings::new(settings.clone()).limits;
    let is_limited = limits.count.is_some() || limits.percentage.is_some();
    let is_exceeded = is_limited && limits.is_exceeded(failed, total)?;
    Some(is_exceeded.then(exceeded))
}

/// Returns a whole number that is not negative.
fn count(value: &Value) -> Option<u64> {
    value.as_i64().and_then(|count| u64::try_from(count).ok())
}

impl Batcher {
    fn new(members: &Object) -> Batcher {
        let most = |name: &str| members.get(name).and_then(count).filter(|most| *most > 0);
        Batcher {
            input: members.get("BatchInput").cloned(),
            items: most("MaxItemsPerBatch").unwrap_or(u64::MAX),
            bytes: most("MaxInputBytesPerBatch").map_or(DOCUMENT_LIMIT, |most| most.min(DOCUMENT_LIMIT)),
        }
    }
}

impl ResultDestination {
    fn new(members: &Object) -> ResultDestination {
        let arguments = members.get("Parameters").cloned();
        let config = members.get("WriterConfig").cloned().unwrap_or_default();
        let named = config.get("Transformation").and_then(Value::as_str).and_then(Transformation::named);
        let default = if arguments.is_some() { Transformation::None } else { Transformation::Compact };
        ResultDestination { arguments, transformation: named.unwrap_or(default), config }
    }

    /// Returns `true` if the result of a child is its record, and not its output.
    pub fn has_records(&self, succeeded: bool) -> bool {
        self.transformation == Transformation::None || self.arguments.is_some() && !succeeded
    }
}

impl Tolerance {
    /// Replaces the limits that are there. 0 removes one.
    pub fn update(&mut self, count: Option<f64>, percentage: Option<f64>) {
        let limit = |new: Option<f64>, old: Option<f64>| new.map_or(old, |most| Some(most).filter(|most| *most > 0.0));
        (self.count, self.percentage) = (limit(count, self.count), limit(percentage, self.percentage));
    }

    /// Returns `true` if more items have failed than the run tolerates, or `None` if that depends
    /// on the number of all items, which is not known.
    ///
    /// Without limits nothing is tolerated ([A29](docs/amazon-states-language.md#a29)).
    pub fn is_exceeded(self, failed: u64, total: Option<u64>) -> Option<bool> {
        // Counts of items are far below 2^53, so that the conversions are exact.
        let failed_items = failed as f64;
        if failed == 0 {
            return Some(false);
        }
        if self.count.is_none() && self.percentage.is_none() || self.count.is_some_and(|most| failed_items > most) {
            return Some(true);
        }
        match (self.percentage, total) {
            (None, _) => Some(false),
            (Some(percentage), _) if percentage >= 100.0 => Some(false),
            (Some(percentage), Some(total)) => Some(100.0 * failed_items > percentage * total as f64),
            (Some(_), None) => None,
        }
    }
}
