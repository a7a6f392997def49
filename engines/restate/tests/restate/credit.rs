//! Serverless Workflow that asks, and waits for an event with the answer. Events arrive before and
//! after the wait begins, repeatedly, with other correlation keys and with none, and the process
//! crashes meanwhile.

use std::time::Duration;

use workflow_runtime::machine::Outcome;
use workflow_runtime::{CloudEvent, Value, include_workflow, value};

use crate::children::refused;
use crate::{Served, eventually};

include_workflow!("tests/flows/credit.sw.json");

use credit::Credit;

/// Answers of the bureau about a customer.
fn answer(id: &str, customer: &str, decision: &str) -> CloudEvent {
    let data = value!({"decision": decision, "limit": id});
    CloudEvent::new(id, "/bureau", "bureau.answer").extension("customer", customer).data(data)
}

impl Served {
    async fn check(&self, key: &str, customer: &str) {
        assert!(!self.executions.start_correlated(key, value!({"sum": 1}), Some(customer)).await.unwrap().existed);
    }

    /// Waits until an execution waits for an event in this state.
    async fn awaits_event(&self, key: &str, state: &str) {
        let is_it = |wait: &Value| {
            wait.get("state") == Some(&state.into()) && wait.get("events").is_some_and(|events| !events.is_null())
        };
        let waits = async || {
            let status = self.executions.status(key).await.ok()?;
            status.get("waits")?.as_array()?.iter().any(is_it).then_some(())
        };
        eventually(waits).await;
    }

    /// Returns the tasks of an execution. A task that was running at the crash counts once.
    fn done(&self, key: &str) -> Vec<&'static str> {
        let mut begun = self.desk.begun(key);
        begun.dedup();
        begun
    }

    async fn ended(&self, key: &str) -> Outcome {
        let ended = tokio::time::timeout(Duration::from_secs(60), self.executions.attach(key)).await;
        ended.expect("it ends").unwrap()
    }
}

fn decided(decision: &str, id: &str) -> Outcome {
    Ok(value!({"sum": 1, "decision": decision, "limit": id}))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bureau_answers_the_right_check() {
    for journal in [2_000, 3] {
        let Some(mut served) = Served::start::<Credit>(move |service| service.journal_limit(journal)).await else {
            return;
        };
        let all = served.executions.clone();
        // The bureau answers while the request is still running.
        served.desk.close(true);
        served.check("early", "7").await;
        eventually(async || (served.desk.begun("early") == ["askBureau"]).then_some(())).await;
        assert_eq!(refused(all.send("early", &answer("1", "8", "denied")).await), 422);
        let nobody = CloudEvent::new("2", "/bureau", "bureau.answer").data(value!({"decision": "denied"}));
        assert_eq!(refused(all.send("early", &nobody).await), 422);
        assert_eq!(all.publish(&answer("3", "7", "open")).await, Ok(1));
        all.send("early", &answer("3", "7", "open")).await.unwrap();
        all.send("early", &answer("4", "7", "granted")).await.unwrap();
        assert_eq!(all.publish(&answer("4", "7", "granted")).await, Ok(1));
        assert_eq!(all.outcome("early").await, Ok(None));
        served.desk.close(false);
        served.restart().await;
        assert_eq!(served.ended("early").await, decided("granted", "4"));
        // The task that was running ran again, all others once, each with its own key.
        assert_eq!(served.desk.begun("early"), ["askBureau", "askBureau", "insist", "grant"]);
        assert_eq!(served.desk.runs("early").iter().sum::<u32>(), 4);
        assert_eq!(served.desk.runs("early").len(), 3);

        // It answers those that wait: two of one customer, and one of another.
        for (key, customer) in [("one", "8"), ("two", "8"), ("other", "9")] {
            served.check(key, customer).await;
            served.awaits_event(key, "Ask").await;
        }
        served.restart().await;
        // Executions with another key do not receive it.
        all.publish(&answer("5", "8", "denied")).await.unwrap();
        served.restart().await;
        all.publish(&answer("5", "8", "denied")).await.unwrap();
        for key in ["one", "two"] {
            assert_eq!(served.ended(key).await, decided("denied", "5"));
            assert_eq!(served.done(key), ["askBureau", "deny"]);
            assert_eq!(refused(all.send(key, &answer("6", "8", "granted")).await), 409);
        }
        served.awaits_event("other", "Ask").await;
        // It leaves the question open, and publishes nothing more.
        all.send("other", &answer("7", "9", "open")).await.unwrap();
        served.restart().await;
        assert_eq!(served.ended("other").await, decided("open", "7"));
        assert_eq!(served.done("other"), ["askBureau", "insist", "escalate"]);
    }
}
