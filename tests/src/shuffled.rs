//! Tasks that take different times for each call, so that concurrent work ends in another order.

use std::time::Duration;
use workflow_runtime::Value;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskContext, TaskFuture};

/// The longest delay in milliseconds. It is below a second, the shortest time-out that a
/// definition can state.
const LONGEST: u64 = 400;

/// An invoker that delays the answers of other tasks.
pub struct Shuffled<'a> {
    tasks: &'a dyn Invoke,
    seed: u64,
}

impl<'a> Shuffled<'a> {
    /// Delays the answers of `tasks`, in an order that depends on the seed.
    pub fn new(tasks: &'a dyn Invoke, seed: u64) -> Shuffled<'a> {
        Shuffled { tasks, seed }
    }
}

impl Invoke for Shuffled<'_> {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let delay = Duration::from_millis(scatter(self.seed, &cx.idempotency_key()) % LONGEST);
        let run = self.tasks.invoke(task, input, cx.clone());
        Box::pin(async move {
            cx.sleep(delay).await;
            run.await
        })
    }
}

/// Returns a number that depends on the whole text and the seed.
fn scatter(seed: u64, text: &str) -> u64 {
    let mixed = text.bytes().fold(seed ^ 0x9e37_79b9_7f4a_7c15, |mixed, byte| {
        (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
    });
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_give_orders_of_their_own() {
        let order = |seed: u64| {
            let mut calls = ["w/e/1", "w/e/2", "w/e/3", "w/e/4"];
            calls.sort_by_key(|call| scatter(seed, call) % LONGEST);
            calls
        };
        let orders: std::collections::BTreeSet<_> = (0..8).map(order).collect();
        assert!(orders.len() > 4, "{orders:?}");
        assert_eq!(order(3), order(3));
    }
}
