//! Retriers: the errors that they match, and the delays before retries.

use super::{Static, Storage};

/// An error that a retrier or catcher matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorMatch<S: Storage = Static> {
    /// Every fault that can be caught.
    Any,
    /// Every fault of a task but a time-out, and every fault named `States.TaskFailed`.
    AnyTask,
    /// A time-out, or a missed heartbeat.
    Timeout,
    /// A missed heartbeat.
    Heartbeat,
    /// A fault with this error name.
    Named(S::Text),
}

/// A rule that retries.
#[derive(Debug, Clone, PartialEq)]
pub struct Retrier<S: Storage = Static> {
    /// The errors that it matches.
    pub errors: S::List<ErrorMatch<S>>,
    /// The delay before the first retry, in seconds.
    pub interval_seconds: f64,
    /// The maximum number of retries. 0 disables retries.
    pub max_attempts: u32,
    /// The factor of the delay after each retry.
    pub backoff_rate: f64,
    /// The maximum delay, in seconds.
    pub max_delay_seconds: Option<f64>,
    /// The increment of the delay after each retry, in seconds.
    pub increment_seconds: f64,
    /// The random part of the delay.
    pub jitter: Jitter,
}

/// The random part of a delay.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jitter {
    /// None.
    None,
    /// The delay is drawn uniformly from zero to its nominal value (`JitterStrategy: FULL`).
    Full,
    /// The delay differs from its nominal value by at most this share of it.
    Share(f64),
    /// The delay differs from its nominal value by at most this many seconds.
    Seconds(f64),
}

impl Retrier {
    /// Creates a retrier without a longest delay and without jitter, as generated code lists it.
    pub const fn new(
        errors: &'static [ErrorMatch],
        interval_seconds: f64,
        max_attempts: u32,
        backoff_rate: f64,
    ) -> Self {
        Retrier {
            errors,
            interval_seconds,
            max_attempts,
            backoff_rate,
            max_delay_seconds: None,
            increment_seconds: 0.0,
            jitter: Jitter::None,
        }
    }

    /// Sets the longest delay.
    pub const fn max_delay_seconds(mut self, seconds: f64) -> Self {
        self.max_delay_seconds = Some(seconds);
        self
    }

    /// Sets full jitter.
    pub const fn full_jitter(mut self) -> Self {
        self.jitter = Jitter::Full;
        self
    }

    /// Sets jitter by a share of the delay.
    pub const fn jitter_share(mut self, share: f64) -> Self {
        self.jitter = Jitter::Share(share);
        self
    }

    /// Sets jitter by a number of seconds.
    pub const fn jitter_seconds(mut self, seconds: f64) -> Self {
        self.jitter = Jitter::Seconds(seconds);
        self
    }

    /// Sets the seconds that are added with each retry.
    pub const fn increment_seconds(mut self, seconds: f64) -> Self {
        self.increment_seconds = seconds;
        self
    }
}
