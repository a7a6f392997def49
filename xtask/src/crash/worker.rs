//! The worker process, which is killed.

use std::io::{BufRead as _, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::workspace::cargo;

const PACKAGE: &str = "crash-worker";

/// The path of the worker program.
pub struct Worker(PathBuf);

/// A running worker.
pub struct Process {
    child: Child,
    /// The worker's standard input. The worker exits when it is closed.
    _alive: Option<ChildStdin>,
    told: Option<Lines<BufReader<ChildStdout>>>,
}

/// The report of a worker that let all its executions end.
#[derive(Debug, Default)]
pub struct Told {
    /// The number of executions.
    pub executions: u64,
    /// The number of executions that were parked.
    pub parked: u64,
}

impl Worker {
    /// Builds the program.
    pub fn build() -> Result<Worker, String> {
        let mut command = cargo(["build", "--quiet", "--package", PACKAGE, "--message-format", "json"]);
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
        let messages = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("the worker does not build: {}\n{messages}", output.status));
        }
        let messages = messages.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        let mut programs = messages.filter(|message| message["target"]["name"] == PACKAGE);
        let program = programs.find_map(|message| message["executable"].as_str().map(PathBuf::from));
        program.map(Worker).ok_or_else(|| "cargo does not say where the worker is".to_owned())
    }

    /// Starts the worker.
    pub fn start<W: AsRef<std::ffi::OsStr>>(&self, words: &[W], finish: bool) -> Result<Process, String> {
        let mut command = Command::new(&self.0);
        command.args(words).args(finish.then_some("finish")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot start the worker: {error}"))?;
        let told = child.stdout.take().map(|out| BufReader::new(out).lines());
        Ok(Process { _alive: child.stdin.take(), child, told })
    }

    /// Runs the worker until all executions have ended.
    pub fn finish<W: AsRef<std::ffi::OsStr>>(&self, words: &[W], within: Duration) -> Result<Told, String> {
        let until = Instant::now() + within;
        let mut process = self.start(words, true)?;
        let lines = process.told.take();
        let (sender, receiver) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            lines.into_iter().flatten().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut told = Told::default();
        let result = loop {
            match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => match line.split_once(' ') {
                    Some(("executions", number)) => told.executions = number.parse().unwrap_or_default(),
                    Some(("parked", number)) => told.parked = number.parse().unwrap_or_default(),
                    _ if line == "ended" => break Ok(told),
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => {
                    break Err(format!("the executions did not come to their end within {} s", within.as_secs()));
                }
                Err(RecvTimeoutError::Disconnected) => break Err("the last run ended too early".to_owned()),
            }
        };
        let _ = process.child.kill();
        let _ = process.child.wait();
        let _ = reader.join();
        result
    }
}

impl Process {
    /// Waits until the worker has opened its database.
    pub fn wait_until_ready(&mut self) -> Result<(), String> {
        match self.told.as_mut().and_then(Iterator::next) {
            Some(Ok(line)) if line == "ready" => Ok(()),
            other => Err(format!("the worker is not ready, but says {other:?}")),
        }
    }

    /// Kills the worker with SIGKILL. Fails if it had exited before.
    pub fn kill(&mut self) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("cannot kill the worker: {error}");
        if let Some(status) = self.child.try_wait().map_err(failed)? {
            return Err(format!("the worker has ended by itself: {status}"));
        }
        self.child.kill().map_err(failed)?;
        self.child.wait().map_err(failed).map(|_| ())
    }
}
