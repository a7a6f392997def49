//! Which node of a cluster has begun to lead, and when: a call that was under way for the former
//! one begins again.
//!
//! Each execution has its place in a partition, and each partition has a node that leads, which
//! keeps what its executions do. A node begins to lead when another one was killed, and also at
//! other times: when a killed one is back, or one was slow to answer. What a task has yielded to
//! the former leader is lost then, unless it was stored before.

use std::collections::BTreeMap;
use std::time::Duration;

use restate_testing::{Node, PARTITIONS};
use serde_json::Value;

/// What a node logs when it begins to lead.
const LEADS: &str = "Processor became Leader";

/// How many microseconds a day has.
const DAY: u64 = 24 * 60 * 60 * 1_000_000;

/// How much earlier or later than it is logged a node may have begun to lead, and the former one
/// still have led.
const SLACK: u64 = 250_000;

/// How often the nodes are asked where the executions are, and how long to wait before they are
/// asked once more.
const ASKED: u32 = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// When which partition had a new leader, and where executions are.
#[derive(Debug, Default)]
pub struct Elections {
    /// By partition, in microseconds of the day.
    elections: BTreeMap<u64, Vec<u64>>,
    /// By workflow and key.
    places: BTreeMap<(String, String), u64>,
}

impl Elections {
    /// Those of a cluster that runs, so far.
    pub fn read(nodes: &[Node]) -> Result<Elections, String> {
        let mut found = Elections::default();
        for node in nodes {
            let log = node.log().map_err(|error| format!("crash: a log: {error}"))?;
            found.read_log(&log);
        }
        // One that has just begun to lead may not be able to say it.
        let rows = (0..ASKED).find_map(|asked| {
            std::thread::sleep(PAUSE * u32::from(asked > 0));
            nodes.iter().find_map(executions)
        });
        let rows = rows.ok_or("crash: no node says where the executions are")?;
        found.places.extend(rows.iter().filter_map(place));
        match found.elections.is_empty() || found.places.is_empty() {
            true => Err("crash: it is not known who has led, or where the executions are".to_owned()),
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

    /// Whether between these two times, in microseconds, there was a new leader where the
    /// execution of a call is.
    pub fn was_one(&self, call: &str, from: u64, to: u64) -> bool {
        let mut parts = call.splitn(3, '/');
        let mut part = || parts.next().unwrap_or_default().to_owned();
        let elections = self.places.get(&(part(), part())).and_then(|place| self.elections.get(place));
        let start = (from + DAY - SLACK) % DAY;
        let long = to.saturating_sub(from) + 2 * SLACK;
        elections.is_some_and(|elections| elections.iter().any(|at| (at + DAY - start) % DAY <= long))
    }

    /// One election, at this time of the day, where this execution is.
    #[cfg(test)]
    pub fn of_one(workflow: &str, key: &str, time: &str) -> Elections {
        Elections {
            elections: [(0, vec![of_day(time).expect("a time")])].into(),
            places: [((workflow.to_owned(), key.to_owned()), 0)].into(),
        }
    }
}

/// The executions, as a node tells them.
fn executions(node: &Node) -> Option<Vec<Value>> {
    let sql = "SELECT target_service_name, target_service_key, partition_key FROM sys_invocation_status \
               WHERE target_handler_name = 'run'";
    let told = serde_json::from_str::<Value>(&node.query(sql).ok()?).ok()?;
    told["rows"].as_array().cloned()
}

/// The workflow and the key of an execution, and its partition.
fn place(row: &Value) -> Option<((String, String), u64)> {
    let (service, key) = (row["target_service_name"].as_str()?, row["target_service_key"].as_str()?);
    let hash = row["partition_key"].as_u64()?;
    let workflow = service.rsplit_once('-').map_or(service, |(workflow, _)| workflow);
    let partition = (u128::from(hash) * u128::from(PARTITIONS)) >> 64;
    Some(((workflow.to_owned(), key.to_owned()), partition as u64))
}

/// The microseconds of the day, of a time such as `00:56:54.168367Z`.
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
        let days = 20_000 * DAY;
        assert!(elections.was_one("fan/e-1/7-0", days + first - 1, days + first + 1));
        assert!(!elections.was_one("fan/e-2/7-0", days + first - 1, days + first + 1));
        assert!(!elections.was_one("fan/e-1/7-0", days + first + SLACK + 1, days + first + SLACK + 2));
        // Around midnight.
        assert!(elections.was_one("fan/e-1/7-0", days - 200_000, days + 50_000));
        assert!(elections.was_one("fan/e-1/7-0", days + 50_000, days + 60_000));
    }
}
