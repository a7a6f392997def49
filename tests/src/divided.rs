//! An execution whose iterations are divided among child executions, in batches, and that a driver
//! sees as one execution: the work of an engine that runs batches.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use workflow_runtime::machine::{
    Changes, Command, Delivery, Execution, ExecutionInfo, FrameId, Occurrence, Op, Outcome, Program, Start, Stop,
    Waiting,
};
use workflow_runtime::observe::Observer;
use workflow_runtime::{Timestamp, Value};

/// An execution with the batches that it has requested.
pub struct Divided {
    program: Program,
    whole: Box<dyn Execution>,
    /// The running batches, by the operations that wait for them.
    batches: BTreeMap<Op, Box<dyn Execution>>,
    /// A function that makes the observer of a batch.
    observer: Box<dyn Fn() -> Box<dyn Observer> + Send>,
    /// The names by which the driver knows operations: by the batch and its operation, without a
    /// batch for operations of the whole execution.
    names: BTreeMap<(Option<Op>, Op), Op>,
    last: u64,
    /// Operations that nobody waits for any more, by their names.
    cancelled: Vec<Op>,
    /// `true` until the driver has fetched the termination of the whole execution.
    stops_all: bool,
    /// The requested calls.
    calls: BTreeSet<String>,
    /// `true` if all executions are saved and loaded between two completions.
    reloads: bool,
}

impl Divided {
    /// Starts an execution that divides its iterations.
    pub fn start(
        program: Program,
        start: Start,
        reloads: bool,
        observer: impl Fn() -> Box<dyn Observer> + Send + 'static,
    ) -> Divided {
        assert!(start.batching.is_some(), "it divides");
        Divided {
            program,
            whole: program.start(Start { observers: vec![observer()], ..start }),
            batches: BTreeMap::new(),
            observer: Box::new(observer),
            names: BTreeMap::new(),
            last: 0,
            cancelled: Vec::new(),
            stops_all: false,
            calls: BTreeSet::new(),
            reloads,
        }
    }

    /// Returns the name of an operation for the driver, and `true` if the name is new.
    fn name(&mut self, key: (Option<Op>, Op)) -> (Op, bool) {
        if let Some(name) = self.names.get(&key) {
            return (*name, false);
        }
        self.last += 1;
        let used: BTreeSet<u32> = self.names.values().map(|name| name.frame.0).collect();
        let free = (0..).find(|frame| !used.contains(frame)).expect("a number");
        let name = Op { id: self.last, frame: FrameId(free) };
        self.names.insert(key, name);
        (name, true)
    }

    /// Returns the execution and the operation that have this name.
    fn meant(&mut self, name: Op) -> Option<(&mut Box<dyn Execution>, Op)> {
        let (of, op) = self.names.iter().find(|(_, known)| **known == name).map(|(key, _)| *key)?;
        let execution = match of {
            None => &mut self.whole,
            Some(batch) => self.batches.get_mut(&batch)?,
        };
        Some((execution, op))
    }

    /// Drops a batch that nobody waits for any more.
    fn drop_batch(&mut self, batch: Op) {
        self.batches.remove(&batch);
        let gone: Vec<_> = self.names.keys().filter(|(of, _)| *of == Some(batch)).copied().collect();
        self.cancelled.extend(gone.into_iter().filter_map(|key| self.names.remove(&key)));
    }

    /// Takes the cancellations of each execution, and delivers the outcomes of batches that have
    /// ended.
    fn settle(&mut self, at: Timestamp) {
        loop {
            while let Some(stop) = self.whole.next_stop() {
                match stop {
                    Stop::All => self.stops_all = true,
                    Stop::Op(op) => {
                        self.cancelled.extend(self.names.remove(&(None, op)));
                        self.drop_batch(op);
                    }
                }
            }
            for (batch, execution) in &mut self.batches {
                // The driver stops the commands of batches with those of the whole execution.
                while let Some(stop) = execution.next_stop() {
                    if let Stop::Op(op) = stop {
                        self.cancelled.extend(self.names.remove(&(Some(*batch), op)));
                    }
                }
            }
            if self.whole.info().is_terminating() {
                for batch in self.batches.values_mut() {
                    batch.apply(at, Occurrence::Terminated(Value::Null));
                }
            }
            let ended = self.batches.iter().find_map(|(op, batch)| Some((*op, batch.info().outcome_for_parent()?)));
            let Some((op, outcome)) = ended else { return };
            self.drop_batch(op);
            assert!(self.whole.complete(op, at, outcome), "a batch is waited for");
        }
    }

