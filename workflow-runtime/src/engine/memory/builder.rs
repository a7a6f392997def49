//! Configuration of an execution in memory.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use super::hub::{Hub, Subscription, subscribe};
use super::input::IntoInput;
use super::reloading::Reloading;
use crate::clock::Clock;
use crate::engine::admission::{admit, admit_here};
use crate::engine::driver::{Callbacks, Driver, DriverExit, Environment, Journal, Stopped, Volatile};
use crate::engine::turns::Workers;
use crate::event::EventSink;
use crate::fault::Fault;
use crate::id;
#[cfg(feature = "testing")]
use crate::machine::Waiting;
use crate::machine::{FunctionLimits, JsonataLimits, Outcome, Program, Start, Workflow};
use crate::objects::{ObjectAccess, Objects};
use crate::observe::Observer;
#[cfg(feature = "testing")]
use crate::polling::{alongside, block_on};
use crate::task::{Invoke, Read, Write, mismatch};
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// Configuration of an execution of the workflow `W` in memory. All settings have defaults.
///
/// `Payment::builder(&shop)` has the tasks of the program, and the types of the workflow's input
/// and output:
///
#[cfg_attr(all(feature = "asl", feature = "macros"), doc = "```")]
#[cfg_attr(not(all(feature = "asl", feature = "macros")), doc = "```ignore")]
#[doc = include_str!("../../../examples/callback.rs")]
/// ```
///
/// Programs that dispatch tasks at run time begin with [`Builder::new`] and [`Builder::tasks`].
/// Their inputs and outputs are values.
pub struct Builder<W, T = (), I = Value, O = Value> {
    setup: Box<Setup<W>>,
    tasks: T,
    write: Write<I>,
    read: Read<O>,
}

/// The settings of an execution.
struct Setup<W> {
    start: Start,
    environment: Environment,
    reload_at_every_completion: bool,
    deployed_at: Option<Timestamp>,
    workflow: PhantomData<fn() -> W>,
}

impl<W: Workflow> Default for Builder<W> {
    fn default() -> Builder<W> {
        Builder::new()
    }
}

impl<W: Workflow> Builder<W> {
    /// Returns the defaults: the system's clock, a random name, no observers. The tasks are
    /// missing.
    pub fn new() -> Builder<W> {
        let setup = Setup {
            start: Start::new(Value::Null),
            environment: Environment::default(),
            reload_at_every_completion: false,
            deployed_at: None,
            workflow: PhantomData,
        };
        Builder { setup: Box::new(setup), tasks: (), write: Ok, read: Ok }
    }

    /// Sets the tasks.
    pub fn tasks<T: Invoke>(self, tasks: T) -> Builder<W, T> {
        Builder { setup: self.setup, tasks, write: Ok, read: Ok }
    }
}

impl<W: Workflow, T: Invoke> Builder<W, T> {
    /// Sets the types of the input and output. Generated code passes the conversions.
    #[doc(hidden)]
    pub fn types<I, O>(self, write: Write<I>, read: Read<O>) -> Builder<W, T, I, O> {
        Builder { setup: self.setup, tasks: self.tasks, write, read }
    }
}

impl<W: Workflow, T, I, O> Builder<W, T, I, O> {
    /// Names the execution. Tasks see the name as the id of the execution. Names should be unique
    /// per workflow. An execution whose name is not a valid id ([`id::check`]) fails immediately.
    pub fn name(mut self, name: impl Into<Str>) -> Self {
        self.setup.start.name = Some(name.into());
        self
    }

    /// Sets the correlation key of the execution. By default, the program reads it from the input,
    /// or else it is the name. Tasks see it.
    pub fn correlate(mut self, value: impl Into<Str>) -> Self {
        self.setup.start.correlation = Some(value.into());
        self
    }

    /// Sets the name of the workflow in the context object.
    pub fn machine_name(mut self, name: impl Into<Str>) -> Self {
        self.setup.start.machine = Some(name.into());
        self
    }

