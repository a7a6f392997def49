//! Where events go that executions publish: sinks, of which an engine is told when it is set up.
//!
//! | sink | feature | takes an event when |
//! |---|---|---|
//! | [`HttpSink`](crate::HttpSink) | `events` | an address on the web has answered |
//! | [`StdoutSink`](crate::StdoutSink) | `events` | standard output has the line |
//! | `NatsSink` | `nats` | a stream of NATS JetStream has stored it |
//!
//! Where that is not so, the state that publishes the event fails with [`Event.NotDelivered`](NOT_DELIVERED).

pub mod http;
#[cfg(feature = "nats")]
pub mod nats;
pub mod stdout;

use std::time::Duration;

pub use crate::ConfigError;

/// The name of the fault where an event was not taken.
pub const NOT_DELIVERED: &str = "Event.NotDelivered";

/// How long one attempt may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long it is tried.
const PATIENCE: Duration = Duration::from_secs(60);
/// More than anybody waits for, and no more than there are instants.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);
