//! `crash-worker restate WORKLOAD FOLDER ADDRESS PUBLIC INGRESS,… ADMIN,… [finish|serve]`: serves
//! the workflows at an address to a Restate server, or to the nodes of a cluster, and submits
//! executions there. The servers reach ADDRESS, perhaps among those of other processes, through
//! PUBLIC. Each process can be killed at any moment.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use workflow_restate::{Client, Endpoint, Engine, Service};

use crate::engines::{Engines, Load};
use crate::maps::{self, RowTasks};
use crate::{Mode, ask, bank, deal, each, fan, gate, opened, rounds, rows, sequence, workload};

/// The amount of work. Each step passes through the server.
const LOAD: Load = Load { at_once: 24, gates_at_once: 8 };

/// The pause before the address is registered again.
const PAUSE: Duration = Duration::from_millis(100);

/// The small journal limit of Maps, so that many invocations continue a run.
const MAP_JOURNAL: u64 = 40;

/// Clients of the server, or of the nodes of a cluster.
pub struct Servers(Vec<Client>);

impl Servers {
    /// Returns the clients of the servers with these addresses, between commas.
    pub fn of(ingress: &str, admin: &str) -> Servers {
        Servers(ingress.split(',').zip(admin.split(',')).map(|(i, a)| Client::new(i, a)).collect())
    }

    fn engines(self, engine: fn(Client) -> Engine) -> Engines {
        Engines(self.0.into_iter().map(|client| Arc::new(engine(client)) as _).collect())
    }
}

/// Serves the workflows, and submits executions or waits for all of them to end.
pub async fn work(workload: &str, folder: &Path, addresses: [&str; 2], servers: Servers, mode: Mode) {
    match workload {
        "map" => {
            let (tasks, begun) = RowTasks::open(folder, addresses[0], mode);
            let service = Service::of::<rows::Rows>(tasks.clone()).journal_limit(MAP_JOURNAL);
            let endpoint = Endpoint::new().service(service.objects(maps::stores(folder)));
            serve(endpoint, addresses, &servers, mode).await;
            let engines = servers.engines(|client| Engine::new(client).workflow::<rows::Rows>());
            maps::drive(engines, folder, tasks, begun, mode).await;
        }
        "mixed" => {
            let (effects, tasks, asked) = opened(folder);
            let endpoint = Endpoint::new()
                .workflow::<sequence::Sequence>(tasks.clone())
                .workflow::<fan::Fan>(tasks.clone())
                // Items run in batches of one. The small journal limit makes the execution that
                // waits for them continue as new meanwhile.
                .service(Service::of::<each::Each>(tasks.clone()).batches(4, 1).journal_limit(12))
                .workflow::<ask::Ask>(tasks.clone())
                .workflow::<rounds::Rounds>(tasks.clone())
                .workflow::<bank::Bank>(tasks.clone())
                // The small journal limits spread the waits over many invocations.
                .service(Service::of::<deal::Deal>(tasks.clone()).journal_limit(3))
                .service(Service::of::<gate::Gate>(tasks).journal_limit(3));
            serve(endpoint, addresses, &servers, mode).await;
            workload::work(servers.engines(engine), folder, effects, asked, LOAD, mode).await;
        }
        other => panic!("expected map or mixed, not {other}"),
    }
}

/// Serves an endpoint at the first address, and registers the second one.
async fn serve(endpoint: Endpoint, [address, public]: [&str; 2], servers: &Servers, mode: Mode) {
    let listener = TcpListener::bind(address).await.expect("the address");
    tokio::spawn(endpoint.serve(listener));
    if mode != Mode::Serve {
        register(&servers.0, &format!("http://{public}")).await;
    }
    println!("ready");
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
