//! `run` of an execution in a database. The execution starts or continues, and runs until it has
//! ended or a signal to end the program arrives. If a server has the database, the server runs it.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use workflow_runtime::machine::Outcome;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::{Object, Workflow, uri};
use workflow_sqlite::{Builder, Engine, Error, Execution, Filter, Status, WaitsFor};

use super::commands::report_problem;
use super::remote::Remote;
use super::served::{self, Served};
use super::{EngineSetup, GRACE, default_db};
use crate::callbacks::Endpoint;
use crate::command_line::{self, INTERRUPTED, Kind, RunOptions, block_on_many, finish_run, interrupted};
use crate::console::complain;
use crate::engine::Where;
use crate::history_file::HistoryFile;
use crate::progress::{self, Mode, Running};

/// Starts an execution or continues it, and runs it to its end.
pub(crate) fn run<W: Workflow>(options: RunOptions, setup: EngineSetup) -> Result<ExitCode, String> {
    let workflow = W::DEFINITION.name;
    let db = match &options.place {
        Where::Database(db) => db.clone(),
        _ => default_db(workflow),
    };
    // The server does not have the tasks that options bind.
    let can_be_served = options.kind != Kind::Bound;
    let not_served = served::first_refused(&options);
    let correlate = options.correlate.as_ref();
    let request = RunRequest {
        workflow,
        id: options.id.clone(),
        key: options.key,
        correlation: correlate.map(|pair| command_line::correlation(W::DEFINITION, pair)).transpose()?,
        correlate: options.correlate,
        with_input: options.input.is_some(),
        input: command_line::read_input(options.input)?,
        missing: command_line::missing_settings(W::DEFINITION, &options.settings).err(),
        settings: options.settings,
    };
    let quiet = options.progress == Mode::None;
    let monitor = ExecutionMonitor::new(options.id, options.progress, options.history)?;
    let deployed_at = options.deployed_at;
    let set_up = |builder| deployed_at.into_iter().fold(monitor.watch(builder), Builder::deployed_at);
    let setup = setup.with_sink(options.sink);
    let mut endpoint = setup.endpoint.clone();
    let token = options.token;
    let ended = block_on_many(async {
        // The execution can run a task before this future waits for its end.
        let signal = interrupted();
        let engine = match setup.open(&db, set_up).await {
            Err(Error::InUse { address: Some(address), .. }) if can_be_served => {
                if let Some((option, reason)) = not_served {
                    return Err(format!(
                        "`{option}` cannot be used while the server at {address} has the database: {reason}"
                    ));
                }
                let server = Remote::at(&address, token)?;
                // The server receives the outcomes of its tasks.
                drop(endpoint.take());
                return served::run(&server, &db, &request, quiet).await.map(Ran::Served);
            }
            opened => opened.map_err(|error| match &error {
                Error::InUse { address: Some(address), .. } => {
                    let workflow = uri::encode(W::DEFINITION.name);
                    format!("{error}, or start the execution on its server: `POST {address}/{workflow}`, with the input as the body")
                }
                _ => error.to_string(),
            })?,
        };
        let execution = match request.submit(&engine).await {
            Ok(execution) => execution,
            Err(problem) => {
                leave(&engine, Duration::ZERO).await;
                return Err(problem);
            }
        };
        monitor.follow(execution.id())?;
        if let (false, Some(endpoint)) = (execution.is_new(), &endpoint) {
            announce_waiting(&execution, endpoint);
        }
        if !quiet {
            if !execution.is_new() {
                complain(&format!("resuming the execution `{}` of `{}`", execution.id(), db.display()));
            }
            report_others(&engine, &execution, &db);
        }
        let ended = until_it_ends(&execution, &monitor, signal).await;
        leave(&engine, GRACE).await;
        Ok(Ran::Here(ended, execution.id().to_owned()))
    })?;
    let running = monitor.running.clone();
    drop(monitor);
    match ended? {
        Ran::Here(ended, id) => report_end(ended, &id, &db, &running),
        Ran::Served(served) => served.report(&db),
    }
}

/// The process that has run an execution, with the end of the wait for it.
enum Ran {
    Here(WaitEnd, String),
    Served(Served),
}

