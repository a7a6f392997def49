//! Parameters that an execution is started with.

use std::sync::Arc;

use super::batch::Batching;
use super::definition::Definition;
use super::functions::{FunctionLimits, JsonataLimits};
use super::header::{Header, Identity, Options};
use super::info::ExecutionInfo;
use super::observer::Observer;
use super::part::Part;
use super::random::Stream;
use super::snapshot::FORMAT;
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// The default of [`Start::step_limit`].
const STEP_LIMIT: u32 = 1_000_000;

/// The parameters that an execution is started with. Only the input is required.
pub struct Start {
    /// The input.
    pub input: Value,
    /// The part of the workflow that runs as a child execution. `None`, the default, runs the
    /// whole workflow.
    pub part: Option<Part>,
    /// The name of the execution; by default a random UUID.
    pub name: Option<Str>,
    /// The correlation key; by default the name.
    pub correlation: Option<Str>,
    /// The name of the workflow in the context object; by default the definition's name.
    pub machine: Option<Str>,
    /// The account in the ids of the context object.
    pub account: Str,
    /// The region in the ids of the context object.
    pub region: Str,
    /// The role in the context object.
    pub role: Str,
    /// The values of the definition's settings.
    pub settings: Object,
    /// The start time; by default the current time of the system's clock.
    pub time: Option<Timestamp>,
    /// The number of redrives: how often an engine has started the execution again after it had
    /// failed before its first command.
    pub redrives: u32,
    /// The seed of the random numbers; by default they are unpredictable.
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
    /// The number of states that a frame may enter without waiting. A frame that enters more is in
    /// an endless loop and fails.
    pub step_limit: u32,
    /// The limits of one call of a function of the definition.
    pub function_limits: FunctionLimits,
    /// The limits of one evaluation of JSONata; by default those of the definition.
    pub jsonata_limits: Option<JsonataLimits>,
    /// The rule by which iterations are divided; by default none is. Only for an engine that runs
    /// [batches](super::Command::Batch).
    pub batching: Option<Batching>,
    /// The observers of the execution.
    pub observers: Vec<Box<dyn Observer>>,
    /// The parts that are shared with other executions.
    #[doc(hidden)]
    pub shared: SharedParts,
}

/// The parts of a start that are shared with other executions.
#[doc(hidden)]
#[derive(Default)]
pub struct SharedParts {
    /// The stream that the name of the execution completes, unless there is a seed.
    stream: Option<Stream>,
    options: Option<SharedOptions>,
}

/// The parts of the starts of all children of a run of a distributed Map that most executions
/// lack.
#[derive(Clone)]
pub struct SharedOptions(Option<Arc<Options>>);

impl Start {
    /// Returns parameters with this input and the defaults.
    pub fn new(input: impl Into<Value>) -> Start {
        Start {
            input: input.into(),
            part: None,
            name: None,
            correlation: None,
            machine: None,
            account: Identity::ACCOUNT,
            region: Identity::REGION,
            role: Identity::ROLE,
            settings: Object::new(),
            time: None,
            redrives: 0,
            seed: None,
            data_limit: None,
            step_limit: STEP_LIMIT,
            function_limits: FunctionLimits::default(),
            jsonata_limits: None,
            batching: None,
            observers: Vec::new(),
            shared: SharedParts::default(),
        }
    }

    /// Takes what a part of a workflow has from the execution that starts it: the settings, the
    /// limits, the owner in the context object, and the stream of random numbers that its name
    /// completes, if it has one. A seed goes first.
    pub fn inherit(&mut self, parent: ExecutionInfo<'_>) {
        let header = parent.header();
        let Identity { machine, account, region, role } = header.identity();
        // The label of a Map is that of the parent.
        let machine = machine.split_once('/').map_or(machine.clone(), |(name, _)| name.into());
        (self.machine, self.account, self.region, self.role) = (Some(machine), account, region, role);
        self.settings = header.settings();
        self.inherit_stream(parent);
        (self.data_limit, self.step_limit) = (header.data_limit(), header.step_limit);
        (self.function_limits, self.jsonata_limits) = (header.function_limits(), header.jsonata_limits());
    }

    fn inherit_stream(&mut self, parent: ExecutionInfo<'_>) {
        self.shared.stream = self.name.as_ref().map(|_| parent.header().random_copy().of_child());
    }

    /// Takes what a child of a run of a distributed Map has from the run, as [`Start::inherit`]
    /// does, and the correlation key. `shared` keeps what all children of the run have in common.
    pub fn inherit_from_run(&mut self, run: ExecutionInfo<'_>, shared: &mut Option<SharedOptions>) {
        match shared {
            Some(_) => {
                self.step_limit = run.header().step_limit;
                self.inherit_stream(run);
            }
            None => {
                self.inherit(run);
                self.correlation = Some(run.correlation().clone());
                *shared = Some(SharedOptions(self.options(run.definition())));
            }
        }
        self.shared.options.clone_from(shared);
    }

    /// Takes the parts that most executions lack, but for the input.
    fn options(&mut self, definition: &'static Definition) -> Option<Arc<Options>> {
        let mut machine = self.machine.take().unwrap_or(Str::from_static(definition.name));
        if let Some(Part::Entry(entry)) = self.part
            && let Some(map) = definition.maps.iter().find(|map| map.entry == entry)
        {
            // The children of a distributed Map run a state machine of their own name.
            machine = [&machine, "/", map.label].concat().into();
        }
        let (account, region, role) = (self.account.clone(), self.region.clone(), self.role.clone());
        let identity = Identity { machine, account, region, role };
        let options = Options {
            identity: identity.stored(definition),
            correlation: self.correlation.take().map(Arc::new),
            input: Value::Null,
            settings: std::mem::take(&mut self.settings),
            data_limit: self.data_limit.or(definition.data_limit),
            function_limits: self.function_limits,
            jsonata_limits: self.jsonata_limits.or(definition.jsonata_limits),
            batching: self.batching,
            terminating: None,
        };
        options.stored()
    }

    /// Returns the header of the execution, its input, and its observers.
    pub(super) fn into_parts(mut self, definition: &'static Definition) -> (Header, Value, Vec<Box<dyn Observer>>) {
        let stream = self.shared.stream.take();
        let mut stream = match self.seed {
            Some(seed) => Stream::seeded(seed),
            None => stream.unwrap_or_else(Stream::unpredictable),
        };
        let name = self.name.take().unwrap_or_else(|| stream.uuid().into());
        let started = self.time.unwrap_or_else(Timestamp::now);
        let options = match self.shared.options.take() {
            Some(SharedOptions(options)) => options,
            None => self.options(definition),
        };
        let mut header = Header {
            definition,
            name,
            started,
            now: started,
            // An entry has no deadline of its own: its caller has one.
            deadline: definition.deadline(started).filter(|_| self.part.is_none()),
            stream,
            last_op: 0,
            visits: 0,
            redrives: self.redrives,
            step_limit: self.step_limit,
            format: FORMAT,
            options,
        };
        if definition.context && !matches!(self.input, Value::Null) {
            header.options_mut().input = self.input.clone();
        }
        (header, self.input, self.observers)
    }
}
