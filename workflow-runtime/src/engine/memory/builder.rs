//! Setting up an execution in memory.

use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use super::hub::{Hub, Listening, hear};
use super::reloading::Reloading;
use crate::clock::Clock;
use crate::engine::driver::{Callbacks, Driver, Environment, Journal, Rest, Stopped, Volatile};
use crate::engine::turns::Workers;
use crate::event::EventSink;
use crate::fault::Fault;
use crate::id;
#[cfg(feature = "testing")]
use crate::machine::Waiting;
use crate::machine::{FunctionLimits, Outcome, Program, Start, Workflow};
use crate::observe::Observer;
use crate::task::Invoke;
use crate::time::Timestamp;
use crate::value::{Object, Str, Value};

/// Sets up an execution of the workflow `W` in memory. Everything has a default.
pub struct Builder<W> {
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
    /// The defaults: the system's clock, a random name, nobody who observes.
    pub fn new() -> Builder<W> {
        Builder {
            start: Start::new(Value::Null),
            environment: Environment::default(),
            reload_at_every_completion: false,
            deployed_at: None,
            workflow: PhantomData,
        }
    }

    /// Names the execution. Its tasks are told, as its id; no two of a workflow should have the
    /// same. With a name that is no id ([`id::check`]) nothing runs: the execution fails at once.
    pub fn name(mut self, name: impl Into<Str>) -> Builder<W> {
        self.start.name = Some(name.into());
        self
    }

    /// The value by which events are told to be for the execution, of kinds that correlate by an attribute; by default what the
    /// program has read from the input, or else its name. Its tasks are told.
    pub fn correlate(mut self, value: impl Into<Str>) -> Builder<W> {
        self.start.correlation = Some(value.into());
        self
    }

    /// The name of the workflow as the context object shows it.
    pub fn machine_name(mut self, name: impl Into<Str>) -> Builder<W> {
        self.start.machine = Some(name.into());
        self
    }

    /// The account, as the context object's ids show it.
    pub fn account(mut self, account: impl Into<Str>) -> Builder<W> {
        self.start.account = account.into();
        self
    }

    /// The region, as the context object's ids show it.
    pub fn region(mut self, region: impl Into<Str>) -> Builder<W> {
        self.start.region = region.into();
        self
    }

    /// The role, as the context object shows it.
    pub fn role(mut self, role: impl Into<Str>) -> Builder<W> {
        self.start.role = role.into();
        self
    }

    /// The values of the settings that the definition names.
    pub fn settings(mut self, settings: Object) -> Builder<W> {
        self.start.settings = settings;
        self
    }

    /// The value of one setting.
    pub fn setting(mut self, name: &str, value: impl Into<Value>) -> Builder<W> {
        self.start.settings.insert(name, value);
        self
    }

    /// Seeds the execution's random numbers and ids: two executions of one seed draw the same.
    pub fn seed(mut self, seed: u64) -> Builder<W> {
        self.start.seed = Some(seed);
        self
    }

    /// The largest result of a task or output of a state, in bytes of JSON; beyond it, the execution fails with
    /// `States.DataLimitExceeded`. By default as the definition says, or else 64 MiB for what leaves the execution or comes from
    /// outside; see [`Start::data_limit`](crate::machine::Start::data_limit).
    pub fn data_limit(mut self, bytes: u64) -> Builder<W> {
        self.start.data_limit = Some(bytes);
        self
    }

    /// How many states may be entered without waiting, by default a million; then the execution fails with
    /// [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED).
    pub fn step_limit(mut self, states: u32) -> Builder<W> {
        self.start.step_limit = states;
        self
    }

    /// How long an execution may compute without waiting, by default 30 seconds; then it fails with
    /// [`TURN_LIMIT_EXCEEDED`](crate::fault::names::TURN_LIMIT_EXCEEDED).
    pub fn turn_time(mut self, limit: Duration) -> Builder<W> {
        self.environment.turns = self.environment.turns.with_limit(limit);
        self
    }

    /// Runs turns on these workers. By default they run on the thread that polls the execution, or on the
    /// [workers of the process](Workers::shared) if that is a task of a tokio runtime with several threads: an execution that
    /// computes for long then stops no other task.
    pub fn workers(mut self, workers: Workers) -> Builder<W> {
        self.environment.turns = self.environment.turns.with_workers(workers);
        self
    }

    /// What one call of a function of the definition may use up: steps, time and memory.
    pub fn function_limits(mut self, limits: FunctionLimits) -> Builder<W> {
        self.start.function_limits = limits;
        self
    }

