//! Runs with tasks that wait for an outcome by token.

use super::common::{Done, Folder, cache};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStderr, Command, Stdio};

const ASK: &str = r#"{
  "StartAt": "Ask",
  "States": {
    "Ask": {
      "Type": "Task", "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken",
      "Parameters": { "token.$": "$$.Task.Token" }, "TimeoutSeconds": 120, "End": true
    }
  }
}
"#;

/// A run that waits for an answer.
struct Waiting {
    run: Child,
    errors: BufReader<ChildStderr>,
    token: String,
    port: String,
}

impl Waiting {
    /// Starts a run, and reads how to answer.
    fn start(folder: &Folder, arguments: &[&str]) -> Waiting {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-workflow"));
        command.args(["run", "ask.asl.json", "--progress", "none"]).args(arguments).current_dir(&folder.0);
        command.env("WORKFLOW_CACHE_DIR", cache()).stdin(Stdio::null());
        let mut run = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let errors = BufReader::new(run.stderr.take().expect("a pipe"));
        let mut waiting = Waiting { run, errors, token: String::new(), port: String::new() };
        waiting.read_announcement();
        waiting
    }

    fn read_announcement(&mut self) {
        let mut read = String::new();
        while self.token.is_empty() {
            let mut line = String::new();
            assert!(self.errors.read_line(&mut line).expect("text") > 0, "no way to answer: {read}");
            read.push_str(&line);
            let words: Vec<&str> = line.split_whitespace().collect();
            if let ["cargo", "workflow", "succeed", token, "--port", port, ..] = words[..] {
                (self.token, self.port) = (token.to_owned(), port.to_owned());
            }
        }
        assert!(read.contains("Ask waits for an answer by its token:\n"), "{read}");
    }

    /// Answers with `cargo workflow`.
    fn answer(&self, folder: &Folder, what: &str, more: &[&str]) -> Done {
        folder.run([&[what, &self.token, "--port", &self.port], more].concat())
    }

    /// Posts to the port of the run, and returns the answer.
    fn post(&self, path: &str, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{}", self.port)).expect("a connection");
        let length = body.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\n{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).expect("it is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        answer
    }

    /// Waits for the end. Returns the exit status, standard output and the rest of standard error.
    fn end(mut self) -> (Option<i32>, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        self.errors.read_to_string(&mut err).expect("text");
        self.run.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
        (self.run.wait().expect("it ends").code(), out, err)
    }
}

#[cfg(unix)]
#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_task_that_waits_for_its_token_is_answered_from_outside() {
    let _building = super::building();
    let folder = Folder::new("answers").with("ask.asl.json", ASK);
    // The output of the command does not count.
    let ask = ["--task", "Ask=echo '\"ignored\"'"];

