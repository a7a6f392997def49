//! Runs workflows of ten durable steps on duroxide, with its defaults, in SQLite. Argument: an
//! empty folder. The protocol is that of `../python/protocol.py`.

#[path = "../../src/rate.rs"]
mod rate;

use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use duroxide::providers::sqlite::SqliteProvider;
use duroxide::runtime::Runtime;
use duroxide::runtime::registry::ActivityRegistry;
use duroxide::{ActivityContext, Client, OrchestrationContext, OrchestrationRegistry, OrchestrationStatus};
use rate::{STEPS, rate};

/// The time after which an execution counts as lost.
const LOST: Duration = Duration::from_secs(60);

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let peer = Arc::new(runtime.block_on(Peer::open(&format!("{folder}/duroxide.db"))));
    let shared = peer.clone();
    let run = move || {
        let peer = shared.clone();
        async move { peer.countdown().await }
    };
    // Not locked: duroxide writes its log to the standard output.
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let wants_output = line.expect("the bench writes text").trim() == "output";
        for (name, at_once) in [("one", 1), ("many", 64)] {
            let text = match wants_output {
                true => runtime.block_on(peer.countdown()),
                false => runtime.block_on(rate(at_once, run.clone())).to_string(),
            };
            writeln!(out, "duroxide\t{name}\t{text}").expect("the bench reads the answers");
        }
        writeln!(out, "end").expect("the bench reads the answers");
        out.flush().expect("the bench reads the answers");
    }
}

/// The runtime, and the client that starts workflows.
struct Peer {
    client: Client,
    started: AtomicU64,
    _runtime: Arc<Runtime>,
}

impl Peer {
    async fn open(file: &str) -> Peer {
        std::fs::File::create(file).expect("a database can be created");
        let store = Arc::new(SqliteProvider::new(&format!("sqlite:{file}"), None).await.expect("a database"));
        let work = |_: ActivityContext, left: String| async move {
            left.parse::<u64>().map(|left| (left - 1).to_string()).map_err(|error| error.to_string())
        };
        let activities = ActivityRegistry::builder().register("Work", work).build();
        let countdown = |context: OrchestrationContext, mut left: String| async move {
            while left != "0" {
                left = context.schedule_activity("Work", left).await?;
            }
            Ok(left)
        };
        let orchestrations = OrchestrationRegistry::builder().register("Countdown", countdown).build();
        let runtime = Runtime::start_with_store(store.clone(), activities, orchestrations).await;
        Peer { client: Client::new(store), started: AtomicU64::new(0), _runtime: runtime }
    }

    /// Runs a workflow, and returns its output.
    async fn countdown(&self) -> String {
        let id = format!("countdown-{}", self.started.fetch_add(1, Ordering::Relaxed));
        self.client.start_orchestration(&id, "Countdown", STEPS.to_string()).await.expect("a start");
        match self.client.wait_for_orchestration(&id, LOST).await.expect("a result") {
            OrchestrationStatus::Completed { output, .. } => output,
            _ => panic!("the execution did not complete"),
        }
    }
}
