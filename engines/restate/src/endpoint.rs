//! What is served: workflows, each as a Restate workflow service.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use workflow_runtime::engine::turns::{Turns, Workers};
use workflow_runtime::event::EventSink;
use workflow_runtime::machine::{Batching, EVENTS_KEPT, Program, Start};
use workflow_runtime::task::Invoke;
use workflow_runtime::{Timestamp, Workflow};

use crate::client::{Client, ClientError};
use crate::directory::Directory;
use crate::segment::Limits;
use crate::{bus, name, server};

/// How long a task may take, if its definition does not say so, and a service has no other time.
const LONGEST_TASK: Duration = Duration::from_secs(24 * 3600);

/// How long a sink may take at least.
const LONGEST_SENDING: Duration = Duration::from_secs(300);

/// How long it may take to tell the server that a task was given up.
const TO_TELL: Duration = Duration::from_secs(60);

/// Which iterations run in batches, unless a service has others.
const BATCHING: Batching = Batching { above: 500, size: 250 };

/// How long an execution that waits stays in the process, unless a service has another time.
const IDLE: Duration = Duration::from_secs(60);

/// How long it is known which events an execution was given, unless a service has another time.
pub(crate) const KNOWN: Duration = Duration::from_secs(24 * 3600);

/// Sets up what executions are started with.
type SetUp = Arc<dyn Fn(&mut Start) + Send + Sync>;

/// A workflow as it is served: a Restate workflow service, with a key for every execution.
pub struct Service {
    pub(crate) name: String,
    pub(crate) program: Program,
    pub(crate) tasks: Arc<dyn Invoke>,
    pub(crate) sink: Option<Arc<dyn EventSink>>,
    pub(crate) limits: Limits,
    pub(crate) batching: Batching,
    longest_task: Option<Duration>,
    pub(crate) idle: Duration,
    /// What is served beside it.
    pub(crate) directory: Arc<Directory>,
    /// How long it is known which events executions were given.
    pub(crate) events_known_for: Duration,
    /// When the workflow was deployed, if that is not when an execution was started first.
    pub(crate) deployed_at: Option<Timestamp>,
    pub(crate) turns: Turns,
    set_up: Option<SetUp>,
}

impl Service {
    /// The workflow `W` with these tasks, such as `Order::bind(&SHOP)`, and the defaults. Tasks live as long as the program:
    /// `SHOP` is a static, or comes from [`Box::leak`].
    pub fn of<W: Workflow>(tasks: impl Invoke + 'static) -> Service {
        Service {
            name: name::hashed(W::DEFINITION),
            program: Program::of::<W>(),
            tasks: Arc::new(tasks),
            sink: None,
            limits: Limits::default(),
            batching: BATCHING,
            longest_task: None,
            idle: IDLE,
            directory: Arc::default(),
            events_known_for: KNOWN,
            deployed_at: None,
            turns: Turns::default().with_workers(Workers::shared()),
            set_up: None,
        }
    }

    /// The version of the workflow, as the service's name ends with it: `order-2`. By default a part of the definition's
    /// hash is its version: a changed definition is another service then, and the executions of the former one go on only
    /// where that is served, too.
    pub fn version(mut self, version: &str) -> Service {
        self.name = name::versioned(self.program.definition, version);
        self
    }

    /// How long an execution may compute without waiting, by default [30 seconds](workflow_runtime::engine::turns::TURN_TIME);
    /// then it fails with [`TURN_LIMIT_EXCEEDED`](workflow_runtime::fault::names::TURN_LIMIT_EXCEEDED).
    pub fn turn_time(mut self, limit: Duration) -> Service {
        self.turns = self.turns.with_limit(limit);
        self
    }

    /// Runs turns on these workers, by default on [those of the process](Workers::shared).
    pub fn workers(mut self, workers: Workers) -> Service {
        self.turns = self.turns.with_workers(workers);
        self
    }

    /// The name of the service.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many entries the journal of an invocation has before another one goes on with the execution; by default 2,000.
    /// That happens when no task is under way, sleeps and callbacks aside. Where there always is one, no new ones are begun
    /// once the journal is four times as long, until those under way have ended. An execution keeps to what was said when it
    /// started.
    pub fn journal_limit(mut self, entries: u64) -> Service {
        self.limits.journal = entries.max(1);
        self
    }

