//! Engines: what carries out the commands of executions.

#[cfg(feature = "memory")]
pub mod memory;
