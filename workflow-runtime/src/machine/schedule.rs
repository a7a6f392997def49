//! Schedules: the interval in which executions of a workflow can start.

use std::fmt;
use std::time::Duration;

use super::Definition;
use crate::fault::{Fault, names};
use crate::time::Timestamp;
use workflow_model::{Active, Schedule};

/// The refusal to start an execution outside of its workflow's interval.
///
/// See the example of [`EngineError`](crate::engine::EngineError).
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

impl Definition {
    /// Returns `Ok` if an execution can start at time `at`. `deployed` returns the time of the
    /// deployment. It is called if the definition restricts starts.
    pub fn check_schedule(&self, at: Timestamp, deployed: impl FnOnce() -> Timestamp) -> Result<(), Inactive> {
        let Some(Schedule { written, active }) = self.schedule else { return Ok(()) };
        let deployed = deployed();
        let (from, until) = match active {
            Active::Between { from, until } => (Timestamp::from_micros(from), Timestamp::from_micros(until)),
            Active::AfterDeployment(micros) => (deployed, deployed.plus(Duration::from_micros(micros))),
        };
        match from <= at && at < until {
            true => Ok(()),
            false => Err(Inactive { workflow: self.name, interval: written, from, until, at }),
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

    fn sale(schedule: Schedule) -> Definition {
        Definition { name: "sale", schedule: Some(schedule), ..Definition::VERSION_0_1_0 }
    }

    #[test]
    fn the_end_is_not_in_the_interval() {
        let time = |text: &str| text.parse::<Timestamp>().unwrap();
        let (from, until) = (time("2026-01-01T00:00:00Z"), time("2026-02-01T00:00:00Z"));
        let january = sale(Schedule::between("2026-01-01T00:00:00Z/P1M", from.as_micros(), until.as_micros()));
        let at = |text| january.check_schedule(time(text), Timestamp::default).map_err(|error| error.to_string());
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
        let hour = sale(Schedule::after_deployment("PT1H", 3_600_000_000));
        let deployed = Timestamp::from_seconds(1_000_000);
        assert!(hour.schedule.is_some_and(|schedule| schedule.needs_deployment()));
        assert_eq!(hour.check_schedule(deployed, || deployed), Ok(()));
        assert_eq!(hour.check_schedule(Timestamp::from_seconds(1_003_599), || deployed), Ok(()));
        assert!(hour.check_schedule(Timestamp::from_seconds(1_003_600), || deployed).is_err());
        assert!(hour.check_schedule(Timestamp::from_seconds(999_999), || deployed).is_err());
    }
}
