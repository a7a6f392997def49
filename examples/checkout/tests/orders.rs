//! The program as it is, with the shop: orders that outlive it, messages as CloudEvents, and what is told in the end.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use checkout::shop::{ADDRESS, Shop};
use workflow_runtime::{Value, value};

/// The program, serving a database. It does not outlive the test.
struct Program {
    child: Child,
    address: String,
    _lines: Receiver<String>,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    fn serve(folder: &Path, shop: &Shop) -> Program {
        let mail = format!("{}/mail", shop.address);
        let mut child = Command::new(env!("CARGO_BIN_EXE_checkout"))
            .args(["serve", "--listen", "127.0.0.1:0", "--sink", &mail])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let errors = BufReader::new(child.stderr.take().expect("standard error"));
        let (sender, lines) = channel();
        std::thread::spawn(move || errors.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let address = loop {
            let line = lines.recv_timeout(Duration::from_secs(30)).expect("it serves");
            if let Some((_, address)) = line.split_once("http://").filter(|_| line.starts_with("serving checkout")) {
                break address.to_owned();
            }
        };
        Program { child, address, _lines: lines }
    }

    fn ask(&self, request: &str, head: &str, body: &str) -> (u16, Value) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        let (address, length) = (&self.address, body.len());
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n{body}"
        )
        .expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (head, body) = answer.split_once("\r\n\r\n").expect("an answer of HTTP");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, Value::from_json(body).unwrap_or_default())
    }

    fn order(&self, id: &str, name: &str, age: i64) {
        let customer = value!({ "name": name, "age": age, "email": format!("{name}@example.com") });
        let order = value!({ "cart": ["tea"], "customer": customer });
        let (status, told) = self.ask(&format!("POST /checkout?id={id}"), "", &order.to_string());
        assert_eq!(status, 201, "{told}");
    }

    /// Pays, as a CloudEvent in binary mode.
    fn pay(&self, id: &str) {
        let head = "ce-specversion: 1.0\r\nce-id: 1\r\nce-source: /bank\r\nce-type: com.example.bank.paid\r\n\
            Content-Type: application/json\r\n";
        let (status, told) = self.ask(&format!("POST /executions/{id}/events"), head, r#"{"sum": 12}"#);
        assert_eq!(status, 202, "{told}");
    }

    /// Cancels, as a CloudEvent in structured mode.
    fn cancel(&self, id: &str) {
        let event = value!({ "specversion": "1.0", "id": "2", "source": "/me", "type": "any", "subject": "Cancelled" });
        let head = "Content-Type: application/cloudevents+json\r\n";
        let (status, told) = self.ask(&format!("POST /executions/{id}/events"), head, &event.to_string());
        assert_eq!(status, 202, "{told}");
    }

    fn result(&self, id: &str) -> Value {
        let (status, result) = self.ask(&format!("GET /executions/{id}/result?wait=30s"), "", "");
        assert_eq!(status, 200, "{result}");
        result.get("outcome").and_then(|outcome| outcome.get("output")).cloned().unwrap_or(result)
    }
}

/// Waits until the log has this line.
async fn noted(shop: &Shop, line: &str) {
    let start = Instant::now();
    while !shop.log().iter().any(|known| known == line) {
        assert!(start.elapsed() < Duration::from_secs(30), "`{line}` is not in {:?}", shop.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_outlive_the_program_and_are_booked_once() {
    let folder = folder("orders");
    // Where the workflows call it, and nowhere else.
    let shop = Shop::open(ADDRESS, 2).await;
    let shop =
        shop.unwrap_or_else(|error| panic!("the shop cannot be opened, as {ADDRESS} has to be free for it: {error}"));
    let program = Program::serve(&folder, &shop);
    // The shop turns the first two requests away, and books then.
    program.order("ann", "Ann", 12);
    noted(&shop, "order O-1 of Ann").await;
    program.order("bob", "Bob", 12);
    program.order("eve", "Eve", 40);
    program.order("joe", "Joe", 40);
    for line in ["of Bob", "of Eve", "of Joe"] {
        let start = Instant::now();
        while !shop.log().iter().any(|known| known.ends_with(line)) {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", shop.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    program.pay("eve");
    let number = |result: &Value| result.get("number").and_then(Value::as_str).unwrap_or_default().to_owned();
    let eve = program.result("eve");
    assert_eq!(eve.get("verdict"), Some(&"accepted".into()), "{eve}");
    // It is killed while three wait for their payment.
    drop(program);
    let program = Program::serve(&folder, &shop);
    program.pay("ann");
    program.pay("bob");
    program.cancel("joe");
    let (ann, bob, joe) = (program.result("ann"), program.result("bob"), program.result("joe"));
    let verdict = |result: &Value| result.get("verdict").and_then(Value::as_str).unwrap_or_default().to_owned();
    assert_eq!([&ann, &bob, &joe].map(verdict), ["accepted", "rejected", "cancelled"]);
    assert_eq!(ann.get("number"), Some(&"O-1".into()));
    let log = shop.log();
    assert_eq!(log.iter().filter(|line| *line == "busy").count(), 2, "{log:?}");
    assert_eq!(log.iter().filter(|line| line.starts_with("order ")).count(), 4, "{log:?}");
    for (name, result) in [("Ann", &ann), ("Bob", &bob), ("Eve", &eve), ("Joe", &joe)] {
        let line = format!("mail for {name}@example.com: Your order {} is {}.", number(result), verdict(result));
        assert_eq!(log.iter().filter(|known| **known == line).count(), 1, "`{line}` in {log:?}");
    }
    drop(program);
    let _ = std::fs::remove_dir_all(folder);
}

/// The addresses are the workflows' own, so that a program which allows others is refused before anything runs.
#[test]
fn a_shop_that_the_workflows_do_not_call_is_refused() {
    assert!(checkout::tasks(&format!("http://{ADDRESS}")).is_ok());
    let told = checkout::tasks("http://127.0.0.1:1").map(drop).expect_err("no tasks").to_string();
    let expected = format!("`POST http://{ADDRESS}/orders`: http://{ADDRESS} is no address that the program allows");
    assert!(told.contains(&expected), "{told}");
}
