//! Retriers: when a state that failed is tried again, and after how long.

use std::time::Duration;

use super::random::Stream;
use crate::fault::Fault;
use crate::time::seconds;

/// When and how often to try again (an entry of `Retry`).
#[derive(Debug, Clone, PartialEq)]
pub struct Retrier {
    /// The errors it is for (`ErrorEquals`).
    pub errors: &'static [&'static str],
    /// Seconds before the first retry.
    pub interval_seconds: f64,
    /// How often to retry at the most.
    pub max_attempts: u32,
    /// What the interval is multiplied with after each retry.
    pub backoff_rate: f64,
    /// The longest interval, in seconds.
    pub max_delay_seconds: Option<f64>,
    /// Whether the wait is drawn evenly from between nothing and the interval (`JitterStrategy: FULL`).
    pub full_jitter: bool,
}

impl Retrier {
    /// A retrier without a longest interval and without jitter, as generated code lists it.
    pub const fn new(
        errors: &'static [&'static str],
        interval_seconds: f64,
        max_attempts: u32,
        backoff_rate: f64,
    ) -> Self {
        Retrier { errors, interval_seconds, max_attempts, backoff_rate, max_delay_seconds: None, full_jitter: false }
    }

    /// The same with a longest interval.
    pub const fn max_delay_seconds(mut self, seconds: f64) -> Self {
        self.max_delay_seconds = Some(seconds);
        self
    }

    /// The same with full jitter.
    pub const fn full_jitter(mut self) -> Self {
        self.full_jitter = true;
        self
    }
}

/// How often each retrier of a state has retried during one visit to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retries(Box<[u32]>);

impl Retries {
    /// No retries so far. Allocates nothing.
    pub fn new() -> Retries {
        Retries::default()
    }

    /// How often each retrier has retried; those at the end that have not are left out.
    pub fn counts(&self) -> &[u32] {
        &self.0
    }

    pub(crate) fn restored(counts: Vec<u32>) -> Retries {
        Retries(counts.into())
    }

    /// How long to wait before the next try; `None` if there is to be none. The first retrier that names the error
    /// decides, even where it is used up and a later one is not.
    pub(crate) fn next(&mut self, retriers: &[Retrier], fault: &Fault, random: &mut Stream) -> Option<Duration> {
        let at = retriers.iter().position(|retrier| fault.is(retrier.errors))?;
        let retrier = &retriers[at];
        let made = self.0.get(at).copied().unwrap_or(0);
        if made >= retrier.max_attempts {
            return None;
        }
        if self.0.len() <= at {
            let mut counts = std::mem::take(&mut self.0).into_vec();
            counts.resize(at + 1, 0);
            self.0 = counts.into();
        }
        self.0[at] = made + 1;
        Some(delay(retrier, made, random))
    }
}

fn delay(retrier: &Retrier, made: u32, random: &mut Stream) -> Duration {
    let grown = retrier.interval_seconds * retrier.backoff_rate.powf(f64::from(made));
    let capped = grown.min(retrier.max_delay_seconds.unwrap_or(f64::INFINITY));
    seconds(if retrier.full_jitter { capped * random.fraction() } else { capped })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAKY: Retrier = Retrier {
        errors: &["Flaky"],
        interval_seconds: 1.5,
        max_attempts: 3,
        backoff_rate: 2.0,
        max_delay_seconds: Some(5.0),
        full_jitter: false,
    };

    fn waits(retriers: &[Retrier], errors: &[&'static str]) -> Vec<Option<f64>> {
        let (mut retries, mut random) = (Retries::new(), Stream::seeded(1));
        let next = |error: &&'static str| {
            let wait = retries.next(retriers, &Fault::new(*error, ""), &mut random);
            wait.map(|wait| wait.as_secs_f64())
        };
        errors.iter().map(next).collect()
    }

    #[test]
    fn intervals_grow_to_the_cap_until_the_attempts_are_used_up() {
        assert_eq!(waits(&[FLAKY], &["Flaky"; 4]), [Some(1.5), Some(3.0), Some(5.0), None]);
        assert_eq!(waits(&[FLAKY], &["Other"]), [None]);
        let never = Retrier { max_attempts: 0, ..FLAKY };
        assert_eq!(waits(&[never, FLAKY], &["Flaky"]), [None]);
        let huge = Retrier { interval_seconds: 1e9, backoff_rate: 1e300, max_delay_seconds: None, ..FLAKY };
        assert_eq!(waits(&[huge], &["Flaky"; 3])[2], Some(Duration::MAX.as_secs_f64()));
    }

    #[test]
    fn every_retrier_counts_for_itself() {
        let all = Retrier { errors: &["States.ALL"], interval_seconds: 7.0, max_attempts: 1, ..FLAKY };
        let all = Retrier { max_delay_seconds: None, ..all };
        let errors = ["Flaky", "Other", "Flaky", "Other", "Flaky"];
        assert_eq!(waits(&[FLAKY, all], &errors), [Some(1.5), Some(7.0), Some(3.0), None, Some(5.0)]);
    }

    #[test]
    fn full_jitter_draws_from_nothing_to_the_interval() {
        let jittery = Retrier { full_jitter: true, max_attempts: 1000, backoff_rate: 1.0, ..FLAKY };
        let waits: Vec<f64> = waits(&[jittery], &["Flaky"; 1000]).into_iter().flatten().collect();
        assert!(waits.iter().all(|wait| (0.0..1.5).contains(wait)));
        let mean = waits.iter().sum::<f64>() / 1000.0;
        assert!((0.65..0.85).contains(&mean), "{mean}");
    }
}
