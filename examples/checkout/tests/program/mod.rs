//! The running program, which serves a database, and the shop that its workflows call.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use checkout::shop::{ADDRESS, Shop};
use workflow_runtime::{Value, value};

/// The program. It is killed when the test ends.
pub struct Program {
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
    /// Serves the database of a folder, and sends messages to `sink`.
    pub fn serve(folder: &Path, sink: &str) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_checkout"))
            .args(["serve", "--listen", "127.0.0.1:0", "--sink", sink])
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

    pub fn ask(&self, request: &str, head: &str, body: &str) -> (u16, Value) {
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

    pub fn order(&self, id: &str, name: &str, age: i64) {
        let customer = value!({ "name": name, "age": age, "email": format!("{name}@example.com") });
        let order = value!({ "cart": ["tea"], "customer": customer });
        let (status, body) = self.ask(&format!("POST /checkout?id={id}"), "", &order.to_string());
        assert_eq!(status, 201, "{body}");
    }

    /// Sends the payment of an order, as a CloudEvent in binary mode.
    pub fn pay(&self, id: &str) {
        let head = "ce-specversion: 1.0\r\nce-id: 1\r\nce-source: /bank\r\nce-type: com.example.bank.paid\r\n\
            Content-Type: application/json\r\n";
        let (status, body) = self.ask(&format!("POST /executions/{id}/events"), head, r#"{"sum": 12}"#);
        assert_eq!(status, 202, "{body}");
    }

    pub fn result(&self, id: &str) -> Value {
        let (status, result) = self.ask(&format!("GET /executions/{id}/result?wait=30s"), "", "");
        assert_eq!(status, 200, "{result}");
        result.get("outcome").and_then(|outcome| outcome.get("output")).cloned().unwrap_or(result)
    }
}

/// Opens the shop at the address that the workflows call. Waits while another process uses the
/// address.
pub async fn open(busy: u32) -> Shop {
    let start = Instant::now();
    loop {
        match Shop::open(ADDRESS, busy).await {
            Ok(shop) => return shop,
            Err(error) => assert!(
                start.elapsed() < Duration::from_secs(60),
                "the shop cannot be opened, as {ADDRESS} has to be free for it: {error}"
            ),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Waits until the log has this line.
pub async fn noted(shop: &Shop, line: &str) {
    let start = Instant::now();
    while !shop.log().iter().any(|known| known == line) {
        assert!(start.elapsed() < Duration::from_secs(30), "`{line}` is not in {:?}", shop.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}
