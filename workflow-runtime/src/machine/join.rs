//! What a frame that waits for its children remembers: how many there are to start, what they yielded, how many may fail.

use super::batch::Share;
use crate::fault::{Fault, names};
use crate::time::{Timestamp, seconds};
use crate::value::{Array, Value, array};

/// How many iterations run at the same time, and how many may fail.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// How many may run at the same time; 0 is any number.
    pub concurrency: u64,
    /// How many seconds lie between the starts of two, of which the first starts at once; 0 is none.
    pub delay_seconds: f64,
    /// How many items may fail.
    pub tolerated_count: Option<u64>,
    /// What share of the items may fail, in percent.
    pub tolerated_percentage: Option<f64>,
    /// Whether as many as may run at the same time are started together, when all before them have ended.
    pub in_batches: bool,
    /// Whether the result has the number and output of each that has ended, in the order in which they have.
    pub in_order: bool,
    /// How many are waited for, the others being cancelled then; 0 is all.
    pub first: u32,
}

/// The children of a frame.
#[derive(Debug)]
pub(super) struct Join {
    /// The items, of iterations.
    pub items: Option<Value>,
    /// How many children there are to be.
    pub total: u32,
    /// How many of those that were started are still there.
    pub running: u32,
    /// How many of those that are gone failed.
    pub failed: u32,
    pub limits: Limits,
    /// When the last one began, where there is a time between the starts of two.
    pub began: Option<Timestamp>,
    /// Whether the last one that was started waits for its time to begin.
    pub holding: bool,
    /// The results of those that were started, in order; null where there is none.
    pub results: Vec<Value>,
    /// Whether a job to start more is on the work list.
    pub starting: bool,
    /// Whether those that have not ended are waited for no longer.
    pub is_over: bool,
    /// The longest way of a child that has ended since the last completion, and which completion that was.
    pub steps: u32,
    pub epoch: u64,
    /// How the items are shared among executions.
    pub share: Share,
}

/// What the end of a child means for the frame that waits for it.
pub(super) enum Progress {
    /// It goes on waiting.
    Waiting,
    /// It goes on waiting, and more children can be started.
    Start,
    /// All children are there.
    Finished,
    /// The children have failed; the others are to be cancelled.
    Failed(Fault),
}

impl Join {
    pub fn new(items: Option<Value>, total: u32, limits: Limits) -> Join {
        let results = Vec::with_capacity(total as usize);
        let share = Share::All;
        let (running, failed, steps, epoch) = (0, 0, 0, 0);
        let (began, holding, starting, is_over) = (None, false, false, false);
        Join { items, total, running, failed, limits, began, holding, results, starting, is_over, steps, epoch, share }
    }

    /// The number and the item of the child to be started next, if one may be.
    pub fn start(&mut self) -> Option<(u32, Option<Value>)> {
        if !self.can_start() {
            return None;
        }
        let at = self.started();
        self.results.push(Value::Null);
        self.running += 1;
        let items = self.items.as_ref().filter(|_| !self.is_divided());
        let item = items.map(|items| items.get(i64::from(at)).cloned().unwrap_or_default());
        Some((self.first() + at, item))
    }

    /// Lets a child begin; or tells when it is to, if that is later.
    pub fn begins(&mut self, now: Timestamp) -> Option<Timestamp> {
        let delay = seconds(self.limits.delay_seconds);
        if delay.is_zero() {
            return None;
        }
        let time = self.began.map(|began| began.plus(delay)).filter(|time| *time > now);
        self.holding = time.is_some();
        if time.is_none() {
            self.began = Some(now);
        }
        time
    }

    /// How many were started.
    pub fn started(&self) -> u32 {
        self.results.len() as u32
    }

    pub fn can_start(&self) -> bool {
        let concurrency = self.limits.concurrency;
        self.started() < self.total
            && !self.holding
            && (concurrency == 0 || u64::from(self.running) < concurrency)
            && (!self.limits.in_batches || concurrency == 0 || self.running == 0 || !self.is_batch_full())
    }

    /// Whether no more can be started before those that run have ended.
    fn is_batch_full(&self) -> bool {
        u64::from(self.started()).is_multiple_of(self.limits.concurrency)
    }

