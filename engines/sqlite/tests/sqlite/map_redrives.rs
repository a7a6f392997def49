//! Redrives of executions whose Map runs have failed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use workflow_objects::store::{FolderStore, Stores};
use workflow_runtime::engine::{MapCounts, MapUpdate};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, Task, TaskContext, Value, include_workflow, value};
use workflow_sqlite::{Builder, Engine, Execution, Status};

use crate::map_run_changes::{counts, events};
use crate::map_runs::{Desk, ended, of, set_up};
use crate::maps::Flow;
use crate::place::{Place, process, until};

include_workflow!("tests/flows/beside.asl.json");

/// Returns the error of an execution that has failed.
fn error_of(execution: &Execution) -> Option<String> {
    let outcome = execution.outcome().expect("it can be read").expect("it has ended");
    outcome.err().and_then(|fault| fault.error().map(str::to_owned))
}

fn exceeded() -> Option<String> {
    Some("States.ExceedToleratedFailureThreshold".to_owned())
}

async fn start(engine: &Engine, input: Value) -> Execution {
    let started = engine.start::<Flow>(input).id("one").submit().await.expect("a start");
    until("it has ended", || ended(&started)).await;
    started
}

/// Redrives an execution until it has ended.
async fn redrive(execution: &Execution) {
    execution.redrive().await.expect("it is redriven");
    until("it has ended again", || ended(execution)).await;
}

#[test]
fn failed_and_aborted_children_run_again_and_the_others_do_not() {
    for (name, tolerated, failing) in [
        ("none", 0, &["3"][..]),
        // Several fail in one moment.
        ("many", 0, &["3", "4", "5", "6", "7", "8"]),
        ("tolerated", 2, &["0", "5", "7", "30"]),
    ] {
        let (place, desk) = (Place::new(&format!("map-redrive-{name}")), Arc::new(Desk::failing(failing)));
        process(async {
            let engine = set_up(place.file(), desk.clone()).open().await.expect("a new database");
            let input = of(40, value!({ "concurrency": 6, "tolerated_count": tolerated }));
            let started = start(&engine, input).await;
            assert_eq!(error_of(&started), exceeded(), "{name}");
            // They fail once more.
            redrive(&started).await;
            assert_eq!(error_of(&started), exceeded(), "{name}");
            desk.failing.lock().expect("it is not poisoned").clear();
            redrive(&started).await;
            assert_eq!(started.outcome(), Ok(Some(Ok((0..40).collect()))), "{name}");
            let invoked: Vec<u32> = (0..40).map(|input| desk.invoked(&input.to_string())).collect();
            // A child that was aborted may have run to its end.
            let again = invoked.iter().filter(|times| **times > 1).count();
            assert!(invoked.iter().all(|times| *times >= 1) && again <= 12, "{name}: {invoked:?}");
            let expected = [
                "MapRunStarted",
                "MapRunFailed",
                "MapRunRedriven",
                "MapRunFailed",
                "MapRunRedriven",
                "MapRunSucceeded",
            ];
            assert_eq!(events(&engine, "one"), expected, "{name}");
            engine.shut_down(Duration::from_secs(5)).await;
        });
    }
}

#[test]
fn the_changes_of_a_run_hold_for_its_redrive() {
    let place = Place::new("map-redrive-update");
    process(async {
        let engine = set_up(place.file(), Arc::new(Desk::waiting())).open().await.expect("a new database");
        let input = of(10, value!({ "concurrency": 2 }));
        engine.start::<Flow>(input).id("one").submit().await.expect("a start");
        until("children run", || counts(&engine, "one.1-0") == Some([8, 2, 0, 0])).await;
        let run = engine.execution("one.1-0").expect("the run");
        run.update_map(MapUpdate::new().tolerated_failure_count(2)).await.expect("it is changed");
        engine.shut_down(Duration::from_secs(1)).await;
    });
    let desk = Arc::new(Desk::failing(&["0", "1", "2"]));
    process(async {
        let engine = set_up(place.file(), desk.clone()).open().await.expect("the database");
        let started = engine.execution("one").expect("it is there");
        until("it has ended", || ended(&started)).await;
        assert_eq!(error_of(&started), exceeded());
        // Two of them fail once more, which the change tolerates and the definition does not.
        desk.failing.lock().expect("it is not poisoned").pop();
        redrive(&started).await;
        assert_eq!(error_of(&started), None);
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[test]
fn the_change_by_which_a_run_fails_holds_for_its_redrive() {
    let (place, desk) = (Place::new("map-redrive-failing-update"), Arc::new(Desk::failing(&["0"])));
    process(async {
        let engine = set_up(place.file(), desk.clone()).open().await.expect("a new database");
        let settings = value!({ "items": [0, "wait", 1], "concurrency": 2, "tolerated_count": 1 });
        let input = value!({ "map": 0, "settings": settings });
        let started = engine.start::<Flow>(input).id("one").submit().await.expect("a start");
        until("two have ended", || counts(&engine, "one.1-0") == Some([0, 1, 1, 1])).await;
        let run = engine.execution("one.1-0").expect("the run");
        run.update_map(MapUpdate::new().tolerated_failure_count(0)).await.expect("it is changed");
        until("it has ended", || ended(&started)).await;
        assert_eq!(error_of(&started), exceeded());
        // The definition would tolerate the same failure again, and the run would wait.
        redrive(&started).await;
        assert_eq!(error_of(&started), exceeded());
        engine.shut_down(Duration::from_secs(1)).await;
    });
}

/// Processes items until one waits, beside a task that fails. Both succeed once they are mended.
#[derive(Default)]
struct Both {
    fails: AtomicBool,
    is_mended: AtomicBool,
    inputs: Mutex<Vec<Value>>,
}

impl Both {
    fn inputs(&self) -> Vec<Value> {
        self.inputs.lock().expect("it is not poisoned").clone()
    }
}

impl Invoke for Both {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let is_mended = self.is_mended.load(Ordering::SeqCst);
            if task.key == "each" {
                self.inputs.lock().expect("it is not poisoned").push(input.clone());
                match input.as_i64() {
                    Some(4) if !is_mended => std::future::pending().await,
                    _ => return Ok(input),
                }
            }
            while !is_mended && !self.fails.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            if is_mended { Ok("well".into()) } else { Err(Fault::new("Spilled", "it")) }
        })
    }
}

