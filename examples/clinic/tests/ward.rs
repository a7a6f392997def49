//! Tests of the program itself: readings and decisions arrive over HTTP, and executions survive
//! restarts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use workflow_runtime::{Value, value};

/// The running program, which serves a database. It is killed when the test ends.
struct Program {
    child: Child,
    address: String,
    lines: Receiver<String>,
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the lines of a stream as they arrive.
fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (sender, lines) = channel();
    let from = BufReader::new(from);
    std::thread::spawn(move || from.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    lines
}

fn line_with(lines: &Receiver<String>, part: &str) -> String {
    loop {
        let line = lines.recv_timeout(Duration::from_secs(30)).expect("a line in time");
        if line.contains(part) {
            return line;
        }
    }
}

impl Program {
    fn serve(folder: &Path) -> (Program, Receiver<String>) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_clinic"))
            .args(["serve", "--listen", "127.0.0.1:0", "--sink", "stdout"])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let sink = lines(child.stdout.take().expect("standard output"));
        let log = lines(child.stderr.take().expect("standard error"));
        let serving = line_with(&log, "serving clinic of ");
        let address = serving.rsplit("http://").next().expect("an address").to_owned();
        (Program { child, address, lines: log }, sink)
    }

    /// Posts a CloudEvent to all executions. Returns the number of deliveries, and the number of
    /// executions that it started.
    fn publish(&self, id: &str, source: &str, kind: &str, patient: &str, data: Value) -> (i64, i64) {
        let event = value!({
            "specversion": "1.0",
            "id": id,
            "source": source,
            "type": kind,
            "patient": patient,
            "data": data,
        });
        let body = event.to_string();
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
        write!(
            stream,
            "POST /events HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Length: {}\r\n\
             Content-Type: application/cloudevents+json\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .expect("it listens");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let (_, response) = answer.split_once("\r\n\r\n").expect("an answer of HTTP");
        let response = Value::from_json(response).expect("JSON");
        let count = |name: &str| response.get(name).and_then(Value::as_i64).unwrap_or_default();
        (count("executions"), count("started"))
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn patients_are_watched_across_the_end_of_the_program() {
    let folder = folder("ward");
    let (program, sink) = Program::serve(&folder);
    let degrees = |degrees: f64| value!({ "degrees": degrees });
    let beats = |beats: i64| value!({ "beats": beats });
    // The first reading of a patient starts an execution, and the second reading reaches this
    // execution.
    assert_eq!(program.publish("1", "/ward", "clinic.temperature", "ada", degrees(39.5)).1, 1);
    assert_eq!(program.publish("2", "/ward", "clinic.pulse", "bob", beats(72)).1, 1);
    assert_eq!(program.publish("3", "/ward", "clinic.pulse", "ada", beats(88)), (1, 0));
    line_with(&program.lines, "the doctor is paged: ada is not well (high)");
    drop((program, sink));

    let (program, sink) = Program::serve(&folder);
    // Bob is well, and Ada gets the prescribed medicine.
    assert_eq!(program.publish("4", "/ward", "clinic.temperature", "bob", degrees(36.8)), (1, 0));
    let medicine = value!({ "medicine": "paracetamol" });
    assert_eq!(program.publish("5", "/doctors", "clinic.decision", "ada", medicine), (1, 0));
    line_with(&program.lines, "ada is given paracetamol");
    let event = Value::from_json(&line_with(&sink, "clinic.treated")).expect("a CloudEvent");
    assert_eq!(event.get("data"), Some(&value!({ "patient": "ada", "medicine": "paracetamol" })));
    drop(program);
    let _ = std::fs::remove_dir_all(folder);
}
