//! `run` of an execution in a database. The execution starts or continues, and runs until it has
//! ended or a signal to end the program arrives. If a server has the database, the server runs it.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use workflow_runtime::engine::{Engine, EngineError, Filter, StartRequest, Started, Status, WaitsFor};
use workflow_runtime::machine::Outcome;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::{Workflow, uri};

use super::commands::report_problem;
use super::remote::Remote;
use super::{GRACE, default_db};
use crate::callbacks::Endpoint;
use crate::command_line::{self, INTERRUPTED, Kind, RunOptions, block_on_many, finish_run, interrupted};
use crate::console::complain;
use crate::engine::Where;
use crate::engines::sqlite::EngineSetup;
use crate::engines::{OpenOptions, Opened};
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
    let not_served = first_refused(&options);
    let missing = command_line::missing_settings(W::DEFINITION, &options.settings).err();
    let request = RunRequest::read::<W>(&options)?;
    let quiet = options.progress == Mode::None;
    let monitor = ExecutionMonitor::new(options.id, options.progress, options.history)?;
    let set_up = OpenOptions { deployed_at: options.deployed_at, ..monitor.options() };
    let setup = setup.with_sink(options.sink).with_objects(options.objects);
    let mut endpoint = setup.endpoint.clone();
    let (mut id, mut served_at) = (None, None);
    let ended = block_on_many(async {
        // The execution can run a task before this future waits for its end.
        let signal = interrupted();
        let engine: Arc<dyn Engine> = match setup.open(&db, set_up).await? {
            Opened::Here(engine) => engine,
            Opened::InUse { address, message } if !can_be_served => {
                let workflow = uri::encode(workflow);
                return Err(format!(
                    "{message}, or start the execution on its server: `POST {address}/{workflow}`, with the input as the body"
                ));
            }
            Opened::InUse { address, .. } => {
                if let Some((option, reason)) = not_served {
                    return Err(format!(
                        "`{option}` cannot be used while the server at {address} has the database: {reason}"
                    ));
                }
                served_at = Some(address.clone());
                // The server receives the outcomes of its tasks.
                drop(endpoint.take());
                Arc::new(Remote::at(&address, options.token, &db, W::DEFINITION)?)
            }
        };
        let ended = tokio::select! {
            ended = async {
                // The server has its own settings.
                let started = request.submit(&*engine, missing.filter(|_| served_at.is_none())).await?;
                let started_id = id.insert(started.id.clone());
                match &served_at {
                    Some(_) if quiet => {}
                    Some(address) => complain(&format!("the server at {address} runs the execution `{started_id}`")),
                    None => {
                        monitor.follow(started_id)?;
                        if let (false, Some(endpoint)) = (started.is_new, &endpoint) {
                            announce_waiting(&*engine, started_id, endpoint).await;
                        }
                        if !quiet {
                            report_others(&*engine, &started, &db).await;
                        }
                    }
                }
                Ok(until_it_ends(&*engine, started_id, &monitor).await)
            } => ended,
            () = signal => Ok(WaitEnd::Interrupted),
        };
        leave(&*engine, if ended.is_ok() { GRACE } else { Duration::ZERO }).await;
        ended
    })?;
    let running = monitor.running.clone();
    drop(monitor);
    match (ended?, id) {
        (WaitEnd::Interrupted, id) if served_at.is_some() => {
            complain(&match id {
                Some(id) => format!("interrupted: the execution `{id}` continues on the server"),
                None => "interrupted: the server may have started the execution".to_owned(),
            });
            Ok(ExitCode::from(INTERRUPTED))
        }
        (WaitEnd::Interrupted, None) => finish_run(None),
        (ended, id) => report_end(ended, &id.unwrap_or_default(), &db, &running),
    }
}

/// Returns the first option that cannot apply while a server has the database, with the reason.
fn first_refused(options: &RunOptions) -> Option<(&'static str, &'static str)> {
    let of_serve = "it is an option of `serve`";
    let refused = [
        (!options.settings.is_empty(), "--set", of_serve),
        (options.deployed_at.is_some(), "--deployed-at", of_serve),
        (options.sink.is_some(), "--sink", "it has its own"),
        (options.objects.is_some(), "--store", of_serve),
        (options.history.is_some(), "--history", "use `history ID`"),
        (options.callback_port.is_some(), "--callback-port", "use `succeed TOKEN` or `fail TOKEN`"),
    ];
    refused.into_iter().find(|(is_set, ..)| *is_set).map(|(_, option, reason)| (option, reason))
}

