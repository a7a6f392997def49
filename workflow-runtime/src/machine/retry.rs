//! Retries: their counts, and the delays before them by the rules of retriers.

use std::time::Duration;

use super::random::Stream;
use crate::fault::Fault;
use crate::time::seconds;
use workflow_model::{Jitter, Retrier};

/// The number of retries by each retrier of a state, during one visit to the state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Retries(Box<[u32]>);

impl Retries {
    /// Returns the counts of a visit without retries. Allocates nothing.
    pub fn new() -> Retries {
        Retries::default()
    }

    /// Returns the count of each retrier. Trailing zeros are left out.
    pub fn counts(&self) -> &[u32] {
        &self.0
    }

    pub(crate) fn restored(counts: Vec<u32>) -> Retries {
        Retries(counts.into())
    }

    /// Returns the delay before the next attempt, or `None` if there is none. The first retrier
    /// that matches the error decides, even if it is exhausted and a later one is not.
    pub(crate) fn next(&mut self, retriers: &[Retrier], fault: &Fault, random: &mut Stream) -> Option<Duration> {
        let at = retriers.iter().position(|retrier| fault.is_any_of(retrier.errors))?;
        let retries = self.0.get(at).copied().unwrap_or(0);
        let delay = delay_after(&retriers[at], retries, random)?;
        if self.0.len() <= at {
            let mut counts = std::mem::take(&mut self.0).into_vec();
            counts.resize(at + 1, 0);
            self.0 = counts.into();
        }
        self.0[at] = retries + 1;
        Some(delay)
    }
}

/// The retries of an action or block of actions that is retried by itself, inside of a state or of
/// another block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRetries {
    /// The number of retries, for any error.
    pub(crate) retries: u32,
    /// The number of calls that the frame had retries before the first attempt.
    pub(crate) calls: u32,
}

impl BlockRetries {
    pub(crate) fn begin(calls: u32) -> BlockRetries {
        BlockRetries { retries: 0, calls }
    }

    /// Returns the delay before the next attempt, as [`Retries::next`] does.
    pub(crate) fn next(&mut self, retriers: &[Retrier], fault: &Fault, random: &mut Stream) -> Option<Duration> {
        let retrier = retriers.iter().find(|retrier| fault.is_any_of(retrier.errors))?;
        let delay = delay_after(retrier, self.retries, random)?;
        self.retries = self.retries.saturating_add(1);
        Some(delay)
    }
}

/// Returns the delay after this many retries, or `None` if the retrier is exhausted.
fn delay_after(retrier: &Retrier, retries: u32, random: &mut Stream) -> Option<Duration> {
    (retries < retrier.max_attempts).then(|| delay(retrier, retries, random))
}

fn delay(retrier: &Retrier, retries: u32, random: &mut Stream) -> Duration {
    let times = f64::from(retries);
    let grown = retrier.interval_seconds * retrier.backoff_rate.powf(times) + retrier.increment_seconds * times;
    let longest = retrier.max_delay_seconds.unwrap_or(f64::INFINITY);
    let capped = grown.min(longest);
    seconds(match retrier.jitter {
        Jitter::None => capped,
        Jitter::Full => capped * random.fraction(),
        Jitter::Share(share) => either_way(capped, capped * share, random).min(longest),
        Jitter::Seconds(most) => either_way(capped, most, random).min(longest),
    })
}

/// Draws a number that differs from `middle` by at most `most`, and is not negative.
fn either_way(middle: f64, most: f64, random: &mut Stream) -> f64 {
    (middle + most * (2.0 * random.fraction() - 1.0)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_model::ErrorMatch;

    const FLAKY: Retrier = Retrier {
        errors: &[ErrorMatch::Named("Flaky")],
        interval_seconds: 1.5,
        max_attempts: 3,
        backoff_rate: 2.0,
        max_delay_seconds: Some(5.0),
        increment_seconds: 0.0,
        jitter: Jitter::None,
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
        let all: Retrier = Retrier { errors: &[ErrorMatch::Any], interval_seconds: 7.0, max_attempts: 1, ..FLAKY };
        let all = Retrier { max_delay_seconds: None, ..all };
        let errors = ["Flaky", "Other", "Flaky", "Other", "Flaky"];
        assert_eq!(waits(&[FLAKY, all], &errors), [Some(1.5), Some(7.0), Some(3.0), None, Some(5.0)]);
    }

    #[test]
    fn intervals_can_grow_by_a_sum_and_differ_either_way() {
        let sum = Retrier { interval_seconds: 1.0, backoff_rate: 1.0, increment_seconds: 2.0, ..FLAKY };
        let sum = Retrier { max_delay_seconds: Some(4.5), ..sum };
        assert_eq!(waits(std::slice::from_ref(&sum), &["Flaky"; 4]), [Some(1.0), Some(3.0), Some(4.5), None]);
        let differs = |jitter| Retrier { jitter, increment_seconds: 0.0, max_attempts: 1000, ..sum.clone() };
        for (jitter, least, most) in [(Jitter::Share(0.5), 0.5, 1.5), (Jitter::Seconds(3.0), 0.0, 4.0)] {
            let waits: Vec<f64> = waits(&[differs(jitter)], &["Flaky"; 1000]).into_iter().flatten().collect();
            assert!(waits.iter().all(|wait| (least..=most).contains(wait)), "{jitter:?}");
            assert!(waits.iter().any(|wait| *wait < 0.8) && waits.iter().any(|wait| *wait > 1.2), "{jitter:?}");
        }
    }

    #[test]
    fn full_jitter_draws_from_nothing_to_the_interval() {
        let jittery = Retrier { jitter: Jitter::Full, max_attempts: 1000, backoff_rate: 1.0, ..FLAKY };
        let waits: Vec<f64> = waits(&[jittery], &["Flaky"; 1000]).into_iter().flatten().collect();
        assert!(waits.iter().all(|wait| (0.0..1.5).contains(wait)));
        let mean = waits.iter().sum::<f64>() / 1000.0;
        assert!((0.65..0.85).contains(&mean), "{mean}");
    }
}
