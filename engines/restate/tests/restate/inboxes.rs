//! Inboxes that are full while others have room, events that nobody has seen when an execution
//! ends, and events for an execution that was removed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use workflow_restate::{ClientError, Service};
use workflow_runtime::fault::names::CANCELLED;
use workflow_runtime::value;

use crate::event_triggers::glove;
use crate::event_triggers::gloves::Gloves;
use crate::server::server;
use crate::uncorrelated::sock;
use crate::uncorrelated::socks::Socks;
use crate::{Served, eventually};

/// Returns a flag, and a setting with which no execution continues while the flag is set. Events
/// arrive all the same.
fn pause() -> (Arc<AtomicBool>, impl Fn(Service) -> Service + Send + Sync + 'static) {
    let flag = Arc::new(AtomicBool::new(false));
    let pauses = flag.clone();
    let set_up = move |service: Service| {
        let pauses = pauses.clone();
        service.start_with(move |_| {
            tokio::task::block_in_place(|| {
                while pauses.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
        })
    };
    (flag, set_up)
}

/// Starts the executions `one` and `other`, whose inboxes hold two events, and fills the inbox of
/// `one`. `None` without a server.
async fn with_a_full_inbox(set_up: impl Fn(Service) -> Service + Send + Sync + 'static) -> Option<Served> {
    let served = Served::start::<Socks>(move |service| set_up(service).events_kept(2)).await?;
    for key in ["one", "other"] {
        served.executions.start(key, value!({})).await.unwrap();
        served.waits_in(key, "Match").await;
    }
    for id in ["7", "8"] {
        served.executions.send("one", &sock(id, "worn")).await.unwrap();
    }
    served.records_have("members", "_full_:", true).await;
    served.is_suspended("one").await;
    Some(served)
}

/// Each correlation key has an object of its own, which decides without the others.
#[tokio::test(flavor = "multi_thread")]
async fn who_has_a_full_inbox_among_several_keys_takes_the_event_when_it_comes_again() {
    let (pauses, set_up) = pause();
    let Some(served) = with_a_full_inbox(set_up).await else { return };
    pauses.store(true, Ordering::SeqCst);
    // It is awaited, so it is taken. It has not been seen yet, and so nothing more is.
    served.executions.send("one", &sock("1", "left")).await.unwrap();
    let right = sock("2", "right");
    for _ in 0..2 {
        match served.executions.publish_and_start(&right).await {
            Err(ClientError::Refused { status: 429, message }) => assert!(message.contains("`one`"), "{message}"),
            other => panic!("{other:?}"),
        }
    }
    pauses.store(false, Ordering::SeqCst);
    let reached = eventually(async || served.executions.publish_and_start(&right).await.ok()).await;
    assert_eq!((reached.executions, reached.started, reached.full), (2, 0, 0));
    assert_eq!(served.outcome_of("one").await, Ok(value!({ "left": "1", "right": "2", "worn": "7" })));
    // The other one had it from the beginning, and once.
    assert_eq!(served.post(&sock("3", "left")).await, (1, 0));
    served.waits_in("other", "Wear").await;
    assert_eq!(served.executions.publish(&sock("9", "worn")).await, Ok(1));
    assert_eq!(served.outcome_of("other").await, Ok(value!({ "left": "3", "right": "2", "worn": "9" })));
    assert_eq!(served.post(&right).await, (1, 0));
    assert_eq!(served.keys(), ["one", "other"].map(str::to_owned).into());
}

/// Its sender repeats it, and one that has declined it does not decide for the others.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_was_refused_is_not_offered_again_when_one_that_has_it_ends() {
    let (pauses, set_up) = pause();
    let Some(served) = with_a_full_inbox(set_up).await else { return };
    // Its object still has it, and has the event back once its delivery has found it dead.
    served.kill("other").await;
    pauses.store(true, Ordering::SeqCst);
    served.executions.send("one", &sock("1", "left")).await.unwrap();
    let right = sock("2", "right");
    let refused = served.executions.publish_and_start(&right).await;
    assert!(matches!(refused, Err(ClientError::Refused { status: 429, .. })), "{refused:?}");
    served.has_completed("declined").await;
    pauses.store(false, Ordering::SeqCst);
    let reached = eventually(async || served.executions.publish_and_start(&right).await.ok()).await;
    assert_eq!((reached.executions, reached.started, reached.full), (1, 0, 0));
    assert_eq!(served.outcome_of("one").await, Ok(value!({ "left": "1", "right": "2", "worn": "7" })));
    assert_eq!(served.post(&right).await, (1, 0));
    assert_eq!(served.keys(), ["one", "other"].map(str::to_owned).into());
}

#[tokio::test(flavor = "multi_thread")]
async fn many_events_that_nobody_has_seen_are_returned_in_parts_and_in_order() {
    const EVENTS: u32 = 300;
    let (pauses, set_up) = pause();
    let Some(served) = Served::start::<Socks>(set_up).await else { return };
    served.executions.start("own", value!({})).await.unwrap();
    served.waits_in("own", "Match").await;
    served.is_suspended("own").await;
    pauses.store(true, Ordering::SeqCst);
    for first in (0..EVENTS).step_by(50) {
        let sends = (first..first + 50).map(|number| {
            let executions = served.executions.clone();
            tokio::spawn(async move { executions.send("own", &sock(&number.to_string(), "worn")).await })
        });
        for send in sends.collect::<Vec<_>>() {
            send.await.unwrap().unwrap();
        }
        // In the second and in the last part.
        match first {
            100 => assert_eq!(served.post(&sock("first", "left")).await, (1, 0)),
            250 => assert_eq!(served.post(&sock("last", "right")).await, (1, 0)),
            _ => {}
        }
    }
    served.executions.cancel("own").await.unwrap();
    pauses.store(false, Ordering::SeqCst);
    assert_eq!(served.outcome_of("own").await.unwrap_err().error(), Some(CANCELLED));
    // The first one starts an execution, which takes the last one.
    served.waits_in("event /shop first", "Wear").await;
    assert_eq!(served.executions.publish(&sock("new", "worn")).await, Ok(1));
    let outcome = value!({ "left": "first", "right": "last", "worn": "new" });
    assert_eq!(served.outcome_of("event /shop first").await, Ok(outcome));
    assert_eq!(served.keys(), ["event /shop first", "own"].map(str::to_owned).into());
    let invocations = |condition: &str| {
        let answer = server()
            .unwrap()
            .query(&format!("SELECT COUNT(*) AS n, MAX(journal_size) AS size FROM sys_invocation WHERE {condition}"));
        let number = |name: &str| -> u32 {
            let (_, rest) = answer.split_once(&format!("\"{name}\":")).unwrap_or_else(|| panic!("{answer}"));
            rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
        };
        (number("n"), number("size"))
    };
    let own = format!("{}/own", served.executions.name());
    let (_, run) = invocations(&format!("target = '{own}/run'"));
    let (parts, part) = invocations(&format!("target = '{own}/deliver' AND invoked_by_target = '{own}/run'"));
    assert!(parts == 4 && run < 200 && part < 500, "parts: {parts}, run: {run}, part: {part}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_for_an_execution_that_was_removed_leaves_no_promise() {
    let Some(served) = Served::start::<Gloves>(|service| service).await else { return };
    served.executions.start("own", value!({})).await.unwrap();
    served.waits_in("own", "Match").await;
    served.kill("own").await;
    served.purge("own").await;
    // Its object still has it.
    assert_eq!(served.post(&glove("1", "left", "own")).await, (1, 0));
    served.waits_in("event /shop 1", "Match").await;
    let query = format!(
        "SELECT key FROM sys_promise WHERE service_name = '{}' AND service_key = 'own'",
        served.executions.name()
    );
    let answer = server().unwrap().query(&query);
    assert!(!answer.contains("\"key\""), "{answer}");
}
