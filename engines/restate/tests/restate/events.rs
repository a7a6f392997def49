//! Events: inbox capacity, deduplication, and cancelled requests.

use std::time::Duration;

use workflow_restate::ClientError;
use workflow_runtime::{CloudEvent, Value, value};

use crate::children::{INBOX_CAPACITY, Served, member, paid, refused};
use crate::eventually;
use crate::server::server;

/// Sends events until one is refused. Returns the number of accepted ones.
async fn fill(served: &Served, key: &str, most: i64) -> i64 {
    for number in 0..most {
        match served.errands.send(key, &paid(number)).await {
            Ok(()) => {}
            Err(ClientError::Refused { status: 429, message }) => {
                assert!(message.contains("the inbox of the execution"), "{message}");
                return number;
            }
            Err(other) => panic!("{other}"),
        }
    }
    panic!("all are taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sends_an_event_too_many_is_refused() {
    const EVENTS: i64 = 2 * INBOX_CAPACITY as i64;
    for (version, journal_limit) in [("full", 2_000), ("full-short", 3)] {
        let Some(mut served) = Served::start_with(version, journal_limit).await else { return };
        let input = value!({ "ask": { "do": "work", "how": "permit" }, "events": EVENTS });
        served.begin("one", input).await;
        eventually(async || (served.office.calls("Work", "one.3-0") == 1).then_some(())).await;
        let taken = fill(&served, "one", EVENTS).await;
        assert!(taken >= INBOX_CAPACITY.into(), "{taken}");
        served.restart().await;
        assert_eq!(refused(served.errands.send("one", &paid("too many")).await), 429);
        // Published events do not reach it, but others.
        served.begin("two", value!({ "do": "wait", "events": 1 })).await;
        served.listeners(3).await;
        assert_eq!(served.errands.publish(&paid("published")).await, Ok(2));
        let reached = served.errands.publish_and_start(&paid("posted")).await.unwrap();
        assert_eq!((reached.started, reached.full), (0, 1));
        assert_eq!(member(&served.end("two").await, "got"), value!(["published"]));

        // Once it waits for them, it has capacity again.
        served.office.permits.add_permits(1);
        eventually(async || served.errands.send("one", &paid(taken)).await.ok()).await;
        served.listeners(1).await;
        assert_eq!(served.errands.publish(&paid(taken + 1)).await, Ok(1));
        for number in taken + 2..EVENTS {
            served.errands.send("one", &paid(number)).await.unwrap();
        }
        let got = member(&served.end("one").await, "got");
        let mut got: Vec<i64> = got.as_array().unwrap().iter().filter_map(Value::as_i64).collect();
        assert_eq!(got.len(), EVENTS as usize, "{got:?}");
        assert!(got[..taken as usize].is_sorted(), "{got:?}");
        got.sort_unstable();
        assert_eq!(got, (0..EVENTS).collect::<Vec<_>>());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn signals_at_the_same_time_lose_no_event_although_there_is_no_room() {
    let Some(served) = Served::start("crowd").await else { return };
    let input = value!({ "ask": { "do": "work", "how": "permit" }, "events": INBOX_CAPACITY + 20 });
    served.begin("one", input).await;
    eventually(async || (served.office.calls("Work", "one.3-0") == 1).then_some(())).await;
    let sends = (0..INBOX_CAPACITY as i64 + 40).map(|number| {
        let errands = served.errands.clone();
        tokio::spawn(async move { errands.send("one", &paid(number)).await.is_ok().then_some(number) })
    });
    let mut taken = Vec::new();
    for send in sends.collect::<Vec<_>>() {
        taken.extend(send.await.unwrap());
    }
    assert!(taken.len() >= INBOX_CAPACITY as usize, "{}", taken.len());
    served.office.permits.add_permits(1);
    for number in taken.len()..INBOX_CAPACITY as usize + 20 {
        let number = 1_000 + number as i64;
        eventually(async || served.errands.send("one", &paid(number)).await.ok()).await;
        taken.push(number);
    }
    let got = member(&served.end("one").await, "got");
    let mut got: Vec<i64> = got.as_array().unwrap().iter().filter_map(Value::as_i64).collect();
    got.sort_unstable();
    // It may have accepted more than it waits for.
    assert!(got.len() == INBOX_CAPACITY as usize + 20 && got.iter().all(|number| taken.contains(number)), "{got:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_waited_for_is_taken_although_there_is_no_room() {
    let Some(served) = Served::start("waited-for").await else { return };
    served.begin("one", value!({ "do": "wait", "events": 1, "done": true })).await;
    assert_eq!(served.waits("one", "events").await, value!([{ "name": "done", "type": "errand.done" }]));
    fill(&served, "one", 2 * INBOX_CAPACITY as i64).await;
    served.errands.send("one", &CloudEvent::new("1", "/errands", "errand.done").data("done")).await.unwrap();
    assert_eq!(member(&served.end("one").await, "got"), value!(["done"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_one_source_and_id_is_given_once() {
    let Some(mut served) = Served::start("once").await else { return };
    served.begin("one", value!({ "ask": { "do": "work", "how": "permit" }, "events": 5 })).await;
    served.listeners(2).await;
    let of = |id: &'static str, number: i64| CloudEvent::new(id, "/bank", "payment").subject("paid").data(number);
    served.errands.send("one", &of("a", 1)).await.unwrap();
    served.errands.send("one", &of("a", 1)).await.unwrap();
    served.restart().await;
    served.errands.send("one", &of("a", 1)).await.unwrap();
    assert_eq!(served.errands.publish(&of("a", 1)).await, Ok(2));
    for _ in 0..2 {
        assert_eq!(served.errands.publish(&of("b", 2)).await, Ok(2));
    }
    // One after the other.
    let sends = (0..8).map(|_| {
        let errands = served.errands.clone();
        tokio::spawn(async move { errands.send("one", &of("c", 3)).await.unwrap() })
    });
    for send in sends.collect::<Vec<_>>() {
        send.await.unwrap();
    }
    served.errands.send("one", &of("b", 2)).await.unwrap();
    served.errands.send("one", &CloudEvent::new("a", "/another", "payment").subject("paid").data(4)).await.unwrap();
    served.office.permits.add_permits(1);
    served.errands.send("one", &of("d", 5)).await.unwrap();
    let got = member(&served.end("one").await, "got");
    let mut got: Vec<i64> = got.as_array().unwrap().iter().filter_map(Value::as_i64).collect();
    got.sort_unstable();
    assert_eq!(got, [1, 2, 3, 4, 5]);
    // A client that missed the answer can ask again.
    served.errands.send("one", &of("d", 5)).await.unwrap();
    assert_eq!(refused(served.errands.send("one", &of("e", 6)).await), 409);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_delivers_an_event_and_is_cancelled_does_so() {
    let Some(mut served) = Served::start("cancelled").await else { return };
    served.begin("one", value!({ "do": "wait", "events": 3 })).await;
    served.listeners(1).await;
    served.server.abort();
    tokio::time::sleep(Duration::from_millis(50)).await;
    let (publisher, sender) = (served.errands.clone(), served.errands.clone());
    let publish = tokio::spawn(async move { publisher.publish(&paid(1)).await });
    let send = tokio::spawn(async move { sender.send("one", &paid(2)).await });
    let name = served.errands.name();
    for target in [format!("{name}.events/all/publish"), format!("{name}/one/signal")] {
        let query = format!("SELECT id FROM sys_invocation WHERE target = '{target}' AND status <> 'completed'");
        let invocation = eventually(async || {
            let answer = server().unwrap().query(&query);
            let (_, rest) = answer.split_once("\"id\":\"")?;
            Some(rest.split_once('"')?.0.to_owned())
        });
        server().unwrap().cancel(&invocation.await);
    }
    served.restart().await;
    let both = async { (publish.await.unwrap(), send.await.unwrap()) };
    assert_eq!(tokio::time::timeout(Duration::from_secs(60), both).await, Ok((Ok(1), Ok(()))));
    assert_eq!(served.errands.publish(&paid(3)).await, Ok(1));
    let got = member(&served.end("one").await, "got");
    let mut got: Vec<i64> = got.as_array().unwrap().iter().filter_map(Value::as_i64).collect();
    got.sort_unstable();
    assert_eq!(got, [1, 2, 3]);
}
