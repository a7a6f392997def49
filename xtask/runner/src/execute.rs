//! Runs an execution to its end, under virtual time.

use crate::members;
use crate::plan::Plan;
use crate::record::Record;
use crate::stubs::Stubs;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use workflow_runtime::machine::Outcome;
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Builder, Callbacks, Fault, Object, Value, Workflow};

/// A workflow that can be run, whatever its type.
pub type Program = fn(&Plan, &Stubs<'_>, Setup) -> Option<Outcome>;

/// What a run is set up with besides its plan.
pub struct Setup {
    record: Record,
    callbacks: Callbacks,
    clock: VirtualClock,
    reload: bool,
}

/// The workflow `W`.
pub fn program<W: Workflow>() -> Program {
    execute::<W>
}

/// Runs a plan; `reload` saves and loads the execution at every wait. What happened: `{result, calls, events}`.
pub fn run(program: Program, plan: &Plan, reload: bool) -> Object {
    let (record, callbacks) = (Record::default(), Callbacks::new());
    let stubs = Stubs::new(plan, record.clone(), callbacks.clone());
    let clock = VirtualClock::at(plan.start);
    let outcome = program(plan, &stubs, Setup { record: record.clone(), callbacks, clock, reload });
    let outcome =
        outcome.unwrap_or_else(|| Err(Fault::runtime("the execution waits for something that does not happen")));
    let result = match outcome {
        Ok(output) => members([("output", output)]),
        Err(fault) => {
            let cause = fault.cause().cloned().unwrap_or_default();
            members([("error", fault.error().map(Value::from).unwrap_or_default()), ("cause", cause)])
        }
    };
    let (events, calls) = record.take();
    members([("result", result.into()), ("calls", calls), ("events", events)])
}

fn execute<W: Workflow>(plan: &Plan, stubs: &Stubs<'_>, setup: Setup) -> Option<Outcome> {
    let mut builder = Builder::<W>::new()
        .seed(0)
        .clock(setup.clock)
        .callbacks(&setup.callbacks)
        .observer(setup.record)
        .settings(plan.settings.clone())
        .reload_at_every_completion(setup.reload);
    if let Some(name) = &plan.name {
        builder = builder.name(name.clone());
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
    block_on(builder.run(stubs, plan.input.clone()))
}

/// Runs a future for as long as it can proceed by itself.
fn block_on<T>(future: impl Future<Output = T>) -> Option<T> {
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(woken.clone());
    let mut future = pin!(future);
    while woken.0.swap(false, Ordering::AcqRel) {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(value);
        }
    }
    None
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
