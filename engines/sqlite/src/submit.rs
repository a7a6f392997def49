//! Start requests.

use std::time::Duration;

use workflow_runtime::engine::admission::admit;
use workflow_runtime::machine::{FunctionLimits, JsonataLimits, Start};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Object, Str, Timestamp, Value, id};

use crate::codec::{Stored, fingerprint};
use crate::engine::{Engine, Execution};
use crate::executions::{self, Inserted, Key, NewExecution, Refusal, Request};
use crate::{Error, scheduler::Signal};

/// Start request. Everything but the input has a default.
///
/// ```no_run
/// # use workflow_runtime::{Value, Workflow};
/// use std::time::Duration;
/// use workflow_sqlite::{Engine, Error};
///
/// # async fn submit<Order: Workflow>(engine: &Engine, input: Value) -> Result<(), Error> {
/// // The same key starts nothing more, and returns the same execution.
/// let execution = engine.start::<Order>(input).key("order-17").after(Duration::from_secs(60)).submit().await?;
/// println!("{}: {}", execution.id(), if execution.is_new() { "started" } else { "known" });
/// match execution.result().await? {
///     Ok(output) => println!("{output}"),
///     Err(fault) => println!("failed: {fault}"),
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is started before `submit`"]
pub struct Submit<'a> {
    engine: &'a Engine,
    workflow: &'static str,
    id: Option<String>,
    key: Option<Key>,
    due: Option<Timestamp>,
    correlation: Option<String>,
    start: Start,
}

