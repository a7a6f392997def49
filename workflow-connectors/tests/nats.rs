//! Events stored by a local NATS server: `nats-server` in the search path, or below `nats-server`
//! in the target folder, where Debian's package puts it:
//!
//! ```sh
//! apt-get download nats-server && dpkg -x nats-server_*.deb target/nats-server
//! ```
//!
//! Without a server, the tests report that they were skipped; with `WORKFLOW_REQUIRE_NATS` set,
//! they fail.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, stream};
use async_nats::{Client, ConnectOptions};
use workflow_connectors::NatsSink;
use workflow_runtime::event::EventSink as _;
use workflow_runtime::{CloudEvent, Fault, Value, value};

/// Server with streams. It ends with the test.
struct Server {
    process: Child,
    program: PathBuf,
    folder: PathBuf,
    port: u16,
    more: Vec<&'static str>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Server {
    /// Starts a server. Returns `None` if there is none.
    async fn start(name: &str, more: &[&'static str]) -> Option<Server> {
        let Some(program) = program() else {
            assert!(std::env::var_os("WORKFLOW_REQUIRE_NATS").is_none(), "there is no nats-server");
            eprintln!("{name}: skipped, for there is no nats-server: see the head of this file");
            return None;
        };
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nats-{name}-{}", std::process::id()));
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let more = more.to_vec();
        let process = launch(&program, &folder, port, &more);
        let server = Server { process, program, folder, port, more };
        server.is_up().await;
        Some(server)
    }

    fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }

    async fn start_again(&mut self) {
        self.process = launch(&self.program, &self.folder, self.port, &self.more);
        self.is_up().await;
    }

    async fn is_up(&self) {
        for _ in 0..500 {
            if tokio::net::TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("the server does not come up");
    }

    fn sink(&self) -> NatsSink {
        let sink = NatsSink::new(&format!("nats://127.0.0.1:{}/shop", self.port)).expect("an address");
        sink.timeout(Duration::from_secs(2)).patience(Duration::from_secs(20))
    }

    async fn client(&self, options: ConnectOptions) -> Client {
        options.connect(format!("nats://127.0.0.1:{}", self.port)).await.expect("a connection")
    }
}

fn program() -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&paths).chain([target.join("nats-server/usr/sbin")]);
    folders.map(|folder| folder.join("nats-server")).find(|file| file.is_file())
}

fn launch(program: &Path, folder: &Path, port: u16, more: &[&str]) -> Child {
    let mut command = Command::new(program);
    command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(folder).args(more);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the server starts")
}

/// Creates a stream for all subjects of the shop.
async fn stream(client: &Client) -> stream::Stream {
    let config = stream::Config { name: "SHOP".to_owned(), subjects: vec!["shop.>".to_owned()], ..Default::default() };
    jetstream::new(client.clone()).get_or_create_stream(config).await.expect("a stream")
}

async fn count(stream: &mut stream::Stream) -> u64 {
    stream.info().await.expect("its state").state.messages
}

fn event(id: &str, kind: &str) -> CloudEvent {
    CloudEvent::new(id, "/orders", kind).subject("Paid").data(value!({ "id": id }))
}

fn cause(outcome: Result<(), Fault>) -> String {
    let fault = outcome.expect_err("it is not delivered");
    assert_eq!(fault.error(), Some("Event.NotDelivered"));
    let message = format!("{fault} {fault:?}");
    assert!(!message.contains("s3cret"), "{message}");
    fault.to_string()
}

#[tokio::test]
async fn an_event_is_stored_once() {
    let Some(mut server) = Server::start("once", &[]).await else { return };
    let client = server.client(ConnectOptions::new()).await;
    let mut stream = stream(&client).await;
    let sink = server.sink();
    for (id, kind) in [("1", "order.paid"), ("1", "order.paid"), ("2", "Order paid")] {
        sink.send(&event(id, kind)).await.expect("it is stored");
    }
    assert_eq!(count(&mut stream).await, 2);
    let stored = stream.get_raw_message(1).await.expect("it is there");
    assert_eq!(&*stored.subject, "shop.order.paid");
    assert_eq!(stored.headers.get("Nats-Msg-Id").map(|id| id.as_str()), Some("/orders 1"));
    assert_eq!(stored.headers.get("Content-Type").map(|kind| kind.as_str()), Some("application/cloudevents+json"));
    assert_eq!(Value::from_json_slice(&stored.payload).ok(), Some(event("1", "order.paid").to_value()));
    assert_eq!(&*stream.get_raw_message(2).await.expect("it is there").subject, "shop.Order_paid");

    // A new sink, as of another process, and a restarted server.
    server.sink().send(&event("2", "Order paid")).await.expect("it is known");
    server.stop();
    let late = {
        let sink = sink.clone();
        tokio::spawn(async move { sink.send(&event("3", "order.paid")).await })
    };
    tokio::time::sleep(Duration::from_millis(500)).await;
    server.start_again().await;
    late.await.expect("no panic").expect("it is stored when the server is back");
    sink.send(&event("3", "order.paid")).await.expect("it is known");
    let client = server.client(ConnectOptions::new()).await;
    assert_eq!(count(&mut self::stream(&client).await).await, 3);
}

#[tokio::test]
async fn what_no_stream_takes_is_a_fault_that_says_so() {
    let Some(server) = Server::start("none", &[]).await else { return };
    let began = Instant::now();
    let message = cause(server.sink().send(&event("1", "order.paid")).await);
    assert!(message.contains("no JetStream stream accepts the subject `shop.order.paid`"), "{message}");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let client = server.client(ConnectOptions::new()).await;
    stream(&client).await;
    let large = event("2", "order.paid").data("x".repeat(2 << 20));
    assert!(cause(server.sink().send(&large).await).contains("larger than the maximum of the NATS server"));
}

#[tokio::test]
async fn who_has_no_token_is_not_let_in() {
    let Some(server) = Server::start("token", &["--auth", "s3cret"]).await else { return };
    let client = server.client(ConnectOptions::new().token("s3cret".to_owned())).await;
    let mut stream = stream(&client).await;
    let began = Instant::now();
    for sink in [server.sink(), server.sink().token("wrong").expect("a token")] {
        let message = cause(sink.send(&event("1", "order.paid")).await);
        assert!(message.contains("rejects the credentials"), "{message}");
    }
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    let sink = server.sink().token("s3cret").expect("a token");
    sink.send(&event("1", "order.paid")).await.expect("it is stored");
    assert_eq!(count(&mut stream).await, 1);
}

#[tokio::test]
async fn nobody_there_is_a_fault_after_some_patience() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let sink = NatsSink::new(&format!("nats://{free}/shop")).expect("an address").patience(Duration::from_millis(500));
    let message = cause(sink.send(&event("1", "order.paid")).await);
    assert!(message.contains("cannot reach the NATS server"), "{message}");
}
