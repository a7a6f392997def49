//! Descriptions of executions, from the answers of the handler `status`.

use workflow_runtime::engine::{AwaitedEvent, Deadline, Description, MapCounts, Status, Summary, WaitsAt, WaitsFor};
use workflow_runtime::{Timestamp, Value};

use super::{Found, Served};

/// Returns the summary of an execution.
pub fn summary(id: &str, of: &Served, status: Status) -> Summary {
    let mut summary = Summary::new(id, of.definition.name, status);
    summary.service = Some(of.executions.name().to_owned());
    summary
}

/// Returns the description of an execution, without its outcome.
pub fn description(id: &str, found: &Found<'_>) -> Description {
    let mut description = Description::new(summary(id, found.of, found.status));
    let waits = found.answer.get("waits").and_then(Value::as_array);
    let redrives = found.answer.get("redrives").and_then(Value::as_i64);
    description.redrives = redrives.and_then(|redrives| u32::try_from(redrives).ok()).unwrap_or_default();
    description.items = found.answer.get("items").and_then(MapCounts::from_value);
    description.waiting = waits.into_iter().flat_map(|waits| waits.iter()).map(waits_at).collect();
    description
}

fn waits_at(wait: &Value) -> WaitsAt {
    let part = |name: &str| wait.get(name).and_then(Value::as_str);
    let time = |name: &str| part(name).and_then(|time| time.parse::<Timestamp>().ok());
    let text = |name: &str| part(name).unwrap_or_default().to_owned();
    let waits_for = if part("task").is_some() {
        let of_task = if part("token").is_some() { WaitsFor::Token } else { WaitsFor::Task };
        of_task(text("task"))
    } else if part("items").is_some() {
        WaitsFor::Items(text("items"))
    } else if part("execution").is_some() {
        WaitsFor::Child(text("workflow"))
    } else if let Some(events) = wait.get("events").and_then(Value::as_array) {
        WaitsFor::Event(events.iter().filter_map(AwaitedEvent::from_value).collect())
    } else if let Some(counts) = wait.get("map").and_then(MapCounts::from_value) {
        WaitsFor::Map(counts)
    } else {
        WaitsFor::Time
    };
    let mut waits = WaitsAt::new(text("state"), waits_for);
    let end = if waits.waits_for == WaitsFor::Time { Deadline::Wait } else { Deadline::Timeout };
    waits.path = part("path").map(str::to_owned);
    waits.until = time("until").or_else(|| time("deadline"));
    waits.deadline = waits.until.map(|_| end);
    waits.token = part("token").map(str::to_owned);
    waits.child = part("execution").map(str::to_owned);
    waits
}

#[cfg(test)]
mod tests {
    use workflow_runtime::value;

    use super::*;

    #[test]
    fn a_wait_is_read_with_its_end() {
        let (until, time) = ("2026-01-31T12:30:00.000Z", "2026-01-31T12:30:00Z".parse().ok());
        let kind = value!({"name": "paid", "type": "paid"});
        let event = WaitsFor::Event(AwaitedEvent::from_value(&kind).into_iter().collect());
        let counts = value!({"pending": 5, "running": 2, "succeeded": 9, "failed": 1});
        let map = WaitsFor::Map(MapCounts::from_value(&counts).unwrap());
        for (wait, waits_for, deadline) in [
            (value!({"state": "S", "map": counts}), map, None),
            (
                value!({"state": "S", "task": "send", "deadline": until, "token": "7-f"}),
                WaitsFor::Token("send".into()),
                Some(Deadline::Timeout),
            ),
            (value!({"state": "S", "task": "send"}), WaitsFor::Task("send".into()), None),
            (value!({"state": "S", "items": "250-499"}), WaitsFor::Items("250-499".into()), None),
            (value!({"state": "S", "until": until}), WaitsFor::Time, Some(Deadline::Wait)),
            (value!({"state": "S", "events": [kind], "until": until}), event, Some(Deadline::Timeout)),
            (
                value!({"state": "S", "execution": "one.3-0", "workflow": "order", "deadline": until}),
                WaitsFor::Child("order".into()),
                Some(Deadline::Timeout),
            ),
        ] {
            let read = waits_at(&wait);
            assert_eq!((&*read.state, read.waits_for, read.deadline), ("S", waits_for, deadline), "{wait}");
            assert_eq!(read.until, deadline.and(time), "{wait}");
            assert_eq!(read.token.as_deref(), wait.get("token").and_then(Value::as_str));
            assert_eq!(read.child.as_deref(), wait.get("execution").and_then(Value::as_str));
        }
        let inner = waits_at(&value!({"path": "Ship[0]/Pack[1]", "state": "S", "task": "t"}));
        assert_eq!(inner.path.as_deref(), Some("Ship[0]/Pack[1]"));
    }
}
