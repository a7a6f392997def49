//! The process of a peer, which answers requests on its standard input.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// The time after which a peer that writes nothing is left out.
const SILENCE: Duration = Duration::from_secs(180);

/// A measurement of an engine: its output, or a sample.
pub struct Answer {
    /// The name of the engine.
    pub engine: String,
    /// The name of the measurement.
    pub measure: String,
    /// The output in JSON, or the number.
    pub text: String,
}

/// A process that runs one or several engines.
pub struct Peer {
    /// The name in messages.
    pub name: String,
    log: PathBuf,
    child: Child,
    requests: ChildStdin,
    lines: Receiver<String>,
}

impl Peer {
    /// Starts a process, whose messages go to a file of this folder.
    pub fn start(name: &str, command: &mut Command, logs: &Path) -> Result<Peer, String> {
        let log = logs.join(format!("{}.log", name.replace(' ', "-")));
        let file = File::create(&log).map_err(|error| format!("cannot make {}: {error}", log.display()))?;
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file).spawn();
        let mut child = spawned.map_err(|error| format!("cannot start {name}: {error}"))?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("{name} has no pipes"));
        };
        let (sender, lines) = channel();
        // Ends with the output of the process, or with the peer.
        std::thread::spawn(move || {
            BufReader::new(answers).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Ok(Peer { name: name.to_owned(), log, child, requests, lines })
    }

    /// Sends a request, and waits for all its answers.
    pub fn ask(&mut self, request: &str) -> Result<Vec<Answer>, String> {
        let (name, log) = (&self.name, self.log.display());
        let failed =
            |error: &dyn std::fmt::Display| format!("{name} does not answer `{request}`: {error}; its log is {log}");
        writeln!(self.requests, "{request}").map_err(|error| failed(&error))?;
        let mut found = Vec::new();
        loop {
            let line = self.lines.recv_timeout(SILENCE).map_err(|error| failed(&error))?;
            let line = line.trim_end();
            if line == "end" {
                return Ok(found);
            }
            // Other lines are the log of an engine.
            let mut parts = line.splitn(3, '\t');
            if let (Some(engine), Some(measure), Some(text)) = (parts.next(), parts.next(), parts.next()) {
                found.push(Answer { engine: engine.into(), measure: measure.into(), text: text.into() });
            }
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Engines with threads of their own do not end when their input does.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
