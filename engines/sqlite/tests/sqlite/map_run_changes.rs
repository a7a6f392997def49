//! Runs of distributed Maps from outside: events in the history of the parent, changes, redrives.

use std::sync::Arc;
use std::time::Duration;

use workflow_runtime::engine::{EngineError, MapUpdate};
use workflow_runtime::{Value, value};
use workflow_sqlite::{Engine, Error, WaitsFor};

use crate::map_runs::{Desk, ended, of, set_up};
use crate::place::{Place, process, until};

/// Returns the names of the events of an execution that concern Map runs or children.
pub fn events(engine: &Engine, id: &str) -> Vec<String> {
    let names = all_events(engine, id).into_iter();
    names.filter(|name| name.starts_with("MapRun") || name.starts_with("Child")).collect()
}

/// Returns the names of the events of an execution.
fn all_events(engine: &Engine, id: &str) -> Vec<String> {
    let lines = engine.execution(id).and_then(|execution| execution.history()).expect("a history");
    let events = lines.iter().map(|line| Value::from_json(line).expect("an event"));
    events.map(|event| event.get("event").and_then(Value::as_str).expect("a name").to_owned()).collect()
}

/// Returns the numbers of items of a run: pending, running, succeeded, failed.
pub fn counts(engine: &Engine, id: &str) -> Option<[u64; 4]> {
    let run = engine.execution(id).ok()?.describe().ok()?;
    run.waiting.into_iter().find_map(|waits| match waits.waits_for {
        WaitsFor::Map(counts) => Some([counts.pending, counts.running, counts.succeeded, counts.failed]),
        _ => None,
    })
}

#[test]
fn the_history_of_the_parent_has_the_events_of_the_run() {
    for (name, items, tolerated, expected) in [
        ("ok", value!([1, 2]), 0, "MapRunSucceeded"),
        ("tolerated", value!([1, "fail"]), 1, "MapRunSucceeded"),
        ("fail", value!([1, "fail"]), 0, "MapRunFailed"),
    ] {
        let (place, desk) = (Place::new(&format!("map-events-{name}")), Arc::new(Desk::default()));
        process(async {
            let engine = set_up(place.file(), desk).open().await.expect("a new database");
            let input = value!({ "map": 0, "settings": { "items": items, "tolerated_count": tolerated } });
            let started = engine.start::<crate::maps::Flow>(input).id("one").submit().await.expect("a start");
            until("it has ended", || ended(&started)).await;
            assert_eq!(events(&engine, "one"), ["MapRunStarted", expected], "{name}");
            // The run has events of its own, but none of its children.
            let end = if expected == "MapRunFailed" { "ExecutionFailed" } else { "ExecutionSucceeded" };
            assert_eq!(all_events(&engine, "one.1-0"), ["ExecutionStarted", end], "{name}");
            let lines = engine.execution("one").and_then(|execution| execution.history()).expect("a history");
            let line = |event: &str| lines.iter().find(|line| line.contains(event)).expect("an event");
            assert!(line("MapRunStarted").ends_with(r#""state":"Each","call":"1-0"}"#), "{}", line("MapRunStarted"));
            let error = line(expected).contains(r#""error":"States.ExceedToleratedFailureThreshold""#);
            assert_eq!(error, expected == "MapRunFailed");
            engine.shut_down(Duration::from_secs(5)).await;
        });
    }
}

#[test]
fn a_run_that_is_cancelled_is_aborted() {
    for cancelled in ["one", "one.1-0"] {
        let (place, desk) = (Place::new(&format!("map-aborted-{}", cancelled.len())), Arc::new(Desk::waiting()));
        process(async {
            let engine = set_up(place.file(), desk).open().await.expect("a new database");
            let started = engine.start::<crate::maps::Flow>(of(5, value!({}))).id("one").submit().await;
            let started = started.expect("a start");
            until("children run", || counts(&engine, "one.1-0") == Some([0, 5, 0, 0])).await;
            engine.execution(cancelled).expect("it is there").cancel("enough").await.expect("it is cancelled");
            until("it has ended", || ended(&started)).await;
            assert_eq!(events(&engine, "one"), ["MapRunStarted", "MapRunAborted"], "{cancelled}");
            engine.shut_down(Duration::from_secs(5)).await;
        });
    }
}

#[test]
fn a_change_of_a_run_takes_effect_at_once_and_survives_the_process() {
    let place = Place::new("map-update");
    let at_once = |most| MapUpdate::new().max_concurrency(most);
    process(async {
        let engine = set_up(place.file(), Arc::new(Desk::waiting())).open().await.expect("a new database");
        let input = of(40, value!({ "concurrency": 2 }));
        engine.start::<crate::maps::Flow>(input).id("one").submit().await.expect("a start");
        until("children run", || counts(&engine, "one.1-0") == Some([38, 2, 0, 0])).await;
        let run = engine.execution("one.1-0").expect("the run");
        run.update_map(at_once(4)).await.expect("it is changed");
        until("more children run", || counts(&engine, "one.1-0") == Some([36, 4, 0, 0])).await;
        run.update_map(MapUpdate::new().tolerated_failure_count(2)).await.expect("it is changed");

        for (id, update, expected) in [
            ("one.1-0", MapUpdate::new(), "the update changes nothing"),
            ("one.1-0", at_once(10_001), "MaxConcurrency must be between 0 and 10000, and is 10001"),
            ("one", at_once(1), "the execution `one` is not the run of a distributed Map"),
            ("one.1-0.1-0", at_once(1), "the execution `one.1-0.1-0` is not the run of a distributed Map"),
        ] {
            let refused = engine.execution(id).expect("it is there").update_map(update).await;
            let error = EngineError::from(refused.expect_err("it is refused"));
            assert!(matches!(&error, EngineError::Invalid(message) if message.starts_with(expected)), "{error}");
        }
        engine.shut_down(Duration::from_secs(1)).await;
    });
    // The children continue. Two of them fail, which the change tolerates.
    process(async {
        let desk = Arc::new(Desk::failing(&["0", "1"]).slow());
        let engine = set_up(place.file(), desk.clone()).open().await.expect("the database");
        let started = engine.execution("one").expect("it is there");
        until("it has ended", || ended(&started)).await;
        let output = started.outcome().expect("it can be read").expect("it has ended").expect("it succeeds");
        assert_eq!(output.as_array().map(|results| results.len()), Some(40));
        assert_eq!(desk.most_at_once(), 4);
        let refused = engine.execution("one.1-0").expect("it is there").update_map(at_once(1)).await;
        assert!(matches!(refused, Err(Error::NotNow { asked: "updated", .. })), "{refused:?}");
        engine.shut_down(Duration::from_secs(5)).await;
    });
}
