//! Tests of `--sink`: published events are sent to an address.

#[cfg(feature = "events")]
use workflow_runtime::Value;

use crate::program::Place;

pub fn a_sink_makes_sense_or_is_refused() {
    let place = Place::new("no-sink");
    std::fs::write(place.file("token"), "s3cret\n").expect("a file");
    let built_in = cfg!(feature = "events");
    let sink = ["--sink", "http://127.0.0.1:9/"];
    for (command, expected) in [
        (&["run", "--input", "{}"][..], "the feature `events` of `workflow-runner`"),
        (&["run", "--memory"], "the feature `events`"),
        (&["serve"], "the feature `events`"),
        (&["redrive", "one"], "the feature `events`"),
    ] {
        if !built_in {
            let (status, _, error) = place.run(&[command, &sink].concat());
            assert!(status == 2 && error.contains(expected), "{command:?}: {error}");
        }
        let (status, _, error) = place.run(&[command, &["--sink-token-file", "token"]].concat());
        assert!(status == 2 && error.contains(" needs `--sink URL`"), "{command:?}: {error}");
    }
    for (arguments, expected) in [
        (&["redrive", "one", "--detach", "--sink", "http://127.0.0.1:9/"][..], "`--detach`"),
        (&["run", "--sink", "ftp://x"], "`--sink`: the address of the sink"),
        (&["serve", "--sink", "-", "--sink-token-file", "token"], "cannot be used with `--sink stdout`"),
        (&["run", "--sink", "http://u:s3cret@x"], "use a token instead"),
    ] {
        let (status, _, error) = place.run(arguments);
        let expected = if built_in || expected.contains("stdout") { expected } else { "the feature `events`" };
        assert!(status == 2 && error.contains(expected) && !error.contains("s3cret"), "{arguments:?}: {error}");
    }
    for command in
        [&["run", "--sink", "stdout"][..], &["run", "--memory", "--sink", "-"], &["redrive", "one", "--sink", "-"]]
    {
        let (status, out, error) = place.run(command);
        assert!(
            status == 2 && out.is_empty() && error.contains("`--sink stdout` is only valid for `serve`"),
            "{command:?}: {error}"
        );
    }
    let (status, _, error) = place.run(&["show", "one", "--sink", "http://x"]);
    assert!(status == 2 && error.contains("invalid option '--sink'"), "{error}");
    let (_, help, _) = place.run(&["help", "run"]);
    assert!(help.contains("--sink URL") && help.contains("the feature `events`") != built_in, "{help}");
}

/// A receiver of events.
#[cfg(feature = "events")]
mod broker {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use workflow_runtime::Value;

    pub struct Broker {
        pub address: String,
        shared: Arc<Mutex<Shared>>,
    }

    #[derive(Default)]
    struct Shared {
        /// The head and the event of each request.
        requests: Vec<(String, Value)>,
        /// The status line of the answers. If it is empty, the broker does not answer.
        answer: &'static str,
    }

    impl Broker {
        pub fn start() -> Broker {
            let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
            let address = format!("http://{}/default", listener.local_addr().expect("an address"));
            let shared = Arc::new(Mutex::new(Shared { answer: "202 Accepted", ..Shared::default() }));
            let heard = shared.clone();
            std::thread::spawn(move || {
                for stream in listener.incoming().flatten() {
                    let heard = heard.clone();
                    std::thread::spawn(move || answer(stream, &heard));
                }
            });
            Broker { address, shared }
        }

        pub fn answers(&self, answer: &'static str) {
            self.shared.lock().unwrap().answer = answer;
        }

        /// Returns the requests with events of the executions whose input has this `n`, as soon as
        /// there are `count`.
        pub fn requests(&self, n: i64, count: usize) -> Vec<(String, Value)> {
            let mut found = Vec::new();
            for _ in 0..1_000 {
                let requests = self.shared.lock().unwrap().requests.clone();
                let of = |event: &Value| event.get("data").and_then(|data| data.get("n")).cloned() == Some(n.into());
                found = requests.into_iter().filter(|(_, event)| of(event)).collect();
                if found.len() >= count {
                    break;
                }
                std::thread::sleep(Duration::from_millis(20));
            }
            assert_eq!(found.len(), count, "{found:?}");
            found
        }
    }

