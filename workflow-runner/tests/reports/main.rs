//! Reports on executions: the commands `list`, `show` and `history` of a program whose executions
//! are kept. This test program is also that program: with arguments of a command, it runs the
//! command.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::Duration;

use shipment::Shipment;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, TaskContext, Value, include_workflow};

include_workflow!("tests/reports/shipment.asl.json");

/// Tasks. `charge` crashes the process once if the folder has a file `crash`, and fails while it
/// has a file `refuse`.
struct Tasks;

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, task: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            if task.key == "charge" && std::fs::remove_file("crash").is_ok() {
                std::process::abort();
            }
            match task.key == "charge" && Path::new("refuse").exists() {
                true => Err(Fault::new("Refused", "no such card")),
                false => Ok(task.key.into()),
            }
        })
    }
}

const TESTS: &[(&str, fn())] = &[
    ("a_history_names_branches_and_iterations", a_history_names_branches_and_iterations),
    ("a_history_shows_restarts", a_history_shows_restarts),
    ("a_history_shows_redrives", a_history_shows_redrives),
    ("a_history_is_filtered", a_history_is_filtered),
    ("a_wait_says_what_ends_it", a_wait_says_what_ends_it),
    ("a_command_has_a_help_of_its_own", a_command_has_a_help_of_its_own),
];

