//! Tests of the program with executions on a Restate server, which the test starts. Without a
//! server, the test reports that it was skipped. With `CI` or `WORKFLOW_REQUIRE_RESTATE` set, it
//! fails instead.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use workflow_runtime::Value;

const EXPENSE: &str = r#"{"employee": "ada", "purpose": "train to Basel", "amount": 180}"#;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_approval"));
    command.args(arguments).args(["--engine", "restate"]).stdin(Stdio::null());
    command
}

/// Returns the status of a program, and its output.
fn ended(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    start(arguments).recv_timeout(Duration::from_secs(60)).expect("the program ends in time")
}

/// Starts a program that ends without a signal.
fn start(arguments: &[&str]) -> Receiver<(i32, String, String)> {
    let (sender, end) = channel();
    let mut command = command(arguments);
    std::thread::spawn(move || sender.send(ended(command.output().expect("the program runs"))));
    end
}

/// A running program. It is killed when the test ends.
struct Program {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    fn start(arguments: &[&str]) -> Program {
        let mut command = command(arguments);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let errors = BufReader::new(child.stderr.take().expect("standard error"));
        let (sender, lines) = channel();
        std::thread::spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Program { child, lines }
    }

    /// Returns the next line that begins with `start`.
    fn line(&self, start: &str) -> String {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(30)).expect("a line in time");
            if line.starts_with(start) {
                return line;
            }
        }
    }
}

#[test]
fn an_execution_on_restate_survives_the_program_that_serves_it() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let Some(restate) = restate_testing::server(target, None) else { return };
    let ingress = &*restate.ingress;
    let serve = |listen: &str| {
        let program = Program::start(&["serve", "--listen", listen, "--ingress", ingress, "--admin", &restate.admin]);
        let line = program.line("serving approval to Restate on http://");
        program.line("registered at ");
        let address = line.trim_start_matches("serving approval to Restate on http://").split(',').next();
        let address = address.expect("an address").to_owned();
        (program, address)
    };

    let (served, address) = serve("127.0.0.1:0");
    let run_one = ["run", "--id", "one", "--input", EXPENSE, "--ingress", ingress];
    let waits = start(&run_one);
    let line = served.line("  on Restate: approval succeed one ");
    let token = line.split(' ').nth(7).expect("a token").to_owned();
    // Dropping the program is `kill -9`.
    drop(served);
    let (served, again) = serve(&address);
    assert_eq!(again, address);

    let (status, out, err) = run(&["show", "one", "--ingress", ingress]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("status         running\n"), "{out}");
    assert!(out.contains("waits for      AskManager: an outcome by token (sqs:sendMessage)"), "{out}");
    assert!(out.contains(&format!(", token {token}\n")), "{out}");
    let (status, _, err) = run(&["succeed", "one", "another", "true", "--ingress", ingress]);
    assert_eq!((status, err.as_str()), (2, "error: no task of the execution `one` waits for this token\n"));
    let beat = run(&["heartbeat", "one", &token, "--ingress", ingress]);
    assert_eq!(beat, (0, "heartbeat recorded\n".to_owned(), String::new()));
    let (status, _, err) = run(&["heartbeat", "one", "another", "--ingress", ingress]);
    assert_eq!((status, err.as_str()), (2, "error: no task of the execution `one` waits for this token\n"));
    let (status, _, err) = run(&["succeed", "one", &token, r#"{"approved": true}"#, "--ingress", ingress]);
    assert_eq!((status, err.as_str()), (0, ""));
    let (status, booked, err) = waits.recv_timeout(Duration::from_secs(60)).expect("an outcome in time");
    assert_eq!((status, err.as_str()), (0, ""));
    let outcome = |json: &str| Value::from_json(json).ok().and_then(|booked| booked.get("outcome").cloned());
    assert_eq!(outcome(&booked), Some("approved".into()), "{booked}");

    // The same id yields the same execution.
    let (status, same, err) = run(&[&run_one[..], &["--progress", "lines"]].concat());
    assert_eq!((status, same), (0, booked));
    assert!(err.starts_with("note: `--progress` has no effect with `--engine restate`: "), "{err}");
    assert!(err.contains("\nthe execution `one` already exists"), "{err}");

    let two = Program::start(&["run", "--id", "two", "--input", EXPENSE, "--ingress", ingress]);
    served.line("  on Restate: approval succeed two ");
    assert_eq!(run(&["cancel", "two", "--ingress", ingress]).1, "cancellation of `two` requested\n");
    two.line("the execution failed: ");
    let (_, out, _) = run(&["show", "two", "--format", "json", "--ingress", ingress]);
    assert_eq!(Value::from_json(&out).expect("JSON").get("status"), Some(&"cancelled".into()), "{out}");

    for (arguments, refused) in [
        (&["show", "three", "--ingress", ingress][..], "error: execution `three` of `approval-"),
        (&["succeed", "one", &token, "--ingress", ingress], "error: the execution `one` has ended"),
        (&["update", "two", "--max-concurrency", "2", "--ingress", ingress], "error: the execution `two` "),
        (&["run", "--id", "x", "--db", "x.db"], "error: `--db` cannot be used with `--engine restate`"),
        (&["run", "--input", "{}"], "error: `run --engine restate` needs `--id ID`"),
        (
            &["run", "--id", "x", "--callback-port", "auto"],
            "error: `--callback-port` cannot be used with `--engine restate`: use `succeed ID TOKEN --engine restate`",
        ),
        (&["serve", "--max-body", "1MB"], "error: `--max-body` cannot be used with `--engine restate`"),
        (&["list"], "error: `list` does not support `--engine restate`: "),
    ] {
        let (status, _, err) = run(arguments);
        assert!(status == 2 && err.starts_with(refused), "{arguments:?}: {err}");
    }

    // A signal ends the program.
    let pid = served.child.id().to_string();
    assert!(Command::new("kill").arg(&pid).status().is_ok_and(|status| status.success()));
    served.line("ended");
}
