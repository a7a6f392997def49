//! Builder of an [`Engine`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, params};
use workflow_runtime::clock::{Clock, SystemClock};
use workflow_runtime::engine::turns::{Turns, Workers};
use workflow_runtime::event::EventSink;
use workflow_runtime::machine::Program;
use workflow_runtime::observe::{HistoryFields, InvalidPath, Observer};
use workflow_runtime::task::Invoke;
use workflow_runtime::{Timestamp, Workflow};

use crate::engine::{Engine, Shared};
use crate::lease::Lease;
use crate::measures::{self, Measures};
use crate::registry::Registry;
use crate::scheduler::Scheduler;
use crate::store::Store;
use crate::{Error, recovery};

/// Builder of an engine. Everything but the workflows has a default.
///
/// ```no_run
/// # use workflow_runtime::{Workflow, task::Invoke};
/// use std::time::Duration;
/// use workflow_sqlite::{Engine, Error};
///
/// # async fn open<Order: Workflow>(tasks: impl Invoke + 'static) -> Result<(), Error> {
/// let engine = Engine::at("orders.db")
///     .workflow::<Order>(tasks)
///     .executions_at_once(100)
///     .events_known_for(Duration::from_secs(3_600))
///     .open()
///     .await?;
/// # Ok(())
/// # }
/// ```
pub struct Builder {
    path: PathBuf,
    registry: Registry,
    pub(crate) settings: Settings,
}

pub(crate) struct Settings {
    pub clock: Arc<dyn Clock>,
    pub executions_at_once: usize,
    pub tasks_at_once: usize,
    pub history: History,
    /// Size limit of the database in pages, for tests of a full disk.
    pub pages: Option<u32>,
    pub observers: Vec<MakeObserver>,
    /// Ids of the only executions to run; `None` runs all.
    pub only: Option<Vec<String>>,
    /// Additional sink for the events that executions publish.
    pub sink: Option<Arc<dyn EventSink>>,
    pub turns: Turns,
    /// Time in which a repeated event is recognized as a duplicate.
    pub events_known_for: Duration,
    /// Time of the deployment; by default the time when the engine first opened the database.
    pub deployed_at: Option<Timestamp>,
    pub on_problem: Arc<dyn Fn(&Error) + Send + Sync>,
    pub measures: Option<Measures>,
}

/// Default of [`Builder::events_known_for`].
const DEDUPLICATION_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// Factory of the observer for the execution of this id.
type MakeObserver = Box<dyn Fn(&str) -> Option<Box<dyn Observer>> + Send + Sync>;

/// Settings of the stored history.
#[derive(Clone)]
pub(crate) struct History {
    pub kept: bool,
    pub payloads: Option<u64>,
    pub redacted: Vec<String>,
    pub events: u32,
}

impl History {
    /// Returns the fields of events that the history has.
    pub fn fields(&self) -> Result<HistoryFields, InvalidPath> {
        let fields = match self.payloads {
            Some(bytes) => HistoryFields::default().limit_payloads(bytes),
            None => HistoryFields::default().without_payloads(),
        };
        fields.redact(&self.redacted)
    }
}

impl Builder {
    pub(crate) fn new(path: &Path) -> Builder {
        let settings = Settings {
            clock: Arc::new(SystemClock),
            executions_at_once: 1_024,
            tasks_at_once: 1_024,
            history: History { kept: true, payloads: Some(4_096), redacted: Vec::new(), events: 10_000 },
            pages: None,
            observers: Vec::new(),
            only: None,
            sink: None,
            turns: Turns::default().with_workers(Workers::shared()),
            events_known_for: DEDUPLICATION_TIME,
            deployed_at: None,
            on_problem: Arc::new(|error| eprintln!("{error}")),
            measures: None,
        };
        Builder { path: path.to_owned(), registry: Registry::default(), settings }
    }

    /// Registers a workflow with its tasks: `Order::bind(Arc::new(tasks))`.
    ///
    /// Registering a second workflow of the same name adds it as an older version: executions that
    /// were started with its definition continue with it, and no new ones are started.
    pub fn workflow<W: Workflow>(mut self, tasks: impl Invoke + 'static) -> Builder {
        self.registry.add(Program::of::<W>(), Arc::new(tasks));
        self
    }

    /// Sets how many executions may run at the same time: those with running tasks or pending
    /// work. The default is 1,024. Other executions wait for their turn in the database, as do all
    /// that wait for a time or for an outcome by token.
    pub fn executions_at_once(mut self, executions: usize) -> Builder {
        self.settings.executions_at_once = executions.max(1);
        self
    }

    /// Sets how many tasks of one execution run at the same time; by default 1,024. Other branches
    /// wait.
    pub fn tasks_at_once(mut self, tasks: usize) -> Builder {
        self.settings.tasks_at_once = tasks.max(1);
        self
    }

    /// Limits the time that one turn of an execution may compute, by default [30
    /// seconds](workflow_runtime::engine::turns::TURN_TIME). An execution that exceeds it fails
    /// with [`TURN_LIMIT_EXCEEDED`](workflow_runtime::fault::names::TURN_LIMIT_EXCEEDED).
    pub fn turn_time(mut self, limit: Duration) -> Builder {
        self.settings.turns = self.settings.turns.with_limit(limit);
        self
    }

    /// Moves long turns to these workers, by default to [those of the process](Workers::shared).
    pub fn workers(mut self, workers: Workers) -> Builder {
        self.settings.turns = self.settings.turns.with_workers(workers);
        self
    }

    /// Sends published events to this sink as well. The execution continues once the sink has
    /// accepted the event. If the process ends in between, the sink receives the event again, with
    /// the same id.
    pub fn sink(mut self, sink: impl EventSink + 'static) -> Builder {
        self.settings.sink = Some(Arc::new(sink));
        self
    }

