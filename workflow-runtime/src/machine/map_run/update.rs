//! Changes of a run while it runs, as AWS's `UpdateMapRun` makes them.

use std::fmt;

use super::MapRun;
use super::settings::{MAX_CONCURRENCY, Settings};
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};
use crate::value::{Object, Value};

/// A change of a distributed Map that runs. What is absent stays as it is.
///
/// ```
/// use workflow_runtime::engine::MapUpdate;
///
/// let update = MapUpdate::new().max_concurrency(50).tolerated_failure_percentage(2.5);
/// assert_eq!(update.check(), Ok(()));
/// let refused = MapUpdate::new().tolerated_failure_percentage(101.0).check().unwrap_err();
/// let expected = "ToleratedFailurePercentage must be between 0 and 100, and is 101";
/// assert_eq!(refused.to_string(), expected);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[non_exhaustive]
pub struct MapUpdate {
    /// The largest number of children at once. 0 stands for the largest number there is, 10,000.
    pub max_concurrency: Option<u64>,
    /// The number of items that may fail. 0 removes this tolerance: if both are 0, no failure is
    /// tolerated.
    pub tolerated_failure_count: Option<u64>,
    /// The percentage of items that may fail. 0 removes this tolerance, as that of the number.
    pub tolerated_failure_percentage: Option<f64>,
}

/// The reason why a change of a distributed Map is refused.
///
/// See the example of [`MapUpdate`].
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum InvalidMapUpdate {
    /// It changes nothing.
    Empty,
    /// `MaxConcurrency` is above the limit.
    Concurrency(u64),
    /// `ToleratedFailureCount` is more than a run can count.
    Count(u64),
    /// `ToleratedFailurePercentage` is not between 0 and 100.
    Percentage(f64),
    /// The fields are not those of a change, or are no numbers of their kind.
    Fields,
}

impl fmt::Display for InvalidMapUpdate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InvalidMapUpdate::Empty => f.write_str(
                "the update changes nothing: it needs MaxConcurrency, ToleratedFailureCount or ToleratedFailurePercentage",
            ),
            InvalidMapUpdate::Concurrency(value) => {
                write!(f, "MaxConcurrency must be between 0 and {MAX_CONCURRENCY}, and is {value}")
            }
            InvalidMapUpdate::Count(value) => {
                write!(f, "ToleratedFailureCount must be between 0 and {MOST_FAILURES}, and is {value}")
            }
            InvalidMapUpdate::Percentage(value) => {
                write!(f, "ToleratedFailurePercentage must be between 0 and 100, and is {value}")
            }
            InvalidMapUpdate::Fields => f.write_str(
                "an update has the fields MaxConcurrency and ToleratedFailureCount, whole numbers from 0, and \
                 ToleratedFailurePercentage, a number",
            ),
        }
    }
}

impl std::error::Error for InvalidMapUpdate {}

/// The largest tolerated number of failures. Larger ones would lose digits.
const MOST_FAILURES: u64 = 1 << 53;

/// The names of the fields, as AWS has them in definitions.
const CONCURRENCY: &str = "MaxConcurrency";
const COUNT: &str = "ToleratedFailureCount";
const PERCENTAGE: &str = "ToleratedFailurePercentage";

impl MapUpdate {
    /// Returns an update that changes nothing.
    pub fn new() -> MapUpdate {
        MapUpdate::default()
    }

    /// Changes the largest number of children at once.
    #[must_use]
    pub fn max_concurrency(mut self, most: u64) -> MapUpdate {
        self.max_concurrency = Some(most);
        self
    }

    /// Changes the number of items that may fail.
    #[must_use]
    pub fn tolerated_failure_count(mut self, most: u64) -> MapUpdate {
        self.tolerated_failure_count = Some(most);
        self
    }

    /// Changes the percentage of items that may fail.
    #[must_use]
    pub fn tolerated_failure_percentage(mut self, most: f64) -> MapUpdate {
        self.tolerated_failure_percentage = Some(most);
        self
    }

