//! The program as a process, and HTTP requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use workflow_runtime::Value;

use crate::described;

/// The folder of one test, with the database of the program.
pub struct Place {
    folder: PathBuf,
    /// The variable `RUST_LOG` of the program.
    levels: Option<&'static str>,
}

impl Place {
    pub fn new(name: &str) -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errand-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Place { folder, levels: None }
    }

    /// Sets the variable `RUST_LOG` of the program.
    pub fn with_levels(mut self, levels: &'static str) -> Place {
        self.levels = Some(levels);
        self
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(arguments).current_dir(&self.folder).stdin(Stdio::null()).env_remove("RUST_LOG");
        command.envs(self.levels.map(|levels| ("RUST_LOG", levels)));
        command
    }

    /// Starts the program, and returns without waiting for it.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts")
    }

    /// Starts the program, and returns it with its standard error.
    pub fn begin(&self, arguments: &[&str]) -> Run {
        let mut command = self.command(arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        Run { child, errors }
    }

    /// Runs the program, and returns its exit status, standard output and standard error.
    pub fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("the program runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (status.code().unwrap_or(-1), text(stdout), text(stderr))
    }

    pub fn serve(&self, arguments: &[&str]) -> Program {
        self.serve_to(Stdio::inherit(), arguments).0
    }

    /// Starts a server, and returns it with the lines that it writes to standard error
    /// beside the line with its address.
    pub fn serve_and_log(&self, arguments: &[&str]) -> (Program, Receiver<String>) {
        self.serve_to(Stdio::inherit(), arguments)
    }

    /// Does the same as `serve_and_log`, with this standard output.
    pub fn serve_to(&self, out: Stdio, arguments: &[&str]) -> (Program, Receiver<String>) {
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        let mut command = self.command(&[&listen, arguments].concat());
        let mut child = command.stdout(out).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
        let (mut line, (sender, log)) = (String::new(), channel());
        loop {
            line.clear();
            assert_ne!(errors.read_line(&mut line).expect("a line"), 0, "it has ended");
            // With `--log-format json` this line is an object, too.
            if line.contains("serving ") {
                break;
            }
            // Executions that continue may be logged before.
            sender.send(line.trim_end().to_owned()).expect("a receiver");
        }
        let address = line.trim().rsplit("http://").next().expect("an address");
        let address = address.trim_end_matches("\"}").to_owned();
        // A thread reads on, so that the program never blocks on a full pipe.
        std::thread::spawn(move || errors.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        (Program { child, address }, log)
    }
}

/// The program with executions on a Restate server.
#[cfg(feature = "restate")]
impl Place {
    /// Starts the program as a service for Restate.
    pub fn serve_restate(&self, ingress: &str, admin: &str, more: &[&str]) -> Program {
        self.serve_restate_and_log(ingress, admin, more).0
    }

    /// Does the same, and returns the lines that the program writes to standard error after its
    /// registration. With `--listen-http` the program has the address of its HTTP server.
    pub fn serve_restate_and_log(&self, ingress: &str, admin: &str, more: &[&str]) -> (Program, Receiver<String>) {
        let arguments =
            ["serve", "--listen", "127.0.0.1:0", "--engine", "restate", "--ingress", ingress, "--admin", admin];
        let mut child = self.command(&[&arguments, more].concat()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut errors = BufReader::new(child.stderr.take().expect("standard error"));
        let (mut line, mut address) = (String::new(), String::new());
        while !line.contains("registered at ") {
            line.clear();
            assert_ne!(errors.read_line(&mut line).expect("a line"), 0, "it has ended");
            if let Some((_, http)) = line.split_once(" over HTTP at http://") {
                address = http.trim().to_owned();
            }
        }
        let (sender, log) = channel();
        std::thread::spawn(move || errors.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        (Program { child, address }, log)
    }

    /// Runs a command of the program in a thread.
    pub fn start(&self, arguments: &[&str]) -> std::thread::JoinHandle<Output> {
        let mut command = self.command(arguments);
        std::thread::spawn(move || command.output().expect("the program runs"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A running `run`. It is killed when the value is dropped.
pub struct Run {
    child: Child,
    errors: BufReader<ChildStderr>,
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Run {
    /// Reads standard error up to a line that contains the text. Returns the line.
    pub fn line(&mut self, text: &str) -> String {
        let mut read = String::new();
        loop {
            let start = read.len();
            assert_ne!(self.errors.read_line(&mut read).expect("text"), 0, "no `{text}` in\n{read}");
            if read[start..].contains(text) {
                return read[start..].trim_end().to_owned();
            }
        }
    }

    #[cfg(unix)]
    pub fn signal(&self, signal: &str) {
        send(signal, self.child.id());
    }

    /// Waits for the end. Returns the exit status, standard output and the rest of standard error.
    pub fn end(mut self) -> (i32, String, String) {
        let (mut out, mut error) = (String::new(), String::new());
        self.errors.read_to_string(&mut error).expect("text");
        self.child.stdout.take().expect("a pipe").read_to_string(&mut out).expect("text");
        (self.child.wait().expect("a child").code().unwrap_or(-1), out, error)
    }
}

#[cfg(unix)]
fn send(signal: &str, process: u32) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &process.to_string()]).status();
    assert!(sent.expect("`kill` runs").success());
}

/// A running server. It is killed when the value is dropped.
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

    /// Returns the value at a path of member names; null if there is none.
    pub fn at(&self, path: &[&str]) -> Value {
        let found = path.iter().try_fold(&self.body, |value, name| value.get(*name));
        found.cloned().unwrap_or_default()
    }
}

impl Program {
    /// Kills the process.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Sends the signal TERM, and waits for the end of the process. Returns the time that it took.
    #[cfg(unix)]
    pub fn terminate(&mut self) -> Duration {
        let started = std::time::Instant::now();
        self.signal("TERM");
        let _ = self.child.wait();
        started.elapsed()
    }

    /// Sends a signal.
    #[cfg(unix)]
    pub fn signal(&self, signal: &str) {
        send(signal, self.child.id());
    }

    /// Waits for the end of the process.
    #[cfg(unix)]
    pub fn wait(&mut self) {
        let _ = self.child.wait();
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask(&format!("GET {path}"), "", "")
    }

    pub fn post(&self, path: &str, head: &str, body: &str) -> Answer {
        self.ask(&format!("POST {path}"), head, body)
    }

    /// Repeats a request until the answer satisfies the condition.
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

    /// Returns the status, the head and the body of an answer that may be no JSON.
    pub fn text(&self, request: &str, head: &str) -> (u16, String, String) {
        ask_for_text(&self.address, request, head, "").expect("an answer")
    }

    pub fn address(&self) -> String {
        self.address.clone()
    }
}

/// Sends a request to an address. Returns `None` if the server ends before it has answered.
pub fn ask(address: &str, request: &str, head: &str, body: &str) -> Option<Answer> {
    let (status, _, body) = ask_for_text(address, request, head, body)?;
    let body = if body.is_empty() { Value::Null } else { Value::from_json(&body).ok()? };
    Some(Answer { status, body })
}

/// Sends a request to an address. Returns the status, the head and the body of the answer.
pub fn ask_for_text(address: &str, request: &str, head: &str, body: &str) -> Option<(u16, String, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time-out");
    let length = body.len();
    // A server that refuses a request may not read all of it.
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
    // Restate's own server has other routes: `/restate/health`, `/sale.events/all/start`.
    if !request.contains("/restate/") && !request.contains(".events/") {
        described::check(request, status, head, body);
    }
    Some((status, head.to_owned(), body.to_owned()))
}
