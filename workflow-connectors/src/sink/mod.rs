//! Sinks for the events that executions publish. A sink is passed to an engine at setup.
//!
//! | sink | feature | accepts an event when |
//! |---|---|---|
//! | [`HttpSink`](crate::HttpSink) | `events` | an address on the web has answered |
//! | [`StdoutSink`](crate::StdoutSink) | `events` | standard output has the line |
//! | `NatsSink` | `nats` | a stream of NATS JetStream has stored it |
//!
//! Otherwise the publishing state fails with [`Event.NotDelivered`](NOT_DELIVERED).

pub mod http;
#[cfg(feature = "nats")]
pub mod nats;
pub mod stdout;

use std::time::Duration;

pub use crate::ConfigError;

/// Error name of an event that was not accepted.
pub const NOT_DELIVERED: &str = "Event.NotDelivered";

/// Default limit of one attempt.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Default limit of retries.
const PATIENCE: Duration = Duration::from_secs(60);
/// Longest time, which an instant can represent.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);
