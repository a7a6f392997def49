//! `crash-worker restate FOLDER ADDRESS INGRESS,… ADMIN,… [finish]`: serves the workflows at an
//! address to a Restate server, or to the nodes of a cluster, and submits executions there. Each
//! process can be killed at any moment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use workflow_restate::{Client, ClientError, Endpoint, Executions, Service};
use workflow_runtime::machine::Outcome;
use workflow_runtime::value;

use crate::effects::{Asked, Effects};
use crate::tasks::Tasks;
use crate::{ask, bank, deal, each, fan, kinds, rounds, sequence, tasks};

/// The number of unfinished executions at any time.
const AT_ONCE: usize = 24;

/// The number of executions from before a kill that are submitted once more.
const AGAIN: u64 = 8;

/// The pause before the server is queried again.
const PAUSE: Duration = Duration::from_millis(100);

/// Clients of the executions by workflow, for each node.
struct Servers(Vec<BTreeMap<&'static str, Arc<Executions>>>);

impl Servers {
    fn new(ingress: &str, admin: &str) -> (Servers, Vec<Client>) {
        let clients: Vec<Client> = ingress.split(',').zip(admin.split(',')).map(|(i, a)| Client::new(i, a)).collect();
        let services = |client: &Client| {
            let services = [
                ("sequence", client.workflow::<sequence::Sequence>()),
                ("fan", client.workflow::<fan::Fan>()),
                ("each", client.workflow::<each::Each>()),
                ("ask", client.workflow::<ask::Ask>()),
                ("rounds", client.workflow::<rounds::Rounds>()),
                ("bank", client.workflow::<bank::Bank>()),
                ("deal", client.workflow::<deal::Deal>()),
            ];
            services.map(|(name, service)| (name, Arc::new(service))).into()
        };
        (Servers(clients.iter().map(services).collect()), clients)
    }

    /// Queries one node after the other until one answers.
    async fn ask<T, F>(&self, workflow: &str, ask: impl Fn(Arc<Executions>) -> F) -> T
    where
        F: Future<Output = Result<T, ClientError>>,
    {
        loop {
            for node in &self.0 {
                let services = node.get(workflow).expect("a workflow of ours").clone();
                match tokio::time::timeout(Duration::from_secs(20), ask(services)).await {
                    Ok(Ok(answer)) => return answer,
                    _ => tokio::time::sleep(PAUSE).await,
                }
            }
        }
    }
}

/// Serves the workflows, and submits executions or waits for all of them to end.
pub async fn work(folder: &Path, address: &str, ingress: &str, admin: &str, finish: bool) {
    let (effects, asked) = Effects::open(folder).expect("a folder");
    let effects = Arc::new(effects);
    effects.note("open");
    let (sender, receiver) = mpsc::unbounded_channel();
    asked.into_iter().for_each(|asked| drop(sender.send(asked)));
    let tasks = Tasks { effects: effects.clone(), asked: sender };
    let (servers, clients) = Servers::new(ingress, admin);
    let servers = Arc::new(servers);
    let endpoint = Endpoint::new()
        .workflow::<sequence::Sequence>(tasks.clone())
        .workflow::<fan::Fan>(tasks.clone())
        // Items run in batches of one. The small journal limit makes the execution that waits for
        // them continue as new meanwhile.
        .service(Service::of::<each::Each>(tasks.clone()).batches(4, 1).journal_limit(12))
        .workflow::<ask::Ask>(tasks.clone())
        .workflow::<rounds::Rounds>(tasks.clone())
        .workflow::<bank::Bank>(tasks.clone())
        // The small journal limit spreads the waits over many invocations.
        .service(Service::of::<deal::Deal>(tasks).journal_limit(3));
    let listener = TcpListener::bind(address).await.expect("the address");
    tokio::spawn(endpoint.serve(listener));
    register(&clients, &format!("http://{address}")).await;
    println!("ready");
    tokio::spawn(answer(servers.clone(), effects.clone(), receiver));
    let (all, ended) = known(folder);
    let open = all.difference(&ended).copied();
    match finish {
        false => submit(servers, effects, open.collect(), all.last().copied()).await,
        true => {
            for number in open {
                follow(&servers, number, &effects, None).await;
            }
            println!("executions {}", all.len());
            println!("ended");
            std::process::exit(0);
        }
    }
}

/// Registers the address with the server, which may still be starting.
async fn register(clients: &[Client], address: &str) {
    for client in clients.iter().cycle() {
        match tokio::time::timeout(Duration::from_secs(10), client.register(address)).await {
            Ok(Ok(_)) => return,
            _ => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Returns the numbers of the executions that were acknowledged, and of those that have ended.
fn known(folder: &Path) -> (BTreeSet<u64>, BTreeSet<u64>) {
    let text = std::fs::read_to_string(folder.join("effects")).expect("effects can be read");
    let (mut acknowledged, mut ended) = (BTreeSet::new(), BTreeSet::new());
    for line in text.lines() {
        let mut words = line.split(' ');
        match (words.next(), words.next().and_then(kinds::number)) {
            (Some("ack"), Some(number)) => drop(acknowledged.insert(number)),
            (Some("result"), Some(number)) => drop(ended.insert(number)),
            _ => {}
        }
    }
    (acknowledged, ended)
}

/// Submits executions, until the process is killed.
async fn submit(servers: Arc<Servers>, effects: Arc<Effects>, open: Vec<u64>, newest: Option<u64>) {
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    for number in open {
        let permit = permits.clone().try_acquire_owned().ok();
        let (servers, effects) = (servers.clone(), effects.clone());
        tokio::spawn(async move { follow(&servers, number, &effects, permit).await });
    }
    for number in newest.map_or(0, |newest| (newest + 1).saturating_sub(AGAIN)).. {
        let permit = permits.clone().acquire_owned().await.ok();
        let (servers, effects) = (servers.clone(), effects.clone());
        tokio::spawn(async move {
            let planned = kinds::planned(number);
            let started = servers.ask(planned.workflow, |one| {
                let (id, input) = (planned.id.clone(), planned.input.clone());
                async move { one.start(&id, input).await }
            });
            let started = started.await;
            if !started.existed {
                effects.note(&format!("new {}", planned.id));
            }
            effects.note(&format!("ack {}", planned.id));
            follow(&servers, number, &effects, permit).await;
        });
    }
}

/// Waits for the end of an execution.
async fn follow(servers: &Servers, number: u64, effects: &Effects, permit: Option<OwnedSemaphorePermit>) {
    let planned = kinds::planned(number);
    let mut outcome: Option<Outcome> = None;
    // A failure is queried twice: a server that is being killed may answer with a failure of its
    // own.
    for _ in 0..2 {
        let asked = servers.ask(planned.workflow, |one| {
            let id = planned.id.clone();
            async move { one.attach(&id).await }
        });
        let again = asked.await;
        if again.is_ok() || outcome.as_ref() == Some(&again) {
            outcome = Some(again);
            break;
        }
        outcome = Some(again);
        tokio::time::sleep(PAUSE).await;
    }
    let verdict = match outcome {
        Some(Ok(output)) if tasks::number(&output) == kinds::expected(number) => "right".to_owned(),
        Some(Ok(output)) => format!("wrong {output} instead of {}", kinds::expected(number)),
        other => format!("wrong {other:?}").replace('\n', " "),
    };
    effects.note(&format!("result {} {verdict}", planned.id));
    drop(permit);
}

/// Answers the tasks that wait for an outcome, a little later.
async fn answer(servers: Arc<Servers>, effects: Arc<Effects>, mut asked: mpsc::UnboundedReceiver<Asked>) {
    while let Some(asked) = asked.recv().await {
        let (servers, effects) = (servers.clone(), effects.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_micros(tasks::random() % 30_000)).await;
            if let Some((id, event)) = asked.event() {
                let send = servers.ask("deal", |one| {
                    let (id, event) = (id.to_owned(), event.clone());
                    async move {
                        match one.send(&id, &event).await {
                            // The event arrived before the last kill, and the execution has ended.
                            Err(ClientError::Refused { status: 409, .. }) => Ok(()),
                            other => other,
                        }
                    }
                });
                send.await;
                return effects.used(&asked.token);
            }
            let Asked { key, token, n } = asked;
            let answer = value!({ "key": key.as_str(), "n": n + 1 });
            let id = key.split('/').nth(1).unwrap_or_default().to_owned();
            let asked = servers.ask("ask", |one| {
                let (id, token, answer) = (id.clone(), token.clone(), answer.clone());
                async move { one.succeed(&id, &token, answer).await }
            });
            asked.await;
            effects.note(&format!("answered {key}"));
            effects.used(&token);
        });
    }
}
