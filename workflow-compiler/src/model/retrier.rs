//! Retriers.

use super::ErrorMatch;
use crate::source::Span;

/// A rule that retries steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Retrier {
    /// The errors that it matches.
    pub errors: Vec<ErrorMatch>,
    /// Seconds before the first retry.
    pub interval_seconds: f64,
    /// The maximum number of retries. 0 disables retries.
    pub max_attempts: u32,
    /// The factor of the interval after each retry.
    pub backoff_rate: f64,
    /// The maximum interval, in seconds.
    pub max_delay_seconds: Option<f64>,
    /// The increment of the interval after each retry, in seconds.
    pub increment_seconds: f64,
    /// The random part of the interval.
    pub jitter: Jitter,
    /// The span of the rule.
    pub span: Span,
}

/// The random part of the interval before a retry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jitter {
    /// No random part.
    None,
    /// A uniform draw between 0 and the interval.
    Full,
    /// A deviation of at most this fraction of the interval.
    Share(f64),
    /// A deviation of at most this many seconds.
    Seconds(f64),
}
