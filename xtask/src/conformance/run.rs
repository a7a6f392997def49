//! Runs the cases with the programs that were built. A case that hangs or crashes its process
//! affects no other case.

use super::build::Built;
use super::case::{Case, DefinitionId, Goal, Plan, Trial};
use super::crates::{Group, module_name};
use super::observed::Observed;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The record of each case, or the reason why its process ended.
pub type Results = HashMap<String, Result<Observed, String>>;

/// The longest time that a case may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs every case that has a program.
pub fn run(built: &Built, cases: &[&Case]) -> Result<Results, String> {
    let mut runs: BTreeMap<DefinitionId, Vec<Run>> = BTreeMap::new();
    for case in cases {
        let Plan::Try(Trial { definition, goal: Goal::Run(plan), .. }) = &case.plan else { continue };
        runs.entry(*definition).or_default().push(Run { id: case.id.clone(), plan: plan.clone() });
    }
    let mut results = Results::new();
    for group in &built.groups {
        run_group(group, &built.programs, &mut runs, &mut results)?;
    }
    Ok(results)
}

struct Run {
    id: String,
    plan: Value,
}

fn run_group(
    group: &Group,
    programs: &Path,
    runs: &mut BTreeMap<DefinitionId, Vec<Run>>,
    results: &mut Results,
) -> Result<(), String> {
    let mut left: Vec<(String, Run)> = Vec::new();
    for id in &group.members {
        left.extend(runs.remove(id).unwrap_or_default().into_iter().map(|run| (module_name(*id), run)));
    }
    while !left.is_empty() {
        let before = left.len();
        let crash = run_process(group, programs, &mut left, results)?;
        if let (Some(crash), false) = (crash, left.is_empty()) {
            let (_, run) = left.remove(0);
            results.insert(run.id, Err(crash));
        }
        if left.len() == before {
            return Err(format!("the program {} runs none of its cases", group.name));
        }
    }
    Ok(())
}

/// Runs the remaining cases until the process ends, and takes the completed ones from the front.
/// Returns `Some` if the next case ended the process.
fn run_process(
    group: &Group,
    programs: &Path,
    left: &mut Vec<(String, Run)>,
    results: &mut Results,
) -> Result<Option<String>, String> {
    let program = programs.join(format!("{}{}", group.name, std::env::consts::EXE_SUFFIX));
    let file = programs.join(format!("{}.runs.json", group.name));
    let plans = left.iter().map(|(module, run)| json!({ "program": module, "plan": run.plan }));
    let text = Value::Array(plans.collect()).to_string();
    std::fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    let mut command = Command::new(&program);
    command.arg(&file).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("cannot start {}: {error}", program.display()))?;
    let lines = lines(&mut child);
    while !left.is_empty() {
        let Ok(line) = lines.recv_timeout(PATIENCE) else { return Ok(Some(stop(child))) };
        let observed = serde_json::from_str::<Value>(&line).map_err(|error| format!("{}: {error}", group.name))?;
        let (_, run) = left.remove(0);
        let observed = match observed["panic"].as_str() {
            Some(message) => Err(format!("panicked: {message}")),
            None => Observed::read(&observed).ok_or_else(|| format!("unexpected output of the runner: {line}")),
        };
        results.insert(run.id, observed);
    }
    stop(child);
    Ok(None)
}

/// Returns the lines that a process prints. The channel is disconnected when the process ends.
fn lines(child: &mut Child) -> Receiver<String> {
    let (sender, receiver) = channel();
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    receiver
}

/// Ends a process, and describes how it ended.
fn stop(mut child: Child) -> String {
    let running = matches!(child.try_wait(), Ok(None));
    if running {
        // A process may close its output an instant before it ends.
        std::thread::sleep(Duration::from_millis(100));
    }
    match child.try_wait() {
        Ok(Some(status)) => format!("the process ended: {status}"),
        _ => {
            let _ = child.kill();
            let _ = child.wait();
            format!("the process did not end within {} s", PATIENCE.as_secs())
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// Echoes each plan that is a number, and exits at the first that is not.
    const PROGRAM: &str = r#"#!/bin/sh
tr '{' '\n' < "$1" | sed -n 's/.*"plan":\([^,}]*\).*/\1/p' | while read -r plan; do
    case "$plan" in
        [0-9]*) echo "{\"result\":{\"output\":$plan},\"calls\":[],\"events\":[]}" ;;
        *) exit 3 ;;
    esac
done
"#;

    #[test]
    fn a_case_that_takes_its_process_down_costs_itself_only() -> Result<(), Box<dyn std::error::Error>> {
        let programs = std::env::temp_dir().join(format!("conformance-run-{}", std::process::id()));
        std::fs::create_dir_all(&programs)?;
        let program = programs.join("group");
        std::fs::write(&program, PROGRAM)?;
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755))?;

        let group = Group { name: "group".to_owned(), members: vec![DefinitionId(0)] };
        let plans = [("one", json!(1)), ("two", json!("deadly")), ("three", json!(3)), ("four", json!("deadly"))];
        let runs = plans.into_iter().map(|(id, plan)| Run { id: id.to_owned(), plan }).collect();
        let mut results = Results::new();
        run_group(&group, &programs, &mut BTreeMap::from([(DefinitionId(0), runs)]), &mut results)?;
        std::fs::remove_dir_all(&programs)?;

        let outcome = |id: &str| results.get(id).map(Result::is_ok);
        assert_eq!(["one", "two", "three", "four"].map(outcome), [Some(true), Some(false), Some(true), Some(false)]);
        Ok(())
    }
}
