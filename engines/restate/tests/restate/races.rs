//! Races with the delivery of an event: an execution returns to its start state, a delivery is
//! retried, a start state ends, an operator kills an execution, an event comes again. Each is
//! repeated, because each could go well by accident.

use std::time::Duration;

use workflow_runtime::{CloudEvent, value};

use crate::correlation::events::each::Each;
use crate::event_triggers::bell::Bell;
use crate::event_triggers::gloves::Gloves;
use crate::event_triggers::knock::Knock;
use crate::event_triggers::{glove, order, slowly};

use crate::{Served, eventually};

/// Repetitions of a scenario.
const TIMES: u32 = 20;

/// An execution that is seen in its start state again is offered the next event that is posted,
/// because it waits until its report has arrived.
#[tokio::test(flavor = "multi_thread")]
async fn who_is_seen_in_the_start_state_again_is_offered_what_is_posted() {
    let Some(served) = Served::start::<Bell>(|service| service).await else { return };
    let bell = |id: String, kind: &str| {
        CloudEvent::new(id, "/door", format!("bell.{kind}")).extension("door", "front").data(value!({}))
    };
    assert_eq!(served.post(&bell("first".to_owned(), "rung")).await, (0, 1));
    for turn in 0..TIMES {
        served.waits_in("event /door first", "Answer").await;
        served.post(&bell(format!("answer {turn}"), "answered")).await;
        served.waits_in("event /door first", "Wait").await;
        assert_eq!(served.post(&bell(format!("ring {turn}"), "rung")).await, (1, 0), "{turn}");
    }
    assert_eq!(served.keys().len(), 1);
}

/// The event with which an execution begins has number 0, so it is first although its delivery is
/// retried.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_event_is_first_although_its_delivery_is_retried() {
    let Some(mut served) = Served::start::<Knock>(|service| service).await else { return };
    let knock = |id: &str, door: u32| {
        CloudEvent::new(id, "/door", "knock").extension("door", door.to_string()).data(value!({ "last": id }))
    };
    for door in 0..TIMES {
        let (first, second) = (format!("first-{door}"), format!("second-{door}"));
        let executions = served.executions.clone();
        let (one, other) = (knock(&first, door), knock(&second, door));
        let posts = tokio::spawn(async move {
            assert_eq!(executions.publish_and_start(&one).await.unwrap().started, 1);
            executions.publish(&other).await.unwrap()
        });
        // The process ends somewhere between the decision and the end of the deliveries.
        tokio::time::sleep(Duration::from_millis(u64::from(door) * 3)).await;
        served.restart().await;
        let published = tokio::time::timeout(Duration::from_secs(60), posts).await.expect("an answer").unwrap();
        assert_eq!(published, 1, "{door}");
        let outcome = served.outcome_of(&format!("event /door {first}")).await;
        assert_eq!(outcome, Ok(value!({ "last": second.as_str() })), "{door}");
    }
}

/// An event that the start state declines because its time is over remains with the execution if a
/// later state awaits it.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_start_state_consumes_no_more_is_for_a_later_state_of_the_same_execution() {
    let Some(served) = Served::start::<Knock>(|service| service.start_with(slowly)).await else { return };
    let knock =
        |id: &str, door: &str| CloudEvent::new(id, "/door", "knock").extension("door", door).data(value!({ (id): 1 }));
    for turn in 0..TIMES {
        let (own, door) = (format!("own {turn}"), format!("door {turn}"));
        served.executions.start_correlated(&own, value!({}), Some(&door)).await.unwrap();
        served.waits_in(&own, "Once").await;
        // Both arrive before the execution has seen the first one, in any order.
        let (one, other) = (format!("one-{turn}"), format!("other-{turn}"));
        let (sent, posted) = (knock(&one, &door), knock(&other, &door));
        let (sent, reached) = tokio::join!(served.executions.send(&own, &sent), served.post(&posted));
        assert!(sent.is_ok() && reached.0 == 1, "{turn}: {sent:?} {reached:?}");
        let both = value!({ (one): 1, (other): 1 });
        assert_eq!(served.outcome_of(&own).await, Ok(both), "{turn}");
    }
}

/// A delivery checks after its promise whether the execution lives, and returns the event
/// otherwise.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_posted_to_one_that_was_killed_starts_one_and_what_it_had_starts_nothing() {
    let Some(served) = Served::start::<Gloves>(|service| service).await else { return };
    for turn in 0..TIMES {
        let pair = format!("pair {turn}");
        let (first, had, next) = (format!("first-{turn}"), format!("had-{turn}"), format!("next-{turn}"));
        let key = format!("event /shop {first}");
        assert_eq!(served.post(&glove(&first, "left", &pair)).await, (0, 1), "{turn}");
        assert_eq!(served.post(&glove(&had, "left", &pair)).await, (1, 0), "{turn}");
        served.was_given(&key, 2).await;
        let event = glove(&next, "right", &pair);
        if turn % 2 == 0 {
            served.kill(&key).await;
            assert_eq!(served.post(&event).await, (1, 0), "{turn}");
            served.waits_in(&format!("event /shop {next}"), "Match").await;
        } else {
            // At the same time: it is killed before or after the event arrives.
            let kill = served.kill(&key);
            let (reached, ()) = tokio::join!(served.post(&event), kill);
            assert_eq!(reached, (1, 0), "{turn}");
        }
        assert!(!served.keys().contains(&format!("event /shop {had}")), "{turn}");
    }
}

/// A delivery compares the identities of subscriptions, because another execution may have the
/// key.
#[tokio::test(flavor = "multi_thread")]
async fn what_was_posted_to_one_that_was_removed_is_not_lost_with_another_one_of_its_key() {
    let Some(served) = Served::start::<Gloves>(|service| service).await else { return };
    for turn in 0..TIMES {
        let (own, first, other) = (format!("own {turn}"), format!("first {turn}"), format!("other {turn}"));
        served.executions.start_correlated(&own, value!({}), Some(&first)).await.unwrap();
        served.waits_in(&own, "Match").await;
        served.kill(&own).await;
        served.purge(&own).await;
        // The object of the first correlation key still has the one that was killed.
        served.executions.start_correlated(&own, value!({}), Some(&other)).await.unwrap();
        if turn % 2 == 0 {
            served.waits_in(&own, "Match").await;
        }
        let id = format!("left-{turn}");
        assert_eq!(served.post(&glove(&id, "left", &first)).await, (1, 0), "{turn}");
        served.waits_in(&format!("event /shop {id}"), "Match").await;
        served.waits_in(&own, "Match").await;
        assert_eq!(served.post(&glove(&format!("right-{turn}"), "right", &other)).await, (1, 0), "{turn}");
    }
}

/// An event that comes again after the deduplication window starts an execution, although Restate
/// still has the one before.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_comes_again_after_the_deduplication_window_starts_one() {
    let known = Duration::from_millis(200);
    let Some(served) = Served::start::<Each>(move |service| service.events_known_for(known)).await else { return };
    let event = order("1", "placed", "17");
    for turn in 0..TIMES {
        assert_eq!(served.post(&event).await, (0, 1), "{turn}");
        eventually(async || (served.keys().len() == turn as usize + 1).then_some(())).await;
        tokio::time::sleep(known).await;
    }
    assert!(served.keys().contains("event /shop 1"));
}
