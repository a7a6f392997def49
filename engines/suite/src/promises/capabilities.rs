//! Refusals of what an engine cannot do.

use std::fmt::Debug;
use std::time::Duration;

use workflow_runtime::engine::{
    Capability, Engine, EngineError, Filter, MapUpdate, Purge, Signal, StartRequest, TaskToken,
};
use workflow_runtime::{Object, value};

use crate::Verdict;
use crate::case::{Case, noted};
use crate::expect::refused;
use crate::flows::Names;

/// Expects a request to be refused because of a missing capability.
fn unsupported<T: Debug>(missing: Capability, answer: Result<T, EngineError>) -> Verdict {
    let is_it =
        |error: &EngineError| matches!(error, EngineError::Unsupported { capability, .. } if *capability == missing);
    refused(&format!("a request that needs {missing}"), answer, is_it)
}

pub async fn missing_capabilities_are_refused(case: &mut Case) -> Verdict {
    case.start_asking("one").await?;
    case.start(Names::GATHER, "listening").await?;
    let engine: &dyn Engine = &*case.engine;
    let start = || StartRequest::new(Names::STEPS, value!({}));
    for missing in Capability::ALL.into_iter().filter(|capability| !case.has(*capability)) {
        match missing {
            Capability::Keys => unsupported(missing, engine.start(start().key("17")).await)?,
            Capability::Delays => unsupported(missing, engine.start(start().after(Duration::from_secs(1))).await)?,
            Capability::Settings => {
                let mut settings = Object::new();
                settings.insert("Name", "a value");
                unsupported(missing, engine.start(start().settings(settings)).await)?;
            }
            Capability::Causes => unsupported(missing, engine.cancel("one", "a cause").await)?,
            Capability::BareTokens => {
                let token = case.token("one").await?;
                unsupported(missing, engine.signal(TaskToken::new(&token), Signal::Check).await)?;
            }
            Capability::Lists => unsupported(missing, engine.list(&Filter::all()).await)?,
            Capability::Histories => unsupported(missing, engine.history("one", 0, 10, 1_000).await)?,
            Capability::Redrives => unsupported(missing, engine.redrive("one").await)?,
            Capability::MapUpdates => {
                unsupported(missing, engine.update_map("one", MapUpdate::new().max_concurrency(1)).await)?;
            }
            Capability::Purges => unsupported(missing, engine.purge(Duration::ZERO, Purge::Executions).await)?,
            Capability::Batches => {
                unsupported(missing, engine.send("listening", vec![noted(1), noted(2)]).await)?;
            }
            Capability::Counts => unsupported(missing, engine.counts().await)?,
            // No single request needs these.
            _ => {}
        }
    }
    Ok(())
}