#[test]
fn a_run_that_was_aborted_beside_a_failure_continues_where_it_was() {
    let (place, desk) = (Place::new("map-redrive-aborted"), Arc::new(Both::default()));
    process(async {
        let builder = Engine::at(place.file()).workflow::<beside::Beside>(desk.clone());
        let engine = builder.open().await.expect("a new database");
        let items: Value = (0..7).collect();
        let started = engine.start::<beside::Beside>(items.clone()).id("one").submit().await.expect("a start");
        until("an item waits", || desk.inputs().len() == 5).await;
        desk.fails.store(true, Ordering::SeqCst);
        until("it has ended", || ended(&started)).await;
        assert_eq!(error_of(&started), Some("Spilled".to_owned()));
        let children = started.describe().expect("a description").children;
        let run = engine.execution(&children[0].id).expect("the run");
        until("the run is aborted", || ended(&run)).await;
        let described = run.describe().expect("a description");
        assert_eq!(described.summary.status, Status::Cancelled);
        let items_of = |items: MapCounts| [items.pending, items.running, items.succeeded, items.failed];
        assert_eq!(described.items.map(items_of), Some([2, 0, 4, 1]));

        desk.is_mended.store(true, Ordering::SeqCst);
        redrive(&started).await;
        assert_eq!(started.outcome(), Ok(Some(Ok(value!([(items), "well"])))));
        assert_eq!(desk.inputs(), [0, 1, 2, 3, 4, 4, 5, 6].map(Value::from));
        let expected = ["MapRunStarted", "MapRunAborted", "MapRunRedriven", "MapRunSucceeded"];
        assert_eq!(events(&engine, "one"), expected);
        let items = run.describe().expect("a description").items;
        assert_eq!(items.map(items_of), Some([0, 0, 7, 0]));
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

/// Rows of a file, of which each child processes one.
const ROWS: usize = 60;

fn stores(folder: &Path) -> Stores {
    Stores::new().with("rows", FolderStore::new(folder.join("rows"))).with("out", FolderStore::new(folder.join("out")))
}

/// Makes a folder with a CSV file.
fn write_rows(folder: &Path) {
    std::fs::create_dir_all(folder.join("rows")).expect("a folder");
    let rows: String = (0..ROWS).map(|row| format!("{row}\n")).collect();
    std::fs::write(folder.join("rows/all.csv"), format!("n\n{rows}")).expect("a file");
}

fn over_rows() -> Value {
    let settings = value!({
        "reader": { "Bucket": "rows", "Key": "all.csv" },
        "config": { "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" },
        "writer": { "Parameters": { "Bucket": "out", "Prefix": "p" }, "WriterConfig": { "OutputType": "JSONL" } },
        "concurrency": 4,
        "tolerated_count": 2,
    });
    value!({ "map": 1, "settings": settings })
}

fn row(number: usize) -> String {
    format!(r#"{{"n":"{number}"}}"#)
}

/// Returns the inputs of the records that the manifest lists, by their statuses.
fn written(folder: &Path) -> BTreeMap<String, Vec<String>> {
    let run = std::fs::read_dir(folder.join("out/p")).expect("a folder").next().expect("a run").expect("a run");
    let json = |path: PathBuf| Value::from_json(&std::fs::read_to_string(path).expect("a file")).expect("JSON");
    let manifest = json(run.path().join("manifest.json"));
    let files = manifest.get("ResultFiles").and_then(Value::as_object).expect("files");
    let mut inputs = BTreeMap::new();
    for (status, files) in files {
        let of: &mut Vec<String> = inputs.entry(status.to_string()).or_default();
        for file in files.as_array().expect("files").iter() {
            let key = file.get("Key").and_then(Value::as_str).expect("a key");
            let text = std::fs::read_to_string(folder.join("out").join(key)).expect("a file");
            assert_eq!(file.get("Size").and_then(Value::as_i64), i64::try_from(text.len()).ok(), "{key}");
            let records = text.lines().map(|line| Value::from_json(line).expect("a record"));
            of.extend(records.map(|record| record.get("Input").and_then(Value::as_str).expect("an input").to_owned()));
        }
    }
    inputs
}

/// Checks that the results of all rows are written, each once.
fn assert_all_are_written(folder: &Path) {
    let mut written = written(folder);
    let mut succeeded = written.remove("SUCCEEDED").expect("files");
    succeeded.sort_by_key(|row| row.len());
    let mut all: Vec<String> = (0..ROWS).map(row).collect();
    all.sort_by_key(|row| row.len());
    succeeded.sort();
    all.sort();
    assert_eq!(succeeded, all);
    assert!(written.values().all(Vec::is_empty), "{written:?}");
}

#[test]
fn the_results_of_a_redrive_join_those_in_the_bucket() {
    let failing = [1, 2, 20].map(row);
    let (place, desk) = (Place::new("map-redrive-csv"), Arc::new(Desk::failing(&failing.each_ref().map(|row| &**row))));
    write_rows(&place.0);
    process(async {
        let engine = set_up(place.file(), desk.clone()).objects(stores(&place.0)).open().await.expect("a new database");
        let started = start(&engine, over_rows()).await;
        assert_eq!(error_of(&started), exceeded());
        let first = written(&place.0);
        assert!(failing.iter().all(|row| first["FAILED"].contains(row)), "{first:?}");
        assert_eq!(first.values().map(Vec::len).sum::<usize>(), ROWS);
        assert!(!first["PENDING"].is_empty() && !first["SUCCEEDED"].is_empty(), "{first:?}");
        desk.failing.lock().expect("it is not poisoned").clear();
        redrive(&started).await;
        let output = started.outcome().expect("it can be read").expect("it has ended").expect("it succeeds");
        assert!(output.get("MapRunArn").is_some(), "{output}");
        assert_all_are_written(&place.0);
        for row in &first["SUCCEEDED"] {
            assert_eq!(desk.invoked(row), 1, "{row}");
        }
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

/// The test below runs this one as a process of its own. It does nothing otherwise.
#[test]
fn redrives_a_map_until_it_is_ended() {
    let Some(folder) = std::env::var_os("REDRIVE_FOLDER").map(PathBuf::from) else { return };
    let file = folder.join("executions.db");
    let is_first = !file.exists();
    let failing = if is_first { [3, 4, 30].map(row).to_vec() } else { Vec::new() };
    let failing: Vec<&str> = failing.iter().map(|row| &**row).collect();
    let desk = Arc::new(Desk::failing(&failing).logging(&folder.join("log"), std::env::var("REDRIVE_LEFT").ok()));
    process(async {
        let builder: Builder = set_up(file, desk).objects(stores(&folder)).on_problem(|_| {});
        let engine = builder.open().await.expect("the database");
        let execution = match engine.execution("one") {
            Ok(execution) => execution,
            Err(_) => start(&engine, over_rows()).await,
        };
        if is_first {
            assert_eq!(error_of(&execution), exceeded());
            execution.redrive().await.expect("it is redriven");
            return;
        }
        until("it has ended", || ended(&execution)).await;
        assert_eq!(error_of(&execution), None);
        assert_eq!(execution.summary().expect("a summary").0.status, Status::Succeeded);
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[test]
fn a_redrive_goes_on_when_the_process_has_crashed() {
    let place = Place::new("map-redrive-crash");
    write_rows(&place.0);
    let this = std::env::current_exe().expect("a program");
    let run = |left: Option<u32>| {
        let mut command = Command::new(&this);
        command.args(["--exact", "map_redrives::redrives_a_map_until_it_is_ended"]).env("REDRIVE_FOLDER", &place.0);
        if let Some(left) = left {
            command.env("REDRIVE_LEFT", left.to_string());
        }
        command.output().expect("a process")
    };
    let first = run(None);
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stdout));
    let before = written(&place.0);
    let mut crashes = 0;
    while !run((crashes < 4).then_some(7 + 5 * crashes)).status.success() {
        crashes += 1;
        assert!(crashes < 20);
    }
    assert!(crashes >= 2, "{crashes}");
    assert_all_are_written(&place.0);
    let log = std::fs::read_to_string(place.0.join("log")).expect("the inputs");
    for row in &before["SUCCEEDED"] {
        assert_eq!(log.lines().filter(|input| input == row).count(), 1, "{row} does not run again");
    }
}
