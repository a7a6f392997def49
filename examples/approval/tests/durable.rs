//! Tests of the program itself: executions that survive restarts, over HTTP and by commands.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use workflow_runtime::Value;

/// The folder of a test, with the database of the program.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Place(folder)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_approval"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Runs a command. Returns its status and its output.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    fn serve(&self, arguments: &[&str]) -> Program {
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        let mut program = Program::start(self.command(&[&listen, arguments].concat()));
        let line = program.line("serving approval of ");
        program.address = line.rsplit("http://").next().expect("an address").to_owned();
        program
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A running program. It is killed when the test ends.
struct Program {
    child: Child,
    lines: Mutex<Receiver<String>>,
    address: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Answer {
    status: u16,
    head: String,
    body: Value,
}

impl Answer {
    fn text(&self, name: &str) -> &str {
        self.body.get(name).and_then(Value::as_str).unwrap_or_default()
    }
}

impl Program {
    fn start(mut command: Command) -> Program {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let errors = BufReader::new(child.stderr.take().expect("standard error"));
        let (sender, lines) = channel();
        std::thread::spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Program { child, lines: Mutex::new(lines), address: String::new() }
    }

    /// Returns the next line that begins with `start`.
    fn line(&self, start: &str) -> String {
        loop {
            let line =
                self.lines.lock().expect("nobody else").recv_timeout(Duration::from_secs(30)).expect("a line in time");
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Returns the token in a question.
    fn token(&self) -> String {
        let line = self.line("  to `serve`: POST /callbacks/");
        line.split('/').nth(2).expect("a token").to_owned()
    }

    fn ask(&self, request: &str, head: &str, body: &str) -> Answer {
        let address = &self.address;
        let length = body.len();
        self.send(&format!(
            "{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n{body}"
        ))
    }

    fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), "", "")
    }

    fn post(&self, path: &str, body: &str) -> Answer {
        self.ask(&format!("POST {path}"), "", body)
    }

    fn send(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        // A server that refuses the request may not read all of it.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        let body = if body.is_empty() { Value::Null } else { Value::from_json(body).expect("JSON") };
        Answer { status, head: head.to_ascii_lowercase(), body }
    }

