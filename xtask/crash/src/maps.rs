//! `crash-worker map FOLDER [finish]`: executions with a distributed Map over the rows of CSV
//! files in a folder store, which writes its results to another one. The same work runs on
//! Restate.

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use workflow_objects::store::{FolderStore, Stores};
use workflow_runtime::engine::EngineError;
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture, task_future};
use workflow_runtime::{Fault, Object, TaskContext, Value, value};
use workflow_sqlite::Engine;

use crate::effects::Effects;
use crate::engines::{Engines, Known, PAUSE, outcome};
use crate::plan::{Plan, Planned};
use crate::{Mode, opened_or_exit, rows, tasks, workload};

/// The executions.
const PLAN: Plan = Plan { planned, number, verdict };

/// The number of unfinished executions at any time.
const AT_ONCE: usize = 4;

/// The most children whose ends are awaited at once.
const WATCHED: usize = 64;

/// The numbers of rows of the files, and the bytes that the result of each row has in addition.
/// The last one has results for two files.
const FILES: [(u64, u64); 4] = [(30, 0), (400, 0), (0, 0), (1_500, 8_000)];

/// An execution over the last file is one in this number.
const LARGE: u64 = 12;

/// A batch whose first row is a multiple of this number fails at its first attempt.
const FLAKY: i64 = 105;

/// A batch with a row that has this remainder is refused.
const REFUSED: (i64, i64) = (97, 13);

/// Runs the Maps on an engine in this process.
pub async fn work(folder: &Path, mode: Mode) {
    assert_ne!(mode, Mode::Serve, "one process has the engine");
    let (tasks, begun) = RowTasks::open(folder, "sqlite", mode);
    let engine = Engine::at(folder.join("executions.db")).workflow::<rows::Rows>(tasks.clone()).objects(stores(folder));
    let engine = opened_or_exit(engine.open().await);
    println!("ready");
    drive(Engines(vec![Arc::new(engine)]), folder, tasks, begun, mode).await;
}

/// Returns the stores of the rows and of the results.
pub fn stores(folder: &Path) -> Stores {
    Stores::new()
        .with("rows", FolderStore::new(folder.join("rows")))
        .with("results", FolderStore::new(folder.join("results")))
}

/// Submits executions, waits for all of them to end, or only watches the children that run here.
pub async fn drive(
    engines: Engines,
    folder: &Path,
    tasks: RowTasks,
    begun: mpsc::UnboundedReceiver<String>,
    mode: Mode,
) {
    let (engines, effects) = (Arc::new(engines), tasks.effects);
    let known = Known::read(folder, number);
    let watching = watch(engines.clone(), effects.clone(), begun);
    match mode {
        Mode::Serve => return watching.await,
        _ => drop(tokio::spawn(watching)),
    }
    if mode == Mode::Submit {
        return workload::submit(engines, effects, known, AT_ONCE, PLAN).await;
    }
    for number in &known.all {
        workload::follow(&engines, *number, &effects, None, PLAN).await;
    }
    println!("executions {}", known.all.len());
    workload::end(&engines).await;
}

/// Writes the files of rows that are missing: one that is replaced fails the Maps that read it. A
/// file is there as a whole or not at all.
fn write_files(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (rows, _) in FILES {
        let file = folder.join(format!("{rows}.csv"));
        if file.exists() {
            continue;
        }
        let lines: Vec<String> = (0..rows).map(|row| format!("{row},\"customer {row}\"\n")).collect();
        let temporary = folder.with_extension("new");
        std::fs::write(&temporary, format!("row,customer\n{}", lines.concat()))?;
        std::fs::rename(temporary, file)?;
    }
    Ok(())
}

fn file(number: u64) -> (u64, u64) {
    let (last, others) = (FILES[FILES.len() - 1], &FILES[..FILES.len() - 1]);
    match number % LARGE {
        5 => last,
        _ => others[number as usize % others.len()],
    }
}

fn planned(number: u64) -> Planned {
    let id = format!("m-{number}");
    let (rows, padding) = file(number);
    let input = value!({ "id": id.as_str(), "file": format!("{rows}.csv"), "padding": padding });
    Planned { id, workflow: "rows", input }
}

fn number(id: &str) -> Option<u64> {
    id.strip_prefix("m-")?.parse().ok()
}

