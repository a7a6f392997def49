//! Start events that do not correlate: any execution in its start state may accept them.

use workflow_runtime::{CloudEvent, include_workflow, value};

use crate::Served;

include_workflow!("tests/flows/socks.sw.json");

use socks::Socks;

pub(crate) fn sock(id: &str, kind: &str) -> CloudEvent {
    CloudEvent::new(id, "/shop", format!("sock.{kind}")).data(value!({ (kind): id }))
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_for_any_execution_starts_one_unless_one_accepts_it() {
    let Some(mut served) = Served::start::<Socks>(|service| service).await else { return };
    assert_eq!(served.post(&sock("1", "left")).await, (0, 1));
    assert_eq!(served.post(&sock("1", "left")).await, (1, 0));
    assert_eq!(served.post(&sock("2", "right")).await, (1, 0));
    // The first one has its pair.
    assert_eq!(served.post(&sock("3", "left")).await, (0, 1));
    served.executions.start("own", value!({})).await.unwrap();
    served.waits_in("own", "Match").await;
    served.restart().await;
    assert_eq!(served.post(&sock("4", "right")).await, (2, 0));
    served.waits_in("event /shop 3", "Wear").await;
    // It goes to all, and remains in the inbox of the one that has no pair.
    assert_eq!(served.executions.publish(&sock("5", "worn")).await, Ok(3));
    assert_eq!(served.outcome_of("event /shop 1").await, Ok(value!({ "left": "1", "right": "2", "worn": "5" })));
    assert_eq!(served.outcome_of("event /shop 3").await, Ok(value!({ "left": "3", "right": "4", "worn": "5" })));
    assert_eq!(served.post(&sock("6", "left")).await, (1, 0));
    assert_eq!(served.outcome_of("own").await, Ok(value!({ "left": "6", "right": "4", "worn": "5" })));
    assert_eq!(served.keys().len(), 3);
    for entry in ["members", "node"] {
        served.records_have(entry, "", false).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_for_any_execution_is_taken_once_however_it_is_sent() {
    let Some(served) = Served::start::<Socks>(|service| service).await else { return };
    served.executions.start("own", value!({})).await.unwrap();
    served.waits_in("own", "Match").await;
    assert_eq!(served.executions.publish(&sock("1", "left")).await, Ok(1));
    assert_eq!(served.post(&sock("1", "left")).await, (1, 0));
    assert_eq!(served.post(&sock("2", "right")).await, (1, 0));
    served.waits_in("own", "Wear").await;
    // Its object is not asked any more.
    assert_eq!(served.post(&sock("1", "left")).await, (1, 0));
    assert_eq!(served.keys(), ["own".to_owned()].into());
    // An event that started an execution is not for another one.
    assert_eq!(served.post(&sock("3", "left")).await, (0, 1));
    served.executions.start("other", value!({})).await.unwrap();
    served.waits_in("other", "Match").await;
    assert_eq!(served.executions.publish(&sock("3", "left")).await, Ok(1));
    // Both accept another one of this kind.
    assert_eq!(served.post(&sock("4", "left")).await, (2, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_for_any_execution_is_offered_again_if_all_that_had_it_were_killed() {
    let Some(served) = Served::start::<Socks>(|service| service).await else { return };
    for key in ["one", "other", "third"] {
        served.executions.start(key, value!({})).await.unwrap();
        served.waits_in(key, "Match").await;
    }
    served.kill("one").await;
    // Two of three have it.
    assert_eq!(served.post(&sock("1", "left")).await, (3, 0));
    served.was_given("other", 1).await;
    served.was_given("third", 1).await;
    served.records_have("members", "one", false).await;
    served.kill("other").await;
    served.kill("third").await;
    assert_eq!(served.post(&sock("2", "left")).await, (2, 0));
    served.waits_in("event /shop 2", "Match").await;
    assert_eq!(served.post(&sock("3", "right")).await, (1, 0));
    let keys = ["one", "other", "third", "event /shop 2"].map(str::to_owned);
    assert_eq!(served.keys(), keys.into());
}
