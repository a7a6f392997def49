//! A program under way, and what is asked of it over HTTP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use workflow_runtime::Value;

/// A folder of its own for each test, with the database of the program.
pub struct Place(PathBuf);

impl Place {
    pub fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errand-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Place(folder)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Starts it, and leaves it to the test.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
    }

    /// Its status and what it wrote.
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    pub fn serve(&self, arguments: &[&str]) -> Program {
        self.serve_to(Stdio::inherit(), arguments).0
    }

    /// And what it writes to standard error beyond that it serves, line by line.
    pub fn serve_and_log(&self, arguments: &[&str]) -> (Program, Receiver<String>) {
        self.serve_to(Stdio::inherit(), arguments)
    }

    /// With this standard output.
    pub fn serve_to(&self, out: Stdio, arguments: &[&str]) -> (Program, Receiver<String>) {
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        let mut command = self.command(&[&listen, arguments].concat());
        let mut child = command.stdout(out).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
        let mut line = String::new();
        while !line.starts_with("serving ") {
            line.clear();
            assert_ne!(errors.read_line(&mut line).expect("a line"), 0, "it has ended");
        }
        let address = line.trim().rsplit("http://").next().expect("an address").to_owned();
        // Nothing is to keep it from writing more.
        let (told, log) = channel();
        std::thread::spawn(move || errors.lines().map_while(Result::ok).for_each(|line| drop(told.send(line))));
        (Program { child, address }, log)
    }
}

/// With executions on a Restate server.
#[cfg(feature = "restate")]
impl Place {
    /// Has the program serve them, until it is dropped.
    pub fn serve_restate(&self, ingress: &str, admin: &str, more: &[&str]) -> Program {
        let arguments =
            ["serve", "--listen", "127.0.0.1:0", "--engine", "restate", "--ingress", ingress, "--admin", admin];
        let mut child = self.command(&[&arguments, more].concat()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
        let mut line = String::new();
        while !line.starts_with("registered at ") {
            line.clear();
            assert_ne!(errors.read_line(&mut line).expect("a line"), 0, "it has ended");
        }
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        Program { child, address: String::new() }
    }

    /// Has it do something meanwhile.
    pub fn start(&self, arguments: &[&str]) -> std::thread::JoinHandle<Output> {
        let mut command = self.command(arguments);
        std::thread::spawn(move || command.output().expect("the program runs"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A server. It does not outlive the test.
pub struct Program {
    child: Child,
    address: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    pub fn text(&self, name: &str) -> &str {
        self.body.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// What is there, by the names of members.
    pub fn at(&self, path: &[&str]) -> Value {
        let found = path.iter().try_fold(&self.body, |value, name| value.get(*name));
        found.cloned().unwrap_or_default()
    }
}

impl Program {
    /// It ends without a warning.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to end, and waits until it has. Returns how long that took.
    #[cfg(unix)]
    pub fn terminate(&mut self) -> Duration {
        let started = std::time::Instant::now();
        let asked = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().expect("`kill` runs");
        assert!(asked.success());
        let _ = self.child.wait();
        started.elapsed()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), "", "")
    }

    pub fn post(&self, path: &str, head: &str, body: &str) -> Answer {
        self.ask(&format!("POST {path}"), head, body)
    }

    /// Asks until it is so.
    pub fn until(&self, path: &str, holds: impl Fn(&Answer) -> bool) -> Answer {
        for _ in 0..1_000 {
            let answer = self.get(path);
            if answer.status == 200 && holds(&answer) {
                return answer;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("{path} is never so");
    }

    fn ask(&self, request: &str, head: &str, body: &str) -> Answer {
        ask(&self.address, request, head, body).expect("an answer")
    }

    pub fn address(&self) -> String {
        self.address.clone()
    }
}

/// Asks what listens at an address. Nothing, if it ends before it has answered.
pub fn ask(address: &str, request: &str, head: &str, body: &str) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    let length = body.len();
    // Who refuses may not read all of it.
    let _ = stream.write_all(
        format!(
            "{request} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n{body}"
        )
        .as_bytes(),
    );
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    let body = if body.is_empty() { Value::Null } else { Value::from_json(body).ok()? };
    Some(Answer { status, body })
}
