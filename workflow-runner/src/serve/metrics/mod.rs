//! Metrics of a server, in the text format of Prometheus.
//!
//! Values of labels are names that authors wrote, routes, methods and statuses: their number is
//! bounded. Ids, inputs and error names of executions are never labels.

mod observer;

use std::borrow::Cow;
use std::sync::Arc;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::prometheus_text::{CONTENT_TYPE, encode};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use workflow_runtime::engine::{Capability, Engine, EngineError};

use self::observer::Counting;
use super::log;
use crate::engines::sqlite::Transaction;
use crate::engines::{MakeObserver, OnTransaction};
use crate::http::answer::Answer;
use hyper::StatusCode;

/// The upper bounds of the buckets of task latencies, in seconds: tasks are functions and people.
const TASK_BUCKETS: [f64; 14] = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0, 3_600.0];
/// The upper bounds of the buckets of transactions, in seconds.
const STORE_BUCKETS: [f64; 12] = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];
/// The upper bounds of the buckets of answered requests, in seconds. Requests can wait.
const HTTP_BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5, 10.0, 60.0];

/// A name and a value of each label of a series.
type Labels<const N: usize> = [(&'static str, Cow<'static, str>); N];
type Counters<const N: usize> = Family<Labels<N>, Counter>;
type Histograms<const N: usize> = Family<Labels<N>, Histogram, fn() -> Histogram>;

/// The metrics of a server.
#[derive(Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    executions: Family<Labels<2>, Gauge>,
    inboxes: Gauge,
    waiting_events: Gauge,
    requests: Counters<3>,
    request_times: Histograms<1>,
    executions_seen: Executions,
    transactions: Histogram,
    writes: Counter,
    failures: Counter,
}

/// The metrics that an observer of executions collects.
#[derive(Clone)]
struct Executions {
    started: Counters<1>,
    resumed: Counters<1>,
    redriven: Counters<1>,
    ended: Counters<2>,
    tasks: Counters<3>,
    task_times: Histograms<2>,
    retries: Counters<2>,
}

impl Metrics {
    /// Creates the metrics, all of which are empty.
    pub fn new() -> Metrics {
        Metrics::make(true)
    }

    /// Creates the metrics of a server whose engine counts no executions and has no transactions.
    #[cfg(feature = "restate")]
    pub fn without_store() -> Metrics {
        Metrics::make(false)
    }

    fn make(has_store: bool) -> Metrics {
        let mut registry = Registry::with_prefix("workflow");
        let executions = Family::default();
        // Families of an engine that does not count would show zeros.
        let mut unseen = Registry::default();
        let of_store = if has_store { &mut registry } else { &mut unseen };
        of_store.register("executions", "Executions that the database has, by workflow and status", executions.clone());
        let (inboxes, waiting_events) = (Gauge::default(), Gauge::default());
        of_store.register("inboxes", "Executions with events that they have not processed yet", inboxes.clone());
        of_store.register("inbox_events", "Events that executions have not processed yet", waiting_events.clone());
        let transactions = Histogram::new(STORE_BUCKETS);
        of_store.register_with_unit(
            "store_transaction_duration",
            "Times of transactions of the database until they are durable",
            Unit::Seconds,
            transactions.clone(),
        );
        let (writes, failures) = (Counter::default(), Counter::default());
        of_store.register("store_writes", "Writes; one transaction can have several", writes.clone());
        of_store.register("store_failed_transactions", "Transactions that were not committed", failures.clone());
        let executions_seen = Executions::register(&mut registry);
        let requests = Family::default();
        registry.register("http_requests", "Answered requests, by method, route and status", requests.clone());
        let request_times = histograms(
            &mut registry,
            "http_request_duration",
            "Times from the head of a request to its answer, by route",
            || Histogram::new(HTTP_BUCKETS),
        );
        Metrics {
            registry: Arc::new(registry),
            executions,
            inboxes,
            waiting_events,
            requests,
            request_times,
            executions_seen,
            transactions,
            writes,
            failures,
        }
    }

    /// Returns a maker of observers that count what executions do.
    pub fn observer(&self) -> MakeObserver {
        let seen = self.executions_seen.clone();
        Box::new(move || Some(Box::new(Counting::new(seen.clone()))))
    }

    /// Returns a receiver of the transactions of the engine.
    pub fn on_transaction(&self) -> Option<OnTransaction> {
        let (transactions, writes, failures) = (self.transactions.clone(), self.writes.clone(), self.failures.clone());
        Some(Box::new(move |one: Transaction| {
            transactions.observe(one.duration.as_secs_f64());
            writes.inc_by(one.writes as u64);
            failures.inc_by(u64::from(!one.committed));
        }))
    }

    /// Records an answer to a request. The route is a template of a path.
    pub fn answered(&self, method: &'static str, route: &'static str, status: u16, seconds: f64) {
        let labels = [("method", method.into()), ("route", route.into()), ("status", status.to_string().into())];
        self.requests.get_or_create(&labels).inc();
        self.request_times.get_or_create(&[("route", route.into())]).observe(seconds);
    }

    /// Returns the answer with all metrics.
    pub async fn answer(&self, engine: &dyn Engine) -> Result<Answer, Answer> {
        if engine.capabilities().have(Capability::Counts)
            && let Err(error) = self.count(engine).await
        {
            // The other metrics matter even more if the database has failed.
            log::problem(&error);
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)
            .map_err(|_| Answer::problem(StatusCode::INTERNAL_SERVER_ERROR, "cannot write the metrics", ""))?;
        Ok(Answer::text(StatusCode::OK, text).of_type(CONTENT_TYPE))
    }

    /// Reads the numbers that the engine keeps.
    async fn count(&self, engine: &dyn Engine) -> Result<(), EngineError> {
        let counts = engine.counts().await?;
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        for (workflow, status, executions) in counts.executions {
            let labels = [("workflow", workflow.into()), ("status", status.name().into())];
            self.executions.get_or_create(&labels).set(number(executions));
        }
        self.inboxes.set(number(counts.inboxes));
        self.waiting_events.set(number(counts.events));
        Ok(())
    }
}

impl Executions {
    fn register(registry: &mut Registry) -> Executions {
        let mut counters = |name: &str, help: &str| {
            let family = Counters::<1>::default();
            registry.register(name, help, family.clone());
            family
        };
        let started = counters("executions_started", "Executions that have started, by workflow");
        let resumed = counters("executions_resumed", "Executions that another process had begun, by workflow");
        let redriven = counters("executions_redriven", "Redrives of executions, by workflow");
        let ended = Counters::<2>::default();
        registry.register("executions_ended", "Ends of executions, by workflow and outcome", ended.clone());
        let tasks = Counters::<3>::default();
        registry.register("tasks", "Ends of tasks, by workflow, state and outcome", tasks.clone());
        let retries = Counters::<2>::default();
        registry.register("state_retries", "Retries, by workflow and state", retries.clone());
        let help = "Times from the start of a task to its end, by workflow and state";
        let task_times = histograms(registry, "task_duration", help, || Histogram::new(TASK_BUCKETS));
        Executions { started, resumed, redriven, ended, tasks, task_times, retries }
    }
}

/// Registers a family of histograms of seconds.
fn histograms<const N: usize>(registry: &mut Registry, name: &str, help: &str, make: fn() -> Histogram) -> Histograms<N>
where
    Labels<N>: EncodeLabelSet,
{
    let family = Family::new_with_constructor(make);
    registry.register_with_unit(name, help, Unit::Seconds, family.clone());
    family
}
