//! `crash-worker restate FOLDER ADDRESS INGRESS,… ADMIN,… [finish]`: serves the workflows at an
//! address to a Restate server, or to the nodes of a cluster, and submits executions there. Each
//! process can be killed at any moment.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use workflow_restate::{Client, Endpoint, Engine, Service};

use crate::engines::{Engines, Load};
use crate::{ask, bank, deal, each, fan, gate, opened, rounds, sequence, workload};

/// The amount of work. Each step passes through the server.
const LOAD: Load = Load { at_once: 24, gates_at_once: 8 };

/// The pause before the address is registered again.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves the workflows, and submits executions or waits for all of them to end.
pub async fn work(folder: &Path, address: &str, ingress: &str, admin: &str, finish: bool) {
    let (effects, tasks, asked) = opened(folder);
    let clients: Vec<Client> = ingress.split(',').zip(admin.split(',')).map(|(i, a)| Client::new(i, a)).collect();
    let endpoint = Endpoint::new()
        .workflow::<sequence::Sequence>(tasks.clone())
        .workflow::<fan::Fan>(tasks.clone())
        // Items run in batches of one. The small journal limit makes the execution that waits for
        // them continue as new meanwhile.
        .service(Service::of::<each::Each>(tasks.clone()).batches(4, 1).journal_limit(12))
        .workflow::<ask::Ask>(tasks.clone())
        .workflow::<rounds::Rounds>(tasks.clone())
        .workflow::<bank::Bank>(tasks.clone())
        // The small journal limits spread the waits over many invocations.
        .service(Service::of::<deal::Deal>(tasks.clone()).journal_limit(3))
        .service(Service::of::<gate::Gate>(tasks).journal_limit(3));
    let listener = TcpListener::bind(address).await.expect("the address");
    tokio::spawn(endpoint.serve(listener));
    register(&clients, &format!("http://{address}")).await;
    println!("ready");
    let engines = Engines(clients.into_iter().map(|client| Arc::new(engine(client)) as _).collect());
    workload::work(engines, folder, effects, asked, LOAD, finish).await;
}

/// Returns the engine of a node.
fn engine(client: Client) -> Engine {
    Engine::new(client)
        .workflow::<sequence::Sequence>()
        .workflow::<fan::Fan>()
        .workflow::<each::Each>()
        .workflow::<ask::Ask>()
        .workflow::<rounds::Rounds>()
        .workflow::<bank::Bank>()
        .workflow::<deal::Deal>()
        .workflow::<gate::Gate>()
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
