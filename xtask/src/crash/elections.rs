//! The elections of leaders in a Restate cluster, by partition and time. A call that was running
//! for the former leader begins again.
//!
//! Each execution belongs to a partition, and each partition has a leader, the node that keeps the
//! state of its executions. A node becomes leader when the former leader was killed. It also
//! becomes leader at other times: when a killed node is back, or when a node was slow to answer.
//! The output of a task that only the former leader had received is lost.

use std::collections::BTreeMap;
use std::time::Duration;

use restate_testing::{Node, PARTITIONS};
use serde_json::Value;

/// The words that a node logs when it becomes leader.
const LEADS: &str = "Processor became Leader";

/// Microseconds in a day.
const DAY: u64 = 24 * 60 * 60 * 1_000_000;

/// Tolerance in microseconds between the logged and the real time of an election: the former
/// leader may still have led after it, and the new one may have led before it.
const SLACK: u64 = 250_000;

/// Attempts to query the nodes for the executions, and the pause between two attempts.
const ASKED: u32 = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// The elections, and the partitions of the executions.
#[derive(Debug, Default)]
pub struct Elections {
    /// Times of elections by partition, in microseconds of the day.
    elections: BTreeMap<u64, Vec<u64>>,
    /// Partitions by workflow and key.
    places: BTreeMap<(String, String), u64>,
}

impl Elections {
    /// Reads the elections so far of a running cluster, and the partitions of its executions.
    pub fn read(nodes: &[Node]) -> Result<Elections, String> {
        let mut found = Elections::default();
        for node in nodes {
            let log = node.log().map_err(|error| format!("crash: cannot read a log: {error}"))?;
            found.read_log(&log);
        }
        // A node that has just become leader may not answer this query yet.
        let rows = (0..ASKED).find_map(|asked| {
            std::thread::sleep(PAUSE * u32::from(asked > 0));
            nodes.iter().find_map(executions)
        });
        let rows = rows.ok_or("crash: no node reports the partitions of the executions")?;
        found.places.extend(rows.iter().filter_map(place));
        match found.elections.is_empty() || found.places.is_empty() {
            true => Err("crash: the leaders or the partitions of the executions are unknown".to_owned()),
            false => Ok(found),
        }
    }

    fn read_log(&mut self, log: &str) {
        let lines = log.lines().filter(|line| line.contains(LEADS));
        for line in lines.filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
            let partition = line["fields"]["partition_id"].as_str().and_then(|id| id.parse().ok());
            let time = line["timestamp"].as_str().and_then(|time| time.split_once('T')).map(|(_, time)| time);
            if let (Some(partition), Some(at)) = (partition, time.and_then(of_day)) {
                self.elections.entry(partition).or_default().push(at);
            }
        }
    }

    /// Returns `true` if the partition of a call's execution got a new leader between two times,
    /// in microseconds.
    pub fn was_one(&self, call: &str, from: u64, to: u64) -> bool {
        let mut parts = call.splitn(3, '/');
        let mut part = || parts.next().unwrap_or_default().to_owned();
        let elections = self.places.get(&(part(), part())).and_then(|place| self.elections.get(place));
        let start = (from + DAY - SLACK) % DAY;
        let long = to.saturating_sub(from) + 2 * SLACK;
        elections.is_some_and(|elections| elections.iter().any(|at| (at + DAY - start) % DAY <= long))
    }

    /// Returns one election at this time of the day, in the partition of this execution.
    #[cfg(test)]
    pub fn of_one(workflow: &str, key: &str, time: &str) -> Elections {
        Elections {
            elections: [(0, vec![of_day(time).expect("a time")])].into(),
            places: [((workflow.to_owned(), key.to_owned()), 0)].into(),
        }
    }
}

/// Returns the executions that a node lists, as rows.
fn executions(node: &Node) -> Option<Vec<Value>> {
    let sql = "SELECT target_service_name, target_service_key, partition_key FROM sys_invocation_status \
               WHERE target_handler_name = 'run'";
    let response = serde_json::from_str::<Value>(&node.query(sql).ok()?).ok()?;
    response["rows"].as_array().cloned()
}

/// Returns the workflow and the key of an execution, and its partition.
fn place(row: &Value) -> Option<((String, String), u64)> {
    let (service, key) = (row["target_service_name"].as_str()?, row["target_service_key"].as_str()?);
    let hash = row["partition_key"].as_u64()?;
    let workflow = service.rsplit_once('-').map_or(service, |(workflow, _)| workflow);
    let partition = (u128::from(hash) * u128::from(PARTITIONS)) >> 64;
    Some(((workflow.to_owned(), name(key)), partition as u64))
}

/// Returns the name of an execution in the effects. That of an execution that an event has started
/// has the number of the event.
fn name(key: &str) -> String {
    let mut words = key.split_whitespace();
    let event = match (words.next(), words.next(), words.next()) {
        (Some("event"), Some("/crash"), Some(event)) => event.split_once('-'),
        _ => None,
    };
    event.map_or_else(|| key.to_owned(), |(number, _)| format!("s-{number}"))
}

/// Returns the microseconds of the day of a time such as `00:56:54.168367Z`.
fn of_day(time: &str) -> Option<u64> {
    let (clock, fraction) = time.trim_end_matches('Z').split_once('.')?;
    let mut seconds = 0;
    for part in clock.split(':') {
        seconds = seconds * 60 + part.parse::<u64>().ok()?;
    }
    let micros: u64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    Some(seconds * 1_000_000 + micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = r#"{"timestamp":"2026-11-21T00:56:54.168367Z","level":"INFO","fields":{"message":"Processor became Leader of epoch e2. Spent 5ms","partition_id":"1"},"target":"restate_worker::partition::leadership"}
{"timestamp":"2026-11-21T23:59:59.9Z","level":"INFO","fields":{"message":"Processor became Leader of epoch e3","partition_id":"1"}}
{"timestamp":"2026-11-21T00:56:55.168367Z","level":"INFO","fields":{"message":"Conceding","partition_id":"1"}}
not JSON
"#;

    #[test]
    fn elections_are_read_from_logs() {
        let mut elections = Elections::default();
        elections.read_log(LOG);
        let first = (56 * 60 + 54) * 1_000_000 + 168_367;
        assert_eq!(elections.elections, [(1, vec![first, DAY - 100_000])].into());
        let row = serde_json::json!({
            "target_service_name": "fan-1f2e", "target_service_key": "e-1", "partition_key": u64::MAX / 2 - 7
        });
        elections.places.extend(place(&row));
        assert_eq!(elections.places, [(("fan".to_owned(), "e-1".to_owned()), 1)].into());
        for key in ["event /crash 5-opened", "event  /crash 5-confirmed"] {
            let row = serde_json::json!({
                "target_service_name": "gate-6a7e", "target_service_key": key, "partition_key": u64::MAX
            });
            let place = place(&row).expect("a place");
            assert_eq!(place, (("gate".to_owned(), "s-5".to_owned()), PARTITIONS - 1));
        }
        let days = 20_000 * DAY;
        assert!(elections.was_one("fan/e-1/7-0", days + first - 1, days + first + 1));
        assert!(!elections.was_one("fan/e-2/7-0", days + first - 1, days + first + 1));
        assert!(!elections.was_one("fan/e-1/7-0", days + first + SLACK + 1, days + first + SLACK + 2));
        // The two times are before and after midnight.
        assert!(elections.was_one("fan/e-1/7-0", days - 200_000, days + 50_000));
        assert!(elections.was_one("fan/e-1/7-0", days + 50_000, days + 60_000));
    }
}
