//! Outcomes of tasks by token.

use workflow_runtime::engine::{Capability, EngineError, Signal, TaskToken};
use workflow_runtime::{Fault, Value, value};

use crate::Verdict;
use crate::case::Case;
use crate::expect::{equal, refused};

fn is_unknown(error: &EngineError) -> bool {
    matches!(error, EngineError::UnknownToken { .. })
}

pub async fn a_token_delivers_an_output(case: &mut Case) -> Verdict {
    let token = case.start_asking("one").await?;
    match case.has(Capability::BareTokens) {
        true => case.engine.signal(TaskToken::new(&token), Signal::Succeed(value!({ "yes": true }))).await?,
        false => case.signal("one", &token, Signal::Succeed(value!({ "yes": true }))).await?,
    }
    let output = case.succeeds("one").await?;
    equal("the output", output, value!({ "answer": { "yes": true }, "after": "after" }))
}

pub async fn a_token_delivers_a_fault(case: &mut Case) -> Verdict {
    let token = case.start_asking("one").await?;
    case.signal("one", &token, Signal::Fail(Fault::new("Refused", "no"))).await?;
    equal("the output", case.succeeds("one").await?, value!("refused"))
}

pub async fn heartbeats_and_checks_leave_a_task_waiting(case: &mut Case) -> Verdict {
    let token = case.start_asking("one").await?;
    for signal in [Signal::Check, Signal::Heartbeat, Signal::Check] {
        case.signal("one", &token, signal).await?;
    }
    equal("the token", case.token("one").await?, token.clone())?;
    case.signal("one", &token, Signal::Succeed(Value::Null)).await?;
    case.succeeds("one").await.map(drop)
}

pub async fn a_wrong_token_is_refused(case: &mut Case) -> Verdict {
    let token = case.start_asking("one").await?;
    let wrong = "00000000-8f1a-45ea-8f4e-e4f2cbf066c7";
    for signal in [Signal::Check, Signal::Heartbeat, Signal::Succeed(Value::Null)] {
        let what = format!("{signal:?} of a wrong token");
        refused(&what, case.signal("one", wrong, signal).await, is_unknown)?;
    }
    equal("the token", case.token("one").await?, token)
}

pub async fn a_token_of_another_execution_is_refused(case: &mut Case) -> Verdict {
    let (one, other) = (case.start_asking("one").await?, case.start_asking("other").await?);
    refused(
        "a token of another execution",
        case.signal("one", &other, Signal::Succeed(Value::Null)).await,
        is_unknown,
    )?;
    case.signal("other", &other, Signal::Succeed(Value::Null)).await?;
    case.signal("one", &one, Signal::Succeed(Value::Null)).await?;
    case.succeeds("one").await?;
    case.succeeds("other").await.map(drop)
}

pub async fn a_token_is_used_once(case: &mut Case) -> Verdict {
    let token = case.start_asking("one").await?;
    case.desk().hold("after");
    case.signal("one", &token, Signal::Succeed(value!(1))).await?;
    case.eventually("the execution continues", async || case.desk().calls("after") == 1).await?;
    for signal in [Signal::Check, Signal::Succeed(value!(2)), Signal::Fail(Fault::new("Refused", "no"))] {
        let what = format!("{signal:?} of a used token");
        refused(&what, case.signal("one", &token, signal).await, is_unknown)?;
    }
    case.desk().release("after");
    equal("the output", case.succeeds("one").await?, value!({ "answer": 1, "after": "after" }))
}

pub async fn a_token_lapses_with_its_execution(case: &mut Case) -> Verdict {
    let token = case.start_asking("one").await?;
    case.engine.cancel("one", "").await?;
    drop(case.outcome("one").await?);
    for signal in [Signal::Check, Signal::Heartbeat, Signal::Succeed(Value::Null)] {
        let what = format!("{signal:?} of a lapsed token");
        let is_lapsed = |error: &EngineError| is_unknown(error) || matches!(error, EngineError::NotNow { .. });
        refused(&what, case.signal("one", &token, signal).await, is_lapsed)?;
    }
    Ok(())
}
