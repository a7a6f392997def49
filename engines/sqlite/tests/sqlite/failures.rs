//! Failing stores: a full disk, removed files, a torn log, damaged pages.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::place::{Place, until};
use steps::Steps;
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};
use workflow_sqlite::{Builder, Engine, Error, Execution, Filter, Status};

include_workflow!("tests/flows/steps.asl.json");

struct Tasks;

impl steps::Tasks for Tasks {
    async fn step(&self, _: Value, cx: TaskContext) -> Result<Value, Fault> {
        tokio::task::yield_now().await;
        Ok(format!("{:0>200}", cx.idempotency_key()).into())
    }
}

fn engine(file: &Path) -> Builder {
    Engine::at(file).workflow::<Steps>(Steps::bind(Arc::new(Tasks))).on_problem(|_| {})
}

/// Runs a future as a process would, and drops what it leaves behind. It must be short.
fn process<T>(run: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.expect("a runtime");
    let value = runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), run).await });
    runtime.shutdown_timeout(Duration::from_secs(10));
    value.expect("it hangs")
}

fn input(number: usize) -> Value {
    value!({ "number": number as i64, "hold": false })
}

async fn submit(engine: &Engine, number: usize) -> Result<Execution, Error> {
    engine.start::<Steps>(input(number)).id(format!("s-{number}")).submit().await
}

async fn hold(engine: &Engine) -> Execution {
    let held = engine.start::<Steps>(value!({ "hold": true })).id("held").submit().await.expect("a start");
    until("it runs", || held.describe().expect("a description").summary.status == Status::Running).await;
    held
}

async fn comes_to_its_end(execution: &Execution) {
    let output = execution.result().await.expect("a result").expect("an output");
    for (step, visit) in ["one", "two", "three"].into_iter().zip(2..) {
        let expected = format!("{:0>200}", format!("steps/{}/{visit}-0", execution.id()));
        assert_eq!(output.get(step).and_then(Value::as_str), Some(&*expected), "{output}");
    }
}

/// All acknowledged executions exist, and end.
async fn all_go_on(file: &Path, acknowledged: usize) {
    let engine = engine(file).open().await.expect("the database");
    for number in 0..acknowledged {
        let execution = engine.execution(&format!("s-{number}")).expect("it was acknowledged");
        comes_to_its_end(&execution).await;
    }
    engine.shut_down(Duration::from_secs(5)).await;
}

#[test]
fn a_full_disk_stops_the_engine_and_is_reported() {
    let place = Place::new("full");
    let problems = Arc::new(Mutex::new(Vec::new()));
    let reported = problems.clone();
    let acknowledged = process(async {
        let builder = engine(&place.file()).limit_pages(40);
        let engine = builder.on_problem(move |error| reported.lock().unwrap().push(error.to_string()));
        let engine = engine.open().await.expect("a new database");
        let held = hold(&engine).await;
        let waiter = tokio::spawn(async move { held.result().await });
        let mut executions = Vec::new();
        let error = loop {
            match submit(&engine, executions.len()).await {
                Ok(execution) => executions.push(execution),
                Err(error) => break error,
            }
        };
        assert!(matches!(&error, Error::Store { problem, .. } if problem.contains("full")), "{error}");
        assert!(error.to_string().ends_with(": database or disk is full"), "{error}");
        assert_eq!(engine.problem(), Some(error.clone()));
        assert_eq!(submit(&engine, 0).await.err(), Some(error.clone()));
        assert_eq!(engine.succeed("token", value!(null)).await.err(), Some(error.clone()));
        // Waiting callers receive the error.
        assert_eq!(waiter.await.expect("no panic"), Err(error.clone()));
        for execution in &executions {
            match execution.result().await {
                Ok(outcome) => drop(outcome.expect("an output")),
                Err(other) => assert_eq!(other, error),
            }
        }
        engine.shut_down(Duration::from_secs(5)).await;
        executions.len()
    });
    assert!(acknowledged > 3, "{acknowledged}");
    let problems = problems.lock().unwrap();
    assert!(matches!(&problems[..], [one] if one.contains("disk is full")), "{problems:?}");
    process(all_go_on(&place.file(), acknowledged));
}

