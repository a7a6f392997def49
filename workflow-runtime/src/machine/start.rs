//! What an execution is started with.

use super::batch::Batching;
use super::core::{Header, Identity};
use super::definition::Definition;
use super::functions::FunctionLimits;
use super::random::Stream;
use super::snapshot::FORMAT;
use crate::observe::Observer;
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// How many states a frame can enter without waiting, unless an execution is started with another number.
const STEP_LIMIT: u32 = 1_000_000;

/// What an execution is started with. Only the input is needed; everything else has a default.
pub struct Start {
    /// The input.
    pub input: Value,
    /// The part of the workflow that is run as an execution of its own, by the number of its entry; by default the whole.
    pub entry: Option<u32>,
    /// The name of the execution; by default a random UUID.
    pub name: Option<Str>,
    /// The value by which events are told to be for the execution; by default its name.
    pub correlation: Option<Str>,
    /// The name of the workflow as the context object shows it; by default the definition's.
    pub machine: Option<Str>,
    /// The account, as the context object's ids show it.
    pub account: Str,
    /// The region, as the context object's ids show it.
    pub region: Str,
    /// The role, as the context object shows it.
    pub role: Str,
    /// The values of the settings that the definition names.
    pub settings: Object,
    /// When the execution starts; by default now, by the system's clock.
    pub time: Option<Timestamp>,
    /// Seeds the random numbers; by default nobody can foresee them.
    pub seed: Option<u64>,
    /// The largest document, in bytes of JSON; by default the definition's limit, and at most
    /// [`TEXT_LIMIT`](crate::value::TEXT_LIMIT).
    ///
    /// | measured | with a limit | without one |
    /// |---|---|---|
    /// | outputs of states | the limit | not measured |
    /// | results, and the output of the execution | the limit | [`DOCUMENT_LIMIT`](crate::value::DOCUMENT_LIMIT) |
    /// | inputs of tasks and child executions, data of events | the larger of both | `DOCUMENT_LIMIT` |
    pub data_limit: Option<u64>,
    /// How many states a frame can enter without waiting before it is taken for an endless loop.
    pub step_limit: u32,
    /// What one call of a function of the definition may use up.
    pub function_limits: FunctionLimits,
    /// Which iterations are divided, and how; by default none is. Only for an engine that runs
    /// [batches](super::Command::Batch).
    pub batching: Option<Batching>,
    /// Who is told what happens.
    pub observers: Vec<Box<dyn Observer>>,
}

impl Start {
    /// Starts with this input and the defaults.
    pub fn new(input: impl Into<Value>) -> Start {
        Start {
            input: input.into(),
            entry: None,
            name: None,
            correlation: None,
            machine: None,
            account: Identity::ACCOUNT,
            region: Identity::REGION,
            role: Identity::ROLE,
            settings: Object::new(),
            time: None,
            seed: None,
            data_limit: None,
            step_limit: STEP_LIMIT,
            function_limits: FunctionLimits::default(),
            batching: None,
            observers: Vec::new(),
        }
    }

    /// The header of the execution, its input, and its observers.
    pub(super) fn into_parts(self, definition: &'static Definition) -> (Header, Value, Vec<Box<dyn Observer>>) {
        let mut random = self.seed.map_or_else(Stream::unpredictable, Stream::seeded);
        let name = self.name.unwrap_or_else(|| random.uuid().into());
        let machine = self.machine.unwrap_or(Str::from_static(definition.name));
        let identity = Identity { machine, account: self.account, region: self.region, role: self.role };
        let started = self.time.unwrap_or_else(Timestamp::now);
        let header = Header {
            definition,
            name,
            identity: identity.kept(definition),
            correlation: self.correlation,
            started,
            now: started,
            // A part of the workflow that runs by itself takes the time that it takes: who waits for it has its own.
            deadline: definition.deadline(started).filter(|_| self.entry.is_none()),
            random,
            last_op: 0,
            visits: 0,
            redrives: 0,
            terminating: None,
            input: if definition.context { self.input.clone() } else { Value::Null },
            settings: self.settings,
            data_limit: self.data_limit.or(definition.data_limit),
            step_limit: self.step_limit,
            function_limits: self.function_limits.kept(),
            batching: self.batching,
            format: FORMAT,
        };
        (header, self.input, self.observers)
    }
}
