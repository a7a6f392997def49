//! Endpoint: the workflows that a program serves, each as a Restate workflow service.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use workflow_runtime::engine::turns::{Turns, Workers};
use workflow_runtime::event::EventSink;
use workflow_runtime::machine::{Batching, INBOX_CAPACITY, Program, Start};
use workflow_runtime::objects::{ObjectAccess, Objects};
use workflow_runtime::task::Invoke;
use workflow_runtime::{Timestamp, Workflow};

use crate::client::{Client, ClientError};
use crate::directory::Directory;
use crate::proof::Proofs;
use crate::segment::Limits;
use crate::{events, name, server};

/// Default of [`Service::longest_task`] for a definition without a bound.
const LONGEST_TASK: Duration = Duration::from_secs(24 * 3600);

/// Time that a sink may take for an event, or an object store for items or results, at least.
const LONGEST_SEND: Duration = Duration::from_secs(300);

/// Time to report to the server that a task has timed out.
const REPORT_TIME: Duration = Duration::from_secs(60);

/// Default of [`Service::batches`].
const BATCHING: Batching = Batching { above: 500, size: 250 };

/// Default of [`Service::idle`].
const IDLE: Duration = Duration::from_secs(60);

/// Default of [`Service::events_known_for`].
pub(crate) const DEDUPLICATION_TIME: Duration = Duration::from_secs(24 * 3600);

/// Function that sets up a start.
type SetUp = Arc<dyn Fn(&mut Start) + Send + Sync>;

/// Workflow as a Restate workflow service, with one key for each execution.
///
/// ```no_run
/// # use workflow_runtime::{Workflow, task::Invoke};
/// use std::time::Duration;
/// use workflow_restate::{Endpoint, Service};
///
/// # fn endpoint<Order: Workflow>(shop: impl Invoke + 'static) -> Endpoint {
/// let orders = Service::of::<Order>(shop).version("2").idle(Duration::from_secs(10));
/// Endpoint::new().service(orders)
/// # }
/// ```
pub struct Service {
    pub(crate) name: String,
    pub(crate) program: Program,
    pub(crate) tasks: Arc<dyn Invoke>,
    pub(crate) sink: Option<Arc<dyn EventSink>>,
    /// Object stores of distributed Maps.
    pub(crate) objects: Option<ObjectAccess>,
    pub(crate) limits: Limits,
    pub(crate) batching: Batching,
    longest_task: Option<Duration>,
    pub(crate) idle: Duration,
    /// Workflows of the same endpoint.
    pub(crate) directory: Arc<Directory>,
    /// Time in which a repeated event is recognized as a duplicate.
    pub(crate) events_known_for: Duration,
    /// Time of the deployment; by default the first start of an execution.
    pub(crate) deployed_at: Option<Timestamp>,
    pub(crate) turns: Turns,
    /// Known proofs of parts.
    pub(crate) proofs: Proofs,
    set_up: Option<SetUp>,
}

impl Service {
    /// Serves the workflow `W` with these tasks, such as `Order::bind(&SHOP)`, and default
    /// settings. Tasks live as long as the program: `SHOP` is a static, or comes from
    /// [`Box::leak`].
    pub fn of<W: Workflow>(tasks: impl Invoke + 'static) -> Service {
        Service {
            name: name::hashed(W::DEFINITION),
            program: Program::of::<W>(),
            tasks: Arc::new(tasks),
            sink: None,
            objects: None,
            limits: Limits::default(),
            batching: BATCHING,
            longest_task: None,
            idle: IDLE,
            directory: Arc::default(),
            events_known_for: DEDUPLICATION_TIME,
            deployed_at: None,
            turns: Turns::default().with_workers(Workers::shared()),
            proofs: Proofs::default(),
            set_up: None,
        }
    }

    /// Sets the version of the workflow, which ends the service's name: `order-2`. By default a
    /// part of the definition's hash is the version. Then a changed definition is another service,
    /// and executions of the old definition continue only where that is served as well.
    pub fn version(mut self, version: &str) -> Service {
        self.name = name::versioned(self.program.definition, version);
        self
    }

    /// Limits the time that one turn of an execution may compute, by default [30
    /// seconds](workflow_runtime::engine::turns::TURN_TIME). An execution that exceeds it fails
    /// with [`TURN_LIMIT_EXCEEDED`](workflow_runtime::fault::names::TURN_LIMIT_EXCEEDED).
    pub fn turn_time(mut self, limit: Duration) -> Service {
        self.turns = self.turns.with_limit(limit);
        self
    }

