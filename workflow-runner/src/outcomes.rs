//! The receivers of outcomes by token.

#[cfg(feature = "durable")]
use std::sync::Arc;

#[cfg(feature = "durable")]
use tokio::sync::watch;
#[cfg(feature = "durable")]
use workflow_runtime::engine::{Engine, EngineError, Signal, TaskToken};
use workflow_runtime::machine::Outcome;
use workflow_runtime::{Callbacks, UnknownToken};

/// The receiver of outcomes by token: an execution in memory, or an engine.
#[derive(Clone)]
pub struct Outcomes {
    callbacks: Callbacks,
    /// The engine that receives outcomes in place of the callbacks, as soon as it has been sent.
    #[cfg(feature = "durable")]
    engine: Option<watch::Receiver<Option<Arc<dyn Engine>>>>,
}

/// The reasons to refuse an outcome.
#[derive(Debug)]
pub enum Refused {
    UnknownToken(UnknownToken),
    #[cfg(feature = "durable")]
    Engine(EngineError),
}

impl Outcomes {
    /// Delivers outcomes to executions in memory.
    pub fn new(callbacks: Callbacks) -> Outcomes {
        Outcomes {
            callbacks,
            #[cfg(feature = "durable")]
            engine: None,
        }
    }

    /// Returns the receiver of executions in memory.
    pub fn callbacks(&self) -> &Callbacks {
        &self.callbacks
    }

    /// Returns a channel for the engine. Outcomes go to the engine that is sent there.
    #[cfg(feature = "durable")]
    pub fn deliver_to_engine(&mut self) -> watch::Sender<Option<Arc<dyn Engine>>> {
        let sender = watch::Sender::new(None);
        self.engine = Some(sender.subscribe());
        sender
    }

    /// Delivers the outcome of a task.
    pub async fn deliver(&self, token: &str, outcome: Outcome) -> Result<(), Refused> {
        #[cfg(feature = "durable")]
        if let Some(engine) = self.engine().await {
            let signal = outcome.map_or_else(Signal::Fail, Signal::Succeed);
            return engine.signal(TaskToken::new(token), signal).await.map_err(Refused::Engine);
        }
        let delivered = match outcome {
            Ok(output) => self.callbacks.succeed(token, output),
            Err(fault) => self.callbacks.fail(token, fault),
        };
        delivered.map_err(Refused::UnknownToken)
    }

    /// Returns an error if no task waits for an outcome by this token.
    #[cfg(feature = "callbacks")]
    pub async fn check_token(&self, token: &str) -> Result<(), Refused> {
        #[cfg(feature = "durable")]
        if let Some(engine) = self.engine().await {
            return engine.signal(TaskToken::new(token), Signal::Check).await.map_err(Refused::Engine);
        }
        if self.callbacks.expects(token) { Ok(()) } else { Err(Refused::UnknownToken(UnknownToken)) }
    }

    /// Records that a task is alive.
    #[cfg(feature = "callbacks")]
    pub async fn heartbeat(&self, token: &str) -> Result<(), Refused> {
        #[cfg(feature = "durable")]
        if let Some(engine) = self.engine().await {
            return engine.signal(TaskToken::new(token), Signal::Heartbeat).await.map_err(Refused::Engine);
        }
        self.callbacks.heartbeat(token).map_err(Refused::UnknownToken)
    }

    /// Returns the engine, as soon as it has been sent.
    #[cfg(feature = "durable")]
    async fn engine(&self) -> Option<Arc<dyn Engine>> {
        let mut engine = self.engine.clone()?;
        engine.wait_for(Option::is_some).await.ok().and_then(|engine| engine.clone())
    }
}
