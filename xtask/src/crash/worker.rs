//! The worker process, which is killed.

use std::io::{BufRead as _, BufReader, Lines};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use crate::workspace::built_program;

const PACKAGE: &str = "crash-worker";

/// The path of the worker program.
pub struct Worker(PathBuf);

/// A running worker.
pub struct Process {
    child: Child,
    /// The worker's standard input. The worker exits when it is closed.
    _alive: Option<ChildStdin>,
    lines: Option<Lines<BufReader<ChildStdout>>>,
}

/// The report of a worker that let all its executions end.
#[derive(Debug, Default)]
pub struct WorkerReport {
    /// The number of executions that were submitted.
    pub executions: u64,
    /// The number of executions that events have started.
    pub gates: u64,
    /// The number of executions that were parked.
    pub parked: u64,
}

impl WorkerReport {
    /// Returns the numbers of executions in words.
    pub fn counts(&self) -> String {
        format!("{} executions that were submitted, {} that events have started", self.executions, self.gates)
    }
}

impl Worker {
    /// Builds the program with this profile of cargo.
    pub fn build(profile: &str) -> Result<Worker, String> {
        built_program(PACKAGE, profile).map(Worker)
    }

    /// Starts the worker.
    pub fn start<W: AsRef<std::ffi::OsStr>>(&self, words: &[W], finish: bool) -> Result<Process, String> {
        let mut command = Command::new(&self.0);
        command.args(words).args(finish.then_some("finish")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(|error| format!("cannot start the worker: {error}"))?;
        let lines = child.stdout.take().map(|out| BufReader::new(out).lines());
        Ok(Process { _alive: child.stdin.take(), child, lines })
    }

    /// Runs the worker until all executions have ended.
    pub fn finish<W: AsRef<std::ffi::OsStr>>(&self, words: &[W], within: Duration) -> Result<WorkerReport, String> {
        let until = Instant::now() + within;
        let mut process = self.start(words, true)?;
        let lines = process.lines.take();
        let (sender, receiver) = mpsc::channel();
        let reader = std::thread::spawn(move || {
            lines.into_iter().flatten().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        let mut report = WorkerReport::default();
        let result = loop {
            match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => match line.split_once(' ') {
                    Some(("executions", number)) => report.executions = number.parse().unwrap_or_default(),
                    Some(("gates", number)) => report.gates = number.parse().unwrap_or_default(),
                    Some(("parked", number)) => report.parked = number.parse().unwrap_or_default(),
                    _ if line == "ended" => break Ok(report),
                    _ => {}
                },
                Err(RecvTimeoutError::Timeout) => {
                    break Err(format!("the executions did not finish within {} s", within.as_secs()));
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
        match self.lines.as_mut().and_then(Iterator::next) {
            Some(Ok(line)) if line == "ready" => Ok(()),
            other => Err(format!("expected a ready worker, found {other:?}")),
        }
    }

    /// Kills the worker with SIGKILL. Fails if it had exited before.
    pub fn kill(&mut self) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("cannot kill the worker: {error}");
        if let Some(status) = self.child.try_wait().map_err(failed)? {
            return Err(format!("the worker ended unexpectedly: {status}"));
        }
        self.child.kill().map_err(failed)?;
        self.child.wait().map_err(failed).map(|_| ())
    }
}
