//! Runs an execution to its end, under virtual time.

use crate::functions::Calls;
use crate::members;
use crate::plan::Plan;
use crate::record::Record;
use crate::stubs::Stubs;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use workflow_runtime::engine::{Engine, Publication};
use workflow_runtime::machine::Outcome;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{Builder, Callbacks, CloudEvent, Fault, Hub, MemoryEngine, Object, Value, Workflow};

/// A function that runs a plan with a workflow of any type.
pub type Execute = fn(&Plan, &Arc<Stubs>, Setup) -> Option<Outcome>;

/// The environment of a run besides its plan.
pub struct Setup {
    record: Record,
    callbacks: Callbacks,
    hub: Hub,
    clock: VirtualClock,
    reload: bool,
}

/// Runs a plan, and returns its record: `{result, calls, events, sent, elapsed}`. With `reload`,
/// saves and loads the execution at every wait.
pub fn run(execute: Execute, plan: &Arc<Plan>, reload: bool) -> Object {
    let (record, callbacks) = (Record::default(), Callbacks::new());
    let hub = hub(plan, &record);
    let stubs = Arc::new(Stubs::new(plan.clone(), record.clone(), callbacks.clone(), hub.clone()));
    let clock = VirtualClock::at(plan.start);
    let outcome = execute(plan, &stubs, Setup { record: record.clone(), callbacks, hub, clock, reload });
    let outcome = outcome.unwrap_or_else(|| Err(Fault::runtime("the execution waits forever")));
    let result = match outcome {
        Ok(output) => members([("output", output)]),
        Err(fault) => {
            let cause = fault.cause().cloned().unwrap_or_default();
            members([("error", fault.error().map(Value::from).unwrap_or_default()), ("cause", cause)])
        }
    };
    let mut seen = members([("result", result.into())]);
    for (name, value) in record.take(plan.start) {
        seen.insert(name, value);
    }
    seen
}

/// Runs a plan with the workflow `W`. Returns `None` if the execution waits forever.
pub fn execute<W: Workflow>(plan: &Plan, stubs: &Arc<Stubs>, setup: Setup) -> Option<Outcome> {
    if plan.starts && W::DEFINITION.starts_on.is_some() {
        return listen::<W>(plan, stubs, setup);
    }
    let echo = Echo { echoes: plan.echoes.clone(), due: Arc::default() };
    let due = echo.due.clone();
    let mut builder = Builder::<W>::new()
        .seed(0)
        .clock(setup.clock.clone())
        .callbacks(&setup.callbacks)
        .hub(&setup.hub)
        .observer(setup.record)
        .observer(echo)
        .settings(plan.settings.clone())
        .reload_at_every_completion(setup.reload);
    if let Some(name) = &plan.name {
        builder = builder.name(name.clone());
    }
    if let Some(correlation) = &plan.correlation {
        builder = builder.correlate(correlation.clone());
    }
    if let Some(machine) = &plan.machine {
        builder = builder.machine_name(machine.clone());
    }
    if let Some(account) = &plan.account {
        builder = builder.account(account.clone());
    }
    if let Some(region) = &plan.region {
        builder = builder.region(region.clone());
    }
    if let Some(role) = &plan.role {
        builder = builder.role(role.clone());
    }
    let run = builder.tasks(&**stubs).run(plan.input.clone());
    let mut events = pin!(testing::publish(&setup.hub, &setup.clock, plan.events.iter().cloned()));
    let mut over = false;
    let beside = std::future::poll_fn(|cx| {
        for event in std::mem::take(&mut *lock(&due)) {
            setup.hub.publish(event);
        }
        over = over || events.as_mut().poll(cx).is_ready();
        Poll::Pending
    });
    testing::block_on(testing::alongside(run, beside))
}

/// Publishes the events of a plan, and runs the executions that they start until nothing can
/// happen any more. Executions that events start are not saved and loaded.
fn listen<W: Workflow>(plan: &Plan, stubs: &Arc<Stubs>, setup: Setup) -> Option<Outcome> {
    let Setup { record, callbacks, hub, clock, .. } = setup;
    let (clock, outcomes) = (clock.steered(), record.clone());
    let builder = MemoryEngine::builder().workflow::<W>(stubs.clone()).stand_ins(&hub).callbacks(&callbacks);
    let builder = builder.clock(clock.clone()).observer(move |_| Some(Box::new(record.clone())));
    let (engine, run) = builder.open();
    let publish = testing::publish_by(&clock, plan.events.iter().cloned(), async |event| {
        // The engine is open as long as its future exists.
        let _reached = engine.publish(Publication::of(vec![event]).starting(Object::new())).await;
    });
    let mut both = pin!(testing::alongside(run, publish));
    while testing::block_on(both.as_mut()).is_none() && clock.jump() {}
    outcomes.outcome()
}

/// Returns a hub with stand-ins for the workflows that a definition starts.
fn hub(plan: &Plan, record: &Record) -> Hub {
    plan.workflows.iter().fold(Hub::new(), |hub, (name, function)| {
        let (calls, record, start, resource) =
            (Calls::of(function), record.clone(), plan.start, format!("subflow:{name}"));
        hub.stand_in(name.as_str(), move |input, hub, clock| {
            let at = clock.now();
            let (delay, outcome) = calls.call(&input, hub);
            record.call(Value::from(members([
                ("resource", resource.as_str().into()),
                ("at", at.since(start).as_secs_f64().into()),
                ("input", input),
            ])));
            Box::pin(async move {
                clock.sleep_until(at.plus(delay)).await;
                outcome
            })
        })
    })
}

/// Collects the events to publish in answer to sent events. The engine notifies observers before
/// it publishes an event. So these events are published after the turn of the execution.
struct Echo {
    echoes: Vec<(String, Vec<CloudEvent>)>,
    due: Arc<Mutex<Vec<CloudEvent>>>,
}

impl Observer for Echo {
    fn observe(&mut self, event: &Event<'_>) {
        let EventKind::EventSent { event } = event.kind else { return };
        let subject = event.subject.as_deref().unwrap_or_default();
        let of_it = self.echoes.iter().filter(|(name, _)| name.to_lowercase() == subject.to_lowercase());
        lock(&self.due).extend(of_it.flat_map(|(_, events)| events).cloned());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
