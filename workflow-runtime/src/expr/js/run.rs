//! One call of a function from a state: what it may use up, and what becomes of its result.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::{Rc, Weak};
use std::time::{Duration, Instant};

use super::coerce::string;
use super::json::round_trip;
use super::object::{Body, Inner};
use super::value::Variable;
use super::{Js, Result, Throw, Var, error, text};
use crate::machine::{Core, RandomStream};
use crate::time::Timestamp;
use crate::value::{Object, Value, object};

/// How many loops and calls a function may make.
const STEPS: u64 = 10_000_000;
/// How long it may take.
const TIME: Duration = Duration::from_secs(1);
/// How many bytes it may make, whether it still holds them or not. An estimate.
const MEMORY: usize = 256 << 20;
/// How deep calls may be nested. Each takes native stack.
const DEPTH: u32 = 200;
/// After how many steps the clock is looked at.
const INTERVAL: u64 = 128;

thread_local! {
    static BUDGET: Budget = const {
        Budget {
            steps: Cell::new(0),
            spent: Cell::new(0),
            memory: Cell::new(usize::MAX),
            depth: Cell::new(0),
            started: Cell::new(None),
            now: Cell::new(0.0),
            random: Cell::new([0; 3]),
        }
    };
    /// What may be part of a cycle, and is taken apart when the run ends.
    static HELD: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
}

/// What the run has used up. Operators have no `Run` at hand, so that it is the thread's.
struct Budget {
    steps: Cell<u64>,
    spent: Cell<usize>,
    /// How many bytes may be spent: any number while there is no run.
    memory: Cell<usize>,
    depth: Cell<u32>,
    /// When the clock was first looked at.
    started: Cell<Option<Instant>>,
    now: Cell<f64>,
    random: Cell<[u64; 3]>,
}

enum Held {
    Object(Weak<Inner>),
    Variable(Weak<Variable>),
}

/// One call of a function from a state. The thread has a budget of steps, time, memory and depth for it.
pub struct Run {
    /// Not to be sent to another thread, nor made elsewhere.
    thread: PhantomData<*const ()>,
}

/// The span of a run. There is one at a time on a thread.
pub struct Session(Run);

impl Session {
    /// A run at this time, with random numbers of this seed.
    pub fn new(now: Timestamp, seed: u64) -> Session {
        Session::with_random(now, &RandomStream::seeded(seed))
    }

    fn with_random(now: Timestamp, random: &RandomStream) -> Session {
        let session = Session(Run::of_thread());
        session.renew();
        BUDGET.with(|budget| {
            budget.memory.set(MEMORY);
            budget.depth.set(0);
            // Milliseconds, rounded down as clocks are.
            budget.now.set(now.as_micros().div_euclid(1000) as f64);
            budget.random.set(random.parts());
        });
        session
    }

    /// Starts to count anew.
    fn renew(&self) {
        BUDGET.with(|budget| {
            budget.steps.set(0);
            budget.spent.set(0);
            budget.started.set(None);
        });
    }
}

impl Deref for Session {
    type Target = Run;

    fn deref(&self) -> &Run {
        &self.0
    }
}

impl Run {
    /// The run of the thread, for what is called by operators.
    pub(super) fn of_thread() -> Run {
        Run { thread: PhantomData }
    }

    /// Counts one turn of a loop, or one call. Fails when the budget is used up.
    #[inline]
    pub fn tick(&self) -> Result<()> {
        BUDGET.with(|budget| {
            let steps = budget.steps.get() + 1;
            budget.steps.set(steps);
            if steps.is_multiple_of(INTERVAL) || budget.spent.get() > budget.memory.get() {
                return budget.check();
            }
            Ok(())
        })
    }

    /// The time of the call, in milliseconds since 1970.
    pub(super) fn now(&self) -> f64 {
        BUDGET.with(|budget| budget.now.get())
    }

    /// A random number, at least 0 and less than 1.
    pub(super) fn random(&self) -> f64 {
        BUDGET.with(|budget| {
            let mut random = RandomStream::restored(budget.random.get());
            let number = random.fraction();
            budget.random.set(random.parts());
            number
        })
    }

    /// Calls with the depth counted.
    pub(super) fn nested<R>(&self, call: impl FnOnce() -> Result<R>) -> Result<R> {
        self.tick()?;
        let depth = BUDGET.with(|budget| budget.depth.replace(budget.depth.get() + 1));
        let result = if depth >= DEPTH { Err(exceeded("depth of calls")) } else { call() };
        BUDGET.with(|budget| budget.depth.set(depth));
        result
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        BUDGET.with(|budget| budget.memory.set(usize::MAX));
        text::forget();
        for held in HELD.take() {
            match held {
                // Emptied, it holds nothing that could hold it.
                Held::Object(object) => {
                    let body = object.upgrade().map(|object| object.body.replace(Body::Items(Vec::new())));
                    drop(body);
                }
                Held::Variable(variable) => {
                    let value = variable.upgrade().map(|variable| variable.value.take());
                    drop(value);
                }
            }
        }
    }
}

impl Budget {
    #[cold]
    fn check(&self) -> Result<()> {
        if self.steps.get() > STEPS {
            return Err(exceeded("steps"));
        }
        if self.spent.get() > self.memory.get() {
            return Err(exceeded("memory"));
        }
        match self.started.get() {
            None => self.started.set(Some(Instant::now())),
            Some(started) if started.elapsed() > TIME => return Err(exceeded("time")),
            Some(_) => {}
        }
        Ok(())
    }
}

