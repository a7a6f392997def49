//! The build and the run of generated programs.

use super::cache::Taken;
use crate::failure::Failure;
use crate::output;
use serde_json::Value as Json;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, IsTerminal, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use workflow_compiler::escape::visible;

/// The time after which a build is reported for the first time, unless standard error is a
/// terminal, where cargo shows its progress. Each later report comes after twice the time, which
/// bounds the number of lines.
const FIRST_REPORT: Duration = Duration::from_secs(2);

/// A generated program.
#[derive(Debug)]
pub struct Program {
    /// The name of the package and of the executable.
    pub package: String,
    /// The folder of the package, which this command has taken.
    pub taken: Taken,
    /// A lock file that is copied to the package if the package has none.
    pub lock_file: Option<PathBuf>,
    /// `true` if only errors of the build are shown.
    pub quiet: bool,
}

impl Program {
    /// Shows only errors of the build, if `quiet` is `true`.
    pub fn quietly(self, quiet: bool) -> Program {
        Program { quiet, ..self }
    }

    /// Builds the program, and returns the path of the executable.
    fn build(&self, release: bool) -> Result<PathBuf, Failure> {
        let lock = self.taken.folder.join("Cargo.lock");
        if let (false, Some(known)) = (lock.exists(), &self.lock_file) {
            std::fs::copy(known, &lock).map_err(|error| Failure::file("write", &lock, &error))?;
        }
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command
            .args(["build", "--message-format", "json-render-diagnostics"])
            .arg("--manifest-path")
            .arg(self.taken.folder.join("Cargo.toml"))
            .arg("--target-dir")
            .arg(self.taken.cache.target())
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        if release {
            command.arg("--release");
        }
        let on_terminal = std::io::stderr().is_terminal();
        if self.quiet || !on_terminal {
            command.arg("--quiet");
        } else {
            output::complain(&format!("building {} (the first time takes a while)", self.package));
        }
        let mut cargo = command.spawn().map_err(|error| {
            Failure::with_help(format!("cannot run cargo: {error}"), "check that cargo is on the PATH")
        })?;
        let reports = !self.quiet && !on_terminal;
        let executable = self.follow(&mut cargo, reports);
        let built = cargo.wait().map_err(|error| Failure::new(format!("cannot wait for cargo: {error}")))?;
        let folder = visible(&self.taken.folder.to_string_lossy()).into_owned();
        match executable {
            Some(executable) if built.success() => Ok(executable),
            Some(_) | None if !built.success() => {
                Err(Failure::new(format!("the generated program in `{folder}` could not be built")))
            }
            _ => Err(Failure::new(format!("cargo reports no executable for the generated program in `{folder}`"))),
        }
    }

    /// Reads the messages of cargo until it closes its standard output. Returns the path of the
    /// executable, if cargo has reported one.
    fn follow(&self, cargo: &mut Child, reports: bool) -> Option<PathBuf> {
        let mut progress = Progress::new(reports);
        let (sender, messages) = channel();
        let output = cargo.stdout.take()?;
        let reader = std::thread::spawn(move || read(output, |message| sender.send(message).is_ok()));
        let mut executable = None;
        loop {
            match messages.recv_timeout(progress.left()) {
                Ok(Message { name, fresh, executable: found }) => {
                    progress.compiled += usize::from(!fresh);
                    executable = found.filter(|_| name == self.package).or(executable);
                }
                Err(RecvTimeoutError::Timeout) => progress.report(&self.package),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // A panic of the reader is the end of the messages.
        let _ended = reader.join();
        progress.end(&self.package);
        executable
    }

    /// Builds the program and runs it in the current folder. The exit status of the program is the
    /// exit status of the command.
    pub fn run(self, release: bool, arguments: &[OsString]) -> Result<u8, Failure> {
        let program = self.build(release)?;
        let mut command = Command::new(&program);
        command.args(arguments);
        become_it(command, self.taken).map_err(|error| Failure::file("run", &program, &error))
    }
}

/// A crate or program that cargo has built.
struct Message {
    name: String,
    /// `true` if an earlier build has made it.
    fresh: bool,
    executable: Option<PathBuf>,
}

/// Reads the messages of cargo, one JSON document per line, until the end or until `send` returns
/// `false`.
fn read(output: impl Read, send: impl Fn(Message) -> bool) {
    let lines = BufReader::new(output).lines();
    for line in lines.map_while(Result::ok) {
        let Ok(message) = serde_json::from_str::<Json>(&line) else { continue };
        if message["reason"] != "compiler-artifact" {
            continue;
        }
        let name = message["target"]["name"].as_str().unwrap_or_default().to_owned();
        let fresh = message["fresh"].as_bool().unwrap_or_default();
        let executable = message["executable"].as_str().map(PathBuf::from);
        if !send(Message { name, fresh, executable }) {
            return;
        }
    }
}

/// The reports of a build.
struct Progress {
    reports: bool,
    started: Instant,
    /// The time of the next report after the start.
    next: Duration,
    /// The number of crates that this build has compiled.
    compiled: usize,
}

impl Progress {
    fn new(reports: bool) -> Progress {
        Progress { reports, started: Instant::now(), next: FIRST_REPORT, compiled: 0 }
    }

    /// Returns the time until the next report.
    fn left(&self) -> Duration {
        self.next.saturating_sub(self.started.elapsed())
    }

    fn report(&mut self, package: &str) {
        self.next *= 2;
        if self.reports {
            let phase = match self.compiled {
                0 => "resolving and downloading dependencies, or waiting for another build".to_owned(),
                1 => "1 crate compiled".to_owned(),
                number => format!("{number} crates compiled"),
            };
            output::complain(&format!("building {package}: {phase} ({} s)", self.started.elapsed().as_secs()));
        }
    }

    /// Reports the end of a build that has been reported.
    fn end(&self, package: &str) {
        if self.reports && self.next > FIRST_REPORT {
            let (number, seconds) = (self.compiled, self.started.elapsed().as_secs());
            output::complain(&format!("building {package}: finished after {seconds} s, {number} crates compiled"));
        }
    }
}

/// Replaces this process by the program, so that signals reach it. The locks of this process end
/// with it.
#[cfg(unix)]
fn become_it(mut command: Command, _until_then: Taken) -> std::io::Result<u8> {
    Err(std::os::unix::process::CommandExt::exec(&mut command))
}

#[cfg(not(unix))]
fn become_it(mut command: Command, until_it_runs: Taken) -> std::io::Result<u8> {
    let mut program = command.spawn()?;
    drop(until_it_runs);
    let ended = program.wait()?.code();
    Ok(ended.and_then(|code| u8::try_from(code).ok()).unwrap_or(crate::status::REFUSED))
}
