//! Executions that are started by events posted to `serve`.

use workflow_runtime::__private::{self as rt, EventInfo, StartsOn, Value};

use crate::program::Place;
use crate::{BATCHED, STRUCTURED};

pub struct Parcel;

impl rt::Workflow for Parcel {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

/// The definition as data.
pub static DEFINITION: rt::Definition = rt::Definition {
    name: "parcel",
    dialect: "none",
    source: "parcel.json",
    hash: 0x9a,
    graph: "stateDiagram-v2",
    events: &[EventInfo::new("ordered").kind("order.placed")],
    starts_on: Some(StartsOn::new("Order", &[0])),
    states: &[rt::StateInfo::new("Order", "Event", 1, &[])],
    points: <State as rt::Machine>::POINTS,
    ..rt::Definition::VERSION_0_1_0
};

pub enum State {
    Begin(Value),
    Order(Value),
}

/// The turn of this machine.
type Turn = rt::Turn<State>;

/// The result of running a frame of this machine.
type TurnResult = rt::TurnResult<State>;

impl rt::Machine for State {
    rt::suspension_points!((Begin(d), "begin", "", 1), (Order(d), "Order", "Order", 2),);

    fn start(item: Value) -> State {
        State::Begin(item)
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Begin(d) => begin(d, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, outcome: rt::Outcome, turn: &mut Turn) -> TurnResult {
        match (self, outcome) {
            (State::Order(d), Ok(result)) => order_done(d, result, turn),
            (_, Err(fault)) => Err(fault),
            (entry, Ok(_)) => entry.enter(turn),
        }
    }
}

fn begin(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Order", &d);
    turn.receive(&[0]);
    rt::wait(State::Order(d))
}

fn order_done(d: Value, event: Value, _: &mut Turn) -> TurnResult {
    let mut output = rt::Object::new();
    output.insert("input", d);
    output.insert("data", event.get("data").cloned().unwrap_or_default());
    rt::done(output.into())
}

fn placed(id: &str) -> String {
    format!(
        r#"{{"specversion": "1.0", "id": "{id}", "source": "/shop", "type": "order.placed", "data": {{"n": "{id}"}}}}"#
    )
}

pub fn events_start_executions_once() {
    let place = Place::new("starting");
    let mut server = place.serve(&[]);
    let answer = server.post("/events", STRUCTURED, &placed("1"));
    assert_eq!((answer.status, answer.at(&["started"])), (200, 1.into()), "{}", answer.body);
    server.kill();
    let server = place.serve(&[]);
    let batch = format!("[{}, {}]", placed("1"), placed("2"));
    let answer = server.post("/events", BATCHED, &batch);
    let started: Vec<Value> =
        answer.body.as_array().into_iter().flatten().filter_map(|one| one.get("started").cloned()).collect();
    assert_eq!(started, [0.into(), 1.into()], "{}", answer.body);
    let ended = server.until("/executions?workflow=parcel&status=succeeded", |answer| {
        answer.at(&["executions"]).as_array().is_some_and(|all| all.len() == 2)
    });
    let outputs: Vec<String> = ended
        .at(&["executions"])
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| {
            let id = one.get("id").and_then(Value::as_str).unwrap_or_default();
            server.get(&format!("/executions/{id}")).at(&["outcome", "output"]).to_string()
        })
        .collect();
    assert_eq!(outputs, [r#"{"input":{},"data":{"n":"2"}}"#, r#"{"input":{},"data":{"n":"1"}}"#]);
}

pub fn events_start_nothing_where_that_is_said() {
    let place = Place::new("not-starting");
    let (server, log) = place.serve_and_log(&["--no-start-on-events"]);
    let answer = server.post("/events", STRUCTURED, &placed("s3cret"));
    assert_eq!((answer.status, answer.at(&["started"])), (200, 0.into()), "{}", answer.body);
    let line = log.recv_timeout(std::time::Duration::from_secs(30)).expect("a line");
    let expected =
        "WARN workflow: no execution receives the event id=\"s3cret\" source=\"/shop\" type=\"order.placed\"";
    assert!(line.contains(expected), "{line}");
    let unknown = placed("2").replace("order.placed", "other");
    server.post("/events", STRUCTURED, &unknown);
    let line = log.recv_timeout(std::time::Duration::from_secs(30)).expect("a line");
    assert!(line.contains("type=\"other\"") && !line.contains("\\\"n\\\""), "{line}");
    let (status, _, error) = place.run(&["serve", "--engine", "restate", "--no-start-on-events"]);
    assert!(status == 2 && error.contains("estate"), "{error}");
}

/// Checks starts by events on Restate. Without a server, the test reports that it was skipped.
/// With `CI` or `WORKFLOW_REQUIRE_RESTATE` set, it fails then.
#[cfg(feature = "restate")]
pub fn events_start_executions_on_restate() {
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let Some(restate) = restate_testing::server(target, None) else { return };
    // The program in this folder is a workflow with a schedule: it can be started for one day.
    let place = Place::new("sale-restate");
    let at = ["--engine", "restate", "--ingress", &restate.ingress];
    let publish = |id: &str, more: &[&str]| {
        let event = ["publish", "--type", "sale.bought", "--source", "/shop", "--id", id];
        let (status, out, error) = place.run(&[&event, more, &at[..]].concat());
        assert_eq!((status, error.as_str()), (0, ""));
        out
    };
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let listen = port.to_string();
    let serve =
        |more: &[&str]| place.serve_restate(&restate.ingress, &restate.admin, &[&["--listen", &listen], more].concat());
    let mut served = serve(&["--deployed-at", "2020-01-01T00:00:00Z"]);
    assert_eq!(publish("1", &["--start"]), "event accepted for 0 executions\n");
    served.kill();
    let mut served = serve(&[]);
    // Without `--start`, a published event starts no execution.
    assert_eq!(publish("1", &[]), "event accepted for 0 executions\n");
    let started = "started the execution `event /shop 1`; event accepted for 0 executions\n";
    assert_eq!(publish("1", &["--start"]), started);
    served.kill();
    let _served = serve(&[]);
    assert_eq!(publish("1", &["--start"]), "event accepted for 1 execution\n");
    let (_, out, _) = place.run(&[&["show", "event /shop 1", "--format", "json"], &at[..]].concat());
    let service = Value::from_json(&out).ok().and_then(|value| value.get("service").cloned()).expect("a service");
    // The same over HTTP, as any client of the server can do it.
    let events = ["1", "2"].map(|id| placed(id).replace("order.placed", "sale.bought")).join(", ");
    let path = format!("POST /{}.events/all/start", service.as_str().expect("a name"));
    let ingress = restate.ingress.trim_start_matches("http://");
    let answer = crate::program::ask(ingress, &path, BATCHED, &format!("[{events}]")).expect("an answer");
    let expected = workflow_runtime::value!([
        { "executions": 1, "started": 0, "full": 0 },
        { "executions": 0, "started": 1, "full": 0 },
    ]);
    assert_eq!((answer.status, answer.body), (200, expected));
    let (status, out, error) = place.run(&[&["run", "--id", "event /shop 2"], &at[..]].concat());
    assert_eq!((status, out.trim()), (0, "\"2\""), "{error}");
    let (status, _, error) = place.run(&["publish", "--type", "sale.bought", "--source", "/shop", "--start"]);
    assert!(status == 2 && error.contains("`--start` needs `--engine restate`"), "{error}");
}