    fn answer(stream: TcpStream, shared: &Mutex<Shared>) {
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(announced) = line.to_lowercase().strip_prefix("content-length: ") {
                length = announced.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
            head += &line;
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).expect("a body");
        let event = Value::from_json_slice(&body).expect("JSON");
        let answer = {
            let mut shared = shared.lock().unwrap();
            shared.requests.push((head, event));
            shared.answer
        };
        if answer.is_empty() {
            std::thread::sleep(Duration::from_secs(60));
        }
        let answer = format!("HTTP/1.1 {answer}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        let _gone = reader.get_mut().write_all(answer.as_bytes());
    }
}

#[cfg(feature = "events")]
fn id(request: &(String, Value)) -> String {
    request.1.get("id").and_then(Value::as_str).expect("an id").to_owned()
}

#[cfg(feature = "events")]
pub fn events_leave_for_the_address_that_is_given() {
    let (place, broker) = (Place::new("sink"), broker::Broker::start());
    std::fs::write(place.file("token"), "s3cret\n").expect("a file");
    let to = ["--sink", &broker.address, "--sink-token-file", "token"];
    let run = |arguments: &[&str]| place.run(&[arguments, &to].concat());
    for (n, more) in [(1, &["--memory"][..]), (2, &["--id", "two"])] {
        let input = format!("{{\"do\": \"wait\", \"n\": {n}}}");
        let (status, _, error) = run(&[&["run", "--input", &input], more].concat());
        assert_eq!(status, 0, "{error}");
        let [(head, event)] = &broker.requests(n, 1)[..] else { panic!("one request") };
        assert!(head.starts_with("POST /default ") && head.contains("authorization: Bearer s3cret\r\n"), "{head}");
        assert_eq!(event.get("type"), Some(&"errand.done".into()));
    }

    // A refused event fails the state, and `redrive` repeats it.
    broker.answers("404 Not Found");
    let (status, _, error) = run(&["run", "--id", "three", "--input", "{\"do\": \"wait\", \"n\": 3}"]);
    assert!(status == 1 && error.contains("Event.NotDelivered"), "{error}");
    broker.answers("200 OK");
    let (status, _, error) = run(&["redrive", "three"]);
    assert_eq!(status, 0, "{error}");
    let requests = broker.requests(3, 2);
    assert_eq!(id(&requests[0]), id(&requests[1]));
}

#[cfg(feature = "events")]
pub fn events_are_lines_of_standard_output() {
    let place = Place::new("sink-stdout");
    let out = std::fs::File::create(place.file("out")).expect("a file");
    let (server, _log) = place.serve_to(out.into(), &["--sink", "stdout"]);
    for n in [1, 2] {
        let started =
            server.post(&format!("/errand?id={n}&wait=30s"), "", &format!("{{\"do\": \"wait\", \"n\": {n}}}"));
        assert_eq!(started.text("status"), "succeeded", "{}", started.body);
        let text = std::fs::read_to_string(place.file("out")).expect("what was written");
        let events: Vec<Value> = text.lines().map(|line| Value::from_json(line).expect("JSON")).collect();
        assert_eq!(events.len(), n, "{text}");
        assert_eq!(events[n - 1].get("type"), Some(&"errand.done".into()));
        assert_eq!(events[n - 1].get("data").and_then(|data| data.get("n")).cloned(), Some((n as i64).into()));
    }
}

#[cfg(feature = "events")]
pub fn an_event_is_sent_again_after_the_end_of_a_process() {
    let (place, broker) = (Place::new("sink-again"), broker::Broker::start());
    broker.answers("");
    let mut server = place.serve(&["--sink", &broker.address]);
    assert_eq!(server.post("/errand?id=one", "", "{\"do\": \"wait\", \"n\": 1}").status, 201);
    broker.requests(1, 1);
    server.kill();
    broker.answers("204 No Content");
    let server = place.serve(&["--sink", &broker.address]);
    let result = server.get("/executions/one/result?wait=30s");
    assert_eq!((result.status, result.text("status")), (200, "succeeded"), "{}", result.body);
    let requests = broker.requests(1, 2);
    assert_eq!(id(&requests[0]), id(&requests[1]));
}

/// Checks the sink of executions on Restate. Without a server, the test reports that it was
/// skipped. With `CI` or `WORKFLOW_REQUIRE_RESTATE` set, it fails then.
#[cfg(all(feature = "events", feature = "restate"))]
pub fn events_leave_from_restate() {
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let Some(restate) = restate_testing::server(target, None) else { return };
    let (place, broker) = (Place::new("sink-restate"), broker::Broker::start());
    let at = ["--engine", "restate", "--ingress", &restate.ingress];
    let run = |id: &str, n: i64, more: &[&str]| {
        let input = format!("{{\"do\": \"wait\", \"n\": {n}}}");
        place.start(&[&["run", "--id", id, "--input", &input], &at[..], more].concat())
    };
    let refused = run("one", 1, &["--sink", &broker.address]).join().expect("an outcome");
    let error = String::from_utf8(refused.stderr).expect("text");
    assert!(
        refused.status.code() == Some(2)
            && error.contains("cannot be used with `--engine restate`: pass it to `serve`"),
        "{error}"
    );

    // Executions continue at the address at which they started.
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let listen = port.to_string();
    let serve = || {
        let more = ["--listen", &listen, "--sink", &broker.address];
        place.serve_restate(&restate.ingress, &restate.admin, &more)
    };
    broker.answers("");
    let mut served = serve();
    let one = run("one", 1, &[]);
    broker.requests(1, 1);
    served.kill();
    broker.answers("202 Accepted");
    let _served = serve();
    let output = one.join().expect("an outcome");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let requests = broker.requests(1, 2);
    assert_eq!(id(&requests[0]), id(&requests[1]));
}