    /// Sets the account in the ids of the context object.
    pub fn account(mut self, account: impl Into<Str>) -> Self {
        self.setup.start.account = account.into();
        self
    }

    /// Sets the region in the ids of the context object.
    pub fn region(mut self, region: impl Into<Str>) -> Self {
        self.setup.start.region = region.into();
        self
    }

    /// Sets the role in the context object.
    pub fn role(mut self, role: impl Into<Str>) -> Self {
        self.setup.start.role = role.into();
        self
    }

    /// Sets the values of the settings that the definition names.
    pub fn settings(mut self, settings: Object) -> Self {
        self.setup.start.settings = settings;
        self
    }

    /// Sets the value of one setting.
    pub fn setting(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.setup.start.settings.insert(name, value);
        self
    }

    /// Seeds the random numbers and ids of the execution. Executions with the same seed draw the
    /// same numbers.
    pub fn seed(mut self, seed: u64) -> Self {
        self.setup.start.seed = Some(seed);
        self
    }

    /// Limits the size of a task's result and of a state's output, in bytes of JSON. Beyond the
    /// limit, the task or the execution fails with `States.DataLimitExceeded`. The default is the
    /// limit of the definition, or else 64 MiB for data that leave the execution or come from
    /// outside.
    pub fn data_limit(mut self, bytes: u64) -> Self {
        self.setup.start.data_limit = Some(bytes);
        self
    }

    /// Limits the number of states that the execution enters without waiting. Beyond the limit, it
    /// fails with [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED). The default
    /// is one million.
    pub fn step_limit(mut self, states: u32) -> Self {
        self.setup.start.step_limit = states;
        self
    }

    /// Limits the time that the execution computes without waiting. Beyond the limit, it fails
    /// with [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED). The default is 30
    /// seconds.
    pub fn turn_time(mut self, limit: Duration) -> Self {
        self.setup.environment.turns = self.setup.environment.turns.with_limit(limit);
        self
    }

    /// Moves long turns to these workers. By default, turns run on the thread that polls the
    /// execution, and long ones move to the [workers of the process](Workers::shared) if that is a
    /// task of a tokio runtime with several threads, so that a long computation does not block
    /// other tasks.
    pub fn workers(mut self, workers: Workers) -> Self {
        self.setup.environment.turns = self.setup.environment.turns.with_workers(workers);
        self
    }

    /// Limits the steps, time and memory of one call of a function in the definition.
    pub fn function_limits(mut self, limits: FunctionLimits) -> Self {
        self.setup.start.function_limits = limits;
        self
    }

    /// Limits one evaluation of an expression in JSONata. By default, the limits of the
    /// definition apply, or else those of AWS.
    pub fn jsonata_limits(mut self, limits: JsonataLimits) -> Self {
        self.setup.start.jsonata_limits = Some(limits);
        self
    }

    /// Adds an observer.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.setup.start.observers.push(Box::new(observer));
        self
    }

    /// Sets the clock.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Self {
        self.setup.environment.clock = Arc::new(clock);
        self
    }

    /// Sets the source of outcomes by token.
    pub fn callbacks(mut self, callbacks: &Callbacks) -> Self {
        self.setup.environment.callbacks = Some(callbacks.clone());
        self
    }

    /// Returns the source of outcomes by token, if one is set.
    #[doc(hidden)]
    pub fn source_of_outcomes(&self) -> Option<&Callbacks> {
        self.setup.environment.callbacks.as_ref()
    }

    /// Shares workflows and events with other executions in memory.
    pub fn hub(mut self, hub: &Hub) -> Self {
        self.setup.environment.hub = Some(hub.clone());
        self
    }

    /// Sets the deployment time of the program. If the schedule of a workflow is a duration, it
    /// counts from the deployment. The default is the time at which the first execution with the
    /// same hub was started.
    pub fn deployed_at(mut self, time: Timestamp) -> Self {
        self.setup.deployed_at = Some(time);
        self
    }

    /// Adds a receiver of all events that the execution and its children publish.
    pub fn sink(mut self, sink: impl EventSink + 'static) -> Self {
        self.setup.environment.sink = Some(Arc::new(sink));
        self
    }

    /// Sets the object stores, from which distributed Maps read items, and to which they write
    /// results. The crate `workflow-objects` has stores.
    pub fn objects(mut self, objects: impl Objects + 'static) -> Self {
        self.setup.environment.objects = Some(ObjectAccess::new(objects));
        self
    }

    /// Replaces the object stores by what a function makes of them.
    #[cfg(feature = "testing")]
    pub(crate) fn wrap_objects(mut self, wrap: impl FnOnce(Option<ObjectAccess>) -> ObjectAccess) -> Self {
        let objects = &mut self.setup.environment.objects;
        *objects = Some(wrap(objects.take()));
        self
    }

    /// Saves and reloads the execution after every completion. For tests: the results must not
    /// change.
    #[doc(hidden)]
    pub fn reload_at_every_completion(mut self, reload: bool) -> Self {
        self.setup.reload_at_every_completion = reload;
        self
    }
}

