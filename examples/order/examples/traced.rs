//! Reports an order to `tracing`: the steps of the workflow, and the work of its tasks.
//!
//! ```text
//! cargo run -p order --example traced
//! ```

use order::order::Order;
use order::shop::Shop;
use tracing::{Instrument, Level, info, info_span};
use tracing_subscriber::filter::FilterFn;
use tracing_subscriber::fmt;
use tracing_subscriber::prelude::*;
use workflow_runtime::machine::Task;
use workflow_runtime::observe::Tracing;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Builder, Fault, TaskContext, Value, value};

/// Shows all spans, and events from `INFO` on. The spans of states have the level `DEBUG`. Without
/// the span of its state, an event does not even name its execution.
fn levels() -> FilterFn {
    FilterFn::new(|metadata| metadata.is_span() || *metadata.level() <= Level::INFO)
}

/// Tasks that run in a span each, so that the lines of a task name the execution and the attempt.
struct InSpans<T>(T);

impl<T: Invoke> Invoke for InSpans<T> {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        let span = info_span!("task", key = task.key, execution = cx.execution_id(), attempt = cx.attempt());
        let running = self.0.invoke(task, input, cx);
        let logged = async move {
            let outcome = running.await;
            info!(succeeded = outcome.is_ok(), "the task has ended");
            outcome
        };
        Box::pin(logged.instrument(span))
    }
}

/// Runs an order whose card is declined.
async fn run(observer: Tracing) -> Result<Value, Fault> {
    let order = value!({
        "id": 8, "email": "bob@example.org", "card": "4000 0000 0000 0002",
        "items": [{ "sku": "piano", "quantity": 1 }]
    });
    let shop = Shop::default();
    let execution = Builder::<Order>::new().name("order-8").clock(VirtualClock::new()).observer(observer);
    execution.tasks(&InSpans(Order::bind(&shop))).run(order).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    tracing_subscriber::registry().with(levels()).with(fmt::layer().without_time().with_target(false)).init();
    // The observer has reported the outcome.
    let _outcome = run(Tracing::new().without_payloads()).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};
    use workflow_runtime::testing;

    /// A writer whose clones share a buffer.
    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<Vec<u8>>>);

    impl Write for Page {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("a page").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns the lines of the order.
    fn lines(observer: Tracing) -> String {
        let page = Page::default();
        let writer = page.clone();
        let shown = fmt::layer().without_time().with_target(false).with_writer(move || writer.clone());
        let subscriber = tracing_subscriber::registry().with(levels()).with(shown);
        let outcome = tracing::subscriber::with_default(subscriber, || testing::block_on(run(observer)));
        assert!(matches!(outcome, Some(Err(_))), "{outcome:?}");
        let bytes = page.0.lock().expect("a page").clone();
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn events_are_in_the_span_of_their_state_and_lines_of_tasks_in_their_own() {
        let lines = lines(Tracing::new().without_payloads());
        for part in [
            r#"execution{workflow="order" execution="order-8"}:state{state="ReserveGoods"}: "#,
            r#"state retried error="StoreBusy" retry=1 delay=1.0"#,
            r#"task failed task="ChargeCard" error="CardDeclined""#,
            r#"task{key="ReserveGoods" execution="order-8" attempt=2}: the task has ended succeeded=true"#,
            r#"execution failed error="OrderRejected""#,
        ] {
            assert!(lines.contains(part), "{part}\nis not in\n{lines}");
        }
        assert!(!lines.contains("bob@example.org") && !lines.contains("4000"), "{lines}");
    }

    #[test]
    fn paths_are_redacted_in_every_payload() {
        assert!(lines(Tracing::new()).contains("4000 0000 0000 0002"));
        let lines = lines(Tracing::new().redact(["$..card"]).expect("a valid path"));
        assert!(lines.contains("bob@example.org") && !lines.contains("4000 0000"), "{lines}");
    }
}