    /// Moves long turns to these workers, by default to [those of the process](Workers::shared).
    pub fn workers(mut self, workers: Workers) -> Service {
        self.turns = self.turns.with_workers(workers);
        self
    }

    /// Returns the name of the service.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets the number of journal entries after which another invocation continues the execution;
    /// by default 2,000. The change needs a moment without running tasks; sleeps and callbacks do
    /// not count. If tasks run all the time, no new ones begin once the journal is four times as
    /// long, until the running ones have ended. A running execution keeps the limit that it
    /// started with.
    ///
    /// A run of a distributed Map is continued by another invocation after twice as many entries.
    /// It has at most half as many children at the same time, 1,000 by default, even if its
    /// `MaxConcurrency` is greater. It starts no more while the inputs of its running children
    /// have 8 MiB or more.
    pub fn journal_limit(mut self, entries: u64) -> Service {
        self.limits.journal = entries.max(1);
        self
    }

    /// Sends published events to this sink as well. The execution continues once the sink has
    /// accepted the event. If the process ends in between, the sink receives the event again, with
    /// the same id. The journal keeps the sink's answer. If it is a fault, the publishing state
    /// fails.
    ///
    /// A sink may take five minutes for an event, or as long as a task, whichever is longer.
    pub fn sink(mut self, sink: impl EventSink + 'static) -> Service {
        self.sink = Some(Arc::new(sink));
        self
    }

    /// Sets the object stores, from which distributed Maps read items, and to which they write
    /// results. The crate `workflow-objects` has stores.
    ///
    /// A store may take five minutes for a part of the items or results, or as long as a task,
    /// whichever is longer. Each node that serves the workflow needs the same stores.
    ///
    /// In a compressed file, a part is read from the beginning of the file after another
    /// invocation has taken over: set [`Service::longest_task`] above the time that reading the
    /// whole file takes.
    pub fn objects(mut self, objects: impl Objects + 'static) -> Service {
        self.objects = Some(ObjectAccess::new(objects));
        self
    }

    /// Sets the inbox capacity: how many events an execution keeps that it does not wait for yet;
    /// by default, and at most, 10,000. Further events are refused, except those that the
    /// execution waits for. A running execution keeps the capacity that it started with.
    pub fn events_kept(mut self, most: u32) -> Service {
        self.limits.events = most.clamp(1, INBOX_CAPACITY as u32);
        self
    }

    /// Sets the time in which an event of the same source and id is recognized as a duplicate, by
    /// default 24 hours. A duplicate is not delivered again.
    pub fn events_known_for(mut self, time: Duration) -> Service {
        self.events_known_for = time;
        self
    }

    /// Sets the time of the deployment. A workflow whose schedule is a duration can be started for
    /// that long from then on. The default is the first start of an execution, which an object of
    /// the service `NAME.events` stores.
    pub fn deployed_at(mut self, time: Timestamp) -> Service {
        self.deployed_at = Some(time);
        self
    }

    /// Runs iterations over more than `above` items in batches of `size` items; by default in
    /// batches of 250 from 501 items on. Each batch is an invocation of its own, on any node that
    /// serves this service. An iteration inside a batch is not divided again, nor is an iteration
    /// of a workflow that waits for events. A running execution keeps the settings that it started
    /// with.
    ///
    /// With a concurrency of at least one batch, as many batches run at the same time as the
    /// concurrency fills. With less, batches run one after the other. A batch that has begun
    /// learns of failures in others when it is cancelled.
    pub fn batches(mut self, above: u32, size: u32) -> Service {
        self.batching = Batching { above, size: size.max(1) };
        self
    }

    /// Sets the time after which Restate considers a process stuck, and lets another one run the
    /// task. It must exceed the duration of every task, or the task starts again and again.
    ///
    /// The default is a minute more than the longest time-out of a task in the definition, or a
    /// day if a task has no time-out or a computed one without a bound. It is at least five
    /// minutes if the service has a sink or the definition has distributed Maps.
    pub fn longest_task(mut self, time: Duration) -> Service {
        self.longest_task = Some(time);
        self
    }

    /// Returns the inactivity time-out for Restate.
    pub(crate) fn patience(&self) -> Duration {
        let defined = || self.program.definition.longest_task().map(|longest| longest.saturating_add(REPORT_TIME));
        let longest_task = self.longest_task.or_else(defined).unwrap_or(LONGEST_TASK);
        match self.sink.is_some() || !self.program.definition.maps.is_empty() {
            true => longest_task.max(LONGEST_SEND),
            false => longest_task,
        }
    }