    /// Tells this observer, too, what happens.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Builder<W> {
        self.start.observers.push(Box::new(observer));
        self
    }

    /// Takes the time from this clock.
    pub fn clock(mut self, clock: impl Clock + 'static) -> Builder<W> {
        self.environment.clock = Arc::new(clock);
        self
    }

    /// Takes outcomes by token from here.
    pub fn callbacks(mut self, callbacks: &Callbacks) -> Builder<W> {
        self.environment.callbacks = Some(callbacks.clone());
        self
    }

    /// Shares workflows that can be started, and events, with other executions in memory.
    pub fn hub(mut self, hub: &Hub) -> Builder<W> {
        self.environment.hub = Some(hub.clone());
        self
    }

    /// When the program was deployed: a workflow whose schedule is a duration can be started for that long from then on. By
    /// default it is when the first execution was started that shares the hub of this one.
    pub fn deployed_at(mut self, time: Timestamp) -> Builder<W> {
        self.deployed_at = Some(time);
        self
    }

    /// Sends the events that the execution publishes, and those that it starts, to this, too.
    pub fn sink(mut self, sink: impl EventSink + 'static) -> Builder<W> {
        self.environment.sink = Some(Arc::new(sink));
        self
    }

    /// Saves the execution after every completion, and goes on with what is loaded from that. For tests: nothing may
    /// change by it.
    pub fn reload_at_every_completion(mut self, reload: bool) -> Builder<W> {
        self.reload_at_every_completion = reload;
        self
    }

    /// Runs the execution to its end, and those that it has started, though it may not wait for them, to theirs. If the
    /// future is dropped, so are they, with their tasks. Outside of the interval in which the definition says that executions start,
    /// it fails at once with [`INACTIVE`](crate::fault::names::INACTIVE).
    pub fn run(mut self, tasks: &dyn Invoke, input: impl Into<Value>) -> impl Future<Output = Outcome> + Send {
        self.give(input.into());
        // What was set up is not carried along while the execution waits.
        let setup = Box::new(self);
        async move {
            setup.admitted()?;
            // Rare, and so not to be room in the future of the others.
            if setup.reload_at_every_completion {
                return Box::pin(drive(start(setup, tasks, Reloading::default()))).await;
            }
            // Not `drive`: what a function is given is kept beside what it makes of it.
            let (mut driver, _listening) = start(setup, tasks, Volatile);
            let outcome = end(driver.run().await);
            driver.settle().await;
            outcome
        }
    }

    /// Sets the input, and the correlation value where that is read from it.
    fn give(&mut self, input: Value) {
        if self.start.entry.is_none() {
            self.start.correlation = W::DEFINITION.correlation(&input, self.start.correlation.take(), None);
        }
        self.start.input = input;
    }

    /// Whether it can be started now, with this input.
    fn admitted(&self) -> Result<(), Fault> {
        if let Some(name) = &self.start.name {
            id::check(name).map_err(|invalid| Fault::runtime(invalid.to_string()))?;
        }
        if self.start.entry.is_none() {
            W::DEFINITION.admit(&self.start.input)?;
        }
        let Some(schedule) = W::DEFINITION.schedule else { return Ok(()) };
        let now = self.start.time.unwrap_or_else(|| self.environment.clock.now());
        let first = || self.environment.hub.as_ref().map_or(now, |hub| hub.deployed(now));
        Ok(schedule.admits(W::DEFINITION.name, now, self.deployed_at.unwrap_or_else(first))?)
    }

    /// What it shares with other executions.
    #[cfg(feature = "testing")]
    pub(crate) fn shared(&mut self) -> Hub {
        self.environment.hub.get_or_insert_default().clone()
    }

    /// Runs the execution for as long as it can proceed by itself, and something else beside it; if that is not to its end,
    /// what it waits for.
    #[cfg(feature = "testing")]
    pub(crate) fn run_alone(
        mut self,
        tasks: &dyn Invoke,
        input: Value,
        beside: impl Future<Output = ()>,
    ) -> Result<Outcome, Vec<Waiting>> {
        fn finish<'a, J: Journal>(
            (mut driver, _listening): (Driver<'a, J>, Option<Listening>),
            beside: impl Future<Output = ()>,
        ) -> Result<Outcome, Vec<Waiting>> {
            let mut rest = None;
            let run = async {
                rest = Some(driver.run().await);
                driver.settle().await;
            };
            // What it has started and does not wait for may wait for ever.
            let _over = crate::testing::block_on(crate::testing::beside(run, beside));
            rest.map(end).ok_or_else(|| driver.execution().describe())
        }
        self.give(input);
        if let Err(fault) = self.admitted() {
            return Ok(Err(fault));
        }
        let setup = Box::new(self);
        match setup.reload_at_every_completion {
            false => finish(start(setup, tasks, Volatile), beside),
            true => finish(start(setup, tasks, Reloading::default()), beside),
        }
    }
}

/// Drives an execution to its end, and those that it has started to theirs.
async fn drive<'a, J: Journal>((mut driver, _listening): (Driver<'a, J>, Option<Listening>)) -> Outcome {
    let outcome = end(driver.run().await);
    driver.settle().await;
    outcome
}

fn start<'a, W: Workflow, J: Journal>(
    mut setup: Box<Builder<W>>,
    tasks: &'a dyn Invoke,
    journal: J,
) -> (Driver<'a, J>, Option<Listening>) {
    let program = Program::of::<W>();
    setup.start.time.get_or_insert_with(|| setup.environment.clock.now());
    let Builder { start, mut environment, .. } = *setup;
    environment.turns = environment.turns.off_runtime();
    let hub = match program.definition.events.is_empty() {
        true => None,
        false => Some(environment.hub.get_or_insert_default().clone()),
    };
    let mut driver = Driver::new(program, program.begin(start), environment, tasks, journal);
    let listening = hub.and_then(|hub| hear(&mut driver, &hub));
    (driver, listening)
}

/// How the execution ended: nobody has let it go.
fn end(rest: Result<Rest, Stopped>) -> Outcome {
    match rest {
        Ok(Rest::Ended(outcome)) => outcome,
        Ok(Rest::Waiting(_)) | Err(Stopped) => Err(Fault::runtime("the execution was let go")),
    }
}
