//! Tests of the comparison of a run with its case.

use super::*;

/// A run of an hour with two calls, three waits of which one is cut short, and a child.
fn line(result: Value) -> Value {
    json!({
        "result": result,
        "calls": [
            { "task": "f", "resource": "r", "input": { "a": 1 }, "at": 0.0 },
            { "task": "f", "resource": "r", "input": { "a": 2 }, "at": 60.0 },
            { "resource": "subflow:child", "input": {} },
        ],
        "events": [
            { "kind": "ExecutionStarted", "at": 0.0 },
            { "kind": "StateEntered", "state": "A", "at": 0.0 },
            { "kind": "StateRetried", "state": "A", "at": 0.0, "until": 60.0 },
            { "kind": "StateRetried", "state": "A", "at": 60.0, "until": 60.0 },
            { "kind": "WaitStarted", "state": "A", "at": 60.0, "until": 90.0 },
            { "kind": "StateEntered", "state": "B", "depth": 1, "value": { "x": 1 }, "at": 90.0 },
            { "kind": "WaitStarted", "state": "B", "depth": 1, "at": 90.0, "until": 100.0 },
            { "kind": "ExecutionSucceeded", "at": 3600.0, "value": { "a": { "b": 1, "c": 2 } } },
        ],
        "sent": [{ "type": "t", "source": "s", "data": 1, "id": "1" }],
        "elapsed": 3600.0,
    })
}

fn expected(expect: &Value) -> Expected {
    let case = json!({ "expect": expect });
    let definition = json!({ "states": [{ "name": "A", "timeDelay": "PT1H" }, { "name": "B" }] });
    Expected::of(&case, &definition).unwrap_or_else(|problem| panic!("{expect}: {problem}"))
}

fn judged(expect: &Value, line: &Value) -> Result<(), Mismatch> {
    expected(expect).compare(&Observed::read(line).expect("a line"))
}

#[test]
fn everything_is_compared() {
    let line = line(json!({ "output": { "a": { "b": 1, "c": 2 } } }));
    for (right, wrong) in [
        (json!({ "output": { "a": { "b": 1, "c": 2 } } }), json!({ "output": 1 })),
        (json!({ "state_output": { "a": { "b": 1, "c": 2 } } }), json!({ "state_output": 1 })),
        (json!({ "merged": { "a": { "b": 1, "c": 2 } } }), json!({ "merged": 1 })),
        (
            json!({ "output_spec_text": 1, "output_by_merge_rule": { "a": { "b": 1, "c": 2 } } }),
            json!({ "output_spec_text": 1 }),
        ),
        (json!({ "output_contains": { "a": { "b": 1 } } }), json!({ "output_contains": { "a": { "d": 1 } } })),
        (json!({ "states": ["A"] }), json!({ "states": ["A", "B"] })),
        (
            json!({ "calls": [{ "fn": "f", "args": { "a": 1 } }, { "fn": "f", "args": { "a": 2 } }] }),
            json!({ "calls": [{ "fn": "f", "args": { "a": 1 } }] }),
        ),
        (
            json!({ "calls": ["f", { "args": { "a": 2 }, "at": "PT1M" }] }),
            json!({ "calls": ["f", { "args": { "a": 2 }, "at": "PT2M" }] }),
        ),
        (json!({ "calls": ["f", "f"] }), json!({ "calls": ["f", "g"] })),
        (
            json!({ "calls_unordered": [{ "args": { "a": 2 }, "fn": "f" }, { "args": { "a": 1 }, "fn": "f" }] }),
            json!({ "calls_unordered": [] }),
        ),
        (json!({ "subflow": "child" }), json!({ "subflow": "other" })),
        (json!({ "subflow": ["child"] }), json!({ "subflow": ["child", "child"] })),
        (json!({ "virtual_time": "PT1H" }), json!({ "virtual_time": "PT2H" })),
        (json!({ "virtual_time": "PT60M" }), json!({ "virtual_time": "PT60S" })),
        (json!({ "iteration_inputs": [{ "x": 1 }] }), json!({ "iteration_inputs": [] })),
        (json!({ "instances": 1 }), json!({ "instances": 2 })),
        (json!({ "waits": ["PT1M", "PT30S"] }), json!({ "waits": ["PT1M"] })),
        (json!({ "status": "completed" }), json!({ "status": "failed" })),
        (json!({ "completes": true }), json!({ "completes": false })),
        (json!({ "completes": "PT1H" }), json!({ "completes": "PT2H" })),
        (
            json!({ "produced": [{ "type": "t", "source": "s", "data": 1 }] }),
            json!({ "produced": [{ "type": "t", "source": "s", "data": 2 }] }),
        ),
        (json!({ "produced": [{ "type": "t" }] }), json!({ "produced": [{ "type": "t" }, { "type": "t" }] })),
    ] {
        assert_eq!(judged(&right, &line), Ok(()), "{right}");
        assert!(judged(&wrong, &line).is_err(), "{wrong}");
    }
    let delayed = json!({ "status": "completed after delay" });
    assert_eq!(judged(&delayed, &line), Ok(()));
    let mut at_once = line.clone();
    at_once["elapsed"] = json!(0.0);
    assert!(judged(&delayed, &at_once).is_err());
    let mut reloaded = line;
    reloaded["reloaded"] = json!({ "output": 2 });
    assert!(judged(&json!({ "instances": 1 }), &reloaded).is_err());
}