    /// Notes how many states a child that ends has entered without waiting.
    pub fn count(&mut self, steps: u32, epoch: u64) {
        self.steps = if self.epoch == epoch { self.steps.max(steps) } else { steps };
        self.epoch = epoch;
    }

    /// Takes the outcome of a child.
    pub fn ended(&mut self, index: u32, outcome: Result<Value, Fault>) -> Progress {
        self.running -= 1;
        let at = index.checked_sub(self.first());
        match outcome {
            Ok(value) if self.is_divided() => return self.batch_ended(index, &value),
            Err(fault) if self.is_divided() => return Progress::Failed(fault),
            Ok(value) => {
                let order = self.started() - self.running;
                if let Some(result) = at.and_then(|at| self.results.get_mut(at as usize)) {
                    *result = if self.limits.in_order { array([order.into(), value]) } else { value };
                }
            }
            // No handler sees it, and no number of failures that are tolerated counts it.
            Err(fault) if fault.is_turn_limit() || !self.limits.tolerates_some() => return Progress::Failed(fault),
            Err(_) => {
                self.failed += 1;
                if !self.limits.tolerates(self.failed, self.whole()) {
                    return Progress::Failed(Limits::exceeded());
                }
            }
        }
        self.progress()
    }

    /// What the end of a child means that has not failed the others.
    pub fn progress(&self) -> Progress {
        let ended = self.started() - self.running;
        let all_ended = self.running == 0 && self.started() == self.total;
        if self.is_over || all_ended || self.limits.first > 0 && ended >= self.limits.first {
            Progress::Finished
        } else if self.can_start() {
            Progress::Start
        } else {
            Progress::Waiting
        }
    }
}

impl Limits {
    /// Whether it matters who begins or ends when, so that all must run in one place.
    pub(super) fn is_about_order(&self) -> bool {
        self.in_batches || self.in_order || self.first > 0 || self.delay_seconds > 0.0
    }

    /// The results as they are given to the frame that waits.
    pub(super) fn result(&self, results: Vec<Value>) -> Value {
        if !self.in_order {
            return Array::from(results).into();
        }
        let numbered = (0u32..).zip(&results).filter_map(|(number, result)| {
            let order = result.get(0)?.as_i64()?;
            Some((order, array([number.into(), result.get(1)?.clone()])))
        });
        let mut numbered: Vec<(i64, Value)> = numbered.collect();
        numbered.sort_by_key(|(order, _)| *order);
        Array::from(numbered.into_iter().map(|(_, result)| result).collect::<Vec<_>>()).into()
    }

    /// Whether a threshold decides. Where none is set, the first fault is the fault of the whole.
    fn tolerates_some(&self) -> bool {
        self.tolerated_count.is_some() || self.tolerated_percentage.is_some()
    }

    /// The fault of an iteration in which more items have failed than may.
    pub(super) fn exceeded() -> Fault {
        let cause = "The specified tolerated failure threshold was exceeded";
        Fault::named(names::EXCEED_TOLERATED_FAILURE_THRESHOLD, cause)
    }

    pub(super) fn tolerates(&self, failed: u32, total: u32) -> bool {
        let share = 100.0 * f64::from(failed) / f64::from(total.max(1));
        self.tolerated_count.is_none_or(|count| u64::from(failed) <= count)
            && self.tolerated_percentage.is_none_or(|percentage| share <= percentage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_threshold_ends_it() {
        let limits = |count, percentage| Limits {
            tolerated_count: count,
            tolerated_percentage: percentage,
            ..Limits::default()
        };
        let cases = [
            (limits(Some(2), None), 2, true),
            (limits(Some(2), None), 3, false),
            (limits(None, Some(25.0)), 2, true),
            (limits(None, Some(25.0)), 3, false),
            (limits(Some(9), Some(25.0)), 3, false),
            (limits(Some(2), Some(99.0)), 3, false),
            (limits(Some(0), None), 1, false),
        ];
        for (limits, failed, expected) in cases {
            assert_eq!(limits.tolerates(failed, 10), expected, "{limits:?} {failed}");
        }
    }
}
