//! The reader's shell. It keeps its folder and its background processes from one block to the
//! next.

use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The word before the status of a command and the shell's folder.
const ENDED: &str = "tutorial-command-ended";

/// A running shell. When it is dropped, all its processes are killed.
pub struct Shell {
    child: Child,
    input: ChildStdin,
    /// The lines that the shell and its commands print, in the order of a terminal.
    printed: Receiver<String>,
    /// The current folder.
    pub folder: PathBuf,
}

impl Shell {
    /// Starts a shell in this folder, with these variables in its environment.
    pub fn start(folder: &Path, variables: &[(&str, OsString)]) -> Result<Shell, String> {
        let failed = |error: std::io::Error| format!("cannot start sh: {error}");
        let (reader, writer) = std::io::pipe().map_err(failed)?;
        let mut command = Command::new("sh");
        command.current_dir(folder).envs(variables.iter().cloned());
        command.stdin(Stdio::piped()).stdout(writer.try_clone().map_err(failed)?).stderr(writer);
        lead_a_group(&mut command);
        let mut child = command.spawn().map_err(failed)?;
        let input = child.stdin.take().ok_or("sh has no standard input")?;
        let (sender, printed) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(reader);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Ok(Shell { child, input, printed, folder: folder.to_owned() })
    }

    /// Runs a command, which has to end with this status within this time. Returns the text that
    /// was printed meanwhile.
    pub fn run(&mut self, command: &str, status: i32, within: Duration) -> Result<String, String> {
        let until = Instant::now() + within;
        // The commands that follow are in the shell's standard input, which the command must not
        // read.
        let text = format!("{{ {command}\n}} </dev/null\nprintf '%s %s %s\\n' {ENDED} \"$?\" \"$PWD\"\n");
        let written = self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush());
        written.map_err(|error| format!("the shell has ended before `{command}`: {error}"))?;
        let mut printed = String::new();
        loop {
            let Some(line) = self.more(until).map_err(|problem| format!("`{command}`: {problem}:\n{printed}"))? else {
                return Err(format!("`{command}` does not end within {} s:\n{printed}", within.as_secs()));
            };
            let Some((before, after)) = line.split_once(ENDED) else {
                printed.push_str(&line);
                continue;
            };
            printed.push_str(before);
            let (ended, folder) = after.trim().split_once(' ').unwrap_or_default();
            self.folder = PathBuf::from(folder);
            return match ended == status.to_string() {
                true => Ok(printed),
                false => Err(format!("`{command}` ends with status {ended} in place of {status}:\n{printed}")),
            };
        }
    }

    /// Returns the next line that is printed, or `None` if there is none until this time.
    pub fn more(&mut self, until: Instant) -> Result<Option<String>, String> {
        match self.printed.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err("the shell has ended".to_owned()),
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        let group = format!("-{}", self.child.id());
        let killed = Command::new("sh").args(["-c", "kill -s KILL -- \"$0\"", &group]).status();
        if !killed.is_ok_and(|status| status.success()) {
            eprintln!("the processes of the tutorial could not be killed: their group is {}", self.child.id());
        }
        let _status = self.child.wait();
    }
}

/// Makes the shell the leader of a process group, so that its background processes can be killed
/// together with it.
#[cfg(unix)]
fn lead_a_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn lead_a_group(_command: &mut Command) {}
