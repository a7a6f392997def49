//! Concurrent loops.

use crate::expr::{Expr, LocalId};
use crate::model::{ScopeId, Seconds};

/// A concurrent loop over the items of an array.
#[derive(Debug, Clone)]
pub struct ForEach {
    /// The scope that runs for each item.
    pub body: ScopeId,
    /// The local that holds the array.
    pub items: LocalId,
    /// The local of the scope that receives the item.
    pub item: LocalId,
    /// The maximum number of concurrent iterations: a call that yields a checked number. 0 is
    /// unlimited.
    pub limit: Option<Expr>,
    /// The interval between the starts of iterations, in seconds. The first starts at once.
    pub delay: Option<Seconds>,
    /// The number of iterations that may fail: a call that yields a checked number.
    pub tolerated_count: Option<Expr>,
    /// The percentage of iterations that may fail: a call that yields a checked number.
    pub tolerated_percentage: Option<Expr>,
    /// `true` if iterations start in batches of `limit`, each after all iterations of the batch
    /// before have ended.
    pub in_batches: bool,
    /// `true` if the result lists the index and output of each completed iteration in completion
    /// order.
    pub completion_order: bool,
    /// Receives the array of outputs.
    pub result: LocalId,
}
