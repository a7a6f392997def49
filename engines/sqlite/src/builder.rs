//! Setting up the engine.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, params};
use workflow_runtime::clock::{Clock, SystemClock};
use workflow_runtime::engine::turns::{Turns, Workers};
use workflow_runtime::event::EventSink;
use workflow_runtime::machine::Program;
use workflow_runtime::observe::{self, InvalidPath, Observer};
use workflow_runtime::task::Invoke;
use workflow_runtime::{Timestamp, Workflow};

use crate::engine::{Engine, Shared};
use crate::journal::Events;
use crate::lease::Lease;
use crate::registry::Registry;
use crate::scheduler::Scheduler;
use crate::store::Store;
use crate::{Error, recovery};

/// Sets up an engine. Everything but the workflows has a default.
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
    /// How many pages the database may have, for tests of a full disk.
    pub pages: Option<u32>,
    pub observers: Vec<MakeObserver>,
    /// The executions that run, where not all do.
    pub only: Option<Vec<String>>,
    /// Whom else events are sent to that executions publish.
    pub sink: Option<Arc<dyn EventSink>>,
    pub turns: Turns,
    /// How long it is known which events executions were given.
    pub events_known_for: Duration,
    /// When the program was deployed, if that is not when it was first opened.
    pub deployed_at: Option<Timestamp>,
    pub on_problem: Arc<dyn Fn(&Error) + Send + Sync>,
}

/// How long it is known which events executions were given, if nothing else is said.
const KNOWN: Duration = Duration::from_secs(24 * 60 * 60);

/// Makes an observer for the execution of this id.
type MakeObserver = Box<dyn Fn(&str) -> Option<Box<dyn Observer>> + Send + Sync>;

/// What is kept of what observers see.
#[derive(Clone)]
pub(crate) struct History {
    pub kept: bool,
    pub payloads: Option<u64>,
    pub redacted: Vec<String>,
    pub events: u32,
}

