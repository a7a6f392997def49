//! Tests of observers and of histories of executions in a database: the redaction of payloads, and
//! its limits.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use approval::approval::Approval;
use approval::tasks::Tasks;
use workflow_runtime::observe::{Event, EventKind, InvalidPath, Observer, Tracing};
use workflow_runtime::value;
use workflow_sqlite::{Builder, Engine};

/// Redacts employees and purposes in the histories.
fn redacted(engine: Builder) -> Result<Builder, InvalidPath> {
    engine.redact(["$..employee", "$..purpose"])
}

/// Leaves all payloads out of the histories.
fn without_payloads(engine: Builder) -> Builder {
    engine.history_payloads(0)
}

/// Reports every execution to `tracing`.
fn traced(engine: Builder) -> Builder {
    engine.observer(|_id| Some(Box::new(Tracing::new().without_payloads())))
}

/// Counters of the whole program.
#[derive(Default)]
struct Metrics {
    states: AtomicU64,
    retries: AtomicU64,
}

/// An observer that counts. Each execution has one, and all of them share the counters.
struct Counting(Arc<Metrics>);

impl Observer for Counting {
    fn observe(&mut self, event: &Event<'_>) {
        match event.kind {
            EventKind::StateEntered { .. } => self.0.states.fetch_add(1, Ordering::Relaxed),
            EventKind::StateRetried { .. } => self.0.retries.fetch_add(1, Ordering::Relaxed),
            _ => return,
        };
    }
}

/// Counts the states and the retries of all executions.
fn counted(engine: Builder, metrics: Arc<Metrics>) -> Builder {
    engine.observer(move |_id| Some(Box::new(Counting(metrics.clone()))))
}

/// Runs an expense in a database of its own. Returns its history, and the bytes of the database.
async fn book(name: &str, configure: impl FnOnce(Builder) -> Builder) -> (String, Vec<u8>) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("observers-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let (queue, _questions) = tokio::sync::mpsc::unbounded_channel();
    let builder = Engine::at(folder.join("approval.db"));
    let builder = builder.workflow::<Approval>(Approval::bind(Arc::new(Tasks::new(queue))));
    let engine = configure(builder).open().await.expect("a database");
    let expense = value!({ "employee": "ada", "purpose": "a surprise for Bob", "amount": 12 });
    let execution = engine.start::<Approval>(expense).submit().await.expect("an execution");
    execution.result().await.expect("an end").expect("a booking");
    let history = execution.history().expect("a history").join("\n");
    engine.shut_down(Duration::from_secs(1)).await;
    let files = std::fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path());
    let files: Vec<PathBuf> = files.collect();
    let bytes = files.iter().flat_map(|file| std::fs::read(file).expect("a file")).collect();
    let _ = std::fs::remove_dir_all(&folder);
    (history, bytes)
}

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test]
async fn redaction_concerns_the_history_and_not_the_execution() {
    let (history, database) = book("all", |engine| engine).await;
    assert!(history.contains("a surprise for Bob") && has(&database, "a surprise for Bob"));

    let (history, database) = book("redacted", |engine| redacted(engine).expect("valid paths")).await;
    assert!(history.contains(r#""purpose":"[redacted]""#), "{history}");
    assert!(!history.contains("surprise") && history.contains(r#""amount":12"#), "{history}");
    // The database keeps the input of the execution as it is.
    assert!(has(&database, "a surprise for Bob"));

    let (history, database) = book("silent", without_payloads).await;
    assert!(!history.contains("surprise") && !history.contains("amount"), "{history}");
    assert!(has(&database, "a surprise for Bob"));
}

#[tokio::test]
async fn observers_follow_executions_in_a_database() {
    let metrics = Arc::new(Metrics::default());
    let shared = metrics.clone();
    book("counted", |engine| traced(counted(engine, shared))).await;
    assert_eq!(metrics.states.load(Ordering::Relaxed), 3);
    assert_eq!(metrics.retries.load(Ordering::Relaxed), 0);
}