    /// Sets the time that a waiting execution without running tasks stays in this process; by
    /// default a minute. Then it is suspended: it uses no memory here, and its journal is replayed
    /// when its wait ends.
    pub fn idle(mut self, time: Duration) -> Service {
        self.idle = time;
        self
    }

    /// Sets a function that prepares each start: settings of the definition, limits, observers,
    /// and the context object. Restate determines name, time and seed. The function also runs for
    /// every replay, and must do the same each time.
    ///
    /// Observers receive no events during a replay. Events shortly before a crash can arrive
    /// twice.
    pub fn start_with(mut self, set_up: impl Fn(&mut Start) + Send + Sync + 'static) -> Service {
        self.set_up = Some(Arc::new(set_up));
        self
    }

    /// Returns `true` if the service needs [objects](crate::events): its executions wait for
    /// events, or the deployment time has to be stored.
    pub(crate) fn has_objects(&self) -> bool {
        self.waits_for_events() || self.counts_from_deployment()
    }

    /// Returns `true` if executions of the service wait for events.
    pub(crate) fn waits_for_events(&self) -> bool {
        !self.program.definition.events.is_empty()
    }

    /// Returns `true` if the workflow's schedule is relative to the deployment.
    pub(crate) fn counts_from_deployment(&self) -> bool {
        self.program.definition.schedule.is_some_and(|schedule| schedule.needs_deployment())
    }

    pub(crate) fn set_up(&self, start: &mut Start) {
        if let Some(set_up) = &self.set_up {
            set_up(start);
        }
    }
}

/// Endpoint that serves any number of workflows to a Restate server.
///
/// ```no_run
/// # use workflow_runtime::{Workflow, task::Invoke};
/// use workflow_restate::Endpoint;
///
/// # async fn serve<Order: Workflow>(shop: impl Invoke + 'static) -> Result<(), Box<dyn std::error::Error>> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:9080").await?;
/// match Endpoint::new().workflow::<Order>(shop).serve(listener).await? {}
/// # }
/// ```
#[derive(Default)]
pub struct Endpoint {
    pub(crate) services: Vec<Service>,
    #[cfg(feature = "identity")]
    pub(crate) identity: restate_sdk_shared_core::IdentityVerifier,
    registration: Option<(Client, String)>,
}

impl Endpoint {
    /// Returns an endpoint without services.
    pub fn new() -> Endpoint {
        Endpoint::default()
    }

    /// Adds the workflow `W` with these tasks, such as `Order::bind(&SHOP)`.
    pub fn workflow<W: Workflow>(self, tasks: impl Invoke + 'static) -> Endpoint {
        self.service(Service::of::<W>(tasks))
    }

    /// Adds a service, and replaces one of the same name.
    pub fn service(mut self, service: Service) -> Endpoint {
        self.services.retain(|other| other.name != service.name);
        self.services.push(service);
        self
    }

    /// Accepts only requests signed with the private key for this public key, which the server
    /// logs at its start: `publickeyv1_…`. Call it once for each key.
    #[cfg(feature = "identity")]
    pub fn identity_key(mut self, key: &str) -> Result<Endpoint, restate_sdk_shared_core::KeyError> {
        self.identity = self.identity.with_key(key)?;
        Ok(self)
    }

    /// Registers the services once they are served, with the admin interface of `client`, under
    /// the address at which the Restate server reaches this program. Refused if other services are
    /// registered at that address.
    pub fn register(mut self, client: &Client, address: impl Into<String>) -> Endpoint {
        self.registration = Some((client.clone(), address.into()));
        self
    }

    /// Serves connections over HTTP/2 without TLS until the future is dropped. Then all work in
    /// this process is dropped; the Restate server continues it in another process.
    ///
    /// Returns only if the registration is refused, or if the ingress does not have the services a
    /// minute after it.
    pub async fn serve(mut self, listener: TcpListener) -> Result<Infallible, ClientError> {
        let registration = self.registration.take();
        let listed = self.services.iter().map(|service| (service.program.definition, service.name.clone()));
        let directory = Arc::new(Directory(listed.collect()));
        self.services.iter_mut().for_each(|service| service.directory = directory.clone());
        let objects =
            self.services.iter().filter(|service| service.has_objects()).map(|service| events::name(&service.name));
        let names: Vec<String> = self.services.iter().map(|service| service.name.clone()).chain(objects).collect();
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
