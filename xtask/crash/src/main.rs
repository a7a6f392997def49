//! `crash-worker FOLDER [finish]`: runs executions that are kept in FOLDER. Without `finish`,
//! submits more and more executions until the process is killed. With `finish`, lets all
//! executions end and prints their results.

mod deal;
mod effects;
mod gate;
mod kinds;
mod restate;
mod start_events;
mod tasks;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use workflow_runtime::{include_workflow, value};
use workflow_sqlite::{Engine, Error, Execution, Filter, Status};

use effects::{Asked, Effects};
use tasks::Tasks;

include_workflow!("flows/sequence.asl.json");
include_workflow!("flows/fan.asl.json");
include_workflow!("flows/each.asl.json");
include_workflow!("flows/ask.asl.json");
include_workflow!("flows/rounds.asl.json");
include_workflow!("flows/bank.composer.json");

/// The number of unfinished executions at any time.
const AT_ONCE: usize = 64;

/// The number of executions from before a kill that are submitted once more.
const AGAIN: u64 = 16;

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
            ["restate", folder, address, ingress, admin, ref finish @ ..] => {
                restate::work(Path::new(folder), address, ingress, admin, finish == ["finish"]).await;
            }
            [folder, ref finish @ ..] => work(Path::new(folder), finish == ["finish"]).await,
            [] => panic!("a folder is missing"),
        }
    });
}

async fn work(folder: &Path, finish: bool) {
    let (effects, asked) = Effects::open(folder).expect("a folder");
    let effects = Arc::new(effects);
    effects.note("open");
    let (sender, receiver) = mpsc::unbounded_channel();
    asked.into_iter().for_each(|asked| drop(sender.send(asked)));
    let tasks = Tasks { effects: effects.clone(), asked: sender };
    let builder = Engine::at(folder.join("executions.db"))
        .workflow::<sequence::Sequence>(tasks.clone())
        .workflow::<fan::Fan>(tasks.clone())
        .workflow::<each::Each>(tasks.clone())
        .workflow::<ask::Ask>(tasks.clone())
        .workflow::<rounds::Rounds>(tasks.clone())
        .workflow::<bank::Bank>(tasks.clone())
        .workflow::<deal::Deal>(tasks.clone())
        .workflow::<gate::Gate>(tasks);
    let engine = match builder.open().await {
        Ok(engine) => engine,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    println!("ready");
    tokio::spawn(answer(engine.clone(), effects.clone(), receiver));
    match finish {
        false => {
            tokio::spawn(start_events::publish(engine.clone(), effects.clone()));
            submit(engine, effects).await;
        }
        true => end(&engine, &effects).await,
    }
}

/// Submits executions, until the process is killed.
async fn submit(engine: Engine, effects: Arc<Effects>) {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let listed = engine.list(&Filter::all().limit(AT_ONCE as u32 * 4)).expect("a list");
    let ours = |one: &&workflow_sqlite::Summary| kinds::number(&one.id).is_some();
    let unfinished = listed.iter().filter(ours).filter(|one| !one.status.is_over());
    for one in unfinished {
        let execution = engine.execution(&one.id).expect("it was listed");
        let permit = permits.clone().try_acquire_owned().ok();
        tokio::spawn(follow(execution, effects.clone(), permit));
    }
    let newest = listed.iter().filter_map(|one| kinds::number(&one.id)).max();
    for number in newest.map_or(0, |newest| (newest + 1).saturating_sub(AGAIN)).. {
        let permit = permits.clone().acquire_owned().await.ok();
        let (engine, effects) = (engine.clone(), effects.clone());
        tokio::spawn(async move {
            let planned = kinds::planned(number);
            let submit = engine
                .start_named(planned.workflow, planned.input)
                .unwrap_or_else(|error| panic!("{error}: {:?}", engine.workflows()));
            let execution = submit.id(planned.id.as_str()).submit().await.expect("a start");
            if execution.is_new() {
                effects.note(&format!("new {}", planned.id));
            }
            effects.note(&format!("ack {}", planned.id));
            follow(execution, effects, permit).await;
        });
    }
}

/// Waits for the end of an execution.
async fn follow(execution: Execution, effects: Arc<Effects>, permit: Option<tokio::sync::OwnedSemaphorePermit>) {
    let outcome = execution.result().await.expect("a result");
    let number = kinds::number(execution.id()).expect("an id of ours");
    let verdict = match outcome {
        Ok(output) if tasks::number(&output) == kinds::expected(number) => "right".to_owned(),
        Ok(output) => format!("wrong {output} instead of {}", kinds::expected(number)),
        Err(fault) => format!("wrong {fault:?}").replace('\n', " "),
    };
    effects.note(&format!("result {} {verdict}", execution.id()));
    drop(permit);
}

/// Lets all executions come to their end.
async fn end(engine: &Engine, effects: &Arc<Effects>) {
    let all = engine.list(&Filter::all()).expect("a list");
    for one in all.iter().filter(|one| kinds::number(&one.id).is_some()) {
        let execution = engine.execution(&one.id).expect("it was listed");
        follow(execution, effects.clone(), None).await;
    }
    start_events::end(engine, effects).await;
    let parked = engine.list(&Filter::all().status(Status::Parked)).expect("a list").len();
    println!("executions {}", all.len());
    println!("parked {parked}");
    engine.shut_down(Duration::from_secs(10)).await;
    println!("ended");
    std::process::exit(0);
}

/// Answers the tasks that wait for an outcome, a little later.
async fn answer(engine: Engine, effects: Arc<Effects>, mut asked: mpsc::UnboundedReceiver<Asked>) {
    while let Some(asked) = asked.recv().await {
        let (engine, effects) = (engine.clone(), effects.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_micros(tasks::random() % 30_000)).await;
            if let Some((id, event)) = asked.event() {
                match engine.execution(id).expect("it asked").send(event).await {
                    // The event arrived before the last kill, and the execution has ended.
                    Ok(()) | Err(Error::NotNow { .. }) => return effects.used(&asked.token),
                    Err(error) => panic!("{error}"),
                }
            }
            let Asked { key, token, n } = asked;
            let answer = value!({ "key": key.as_str(), "n": n + 1 });
            match engine.succeed(&token, answer).await {
                Ok(()) => effects.note(&format!("answered {key}")),
                // The task was answered before the last kill.
                Err(Error::UnknownToken) => {}
                Err(error) => panic!("{error}"),
            }
            effects.used(&token);
        });
    }
}
