//! An execution that begins in the memory of another one is the same as a new one.

use std::collections::BTreeMap;

use crate::becoming::become_of;
use crate::order::Order;
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::machine::{Command, Execution, Occurrence, Op, Outcome, Program, Start, Stop};
use workflow_runtime::{Fault, Object, Timestamp, Value, value};

const BEGIN: Timestamp = Timestamp::from_seconds(1_000);

/// The number of different starts.
const STARTS: u64 = 4;

/// Returns the parameters of a start, which differ in all that an execution remembers.
fn start(number: u64) -> Start {
    let items = ["a", "b", "c", "d", "e"].map(Value::from).to_vec();
    let input = value!({ "id": format!("o-{number}"), "card": "4111", "count": 3, "items": items });
    let mut start = Start {
        seed: Some(number),
        time: Some(BEGIN),
        name: Some(format!("one.{number}").into()),
        ..Start::new(input)
    };
    match number {
        0 => {}
        1 => {
            let mut settings = Object::new();
            settings.insert("Name", "s3cret");
            (start.settings, start.correlation, start.account) = (settings, Some("a key".into()), "42".into());
        }
        2 => (start.input, start.step_limit, start.redrives) = (value!({ "id": "none" }), 50, 3),
        _ => (start.data_limit, start.region, start.machine) = (Some(200), "moon".into(), Some("other".into())),
    }
    start
}

/// An execution with the commands that it waits for.
struct Driven {
    execution: Box<dyn Execution>,
    open: BTreeMap<Op, Command>,
    now: Timestamp,
}

impl Driven {
    fn new(mut execution: Box<dyn Execution>) -> Driven {
        execution.finish_turn();
        Driven { execution, open: BTreeMap::new(), now: BEGIN }
    }

    /// Completes the first command. Returns a description of all that can be seen.
    fn step(&mut self, luck: u64) -> String {
        let mut seen = Vec::new();
        while let Some(stop) = self.execution.next_stop() {
            seen.push(format!("{stop:?}"));
            if let Stop::Op(op) = stop {
                self.open.remove(&op);
            }
        }
        while let Some((op, command)) = self.execution.next_command() {
            seen.push(format!("{op:?} {command:?}"));
            self.open.insert(op, command);
        }
        if let Some((op, command)) = self.open.pop_first() {
            let (at, outcome) = become_of(&command, self.now, luck);
            self.now = self.now.max(at);
            self.execution.complete(op, at, outcome);
        }
        format!("{seen:?} {:?} {:?} {:?}", self.execution.describe(), self.execution.result(), self.execution.save())
    }

    /// Drives it to its end, or cancels it after so many steps.
    fn end(&mut self, steps: u64) -> Outcome {
        for _ in 0..steps {
            if self.execution.result().is_none() {
                self.step(steps);
            }
        }
        if self.execution.result().is_none() {
            self.execution.apply(self.now, Occurrence::Ended(Err(Fault::new(CANCELLED, "in the middle"))));
        }
        self.execution.result().cloned().expect("it has ended")
    }
}

#[test]
fn nothing_of_an_execution_is_left_for_the_next_one() {
    let program = Program::of::<Order>();
    let mut ends = [0, 0];
    for (before, after) in (0..STARTS).flat_map(|before| (0..STARTS).map(move |after| (before, after))) {
        for steps in [0, 1, 3, 9, 1_000] {
            let mut used = Driven::new(program.begin(start(before)));
            ends[usize::from(used.end(steps).is_ok())] += 1;
            assert!(used.execution.begin_again(start(after)).is_none(), "its memory is free");
            let (mut again, mut fresh) = (Driven::new(used.execution), Driven::new(program.begin(start(after))));
            assert_eq!(again.execution.save(), fresh.execution.save(), "{before} {after} {steps}");
            for step in 0..1_000 {
                assert_eq!(again.step(steps), fresh.step(steps), "{before} {after} {steps}: step {step}");
                if fresh.execution.result().is_some() {
                    break;
                }
            }
            assert!(again.execution.result().is_some());
        }
    }
    assert!(ends.iter().all(|count| *count > 0), "some succeed and some fail: {ends:?}");
}

#[test]
fn an_execution_that_runs_keeps_its_memory() {
    let mut execution = Program::of::<Order>().start(start(0));
    let refused = execution.begin_again(start(1)).expect("the start is returned");
    assert_eq!(refused.name, start(1).name);
}
