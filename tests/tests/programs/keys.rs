//! Idempotency keys of calls that are repeated because a scope around them is retried. The keys of
//! one call are equal, and those of different calls differ, whatever calls an attempt has skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::testing::{self, VirtualClock};
use workflow_runtime::{Builder, Fault, TaskContext, Value, include_workflow, value};

include_workflow!("keys/payments.sm4c.json");

use payments::Payments;

/// The outcome of a call.
#[derive(Clone, Copy)]
enum Answer {
    Ok,
    Fails,
    Busy,
    Never,
}

use Answer::{Busy, Fails, Never, Ok as Paid};

/// A bank that answers calls by their names, in sequence. Calls without an answer succeed.
struct Bank {
    answers: Vec<(&'static str, Vec<Answer>)>,
    /// The name, the key and the attempt of each call.
    calls: Mutex<Vec<(String, String, u32)>>,
}

impl Bank {
    fn new<const N: usize>(answers: [(&'static str, &[Answer]); N]) -> Bank {
        let answers = answers.into_iter().map(|(name, answers)| (name, answers.to_vec()));
        Bank { answers: answers.collect(), calls: Mutex::default() }
    }

    /// Runs an execution, and returns its calls.
    #[track_caller]
    fn run(self, reload: bool, expected: Outcome) -> Vec<(String, String, u32)> {
        let builder = Builder::<Payments>::new().seed(1).name("run-1").clock(VirtualClock::new());
        let input = value!({ "items": [1, 2], "again": "none" });
        let outcome = testing::block_on(builder.reload_at_every_completion(reload).tasks(&self).run(input));
        assert_eq!(outcome.expect("it ends"), expected);
        self.calls.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Invoke for Bank {
    fn invoke<'a>(&'a self, _: &'static Task, input: Value, cx: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            let part = |name: &str| input.get(name).map(ToString::to_string).unwrap_or_default();
            let name = format!("{}{}", part("call").trim_matches('"'), part("of"));
            let before = {
                let mut calls = self.calls.lock().unwrap_or_else(PoisonError::into_inner);
                let before = calls.iter().filter(|(other, ..)| *other == name).count();
                calls.push((name.clone(), cx.idempotency_key(), cx.attempt()));
                before
            };
            let answers = self.answers.iter().find(|(of, _)| *of == name).map(|(_, answers)| &answers[..]);
            match answers.and_then(|answers| answers.get(before)).copied().unwrap_or(Paid) {
                Paid => Ok(Value::from(true)),
                Fails => Err(Fault::new("Refused", "no")),
                Busy => Err(Fault::new("Refused", "busy")),
                Never => std::future::pending().await,
            }
        })
    }
}

/// Checks that different calls have different keys, that the attempts of a call have different
/// numbers, and that each call was made as often as stated.
#[track_caller]
fn counted(calls: &[(String, String, u32)]) -> BTreeMap<&str, usize> {
    let mut keys: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, key, _) in calls {
        keys.entry(name).or_default().insert(key);
        names.entry(key).or_default().insert(name);
    }
    assert!(keys.values().all(|keys| keys.len() == 1), "a call has several keys: {keys:#?}");
    assert!(names.values().all(|names| names.len() == 1), "a key has several calls: {names:#?}");
    let attempts: BTreeSet<(&str, u32)> = calls.iter().map(|(_, key, attempt)| (&**key, *attempt)).collect();
    assert_eq!(attempts.len(), calls.len(), "an attempt was made twice: {calls:#?}");
    let count = |name: &str| calls.iter().filter(|(other, ..)| other == name).count();
    keys.into_keys().map(|name| (name, count(name))).collect()
}

#[test]
fn a_call_has_the_same_key_in_every_try_and_no_other_has_it() {
    for reload in [false, true] {
        let bank = Bank::new([
            // A fault or a time-out makes an attempt skip the calls that follow.
            ("a1", &[Paid, Fails]),
            ("a2", &[Paid, Fails]),
            ("b", &[Paid, Never]),
            // This scope gives up in the first outer attempt, after two attempts of its own.
            ("c1", &[Paid, Fails]),
            ("c2", &[Fails]),
            ("d1", &[Paid, Fails]),
            ("last", &[Fails, Fails]),
            // This scope gives up after its second attempt.
            ("f1", &[Paid, Fails]),
            ("f2", &[Busy]),
        ]);
        let calls = bank.run(reload, Ok(value!({ "items": "none", "again": "none" })));
        let expected = [
            ("a1", 3),
            ("a2", 2),
            ("a3", 1),
            ("after", 1),
            ("b", 3),
            ("c1", 4),
            ("c2", 3),
            ("c3", 2),
            ("d1", 3),
            ("d2", 2),
            ("d3", 3),
            ("e1", 3),
            ("e2", 3),
            ("each1", 1),
            ("each2", 1),
            ("f1", 2),
            ("f2", 1),
            ("g", 1),
            ("last", 3),
        ];
        assert_eq!(counted(&calls), BTreeMap::from(expected));
    }
}

#[test]
fn what_is_done_when_time_is_over_has_keys_of_its_own() {
    for reload in [false, true] {
        let bank = Bank::new([("a1", &[Paid, Never]), ("last", &[Fails])]);
        let calls = bank.run(reload, Ok(Value::Null));
        let made = counted(&calls);
        assert_eq!([made["a1"], made["a2"], made["refund"], made["tell"]], [2, 1, 1, 1]);
    }
}
