//! The folder in which programs are built.

use super::common::{Folder, cache};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ECHO: &str = r#"{ "StartAt": "A", "States": { "A": { "Type": "Pass", "End": true } } }"#;

/// Returns `cargo workflow` with this cache folder.
fn with_cache(folder: &Folder, cache: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-workflow"));
    command.args(arguments).current_dir(&folder.0).stdin(Stdio::null());
    command.env("WORKFLOW_CACHE_DIR", cache.as_ref()).env_remove("CARGO_TARGET_DIR");
    command
}

/// Runs a command, and returns its exit status and its standard error.
fn ended(mut command: Command) -> (Option<i32>, String) {
    let output = command.output().expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Returns the folders of programs whose names begin with `prefix`.
fn programs(prefix: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(cache().join("programs"));
    let found =
        entries.into_iter().flatten().flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix));
    found.map(|entry| entry.path()).collect()
}

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn programs_are_built_in_the_cache_and_by_one_command_at_a_time() {
    let _building = super::building();
    let folder = Folder::new("cached").with("cached-echo.asl.json", ECHO);
    for folder in programs("cached-echo-") {
        std::fs::remove_dir_all(folder).expect("the old program goes");
    }
    let run = ["run", "cached-echo.asl.json", "--progress", "none", "--input"];
    let output = with_cache(&folder, cache(), &[&run[..], &["1"]].concat()).output().expect("it runs");
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"1\n"[..]), "{output:?}");
    assert_eq!(output.stderr, b"", "`--progress none` hides the build, too");
    let left: Vec<_> =
        std::fs::read_dir(&folder.0).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["cached-echo.asl.json"]);

    // Another command builds the program.
    let [program] = &programs("cached-echo-")[..] else { panic!("not one program") };
    let lock = File::open(program.join("lock")).expect("a lock");
    lock.lock().expect("nobody has it");
    let mut waits = with_cache(&folder, cache(), &[&run[..], &["2"]].concat());
    let mut waits = waits.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(waits.stderr.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert!(line.starts_with("waiting for another build of `cached-echo-"), "{line}");
    assert!(waits.try_wait().expect("a process").is_none());
    // `clean` does not remove what the command uses.
    let all = File::open(cache().join("programs.lock")).expect("a lock");
    assert!(all.try_lock().is_err());
    lock.unlock().expect("it is held");
    let mut out = String::new();
    waits.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
    assert!(waits.wait().expect("an end").success() && out == "2\n", "{out}");
    // The locks end when the program starts.
    all.try_lock().expect("nobody has it");
    lock.try_lock().expect("nobody has it");
}

#[test]
fn clean_removes_only_generated_programs() {
    let folder = Folder::new("clean").with("a.asl.json", ECHO).with("foreign/programs/thesis.txt", "years of work");
    let own = folder.0.join("own");
    let (status, err) = ended(with_cache(&folder, &own, &["clean"]));
    assert_eq!((status, err.as_str()), (Some(0), "no generated programs found\n"));
    for command in [&["clean"][..], &["run", "a.asl.json"]] {
        let (status, err) = ended(with_cache(&folder, "foreign", command));
        assert_eq!(status, Some(2));
        let place = folder.0.join("foreign/programs");
        assert!(
            err.starts_with(&format!("error: `{}` is not a folder of generated programs", place.display())),
            "{err}"
        );
    }
    assert_eq!(folder.read("foreign/programs/thesis.txt"), "years of work");
    // A cargo that fails leaves the generated program behind.
    let (status, err) = ended({
        let mut command = with_cache(&folder, &own, &["run", "a.asl.json"]);
        command.env("CARGO", "false");
        command
    });
    assert!(status == Some(2) && err.contains("could not be built"), "{err}");
    assert!(own.join("programs/CACHEDIR.TAG").is_file());
    let (status, err) = ended(with_cache(&folder, &own, &["clean"]));
    assert_eq!((status, err), (Some(0), format!("removed `{}`\n", own.join("programs").display())));
    assert!(!own.join("programs").exists());
    let (status, err) = ended(with_cache(&folder, &own, &["clean", "everything"]));
    assert_eq!((status, err.as_str()), (Some(2), "error: unexpected argument `everything`\n"));
}

/// Cargo's messages, slowed down.
#[cfg(unix)]
const SLOW: &str = r#"#!/bin/sh
for name in a b c; do echo "{\"reason\":\"compiler-artifact\",\"target\":{\"name\":\"$name\"},\"fresh\":false}"; done
sleep 5
exit 1
"#;

#[cfg(unix)]
#[test]
fn long_builds_are_reported_in_few_lines() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("slow").with("a.asl.json", ECHO).with("cargo", SLOW);
    let cargo = folder.0.join("cargo");
    std::fs::set_permissions(&cargo, PermissionsExt::from_mode(0o755)).expect("it is executable");
    let build = |more: &[&str]| {
        let mut command = with_cache(&folder, folder.0.join("own"), &[&["run", "a.asl.json"], more].concat());
        command.env("CARGO", &cargo);
        ended(command).1
    };
    let err = build(&[]);
    let reports: Vec<&str> = err.lines().filter(|line| line.starts_with("building a-")).collect();
    assert_eq!(reports.len(), 3, "{err}");
    assert!(reports[0].ends_with(": 3 crates compiled (2 s)") && reports[1].ends_with("(4 s)"), "{err}");
    // The clock starts with the first message, which a busy machine reads late.
    let finished = [4, 5, 6].map(|seconds| format!(": finished after {seconds} s, 3 crates compiled"));
    assert!(finished.iter().any(|end| reports[2].ends_with(end)), "{err}");
    let err = build(&["--progress", "none"]);
    assert!(!err.contains("building a-") && err.contains("could not be built"), "{err}");
}
