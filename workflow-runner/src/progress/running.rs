//! The running tasks of an execution, for the message about an interruption.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use workflow_runtime::machine::Task;
use workflow_runtime::observe::{Event, EventKind, Observer};

use super::{clean, place};

/// The number of tasks that a message names.
const NAMED: usize = 3;

/// An observer that knows the running tasks. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Running(Arc<Mutex<BTreeMap<Path, Placed>>>);

type Path = Vec<(&'static str, u32)>;

/// A task with its state, and the branches and iterations around it.
type Placed = (&'static Task, String);

impl Running {
    /// Returns the names of the running tasks for a message: "the task `Pay` of the state `Send`".
    /// Returns `None` if no task runs.
    pub fn all(&self) -> Option<String> {
        self.named(|_| true)
    }

    /// Returns the same without the tasks that wait for their tokens, whose waits a database
    /// keeps.
    #[cfg(feature = "durable")]
    pub fn invoked(&self) -> Option<String> {
        self.named(|task| !task.waits_for_token())
    }

    fn named(&self, selected: impl Fn(&Task) -> bool) -> Option<String> {
        let tasks = self.lock();
        let mut named: Vec<String> = Vec::new();
        for (task, place) in tasks.values().filter(|(task, _)| selected(task)) {
            named.push(format!("the task `{}` of the state `{place}`", clean(task.key, 100)));
        }
        let more = named.len().saturating_sub(NAMED);
        named.truncate(NAMED);
        match (named.as_slice(), more) {
            ([], _) => None,
            ([only], _) => Some(only.clone()),
            ([first @ .., last], 0) => Some(format!("{} and {last}", first.join(", "))),
            (named, 1) => Some(format!("{} and 1 other task", named.join(", "))),
            (named, more) => Some(format!("{} and {more} other tasks", named.join(", "))),
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Path, Placed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Running {
    fn observe(&mut self, event: &Event<'_>) {
        let path: Path = event.path.iter().map(|step| (step.state, step.index)).collect();
        let mut tasks = self.lock();
        match event.kind {
            EventKind::TaskScheduled { task, .. } => {
                tasks.insert(path, (task, place(event.path, event.state)));
            }
            EventKind::TaskSucceeded { .. } | EventKind::TaskFailed { .. } | EventKind::TaskTimedOut { .. } => {
                tasks.remove(&path);
            }
            // The end of a state also ends its branches and iterations.
            EventKind::StateExited { .. }
            | EventKind::StateFailed { .. }
            | EventKind::StateCaught { .. }
            | EventKind::StateRetried { .. } => tasks.retain(|inner, _| !inner.starts_with(&path)),
            EventKind::ExecutionSucceeded { .. } | EventKind::ExecutionFailed { .. } => tasks.clear(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use workflow_runtime::testing::{Mocks, Reply};

    use super::*;
    use crate::progress::tests::{events_of, fails_at_last};

    /// An observer that keeps the names after each event.
    struct Kept(Running, Vec<String>);

    impl Observer for Kept {
        fn observe(&mut self, event: &Event<'_>) {
            self.0.observe(event);
            self.1.extend(self.0.all());
        }
    }

    #[test]
    fn running_tasks_are_named() {
        let names = |mocks: &Mocks| {
            let Kept(running, names) = events_of(Kept(Running::default(), Vec::new()), mocks);
            assert_eq!(running.all(), None, "the execution has ended");
            names
        };
        let book = "the task `Book` of the state `Both[0] › Book`";
        let reserve = "the task `Reserve` of the state `Both[1] › Reserve`";
        // A task that does not end times out.
        let both = names(&Mocks::new().task("Book", [Reply::never()]).task("Reserve", [Reply::never()]));
        assert!(both.contains(&format!("{book} and {reserve}")), "{both:?}");
        let one = names(&Mocks::new().task("Book", [Reply::ok(1)]).task("Reserve", [Reply::never()]));
        assert_eq!(one.last().map(String::as_str), Some(reserve));
        // The failure of a branch gives up the other branches.
        let failing = Mocks::new().task("Book", [Reply::never()]).task("Reserve", [Reply::error("Full", "")]);
        let failing = names(&failing.task("Cancel", [Reply::never()]));
        assert_eq!(failing.last().map(String::as_str), Some("the task `Cancel` of the state `Cancel`"));
        let at_last = names(&fails_at_last());
        assert_eq!(at_last.last().map(String::as_str), Some("the task `Tell` of the state `Tell`"));
    }

    #[test]
    fn many_tasks_are_counted() {
        static PACK: Task = Task::new(0, "Pack", "Pack", "All", 1);
        static ASK: Task = Task::new(1, "Ask", "Ask.waitForTaskToken", "All", 1);
        let running = Running::default();
        for index in 0..5 {
            let task = if index < 4 { &PACK } else { &ASK };
            running.lock().insert(vec![("All", index)], (task, format!("All[{index}]")));
        }
        let all = running.all().expect("tasks");
        assert!(all.ends_with("of the state `All[2]` and 2 other tasks"), "{all}");
        #[cfg(feature = "durable")]
        assert!(running.invoked().is_some_and(|invoked| invoked.ends_with("`All[2]` and 1 other task")));
    }
}