/// The request for an execution.
pub struct RunRequest {
    pub workflow: &'static str,
    pub id: Option<String>,
    pub key: Option<String>,
    correlation: Option<String>,
    /// The correlation key, as `ATTRIBUTE=VALUE`.
    pub correlate: Option<String>,
    pub input: workflow_runtime::Value,
    pub with_input: bool,
    settings: Object,
    /// The message if settings of a new execution are missing.
    missing: Option<String>,
}

impl RunRequest {
    /// Returns the existing execution of the id or key if no input is given. Otherwise submits a
    /// new execution, or returns the execution that an equal request has started.
    async fn submit(self, engine: &Engine) -> Result<Execution, String> {
        if let Some(execution) = self.there_is(engine).map_err(|error| error.to_string())? {
            return Ok(execution);
        }
        if let Some(missing) = self.missing {
            return Err(missing);
        }
        let submit = engine.start_named(self.workflow, self.input).map_err(|error| error.to_string())?;
        let mut submit = submit.settings(self.settings);
        if let Some(id) = self.id {
            submit = submit.id(id);
        }
        if let Some(key) = self.key {
            submit = submit.key(key);
        }
        if let Some(value) = self.correlation {
            submit = submit.correlate(value);
        }
        submit.submit().await.map_err(|error| error.to_string())
    }

