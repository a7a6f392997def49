//! Changes of runs of distributed Maps, over HTTP and by the command `update`.

use workflow_runtime::{Value, include_workflow};

use crate::program::{Answer, Place};

include_workflow!("tests/errand/flows/spread.asl.json");

/// Returns the numbers of pending and running items that an answer shows.
pub fn items(answer: &Answer) -> Option<(i64, i64)> {
    let waiting = answer.at(&["waiting"]);
    let items = waiting.as_array()?.iter().find_map(|waits| waits.get("items").cloned())?;
    let count = |name: &str| items.get(name).and_then(Value::as_i64);
    Some((count("pending")?, count("running")?))
}

pub fn a_map_run_is_changed_while_it_runs() {
    let place = Place::new("spread-update");
    let mut server = place.serve(&[]);
    assert_eq!(server.post("/spread?id=one", "", "[1, 2, 3, 4, 5, 6]").status, 201);
    let run = "/executions/one.1-0";
    server.until(run, |answer| items(answer) == Some((5, 1)));
    let updated = place.run(&["update", "one.1-0", "--max-concurrency", "3"]);
    assert_eq!(updated, (0, "`one.1-0` was updated\n".to_owned(), String::new()));
    server.until(run, |answer| items(answer) == Some((3, 3)));
    let update = |id: &str, body: &str| server.post(&format!("/executions/{id}/update"), "", body);
    let answer = update("one.1-0", r#"{"MaxConcurrency": 4, "ToleratedFailurePercentage": 5}"#);
    assert_eq!((answer.status, answer.text("status")), (202, "running"), "{}", answer.body);
    server.until(run, |answer| items(answer) == Some((2, 4)));

    let no_run =
        "the execution `one` is not the run of a distributed Map: the id of a run is in the description of its parent";
    for (id, body, status, error) in [
        ("one", r#"{"MaxConcurrency": 4}"#, 422, no_run),
        ("none", r#"{"MaxConcurrency": 4}"#, 404, "execution `none` not found"),
        ("one.1-0", r#"{"MaxConcurrency": 10001}"#, 422, "MaxConcurrency must be between 0 and 10000, and is 10001"),
        ("one.1-0", "{}", 422, "the update changes nothing"),
        ("one.1-0", r#"{"MaxConcurrency": -1}"#, 422, "an update has the fields MaxConcurrency"),
        ("one.1-0", r#"{"Concurrency": 1}"#, 422, "an update has the fields MaxConcurrency"),
    ] {
        let answer = update(id, body);
        assert_eq!(answer.status, status, "{body}: {}", answer.body);
        assert!(answer.text("error").starts_with(error), "{}", answer.body);
    }
    let refused = place.run(&["update", "one", "--tolerated-failures", "1"]);
    assert_eq!((refused.0, refused.2), (2, format!("error: {no_run}\n")));
    server.kill();

    // Without a server the commands answer the same, and the change waits for the next process.
    let refused = place.run(&["update", "one", "--tolerated-failures", "1"]);
    assert_eq!((refused.0, refused.2), (2, format!("error: {no_run}\n")));
    for (arguments, error) in [
        (&["update", "one.1-0"][..], "`update` needs a change: add `--max-concurrency N`"),
        (&["update", "--max-concurrency", "1"], "`update` needs ID: write `update ID`"),
        (&["update", "one.1-0", "--max-concurrency", "-1"], "`--max-concurrency -1`: expected a whole number from 0"),
        (&["update", "one.1-0", "--max-concurrency", "1.5"], "`--max-concurrency 1.5`: expected a whole number from 0"),
        (
            &["update", "one.1-0", "--tolerated-percentage", "few"],
            "`--tolerated-percentage few`: expected a number from 0 to 100",
        ),
        (&["update", "one.1-0", "--max-concurrency", "10001"], "MaxConcurrency must be between 0 and 10000"),
        (
            &["update", "one.1-0", "--tolerated-percentage", "101"],
            "ToleratedFailurePercentage must be between 0 and 100",
        ),
    ] {
        let (status, _, text) = place.run(arguments);
        assert!(status == 2 && text.contains(error), "{arguments:?}: {status} {text}");
    }
    let (status, text, error) = place.run(&["update", "one.1-0", "--max-concurrency", "0"]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(text.starts_with("`one.1-0` is updated when it runs next"), "{text}");
    let server = place.serve(&[]);
    server.until(run, |answer| items(answer) == Some((0, 6)));
    assert_eq!(server.post("/executions/one/cancel", "", "").status, 202);
    let ended = server.until(run, |answer| answer.text("status") == "cancelled");
    let count = |name: &str| ended.at(&["items", name]).as_i64();
    let counts = ["pending", "running", "succeeded", "failed"].map(count);
    assert_eq!(counts, [Some(0), Some(0), Some(0), Some(6)], "{}", ended.body);
}
