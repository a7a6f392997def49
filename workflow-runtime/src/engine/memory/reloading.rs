//! A journal for tests that saves and reloads the execution after every completion, alternately as
//! a whole and row by row. The results of the execution must not change.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::engine::driver::{Caller, ChildStart, Journal, Stopped, Volatile};
use crate::event::CloudEvent;
use crate::machine::{Call, Execution, Op, Outcome, Program, Row};
use crate::time::Timestamp;

/// The journal, with the rows of the execution.
#[derive(Default)]
pub(crate) struct Reloading {
    rows: BTreeMap<Row, Vec<u8>>,
    whole: bool,
}

impl Journal for Reloading {
    const IS_DURABLE: bool = true;

    async fn commit(&mut self, execution: &mut Box<dyn Execution>, program: Program) -> Result<(), Stopped> {
        if execution.result().is_some() {
            return Ok(());
        }
        let observers = execution.observe(Vec::new());
        execution.changes().apply(&mut self.rows);
        self.whole = !self.whole;
        let loaded = if self.whole {
            program.load(&execution.save())
        } else {
            let rows: Vec<(Row, Vec<u8>)> = self.rows.iter().map(|(row, bytes)| (*row, bytes.clone())).collect();
            program.restore(&rows)
        };
        match loaded {
            Ok(loaded) => *execution = loaded,
            Err(error) => panic!("cannot load the snapshot of `{}`: {error}", program.definition.name),
        }
        if self.whole {
            self.rows.clear();
        }
        execution.observe(observers);
        Ok(())
    }

    fn should_suspend(&self, _: Option<Timestamp>) -> bool {
        false
    }

    fn call(&mut self, caller: Caller<'_>, op: Op, call: &Arc<Call>) -> ChildStart {
        Volatile.call(caller, op, call)
    }

    fn abandon(&mut self, op: Op) {
        Volatile.abandon(op);
    }

    fn terminate(&mut self, op: Op) {
        Volatile.terminate(op);
    }

    fn publish(&mut self, caller: Caller<'_>, event: &Arc<CloudEvent>) -> Outcome {
        Volatile.publish(caller, event)
    }

    fn is_new_event(&mut self, number: u64) -> bool {
        Volatile.is_new_event(number)
    }
}
