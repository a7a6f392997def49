//! Steps per second on a Restate server with 128 clients, and those of a bare loop that writes the
//! same journal entries. Prints lines of a name and a number.

mod bare;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use bare::Entries;
use restate_testing::Server;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use workflow_benchmarks::generated::rounds::Rounds;
use workflow_restate::{Client, Endpoint, Executions};
use workflow_runtime::__private::{Invoke, Task, TaskContext, TaskFuture, task_future};
use workflow_runtime::{Value, value};

/// The number of clients. Each has one execution at a time.
const CLIENTS: usize = 128;

/// The number of steps of an execution.
const STEPS: i64 = 20;

/// The time for which the engine and the bare loop run alternately, and the number of
/// alternations.
const TURN: Duration = Duration::from_secs(3);
const TURNS: usize = 9;

fn main() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let Some(server) = restate_testing::server(target, None) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(measure(&server));
}

/// Measures in short periods, so that other work of the machine affects both equally. Prints the
/// medians of the steps and of their ratios.
async fn measure(server: &Server) {
    let client = Client::new(&server.ingress, &server.admin);
    let (ours, bare) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let endpoint = Endpoint::new().workflow::<Rounds>(Countdown(ours.clone()));
    let (listener, address) = listen().await;
    tokio::spawn(endpoint.serve(listener));
    client.register(&address).await.expect("the server reaches the endpoint");
    let (listener, address) = listen().await;
    tokio::spawn(bare::serve(listener, Arc::new(entries(&input())), bare.clone()));
    client.register(&address).await.expect("the server reaches the bare loop");
    let services = [(client.workflow::<Rounds>(), ours), (client.service(bare::SERVICE), bare)];
    let (mut kinds, mut bytes) = (Vec::new(), Vec::new());
    for (what, (service, _)) in ["ours", "bare"].iter().zip(&services) {
        run(service, "one").await;
        let journal = journal(server, service.name());
        bytes.push(journal.iter().map(|(_, bytes)| bytes).sum::<u64>());
        println!("{what}-entries {}", journal.len());
        println!("{what}-bytes {}", bytes[bytes.len() - 1]);
        kinds.push(journal.into_iter().map(|(kind, _)| kind).collect::<Vec<_>>());
    }
    assert_eq!(kinds[0], kinds[1], "the journals differ");
    assert!(bytes[0].abs_diff(bytes[1]) * 50 <= bytes[0], "the lengths of the journals differ: {bytes:?}");
    let mut rates = [Vec::new(), Vec::new()];
    for number in 0..TURNS {
        // Neither is always the first one.
        for index in if number.is_multiple_of(2) { [0, 1] } else { [1, 0] } {
            let (service, steps) = &services[index];
            rates[index].push(turn(service, steps, number).await);
        }
    }
    let [ours, bare] = rates.map(|rates| rates[1..].to_vec());
    println!("ratio {}", median(ours.iter().zip(&bare).map(|(ours, bare)| ours / bare).collect()));
    println!("ours {}", median(ours));
    println!("bare {}", median(bare));
}

async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    (listener, address)
}

/// Lets all clients run executions one after the other for one period. Returns the steps per
/// second.
async fn turn(service: &Executions, steps: &AtomicU64, number: usize) -> f64 {
    let is_over = Arc::new(AtomicBool::new(false));
    let mut clients = JoinSet::new();
    let (began, before) = (Instant::now(), steps.load(Ordering::Relaxed));
    for client in 0..CLIENTS {
        let (service, is_over) = (service.clone(), is_over.clone());
        clients.spawn(async move {
            for execution in 0.. {
                if is_over.load(Ordering::Relaxed) {
                    break;
                }
                run(&service, &format!("{number}-{client}-{execution}")).await;
            }
        });
    }
    tokio::time::sleep(TURN).await;
    let rate = (steps.load(Ordering::Relaxed) - before) as f64 / began.elapsed().as_secs_f64();
    is_over.store(true, Ordering::Relaxed);
    clients.join_all().await;
    rate
}

/// Runs an execution to its end.
async fn run(service: &Executions, key: &str) {
    service.start(key, input()).await.expect("a start");
    service.attach(key).await.expect("an outcome").expect("an output");
}

/// Returns the kinds and lengths of the entries in the journal of the execution `one`.
fn journal(server: &Server, service: &str) -> Vec<(String, u64)> {
    let invocation = server.query(&format!(
        "SELECT id FROM sys_invocation WHERE target_service_name = '{service}' AND target_service_key = 'one' AND \
         target_handler_name = 'run'"
    ));
    let id = rows(&invocation)[0].get("id").and_then(Value::as_str).expect("an id").to_owned();
    let entries =
        server.query(&format!("SELECT entry_type, raw_length FROM sys_journal WHERE id = '{id}' ORDER BY index"));
    let entry = |row: &Value| {
        let kind = row.get("entry_type").and_then(Value::as_str).expect("a type").to_owned();
        (kind, row.get("raw_length").and_then(Value::as_i64).unwrap_or_default() as u64)
    };
    rows(&entries).iter().map(entry).collect()
}

/// Returns the rows of a response, whose body is in chunks: a line with the length before each.
fn rows(response: &str) -> Vec<Value> {
    let (_, body) = response.split_once("\r\n\r\n").expect("a body");
    let text: String = body.split("\r\n").skip(1).step_by(2).collect();
    let json = Value::from_json(&text).expect("JSON");
    json.get("rows").and_then(Value::as_array).expect("rows").to_vec()
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    if numbers.len().is_multiple_of(2) { (numbers[half - 1] + numbers[half]) / 2.0 } else { numbers[half] }
}

/// Returns the entries that the engine writes for an execution with this input.
fn entries(input: &Value) -> Entries {
    let at = 1_800_000_000_000_000_i64;
    let start = value!({ "definition": "0123456789abcdef", "batches": [500, 250], "limits": [2_000, 10_000], "request": "0".repeat(64) });
    let mut output = input.clone();
    if let Some(output) = output.as_object_mut() {
        output.insert("left", 0);
    }
    Entries {
        start: value!({ "at": at, "output": start }).to_string(),
        request: value!({ "at": i64::MIN, "output": "0".repeat(64) }).to_string(),
        step: "work".to_owned(),
        steps: (0..STEPS).rev().map(|left| value!({ "at": at, "output": left }).to_string()).collect(),
        output: output.to_string(),
    }
}

/// Returns an input as large as a typical order.
fn input() -> Value {
    value!({
        "left": STEPS,
        "customer": { "id": "c-4711", "name": "A. Customer", "mail": "a.customer@example.org" },
        "items": ["one of these", "one of those", "and a third thing"],
    })
}

/// A task that counts down, and counts its calls.
struct Countdown(Arc<AtomicU64>);

impl Invoke for Countdown {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let left = input.get("left").and_then(Value::as_i64).unwrap_or_default();
        task_future(std::future::ready(Ok(Value::from(left - 1))))
    }
}