    /// Sends the events that executions publish to this, too. An execution goes on when the sink has taken its event; where
    /// the process has ended in between, the sink is given it again, with the same id. What the sink has said is kept: with a
    /// fault, the state that publishes the event fails.
    ///
    /// A sink may take five minutes for an event, or as long as a task, if that is longer.
    pub fn sink(mut self, sink: impl EventSink + 'static) -> Service {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// How many events an execution keeps that it does not wait for yet, before it takes only those that it waits for; by
    /// default, and at most, 10,000. Who sends one more is refused. An execution keeps to what was said when it started.
    pub fn events_kept(mut self, most: u32) -> Service {
        self.limits.events = most.clamp(1, EVENTS_KEPT as u32);
        self
    }

    /// Recognises an event of a source and id that comes to an execution again within this time, by default 24 hours: it is not
    /// delivered once more.
    pub fn events_known_for(mut self, time: Duration) -> Service {
        self.events_known_for = time;
        self
    }

    /// When this workflow was deployed: one whose schedule is a duration can be started for that long from then on. By default it is
    /// when an execution of the service was started first, which the bus of the service keeps.
    pub fn deployed_at(mut self, time: Timestamp) -> Service {
        self.deployed_at = Some(time);
        self
    }

    /// Lets iterations over more items than `above` run in batches of `size` items; by default in batches of 250, if there are
    /// more than 500. Each is an invocation of its own, wherever this service is served. An iteration in a batch is not divided
    /// once more, nor is one of a workflow that waits for events. An execution keeps to what was said when it started.
    ///
    /// Where so many may run at the same time that they fill batches, as many of those run at the same time; where fewer may,
    /// one batch runs after the other. A batch that has begun learns of failures in others when it is cancelled.
    pub fn batches(mut self, above: u32, size: u32) -> Service {
        self.batching = Batching { above, size: size.max(1) };
        self
    }

    /// How long a task may take before Restate takes the process for stuck and lets another one run the task. It must be
    /// longer than every task takes, or the task is begun again and again.
    ///
    /// By default it is a minute more than the longest time-out of a task in the definition; or a day, if a task has none or
    /// one that is computed and has no bound.
    pub fn longest_task(mut self, time: Duration) -> Service {
        self.longest_task = Some(time);
        self
    }

    /// How long Restate is to wait for a sign of life.
    pub(crate) fn patience(&self) -> Duration {
        let defined = || self.program.definition.longest_task().map(|longest| longest.saturating_add(TO_TELL));
        let longest_task = self.longest_task.or_else(defined).unwrap_or(LONGEST_TASK);
        self.sink.as_ref().map_or(longest_task, |_| longest_task.max(LONGEST_SENDING))
    }

    /// How long an execution that waits, and has no task under way, stays in this process; by default a minute. Then it is
    /// suspended: it takes no memory here, and its journal is replayed when what it waits for is there.
    pub fn idle(mut self, time: Duration) -> Service {
        self.idle = time;
        self
    }

    /// Sets up what executions are started with: settings of the definition, limits, observers, and what the context object
    /// shows. Name, time and seed are Restate's. It is called for every replay, too, and must do the same every time.
    ///
    /// Observers are told what is new, and are silent while a journal is replayed. What happened shortly before a crash can
    /// be told twice.
    pub fn start_with(mut self, set_up: impl Fn(&mut Start) + Send + Sync + 'static) -> Service {
        self.set_up = Some(Arc::new(set_up));
        self
    }

    /// Whether its executions wait for events, or when it was deployed has to be known.
    pub(crate) fn has_bus(&self) -> bool {
        !self.program.definition.events.is_empty() || self.counts_from_deployment()
    }

    /// Whether the schedule of the workflow is counted from when it was deployed.
    pub(crate) fn counts_from_deployment(&self) -> bool {
        self.program.definition.schedule.is_some_and(|schedule| schedule.needs_deployment())
    }

    pub(crate) fn set_up(&self, start: &mut Start) {
        if let Some(set_up) = &self.set_up {
            set_up(start);
        }
    }
}

/// Serves any number of workflows to a Restate server.
#[derive(Default)]
pub struct Endpoint {
    pub(crate) services: Vec<Service>,
    #[cfg(feature = "identity")]
    pub(crate) identity: restate_sdk_shared_core::IdentityVerifier,
    registration: Option<(Client, String)>,
}

impl Endpoint {
    /// Serves nothing yet.
    pub fn new() -> Endpoint {
        Endpoint::default()
    }

    /// Serves the workflow `W` with these tasks, such as `Order::bind(&SHOP)`.
    pub fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Endpoint {
        self.service(Service::of::<W>(tasks))
    }

    /// Serves a workflow that was set up. It takes the place of one of the same name.
    pub fn service(mut self, service: Service) -> Endpoint {
        self.services.retain(|other| other.name != service.name);
        self.services.push(service);
        self
    }

    /// Answers only what Restate has signed: the public key that the server logs at its start, `publickeyv1_…`. With more
    /// than one, each counts.
    #[cfg(feature = "identity")]
    pub fn identity_key(mut self, key: &str) -> Result<Endpoint, restate_sdk_shared_core::KeyError> {
        self.identity = self.identity.with_key(key)?;
        Ok(self)
    }

    /// Registers what is served as soon as it is: with the admin interface that `client` knows, under the address at which
    /// the Restate server reaches this program. Where something else is registered at the address, that is refused.
    pub fn register(mut self, client: &Client, address: impl Into<String>) -> Endpoint {
        self.registration = Some((client.clone(), address.into()));
        self
    }

    /// Serves whoever connects, over HTTP/2 without TLS, until the future is dropped. Then all that is under way in this
    /// process is dropped, and goes on where the Restate server finds another one.
    ///
    /// Ends by itself only if the registration is refused.
    pub async fn serve(mut self, listener: TcpListener) -> Result<Infallible, ClientError> {
        let registration = self.registration.take();
        let listed = self.services.iter().map(|service| (service.program.definition, service.name.clone()));
        let directory = Arc::new(Directory(listed.collect()));
        self.services.iter_mut().for_each(|service| service.directory = directory.clone());
        let buses = self.services.iter().filter(|service| service.has_bus()).map(|service| bus::name(&service.name));
        let names: Vec<String> = self.services.iter().map(|service| service.name.clone()).chain(buses).collect();
        let registered = async {
            if let Some((client, address)) = registration {
                client.register_when_reachable(&address, &names).await?;
            }
            std::future::pending().await
        };
        let served = server::serve(Arc::new(self), listener);
        match futures_util::future::select(std::pin::pin!(registered), std::pin::pin!(served)).await {
            futures_util::future::Either::Left((refused, _)) => refused,
            futures_util::future::Either::Right((never, _)) => match never {},
        }
    }
}
