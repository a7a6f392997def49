//! The evaluation of one expression: its limits, and what functions need of it.

use std::rc::{Rc, Weak};

use super::environment::{JsonataEnvironment, Random, States};
use super::error::{JsonataError, Result};
use super::item::{Item, List};
use super::scope::VariableScope;
use crate::budget;
use crate::value::Value;

pub(crate) use super::function::JsonataFunction;

/// The steps between two looks at the budget of the turn.
const INTERVAL: u64 = 4096;
/// The counted size of an element of an array, in bytes: a reference.
const ELEMENT: usize = 8;
/// The size of an element of an array in memory, in bytes.
const REAL_ELEMENT: usize = size_of::<Item>();
/// The number of scopes of closures before those that have ended are looked for.
const FEW_SCOPES: usize = 64;

/// The evaluation of one expression.
pub struct Evaluation<'a> {
    /// The instant of the evaluation, in milliseconds since 1970: `$now` and `$millis`.
    pub now: i64,
    /// The values that an expression sees.
    pub(super) sees: Sees<'a>,
    /// The input document, if a test binds one.
    pub(super) root: Option<Item>,
    /// The array that stands for an input document that is an array.
    pub(super) wrapper: Option<Rc<List>>,
    /// The random numbers and UUIDs.
    random: &'a mut dyn Random,
    /// The nesting of the evaluation, and its limit.
    depth: usize,
    most_depth: usize,
    /// The calls that no part of the text makes and that have not returned.
    calls: usize,
    /// The largest size of one array or text, in counted bytes.
    most_bytes: usize,
    /// The memory that has been allocated in all, and its limit, in bytes.
    allocated: usize,
    most_allocated: usize,
    /// The steps that have been counted, the next look at the limits, and the limit.
    steps: u64,
    next_look: u64,
    most_steps: u64,
    /// The scopes of closures, which can hold themselves.
    scopes: Vec<Weak<VariableScope>>,
    /// The number of scopes at which those that have ended are removed.
    most_scopes: usize,
}

/// The values that an expression sees.
#[derive(Clone, Copy)]
pub(super) struct Sees<'a> {
    /// The members of `$states`.
    pub states: States<'a>,
    /// The names of the variables, without `$`.
    pub names: &'a [&'a str],
    /// Their values.
    pub values: &'a [Option<Value>],
}

