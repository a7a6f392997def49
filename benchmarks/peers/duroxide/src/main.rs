//! Runs workflows of ten durable steps on duroxide, with its defaults, in SQLite. Argument: an
//! empty folder. The protocol is that of `../python/protocol.py`.

use std::io::{BufRead as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use duroxide::providers::sqlite::SqliteProvider;
use duroxide::runtime::Runtime;
use duroxide::runtime::registry::ActivityRegistry;
use duroxide::{ActivityContext, Client, OrchestrationContext, OrchestrationRegistry, OrchestrationStatus};

const STEPS: u64 = 10;

/// The least time of a sample.
const SAMPLE: Duration = Duration::from_millis(1_500);

/// The time after which an execution counts as lost.
const LOST: Duration = Duration::from_secs(60);

fn main() {
    let folder = std::env::args().nth(1).expect("a folder");
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let peer = Arc::new(runtime.block_on(Peer::open(&format!("{folder}/duroxide.db"))));
    // Not locked: duroxide writes its log to the standard output.
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let wants_output = line.expect("the bench writes text").trim() == "output";
        for (name, at_once) in [("one", 1), ("many", 64)] {
            let text = match wants_output {
                true => runtime.block_on(peer.countdown()),
                false => runtime.block_on(rate(&peer, at_once)).to_string(),
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

/// Returns the steps per second with some workflows at once.
async fn rate(peer: &Arc<Peer>, at_once: usize) -> f64 {
    let began = Instant::now();
    let loops = (0..at_once).map(|_| {
        let peer = peer.clone();
        tokio::spawn(async move {
            let mut done = 0;
            while began.elapsed() < SAMPLE {
                peer.countdown().await;
                done += STEPS;
            }
            done
        })
    });
    let mut done = 0;
    for running in loops.collect::<Vec<_>>() {
        done += running.await.expect("the loop does not panic");
    }
    done as f64 / began.elapsed().as_secs_f64()
}