#[cold]
fn exceeded(what: &str) -> Throw {
    Throw::Abort(format!("the function used up its budget of {what}"))
}

/// Counts memory that was made. The next tick fails if it was too much.
pub(super) fn spend(bytes: usize) {
    BUDGET.with(|budget| budget.spent.set(budget.spent.get().saturating_add(bytes)));
}

/// Counts memory that is about to be made.
pub(super) fn charge(bytes: usize) -> Result<()> {
    BUDGET.with(|budget| {
        budget.spent.set(budget.spent.get().saturating_add(bytes));
        if budget.spent.get() > budget.memory.get().min(4 * MEMORY) { Err(exceeded("memory")) } else { Ok(()) }
    })
}

/// The object was given another object: that may have made a cycle, which would never be freed.
pub(super) fn hold_object(object: &Rc<Inner>) {
    if BUDGET.with(|budget| budget.memory.get()) == MEMORY {
        HELD.with_borrow_mut(|held| held.push(Held::Object(Rc::downgrade(object))));
    }
}

/// As [`hold_object`], of a variable that was given an object.
pub(super) fn hold_variable(variable: &Rc<Variable>) {
    if BUDGET.with(|budget| budget.memory.get()) == MEMORY {
        HELD.with_borrow_mut(|held| held.push(Held::Variable(Rc::downgrade(variable))));
    }
}

/// Goes one level deeper into data. What is nested deeper than calls may be is a RangeError, which can be caught.
pub(super) fn deeper<R>(inside: impl FnOnce() -> Result<R>) -> Result<R> {
    let depth = BUDGET.with(|budget| budget.depth.replace(budget.depth.get() + 1));
    let result = if depth >= DEPTH { Err(error::range_error("Maximum call stack size exceeded")) } else { inside() };
    BUDGET.with(|budget| budget.depth.set(depth));
    result
}

/// Calls the function of a state: makes its argument of the document and its variables of the values, and puts back what
/// became of them.
///
/// What is put back went through JSON. The result of the function replaces the document, as [`normalise`] does; where it
/// threw, the document is an error object (§1.3). Variables are written back in either case (ruling Q2). One that has no
/// JSON value any more keeps the one it had (null, if even that is more than the budget allows), and makes an error object
/// of the document (§1.4).
pub fn run<const N: usize>(
    document: &mut Value,
    variables: [&mut Value; N],
    function: fn(&Run, Js, [Var; N]) -> Result,
    core: &mut Core,
) {
    let mut random = core.random_stream().clone();
    *document = call_state(core.now(), &mut random, document.take(), variables, function);
    *core.random_stream() = random;
}

pub(super) fn call_state<const N: usize>(
    now: Timestamp,
    random: &mut RandomStream,
    document: Value,
    variables: [&mut Value; N],
    function: fn(&Run, Js, [Var; N]) -> Result,
) -> Value {
    let run = Session::with_random(now, random);
    // Handles of the objects, so that nothing else holds their data.
    let before: [Js; N] = std::array::from_fn(|at| Js::from(variables[at].take()));
    let locals: [Var; N] = std::array::from_fn(|at| Var::new(before[at].clone()));
    let result = function(&run, document.into(), locals.clone());
    // What it has used up must not keep its variables from being written.
    run.renew();
    let mut result = result.and_then(|result| json_result(&run, &result));
    for ((variable, local), before) in variables.into_iter().zip(&locals).zip(before) {
        match round_trip(&run, &local.get()).and_then(|value| value.ok_or_else(not_json)) {
            Ok(value) => *variable = value,
            Err(thrown) => {
                run.renew();
                *variable = round_trip(&run, &before).ok().flatten().unwrap_or_default();
                result = result.and(Err(thrown));
            }
        }
    }
    let document = match result {
        Ok(value) => normalise(value),
        Err(thrown) => thrown_error(&thrown),
    };
    *random = RandomStream::restored(BUDGET.with(|budget| budget.random.get()));
    document
}

/// The result as `JSON.parse(JSON.stringify(result))` has it; `{}` of undefined (ruling Q3).
fn json_result(run: &Run, result: &Js) -> Result<Value> {
    match result {
        Js::Undefined => Ok(Object::new().into()),
        result => round_trip(run, result)?.ok_or_else(not_json),
    }
}

/// What `JSON.parse` throws of the undefined that `JSON.stringify` yields of a function.
fn not_json() -> Throw {
    error::syntax_error("\"undefined\" is not valid JSON")
}

/// The error object of what was thrown.
fn thrown_error(thrown: &Throw) -> Value {
    let text = match thrown {
        Throw::Abort(text) => text.clone(),
        Throw::Value(value) => match string(value) {
            Ok(text) => text.to_string(),
            Err(Throw::Abort(text)) => text,
            Err(Throw::Value(_)) => String::from("an object that has no text"),
        },
    };
    error_object(Value::from(format!("An error has occurred: {text}")))
}

fn error_object(error: Value) -> Value {
    object([("error", error)])
}

/// What becomes the document after a task (§1.2): an object. Anything else is wrapped; of an error object nothing but the
/// error is left.
pub fn normalise(result: Value) -> Value {
    match result.as_object() {
        None => object([("value", result)]),
        Some(members) if members.len() > 1 => match members.get("error") {
            Some(error) => error_object(error.clone()),
            None => result,
        },
        Some(_) => result,
    }
}

/// Whether the document is an error object: it has the key `error`, of whichever value (ruling Q7).
pub fn is_error(document: &Value) -> bool {
    document.get("error").is_some()
}
