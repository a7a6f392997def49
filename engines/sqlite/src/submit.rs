//! Starting executions.

use std::time::Duration;

use workflow_runtime::machine::{FunctionLimits, Start};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{CloudEvent, Object, Str, Timestamp, Value, id};

use crate::codec::{Stored, fingerprint};
use crate::engine::{Engine, Execution};
use crate::executions::{self, Key, New, Put, Refused, Request};
use crate::{Error, scheduler::Signal};

/// An execution that is to be started. Everything but the input has a default.
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

    /// The id of the execution; by default a random UUID. Who submits the same once more gets the
    /// same execution. One that [cannot be given](workflow_runtime::id::check) is refused
    /// ([`Error::InvalidId`]).
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The idempotency key: of what is submitted with the same key to the same workflow, one execution becomes, whatever its
    /// id. Another input is an error ([`Error::KeyReused`]).
    pub fn key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Key::Chosen(key.into()));
        self
    }

    /// The event that starts the execution: as of a key, one execution becomes of it.
    pub(crate) fn event(mut self, event: &CloudEvent) -> Self {
        self.key = Some(Key::Event(event.source.to_string(), event.id.to_string()));
        self
    }

    /// The value by which events are told to be for the execution, of kinds that correlate by an attribute; by default what
    /// the program has read from the input, or else its id. Its tasks are told.
    pub fn correlate(mut self, value: impl Into<String>) -> Self {
        self.correlation = Some(value.into());
        self
    }

    /// Starts it after this time.
    pub fn after(self, delay: Duration) -> Self {
        let at = self.engine.shared.settings.clock.now().plus(delay);
        self.at(at)
    }

    /// Starts it at this time.
    pub fn at(mut self, time: Timestamp) -> Self {
        self.due = Some(time);
        self
    }

    /// The value of a setting that the definition names.
    pub fn setting(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.start.settings.insert(name, value);
        self
    }

    /// The values of the settings that the definition names.
    pub fn settings(mut self, settings: Object) -> Self {
        self.start.settings = settings;
        self
    }

    /// The name of the workflow as the context object shows it.
    pub fn machine_name(mut self, name: impl Into<Str>) -> Self {
        self.start.machine = Some(name.into());
        self
    }

    /// Seeds the execution's random numbers and ids, together with its id.
    pub fn seed(mut self, seed: u64) -> Self {
        self.start.seed = Some(seed);
        self
    }

    /// The largest result of a task or output of a state, in bytes of JSON; see [`Start::data_limit`].
    pub fn data_limit(mut self, bytes: u64) -> Self {
        self.start.data_limit = Some(bytes);
        self
    }

    /// What one call of a function of the definition may use up.
    pub fn function_limits(mut self, limits: FunctionLimits) -> Self {
        self.start.function_limits = limits;
        self
    }

    /// Starts it: when this returns, it is in the database, and will run whatever happens to the process. [`Error::Inactive`]
    /// outside of the interval in which the definition says that executions start.
    pub async fn submit(self) -> Result<Execution, Error> {
        let shared = self.engine.shared.clone();
        let Some(registered) = shared.registry.current(self.workflow) else {
            return Err(Error::UnknownWorkflow(self.workflow.to_owned()));
        };
        if let Err(fault) = registered.program.definition.admit(&self.start.input) {
            let problem = fault.cause().and_then(Value::as_str).unwrap_or("its input is refused").to_owned();
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
        let told = shared.clone();
        let tell = move |put: &Put| {
            if let Put::New(_) = put {
                told.signal(Signal::Queued(due.map(Timestamp::from_micros)));
            }
        };
        match shared.store.write_then(move |c| executions::put(c, &new), tell).await? {
            Put::New(number) => Ok(Execution::new(shared.clone(), number, id, true)),
            Put::Known { number, id } => Ok(Execution::new(shared.clone(), number, id, false)),
            Put::KeyReused(execution) => Err(Error::KeyReused { key, execution }),
            Put::IdTaken => Err(Error::IdTaken(id)),
            Put::Refused(Refused::Inactive(inactive)) => Err(Error::Inactive(inactive)),
            Put::Refused(Refused::Id(invalid)) => Err(Error::InvalidId(invalid)),
        }
    }

    /// What is to be put in.
    pub(crate) fn prepare(self) -> New {
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
        };
        // What makes two requests the same. Settings and limits are those of the program, which may be another by then.
        let request = Request::new(&stored.input, correlation.as_deref());
        let definition = shared.registry.current(workflow).map(|registered| registered.program.definition);
        let own = definition
            .and_then(|definition| definition.correlation(&stored.input, correlation.as_deref().map(Str::from), None));
        let correlation = own.map(|value| value.to_string()).or(correlation);
        // Tokens are drawn from the seed, and no two executions may have one.
        stored.seed = match start.seed {
            Some(seed) => seed ^ fingerprint(&[id.as_bytes()]) as u64,
            None => shared.random_u64(),
        };
        let now = shared.settings.clock.now();
        let inactive = || shared.admits(workflow, due.map_or(now, |due| due.max(now))).err();
        let refused = invalid.map(Refused::Id).or_else(|| inactive().map(Refused::Inactive));
        let (created, due) = (now.as_micros(), due.map(Timestamp::as_micros));
        New { id, workflow, key, request, created, due, start: stored.write(), correlation, refused }
    }
}
