//! Join state of a frame that waits for its children: how many remain to be started, their
//! outputs, and how many may fail.

use super::batch::Share;
use crate::fault::{Fault, names};
use crate::time::{Timestamp, seconds};
use crate::value::{Array, Value, array};

/// Limits of an iteration: concurrency, pace and tolerated failures.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Limits {
    /// The number of iterations that may run at the same time; 0 is unlimited.
    pub concurrency: u64,
    /// The seconds between the starts of two consecutive iterations; 0 is no delay. The first
    /// iteration starts at once.
    pub delay_seconds: f64,
    /// The number of items that may fail.
    pub tolerated_count: Option<u64>,
    /// The share of the items that may fail, in percent.
    pub tolerated_percentage: Option<f64>,
    /// Starts the next `concurrency` iterations together, when all iterations before them have
    /// ended.
    pub in_batches: bool,
    /// Returns pairs of index and output, in the order in which the children ended.
    pub completion_order: bool,
    /// The number of children to wait for; the rest is cancelled. 0 is all.
    pub first: u32,
}

/// The children of a frame.
#[derive(Debug)]
pub(super) struct Join {
    /// The items of an iteration. `None` for branches.
    pub items: Option<Value>,
    /// The number of children to start in all.
    pub total: u32,
    /// The number of children that have started and not ended.
    pub running: u32,
    /// The number of children that have failed.
    pub failed: u32,
    pub limits: Limits,
    /// The start of the latest child, if there is a delay between starts.
    pub began: Option<Timestamp>,
    /// Set while the latest child waits for its delayed start.
    pub is_start_delayed: bool,
    /// The outputs of the children that have started, by index; null for a child without an
    /// output.
    pub results: Vec<Value>,
    /// Set while the work list has a job that starts the next child.
    pub starting: bool,
    /// Set once the children that still run are no longer awaited.
    pub is_over: bool,
    /// The largest number of states that a child entered without waiting, of the children that
    /// ended in completion `epoch`; and that completion.
    pub steps: u32,
    pub epoch: u64,
    /// The division of the items among executions.
    pub share: Share,
}

/// The consequence of a child's end for the frame that waits.
pub(super) enum Progress {
    /// The frame goes on waiting.
    Waiting,
    /// The frame goes on waiting, and the next children can start.
    Start,
    /// All awaited children have ended.
    Finished,
    /// The join has failed. The children that still run are to be cancelled.
    Failed(Fault),
}

impl Join {
    pub fn new(items: Option<Value>, total: u32, limits: Limits) -> Join {
        let results = Vec::with_capacity(total as usize);
        let share = Share::All;
        let (running, failed, steps, epoch) = (0, 0, 0, 0);
        let (began, is_start_delayed, starting, is_over) = (None, false, false, false);
        Join {
            items,
            total,
            running,
            failed,
            limits,
            began,
            is_start_delayed,
            results,
            starting,
            is_over,
            steps,
            epoch,
            share,
        }
    }

    /// Starts the next child, which may start. Returns its index and item.
    #[inline]
    pub fn start(&mut self) -> (u32, Option<Value>) {
        let at = self.started();
        self.results.push(Value::Null);
        self.running += 1;
        let item = match &self.items {
            Some(Value::Array(items)) if !self.is_divided() => {
                Some(items.get(at as usize).cloned().unwrap_or_default())
            }
            Some(_) if !self.is_divided() => Some(Value::Null),
            _ => None,
        };
        (self.first() + at, item)
    }

    /// Starts the next child. Returns the time at which it may begin, if that is later than `now`.
    #[inline]
    pub fn begin_child(&mut self, now: Timestamp) -> Option<Timestamp> {
        if self.limits.delay_seconds == 0.0 {
            return None;
        }
        let delay = seconds(self.limits.delay_seconds);
        if delay.is_zero() {
            return None;
        }
        let time = self.began.map(|began| began.plus(delay)).filter(|time| *time > now);
        self.is_start_delayed = time.is_some();
        if time.is_none() {
            self.began = Some(now);
        }
        time
    }

    /// Returns the number of children that can run at the same time.
    pub fn at_once(&self) -> usize {
        match self.limits.concurrency {
            0 => self.total as usize,
            limit => usize::try_from(limit).unwrap_or(usize::MAX).min(self.total as usize),
        }
    }

    /// Returns the number of children that have started.
    pub fn started(&self) -> u32 {
        self.results.len() as u32
    }

    #[inline]
    pub fn can_start(&self) -> bool {
        let concurrency = self.limits.concurrency;
        self.started() < self.total
            && !self.is_start_delayed
            && (concurrency == 0
                || u64::from(self.running) < concurrency
                    && (!self.limits.in_batches || self.running == 0 || !self.is_batch_full()))
    }

    /// Returns `true` if the current group of `concurrency` children is complete.
    fn is_batch_full(&self) -> bool {
        u64::from(self.started()).is_multiple_of(self.limits.concurrency)
    }

    /// Records the number of states that a child has entered without waiting before it ended.
    pub fn count(&mut self, steps: u32, epoch: u64) {
        self.steps = if self.epoch == epoch { self.steps.max(steps) } else { steps };
        self.epoch = epoch;
    }

    /// Records the outcome of a child.
    #[inline]
    pub fn ended(&mut self, index: u32, outcome: Result<Value, Fault>) -> Progress {
        self.running -= 1;
        match outcome {
            Ok(value)
                if matches!(self.share, Share::All)
                    && !self.limits.completion_order
                    && let Some(result) = self.results.get_mut(index as usize) =>
            {
                *result = value;
                self.progress()
            }
            outcome => self.ended_otherwise(index, outcome),
        }
    }

    /// Records a fault, or an output that has another place than its index.
    #[inline(never)]
    fn ended_otherwise(&mut self, index: u32, outcome: Result<Value, Fault>) -> Progress {
        let at = index.checked_sub(self.first());
        match outcome {
            Ok(value) if self.is_divided() => return self.batch_ended(index, &value),
            Err(fault) if self.is_divided() => return Progress::Failed(fault),
            Ok(value) => {
                let order = self.started() - self.running;
                if let Some(result) = at.and_then(|at| self.results.get_mut(at as usize)) {
                    *result = if self.limits.completion_order { array([order.into(), value]) } else { value };
                }
            }
            // A turn limit is never tolerated: no handler catches it.
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

    /// Returns the consequence of the end of a child that has not failed the join.
    #[inline]
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
    /// Returns `true` if the order or the times of starts and ends matter. Such an iteration is
    /// not divided among executions.
    pub(super) fn is_about_order(&self) -> bool {
        self.in_batches || self.completion_order || self.first > 0 || self.delay_seconds > 0.0
    }

    /// Returns the result of the join, from the outputs by index.
    pub(super) fn result(&self, outputs: Vec<Value>) -> Value {
        if !self.completion_order {
            return Array::from(outputs).into();
        }
        let numbered = (0u32..).zip(&outputs).filter_map(|(index, result)| {
            let order = result.get(0)?.as_i64()?;
            Some((order, array([index.into(), result.get(1)?.clone()])))
        });
        let mut numbered: Vec<(i64, Value)> = numbered.collect();
        numbered.sort_by_key(|(order, _)| *order);
        Array::from(numbered.into_iter().map(|(_, result)| result).collect::<Vec<_>>()).into()
    }

    /// Returns `true` if a threshold is set. Without one, the first fault fails the join.
    fn tolerates_some(&self) -> bool {
        self.tolerated_count.is_some() || self.tolerated_percentage.is_some()
    }

    /// Returns the fault of an iteration in which more items failed than is tolerated.
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
