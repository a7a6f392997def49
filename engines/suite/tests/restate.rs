//! The suite on a Restate server.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use restate_testing::Server;
use tokio::net::TcpListener;
use workflow_engine_suite::{Registry, Workflows, violations};
use workflow_restate::{Client, Endpoint, Engine, Service};
use workflow_runtime::engine::StartRequest;
use workflow_runtime::task::Invoke;
use workflow_runtime::{Workflow, value};

/// The time that the engine has for anything that takes no time.
const PATIENCE: Duration = Duration::from_secs(60);

fn server() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    SERVER.get_or_init(|| restate_testing::server(target, None)).as_ref()
}

/// The engine, and the endpoint that serves its workflows: services of a version of their own.
struct Builder {
    engine: Engine,
    endpoint: Endpoint,
    version: String,
}

impl Registry for Builder {
    fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Self {
        let Builder { engine, endpoint, version } = self;
        let service = Service::of::<W>(tasks).version(&version);
        let engine = engine.service(W::DEFINITION, service.name());
        Builder { engine, endpoint: endpoint.service(service), version }
    }
}

async fn open(workflows: Workflows, folder: PathBuf) -> Arc<dyn workflow_runtime::engine::Engine> {
    let server = server().expect("the test has started the server");
    let client = Client::new(&server.ingress, &server.admin);
    let folder = folder.file_name().expect("the folder has a name").to_string_lossy().into_owned();
    let version = folder.rsplit('-').next().unwrap_or_default().to_owned();
    let builder = Builder { engine: Engine::new(client.clone()), endpoint: Endpoint::new(), version };
    let Builder { engine, endpoint, .. } = workflows.register(builder);
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { endpoint.serve(listener).await });
    client.register(&format!("http://{address}")).await.expect("the server reaches the endpoint");
    Arc::new(engine)
}

#[test]
fn restate_keeps_the_promises() {
    if server().is_none() {
        return;
    }
    let found = violations(open, PATIENCE);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn tokens_are_masked_in_texts() {
    if server().is_none() {
        return;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let engine = open(Workflows::default(), PathBuf::from("masked-tokens")).await;
        engine.start(StartRequest::new("ask", value!({})).id("one")).await.expect("a start");
        let token = async {
            loop {
                let waiting = engine.waiting("one").await.expect("waits");
                match waiting.into_iter().find_map(|wait| wait.token) {
                    Some(token) => break token,
                    None => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        };
        let token = tokio::time::timeout(PATIENCE, token).await.expect("the execution waits for its token");
        let other = "01234567-89ab-4cde-8f01-23456789abcd";
        let masked = engine.without_tokens(format!("{{\"a\":\"{token}\",\"b\":\"{other}\"}}")).await;
        assert_eq!(masked.expect("a text"), format!("{{\"a\":\"[token]\",\"b\":\"{other}\"}}"));
    });
}
