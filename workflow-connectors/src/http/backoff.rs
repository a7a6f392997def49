//! Backoff before the next request.

use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// Backoff that doubles from 100 ms up to 5 s.
pub(crate) struct Backoff(Duration);

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);

impl Backoff {
    pub(crate) fn new() -> Backoff {
        Backoff(FIRST)
    }

    /// Returns the next pause. A pause that the server asks for takes precedence.
    pub(crate) fn next(&mut self, asked: Option<Duration>) -> Duration {
        let pause = self.0;
        self.0 = (pause * 2).min(LONGEST);
        asked.unwrap_or(pause)
    }
}

/// Returns the pause of a `Retry-After` header in seconds. Dates are ignored.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse::<u32>().ok()?;
    Some(Duration::from_secs(seconds.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_bound_unless_one_is_asked_for() {
        let mut backoff = Backoff::new();
        let millis: Vec<u128> = (0..8).map(|_| backoff.next(None).as_millis()).collect();
        assert_eq!(millis, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
        assert_eq!(backoff.next(Some(Duration::ZERO)), Duration::ZERO);
    }

    #[test]
    fn only_seconds_are_read() {
        let asked = |text: &'static str| {
            retry_after(&[(RETRY_AFTER, text.parse().unwrap())].into_iter().collect()).map(|asked| asked.as_secs())
        };
        assert_eq!(asked("7"), Some(7));
        assert_eq!(asked("0"), Some(0));
        assert_eq!(asked("-1"), None);
        assert_eq!(asked("Wed, 21 Oct 2026 07:28:00 GMT"), None);
        assert_eq!(asked("99999999999"), None);
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }
}