    #[cfg(unix)]
    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status().expect("kill runs");
        assert!(status.success());
    }

    fn ended(&mut self) -> i32 {
        for _ in 0..3_000 {
            if let Some(status) = self.child.try_wait().expect("its status") {
                return status.code().unwrap_or(-1);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("it does not end");
    }
}

const TRAIN: &str = r#"{"employee": "ada", "purpose": "train to Basel", "amount": 180}"#;
const COFFEE: &str = r#"{"employee": "ada", "purpose": "coffee", "amount": 12}"#;

#[test]
fn an_execution_is_served_across_the_end_of_the_server() {
    let place = Place::new("served");
    let mut server = place.serve(&[]);
    let key = "Idempotency-Key: \"train 7\"\r\n";
    let started = server.ask("POST /approval?id=train%20%C3%BC7", key, TRAIN);
    assert_eq!((started.status, started.text("id")), (201, "train ü7"));
    assert!(started.head.contains("\r\nlocation: /executions/train%20%c3%bc7"), "{}", started.head);
    let token = server.token();
    let again = server.ask("POST /approval?id=train%20%C3%BC7", key, TRAIN);
    assert_eq!((again.status, again.text("id")), (200, "train ü7"));
    let reused = server.ask("POST /approval?id=train%20%C3%BC7", key, COFFEE);
    assert_eq!(reused.status, 422, "{}", reused.body);
    assert_eq!(server.post("/approval?id=train%20%C3%BC7", COFFEE).status, 409);

    let answer = server.get("/executions/train%20%C3%BC7");
    assert_eq!((answer.status, answer.text("status")), (200, "running"));
    let waiting = &answer.body.get("waiting").and_then(Value::as_array).expect("what it waits for")[0];
    assert_eq!(waiting.get("state"), Some(&"AskManager".into()));
    assert!(waiting.get("until").is_some() && waiting.get("token").is_none(), "{waiting}");
    let history = server.get("/executions/train%20%C3%BC7/history");
    let history = history.body.to_string();
    assert!(history.contains("\"TaskScheduled\"") && !history.contains(&token), "{history}");
    // The server hides the token also in the data of another execution.
    let other = format!(r#"{{"employee": "ada", "purpose": "{token}", "amount": 20}}"#);
    let answers = server.post("/approval?id=other&wait=30s", &other).body.to_string();
    let answers = answers + &server.get("/executions/other").body.to_string();
    let answers = answers + &server.get("/executions/other/history").body.to_string();
    assert!(answers.contains("[token]") && !answers.contains(&token), "{answers}");
    // The pages of the history make up the whole history.
    let (mut paged, mut after) = (Vec::new(), 0);
    loop {
        let page = server.get(&format!("/executions/train%20%C3%BC7/history?limit=2&after={after}"));
        let events = page.body.get("events").and_then(Value::as_array).expect("events").clone();
        assert!((1..=2).contains(&events.len()));
        paged.extend(events.iter().cloned());
        match page.body.get("next").and_then(Value::as_i64) {
            Some(next) => after = next,
            None => break,
        }
    }
    let all = server.get("/executions/train%20%C3%BC7/history");
    assert_eq!(all.body.get("events"), Some(&Value::from_iter(paged)));
    assert_eq!(server.get("/executions/train%20%C3%BC7/result?wait=100ms").status, 202);
    // A command runs an execution on the server.
    let (status, out, err) = place.run(&["run", "--input", COFFEE, "--id", "coffee"]);
    assert!(status == 0 && out.contains("\"outcome\":\"approved\""), "{out}{err}");
    assert_eq!(err, format!("the server at http://{} runs the execution `coffee`\n", server.address));
    // The error names the process that has the database.
    let (status, _, err) = place.run(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(status == 2 && err.contains(&format!(", which serves http://{})", server.address)), "{err}");

    server.child.kill().expect("it is killed");
    assert_eq!(server.ended(), -1);
    let server = place.serve(&[]);
    assert_eq!(server.post("/callbacks/nobody/succeed", "{}").status, 404);
    assert_eq!(server.post(&format!("/callbacks/{token}/heartbeat"), "").status, 204);
    assert_eq!(server.post(&format!("/callbacks/{token}/succeed"), r#"{"approved": true}"#).status, 204);
    assert_eq!(server.post(&format!("/callbacks/{token}/succeed"), "{}").status, 404);
    let result = server.get("/executions/train%20%C3%BC7/result?wait=30s");
    assert_eq!((result.status, result.text("status")), (200, "succeeded"));
    let output = result.body.get("outcome").and_then(|outcome| outcome.get("output")).expect("an output");
    assert_eq!(output.get("outcome"), Some(&"approved".into()));
    assert_eq!(server.post("/executions/train%20%C3%BC7/cancel", "").status, 409);
    assert_eq!(server.post("/executions/train%20%C3%BC7/redrive", "").status, 409);

    // One execution is cancelled before it begins, and one fails.
    assert_eq!(server.post("/approval?id=later&delay=1h", COFFEE).text("status"), "queued");
    let cancelled = server.post("/executions/later/cancel?wait=10s", r#"{"cause": "not needed"}"#);
    assert_eq!((cancelled.status, cancelled.text("status")), (200, "cancelled"));
    let failed = server.post("/approval?id=odd&wait=30s", "{}");
    assert_eq!((failed.status, failed.text("status")), (201, "failed"));
    assert_eq!(server.post("/executions/odd/redrive?wait=30s", "").text("status"), "failed");
    let unanswered = server.post("/approval?id=unanswered", TRAIN);
    assert_eq!(unanswered.status, 201);
    let token = server.token();
    assert_eq!(server.post(&format!("/callbacks/{token}/fail"), r#"{"cause": 1}"#).status, 400);
    assert_eq!(server.post(&format!("/callbacks/{token}/fail"), r#"{"error": "OnHoliday"}"#).status, 204);
    assert_eq!(server.get("/executions/unanswered/result?wait=30s").text("status"), "succeeded");

    let listed = server.get("/executions?limit=2");
    assert_eq!(
        (listed.body.get("executions").and_then(Value::as_array).map(|all| all.len()), listed.text("next")),
        (Some(2), "odd")
    );
    let listed = server.get("/executions?before=odd&status=succeeded&workflow=approval");
    let ids = listed.body.get("executions").and_then(Value::as_array).expect("a list");
    assert_eq!(
        ids.iter().filter_map(|one| one.get("id")?.as_str()).collect::<Vec<_>>(),
        ["coffee", "other", "train ü7"]
    );
    assert_eq!(listed.body.get("next"), Some(&Value::Null));
}

#[test]
fn rejected_requests_are_answered_with_a_reason() {
    let place = Place::new("refused");
    let secret = "correct-horse";
    std::fs::write(place.0.join("token"), format!("{secret}\n")).expect("a file");
    let server = place.serve(&["--token-file", "token", "--max-body", "1KB"]);
    let token = format!("Authorization: Bearer {secret}\r\n");
    for (request, head, body, status, expected) in [
        ("GET /executions", "", "", 401, "www-authenticate: bearer"),
        ("GET /executions", "Authorization: Bearer wrong\r\n", "", 401, "www-authenticate: bearer"),
        ("GET /executions", "Authorization: Basic correct-horse\r\n", "", 401, "www-authenticate: bearer"),
        ("POST /callbacks/x/succeed", "", "", 404, ""),
        ("GET /executions/none/history?after=x", &token, "", 400, ""),
        ("GET /executions/none/history?limit=0", &token, "", 400, ""),
        ("GET /health", "", "", 200, ""),
        ("GET /executions", &token, "", 200, ""),
        ("POST /approval", &token, "{\n  \"a\": 1,\n}", 400, ""),
        ("POST /approval", &token, &format!("\"{}\"", "x".repeat(2_000)), 413, "connection: close"),
        ("POST /approval", &token, &"[".repeat(900), 400, ""),
        ("POST /approval?wiat=1s", &token, "{}", 400, ""),
        ("POST /approval?wait=1y", &token, "{}", 400, ""),
        ("POST /approval?wait=1h", &token, "{}", 400, ""),
        ("POST /approval?id=", &token, "{}", 400, ""),
        ("POST /approval", &format!("{token}Idempotency-Key: \r\n"), "{}", 400, ""),
        ("POST /expense", &token, "{}", 404, ""),
        ("GET /", &token, "", 404, ""),
        ("GET /%ff", &token, "", 400, ""),
        ("GET /approval", &token, "", 405, "allow: post"),
        ("POST /executions", &token, "{}", 405, "allow: get, head"),
        ("DELETE /executions/x", &token, "", 405, "allow: get, head"),
        ("POST /health", &token, "", 405, "allow: get, head"),
        ("GET /executions/none", &token, "", 404, ""),
        ("GET /executions/none/history", &token, "", 404, ""),
        ("GET /executions?status=lost", &token, "", 400, ""),
        ("GET /executions?limit=0", &token, "", 400, ""),
        ("GET /executions?before=none", &token, "", 404, ""),
        ("POST /executions/none/redrive", &token, "", 404, ""),
        ("POST /executions/none/events", &token, "", 404, ""),
        ("POST /events", &token, "{}", 415, ""),
        ("GET /events", &token, "", 405, "allow: post"),
    ] {
        let answer = server.ask(request, head, body);
        assert_eq!(answer.status, status, "{request}: {}", answer.body);
        assert!(answer.head.contains(expected), "{request}: {}", answer.head);
        assert_eq!(answer.text("error").is_empty(), status == 200, "{request}: {}", answer.body);
    }
    let strict = place.serve(&["--token-file", "token", "--callbacks-authorized", "--db", "strict.db"]);
    assert_eq!(strict.ask("POST /callbacks/x/succeed", "", "").status, 401);
    assert_eq!(strict.ask("POST /callbacks/x/succeed", &token, "").status, 404);
    let bad = server.ask("POST /approval", &token, "{\n  \"a\": 1,\n}");
    assert!(bad.text("error").contains("at line 3 column 1"), "{}", bad.body);
    let unknown = server.ask("POST /expense", &token, "{}");
    assert_eq!(unknown.text("help"), "the workflows are `approval`");
    // The sizes of a chunked body and of a head are limited while they are read.
    let chunk = format!("500\r\n{}\r\n", "x".repeat(0x500));
    let head = format!("POST /approval HTTP/1.1\r\nHost: x\r\n{token}Transfer-Encoding: chunked\r\n\r\n");
    assert_eq!(server.send(&format!("{head}{chunk}")).status, 413);
    let fields = format!("X: {}\r\n", "x".repeat(1_000)).repeat(20);
    assert_eq!(server.send(&format!("GET /health HTTP/1.1\r\n{fields}\r\n")).status, 431);
    assert_eq!(server.send("GET /health HTTP/1.1\r\nnonsense\r\n\r\n").status, 400);

    let open = Place::new("open").serve(&[]);
    assert_eq!(open.ask("POST /approval", "Origin: https://example.org\r\n", "{}").status, 403);
    assert_eq!(open.send("GET /executions HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n").status, 403);
    let (status, _, err) = place.run(&["serve", "--listen", "8080"]);
    assert!(status == 2 && err.starts_with("error: `--listen 8080`: "), "{err}");
    let (status, _, err) = place.run(&["serve", "--token-env", "NO_SUCH_VARIABLE"]);
    assert!(status == 2 && err.contains("variable `NO_SUCH_VARIABLE` not found"), "{err}");
}

/// More clients than the server has connections wait for an execution.
#[test]
fn requests_that_wait_leave_room_for_others() {
    let place = Place::new("room");
    let server = place.serve(&[]);
    assert_eq!(server.post("/approval?id=one", TRAIN).status, 201);
    let ask = "GET /executions/one/result?wait=60s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    let mut waiting = Vec::new();
    for _ in 0..520 {
        let mut stream = TcpStream::connect(&server.address).expect("a connection");
        stream.write_all(ask.as_bytes()).expect("a request");
        waiting.push(stream);
    }
    let began = std::time::Instant::now();
    assert_eq!(server.get("/health").status, 200);
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}

#[cfg(unix)]
#[test]
fn the_server_ends_on_a_signal() {
    let place = Place::new("ends");
    let mut server = place.serve(&[]);
    assert_eq!(server.post("/approval?id=one", TRAIN).status, 201);
    let token = server.token();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| server.get("/executions/one/result?wait=60s").status);
        std::thread::sleep(Duration::from_millis(300));
        server.signal("-TERM");
        assert_eq!(waiting.join().expect("an answer"), 202, "who waits is answered before the end");
    });
    assert_eq!(server.ended(), 0);
    server.line("ended");
    // The server has ended, so that commands can change the database.
    let (status, out, _) = place.run(&["succeed", &token, r#"{"approved": false}"#]);
    assert!(status == 0 && out.starts_with("outcome saved: "), "{out}");
    let (status, out, _) = place.run(&["show", "one", "--format", "json"]);
    let shown = Value::from_json(&out).expect("JSON");
    assert_eq!((status, shown.get("status")), (0, Some(&"running".into())), "nothing runs meanwhile");
    let (status, out, err) = place.run(&["run", "--id", "one", "--progress", "none"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("\"outcome\":\"declined\""), "{out}");
}

#[cfg(unix)]
#[test]
fn commands_run_and_change_executions() {
    let place = Place::new("commands");
    let (status, _, err) = place.run(&["list"]);
    assert_eq!((status, err.as_str()), (2, "error: database `approval.db` not found\n"));
    let (status, _, err) = place.run(&["cancel", "one"]);
    assert_eq!((status, err.as_str()), (2, "error: database `approval.db` not found: name it with `--db FILE`\n"));
    assert!(!place.0.join("approval.db").exists());

    // The process is interrupted, and the execution continues in the next one.
    let mut run = Program::start(place.command(&["run", "--id", "one", "--key", "k", "--input", TRAIN]));
    let token = run.token();
    run.signal("-INT");
    assert_eq!(run.ended(), 130);
    run.line("the execution was interrupted and saved: use `run --db approval.db --id one` to resume it");
    let (status, _, err) = place.run(&["run", "--id", "one", "--input", COFFEE]);
    assert!(status == 2 && err.contains("the execution `one` already exists"), "{err}");
    let (status, out, _) = place.run(&["list"]);
    assert!(status == 0 && out.lines().count() == 2, "{out}");
    assert!(out.contains("AskManager: an outcome by token (sqs:sendMessage), first heartbeat due "), "{out}");
    let (_, out, _) = place.run(&["show", "one"]);
    assert!(out.contains("\nkey            k\n") && out.contains(&format!(", token {token}\n")), "{out}");
    // The output of another execution while this one waits, and of this one by its key.
    let (status, out, err) = place.run(&["run", "--input", COFFEE, "--id", "coffee"]);
    assert!(status == 0 && out.contains("\"outcome\":\"approved\""), "{out}{err}");
    assert!(err.contains("another execution of `approval.db` also runs\n"), "{err}");
    assert!(err.contains("approval: started as coffee\n") && !err.contains("one"), "{err}");
    let (status, out, err) = place.run(&["fail", &token, "--error", "OnHoliday", "--cause", "ask my deputy"]);
    assert!(status == 0 && out.starts_with("outcome saved: "), "{out}{err}");
    let (status, out, err) = place.run(&["run", "--key", "k"]);
    assert!(status == 0 && out.contains("\"outcome\":\"unanswered\""), "{out}{err}");
    // The execution runs as soon as its engine is open, so that its progress may come first.
    assert!(err.contains("resuming the execution `one` of `approval.db`\n"), "{err}");
    let (_, out, _) = place.run(&["history", "one"]);
    assert_eq!(out.matches("  TaskScheduled ").count(), 2, "{out}");
    let (_, out, _) = place.run(&["history", "one", "--format", "json"]);
    assert!(out.lines().all(|line| Value::from_json(line).is_ok()), "{out}");

    // A failed execution is redriven, which changes nothing here.
    let (status, _, err) = place.run(&["run", "--id", "odd", "--progress", "none"]);
    assert!(status == 1 && err.contains("the execution failed: ") && err.contains("`redrive odd`"), "{err}");
    let (status, out, _) = place.run(&["redrive", "odd", "--detach"]);
    assert!(status == 0 && out.starts_with("`odd` continues when "), "{out}");
    let (status, _, err) = place.run(&["run", "--id", "odd", "--progress", "none"]);
    assert!(status == 1 && err.contains("the execution failed: "), "{err}");
    assert_eq!(place.run(&["redrive", "odd", "--progress", "none"]).0, 1);
    let (status, _, err) = place.run(&["redrive", "one"]);
    assert_eq!((status, err.as_str()), (2, "error: the execution `one` has succeeded and cannot be redriven\n"));
    let (status, _, err) = place.run(&["redrive", "none"]);
    assert_eq!((status, err.as_str()), (2, "error: execution `none` not found\n"));

    let mut run = Program::start(place.command(&["run", "--id", "two", "--input", TRAIN]));
    run.token();
    run.signal("-TERM");
    assert_eq!(run.ended(), 130);
    let (status, out, err) = place.run(&["cancel", "two", "--cause", "not needed"]);
    assert_eq!((status, out.as_str()), (0, "`two` was cancelled\n"), "{err}");
    let (_, out, _) = place.run(&["purge", "--older-than", "0s", "--history"]);
    assert_eq!(out, "removed the histories of 4 executions\n");
    assert_eq!(place.run(&["purge", "--older-than", "30d"]).1, "removed 0 executions\n");
    assert_eq!(place.run(&["purge", "--older-than", "0s"]).1, "removed 4 executions\n");
    assert_eq!(place.run(&["list"]).1, "no executions found\n");

    let (status, out, err) = place.run(&["run", "--memory", "--input", TRAIN, "--progress", "none"]);
    assert!(status == 0 && out.contains("\"outcome\":\"approved\""), "{out}{err}");
    // The program delivers the outcome itself.
    assert!(!err.contains("waits for an answer by its token"), "{err}");
    for (arguments, expected) in [
        (&["run", "--memory", "--key", "k"][..], "error: `--key` needs `--db FILE`"),
        (&["cancel"], "error: `cancel` needs ID: write `cancel ID`\n"),
        (&["cancel", "a", "b"], "error: `cancel`: unexpected argument `b`\n"),
        (&["cancel", "a", "--detach"], "error: invalid option '--detach'\n"),
        (&["fail", "a"], "error: `fail` needs an error name: add `--error NAME`\n"),
        (&["succeed", "a", "{"], "error: the output is not JSON: "),
        (&["succeed", "a"], "error: no task waits for an outcome by this token\n"),
        (&["purge"], "error: `purge` needs an age: add `--older-than 30d`\n"),
        (&["purge", "--older-than", "old"], "error: invalid `--older-than old`: write a duration such as `30s`, "),
        (&["list", "--status", "lost"], "error: unknown status `lost`: expected one of `queued`, "),
        (&["show", "none"], "error: execution `none` not found\n"),
        (&["serve", "--max-body", "0"], "error: invalid `--max-body 0`: write a size such as `512KB` or `1MB`\n"),
        (&["show", "x", "--db", "case.toml"], "error: database `case.toml` not found\n"),
        (&["sevre"], "error: unknown command `sevre`: expected one of `run`, `serve`, `list`, "),
    ] {
        let (status, out, err) = place.run(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.starts_with(expected), "{arguments:?}\n{err}");
    }
}
