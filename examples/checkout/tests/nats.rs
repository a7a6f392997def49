//! Tests of the program itself with a NATS server, whose stream stores the program's messages.
//! Each message is stored once, although the program is killed while it waits for payments and
//! while it sends.
//!
//! The server is the `nats-server` of the search path (Debian has a package of that name), or else
//! the one below `nats-server` in the target folder. Without a server, the test reports that it
//! was skipped. With `WORKFLOW_REQUIRE_NATS` set, it fails instead.

mod program;

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use program::{Program, folder, noted};
use workflow_runtime::{Value, value};

/// A server with streams. It is killed when the test ends.
struct Server {
    process: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Server {
    /// Starts a server. Returns `None` if there is no program.
    fn start(folder: &Path) -> Option<Server> {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let folders =
            std::env::split_paths(&paths).chain([PathBuf::from("/usr/sbin"), target.join("nats-server/usr/sbin")]);
        let Some(program) = folders.map(|folder| folder.join("nats-server")).find(|file| file.is_file()) else {
            assert!(std::env::var_os("WORKFLOW_REQUIRE_NATS").is_none(), "there is no nats-server");
            // The test runner captures `eprintln!` unless a test fails.
            let _unseen = writeln!(std::io::stderr(), "skipped: there is no nats-server");
            return None;
        };
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port").port();
        let mut command = Command::new(program);
        command.args(["-a", "127.0.0.1", "-p", &port.to_string(), "-js", "-sd"]).arg(folder.join("nats"));
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Some(Server { process: quiet.spawn().expect("the server starts"), port })
    }
}

/// A client that speaks the protocol of NATS: a line for each command, and the published bytes
/// behind it.
struct Client {
    stream: BufReader<TcpStream>,
    /// Messages of the stream that have arrived and were not taken yet.
    stored: VecDeque<Value>,
}

impl Client {
    fn new(server: &Server) -> Client {
        let connected = (0..500).find_map(|_| {
            std::thread::sleep(Duration::from_millis(20));
            TcpStream::connect(("127.0.0.1", server.port)).ok()
        });
        let stream = connected.expect("the server comes up");
        stream.set_read_timeout(Some(Duration::from_secs(30))).expect("a time-out");
        let mut client = Client { stream: BufReader::new(stream), stored: VecDeque::new() };
        // Without `headers`, the server sends only the published bytes.
        client.write("CONNECT {\"verbose\":false,\"headers\":false}\r\nSUB answers 1\r\nSUB stored 2\r\n");
        client
    }

    fn write(&mut self, text: &str) {
        self.stream.get_mut().write_all(text.as_bytes()).expect("the server listens");
    }

    /// Returns the next message: the subject of its delivery, and its payload. `None` if none
    /// arrives within `patience`.
    fn next(&mut self, patience: Duration) -> Option<(String, Value)> {
        self.stream.get_ref().set_read_timeout(Some(patience)).expect("a time-out");
        loop {
            let mut line = String::new();
            self.stream.read_line(&mut line).ok()?;
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["PING"] => self.write("PONG\r\n"),
                ["MSG", subject, .., length] => {
                    let mut body = vec![0; length.parse::<usize>().expect("a length") + 2];
                    self.stream.read_exact(&mut body).expect("the payload");
                    let body = Value::from_json_slice(&body[..body.len() - 2]).expect("JSON");
                    return Some((subject.to_owned(), body));
                }
                ["-ERR", ..] => panic!("{line}"),
                _ => {}
            }
        }
    }

    /// Sends a request to JetStream.
    fn ask(&mut self, what: &str, body: &Value) {
        let body = body.to_string();
        self.write(&format!("PUB $JS.API.{what} answers {}\r\n{body}\r\n", body.len()));
        let answer = loop {
            let (subject, message) = self.next(Duration::from_secs(30)).expect("an answer");
            match subject == "answers" {
                true => break message,
                false => self.stored.push_back(message),
            }
        };
        assert!(answer.get("error").is_none(), "{what}: {answer}");
    }

    /// Returns the next event of the stream. `None` if none arrives within `patience`.
    fn stored(&mut self, patience: Duration) -> Option<Value> {
        self.stored.pop_front().or_else(|| self.next(patience).map(|(_, event)| event))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_message_is_in_the_stream_once_although_the_program_is_killed() {
    let folder = folder("nats");
    let Some(server) = Server::start(&folder) else { return };
    let mut client = Client::new(&server);
    client.ask("STREAM.CREATE.SHOP", &value!({ "name": "SHOP", "subjects": ["shop.>"], "storage": "file" }));
    let shop = program::open(0).await;
    let sink = format!("nats://127.0.0.1:{}/shop", server.port);
    let names: Vec<String> = (0..8).map(|number| format!("ann-{number}")).collect();
    let program = Program::serve(&folder, &sink);
    for (name, number) in names.iter().zip(1..) {
        program.order(name, name, 30);
        noted(&shop, &format!("order O-{number} of {name}")).await;
    }
    // The program is killed while all orders wait for their payments, and repeatedly while it
    // sends the results.
    drop(program);
    for pair in names.chunks(2) {
        let program = Program::serve(&folder, &sink);
        pair.iter().for_each(|name| program.pay(name));
        tokio::time::sleep(Duration::from_millis(110)).await;
        drop(program);
    }
    let program = Program::serve(&folder, &sink);
    for (name, number) in names.iter().zip(1..) {
        assert_eq!(program.result(name), value!({ "number": format!("O-{number}"), "verdict": "accepted" }));
    }

    let consumer = value!({ "deliver_subject": "stored", "ack_policy": "none", "deliver_policy": "all" });
    client.ask("CONSUMER.CREATE.SHOP", &value!({ "stream_name": "SHOP", "config": consumer }));
    let mut stored = BTreeMap::new();
    for _ in &names {
        let event = client.stored(Duration::from_secs(30)).expect("a message of each order");
        let part = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        assert_eq!([part("type"), part("source")], ["com.example.shop.email", "/shop"].map(str::to_owned), "{event}");
        let data = event.get("data").cloned().unwrap_or_default();
        let to = data.get("to").and_then(Value::as_str).unwrap_or_default().to_owned();
        assert!(stored.insert(to, (part("id"), data)).is_none(), "twice: {event}");
    }
    assert_eq!(client.stored(Duration::from_secs(1)), None);
    for (name, number) in names.iter().zip(1..) {
        let to = format!("{name}@example.com");
        let text = format!("Your order O-{number} is accepted.");
        assert_eq!(stored[&to].1, value!({ "to": to.as_str(), "text": text }));
    }
    drop((program, server));
    let _ = std::fs::remove_dir_all(folder);
}
