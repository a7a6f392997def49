//! The tasks of the suite's workflows. A test decides what they do, and sees what they have done.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{Fault, Task, TaskContext, Value};

/// The most periods in which tasks begin and the awaited future does not end.
const PERIODS: u32 = 6;

/// The tasks of the suite's workflows. A clone is the same desk.
///
/// A task returns the key of the task, unless the test holds it or lets it fail.
#[derive(Clone, Default)]
pub(crate) struct Desk(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    /// The calls: execution, key and input.
    calls: Vec<(String, &'static str, Value)>,
    /// The executions and keys of calls that were dropped before they returned.
    dropped: Vec<(String, &'static str)>,
    held: BTreeSet<&'static str>,
    failing: BTreeMap<&'static str, &'static str>,
    wakers: Vec<Waker>,
}

/// A call that has not returned.
struct Call {
    desk: Desk,
    execution: String,
    key: &'static str,
    has_returned: bool,
}

impl Desk {
    /// Holds the tasks of a key until they are released.
    pub(crate) fn hold(&self, key: &'static str) {
        self.lock().held.insert(key);
    }

    /// Lets the tasks of a key return.
    pub(crate) fn release(&self, key: &'static str) {
        let wakers = {
            let mut state = self.lock();
            state.held.remove(key);
            std::mem::take(&mut state.wakers)
        };
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Lets the tasks of a key fail with this error from now on.
    pub(crate) fn fail(&self, key: &'static str, error: &'static str) {
        self.lock().failing.insert(key, error);
    }

    /// Lets the tasks of a key succeed again.
    pub(crate) fn mend(&self, key: &'static str) {
        self.lock().failing.remove(key);
    }

    /// Returns the number of calls of a key.
    pub(crate) fn calls(&self, key: &str) -> usize {
        self.lock().calls.iter().filter(|(_, of, _)| *of == key).count()
    }

    /// Returns the number of calls of a key for an execution.
    pub(crate) fn calls_for(&self, execution: &str, key: &str) -> usize {
        self.lock().calls.iter().filter(|(of, task, _)| of == execution && *task == key).count()
    }

    /// Returns the inputs of the calls of a key, in their order.
    pub(crate) fn inputs(&self, key: &str) -> Vec<Value> {
        let state = self.lock();
        state.calls.iter().filter(|(_, of, _)| *of == key).map(|(_, _, input)| input.clone()).collect()
    }

    /// Returns the number of calls of a key that were dropped before they returned.
    pub(crate) fn dropped(&self, key: &str) -> usize {
        self.lock().dropped.iter().filter(|(_, of)| *of == key).count()
    }

    /// Waits for a future. Returns `None` if it does not end in a period of this length in which
    /// no task begins: a busy machine runs many tasks slowly. An engine that never stops repeating
    /// tasks has [`PERIODS`].
    pub(crate) async fn within<T>(&self, period: Duration, future: impl Future<Output = T>) -> Option<T> {
        let mut future = pin!(future);
        let calls = || self.lock().calls.len();
        let mut before = calls();
        for _ in 0..PERIODS {
            if let Ok(ended) = tokio::time::timeout(period, &mut future).await {
                return Some(ended);
            }
            let now = calls();
            if std::mem::replace(&mut before, now) == now {
                break;
            }
        }
        None
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Call {
    fn finish(&mut self) {
        self.has_returned = true;
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.has_returned {
            self.desk.lock().dropped.push((self.execution.clone(), self.key));
        }
    }
}

impl Invoke for Desk {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let (execution, key) = (cx.execution_id().to_owned(), task.key);
        self.lock().calls.push((execution.clone(), key, input));
        let mut call = Call { desk: self.clone(), execution, key, has_returned: false };
        Box::pin(std::future::poll_fn(move |cx| {
            let mut state = self.lock();
            if state.held.contains(key) {
                if !state.wakers.iter().any(|waker| waker.will_wake(cx.waker())) {
                    state.wakers.push(cx.waker().clone());
                }
                return Poll::Pending;
            }
            call.finish();
            Poll::Ready(match state.failing.get(key) {
                Some(error) => Err(Fault::new(*error, "the test lets it fail")),
                None => Ok(Value::from(key)),
            })
        }))
    }
}