impl<W: Workflow, T: Invoke, I, O> Builder<W, T, I, O> {
    /// Runs the execution to its end, then waits for its detached children. Dropping the future
    /// drops all of them with their tasks. Outside of the schedule of the definition, the
    /// execution fails immediately with [`INACTIVE`](crate::fault::names::INACTIVE).
    ///
    /// The input is converted, and the correlation key read, before the first poll.
    pub fn run(self, input: impl IntoInput<I>) -> impl Future<Output = Result<O, Fault>> + Send {
        let Builder { mut setup, tasks, write, read } = self;
        let refused = match write(input.into_input()) {
            Ok(input) => {
                setup.give(input);
                None
            }
            Err(error) => Some(Box::new(mismatch::<I>(format_args!("the input of {}", described::<W>()), &error))),
        };
        // One block, and large futures boxed: a waiting execution holds this future. An async
        // function would store its parameters twice: as passed, and as moved.
        async move {
            if let Some(fault) = refused {
                return Err(*fault);
            }
            if setup.check()? == InputCheck::Pending {
                Box::pin(admit(W::DEFINITION, &setup.start.input)).await?;
            }
            setup.check_schedule()?;
            let outcome = if setup.reload_at_every_completion {
                Box::pin(drive(start(setup, &tasks, Reloading::default()))).await
            } else {
                let (mut driver, _subscription) = start(setup, &tasks, Volatile);
                let outcome = end(driver.run().await);
                if driver.has_detached_children() {
                    Box::pin(driver.finish_children()).await;
                }
                outcome
            };
            read(outcome?).map_err(|error| mismatch::<O>(format_args!("the output of {}", described::<W>()), &error))
        }
    }
}

impl<W: Workflow> Builder<W> {
    /// Returns the hub that the execution shares with others.
    #[cfg(feature = "testing")]
    pub(crate) fn shared(&mut self) -> Hub {
        self.setup.environment.hub.get_or_insert_default().clone()
    }

    /// Runs the execution and another future for as long as the execution can proceed without
    /// input from outside. Returns the outcome, or the pending waits if it did not end.
    #[cfg(feature = "testing")]
    pub(crate) fn run_alone(
        self,
        tasks: &dyn Invoke,
        input: Value,
        beside: impl Future<Output = ()>,
    ) -> Result<Outcome, Vec<Waiting>> {
        self.setup.run_alone(tasks, input, beside)
    }
}

/// The most bytes of an input that is checked on the thread that polls.
const SMALL_INPUT: u64 = 64 << 10;

/// The state of the check of an input.
#[derive(PartialEq)]
enum InputCheck {
    /// The input passed, or needs no check.
    Passed,
    /// The input is large. Its check takes another thread.
    Pending,
}

impl<W: Workflow> Setup<W> {
    /// Sets the input, and the correlation key if it is read from the input.
    fn give(&mut self, input: Value) {
        if self.start.part.is_none() {
            self.start.correlation = W::DEFINITION.correlation(&input, self.start.correlation.take(), None);
        }
        self.start.input = input;
    }