/// Returns the verdict about an outcome: the key of the manifest, or what is wrong. Another check
/// reads the files.
fn verdict(outcome: &Outcome, number: u64) -> String {
    let key = |output: &Value| Some(output.get("ResultWriterDetails")?.get("Key")?.as_str()?.to_owned());
    match outcome {
        Ok(output) => match key(output) {
            Some(key) => format!("right {} {key}", file(number).0),
            None => format!("wrong {output}"),
        },
        Err(fault) => format!("wrong {fault:?}").replace('\n', " "),
    }
}

/// Records the ends of children, once the engine reports them to others: from then on, nothing of
/// them may run again.
async fn watch(engines: Arc<Engines>, effects: Arc<Effects>, mut begun: mpsc::UnboundedReceiver<String>) {
    let permits = Arc::new(Semaphore::new(WATCHED));
    let mut watched = HashSet::new();
    while let Some(id) = begun.recv().await {
        if !watched.insert(id.clone()) {
            continue;
        }
        let permit = permits.clone().acquire_owned().await;
        let (engines, effects) = (engines.clone(), effects.clone());
        tokio::spawn(async move {
            loop {
                match outcome(&engines, &id).await {
                    Ok(_) => break,
                    // A run on SQLite removes a child whose outcome it has taken. A server that is
                    // starting or ending may not find one that is there.
                    Err(EngineError::UnknownExecution(_)) if engines.have_workers() => break,
                    Err(EngineError::UnknownExecution(_)) => tokio::time::sleep(PAUSE).await,
                    Err(error) => panic!("{error}"),
                }
            }
            effects.note(&format!("ended {id}"));
            drop(permit);
        });
    }
}

/// The tasks of a batch.
#[derive(Clone)]
pub struct RowTasks {
    effects: Arc<Effects>,
    /// The name of this process.
    process: Arc<str>,
    /// The ids of children in which a task has begun.
    begun: mpsc::UnboundedSender<String>,
}

impl RowTasks {
    /// Opens the files of the Maps. Returns the tasks with the ids of the children in which one
    /// has begun.
    pub fn open(folder: &Path, process: &str, mode: Mode) -> (RowTasks, mpsc::UnboundedReceiver<String>) {
        let (effects, _) = Effects::open(folder).expect("a folder");
        effects.note(&format!("open {process}"));
        // Processes that only serve read the files once another one has written them.
        if mode != Mode::Serve {
            write_files(&folder.join("rows")).expect("files can be written");
        }
        let (sender, begun) = mpsc::unbounded_channel();
        (RowTasks { effects: Arc::new(effects), process: process.into(), begun: sender }, begun)
    }
}

impl Invoke for RowTasks {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let begun = tasks::begin(&cx.idempotency_key().to_string(), &input, &cx);
        self.effects.note(&format!("{begun} {}", self.process));
        let child = cx.execution_id();
        let _ = self.begun.send(child.to_owned());
        let rows = rows_of(&input);
        let first = rows.first().copied().unwrap_or_default();
        let outcome = match task.key.ends_with("check") {
            true if first % FLAKY == 0 && cx.attempt() == 1 => Err(Fault::new("Flaky", "again")),
            true => Ok(with_key(&input, &cx)),
            false => {
                let is_refused = rows.iter().any(|row| row % REFUSED.0 == REFUSED.1);
                let done = if is_refused { "refused" } else { "booked" };
                let list: Vec<String> = rows.iter().map(i64::to_string).collect();
                self.effects.note(&format!("rows {child} {done} {} {}", list.join(","), self.process));
                match is_refused {
                    true => Err(Fault::new("Refused", "a row is refused")),
                    false => Ok(booked(&input, &rows)),
                }
            }
        };
        task_future(async move {
            match tasks::random() % 4 {
                0 => {}
                1 => tokio::task::yield_now().await,
                _ => tokio::time::sleep(Duration::from_micros(tasks::random() % 8_000)).await,
            }
            outcome
        })
    }
}

/// Returns the numbers of the rows of a batch.
fn rows_of(input: &Value) -> Vec<i64> {
    let items = input.get("Items").and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.get("row")?.as_str()?.parse().ok()).collect()
}

/// Returns the input with the key of the call.
fn with_key(input: &Value, cx: &TaskContext) -> Value {
    let mut output: Object = input.as_object().cloned().unwrap_or_default();
    output.insert("key", cx.idempotency_key().to_string());
    output.into()
}

/// Returns the results of the rows.
fn booked(input: &Value, rows: &[i64]) -> Value {
    let padding = input.get("BatchInput").and_then(|all| all.get("padding")).and_then(Value::as_i64);
    let padding = "x".repeat(padding.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or_default());
    rows.iter().map(|row| value!({ "row": *row, "padding": padding.as_str() })).collect()
}