    /// Checks the numbers, with AWS's limits.
    ///
    /// # Errors
    /// The first one that is out of range, or that there is none.
    pub fn check(self) -> Result<(), InvalidMapUpdate> {
        if self == MapUpdate::default() {
            return Err(InvalidMapUpdate::Empty);
        }
        if let Some(most) = self.max_concurrency.filter(|most| *most > MAX_CONCURRENCY) {
            return Err(InvalidMapUpdate::Concurrency(most));
        }
        if let Some(most) = self.tolerated_failure_count.filter(|most| *most > MOST_FAILURES) {
            return Err(InvalidMapUpdate::Count(most));
        }
        match self.tolerated_failure_percentage.filter(|most| !(0.0..=100.0).contains(most)) {
            Some(most) => Err(InvalidMapUpdate::Percentage(most)),
            None => Ok(()),
        }
    }

    /// Returns this update, followed by another one.
    #[must_use]
    pub fn then(self, next: MapUpdate) -> MapUpdate {
        MapUpdate {
            max_concurrency: next.max_concurrency.or(self.max_concurrency),
            tolerated_failure_count: next.tolerated_failure_count.or(self.tolerated_failure_count),
            tolerated_failure_percentage: next.tolerated_failure_percentage.or(self.tolerated_failure_percentage),
        }
    }

    /// Returns the update as an object, with AWS's names.
    pub fn to_value(self) -> Value {
        let mut members = Object::new();
        if let Some(most) = self.max_concurrency {
            members.insert(CONCURRENCY, Value::from(most));
        }
        if let Some(most) = self.tolerated_failure_count {
            members.insert(COUNT, Value::from(most));
        }
        if let Some(most) = self.tolerated_failure_percentage {
            members.insert(PERCENTAGE, Value::from(most));
        }
        members.into()
    }

    /// Reads an update from an object, and checks it.
    ///
    /// # Errors
    /// Another field, a field of another type, or the errors of [`MapUpdate::check`].
    pub fn from_value(value: &Value) -> Result<MapUpdate, InvalidMapUpdate> {
        let mut update = MapUpdate::default();
        for (name, value) in value.as_object().ok_or(InvalidMapUpdate::Fields)? {
            let count = || value.as_i64().and_then(|count| u64::try_from(count).ok());
            match &**name {
                CONCURRENCY => update.max_concurrency = Some(count().ok_or(InvalidMapUpdate::Fields)?),
                COUNT => update.tolerated_failure_count = Some(count().ok_or(InvalidMapUpdate::Fields)?),
                PERCENTAGE => {
                    update.tolerated_failure_percentage = Some(value.as_f64().ok_or(InvalidMapUpdate::Fields)?);
                }
                _ => return Err(InvalidMapUpdate::Fields),
            }
        }
        update.check()?;
        Ok(update)
    }
}

impl MapRun {
    /// Changes the run. More children start at once; where fewer may run, those that run end.
    pub(super) fn update(&mut self, update: MapUpdate) {
        self.updated = self.updated.then(update);
        self.settings.update(update);
        self.core.epoch += 1;
        if self.core.result.is_none() && !self.core.header.is_terminating() {
            self.advance_later();
        }
    }
}

impl Settings {
    /// Changes the limits of a run.
    pub(super) fn update(&mut self, update: MapUpdate) {
        if let Some(most) = update.max_concurrency {
            self.concurrency = if most == 0 { MAX_CONCURRENCY } else { most.min(MAX_CONCURRENCY) };
        }
        // Such a count is exact as a floating-point number.
        let (count, percentage) = (update.tolerated_failure_count, update.tolerated_failure_percentage);
        self.limits.update(count.map(|count| count as f64), percentage);
    }
}

impl Save for MapUpdate {
    fn save(&self, w: &mut Writer) {
        w.put(&self.to_value());
    }
}

impl Load for MapUpdate {
    fn load(r: &mut Reader<'_>) -> Result<MapUpdate, LoadError> {
        let value: Value = r.take()?;
        match MapUpdate::from_value(&value) {
            Ok(update) => Ok(update),
            Err(InvalidMapUpdate::Empty) => Ok(MapUpdate::default()),
            Err(error) => Err(LoadError::new(error.to_string())),
        }
    }
}