/// The request for an execution.
struct RunRequest {
    request: StartRequest,
    with_input: bool,
}

impl RunRequest {
    fn read<W: Workflow>(options: &RunOptions) -> Result<RunRequest, String> {
        let correlation = options.correlate.as_ref().map(|pair| command_line::correlation(W::DEFINITION, pair));
        let input = crate::input::read_input(options.input.clone())?;
        let mut request = StartRequest::new(W::DEFINITION.name, input).settings(options.settings.clone());
        request.id = options.id.clone();
        request.key = options.key.clone();
        request.correlation = correlation.transpose()?;
        Ok(RunRequest { request, with_input: options.input.is_some() })
    }

    /// Returns the existing execution of the id or key if no input is given. Otherwise submits a
    /// new execution, or returns the execution that an equal request has started. `missing` is the
    /// message if settings of a new execution are missing.
    async fn submit(self, engine: &dyn Engine, missing: Option<String>) -> Result<Started, String> {
        if let Some(id) = self.existing(engine).await.map_err(|error| error.to_string())? {
            return Ok(Started::new(id, false));
        }
        if let Some(missing) = missing {
            return Err(missing);
        }
        engine.start(self.request).await.map_err(|error| error.to_string())
    }

    async fn existing(&self, engine: &dyn Engine) -> Result<Option<String>, EngineError> {
        let StartRequest { workflow, id, key, .. } = &self.request;
        match (id, key) {
            _ if self.with_input => Ok(None),
            (Some(id), _) => match engine.summary(id).await {
                Ok(_) => Ok(Some(id.clone())),
                Err(EngineError::UnknownExecution(_)) => Ok(None),
                Err(error) => Err(error),
            },
            (None, Some(key)) => {
                let keyed = engine.list(&Filter::all().workflow(workflow).key(key)).await?;
                Ok(keyed.into_iter().next().map(|summary| summary.id))
            }
            (None, None) => Ok(None),
        }
    }
}

/// Announces the tokens that a resumed execution waits for.
async fn announce_waiting(engine: &dyn Engine, id: &str, endpoint: &Endpoint) {
    // An execution that cannot be read is reported when it runs.
    for waits in engine.waiting(id).await.unwrap_or_default() {
        if let (WaitsFor::Token(_), Some(token), false) = (&waits.waits_for, &waits.token, waits.has_outcome) {
            endpoint.announce(&waits.state, token);
        }
    }
}

/// Reports that an execution is resumed, and the number of other unfinished executions in the
/// database. They run, too.
async fn report_others(engine: &dyn Engine, started: &Started, db: &Path) {
    let db = db.display();
    if !started.is_new {
        complain(&format!("resuming the execution `{}` of `{db}`", started.id));
    }
    let mut others = 0;
    for status in [Status::Running, Status::Queued] {
        let unfinished = engine.list(&Filter::all().status(status)).await.unwrap_or_default();
        others += unfinished.iter().filter(|other| other.id != started.id).count();
    }
    match others {
        0 => {}
        1 => complain(&format!("another execution of `{db}` also runs")),
        others => complain(&format!("{others} other executions of `{db}` also run")),
    }
}

/// The end of the wait for an execution.
pub enum WaitEnd {
    With(Outcome),
    Interrupted,
    /// The execution cannot continue; the reason.
    Not(String),
}

/// Waits until an execution has ended or cannot continue.
pub async fn until_it_ends(engine: &dyn Engine, id: &str, monitor: &ExecutionMonitor) -> WaitEnd {
    tokio::select! {
        outcome = engine.attach(id) => match outcome {
            Ok(outcome) => WaitEnd::With(outcome),
            Err(error) => WaitEnd::Not(error.to_string()),
        },
        problem = monitor.problem() => WaitEnd::Not(problem),
    }
}

/// Shuts down the engine. A second signal to end the program ends the wait for running tasks.
pub async fn leave(engine: &dyn Engine, grace: Duration) {
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

    /// Returns the observer and the receiver of problems for an engine.
    pub fn options(&self) -> OpenOptions {
        let (follower, listener) = (self.shared.clone(), self.shared.clone());
        let on_problem = move |error: &EngineError| match error {
            EngineError::CannotContinue { execution, halted: false, .. } if listener.is_watched(execution) => {
                let _first = listener.problem.set(error.to_string());
                listener.problem_set.notify_one();
            }
            error => report_problem(error),
        };
        OpenOptions {
            observers: vec![Box::new(move || Some(Box::new(Follower(follower.clone()))))],
            on_problem: Some(Box::new(on_problem)),
            ..OpenOptions::default()
        }
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
