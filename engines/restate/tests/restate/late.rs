//! Signals that are late, early, or repeated.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use workflow_restate::ClientError;
use workflow_runtime::value;

use crate::answer::Answer;
use crate::countdown::Countdown;
use crate::server::server;
use crate::shop::Shop;
use crate::twice::Twice;
use crate::{Served, eventually};

#[tokio::test(flavor = "multi_thread")]
async fn an_outcome_that_comes_after_its_time_is_too_late() {
    let Some(mut served) = Served::start::<Answer>(|service| service).await else { return };
    let executions = served.executions.clone();
    executions.start("late", value!({})).await.unwrap();
    let token = served.token("late").await;
    let query = format!("SELECT status FROM sys_invocation WHERE target = '{}/late/run'", executions.name());
    eventually(async || server().unwrap().query(&query).contains("suspended").then_some(())).await;
    served.server.abort();
    // The time-out has passed by then, and Restate has retried so often that it pauses before the
    // next retry.
    tokio::time::sleep(Duration::from_secs(7)).await;
    let answered = tokio::spawn(async move { executions.succeed("late", &token, "in time").await });
    served.restart().await;
    // The handler cannot know that.
    answered.await.unwrap().unwrap();
    assert_eq!(served.executions.attach("late").await.unwrap(), Ok("too late".into()));
}

/// Signals are handled, but executions do not continue, as if another process ran them that is not
/// available.
#[tokio::test(flavor = "multi_thread")]
async fn signs_of_life_count_that_came_while_no_execution_ran() {
    let away = Arc::new(AtomicBool::new(false));
    let is_away = away.clone();
    let set_up = move |service: workflow_restate::Service| {
        let away = is_away.clone();
        service.start_with(move |_| {
            tokio::task::block_in_place(|| {
                while away.load(Ordering::SeqCst) {
                    std::thread::sleep(Duration::from_millis(10));
                }
            });
        })
    };
    let Some(mut served) = Served::start::<Twice>(set_up).await else { return };
    let executions = served.executions.clone();
    const KEYS: [&str; 3] = ["answered", "patient", "silent"];
    let mut tokens = Vec::new();
    for key in KEYS {
        executions.start(key, value!({})).await.unwrap();
        tokens.push(served.token(key).await);
    }
    let suspended = async |key: &str| {
        let query = format!("SELECT status FROM sys_invocation WHERE target = '{}/{key}/run'", executions.name());
        eventually(async || server().unwrap().query(&query).contains("suspended").then_some(())).await;
    };
    for key in KEYS {
        suspended(key).await;
    }
    away.store(true, Ordering::SeqCst);
    // The time-out is six seconds, so that a busy machine does not miss it. Heartbeats arrive for
    // ten, those of the silent one for the first two.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(10) {
        for (key, token) in KEYS.iter().zip(&tokens) {
            if begun.elapsed() < Duration::from_secs(2) || *key != "silent" {
                executions.heartbeat(key, token).await.unwrap();
            }
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    executions.succeed("answered", &tokens[0], "in time").await.unwrap();
    executions.heartbeat("patient", &tokens[1]).await.unwrap();
    executions.succeed("silent", &tokens[2], "in time").await.unwrap();
    away.store(false, Ordering::SeqCst);
    // The journal has the recorded answer.
    suspended("patient").await;
    served.restart().await;
    executions.heartbeat("patient", &tokens[1]).await.unwrap();
    executions.succeed("patient", &tokens[1], "in time").await.unwrap();
    for (key, first) in KEYS.iter().zip(["in time", "in time", "silent"]) {
        let again = eventually(async || served.desk.tokens(key).get(1).cloned()).await;
        suspended(key).await;
        served.restart().await;
        executions.succeed(key, &again, "again").await.unwrap();
        assert_eq!(executions.attach(key).await.unwrap(), Ok(value!({ "first": first, "second": "again" })), "{key}");
        assert_eq!(served.desk.tokens(key).len(), 2, "each token is handed out once");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_execution_keeps_to_the_limit_that_it_was_started_with() {
    let limit = Arc::new(AtomicU64::new(u64::MAX));
    let said = limit.clone();
    let set_up = move |service: workflow_restate::Service| service.journal_limit(said.load(Ordering::Relaxed));
    let Some(mut served) = Served::start::<Countdown>(set_up).await else { return };
    let executions = served.executions.clone();
    let segments = |key: &str| {
        let target = format!("{}/{key}/segment", executions.name());
        let query = format!("SELECT id FROM sys_invocation WHERE target = '{target}'");
        server().unwrap().query(&query).matches("\"id\"").count()
    };
    for (key, before, after) in [("long", u64::MAX, 20), ("short", 20, u64::MAX)] {
        limit.store(before, Ordering::Relaxed);
        served.restart().await;
        executions.start(key, value!({ "left": 120 })).await.unwrap();
        let token = served.token(key).await;
        eventually(async || (served.desk.begun(key).len() > 30).then_some(())).await;
        limit.store(after, Ordering::Relaxed);
        served.restart().await;
        eventually(async || (served.desk.begun(key).len() > 120).then_some(())).await;
        executions.succeed(key, &token, "asked").await.unwrap();
        assert_eq!(executions.attach(key).await.unwrap(), Ok(value!([{ "left": 0 }, "asked"])));
        let segments = segments(key);
        assert_eq!((segments == 0, segments > 6), (key == "long", key == "short"), "{key}: {segments}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_never_started_is_not_cancelled() {
    let Some(served) = Served::start::<Shop>(|service| service).await else { return };
    let cancelled = served.executions.cancel("later").await.unwrap_err();
    assert!(matches!(cancelled, ClientError::Refused { status: 404, .. }), "{cancelled:?}");
    assert!(served.run("later", value!({ "card": "good" })).await.is_ok());
    // An ended execution stays as it is.
    served.executions.cancel("later").await.unwrap();
    assert!(served.executions.attach("later").await.unwrap().is_ok());
}
