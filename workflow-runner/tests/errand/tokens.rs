//! `run` of tasks that wait for a token: the process that has the database receives the outcomes.

use std::net::TcpListener;

use workflow_runtime::{include_workflow, value};

use crate::program::{Place, Run, ask};

include_workflow!("tests/errand/flows/permit.asl.json");

/// Reads the announcement of a token. Returns the token, and the address for its outcome.
fn announced(run: &mut Run) -> (String, String) {
    run.line("Permit waits for an answer by its token:");
    let line = run.line("  cargo workflow succeed ");
    let words: Vec<&str> = line.split_whitespace().collect();
    let [_, _, _, token, "--port", port, ..] = words[..] else { panic!("{line}") };
    (token.to_owned(), format!("127.0.0.1:{port}"))
}

fn answer(address: &str, token: &str, kind: &str, body: &str) {
    let answered = ask(address, &format!("POST /callbacks/{token}/{kind}"), "", body);
    // The run may end before its endpoint has answered.
    assert!(answered.is_none_or(|answer| answer.status == 204), "{kind}");
}

pub fn a_run_receives_outcomes_by_token() {
    for (name, more) in [("kept", &[][..]), ("memory", &["--memory"])] {
        let place = Place::new(&format!("permit-{name}"));
        let run = |id: &str| place.begin(&[&["run", "--progress", "none", "--input", "{}", "--id", id], more].concat());
        let mut succeeds = run("one");
        let (token, address) = announced(&mut succeeds);
        answer(&address, &token, "heartbeat", "");
        answer(&address, &token, "succeed", r#"{"yes": true}"#);
        let (status, out, error) = succeeds.end();
        assert_eq!((status, out.as_str()), (0, "{\"yes\":true}\n"), "{error}");
        let mut fails = run("two");
        let (token, address) = announced(&mut fails);
        answer(&address, &token, "fail", &value!({"error": "No", "cause": "late"}).to_string());
        let (status, _, error) = fails.end();
        assert!(status == 1 && error.contains("the execution failed: No: late"), "{error}");
    }
}

pub fn the_port_of_a_run_can_be_chosen() {
    let place = Place::new("permit-port");
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let (status, _, error) = place.run(&["run", "--input", "{}", "--callback-port", &port]);
    assert!(status == 2 && error.contains(&format!("cannot listen on 127.0.0.1:{port}: ")), "{error}");
    drop(taken);
    let mut run = place.begin(&["run", "--input", "{}", "--callback-port", &port]);
    let (token, address) = announced(&mut run);
    assert_eq!(address, format!("127.0.0.1:{port}"));
    answer(&address, &token, "succeed", "7");
    assert_eq!(run.end().1, "7\n");
    let (status, _, error) = place.run(&["run", "--callback-port", "0"]);
    assert!(status == 2 && error.contains("expected a port from 1 to 65535, or `auto`"), "{error}");
}

#[cfg(unix)]
pub fn a_resumed_run_announces_what_it_waits_for() {
    let place = Place::new("permit-resumed");
    let mut first = place.begin(&["run", "--id", "one", "--input", "{}"]);
    let (token, _) = announced(&mut first);
    first.signal("INT");
    let (status, _, error) = first.end();
    // The database keeps the wait, so that nothing was cut off.
    assert!(status == 130 && error.contains("was interrupted and saved") && !error.contains("repeats"), "{error}");
    let mut second = place.begin(&["run", "--id", "one"]);
    let (again, address) = announced(&mut second);
    assert_eq!(again, token);
    answer(&address, &token, "succeed", "7");
    assert_eq!(second.end().1, "7\n");
    // An outcome that has arrived in the meantime is not asked for again.
    let mut third = place.begin(&["run", "--id", "two", "--input", "{}"]);
    let (token, _) = announced(&mut third);
    third.signal("INT");
    assert_eq!(third.end().0, 130);
    assert_eq!(place.run(&["succeed", &token, "8"]).0, 0);
    let resumed = place.run(&["run", "--id", "two", "--progress", "none"]);
    assert_eq!(resumed, (0, "8\n".to_owned(), String::new()));
}
