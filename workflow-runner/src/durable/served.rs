//! `run` while a server has the database. The server starts and runs the execution, and the
//! command waits for its outcome.

use std::path::Path;
use std::process::ExitCode;

use workflow_sqlite::{Error, Filter, View};

use super::remote::Remote;
use super::run::{RunRequest, WaitEnd, report_end};
use crate::command_line::{INTERRUPTED, RunOptions, interrupted};
use crate::console::complain;
use crate::progress::Running;

/// The end of the wait for an execution on the server.
pub struct Served {
    ended: WaitEnd,
    /// The id of the execution, if the server has returned it.
    id: Option<String>,
}

/// Returns the first option that cannot apply while a server has the database, with the reason.
pub fn first_refused(options: &RunOptions) -> Option<(&'static str, &'static str)> {
    let of_serve = "it is an option of `serve`";
    let refused = [
        (!options.settings.is_empty(), "--set", of_serve),
        (options.deployed_at.is_some(), "--deployed-at", of_serve),
        (options.sink.is_some(), "--sink", "it has its own"),
        (options.history.is_some(), "--history", "use `history ID`"),
        (options.callback_port.is_some(), "--callback-port", "use `succeed TOKEN` or `fail TOKEN`"),
    ];
    refused.into_iter().find(|(is_set, ..)| *is_set).map(|(_, option, reason)| (option, reason))
}

/// Starts an execution on the server or finds an existing one, and waits for its end.
pub async fn run(server: &Remote<'_>, db: &Path, request: &RunRequest, quiet: bool) -> Result<Served, String> {
    let mut id = None;
    let ended = tokio::select! {
        outcome = async {
            let existing = existing(db, request).map_err(|error| error.to_string())?;
            let started = match existing {
                Some(existing) => existing,
                None => server.start(request).await?,
            };
            let started = id.insert(started);
            if !quiet {
                complain(&format!("the server at {} runs the execution `{started}`", server.announced()));
            }
            server.outcome(db, started).await
        } => WaitEnd::With(outcome?),
        () = interrupted() => WaitEnd::Interrupted,
    };
    Ok(Served { ended, id })
}

/// Returns the execution of the id or key if no input is given, as a process without a server
/// does.
fn existing(db: &Path, request: &RunRequest) -> Result<Option<String>, Error> {
    if request.with_input {
        return Ok(None);
    }
    match (&request.id, &request.key) {
        (Some(id), _) => match View::open(db)?.describe(id) {
            Ok(_) => Ok(Some(id.clone())),
            Err(Error::UnknownExecution(_)) => Ok(None),
            Err(error) => Err(error),
        },
        (None, Some(key)) => {
            let keyed = View::open(db)?.list(&Filter::all().workflow(request.workflow).key(key.as_str()))?;
            Ok(keyed.into_iter().next().map(|summary| summary.id))
        }
        (None, None) => Ok(None),
    }
}

impl Served {
    /// Reports the end of the wait, and returns the exit status.
    pub fn report(self, db: &Path) -> Result<ExitCode, String> {
        match (self.ended, self.id) {
            (WaitEnd::Interrupted, id) => {
                complain(&match id {
                    Some(id) => format!("interrupted: the execution `{id}` continues on the server"),
                    None => "interrupted: the server may have started the execution".to_owned(),
                });
                Ok(ExitCode::from(INTERRUPTED))
            }
            (ended, id) => report_end(ended, &id.unwrap_or_default(), db, &Running::default()),
        }
    }
}
