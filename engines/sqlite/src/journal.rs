//! What an execution has done, written before it does more.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use workflow_runtime::Timestamp;
use workflow_runtime::engine::driver::{self, Stopped};
use workflow_runtime::machine::{Execution, Program, WaitsFor};

use crate::Error;
use crate::engine::Shared;
use crate::executions::{self, Commit, End};
use crate::scheduler::Signal;

/// An execution that waits for longer than this, and for no task, is let go of: what is stored is enough.
const LONG: Duration = Duration::from_secs(5);

/// How long an execution keeps its thread with writing before others have a turn.
const MOST_BLOCKED: Duration = Duration::from_micros(500);

/// Writes what one execution has done.
pub struct Journal {
    pub shared: Arc<Shared>,
    pub execution: i64,
    /// The run of the engine, until it is noted.
    pub epoch: Option<i64>,
    /// Whether it is still to be noted that the execution has begun, or goes on after it had failed.
    pub begins: bool,
    /// Whether it may have been what ended processes, and has not got on since.
    pub suspect: bool,
    /// Whether anything can have arrived for it that its rows know nothing of: a row with a token was written.
    pub arrivals: bool,
    pub commits: u64,
    /// How long it has kept the thread with writing.
    pub blocked: Duration,
    pub events: Events,
    pub next_event: i64,
    pub events_kept: i64,
}

impl driver::Journal for Journal {
    const KEEPS: bool = true;

    async fn commit(&mut self, execution: &mut Box<dyn Execution>, program: Program) -> Result<(), Stopped> {
        let now = self.shared.settings.clock.now().as_micros();
        let end = execution.result().cloned().map(|outcome| End {
            at: now,
            outcome,
            last: execution.last_completion().map(|(op, outcome)| (op, outcome.clone())),
        });
        let deadline = execution.deadline().map(Timestamp::as_micros);
        let (events, count) = self.events.take();
        let changes = execution.changes();
        let arrivals = self.arrivals;
        self.arrivals |= changes.waiting.iter().any(|waiting| has_token(&waiting.waits_for));
        // The first commit only tells that it is under way.
        let survived = self.suspect && self.commits == 1;
        let commit = Commit {
            execution: self.execution,
            changes,
            end,
            epoch: self.epoch.take(),
            begin: std::mem::take(&mut self.begins).then_some((program.definition.hash, now, deadline)),
            arrivals,
            survived,
            events,
            count,
            first_event: self.next_event,
            events_kept: self.events_kept,
        };
        self.next_event += count;
        self.commits += 1;
        let mut job = move |c: &Connection| executions::commit(c, &commit);
        let written = match self.at_once(&mut job) {
            Some(written) => {
                self.let_others().await;
                written
            }
            None => self.shared.store.write(job).await,
        };
        if let Err(Error::Unwritten { problem }) = written {
            let execution = execution.id().to_string();
            self.shared.refuse(self.execution, Error::Unkept { execution, problem });
            return Err(Stopped);
        }
        if !written.map_err(|_| Stopped)? {
            // It was ended before it began.
            return Err(Stopped);
        }
        if survived {
            self.shared.signal(Signal::GotOn(self.execution));
        }
        Ok(())
    }

    fn lets_go(&self, until: Option<Timestamp>) -> bool {
        until.is_none_or(|until| until > self.shared.settings.clock.now().plus(LONG))
    }
}

impl Journal {
    /// Writes at once if nothing else is to be written.
    fn at_once(&mut self, job: &mut impl FnMut(&Connection) -> rusqlite::Result<bool>) -> Option<Result<bool, Error>> {
        let began = Instant::now();
        let written = self.shared.store.write_at_once(job)?;
        self.blocked += began.elapsed();
        Some(written)
    }

    /// This thread has others to run than those that write at once.
    async fn let_others(&mut self) {
        if self.blocked > MOST_BLOCKED {
            self.blocked = Duration::ZERO;
            tokio::task::yield_now().await;
        }
    }
}

fn has_token(waits_for: &WaitsFor) -> bool {
    matches!(waits_for, WaitsFor::Task { token: Some(_), .. })
}

/// The lines of a history that were not written yet. A clone is the same.
#[derive(Clone, Default)]
pub struct Events(Arc<Mutex<Vec<u8>>>);

impl Events {
    /// The lines, without the end of the last one, and how many there are.
    fn take(&self) -> (String, i64) {
        let mut bytes = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        if bytes.is_empty() {
            return (String::new(), 0);
        }
        bytes.pop_if(|byte| *byte == b'\n');
        let text =
            String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let count = text.lines().count() as i64;
        (text, count)
    }
}

impl Write for Events {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