#[test]
fn a_submit_that_fails_alone_stops_the_engine_too() {
    let place = Place::new("alone");
    process(async {
        let engine = engine(&place.file()).open().await.expect("a new database");
        let held = hold(&engine).await;
        let waiter = tokio::spawn(async move { held.result().await });
        std::fs::remove_file(place.file()).expect("it is there");
        let error = submit(&engine, 0).await.err().expect("it is gone");
        assert!(matches!(&error, Error::Store { problem, .. } if problem.contains("removed or replaced")), "{error}");
        assert_eq!(waiter.await.expect("no panic"), Err(error));
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

/// A database holds the tokens of tasks. Older files and files with a changed mode stay as they
/// are.
#[cfg(unix)]
#[test]
fn the_files_of_a_database_are_for_their_owner() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("mode");
    let lease = place.0.join("executions.db-lease");
    let opened = |expected: u32| {
        process(async {
            let engine = engine(&place.file()).open().await.expect("a database");
            hold(&engine).await;
            for file in [place.file(), place.log(), place.index()] {
                let mode = metadata(&file).expect("a file").permissions().mode() & 0o777;
                assert_eq!(mode, expected, "{}: {mode:o}", file.display());
            }
            engine.shut_down(Duration::from_millis(1)).await;
        });
        assert_eq!(metadata(&lease).expect("a lock").permissions().mode() & 0o777, 0o600);
    };
    opened(0o600);
    set_permissions(place.file(), Permissions::from_mode(0o640)).expect("a mode");
    for file in [place.log(), place.index()] {
        let _gone_already = std::fs::remove_file(file);
    }
    opened(0o640);
}

/// SQLite limits the length of a row. A longer row stops only the execution that writes it.
#[test]
fn what_is_too_large_for_the_database_stops_one_execution_only() {
    let place = Place::new("large");
    let problems = Arc::new(Mutex::new(Vec::new()));
    let reported = problems.clone();
    let open = || engine(&place.file()).open();
    process(async { open().await.expect("a new database").shut_down(Duration::from_secs(5)).await });
    // Simulates a lower limit for the row of the third step's frame, and for starts with a long
    // text.
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    let limit = "CREATE TRIGGER part BEFORE INSERT ON snapshot_rows WHEN NEW.kind = 2 AND NEW.state = 'Three'
        AND NEW.execution = (SELECT number FROM executions WHERE id = 's-3') BEGIN SELECT zeroblob(1 << 40); END;
        CREATE TRIGGER start BEFORE INSERT ON executions WHEN length(NEW.start) > 5000 BEGIN SELECT zeroblob(1 << 40); END;";
    connection.execute_batch(limit).expect("triggers");
    drop(connection);
    process(async {
        let builder = engine(&place.file()).on_problem(move |error| reported.lock().unwrap().push(error.to_string()));
        let engine = builder.open().await.expect("the database");
        let mut executions = Vec::new();
        for number in 0..8 {
            executions.push(submit(&engine, number).await.expect("a start"));
        }
        let long = value!({ "hold": false, "text": ("x".repeat(6_000)) });
        let error = engine.start::<Steps>(long).submit().await.err().expect("it is too long");
        assert!(matches!(&error, Error::Unwritten { problem } if problem == "string or blob too big"), "{error}");
        for (execution, number) in executions.iter().zip(0..) {
            if number != 3 {
                comes_to_its_end(execution).await;
                continue;
            }
            let error = execution.result().await.expect_err("it is too large");
            assert!(matches!(&error, Error::Unkept { execution, .. } if execution == "s-3"), "{error}");
            assert_eq!(execution.describe().expect("a description").waiting[0].state, "Two", "as it was last written");
        }
        assert_eq!(engine.problem(), None);
        // It can still be cancelled.
        executions[3].cancel("too large").await.expect("it runs");
        executions[3].result().await.expect("it ends").expect_err("a fault");
        comes_to_its_end(&submit(&engine, 8).await.expect("a start")).await;
        engine.shut_down(Duration::from_secs(5)).await;
    });
    let problems = problems.lock().unwrap();
    assert!(matches!(&problems[..], [one] if one.contains("`s-3`: string or blob too big")), "{problems:?}");
}

#[test]
fn a_folder_that_cannot_be_written_is_refused() {
    let place = Place::new("read-only");
    let writable = |writable: bool| {
        let mut permissions = std::fs::metadata(&place.0).expect("a folder").permissions();
        #[allow(clippy::permissions_set_readonly_false)]
        permissions.set_readonly(!writable);
        std::fs::set_permissions(&place.0, permissions).expect("the owner may");
    };
    writable(false);
    // Root is not refused.
    if std::fs::write(place.0.join("probe"), "").is_err() {
        let error = process(engine(&place.file()).open()).err().expect("it cannot be made");
        assert!(matches!(error, Error::Store { .. }), "{error}");
    }
    writable(true);
}

/// Runs some executions, and copies the files while others run: the remains of a killed process.
fn killed(place: &Place, finished: usize, all: usize) -> (Vec<u8>, Vec<u8>) {
    process(async {
        let engine = engine(&place.file()).open().await.expect("a new database");
        for number in 0..finished {
            comes_to_its_end(&submit(&engine, number).await.expect("a start")).await;
        }
        engine.shut_down(Duration::from_secs(5)).await;
    });
    process(async {
        let engine = engine(&place.file()).open().await.expect("the database");
        for number in finished..all {
            submit(&engine, number).await.expect("a start");
        }
        // The log is not written back before it has a thousand pages.
        let files = (std::fs::read(place.file()).expect("a file"), std::fs::read(place.log()).expect("a log"));
        engine.shut_down(Duration::from_secs(5)).await;
        files
    })
}

#[test]
fn a_torn_log_loses_at_most_what_was_in_it() {
    const FRAME: usize = 24 + 4_096;
    let place = Place::new("torn");
    let (finished, all) = (5, 20);
    let (file, log) = killed(&place, finished, all);
    assert!(log.len() > 20 * FRAME && log.len() < 900 * FRAME, "{}", log.len());
    let mut logs = Vec::new();
    for part in 0..12 {
        // Somewhere inside a frame, and between two.
        logs.push(log[..log.len() * part / 12 + part].to_vec());
        logs.push(log[..32 + (log.len() - 32) / FRAME * part / 12 * FRAME].to_vec());
    }
    for back in [1, FRAME / 2, FRAME, 2 * FRAME] {
        let mut torn = log.clone();
        let at = torn.len() - back;
        torn[at..].fill(0x5a);
        logs.push(torn);
    }
    for (case, log) in logs.into_iter().enumerate() {
        std::fs::write(place.file(), &file).expect("a file");
        std::fs::write(place.log(), &log).expect("a log");
        let _ = std::fs::remove_file(place.index());
        process(async {
            let engine = engine(&place.file()).open().await.unwrap_or_else(|error| panic!("case {case}: {error}"));
            for number in 0..finished {
                let execution = engine.execution(&format!("s-{number}")).expect("it was written back");
                assert!(execution.outcome().expect("it can be read").is_some(), "case {case}");
            }
            for number in 0..all {
                comes_to_its_end(&submit(&engine, number).await.expect("a start")).await;
            }
            assert_eq!(engine.list(&Filter::all()).expect("a list").len(), all, "case {case}");
            engine.shut_down(Duration::from_secs(5)).await;
        });
    }
}

#[test]
fn a_damaged_page_is_reported_and_nothing_panics() {
    static PANICS: AtomicUsize = AtomicUsize::new(0);
    const PAGE: usize = 4_096;
    let place = Place::new("damaged");
    let (file, log) = killed(&place, 5, 15);
    std::fs::write(place.file(), &file).expect("a file");
    std::fs::write(place.log(), &log).expect("a log");
    let connection = rusqlite::Connection::open(place.file()).expect("a database");
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).expect("a checkpoint");
    drop(connection);
    let file = std::fs::read(place.file()).expect("a file");
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        PANICS.fetch_add(1, Ordering::SeqCst);
        before(panic);
    }));
    let (mut refused, mut reported, mut well) = (0, 0, 0);
    for page in 0..file.len() / PAGE {
        for garbage in [0x00, 0xff] {
            let mut damaged = file.clone();
            damaged[page * PAGE + 100 * usize::from(page == 0)..][..PAGE / 2].fill(garbage);
            std::fs::write(place.file(), &damaged).expect("a file");
            let _ = std::fs::remove_file(place.log());
            let _ = std::fs::remove_file(place.index());
            process(async {
                let engine = match engine(&place.file()).open().await {
                    Ok(engine) => engine,
                    Err(Error::Damaged { .. } | Error::Foreign { .. }) => return refused += 1,
                    Err(error) => panic!("page {page}: {error}"),
                };
                let mut problems = 0;
                for number in 0..15 {
                    let execution = match submit(&engine, number).await {
                        Ok(execution) => execution,
                        Err(_) => {
                            problems += 1;
                            continue;
                        }
                    };
                    problems += usize::from(execution.result().await.is_err());
                }
                engine.shut_down(Duration::from_secs(5)).await;
                if problems > 0 { reported += 1 } else { well += 1 }
            });
        }
    }
    drop(std::panic::take_hook());
    assert_eq!(PANICS.load(Ordering::SeqCst), 0);
    println!("{refused} refused, {reported} reported, {well} well");
    assert!(refused > 0 && reported > 0, "{refused} refused, {reported} reported, {well} well");
}