fn main() -> ExitCode {
    let first = std::env::args().nth(1).unwrap_or_default();
    if ["run", "list", "show", "history", "redrive", "heartbeat", "help", "helb", "cancel"].contains(&first.as_str()) {
        return workflow_runner::Durable::<Shipment>::new(Tasks).main();
    }
    let chosen = |(name, _): &&(&str, fn())| first.starts_with('-') || name.contains(&first);
    for (name, test) in TESTS.iter().filter(chosen) {
        test();
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

/// The folder of one test, with the database of the program.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("reports-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Place(folder)
    }

    fn file(&self, name: &str) {
        std::fs::write(self.0.join(name), "").expect("a file");
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Runs the program, and returns its exit status, standard output and standard error.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    /// Returns the standard output of a command that succeeds.
    fn output(&self, arguments: &[&str]) -> String {
        let (status, output, errors) = self.run(arguments);
        assert_eq!(status, 0, "{arguments:?}: {errors}");
        output
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const INPUT: &str = r#"{"do": "ship", "items": ["cup", "pot", "jug"]}"#;

/// Returns the names and states of the events in a history for people.
fn events(history: &str) -> Vec<String> {
    let event = |line: &str| {
        let (_, event) = line.split_once("  ").expect("a time, and an event");
        let (name, state) = event.split_once(' ').unwrap_or((event, ""));
        let state = state.trim_start().split("  ").next().unwrap_or_default();
        // An event of the whole execution has its details there.
        if state.is_empty() || state.contains('=') { name.to_owned() } else { format!("{name} {state}") }
    };
    history.lines().map(event).collect()
}

fn a_history_names_branches_and_iterations() {
    let place = Place::new("branches");
    place.output(&["run", "--id", "one", "--input", INPUT, "--progress", "none"]);
    let history = place.output(&["history", "one"]);
    let events = events(&history);
    for state in ["Both", "Both[0] › Label", "Both[1] › Items", "Charge"] {
        for event in ["StateEntered", "StateExited"] {
            assert!(events.contains(&format!("{event} {state}")), "{event} {state}\n{history}");
        }
    }
    for index in 0..3 {
        for event in ["StateEntered", "TaskScheduled", "TaskSucceeded", "StateExited"] {
            let expected = format!("{event} Both[1] › Items[{index}] › Pack");
            assert_eq!(events.iter().filter(|event| **event == expected).count(), 1, "{expected}\n{history}");
        }
    }
}

/// Runs an execution that ends with this status.
fn run(place: &Place, status: i32) {
    assert_eq!(place.run(&["run", "--id", "one", "--input", INPUT, "--progress", "none"]).0, status);
}

/// Returns the JSON of the events from the first of this name on, without those of states.
fn since(place: &Place, first: &str) -> Vec<Value> {
    let history = place.output(&["history", "one", "--format", "json"]);
    let events = history.lines().map(|line| Value::from_json(line).expect("JSON"));
    let name = |event: &Value| event.get("event").and_then(Value::as_str).unwrap_or_default().to_owned();
    events.skip_while(|event| name(event) != first).filter(|event| !name(event).starts_with("State")).collect()
}

/// Returns members of events as `EVENT NAME=VALUE`.
fn members(events: &[Value], names: &[&str]) -> Vec<String> {
    let shown = |event: &Value| {
        let members = names.iter().filter_map(|name| Some(format!(" {name}={}", event.get(*name)?)));
        event.get("event").and_then(Value::as_str).unwrap_or_default().to_owned() + &members.collect::<String>()
    };
    events.iter().map(shown).collect()
}

fn a_history_shows_restarts() {
    let place = Place::new("restarts");
    place.file("crash");
    run(&place, -1);
    place.file("crash");
    run(&place, -1);
    run(&place, 0);
    let again = "TaskScheduled task=\"charge\" attempt=1 again=true";
    let expected = [
        "ExecutionResumed restart=1",
        again,
        "ExecutionResumed restart=2",
        again,
        "TaskSucceeded task=\"charge\"",
        "ExecutionSucceeded",
    ];
    let events = since(&place, "ExecutionResumed");
    assert_eq!(members(&events, &["restart", "task", "attempt", "again"]), expected);
    assert!(events.iter().all(|event| event.get("time").is_some()), "{events:?}");
    let history = place.output(&["history", "one"]);
    assert!(history.contains("  ExecutionResumed       restart=2\n"), "{history}");
    assert!(place.output(&["show", "one"]).contains("\nrestarts       2\n"));
}

fn a_history_shows_redrives() {
    let place = Place::new("redrives");
    place.file("refuse");
    run(&place, 1);
    for status in [1, 0] {
        if status == 0 {
            std::fs::remove_file(place.0.join("refuse")).expect("a file");
        }
        assert_eq!(place.run(&["redrive", "one", "--progress", "none"]).0, status);
    }
    let again = "TaskScheduled task=\"charge\" attempt=1 again=true";
    let expected = [
        "ExecutionRedriven redrive=1",
        again,
        "TaskFailed task=\"charge\"",
        "ExecutionFailed",
        "ExecutionRedriven redrive=2",
        again,
        "TaskSucceeded task=\"charge\"",
        "ExecutionSucceeded",
    ];
    let events = since(&place, "ExecutionRedriven");
    assert_eq!(members(&events, &["redrive", "restart", "task", "attempt", "again"]), expected);
    let shown = place.output(&["show", "one", "--format", "json"]);
    let shown = Value::from_json(&shown).expect("JSON");
    assert_eq!((shown.get("redrives"), shown.get("restarts")), (Some(&2.into()), None));
    assert!(place.output(&["show", "one"]).contains("\nredrives       2\n"));
}

fn a_history_is_filtered() {
    let place = Place::new("filters");
    run(&place, 0);
    let all = place.output(&["history", "one"]);
    assert!(all.contains("  input=") && all.contains("  output="), "{all}");
    let without = place.output(&["history", "one", "--no-payloads"]);
    assert!(!without.contains("input=") && !without.contains("output="), "{without}");
    assert_eq!((without.lines().count(), events(&without)), (all.lines().count(), events(&all)));
    let packed = place.output(&["history", "one", "--state", "Pack", "--state", "Label", "--no-payloads"]);
    // Four events of each of three iterations, and of one branch.
    assert_eq!(packed.lines().count(), 16, "{packed}");
    assert!(packed.lines().all(|line| line.contains("› Pack") || line.contains("› Label")), "{packed}");
    let json = place.output(&["history", "one", "--state", "Charge", "--no-payloads", "--format", "json"]);
    assert_eq!(json.lines().count(), 4);
    assert!(json.lines().all(|line| line.contains("\"state\":\"Charge\"") && !line.contains("put\"")), "{json}");
    let none = place.output(&["history", "one", "--state", "Chrage"]);
    let expected =
        "the history has no event of `Chrage`: its states are `Both`, `Charge`, `Do`, `Items`, `Label`, `Pack`\n";
    assert_eq!(none, expected);
    assert_eq!(place.output(&["history", "one", "--state", "Chrage", "--format", "json"]), "");
}

fn a_wait_says_what_ends_it() {
    for (what, waits, end) in [
        ("approve", "Approve: an outcome by token (sqs:sendMessage), first heartbeat due 20", "heartbeat"),
        ("sign", "Sign: an outcome by token (sqs:sendMessage), times out 20", "timeout"),
        ("rest", "Rest: a timer, until 20", "wait"),
    ] {
        let place = Place::new(what);
        let mut run = place.command(&["run", "--id", "one", "--input", &format!(r#"{{"do": "{what}"}}"#)]);
        let mut run = run.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program runs");
        let waiting = (0..300).find_map(|_| {
            std::thread::sleep(Duration::from_millis(50));
            let shown = place.run(&["show", "one", "--format", "json"]).1;
            let wait = Value::from_json(&shown).ok()?.get("waiting")?.get(0)?.clone();
            (wait.get("for") != Some(&"task".into())).then_some(wait)
        });
        let list = place.output(&["list"]);
        let show = place.output(&["show", "one"]);
        run.kill().and_then(|()| run.wait()).expect("it ends");
        if let Some(token) = waiting.as_ref().and_then(|wait| wait.get("token")?.as_str()) {
            let (status, _, error) = place.run(&["heartbeat", token]);
            assert!(status == 2 && error.contains("a heartbeat needs a running `serve`"), "{error}");
            let (status, _, error) = place.run(&["heartbeat", "7-f"]);
            assert_eq!((status, error.as_str()), (2, "error: no task waits for an outcome by this token\n"));
        }
        assert_eq!(waiting.as_ref().and_then(|wait| wait.get("end")), Some(&end.into()), "{waiting:?}");
        assert!(list.contains(waits) && show.contains(&format!("waits for      {waits}")), "{list}{show}");
    }
}

fn a_command_has_a_help_of_its_own() {
    let place = Place::new("help");
    let help = place.output(&["help", "history"]);
    assert!(help.starts_with("Shows the history of an execution\n\n  shipment history ID\n"), "{help}");
    assert!(help.contains("--no-payloads") && !help.contains("--cause"), "{help}");
    assert_eq!(place.output(&["history", "--help"]), help);
    assert_eq!(place.output(&["history", "one", "-h"]), help);
    let all = place.output(&["help"]);
    assert!(all.contains("  shipment heartbeat TOKEN      keeps ") && !all.contains("--no-payloads"), "{all}");
    assert_eq!(place.output(&["help", "help"]), all);
    for arguments in [&["help", "helb"][..], &["helb"]] {
        let (status, _, error) = place.run(arguments);
        assert!(status == 2 && error.starts_with("error: unknown command `helb`: expected one of `run`, "), "{error}");
    }
}
