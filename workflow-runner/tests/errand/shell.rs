//! Tasks that are shell commands, and their end with the end of the engine. In the folders of
//! these tests, the program's tasks are bound by options.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use workflow_runtime::{Value, value};

use crate::program::Place;

/// Returns `true` if a process exists and is not a zombie.
fn runs(id: &str) -> bool {
    let state = Command::new("ps").args(["-o", "stat=", "-p", id]).output().expect("ps");
    let state = String::from_utf8_lossy(&state.stdout).trim().to_owned();
    !state.is_empty() && !state.starts_with('Z')
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < Duration::from_secs(30), "{what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Reads process ids from files, as soon as they are complete.
fn ids<const N: usize>(place: &Place, files: [&str; N]) -> [String; N] {
    let read = |name: &str| std::fs::read_to_string(place.file(name)).unwrap_or_default();
    until("the task does not start", || files.iter().all(|name| read(name).ends_with('\n')));
    files.map(|name| read(name).trim().to_owned())
}

fn are_gone(ids: &[String]) {
    let started = Instant::now();
    while let Some(id) = ids.iter().find(|id| runs(id)) {
        assert!(started.elapsed() < Duration::from_secs(5), "the process {id} goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A command with a shell, a background process, and a process in a pipeline that the shell waits
/// for.
const FAMILY: &str = "Work=echo $$ >shell; sleep 1000 & echo $! >child; sh -c 'echo $$ >grandchild; sleep 1001' | cat";
const WORK: &str = r#"{"do": "work"}"#;

pub fn a_task_dies_with_its_engine() {
    for (name, more) in [("memory", &[][..]), ("kept", &["--db", "errand.db"])] {
        let place = Place::new(&format!("shell-killed-{name}"));
        let mut engine = place.spawn(&[&["run", "--task", FAMILY, "--input", WORK], more].concat());
        let family = ids(&place, ["shell", "child", "grandchild"]);
        assert!(family.iter().all(|id| runs(id)), "{family:?}");
        engine.kill().expect("it runs");
        engine.wait().expect("it has run");
        are_gone(&family);
    }
}

pub fn a_task_that_is_given_up_ends_with_all_it_has_started() {
    let place = Place::new("shell-interrupted");
    let mut engine = place.spawn(&["run", "--task", FAMILY, "--input", WORK]);
    let family = ids(&place, ["shell", "child", "grandchild"]);
    let status = Command::new("kill").args(["-TERM", &engine.id().to_string()]).status().expect("kill runs");
    assert!(status.success());
    assert_eq!(engine.wait().expect("it has run").code(), Some(130));
    are_gone(&family);
}

/// Checks a command that runs on after it has closed its output.
pub fn a_task_that_has_closed_its_output_dies_with_its_engine() {
    let place = Place::new("shell-closed");
    let mut engine = place.spawn(&[
        "run",
        "--task",
        "Work=echo $$ >shell; exec >&- 2>&-; sleep 1000 & echo $! >child; wait",
        "--input",
        WORK,
    ]);
    let family = ids(&place, ["shell", "child"]);
    std::thread::sleep(Duration::from_millis(200));
    assert!(family.iter().all(|id| runs(id)), "{family:?}");
    engine.kill().expect("it runs");
    engine.wait().expect("it has run");
    are_gone(&family);
}

/// Kills the engine at many moments around the start of a task. Every command that has run to its
/// end had its whole input.
pub fn a_task_has_its_whole_input_or_does_not_run() {
    let place = Place::new("shell-input");
    let input = value!({"do": "work", "text": "x".repeat(3 << 20)}).to_string();
    std::fs::write(place.file("input.json"), &input).expect("a file");
    let command = |number: u64| {
        format!("Work=: >begun-{number}; cat >part-{number}; mv part-{number} whole-{number}; echo $$ >ended-{number}")
    };
    let whole = |number: u64| std::fs::read(place.file(&format!("whole-{number}")));
    for number in 0..25 {
        let mut engine = place.spawn(&["run", "--task", &command(number), "--input", "input.json"]);
        // Most runs are killed some milliseconds after the command has begun. Every fifth run does
        // not wait for the command to begin.
        let begun = place.file(&format!("begun-{number}"));
        until("the task does not start", || number % 5 == 0 || begun.exists());
        std::thread::sleep(Duration::from_millis(if number % 5 == 0 { 20 * number } else { number }));
        engine.kill().expect("it runs");
        engine.wait().expect("it has run");
    }
    // Commands that still run have time to end.
    std::thread::sleep(Duration::from_secs(1));
    for number in 0..25 {
        if let Ok(read) = whole(number) {
            assert_eq!(read.len(), input.len(), "the command {number} has come to its end with a part of its input");
        }
    }
    let (status, _, errors) = place.run(&["run", "--task", &command(99), "--input", "input.json"]);
    assert_eq!(status, 0, "{errors}");
    assert!(whole(99).is_ok_and(|read| read == input.as_bytes()));
}

pub fn commands_answer_as_they_do_in_a_shell() {
    let place = Place::new("shell-answers");
    std::fs::create_dir(place.file("below")).expect("a folder");
    let run = |target: &str| place.run(&["run", "--task", &format!("Work={target}"), "--input", WORK]);
    let failed = |target: &str| {
        let (status, _, errors) = run(target);
        assert_eq!(status, 1, "{target}: {errors}");
        errors
    };
    let command = "cat; ls -l /proc/self/fd/0 >&2; exec 0<&-";
    assert_eq!(run(command).1.trim(), r#"{"do":"work"}"#);
    assert_eq!(run("true").1.trim(), "null");
    // The shell leads its process group. The error names the signal that ended it.
    let killed = failed("kill -TERM -$$");
    assert!(killed.contains("signal: 15"), "{killed}");
    assert!(failed("kill -9 $$").contains("ExitStatus.signal"));
    assert!(failed("echo wrong >&2; exit 7").contains("ExitStatus.7: wrong"));
    assert!(failed(r#"echo '{"Error": "Own", "Cause": "mine"}' >&2; exit 1"#).contains("Own: mine"));
    // A background process that has closed its output is left alone.
    assert_eq!(run("(sleep 0.3; echo later >left) >/dev/null 2>&1 & echo '\"done\"'").1.trim(), "\"done\"");
    until("the process was ended", || place.file("left").exists());
    let bound = |folder: &Path| {
        let binding =
            value!({"Work": {"command": "pwd | sed 's/.*/\"&\"/'", "folder": folder.to_str().expect("UTF-8")}});
        place.run(&["run", "--bindings", &binding.to_string(), "--input", WORK])
    };
    assert!(bound(&place.file("below")).1.trim().ends_with("/below\""));
    let (status, _, errors) = bound(&place.file("nowhere"));
    assert!(status == 1 && errors.contains("cannot run `pwd"), "{errors}");
    // Variables of the test run itself are left out.
    let names = r#"env | sed -n 's/^\(WORKFLOW_[A-Z_]*\)=.*/"\1"/p' | grep -v WORKFLOW_REQUIRE | sort | paste -sd, | sed 's/.*/[&]/'"#;
    let expected = value!([
        "WORKFLOW_ATTEMPT",
        "WORKFLOW_CALLBACK_URL",
        "WORKFLOW_CORRELATION",
        "WORKFLOW_EXECUTION",
        "WORKFLOW_IDEMPOTENCY_KEY",
        "WORKFLOW_STATE",
        "WORKFLOW_TASK",
        "WORKFLOW_TASK_TOKEN",
    ]);
    assert_eq!(Value::from_json(&run(names).1).ok(), Some(expected));
}
