//! Documents with a long text form: none leaves the program, and answers have a limit.

use std::time::{Duration, Instant};

use workflow_runtime::{include_workflow, value};

use crate::program::Place;

include_workflow!("tests/errand/flows/doubling.asl.json");

const EXCEEDED: &str = "States.DataLimitExceeded";

/// Checks documents that double: sixty steps make a document of 2^60 leaves in a few hundred
/// bytes. It cannot become the output or the input of a task. The history shows the beginning of
/// the growing documents.
pub fn what_doubles_leaves_by_no_exit() {
    let started = Instant::now();
    let place = Place::new("doubling");
    for then in ["end", "task"] {
        let input = value!({ "v": 1, "n": 60, "then": then }).to_string();
        let history = format!("{then}.history");
        let (code, out, errors) = place.run(&["run", "--input", &input, "--history", &history, "--progress", "lines"]);
        assert_ne!(code, 0);
        assert!(out.is_empty() && errors.contains(EXCEEDED), "{errors}");
        let history = std::fs::metadata(place.file(&history)).expect("a history").len();
        // A payload has a mebibyte at most, and each payload is twice as large as the one before
        // it.
        assert!((4 << 20..16 << 20).contains(&history), "{history} bytes");
    }
    let server = place.serve(&[]);
    for then in ["end", "task"] {
        let input = value!({ "v": 1, "n": 60, "then": then }).to_string();
        let answer = server.post(&format!("/doubling?id={then}&wait=30s"), "", &input);
        assert_eq!(answer.at(&["outcome", "error"]), value!(EXCEEDED), "{}", answer.body);
        for path in ["", "/result", "/history"] {
            assert_eq!(server.get(&format!("/executions/{then}{path}")).status, 200, "{path}");
        }
        for command in [["show"].as_slice(), &["show", "--format", "json"], &["history"]] {
            let (code, out, errors) = place.run(&[command, &[then]].concat());
            assert!(code == 0 && out.contains(EXCEEDED), "{errors}");
        }
    }
    assert!(started.elapsed() < Duration::from_secs(60), "it took {:?}", started.elapsed());
}

pub fn a_large_input_is_shown_by_its_beginning() {
    let place = Place::new("doubling-large");
    let server = place.serve(&[]);
    let input = value!({ "v": "x".repeat(900_000), "n": 0, "then": "end" }).to_string();
    assert_eq!(server.post("/doubling?id=large&wait=30s", "", &input).status, 201);
    let (code, out, errors) = place.run(&["show", "large"]);
    assert!(code == 0 && out.contains("xxxx") && out.len() < 200_000, "{} bytes: {errors}", out.len());
}

pub fn an_answer_has_a_limit() {
    let place = Place::new("doubling-answers");
    let server = place.serve(&["--max-answer", "2KB"]);
    let input = |length: usize| value!({ "v": "x".repeat(length), "n": 0, "then": "end" }).to_string();
    assert_eq!(server.post("/doubling?id=small&wait=30s", "", &input(600)).status, 201);
    assert_eq!(server.get("/executions/small").status, 200);
    // The input and the output together exceed the limit. The outcome alone does not.
    server.post("/doubling?id=medium&wait=30s", "", &input(1_000));
    let refused = server.get("/executions/medium");
    assert_eq!(refused.status, 507);
    assert_eq!(refused.text("error"), "cannot write the response: it has more than 2048 bytes as JSON");
    assert!(refused.text("help").contains("--max-answer"), "{}", refused.body);
    assert_eq!(server.get("/executions/medium/result").status, 200);
    server.post("/doubling?id=large", "", &input(3_000));
    assert_eq!(server.get("/executions/large/result?wait=30s").status, 507);
    assert_eq!(server.get("/executions/small/history?limit=1").status, 200);
    assert_eq!(server.get("/executions/large/history").status, 507);
    // A command reads the outcome from the database.
    let (code, out, errors) = place.run(&["run", "--id", "large"]);
    assert!(code == 0 && out.contains(&"x".repeat(3_000)), "{out}{errors}");
    // A refused run keeps the file of its history.
    let file = place.file("history.jsonl");
    std::fs::write(&file, "kept").expect("a file");
    let (code, _, errors) = place.run(&["run", "--id", "large", "--history", "history.jsonl"]);
    assert!(code == 2 && errors.contains("`--history` cannot be used while the server"), "{errors}");
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "kept");
}