/// Limits the size of files, so that writes fail as on a full disk. The next test runs this one;
/// it does nothing otherwise.
#[cfg(unix)]
#[test]
fn submits_until_a_write_fails() {
    let Some(file) = std::env::var_os("STEPS_FILE").map(PathBuf::from) else { return };
    process(async {
        let engine = engine(&file).open().await.expect("a new database");
        let mut acknowledged = 0;
        let error = loop {
            match submit(&engine, acknowledged).await {
                Ok(_) => acknowledged += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::Store { .. }), "{error}");
        assert_eq!(engine.problem(), Some(error.clone()));
        println!("\nacknowledged {acknowledged}\nerror {error}");
        engine.shut_down(Duration::from_secs(5)).await;
    });
}

#[cfg(unix)]
#[test]
fn a_write_that_fails_stops_the_engine_and_loses_nothing() {
    let place = Place::new("writes");
    let this = std::env::current_exe().expect("a program");
    // Ignores the signal for files that are too large, so that writes fail instead.
    let script = "trap '' XFSZ; ulimit -f 800; exec \"$0\" --exact failures::submits_until_a_write_fails --nocapture";
    let mut command = std::process::Command::new("sh");
    let output = command.args(["-c", script]).arg(this).env("STEPS_FILE", place.file()).output().expect("a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    let acknowledged = text.lines().find_map(|line| line.strip_prefix("acknowledged "));
    let acknowledged: usize = acknowledged.and_then(|number| number.parse().ok()).expect("a number");
    assert!(acknowledged > 0, "{text}");
    assert!(text.contains(": disk I/O error") || text.contains("disk is full"), "{text}");
    process(all_go_on(&place.file(), acknowledged));
}
