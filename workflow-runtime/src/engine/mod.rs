//! Engines, which execute the commands of executions.

#[cfg(feature = "memory")]
pub mod admission;
#[cfg(feature = "memory")]
pub mod driver;
#[cfg(feature = "memory")]
pub mod memory;
#[cfg(feature = "memory")]
pub mod turns;