impl<'a> Submit<'a> {
    pub(crate) fn new(engine: &'a Engine, workflow: &'static str, input: Value) -> Submit<'a> {
        Submit { engine, workflow, id: None, key: None, due: None, correlation: None, start: Start::new(input) }
    }

    /// Sets the id of the execution, by default a random UUID. Repeating the same request returns
    /// the same execution. An [invalid id](workflow_runtime::id::check) is an error
    /// ([`Error::InvalidId`]).
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the idempotency key: all requests with one key for a workflow start one execution,
    /// whatever their ids. Another input is an error ([`Error::KeyReused`]).
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Key::Chosen(key.into()));
        self
    }

    /// Sets the start event. Like an idempotency key, it starts one execution.
    pub(crate) fn event(mut self, event: &CloudEvent) -> Self {
        self.key = Some(Key::Event(event.source.to_string(), event.id.to_string()));
        self
    }

    /// Sets the correlation key, for event kinds that correlate by an attribute. By default the
    /// program reads it from the input, or it is the id. Tasks of the execution can read it.
    pub fn correlate(mut self, value: impl Into<String>) -> Self {
        self.correlation = Some(value.into());
        self
    }

    /// Delays the start.
    pub fn after(self, delay: Duration) -> Self {
        let at = self.engine.shared.settings.clock.now().plus(delay);
        self.at(at)
    }

    /// Schedules the start.
    pub fn at(mut self, time: Timestamp) -> Self {
        self.due = Some(time);
        self
    }

    /// Sets the value of a setting that the definition names.
    pub fn setting(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.start.settings.insert(name, value);
        self
    }

    /// Sets the values of all settings that the definition names.
    pub fn settings(mut self, settings: Object) -> Self {
        self.start.settings = settings;
        self
    }

    /// Sets the name of the workflow in the context object.
    pub fn machine_name(mut self, name: impl Into<Str>) -> Self {
        self.start.machine = Some(name.into());
        self
    }

    /// Seeds the execution's random numbers and ids, together with its id.
    pub fn seed(mut self, seed: u64) -> Self {
        self.start.seed = Some(seed);
        self
    }

    /// Limits the result of a task and the output of a state, in bytes of JSON; see
    /// [`Start::data_limit`].
    pub fn data_limit(mut self, bytes: u64) -> Self {
        self.start.data_limit = Some(bytes);
        self
    }

    /// Limits one call of a function of the definition.
    pub fn function_limits(mut self, limits: FunctionLimits) -> Self {
        self.start.function_limits = limits;
        self
    }

    /// Limits one evaluation of an expression in JSONata. By default, the limits of the
    /// definition apply, or else those of AWS.
    pub fn jsonata_limits(mut self, limits: JsonataLimits) -> Self {
        self.start.jsonata_limits = Some(limits);
        self
    }

    /// Starts the execution. On return it is durable, and will run whatever happens to the
    /// process.
    ///
    /// Returns [`Error::Inactive`] outside of the interval in which the definition allows starts.
    pub async fn submit(self) -> Result<Execution, Error> {
        let shared = self.engine.shared.clone();
        let Some(registered) = shared.registry.current(self.workflow) else {
            return Err(Error::UnknownWorkflow(self.workflow.to_owned()));
        };
        let definition = registered.program.definition;
        if let Err(fault) = admit(definition, &self.start.input).await {
            let problem = fault.cause().and_then(Value::as_str).unwrap_or("the input is rejected").to_owned();
            return Err(Error::InputRefused { workflow: self.workflow.to_owned(), problem });
        }
        if let Err(error) = self.start.input.json_len(TEXT_LIMIT) {
            return Err(Error::InputRefused { workflow: self.workflow.to_owned(), problem: error.to_string() });
        }
        let new = self.prepare();
        let key = match &new.key {
            Some(Key::Chosen(key)) => key.clone(),
            _ => String::new(),
        };
        let (id, due) = (new.id.clone(), new.due);
        let scheduler = shared.clone();
        let notify = move |inserted: &Inserted| {
            if let Inserted::New(_) = inserted {
                scheduler.signal(Signal::Queued(due.map(Timestamp::from_micros)));
            }
        };
        match shared.store.write_then(move |c| executions::insert(c, &new), notify).await? {
            Inserted::New(number) => Ok(Execution::new(shared.clone(), number, id, true)),
            Inserted::Known { number, id } => Ok(Execution::new(shared.clone(), number, id, false)),
            Inserted::KeyReused(execution) => Err(Error::KeyReused { key, execution }),
            Inserted::IdTaken => Err(Error::IdTaken(id)),
            Inserted::Refused(Refusal::Inactive(inactive)) => Err(Error::Inactive(inactive)),
            Inserted::Refused(Refusal::Id(invalid)) => Err(Error::InvalidId(invalid)),
        }
    }

    /// Prepares the row to insert.
    pub(crate) fn prepare(self) -> NewExecution {
        let Submit { engine, workflow, id, key, due, correlation, start } = self;
        let shared = &engine.shared;
        let invalid = id.as_deref().and_then(|id| id::check(id).err());
        let id = id.unwrap_or_else(|| shared.random_uuid());
        let mut stored = Stored {
            input: start.input,
            settings: start.settings,
            machine: start.machine,
            account: start.account,
            region: start.region,
            role: start.role,
            seed: 0,
            data_limit: start.data_limit,
            step_limit: start.step_limit,
            function_limits: start.function_limits,
            jsonata_limits: start.jsonata_limits,
        };
        // Settings and limits are not part of the request: they are those of the program, which
        // may be another one when the request is repeated.
        let request = Request::new(&stored.input, correlation.as_deref());
        let definition = shared.registry.current(workflow).map(|registered| registered.program.definition);
        let own = definition
            .and_then(|definition| definition.correlation(&stored.input, correlation.as_deref().map(Str::from), None));
        let correlation = own.map(|value| value.to_string()).or(correlation);
        // The seed determines tokens, which must be unique to the execution.
        stored.seed = match start.seed {
            Some(seed) => seed ^ fingerprint(&[id.as_bytes()]) as u64,
            None => shared.random_u64(),
        };
        let now = shared.settings.clock.now();
        let inactive = || shared.admits(workflow, due.map_or(now, |due| due.max(now))).err();
        let refused = invalid.map(Refusal::Id).or_else(|| inactive().map(Refusal::Inactive));
        let (created, due) = (now.as_micros(), due.map(Timestamp::as_micros));
        NewExecution { id, workflow, key, request, created, due, start: stored.write(), correlation, refused }
    }
}
