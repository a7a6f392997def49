//! Times of deliveries whose transactions have to wait.

use std::sync::Arc;
use std::time::Duration;

use crate::errand::Errand;
use crate::place::{Place, clock, process, until};
use workflow_runtime::clock::Clock;
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{CloudEvent, TaskContext, Value, value};
use workflow_sqlite::{Engine, Status};

struct NoTasks;

impl Invoke for NoTasks {
    fn invoke<'a>(&'a self, _: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(std::future::pending())
    }
}

#[test]
fn a_delivery_has_the_time_of_its_transaction() {
    let (place, clock) = (Place::new("moments"), clock());
    process(async {
        let builder = Engine::at(place.file()).workflow::<Errand>(Arc::new(NoTasks)).clock(clock.clone());
        let engine = builder.open().await.expect("a new database");
        let start = async |id: &str, input: Value| {
            engine.start::<Errand>(input).id(id).submit().await.expect("a start");
            let waits = || engine.execution(id).and_then(|one| one.describe()).is_ok_and(|one| !one.waiting.is_empty());
            until("it waits", waits).await;
        };
        start("receives", value!({ "do": "wait", "events": 9, "done": true })).await;
        start("is-sent", value!({ "do": "wait", "events": 9 })).await;
        // It publishes an event as soon as it begins.
        let publishes = engine.start::<Errand>(value!({ "do": "wait" })).id("publishes").after(Duration::from_secs(10));
        publishes.submit().await.expect("a start");
        // Another program writes meanwhile.
        let other = rusqlite::Connection::open(place.file()).expect("a database");
        other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
        clock.advance(Duration::from_secs(10));
        let is_sent = engine.execution("is-sent").expect("it is there");
        let event = CloudEvent::new("1", "/bank", "payment").subject("paid").data(1);
        let sent = tokio::spawn(async move { is_sent.send(event).await });
        tokio::time::sleep(Duration::from_millis(200)).await;
        clock.advance(Duration::from_secs(5));
        let now = clock.now().as_micros();
        other.execute_batch("ROLLBACK").expect("the lock is released");
        assert_eq!(sent.await.expect("no panic"), Ok(()));
        let has_ended = || engine.execution("publishes").and_then(|one| one.summary());
        until("it has published", || has_ended().is_ok_and(|(one, _)| one.status == Status::Succeeded)).await;
        // The payment has one addressee, and the published event every execution.
        let text = "SELECT count(*), min(delivered_at), max(delivered_at) FROM delivered_events";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        assert_eq!(other.query_row(text, [], read), Ok((4, now, now)));
    });
}
