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
    /// What is added to the interval after each retry, in seconds.
    pub increment_seconds: f64,
    /// What chance has to do with the interval.
    pub jitter: Jitter,
}

/// What chance has to do with an interval.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Jitter {
    /// Nothing.
    #[default]
    None,
    /// It is drawn evenly from between nothing and what it would be (`JitterStrategy: FULL`).
    Full,
    /// It differs by such a share of what it would be, at the most.
    Share(f64),
    /// It differs by so many seconds, at the most.
    Seconds(f64),
}

impl Retrier {
    /// A retrier without a longest interval and without jitter, as generated code lists it.
    pub const fn new(
        errors: &'static [&'static str],
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

    /// The same with a longest interval.
    pub const fn max_delay_seconds(mut self, seconds: f64) -> Self {
        self.max_delay_seconds = Some(seconds);
        self
    }

    /// The same with full jitter.
    pub const fn full_jitter(mut self) -> Self {
        self.jitter = Jitter::Full;
        self
    }

    /// The same with an interval that differs by such a share at the most.
    pub const fn jitter_share(mut self, share: f64) -> Self {
        self.jitter = Jitter::Share(share);
        self
    }

    /// The same with an interval that differs by so many seconds at the most.
    pub const fn jitter_seconds(mut self, seconds: f64) -> Self {
        self.jitter = Jitter::Seconds(seconds);
        self
    }

    /// The same with so many seconds more after each retry.
    pub const fn increment_seconds(mut self, seconds: f64) -> Self {
        self.increment_seconds = seconds;
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
        let made = self.0.get(at).copied().unwrap_or(0);
        let delay = delay_after(&retriers[at], made, random)?;
        if self.0.len() <= at {
            let mut counts = std::mem::take(&mut self.0).into_vec();
            counts.resize(at + 1, 0);
            self.0 = counts.into();
        }
        self.0[at] = made + 1;
        Some(delay)
    }
}

/// How often something was tried again that is tried again by itself: an action, or several that belong together, inside of
/// a state or inside of others that are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tries {
    /// How often, whatever the error was.
    pub(crate) retries: u32,
    /// How many calls the frame had made before the first try.
    pub(crate) calls: u32,
}

impl Tries {
    pub(crate) fn begin(calls: u32) -> Tries {
        Tries { retries: 0, calls }
    }

    /// As [`Retries::next`].
    pub(crate) fn next(&mut self, retriers: &[Retrier], fault: &Fault, random: &mut Stream) -> Option<Duration> {
        let retrier = retriers.iter().find(|retrier| fault.is(retrier.errors))?;
        let delay = delay_after(retrier, self.retries, random)?;
        self.retries = self.retries.saturating_add(1);
        Some(delay)
    }
}

/// How long to wait after so many retries; `None` if there is to be none.
fn delay_after(retrier: &Retrier, made: u32, random: &mut Stream) -> Option<Duration> {
    (made < retrier.max_attempts).then(|| delay(retrier, made, random))
}

fn delay(retrier: &Retrier, made: u32, random: &mut Stream) -> Duration {
    let times = f64::from(made);
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

/// What differs from the middle by this at the most, and is not negative.
fn either_way(middle: f64, most: f64, random: &mut Stream) -> f64 {
    (middle + most * (2.0 * random.fraction() - 1.0)).max(0.0)
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
        let all = Retrier { errors: &["States.ALL"], interval_seconds: 7.0, max_attempts: 1, ..FLAKY };
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
