//! An execution whose iterations are divided among child executions, in batches, and that a driver
//! sees as one execution: the work of an engine that runs batches.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use workflow_runtime::machine::{
    Changes, Command, Definition, Delivery, Execution, FrameId, Op, Outcome, Program, Start, Waiting,
};
use workflow_runtime::observe::Observer;
use workflow_runtime::{CloudEvent, Str, Timestamp, Value};

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
    /// The time of the last delivery.
    now: Timestamp,
    /// Operations that nobody waits for any more, by their names.
    cancelled: Vec<Op>,
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
            now: Timestamp::default(),
            cancelled: Vec::new(),
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
        self.now = at;
        loop {
            while let Some(op) = self.whole.next_cancelled() {
                self.cancelled.extend(self.names.remove(&(None, op)));
                self.drop_batch(op);
            }
            for (batch, execution) in &mut self.batches {
                while let Some(op) = execution.next_cancelled() {
                    self.cancelled.extend(self.names.remove(&(Some(*batch), op)));
                }
            }
            if self.whole.is_terminating() {
                self.batches.values_mut().for_each(|batch| batch.terminate(at, Value::Null));
            }
            let ended = self.batches.iter().find_map(|(op, batch)| Some((*op, batch.outcome_for_parent()?)));
            let Some((op, outcome)) = ended else { return };
            self.drop_batch(op);
            assert!(self.whole.complete(op, at, outcome), "a batch is waited for");
        }
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
                let observers = execution.take_observers();
                *execution = self.program.load(&execution.save()).expect("what was saved is loaded");
                execution.observe(observers);
            }
        }
    }
}

impl Execution for Divided {
    fn definition(&self) -> &'static Definition {
        self.whole.definition()
    }

    fn id(&self) -> &Str {
        self.whole.id()
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

    fn next_cancelled(&mut self) -> Option<Op> {
        self.cancelled.pop()
    }

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

    fn offer(&mut self, at: Timestamp, event: &CloudEvent) -> Delivery {
        self.whole.deliver(at, event)
    }

    fn is_computing(&self) -> bool {
        false
    }

    fn compute(&mut self, _: Duration, _: Duration) {}

    fn explicit_correlation(&self) -> Option<&Str> {
        self.whole.explicit_correlation()
    }

    fn inbox_len(&self) -> usize {
        self.whole.inbox_len()
    }

    fn inbox_events(&self) -> Vec<&CloudEvent> {
        self.whole.inbox_events()
    }

    fn expire(&mut self, at: Timestamp) {
        self.whole.expire(at);
        self.whole.finish_turn();
    }

    fn end(&mut self, at: Timestamp, outcome: Outcome) {
        self.whole.end(at, outcome);
        self.settle(at);
    }

    fn deadline(&self) -> Option<Timestamp> {
        self.whole.deadline()
    }

    fn result(&self) -> Option<&Outcome> {
        self.whole.result()
    }

    fn save(&self) -> Vec<u8> {
        self.whole.save()
    }

    fn track(&mut self) {}

    fn changes(&mut self) -> Changes {
        Changes::default()
    }

    fn mark_handed_over(&mut self, op: Op) {
        if let Some((execution, op)) = self.meant(op) {
            execution.mark_handed_over(op);
        }
        self.settle(self.now);
    }

    fn terminate(&mut self, at: Timestamp, output: Value) {
        self.whole.terminate(at, output);
        self.settle(at);
    }

    fn is_terminating(&self) -> bool {
        self.whole.is_terminating()
    }

    fn starts_terminating(&mut self) -> bool {
        self.whole.starts_terminating()
    }

    fn issued_before(&self) -> u64 {
        self.whole.issued_before()
    }

    fn abandon(&mut self, op: Op) {
        if let Some((execution, op)) = self.meant(op) {
            execution.abandon(op);
        }
        self.settle(self.now);
    }

    fn last_completion(&self) -> Option<(Op, &Outcome)> {
        None
    }

    fn redrive(&mut self, _: Timestamp) -> u32 {
        0
    }

    fn describe(&self) -> Vec<Waiting> {
        self.whole.describe()
    }

    fn observe(&mut self, _: Vec<Box<dyn Observer>>) {}

    fn take_observers(&mut self) -> Vec<Box<dyn Observer>> {
        Vec::new()
    }
}
