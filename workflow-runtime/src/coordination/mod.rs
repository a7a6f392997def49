//! The coordination core: decisions about what reaches executions from outside, and about what
//! executions do to each other.
//!
//! Engines differ in where they keep executions. The rules are the same for all of them and are
//! here, once:
//! * [`publish()`] and [`publish_to`] decide which executions receive an event, whether it starts
//!   one, and who is asked to wait because of a full inbox;
//! * [`returned()`] decides what happens to a start event whose taker has not processed it;
//! * [`send()`] decides whether one execution receives events that are addressed to it;
//! * [`link`] decides what happens to a child execution when something happens to its parent, and
//!   to the parent when something happens to the child;
//! * [`lifecycle`] decides what the commands cancel, terminate and redrive do in each status.
//!
//! Nothing in here reads a clock, waits, or has threads. Events are decided by functions that are
//! generic over a [`Store`], which reads and writes the records of an engine: rows in a
//! transaction, or maps. An engine whose records are read asynchronously loads those of the
//! affected executions first. Links and commands are decided by pure functions, because the
//! records of a parent and its child may be far apart; the engine carries out the returned action.
//!
//! # Transactions
//! A call of [`publish()`] or [`send()`] must be atomic: all writes of the store become durable
//! together, or none. What a store does besides (waking an execution, for instance) follows
//! afterwards, and is repeated from the records after a crash.

mod capacity;
pub mod lifecycle;
pub mod link;
mod publish;
mod returns;
mod route;
mod send;
mod store;
#[cfg(test)]
mod tests;

pub use capacity::InboxLimits;
pub use lifecycle::Status;
pub use publish::{Published, publish, publish_to};
pub use returns::{Returned, returned};
pub use route::{RoutedEvent, RoutedKind, only_correlations};
pub use send::{Addressee, Sent, send};
pub use store::{Recipient, Started, Store};