    /// Checks the name and, if it is small, the input. A small input is checked in little time,
    /// and the first poll starts the execution.
    fn check(&self) -> Result<InputCheck, Fault> {
        self.check_name()?;
        if self.start.part.is_none() {
            if self.start.input.json_len(SMALL_INPUT).is_err() {
                return Ok(InputCheck::Pending);
            }
            admit_here(W::DEFINITION, &self.start.input)?;
        }
        Ok(InputCheck::Passed)
    }

    fn check_name(&self) -> Result<(), Fault> {
        let Some(name) = &self.start.name else { return Ok(()) };
        id::check(name).map_err(|invalid| Fault::runtime(invalid.to_string()))
    }

    /// Checks that the execution can be started now.
    fn check_schedule(&self) -> Result<(), Fault> {
        let now = self.start.time.unwrap_or_else(|| self.environment.clock.now());
        let first = || self.environment.hub.as_ref().map_or(now, |hub| hub.deployed(now));
        Ok(W::DEFINITION.check_schedule(now, || self.deployed_at.unwrap_or_else(first))?)
    }

    #[cfg(feature = "testing")]
    fn run_alone(
        mut self: Box<Self>,
        tasks: &dyn Invoke,
        input: Value,
        beside: impl Future<Output = ()>,
    ) -> Result<Outcome, Vec<Waiting>> {
        fn finish<'a, J: Journal>(
            (mut driver, _subscription): (Driver<'a, J>, Option<Subscription>),
            beside: impl Future<Output = ()>,
        ) -> Result<Outcome, Vec<Waiting>> {
            let mut rest = None;
            let run = async {
                rest = Some(driver.run().await);
                driver.finish_children().await;
            };
            // Detached children may wait forever.
            let _over = block_on(alongside(run, beside));
            rest.map(end).ok_or_else(|| driver.execution().describe())
        }
        self.give(input);
        let admitted = self.check_name().and_then(|()| match self.start.part {
            None => admit_here(W::DEFINITION, &self.start.input),
            Some(_) => Ok(()),
        });
        if let Err(fault) = admitted.and_then(|()| self.check_schedule()) {
            return Ok(Err(fault));
        }
        match self.reload_at_every_completion {
            false => finish(start(self, tasks, Volatile), beside),
            true => finish(start(self, tasks, Reloading::default()), beside),
        }
    }
}

/// Drives an execution and its detached children to their ends.
async fn drive<'a, J: Journal>((mut driver, _subscription): (Driver<'a, J>, Option<Subscription>)) -> Outcome {
    let outcome = end(driver.run().await);
    driver.finish_children().await;
    outcome
}

fn start<'a, W: Workflow, J: Journal>(
    mut setup: Box<Setup<W>>,
    tasks: &'a dyn Invoke,
    journal: J,
) -> (Driver<'a, J>, Option<Subscription>) {
    let program = Program::of::<W>();
    setup.start.time.get_or_insert_with(|| setup.environment.clock.now());
    let Setup { start, mut environment, .. } = *setup;
    environment.turns = environment.turns.off_runtime();
    let hub = match program.definition.events.is_empty() {
        true => None,
        false => Some(environment.hub.get_or_insert_default().clone()),
    };
    let mut driver = Driver::new(program, program.begin(start), environment, tasks, journal);
    let subscription = hub.and_then(|hub| subscribe(&mut driver, &hub));
    (driver, subscription)
}

/// Names the workflow in messages.
fn described<W: Workflow>() -> String {
    format!("the workflow `{}`", W::DEFINITION.name)
}

/// Returns the outcome of an execution that is never suspended.
fn end(exit: Result<DriverExit, Stopped>) -> Outcome {
    match exit {
        Ok(DriverExit::Ended(outcome)) => outcome,
        Ok(DriverExit::Suspended(_)) | Err(Stopped) => Err(Fault::runtime("the execution was dropped")),
    }
}
