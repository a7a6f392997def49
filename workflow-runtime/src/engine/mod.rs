//! Engines, which keep executions and execute their commands.

#[cfg(feature = "memory")]
#[doc(hidden)]
pub mod admission;
mod api;
#[cfg(feature = "memory")]
#[doc(hidden)]
pub mod driver;
#[cfg(feature = "identity")]
#[doc(hidden)]
pub mod identity;
#[cfg(feature = "memory")]
#[doc(hidden)]
pub mod memory;
#[cfg(feature = "memory")]
#[doc(hidden)]
pub mod tokens;
#[cfg(feature = "memory")]
#[doc(hidden)]
pub mod turns;

pub use api::*;
