//! `crash-worker mixed FOLDER [finish]`: runs executions of several kinds that are kept in FOLDER.
//! Without `finish`, submits more and more executions until the process is killed. With `finish`,
//! lets all executions end and prints their results.

mod deal;
mod effects;
mod engines;
mod gate;
mod kinds;
mod maps;
mod plan;
mod restate;
mod start_events;
mod tasks;
mod workload;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::mpsc;
use workflow_runtime::include_workflow;
use workflow_sqlite::Engine;

use effects::{Asked, Effects};
use engines::{Engines, Load};
use tasks::Tasks;

include_workflow!("flows/sequence.asl.json");
include_workflow!("flows/fan.asl.json");
include_workflow!("flows/each.asl.json");
include_workflow!("flows/ask.asl.json");
include_workflow!("flows/rounds.asl.json");
include_workflow!("flows/rows.asl.json");
include_workflow!("flows/bank.composer.json");

/// The amount of work for an engine in this process.
const LOAD: Load = Load { at_once: 64, gates_at_once: 16 };

/// The work of the process besides the executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// It submits executions.
    Submit,
    /// It waits for all executions to end.
    Finish,
    /// Nothing: another process on Restate submits executions.
    Serve,
}

impl Mode {
    fn read(words: &[&str]) -> Mode {
        match words {
            [] => Mode::Submit,
            ["finish"] => Mode::Finish,
            ["serve"] => Mode::Serve,
            _ => panic!("expected finish or serve, not {words:?}"),
        }
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    std::thread::spawn(|| {
        // Standard input is closed when the parent has ended.
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(1);
    });
    // A panic ends the process, so that the parent notices it.
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        default_hook(panic);
        std::process::exit(101);
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    runtime.expect("a runtime").block_on(async {
        match words[..] {
            ["restate", workload, folder, address, public, ingress, admin, ref mode @ ..] => {
                let servers = restate::Servers::of(ingress, admin);
                restate::work(workload, Path::new(folder), [address, public], servers, Mode::read(mode)).await;
            }
            ["map", folder, ref mode @ ..] => maps::work(Path::new(folder), Mode::read(mode)).await,
            ["mixed", folder, ref mode @ ..] => work(Path::new(folder), Mode::read(mode)).await,
            _ => panic!("expected a workload and a folder, not {words:?}"),
        }
    });
}

async fn work(folder: &Path, mode: Mode) {
    let (effects, tasks, asked) = opened(folder);
    let builder = Engine::at(folder.join("executions.db"))
        .workflow::<sequence::Sequence>(tasks.clone())
        .workflow::<fan::Fan>(tasks.clone())
        .workflow::<each::Each>(tasks.clone())
        .workflow::<ask::Ask>(tasks.clone())
        .workflow::<rounds::Rounds>(tasks.clone())
        .workflow::<bank::Bank>(tasks.clone())
        .workflow::<deal::Deal>(tasks.clone())
        .workflow::<gate::Gate>(tasks);
    let engine = opened_or_exit(builder.open().await);
    println!("ready");
    workload::work(Engines(vec![Arc::new(engine)]), folder, effects, asked, LOAD, mode).await;
}

/// Returns an engine that was opened.
fn opened_or_exit(opened: Result<Engine, workflow_sqlite::Error>) -> Engine {
    opened.unwrap_or_else(|error| {
        eprintln!("{error}");
        std::process::exit(2)
    })
}

/// Opens the file of effects. Returns the tasks that write to it, and the receiver of those that
/// wait for an outcome.
fn opened(folder: &Path) -> (Arc<Effects>, Tasks, mpsc::UnboundedReceiver<Asked>) {
    let (effects, asked) = Effects::open(folder).expect("a folder");
    let effects = Arc::new(effects);
    effects.note("open");
    let (sender, receiver) = mpsc::unbounded_channel();
    asked.into_iter().for_each(|asked| drop(sender.send(asked)));
    (effects.clone(), Tasks { effects, asked: sender }, receiver)
}
