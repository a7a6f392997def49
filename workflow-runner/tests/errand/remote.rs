//! Commands while a server has the database: the server carries them out.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::{Duration, Instant};

use workflow_runtime::{Value, include_workflow, value};
use workflow_sqlite::Engine;

use crate::program::{Place, Program};
use crate::{STRUCTURED, waits};

include_workflow!("tests/errand/flows/ask.asl.json");

/// Starts an execution that waits for a token, and returns the token, which the server does not
/// show.
pub fn asks(place: &Place, server: &Program, id: &str) -> String {
    assert_eq!(server.post(&format!("/ask?id={id}"), "", "{}").status, 201);
    token_of(place, id)
}

/// Waits until an execution waits for a token, and returns the token.
pub fn token_of(place: &Place, id: &str) -> String {
    for _ in 0..500 {
        let (status, text, error) = place.run(&["show", id, "--format", "json"]);
        assert_eq!(status, 0, "{error}");
        let shown = Value::from_json(&text).expect("JSON");
        let waiting = shown.get("waiting").and_then(|waiting| waiting.as_array()?.first().cloned()).unwrap_or_default();
        if waiting.get("for") == Some(&"token".into()) {
            return waiting.get("token").and_then(Value::as_str).expect("a token").to_owned();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("`{id}` never waits for a token");
}

pub fn a_server_carries_out_outcomes_by_token() {
    let place = Place::new("remote-tokens");
    let mut server = place.serve(&[]);
    let saved = "outcome saved: the execution continues\n";
    let (one, two) = (asks(&place, &server, "one"), asks(&place, &server, "two"));
    assert_eq!(place.run(&["fail", &two, "--error", "No", "--cause", "late"]), (0, saved.to_owned(), String::new()));
    let failed = server.get("/executions/two/result?wait=30s");
    assert_eq!(failed.at(&["outcome"]), value!({"error": "No", "cause": "late"}));
    // Without heartbeats the task fails after two seconds.
    let until = Instant::now() + Duration::from_secs(3);
    while Instant::now() < until {
        let beat = place.run(&["heartbeat", &one]);
        assert_eq!(beat, (0, "heartbeat recorded\n".to_owned(), String::new()));
        std::thread::sleep(Duration::from_millis(400));
    }
    assert_eq!(place.run(&["succeed", &one, r#"{"yes": true}"#]), (0, saved.to_owned(), String::new()));
    let succeeded = server.get("/executions/one/result?wait=30s");
    assert_eq!(succeeded.at(&["outcome", "output"]), value!({"yes": true}));
    let commands = [&["succeed", &one][..], &["fail", &one, "--error", "No"], &["heartbeat", "a/b"]];
    let refused = commands.map(|command| place.run(command));
    assert_eq!(refused[0], (2, String::new(), "error: no task waits for an outcome by this token\n".to_owned()));
    server.kill();
    // Without a server the commands answer the same.
    assert_eq!(commands.map(|command| place.run(command)), refused);
    let server = place.serve(&[]);
    let three = asks(&place, &server, "three");
    drop(server);
    let (status, _, error) = place.run(&["heartbeat", &three]);
    assert!(status == 2 && error.contains("a heartbeat needs a running `serve`"), "{error}");
}

pub fn a_server_carries_out_commands_on_executions() {
    let place = Place::new("remote-commands");
    let mut server = place.serve(&[]);
    waits(&server, "one", 3);
    assert_eq!(server.post("/errand?id=train%20%C3%BC7", "", r#"{"do": "work"}"#).status, 201);
    let event = ["--type", "payment", "--source", "/bank", "--subject", "paid", "--id"];
    let with = |command: &[&'static str], id: &'static str| [command, &event, &[id]].concat();
    let done = |text: &str| (0, format!("{text}\n"), String::new());
    let send = with(&["send", "one"], "1");
    assert_eq!(place.run(&send), done("event saved: the execution receives it"));
    assert_eq!(place.run(&with(&["publish"], "2")), done("event saved for 2 executions"));
    // Unlike a client of the server, the command starts no executions.
    let placed = ["publish", "--type", "order.placed", "--source", "/shop"];
    assert_eq!(place.run(&placed), done("event saved for 0 executions"));
    server.until("/executions/one", |answer| answer.body.to_string().contains("\"for\":\"event\""));
    assert_eq!(place.run(&["cancel", "train ü7", "--cause", "not needed"]), done("`train ü7` was cancelled"));
    let cancelled = server.get("/executions/train%20%C3%BC7/result");
    assert_eq!(cancelled.at(&["outcome", "cause"]), "not needed".into());

    let (send_none, unwanted) = (with(&["send", "none"], "3"), ["send", "one", "--type", "refund", "--source", "/x"]);
    let commands: [&[&str]; 6] = [
        &send,
        &send_none,
        &unwanted,
        &["cancel", "train ü7"],
        &["cancel", "none"],
        &["redrive", "train ü7", "--detach", "--progress", "none"],
    ];
    let refused = commands.map(|command| place.run(command));
    let expected = "duplicate event: `one` already received an event with this source and id";
    assert_eq!(refused[0], done(expected));
    assert!(refused[1..].iter().all(|(status, out, _)| *status == 2 && out.is_empty()), "{refused:?}");
    assert_eq!(refused[3].2, "error: the execution `train ü7` was cancelled and cannot be cancelled\n");

    for (command, expected) in [
        (&["send", "one", "--events-known-for", "1h", "--type", "t", "--source", "/s"][..], "pass it to `serve`"),
        (&["redrive", "one", "--sink", "http://127.0.0.1:1/"], "--sink"),
        (
            &["redrive", "one", "--store", "orders=folder:orders"],
            if cfg!(feature = "stores") { "has the database: it is an option of `serve`" } else { "--store" },
        ),
    ] {
        let (status, out, error) = place.run(command);
        assert!(status == 2 && out.is_empty() && error.contains(expected), "{command:?}: {error}");
    }
    server.kill();
    assert_eq!(commands.map(|command| place.run(command)), refused, "as without a server");
}

pub fn a_server_redrives_executions() {
    let place = Place::new("remote-redrive");
    let server = place.serve(&[]);
    let start = |id: &str| server.post(&format!("/refund?id={id}&wait=30s"), "", "{}").text("status").to_owned();
    assert_eq!((start("one"), start("two")), ("failed".to_owned(), "failed".to_owned()));
    let (status, out, error) = place.run(&["redrive", "one"]);
    assert_eq!((status, out.as_str()), (1, ""), "{error}");
    assert!(error.contains("the server at http://127.0.0.1:") && error.contains("the execution failed: "), "{error}");
    assert!(error.contains("use `show one` for details"), "{error}");
    std::fs::write(place.file("paid-back"), "").expect("a file");
    let redriven = place.run(&["redrive", "one", "--progress", "none"]);
    assert_eq!(redriven, (0, "\"s3cret\"\n".to_owned(), String::new()));
    assert_eq!(place.run(&["redrive", "two", "--detach"]), (0, "`two` continues\n".to_owned(), String::new()));
    let result = server.get("/executions/two/result?wait=30s");
    assert_eq!(result.text("status"), "succeeded");
}

const NOTHING: &str = r#"{"do": "wait", "events": 0}"#;
const WORK: &str = r#"{"do": "work"}"#;

pub fn a_server_runs_executions() {
    let place = Place::new("remote-run");
    let server = place.serve(&[]);
    let quiet = |arguments: &[&str]| place.run(&[&["run", "--progress", "none"], arguments].concat());
    let output = (0, "{\"do\":\"wait\",\"events\":0}\n".to_owned(), String::new());
    let (status, out, error) = place.run(&["run", "--id", "a b&c", "--input", NOTHING]);
    assert_eq!((status, &out), (0, &output.1), "{error}");
    assert_eq!(error, format!("the server at http://{} runs the execution `a b&c`\n", server.address()));
    assert_eq!(server.get("/executions/a%20b%26c").text("status"), "succeeded");
    // An equal request and the id alone stand for the same execution, and another input does not.
    assert_eq!(quiet(&["--id", "a b&c", "--input", NOTHING]), output);
    assert_eq!(quiet(&["--id", "a b&c"]), output);
    let (status, out, error) = quiet(&["--id", "a b&c", "--input", WORK]);
    assert!(status == 2 && out.is_empty() && error.contains("the execution `a b&c` already exists"), "{error}");
    // A key with spaces and quotes around it is the same key as without a server.
    let key = " \"k\" ";
    assert_eq!(quiet(&["--id", "keyed", "--key", key, "--input", NOTHING]), output);
    assert_eq!(server.get("/executions/keyed").text("key"), key);
    assert_eq!(quiet(&["--key", key]), output);
    let listed = server.get("/executions").at(&["executions"]);
    assert_eq!(listed.as_array().map(|listed| listed.len()), Some(2), "{listed}");
    for (more, expected) in [
        (&["--set", "a=1"][..], "`--set` cannot be used while the server at http://127.0.0.1:"),
        (&["--deployed-at", "2026-01-31T12:30:00Z"], "has the database: it is an option of `serve`"),
        (&["--sink", "http://127.0.0.1:1/"], "--sink"),
        (&["--history", "new.jsonl"], "has the database: use `history ID`"),
        (&["--callback-port", "auto"], "has the database: use `succeed TOKEN` or `fail TOKEN`"),
        (&["--correlate", "order=17"], "its events have no correlation attributes"),
    ] {
        let (status, out, error) = quiet(&[&["--id", "refused", "--input", NOTHING], more].concat());
        assert!(status == 2 && out.is_empty() && error.contains(expected), "{more:?}: {error}");
    }
    assert_eq!(server.get("/executions/refused").status, 404);
    let place = Place::new("each-remote");
    let server = place.serve(&[]);
    let run = place.begin(&["run", "--id", "x", "--correlate", "order=17", "--input", "{}"]);
    server.until("/executions/x", |answer| answer.text("status") == "running");
    for (id, kind) in [("1", "order.placed"), ("2", "order.paid")] {
        let event = value!({"specversion": "1.0", "id": id, "source": "/shop", "type": kind, "order": "17"});
        assert_eq!(server.post("/executions/x/events", STRUCTURED, &event.to_string()).status, 202);
    }
    let (status, out, error) = run.end();
    assert_eq!((status, out.as_str()), (0, "[\"1\",\"2\"]\n"), "{error}");
}

/// Checks the failure of an execution that the server runs, and the interruption of the command.
pub fn the_end_of_an_execution_on_a_server_is_reported() {
    let place = Place::new("permit-remote");
    let server = place.serve(&[]);
    let mut run = place.begin(&["run", "--id", "one", "--input", "{}"]);
    run.line("runs the execution `one`");
    let token = token_of(&place, "one");
    assert_eq!(place.run(&["fail", &token, "--error", "No"]).0, 0);
    let (status, out, error) = run.end();
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(error.starts_with("the execution failed: No\nuse `show one` for details"), "{error}");
    #[cfg(unix)]
    {
        let mut run = place.begin(&["run", "--id", "two", "--input", "{}"]);
        run.line("runs the execution `two`");
        run.signal("INT");
        let interrupted = (130, String::new(), "interrupted: the execution `two` continues on the server\n".to_owned());
        assert_eq!(run.end(), interrupted);
        server.until("/executions/two", |answer| answer.text("status") == "running");
    }
    drop(server);
}

pub fn a_server_purges_executions() {
    let place = Place::new("remote-purge");
    let server = place.serve(&[]);
    for id in ["one", "two"] {
        let answer = server.post(&format!("/errand?id={id}&wait=30s"), "", NOTHING);
        assert_eq!(answer.text("status"), "succeeded", "{}", answer.body);
    }
    waits(&server, "waits", 1);
    let done = |text: &str| (0, format!("{text}\n"), String::new());
    assert_eq!(place.run(&["purge", "--older-than", "1h"]), done("removed 0 executions"));
    let purged = place.run(&["purge", "--older-than", "0s", "--history"]);
    assert_eq!(purged, done("removed the histories of 2 executions"));
    assert_eq!(place.run(&["purge", "--older-than", "0s"]), done("removed 2 executions"));
    assert_eq!(server.get("/executions/one").status, 404);
    assert_eq!(server.get("/executions/waits").status, 200);
    let purge = |query: &str| server.post(&format!("/executions/purge{query}"), "", "");
    let missing = purge("");
    assert_eq!(
        (missing.status, missing.text("error")),
        (400, "the parameter `older-than` is missing: write `?older-than=30d`")
    );
    assert_eq!(purge("?older-than=old").status, 400);
    assert_eq!(purge("?older-than=1d&history=perhaps").status, 400);
    assert_eq!(purge("?older-than=0s").at(&["executions"]), 0.into());
    // `purge` is also the id of an execution.
    assert_eq!(server.post("/errand?id=purge", "", NOTHING).status, 201);
    assert_eq!(server.get("/executions/purge").text("id"), "purge");
}

pub fn a_server_with_a_token_needs_it() {
    let place = Place::new("remote-token");
    std::fs::write(place.file("token"), "s3cret\n").expect("a file");
    std::fs::write(place.file("wrong"), "other\n").expect("a file");
    // It listens on all addresses, and is reached on this machine.
    let server = place.serve(&["--listen", "0.0.0.0:0", "--token-file", "token"]);
    let bearer = "Authorization: Bearer s3cret\r\n";
    assert_eq!(server.post("/errand?id=one", bearer, r#"{"do": "work"}"#).status, 201);
    let refused = |more: &[&str]| {
        let (status, out, error) = place.run(&[&["cancel", "one"], more].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{error}");
        assert!(!error.contains("s3cret"), "{error}");
        error
    };
    assert!(refused(&[]).contains("requires its token: add `--token-env NAME` or `--token-file FILE`"));
    assert!(refused(&["--token-file", "wrong"]).contains("rejects this token"));
    let cancelled = place.run(&["cancel", "one", "--token-file", "token"]);
    assert_eq!(cancelled, (0, "`one` was cancelled\n".to_owned(), String::new()));
    let run = ["run", "--input", NOTHING, "--progress", "none"];
    let (status, out, error) = place.run(&run);
    assert!(status == 2 && out.is_empty() && error.contains("requires its token: add `--token-env NAME`"), "{error}");
    let (status, _, error) = place.run(&[&run[..], &["--token-file", "token"]].concat());
    assert_eq!((status, error.as_str()), (0, ""));
    assert_eq!(place.run(&["purge", "--older-than", "1d"]).0, 2);
    assert_eq!(place.run(&["purge", "--older-than", "1d", "--token-file", "token"]).0, 0);
    // The token of a task is enough for its outcome.
    assert_eq!(place.run(&["succeed", "none"]).2, "error: no task waits for an outcome by this token\n");
}

pub fn a_server_that_does_not_answer_is_an_error() {
    let place = Place::new("remote-silent");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let engine = runtime.block_on(Engine::at(place.file("errand.db")).open()).expect("a database");
    let cancel = |address: &str| {
        engine.announce(address);
        let (status, out, error) = place.run(&["cancel", "one"]);
        assert_eq!((status, out.as_str()), (2, ""), "{error}");
        error
    };
    let listen = || {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        (listener, address)
    };
    // Nobody accepts the connection.
    let (_silent, address) = listen();
    let error = cancel(&address);
    assert!(
        error.contains("does not respond within 10 seconds: the server may still have processed the request"),
        "{error}"
    );
    let (listener, address) = listen();
    let stranger = std::thread::spawn(move || {
        let answers: [&[u8]; 4] = [
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\n{}",
            b"SSH-2.0\r\n",
            b"",
        ];
        for answer in answers {
            let (mut stream, _) = listener.accept().expect("a connection");
            let _read = stream.read(&mut [0; 4_096]).expect("a request");
            stream.write_all(answer).expect("it is read");
        }
    });
    for expected in [
        "responded with status 200: it is not the server",
        "responded with status 404: it is not the server",
        "has not responded: ",
        "has not responded: ",
    ] {
        let error = cancel(&address);
        assert!(error.contains(expected) && error.contains(&address), "{error}");
    }
    stranger.join().expect("all have asked");
    let error = cancel(&address);
    assert!(error.contains("which has the database, does not respond: "), "{error}");
    assert!(cancel("http://example.org:80").contains("the address of the server that has the database is invalid"));
    runtime.block_on(engine.shut_down(Duration::ZERO));
}