    /// Applies the outcome of an operation to the execution that has it.
    fn accept(&mut self, op: Op, at: Timestamp, outcome: Outcome) -> bool {
        if self.reloads {
            self.reload();
        }
        let key = self.names.iter().find(|(_, name)| **name == op).map(|(key, _)| *key);
        let Some(key) = key else { return false };
        self.names.remove(&key);
        let taken = match key.0 {
            None => self.whole.complete(key.1, at, outcome),
            Some(batch) => self.batches.get_mut(&batch).is_some_and(|batch| batch.complete(key.1, at, outcome)),
        };
        self.settle(at);
        taken
    }

    /// Applies an occurrence of an operation to the execution that has it.
    fn apply_to(&mut self, op: Op, at: Timestamp, occurrence: fn(Op) -> Occurrence<'static>) -> Delivery {
        let delivery = match self.meant(op) {
            Some((execution, op)) => execution.apply(at, occurrence(op)),
            None => Delivery::Declined,
        };
        self.settle(at);
        delivery
    }

    fn begin(&mut self, op: Op) {
        let bytes = self.whole.batch(op).expect("a batch that is waited for");
        assert!(self.program.load(&bytes).is_err(), "a batch is begun");
        let mut batch = self.program.load_batch(&bytes, vec![(self.observer)()]).expect("what was written is read");
        batch.finish_turn();
        self.batches.insert(op, batch);
        // A second request yields the same batch.
        assert_eq!(self.whole.batch(op), Some(bytes));
    }

    fn reload(&mut self) {
        for execution in self.batches.values_mut().chain([&mut self.whole]) {
            if execution.result().is_none() {
                let observers = execution.observe(Vec::new());
                *execution = self.program.load(&execution.save()).expect("what was saved is loaded");
                execution.observe(observers);
            }
        }
    }
}

impl Execution for Divided {
    fn info(&self) -> ExecutionInfo<'_> {
        self.whole.info()
    }

    fn next_stop(&mut self) -> Option<Stop> {
        if std::mem::take(&mut self.stops_all) {
            return Some(Stop::All);
        }
        self.cancelled.pop().map(Stop::Op)
    }

    fn next_command(&mut self) -> Option<(Op, Command)> {
        loop {
            let next = self.whole.next_command().map(|next| (None, next));
            let next = next.or_else(|| {
                self.batches.iter_mut().find_map(|(batch, execution)| Some((Some(*batch), execution.next_command()?)))
            });
            match next? {
                (None, (op, Command::Batch(_))) if self.batches.contains_key(&op) => {}
                (None, (op, Command::Batch(_))) => {
                    self.begin(op);
                    self.settle(Timestamp::from_micros(0));
                }
                (of, (op, command)) => {
                    let (name, is_new) = self.name((of, op));
                    if let Command::Invoke(invocation) = &command
                        && is_new
                    {
                        let call = format!("{} attempt {}", invocation.call, invocation.attempt);
                        assert!(self.calls.insert(call.clone()), "the call {call} is asked for twice");
                    }
                    return Some((name, command));
                }
            }
        }
    }

    fn apply(&mut self, at: Timestamp, occurrence: Occurrence<'_>) -> Delivery {
        match occurrence {
            Occurrence::Completed(op, outcome) => match self.accept(op, at, outcome) {
                true => Delivery::Consumed,
                false => Delivery::Declined,
            },
            Occurrence::HandedOver(op) => self.apply_to(op, at, Occurrence::HandedOver),
            Occurrence::Abandoned(op) => self.apply_to(op, at, Occurrence::Abandoned),
            occurrence => {
                let delivery = self.whole.apply(at, occurrence);
                self.whole.finish_turn();
                self.settle(at);
                delivery
            }
        }
    }

    fn compute(&mut self, _: Duration, _: Duration) {}

    fn describe(&self) -> Vec<Waiting> {
        self.whole.describe()
    }

    fn save(&self) -> Vec<u8> {
        self.whole.save()
    }

    fn batch(&self, _: Op) -> Option<Vec<u8>> {
        None
    }

    fn changes(&mut self) -> Changes {
        Changes::default()
    }

    fn observe(&mut self, _: Vec<Box<dyn Observer>>) -> Vec<Box<dyn Observer>> {
        Vec::new()
    }
}