impl History {
    /// What writes it there.
    pub fn observer(&self, events: Events) -> Result<observe::History<Events>, InvalidPath> {
        let history = observe::History::new(events);
        let history = match self.payloads {
            Some(bytes) => history.limit_payloads(bytes),
            None => history.without_payloads(),
        };
        history.redact(&self.redacted)
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
            events_known_for: KNOWN,
            deployed_at: None,
            on_problem: Arc::new(|error| eprintln!("{error}")),
        };
        Builder { path: path.to_owned(), registry: Registry::default(), settings }
    }

    /// Runs this workflow with these tasks: `Order::bind(Arc::new(tasks))`.
    ///
    /// A workflow whose name was registered before is an older version of that one: executions that were started with its
    /// definition go on with it, and none is started.
    pub fn workflow<W: Workflow>(mut self, tasks: impl Invoke + 'static) -> Builder {
        self.registry.add(Program::of::<W>(), Arc::new(tasks));
        self
    }

    /// How many executions have tasks under way or something to do at the same time; by default 1,024. Others wait for
    /// their turn in the database, as do all that wait for a time or for an outcome by token.
    pub fn executions_at_once(mut self, executions: usize) -> Builder {
        self.settings.executions_at_once = executions.max(1);
        self
    }

    /// How many tasks one execution has under way at the same time; by default 1,024. Other branches wait.
    pub fn tasks_at_once(mut self, tasks: usize) -> Builder {
        self.settings.tasks_at_once = tasks.max(1);
        self
    }

    /// How long an execution may compute without waiting, by default [30 seconds](workflow_runtime::engine::turns::TURN_TIME); then it fails with
    /// [`TURN_LIMIT_EXCEEDED`](workflow_runtime::fault::names::TURN_LIMIT_EXCEEDED).
    pub fn turn_time(mut self, limit: Duration) -> Builder {
        self.settings.turns = self.settings.turns.with_limit(limit);
        self
    }

    /// Runs turns on these workers, by default on [those of the process](Workers::shared).
    pub fn workers(mut self, workers: Workers) -> Builder {
        self.settings.turns = self.settings.turns.with_workers(workers);
        self
    }

    /// Sends the events that executions publish to this, too. An execution goes on when the sink has taken its event; where
    /// the process has ended in between, the sink is given it again, with the same id.
    pub fn sink(mut self, sink: impl EventSink + 'static) -> Builder {
        self.settings.sink = Some(Arc::new(sink));
        self
    }

    /// Recognises an event of a source and id that comes again within this time, by default 24 hours: it is not delivered to an
    /// execution again, and starts nothing more. What is known takes space: a row for each event and execution.
    pub fn events_known_for(mut self, time: Duration) -> Builder {
        self.settings.events_known_for = time;
        self
    }

    /// When this program was deployed: a workflow whose schedule is a duration can be started for that long from then on. By
    /// default it is when an engine with the workflow opened the database for the first time, which is kept there.
    pub fn deployed_at(mut self, time: Timestamp) -> Builder {
        self.settings.deployed_at = Some(time);
        self
    }

    /// Keeps no history.
    pub fn without_history(mut self) -> Builder {
        self.settings.history.kept = false;
        self
    }

    /// Keeps at most so many events of one execution, the newest; by default 10,000.
    pub fn history_events(mut self, events: u32) -> Builder {
        self.settings.history.events = events.max(1);
        self
    }

    /// Keeps payloads of at most so many bytes of JSON in the history, by default 4,096; with 0, none.
    pub fn history_payloads(mut self, bytes: u64) -> Builder {
        self.settings.history.payloads = Some(bytes).filter(|bytes| *bytes > 0);
        self
    }

    /// Leaves these places out of the payloads in the history, as
    /// [`History::redact`](workflow_runtime::observe::History::redact) does.
    pub fn redact<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Result<Builder, InvalidPath> {
        self.settings.history.redacted.extend(paths.into_iter().map(Into::into));
        self.settings.history.observer(Events::default())?;
        Ok(self)
    }

    /// Tells the observers, too, that this makes for an execution, given its id. It is asked whenever an execution is taken
    /// up, also after it was let go of while it waited: an observer sees a part of it.
    pub fn observer(mut self, make: impl Fn(&str) -> Option<Box<dyn Observer>> + Send + Sync + 'static) -> Builder {
        self.settings.observers.push(Box::new(make));
        self
    }

    /// Runs only the executions of these ids, and those that they start; all others stay as they are. For programs that change a single one, and end.
    pub fn only<I: Into<String>>(mut self, ids: impl IntoIterator<Item = I>) -> Builder {
        self.settings.only = Some(ids.into_iter().map(Into::into).collect());
        self
    }

    /// Takes the time from this clock.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Builder {
        self.settings.clock = Arc::new(clock);
        self
    }

    /// Lets the database grow to this many pages only, as on a disk that is full then.
    #[doc(hidden)]
    pub fn limit_pages(mut self, pages: u32) -> Builder {
        self.settings.pages = Some(pages);
        self
    }

    /// What to do with problems that nobody asks for: executions that cannot go on because the program does not have their
    /// definition, a database that can no longer be written. By default they are printed.
    pub fn on_problem(mut self, tell: impl Fn(&Error) + Send + Sync + 'static) -> Builder {
        self.settings.on_problem = Arc::new(tell);
        self
    }

    /// Opens the database, makes it or upgrades it where that is due, and goes on with its executions. Needs to be called
    /// within a tokio runtime, which the executions run in.
    pub async fn open(self) -> Result<Engine, Error> {
        let (path, pages) = (self.path.clone(), self.settings.pages);
        // It can take a while: what another process has left behind is recovered.
        let runtime = tokio::runtime::Handle::current();
        let opened = tokio::task::spawn_blocking(move || {
            let lease = Lease::take(&path)?;
            Ok::<_, Error>((lease, Store::open(&path, pages, &runtime)?))
        });
        let (lease, store) = opened.await.map_err(|_| Error::Stopped)??;
        let store = Arc::new(store);
        let now = self.settings.clock.now().as_micros();
        let only = self.settings.only.clone();
        let recovered = store.write(move |c| recovery::begin(c, now, only.as_deref())).await?;
        let deployed = match self.settings.deployed_at {
            Some(time) => self.registry.counted().map(|workflow| (workflow, time)).collect(),
            None => {
                let counted: Vec<&str> = self.registry.counted().collect();
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

/// When these workflows were here first.
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