impl<'a> Evaluation<'a> {
    /// Begins an evaluation.
    #[inline]
    pub(super) fn new(environment: JsonataEnvironment<'a>, names: &'a [&'a str]) -> Evaluation<'a> {
        let limits = environment.limits;
        Evaluation {
            now: environment.now,
            sees: Sees { states: environment.states, names, values: environment.values },
            root: None,
            wrapper: None,
            random: environment.random,
            depth: 0,
            most_depth: limits.depth,
            calls: 0,
            most_bytes: limits.memory,
            allocated: 0,
            most_allocated: limits.total_memory,
            steps: 0,
            next_look: INTERVAL.min(limits.steps.saturating_add(1)),
            most_steps: limits.steps,
            scopes: Vec::new(),
            most_scopes: FEW_SCOPES,
        }
    }

    /// Calls a function. Null stands for the context item, as in jsonata-js.
    pub(crate) fn apply(&mut self, function: &JsonataFunction, args: &[Option<Item>]) -> Result<Option<Item>> {
        self.enter_call()?;
        let result = self.invoke(function, args, Some(&Item::Value(Value::Null)), None)?;
        self.leave_call();
        Ok(result)
    }

    /// Counts elements that a function visits or makes. Fails if the limit of the evaluation is
    /// exceeded. A function counts before it allocates.
    #[inline]
    pub fn charge(&mut self, elements: usize) -> Result<()> {
        self.fits(elements)?;
        self.allocate(elements.saturating_mul(REAL_ELEMENT))?;
        self.steps(elements as u64)
    }

    /// Fails if an array of so many elements is too large.
    #[inline]
    pub(super) fn fits(&self, elements: usize) -> Result<()> {
        if elements.saturating_mul(ELEMENT) > self.most_bytes { Err(JsonataError::memory()) } else { Ok(()) }
    }

    /// Fails if a text of so many bytes is too large.
    pub(super) fn fits_bytes(&self, bytes: usize) -> Result<()> {
        if bytes > self.most_bytes { Err(JsonataError::memory()) } else { Ok(()) }
    }

    /// Counts parts of a value or a stream that have this size each, in bytes.
    pub(super) fn reserve(&mut self, parts: usize, size: usize) -> Result<()> {
        self.allocate(parts.saturating_mul(size))?;
        self.steps(parts as u64)
    }

    /// Counts the bytes of texts that are compared.
    pub(super) fn count_text(&mut self, bytes: usize) -> Result<()> {
        self.steps((bytes / budget::STRIDE) as u64)
    }

    /// Counts the bytes of a text that a function is about to make.
    pub fn charge_bytes(&mut self, bytes: usize) -> Result<()> {
        self.fits_bytes(bytes)?;
        self.allocate(bytes)?;
        self.steps((bytes / budget::STRIDE) as u64)
    }

    /// Returns the next random number, at least 0 and less than 1.
    pub fn random(&mut self) -> f64 {
        // 53 bits are exact.
        (self.random.number() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Returns a new UUID of version 4 in lower case.
    pub fn uuid(&mut self) -> String {
        self.random.uuid()
    }

    #[inline]
    fn allocate(&mut self, bytes: usize) -> Result<()> {
        self.allocated = self.allocated.saturating_add(bytes);
        if self.allocated > self.most_allocated { Err(JsonataError::memory()) } else { Ok(()) }
    }

    /// Counts steps that allocate nothing.
    #[inline]
    pub(super) fn steps(&mut self, steps: u64) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps >= self.next_look { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self) -> Result<()> {
        let is_turn_over = !budget::spend(INTERVAL as usize);
        if self.steps > self.most_steps || is_turn_over {
            return Err(JsonataError::steps());
        }
        self.next_look = self.steps.saturating_add(INTERVAL).min(self.most_steps.saturating_add(1));
        Ok(())
    }

    /// Enters a level of the evaluation. [`Evaluation::leave`] ends it. An error ends the
    /// evaluation, so that it need not leave.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<()> {
        if self.depth >= self.most_depth {
            return Err(JsonataError::depth());
        }
        self.depth += 1;
        self.steps(1)
    }

    /// Leaves a level of the evaluation.
    #[inline]
    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Fails if so many levels below those that have been entered are too many.
    ///
    /// # Errors
    /// Fails if the limit is exceeded.
    #[inline]
    pub fn reach(&self, levels: usize) -> Result<()> {
        if self.depth.saturating_add(levels) > self.most_depth { Err(JsonataError::depth()) } else { Ok(()) }
    }

    /// Enters levels that have been compared with the limit. [`Evaluation::ascend`] leaves them.
    #[inline]
    pub fn descend(&mut self, levels: usize) {
        self.depth += levels;
    }

    /// Leaves levels.
    #[inline]
    pub fn ascend(&mut self, levels: usize) {
        self.depth -= levels;
    }

    /// Enters a call that no part of the text makes: of a function that is called back, partially
    /// applied or composed. Such calls are no levels, but they use the native stack, and they have
    /// the same limit. [`Evaluation::leave_call`] ends the call, unless there is an error.
    ///
    /// # Errors
    /// Fails if the limit is exceeded.
    #[inline]
    pub fn enter_call(&mut self) -> Result<()> {
        if self.calls >= self.most_depth {
            return Err(JsonataError::depth());
        }
        self.calls += 1;
        Ok(())
    }

    /// Leaves a call that no part of the text makes.
    #[inline]
    pub fn leave_call(&mut self) {
        self.calls -= 1;
    }

    /// Remembers the scopes that a closure holds, to empty them at the end: one of them can bind
    /// the closure itself. Counts their memory, which lives as long as the closure.
    pub(super) fn capture(&mut self, scope: &Rc<VariableScope>) -> Result<()> {
        let mut next = Some(scope);
        while let Some(scope) = next {
            // Then those around it are captured, too.
            if scope.is_captured.replace(true) {
                break;
            }
            if self.scopes.len() >= self.most_scopes {
                self.scopes.retain(|scope| scope.strong_count() > 0);
                self.most_scopes = FEW_SCOPES.max(self.scopes.len() * 2);
            }
            self.scopes.push(Rc::downgrade(scope));
            self.reserve(1, scope.size())?;
            next = scope.parent();
        }
        Ok(())
    }
}

impl Drop for Evaluation<'_> {
    fn drop(&mut self) {
        // A closure that its own scope binds would never be dropped.
        for scope in std::mem::take(&mut self.scopes) {
            if let Some(scope) = scope.upgrade() {
                scope.clear();
            }
        }
    }
}