#[test]
fn a_failure_is_no_output() {
    let failed = line(json!({ "error": "E", "cause": "c" }));
    for right in [json!({ "waits": ["PT1M", "PT30S"] }), json!({ "status": "error" }), json!({ "completes": false })] {
        assert_eq!(judged(&right, &failed), Ok(()), "{right}");
    }
    for wrong in [
        json!({ "waits": ["PT2M", "PT30S"] }),
        json!({ "waits": ["PT1M", "PT30S"], "output": 1 }),
        json!({ "waits": ["PT1M", "PT30S"], "states": ["A"] }),
        json!({ "output": 1 }),
        json!({ "states": ["A"] }),
        json!({ "status": "completed" }),
        json!({ "instances": 1 }),
    ] {
        assert!(judged(&wrong, &failed).is_err(), "{wrong}");
    }
}

#[test]
fn at_wants_a_start_at_that_time() {
    let at = json!({ "at": "2020-03-20T09:00:00Z" });
    let none = json!({ "instances": 0 });
    let started = line(json!({ "output": {} }));
    assert_eq!(judged(&at, &started), Ok(()));
    assert!(judged(&none, &started).is_err());
    let mut late = started.clone();
    late["events"][0]["at"] = json!(5.0);
    assert!(judged(&at, &late).is_err());
    let refused = json!({ "result": { "error": "Workflow.Inactive", "cause": "c" }, "calls": [], "events": [] });
    assert!(judged(&at, &refused).is_err());
    assert_eq!(judged(&none, &refused), Ok(()));
    // Outside of its interval a workflow has no start, whatever the time.
    let both = json!({ "at": "2020-03-20T16:00:00Z", "instances": 0 });
    assert_eq!(judged(&both, &refused), Ok(()));
    assert!(judged(&both, &started).is_err());
}

#[test]
fn each_of_several_executions_has_the_output() {
    let mut two = line(json!({ "output": 2 }));
    two["events"] = json!([
        { "kind": "ExecutionStarted" },
        { "kind": "ExecutionStarted" },
        { "kind": "ExecutionSucceeded", "value": 2 },
        { "kind": "ExecutionSucceeded", "value": 2 },
    ]);
    assert_eq!(judged(&json!({ "instances": 2, "output": 2 }), &two), Ok(()));
    two["events"][2]["value"] = json!(1);
    assert!(judged(&json!({ "instances": 2, "output": 2 }), &two).is_err());
}

#[test]
fn further_runs_are_judged_by_themselves() {
    let expect = json!({ "E": { "then": "fails" }, "F": { "retries": 1 } });
    let run = |error: &str, calls: usize| {
        let calls: Vec<Value> =
            (0..calls).map(|at| json!({ "state": "A", "task": "f", "resource": "r", "at": at })).collect();
        json!({ "result": { "error": error, "cause": "c" }, "calls": calls, "events": [] })
    };
    let judged_with = |also: Value| {
        let mut line = line(json!({ "error": "E", "cause": "c" }));
        line["also"] = also;
        judged(&expect, &line)
    };
    assert_eq!(judged_with(json!([run("E", 1), run("F", 2)])), Ok(()));
    assert!(judged_with(json!([run("E", 1), run("F", 3)])).is_err());
    assert!(judged_with(json!([run("F", 1), run("F", 2)])).is_err());
    assert!(judged_with(json!([run("E", 1)])).is_err(), "a run is missing");
}

#[test]
fn definitions_are_values_in_both_languages() {
    assert_eq!(tree("a.yaml", "a: [1, x]\n"), Ok(json!({ "a": [1, "x"] })));
    assert_eq!(tree("a.json", "{\"a\": null}"), Ok(json!({ "a": null })));
    assert!(tree("a.json", "{").is_err());
}