    let waiting = Waiting::start(&folder, &ask);
    let path = format!("/callbacks/{}/succeed", waiting.token);
    let foreign = waiting.post(&path, "Origin: https://example.org\r\n", "1");
    assert!(foreign.starts_with("HTTP/1.1 403 ") && foreign.contains("web pages"), "{foreign}");
    assert!(waiting.post("/executions", "", "").starts_with("HTTP/1.1 404 "));
    let wrong = waiting.post(&path, "", "{");
    assert!(wrong.starts_with("HTTP/1.1 400 "), "{wrong}");
    let answered = waiting.post(&path, "", r#"{"by": "http", "body": 1.5}"#);
    assert!(answered.starts_with("HTTP/1.1 204 "), "{answered}");
    let (status, out, _) = waiting.end();
    assert_eq!((status, out.as_str()), (Some(0), "{\"by\":\"http\",\"body\":1.5}\n"));

    let waiting = Waiting::start(&folder, &ask);
    let unknown = folder.run(["succeed", "none", "--port", &waiting.port]);
    assert_eq!(unknown.status, 2);
    assert!(
        unknown.err.starts_with("error: no task waits for an outcome by this token\n  = help: "),
        "{}",
        unknown.err
    );
    let alive = waiting.answer(&folder, "heartbeat", &[]);
    assert_eq!((alive.status, alive.err.as_str()), (0, "heartbeat recorded\n"));
    let done = waiting.answer(&folder, "succeed", &["--output", r#"{"by": "command"}"#]);
    assert_eq!((done.status, done.out.as_str(), done.err.as_str()), (0, "", "outcome delivered\n"));
    let port = waiting.port.clone();
    let (status, out, _) = waiting.end();
    assert_eq!((status, out.as_str()), (Some(0), "{\"by\":\"command\"}\n"));
    let gone = folder.run(["succeed", "none", "--port", &port]);
    assert!(gone.status == 2 && gone.err.contains("cannot deliver the outcome to 127.0.0.1:"), "{}", gone.err);

    let waiting = Waiting::start(&folder, &ask);
    let done = waiting.answer(&folder, "fail", &["--error", "Refused", "--cause", "not this week"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let (status, out, err) = waiting.end();
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(err.ends_with("the execution failed: Refused: not this week\n"), "{err}");

    // A command that fails has handed nothing over.
    let run = |task: &str| folder.run(["run", "ask.asl.json", "--progress", "none", "--task", task]);
    let done = run("Ask=echo nobody is there >&2; exit 4");
    assert_eq!((done.status, done.err.as_str()), (1, "the execution failed: ExitStatus.4: nobody is there\n"));
    // A command can answer before it ends.
    let done = run("Ask=curl -s -X POST \"$WORKFLOW_CALLBACK_URL/succeed\" -d \"\\\"$WORKFLOW_TASK_TOKEN\\\"\"");
    assert_eq!((done.status, done.err.as_str(), done.out.len()), (0, "", 39), "{}", done.out);
}

#[cfg(unix)]
#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_token_outlives_the_run_of_an_execution_in_a_database() {
    let _building = super::building();
    let folder = Folder::new("answered-later").with("ask.asl.json", ASK);
    let kept = ["--db", "ask.db", "--id", "a", "--task", "Ask=cat > asked.json"];
    let waiting = Waiting::start(&folder, &kept);
    let token = waiting.token.clone();
    let interrupted = Command::new("kill").args(["-INT", &waiting.run.id().to_string()]).status();
    assert!(interrupted.expect("it runs").success());
    let (status, out, err) = waiting.end();
    assert_eq!((status, out.as_str()), (Some(130), ""), "{err}");
    assert!(folder.read("asked.json").contains(&token));

    let waiting = Waiting::start(&folder, &[&kept[..4], &["--task", "Ask=exit 1"]].concat());
    assert_eq!(waiting.token, token);
    let done = waiting.answer(&folder, "succeed", &[]);
    assert_eq!(done.status, 0, "{}", done.err);
    let (status, out, err) = waiting.end();
    assert_eq!((status, out.as_str()), (Some(0), "null\n"), "{err}");
}

#[test]
fn mistakes_in_answers_are_reported() {
    let echo = r#"{ "StartAt": "A", "States": { "A": { "Type": "Pass", "End": true } } }"#;
    let folder = Folder::new("wrong-answers").with("echo.asl.json", echo);
    for (arguments, expected) in [
        (&["succeed"][..], "error: `succeed` needs the token of a task\n"),
        (&["succeed", "a", "b"], "error: unexpected argument `b`\n"),
        (&["succeed", "a", "--error", "b"], "error: unknown option `--error`\n"),
        (&["succeed", "a", "--output", "{"], "error: the output from `--output` is not JSON: "),
        (&["succeed", "a", "--port", "0"], "error: `--port 0`: expected a port from 1 to 65535\n"),
        (&["fail", "a"], "error: `fail` needs an error name\n"),
        (
            &["run", "echo.asl.json", "--callback-port", "8067"],
            "error: `--callback-port 8067`: no task of the definition ",
        ),
    ] {
        let done = folder.run(arguments);
        assert_eq!((done.status, done.out.as_str()), (2, ""), "{arguments:?}");
        assert!(done.err.starts_with(expected), "{arguments:?}\n{}", done.err);
    }
}
