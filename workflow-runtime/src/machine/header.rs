//! The data of an execution that belongs to no frame.

use std::sync::Arc;

use super::batch::Batching;
use super::definition::Definition;
use super::functions::{FunctionLimits, JsonataLimits};
use super::random::Stream;
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// The data of an execution that belongs to no frame. All of it is saved.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub definition: &'static Definition,
    /// The name of the execution.
    pub name: Str,
    pub started: Timestamp,
    /// The time of the last completion.
    pub now: Timestamp,
    /// The deadline of the execution.
    pub deadline: Option<Timestamp>,
    /// The stream of random numbers, which [`Header::random`] completes.
    pub stream: Stream,
    pub last_op: u64,
    /// The number of state visits.
    pub visits: u64,
    /// The number of times that the execution was redriven.
    pub redrives: u32,
    pub step_limit: u32,
    /// The version of the snapshot format that the execution was read in.
    pub format: u64,
    /// The parts that most executions lack.
    pub options: Option<Arc<Options>>,
}

/// The parts of a header that most executions lack.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Options {
    /// Owner identity (workflow name, account, region, role), if it is not the default.
    pub identity: Option<Identity>,
    /// The correlation key, if it is not the name. The contexts of tasks share it.
    pub correlation: Option<Arc<Str>>,
    /// The input, if the definition reads the context object.
    pub input: Value,
    pub settings: Object,
    pub data_limit: Option<u64>,
    pub function_limits: FunctionLimits,
    /// The limits of JSONata, if they are not the defaults.
    pub jsonata_limits: Option<JsonataLimits>,
    /// The rule by which iterations are divided among executions.
    pub batching: Option<Batching>,
    /// The output of a terminating execution.
    pub terminating: Option<Value>,
}

impl Options {
    /// Returns the stored form: `None` for the defaults.
    #[inline]
    pub fn stored(self) -> Option<Arc<Options>> {
        let Options { identity, correlation, input, settings, data_limit, .. } = &self;
        let Options { function_limits, jsonata_limits, batching, terminating, .. } = &self;
        let is_default = identity.is_none()
            && correlation.is_none()
            && matches!(input, Value::Null)
            && settings.is_empty()
            && data_limit.is_none()
            && *function_limits == FunctionLimits::default()
            && jsonata_limits.is_none()
            && batching.is_none()
            && terminating.is_none();
        (!is_default).then(|| Arc::new(self))
    }
}

/// Owner identity of an execution, as the context object shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Identity {
    pub machine: Str,
    pub account: Str,
    pub region: Str,
    pub role: Str,
}

impl Identity {
    pub const ACCOUNT: Str = Str::from_static("000000000000");
    pub const REGION: Str = Str::from_static("local");
    pub const ROLE: Str = Str::from_static("arn:aws:iam::000000000000:role/workflow");

    /// Returns the default identity.
    pub fn of(definition: &'static Definition) -> Identity {
        Identity {
            machine: Str::from_static(definition.name),
            account: Identity::ACCOUNT,
            region: Identity::REGION,
            role: Identity::ROLE,
        }
    }

    /// Returns the stored form: `None` for the default, which most executions have.
    #[inline]
    pub fn stored(self, definition: &'static Definition) -> Option<Identity> {
        let is_default = self.machine == definition.name
            && self.account == Identity::ACCOUNT
            && self.region == Identity::REGION
            && self.role == Identity::ROLE;
        (!is_default).then_some(self)
    }
}

impl Header {
    /// Returns the owner identity.
    pub fn identity(&self) -> Identity {
        let identity = self.options.as_ref().and_then(|options| options.identity.clone());
        identity.unwrap_or_else(|| Identity::of(self.definition))
    }

    /// Returns the stream of random numbers.
    #[inline]
    pub fn random(&mut self) -> &mut Stream {
        self.stream.complete(&self.name);
        &mut self.stream
    }

    /// Returns a copy of the stream of random numbers.
    pub fn random_copy(&self) -> Stream {
        let mut stream = self.stream.clone();
        stream.complete(&self.name);
        stream
    }

    /// Returns the correlation key, if it is not the name.
    pub fn correlation(&self) -> Option<&Arc<Str>> {
        self.options.as_ref()?.correlation.as_ref()
    }

    /// Returns the input, or null if the definition does not read the context object.
    pub fn input(&self) -> Value {
        self.options.as_ref().map_or(Value::Null, |options| options.input.clone())
    }

    /// Returns the values of the definition's settings.
    pub fn settings(&self) -> Object {
        self.options.as_ref().map_or_else(Object::new, |options| options.settings.clone())
    }

    /// Returns the value of a setting, if it has one.
    pub fn setting(&self, name: &str) -> Option<&Value> {
        self.options.as_ref()?.settings.get(name)
    }

    /// Returns the limit of documents, in bytes, if one is set.
    #[inline]
    pub fn data_limit(&self) -> Option<u64> {
        self.options.as_ref()?.data_limit
    }

    /// Returns the limits of one call of a function of the definition.
    pub fn function_limits(&self) -> FunctionLimits {
        self.options.as_ref().map_or_else(FunctionLimits::default, |options| options.function_limits)
    }

    /// Returns the limits of one evaluation of JSONata, if they are not the defaults.
    pub fn jsonata_limits(&self) -> Option<JsonataLimits> {
        self.options.as_ref()?.jsonata_limits
    }

    /// Returns the rule by which iterations are divided among executions.
    pub fn batching(&self) -> Option<Batching> {
        self.options.as_ref()?.batching
    }

    /// Returns the output of a terminating execution.
    #[inline]
    pub fn terminating(&self) -> Option<&Value> {
        self.options.as_ref()?.terminating.as_ref()
    }

    /// Returns `true` if the execution is terminating.
    #[inline]
    pub fn is_terminating(&self) -> bool {
        self.terminating().is_some()
    }

    /// Makes the execution a terminating one, with this output.
    pub fn terminate(&mut self, output: Value) {
        self.options_mut().terminating = Some(output);
    }

    /// Returns the parts that most executions lack, for modification.
    pub fn options_mut(&mut self) -> &mut Options {
        Arc::make_mut(self.options.get_or_insert_default())
    }
}
