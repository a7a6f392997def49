//! Capabilities of engines.

use std::fmt;

use super::{EngineError, EngineFuture};

/// Ability that an engine can lack.
///
/// See the example of [`Capabilities`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Capability {
    /// Start of executions, and changes of existing ones. A view of a store lacks it.
    Changes,
    /// Idempotency keys of starts.
    Keys,
    /// Starts at a later time.
    Delays,
    /// Settings of the caller for the executions that it starts.
    Settings,
    /// The cause of a cancellation.
    Causes,
    /// Signals by the token alone, without the id of the execution.
    BareTokens,
    /// Lists of executions.
    Lists,
    /// Histories of executions.
    Histories,
    /// Continuation of failed executions.
    Redrives,
    /// Changes of runs of distributed Maps.
    MapUpdates,
    /// Removal of executions that have ended.
    Purges,
    /// Publication of several events as a whole.
    Batches,
    /// Executions that outlive the engine: an engine that is opened again continues them.
    Durability,
    /// Numbers of executions and of waiting events, without a list of them.
    Counts,
    /// Work in this process: the engine runs the executions itself, and its shutdown waits for
    /// running tasks. The client of a server lacks it, and its shutdown ends only the client.
    Workers,
}

impl Capability {
    /// All capabilities.
    pub const ALL: [Capability; 15] = [
        Capability::Changes,
        Capability::Keys,
        Capability::Delays,
        Capability::Settings,
        Capability::Causes,
        Capability::BareTokens,
        Capability::Lists,
        Capability::Histories,
        Capability::Redrives,
        Capability::MapUpdates,
        Capability::Purges,
        Capability::Batches,
        Capability::Durability,
        Capability::Counts,
        Capability::Workers,
    ];
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Capability::Changes => "changes of executions",
            Capability::Keys => "idempotency keys",
            Capability::Delays => "delayed starts",
            Capability::Settings => "settings of a start",
            Capability::Causes => "causes of cancellations",
            Capability::BareTokens => "tokens without the id of their execution",
            Capability::Lists => "lists of executions",
            Capability::Histories => "histories",
            Capability::Redrives => "redrives",
            Capability::MapUpdates => "changes of runs of distributed Maps",
            Capability::Purges => "purges",
            Capability::Batches => "batches of events",
            Capability::Durability => "durable executions",
            Capability::Counts => "counts of executions",
            Capability::Workers => "work in its own process",
        })
    }
}

/// Capabilities of an engine, with a hint for each that is missing.
///
/// ```
/// use workflow_runtime::engine::{Capabilities, Capability};
///
/// let capabilities = Capabilities::all("shelf").without(Capability::Redrives, "start a new execution");
/// assert!(capabilities.have(Capability::Lists));
/// let error = capabilities.check(Capability::Redrives).expect_err("a missing capability");
/// assert_eq!(error.to_string(), "the engine `shelf` does not support redrives: start a new execution");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    engine: &'static str,
    missing: Vec<(Capability, &'static str)>,
}

impl Capabilities {
    /// Returns all capabilities, for an engine of this name.
    pub fn all(engine: &'static str) -> Capabilities {
        Capabilities { engine, missing: Vec::new() }
    }

    /// Removes a capability. The hint says what to do instead.
    pub fn without(mut self, capability: Capability, instead: &'static str) -> Capabilities {
        self.missing.push((capability, instead));
        self
    }

    /// Returns the name of the engine.
    pub fn engine(&self) -> &'static str {
        self.engine
    }

    /// Returns `true` if the engine has the capability.
    pub fn have(&self, capability: Capability) -> bool {
        self.check(capability).is_ok()
    }

    /// Checks that the engine has the capability.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`], with the hint.
    pub fn check(&self, capability: Capability) -> Result<(), EngineError> {
        match self.missing.iter().find(|(missing, _)| *missing == capability) {
            Some((_, instead)) => Err(EngineError::Unsupported { engine: self.engine, capability, instead }),
            None => Ok(()),
        }
    }

    /// Returns the result of a method that needs a missing capability.
    pub fn refusal<'a, T: Send + 'a>(&self, capability: Capability) -> EngineFuture<'a, T> {
        let refused = self.check(capability).err();
        let instead = "it has no method for it";
        let refused = refused.unwrap_or(EngineError::Unsupported { engine: self.engine, capability, instead });
        Box::pin(std::future::ready(Err(refused)))
    }
}