    fn there_is(&self, engine: &Engine) -> Result<Option<Execution>, Error> {
        if self.with_input {
            return Ok(None);
        }
        let id = match (&self.id, &self.key) {
            (Some(id), _) => id.clone(),
            (None, Some(key)) => {
                let keyed = engine.list(&Filter::all().workflow(self.workflow).key(key.as_str()))?;
                let Some(summary) = keyed.into_iter().next() else { return Ok(None) };
                summary.id
            }
            (None, None) => return Ok(None),
        };
        match engine.execution(&id) {
            Ok(execution) => Ok(Some(execution)),
            Err(Error::UnknownExecution(_)) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Announces the tokens that a resumed execution waits for.
fn announce_waiting(execution: &Execution, endpoint: &Endpoint) {
    // An execution that cannot be read is reported when it runs.
    let waiting = execution.describe().map(|description| description.waiting).unwrap_or_default();
    for waits in waiting {
        if let (WaitsFor::Token(_), Some(token), false) = (&waits.waits_for, &waits.token, waits.has_outcome) {
            endpoint.announce(&waits.state, token);
        }
    }
}

/// Reports the number of other unfinished executions in the database. They run, too.
fn report_others(engine: &Engine, execution: &Execution, db: &Path) {
    let unfinished = |status| engine.list(&Filter::all().status(status)).unwrap_or_default();
    let others = [Status::Running, Status::Queued].into_iter().flat_map(unfinished);
    match others.filter(|other| other.id != execution.id()).count() {
        0 => {}
        1 => complain(&format!("another execution of `{}` also runs", db.display())),
        others => complain(&format!("{others} other executions of `{}` also run", db.display())),
    }
}

/// The end of the wait for an execution.
pub enum WaitEnd {
    With(Outcome),
    Interrupted,
    /// The execution cannot continue; the reason.
    Not(String),
}

/// Waits until an execution has ended or cannot continue, or a signal to end the program arrives.
pub async fn until_it_ends(
    execution: &Execution,
    monitor: &ExecutionMonitor,
    signal: impl Future<Output = ()>,
) -> WaitEnd {
    tokio::select! {
        outcome = execution.result() => match outcome {
            Ok(outcome) => WaitEnd::With(outcome),
            Err(error) => WaitEnd::Not(error.to_string()),
        },
        problem = monitor.problem() => WaitEnd::Not(problem),
        () = signal => WaitEnd::Interrupted,
    }
}

/// Shuts down the engine. A second signal to end the program ends the wait for running tasks.
pub async fn leave(engine: &Engine, grace: Duration) {
    tokio::select! {
        () = engine.shut_down(grace) => {}
        () = interrupted() => {}
    }
}

/// Reports the end of the wait, and returns the exit status. `running` has the tasks that this
/// process has not waited for.
pub fn report_end(ended: WaitEnd, id: &str, db: &Path, running: &Running) -> Result<ExitCode, String> {
    match ended {
        WaitEnd::With(outcome) => {
            let failed = outcome.is_err();
            let status = finish_run(Some(outcome));
            if failed {
                complain(&format!(
                    "use `show {id}` for details, and `redrive {id}` to continue from the state that failed"
                ));
            }
            status
        }
        WaitEnd::Interrupted => {
            let db = db.display();
            complain(&format!(
                "the execution was interrupted and saved: use `run --db {db} --id {id}` to resume it, and `show {id}` to \
                 see its state"
            ));
            if let Some(tasks) = running.invoked() {
                complain(&format!("a resumed execution repeats what had not ended: {tasks}"));
            }
            Ok(ExitCode::from(INTERRUPTED))
        }
        WaitEnd::Not(problem) => Err(problem),
    }
}

/// The observation of one execution of an engine: it shows the progress, and learns that the
/// execution cannot continue.
pub struct ExecutionMonitor {
    /// The running tasks of the execution.
    pub running: Running,
    history: Option<HistoryFile>,
    shared: Arc<Shared>,
    screen: Option<progress::Screen>,
}

struct Shared {
    /// The id of the execution, once it is known.
    id: Mutex<Option<String>>,
    observers: Mutex<Vec<Box<dyn Observer>>>,
    problem: OnceLock<String>,
    problem_set: Notify,
}

impl ExecutionMonitor {
    /// Watches the execution of this id, or else the first execution that starts.
    pub fn new(id: Option<String>, mode: Mode, history: Option<OsString>) -> Result<ExecutionMonitor, String> {
        let running = Running::default();
        let mut observers: Vec<Box<dyn Observer>> = vec![Box::new(running.clone())];
        let history = history.as_ref().map(HistoryFile::open).transpose()?;
        if let Some(file) = &history {
            observers.push(Box::new(file.observer()));
        }
        let (progress, screen) = progress::observer(mode).unzip();
        if let Some(progress) = progress {
            observers.push(Box::new(progress));
        }
        let shared = Shared {
            id: Mutex::new(id),
            observers: Mutex::new(observers),
            problem: OnceLock::new(),
            problem_set: Notify::new(),
        };
        Ok(ExecutionMonitor { running, history, shared: Arc::new(shared), screen: screen.flatten() })
    }

    /// Adds the observer and the receiver of problems to an engine.
    pub fn watch(&self, builder: Builder) -> Builder {
        let (follower, listener) = (self.shared.clone(), self.shared.clone());
        let builder = builder.observer(move |_| Some(Box::new(Follower(follower.clone()))));
        builder.on_problem(move |error| match error {
            Error::Mismatch(mismatch) if listener.is_watched(&mismatch.execution) => {
                let _first = listener.problem.set(error.to_string());
                listener.problem_set.notify_one();
            }
            error => report_problem(error),
        })
    }

    /// Sets the id of the execution to watch, which the engine has accepted.
    fn follow(&self, id: &str) -> Result<(), String> {
        *self.shared.id() = Some(id.to_owned());
        let begun = self.history.as_ref().map_or(Ok(()), HistoryFile::begin);
        begun.map_err(|error| format!("cannot write the history: {error}"))
    }

    async fn problem(&self) -> String {
        loop {
            self.shared.problem_set.notified().await;
            if let Some(problem) = self.shared.problem.get() {
                return problem.clone();
            }
        }
    }
}

impl Drop for ExecutionMonitor {
    fn drop(&mut self) {
        // The engine may still hold observers: without this, they would draw after the screen has
        // ended.
        self.shared.observers.lock().unwrap_or_else(PoisonError::into_inner).clear();
        drop(self.screen.take());
    }
}

impl Shared {
    fn id(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.id.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_watched(&self, id: &str) -> bool {
        self.id().as_deref() == Some(id)
    }
}

/// An observer that passes on the events of the watched execution.
struct Follower(Arc<Shared>);

impl Observer for Follower {
    fn observe(&mut self, event: &Event<'_>) {
        {
            let mut id = self.0.id();
            match &*id {
                Some(id) if *id != *event.execution => return,
                Some(_) => {}
                None if matches!(event.kind, EventKind::ExecutionStarted { .. }) => {
                    *id = Some(event.execution.to_string());
                }
                None => return,
            }
        }
        let mut observers = self.0.observers.lock().unwrap_or_else(PoisonError::into_inner);
        for observer in &mut *observers {
            observer.observe(event);
        }
    }
}
