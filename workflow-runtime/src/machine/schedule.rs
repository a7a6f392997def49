//! Schedules: the interval in which executions of a workflow can start.

use std::fmt;
use std::time::Duration;

use crate::fault::{Fault, names};
use crate::time::Timestamp;

/// An interval in which executions can start. Running executions continue outside of it. Child
/// executions that start outside of it complete at once, with their input as output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Schedule {
    /// The interval as authored.
    pub written: &'static str,
    /// The interval.
    pub active: Active,
}

/// An interval of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Active {
    /// From one point in time up to another.
    Between {
        /// The first point in time of the interval.
        from: Timestamp,
        /// The first point in time after the interval.
        until: Timestamp,
    },
    /// A duration that begins with the deployment.
    AfterDeployment(Duration),
}

/// The refusal to start an execution outside of its workflow's interval.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Inactive {
    /// The workflow.
    pub workflow: &'static str,
    /// The interval as authored.
    pub interval: &'static str,
    /// The beginning of the interval.
    pub from: Timestamp,
    /// The end of the interval.
    pub until: Timestamp,
    /// The time at which the execution was to start.
    pub at: Timestamp,
}

impl Schedule {
    /// Creates an interval between two points in time, in microseconds since 1970-01-01T00:00:00Z.
    pub const fn between(written: &'static str, from: i64, until: i64) -> Schedule {
        let (from, until) = (Timestamp::from_micros(from), Timestamp::from_micros(until));
        Schedule { written, active: Active::Between { from, until } }
    }

    /// Creates an interval that begins with the deployment and lasts this many microseconds.
    pub const fn after_deployment(written: &'static str, micros: u64) -> Schedule {
        Schedule { written, active: Active::AfterDeployment(Duration::from_micros(micros)) }
    }

    /// Returns `true` if the interval depends on the time of the deployment.
    pub fn needs_deployment(&self) -> bool {
        matches!(self.active, Active::AfterDeployment(_))
    }

    /// Returns `Ok` if an execution of the workflow can start at time `at`, after a deployment at
    /// time `deployed`.
    pub fn admits(&self, workflow: &'static str, at: Timestamp, deployed: Timestamp) -> Result<(), Inactive> {
        let (from, until) = match self.active {
            Active::Between { from, until } => (from, until),
            Active::AfterDeployment(duration) => (deployed, deployed.plus(duration)),
        };
        match from <= at && at < until {
            true => Ok(()),
            false => Err(Inactive { workflow, interval: self.written, from, until, at }),
        }
    }
}

impl fmt::Display for Inactive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inactive { workflow, interval, from, until, at } = self;
        let is = if at < from { "not yet active" } else { "no longer active" };
        write!(
            f,
            "`{workflow}` is {is}: it can be started from {from} until {until} (`{interval}`), and the time is {at}"
        )
    }
}

impl std::error::Error for Inactive {}

impl From<Inactive> for Fault {
    fn from(inactive: Inactive) -> Fault {
        Fault::named(names::INACTIVE, inactive.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_not_in_the_interval() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let (from, until) = (time("2026-01-01T00:00:00Z"), time("2026-02-01T00:00:00Z"));
        let january = Schedule::between("2026-01-01T00:00:00Z/P1M", from.as_micros(), until.as_micros());
        let at = |text| january.admits("sale", time(text), Timestamp::default()).map_err(|error| error.to_string());
        assert_eq!(at("2026-01-01T00:00:00Z"), Ok(()));
        assert_eq!(at("2026-01-31T23:59:59.999Z"), Ok(()));
        let interval = "it can be started from 2026-01-01T00:00:00.000Z until 2026-02-01T00:00:00.000Z (`2026-01-01T00:00:00Z/P1M`)";
        let early = format!("`sale` is not yet active: {interval}, and the time is 2025-12-31T23:59:59.999Z");
        assert_eq!(at("2025-12-31T23:59:59.999Z"), Err(early));
        let late = format!("`sale` is no longer active: {interval}, and the time is 2026-02-01T00:00:00.000Z");
        assert_eq!(at("2026-02-01T00:00:00Z"), Err(late));
    }

    #[test]
    fn a_duration_is_counted_from_the_deployment() {
        let hour = Schedule::after_deployment("PT1H", 3_600_000_000);
        let deployed = Timestamp::from_seconds(1_000_000);
        assert!(hour.needs_deployment());
        assert_eq!(hour.admits("sale", deployed, deployed), Ok(()));
        assert_eq!(hour.admits("sale", Timestamp::from_seconds(1_003_599), deployed), Ok(()));
        assert!(hour.admits("sale", Timestamp::from_seconds(1_003_600), deployed).is_err());
        assert!(hour.admits("sale", Timestamp::from_seconds(999_999), deployed).is_err());
    }
}