    /// Sets the time in which a repeated event (same source and id) is recognized as a duplicate,
    /// by default 24 hours. A duplicate is not delivered to an execution again, and starts
    /// nothing. The record takes one row for each event and execution.
    pub fn events_known_for(mut self, time: Duration) -> Builder {
        self.settings.events_known_for = time;
        self
    }

    /// Sets the time of the deployment. A workflow whose schedule is a duration can be started for
    /// that long from then on. The default is the time when an engine with the workflow first
    /// opened the database, which the database keeps.
    pub fn deployed_at(mut self, time: Timestamp) -> Builder {
        self.settings.deployed_at = Some(time);
        self
    }

    /// Keeps no history.
    pub fn without_history(mut self) -> Builder {
        self.settings.history.kept = false;
        self
    }

    /// Limits the history of one execution to its newest events; by default 10,000.
    pub fn history_events(mut self, events: u32) -> Builder {
        self.settings.history.events = events.max(1);
        self
    }

    /// Limits payloads in the history to so many bytes of JSON, by default 4,096. 0 keeps no
    /// payloads.
    pub fn history_payloads(mut self, bytes: u64) -> Builder {
        self.settings.history.payloads = Some(bytes).filter(|bytes| *bytes > 0);
        self
    }

    /// Redacts these paths in the payloads of the history, as
    /// [`History::redact`](workflow_runtime::observe::History::redact) does.
    pub fn redact<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Result<Builder, InvalidPath> {
        self.settings.history.redacted.extend(paths.into_iter().map(Into::into));
        self.settings.history.fields()?;
        Ok(self)
    }

    /// Adds a factory of observers, which receives the id of an execution. The engine calls it
    /// whenever it loads an execution, also after the execution was unloaded while it waited. So
    /// an observer sees only a part of an execution.
    pub fn observer(mut self, make: impl Fn(&str) -> Option<Box<dyn Observer>> + Send + Sync + 'static) -> Builder {
        self.settings.observers.push(Box::new(make));
        self
    }

    /// Runs only the executions of these ids, and their children. All others stay as they are. For
    /// programs that change a single execution and exit.
    pub fn only<I: Into<String>>(mut self, ids: impl IntoIterator<Item = I>) -> Builder {
        self.settings.only = Some(ids.into_iter().map(Into::into).collect());
        self
    }

    /// Uses this clock.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Builder {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// Limits the database to so many pages, to simulate a full disk.
    #[doc(hidden)]
    pub fn limit_pages(mut self, pages: u32) -> Builder {
        self.settings.pages = Some(pages);
        self
    }

    /// Sets the handler of problems that no caller receives: an execution that cannot continue
    /// because the program lacks its definition, or a database that cannot be written. By default
    /// they are printed.
    pub fn on_problem(mut self, report: impl Fn(&Error) + Send + Sync + 'static) -> Builder {
        self.settings.on_problem = Arc::new(report);
        self
    }

    /// Measures the engine: see [`Measures`]. Opening then counts the executions of the database,
    /// which takes a second or more for each million.
    pub fn measures(mut self, measures: &Measures) -> Builder {
        self.settings.measures = Some(measures.clone());
        self
    }

    /// Opens the database, creates or upgrades it if necessary, and continues its executions. Must
    /// be called within a tokio runtime, which runs the executions.
    pub async fn open(self) -> Result<Engine, Error> {
        let (path, pages, measures) = (self.path.clone(), self.settings.pages, self.settings.measures.clone());
        // Recovery of what another process has left behind can take a while.
        let runtime = tokio::runtime::Handle::current();
        let opened = tokio::task::spawn_blocking(move || {
            let lease = Lease::take(&path)?;
            Ok::<_, Error>((lease, Store::open(&path, pages, &runtime, measures)?))
        });
        let (lease, store) = opened.await.map_err(|_| Error::Stopped)??;
        let store = Arc::new(store);
        if let Some(measures) = &self.settings.measures {
            let store = Arc::downgrade(&store);
            measures.attach(move || store.upgrade().ok_or(Error::Stopped)?.read_by_writer(measures::read));
        }
        let now = self.settings.clock.now().as_micros();
        let only = self.settings.only.clone();
        let recovered = store.write(move |c| recovery::begin(c, now, only.as_deref())).await?;
        let deployed = match self.settings.deployed_at {
            Some(time) => self.registry.with_deployment_schedule().map(|workflow| (workflow, time)).collect(),
            None => {
                let counted: Vec<&str> = self.registry.with_deployment_schedule().collect();
                match counted.is_empty() {
                    true => HashMap::new(),
                    false => store.write(move |c| deployments(c, &counted, now)).await?,
                }
            }
        };
        let (shared, signals) = Shared::new(store, lease, self.registry, self.settings, deployed);
        let shared = Arc::new(shared);
        let scheduler = Scheduler::new(shared.clone(), signals, recovered);
        shared.run(tokio::spawn(scheduler.run()));
        Ok(Engine::new(shared))
    }
}

/// Returns the time when each of these workflows was first deployed to this database, and records
/// `now` for new ones.
fn deployments(
    c: &Connection,
    workflows: &[&'static str],
    now: i64,
) -> rusqlite::Result<HashMap<&'static str, Timestamp>> {
    let mut deployed = HashMap::new();
    for workflow in workflows {
        let text = "INSERT INTO deployments (workflow, at) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        c.prepare_cached(text)?.execute(params![workflow, now])?;
        let text = "SELECT at FROM deployments WHERE workflow = ?1";
        let at = c.prepare_cached(text)?.query_row([workflow], |row| row.get(0))?;
        deployed.insert(*workflow, Timestamp::from_micros(at));
    }
    Ok(deployed)
}
