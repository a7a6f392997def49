//! Running tasks, so that the program can wait for them before it ends.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use workflow_runtime::Value;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskContext, TaskFuture};

/// The time that the result of a task has to reach the server.
const ON_ITS_WAY: Duration = Duration::from_millis(250);

/// Tasks with a count of the running ones. Clones share the count.
#[derive(Clone)]
pub struct InFlight {
    tasks: Arc<dyn Invoke>,
    state: watch::Sender<State>,
}

#[derive(Default)]
struct State {
    count: usize,
    leaving: bool,
}

/// A running task. Dropping the value ends the task's part in the count.
struct One<'a>(&'a watch::Sender<State>);

impl Drop for One<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|state| state.count -= 1);
    }
}

impl InFlight {
    pub fn new(tasks: Arc<dyn Invoke>) -> InFlight {
        InFlight { tasks, state: watch::Sender::default() }
    }

    /// Starts no further tasks, and waits until no task is running.
    pub async fn leave(&self) {
        self.state.send_modify(|state| state.leaving = true);
        let mut state = self.state.subscribe();
        let were = state.borrow().count;
        let _none = state.wait_for(|state| state.count == 0).await;
        if were > 0 {
            tokio::time::sleep(ON_ITS_WAY).await;
        }
    }

    /// Counts a task that begins. Returns `None` if the program is about to end.
    fn begin(&self) -> Option<One<'_>> {
        let begins = self.state.send_if_modified(|state| {
            state.count += usize::from(!state.leaving);
            !state.leaving
        });
        begins.then(|| One(&self.state))
    }
}

impl Invoke for InFlight {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            // The next process of the program will run the task.
            let Some(_one) = self.begin() else { return pending().await };
            self.tasks.invoke(task, input, cx).await
        })
    }
}
