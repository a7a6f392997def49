//! A call of a function from a state, and the conversion of its result.

use super::budget::{Run, Session};
use super::coerce::string;
use super::json::round_trip;
use super::{Js, Result, Throw, Var, error};
use crate::expr::composer;
use crate::machine::{Core, FunctionLimits, RandomStream};
use crate::time::Timestamp;
use crate::value::text::shortened;
use crate::value::{Object, Value, object};

/// Calls the function of a state. The document becomes its argument, and the values become its
/// variables. Both are written back afterwards.
///
/// Values that are written back go through JSON. The result of the function replaces the document,
/// as [`composer::outcome`] defines. If the function threw, the document becomes an error object
/// ([Parameters and errors](docs/composer.md#parameters-and-errors)). Variables are written back
/// in either case ([Q2](docs/composer.md#q2)). A variable whose value has no JSON form keeps its
/// previous value (null if the budget does not suffice even for this value), and the document
/// becomes an error object ([Functions](docs/composer.md#functions)).
pub fn run<const N: usize>(
    document: &mut Value,
    variables: [&mut Value; N],
    function: fn(&Run, Js, [Var; N]) -> Result,
    core: &mut Core,
) {
    let (now, limits) = (core.now(), core.function_limits());
    *document = call_state(now, core.random_stream(), limits, document.take(), variables, function);
}

pub(super) fn call_state<const N: usize>(
    now: Timestamp,
    random: &mut RandomStream,
    limits: FunctionLimits,
    document: Value,
    variables: [&mut Value; N],
    function: fn(&Run, Js, [Var; N]) -> Result,
) -> Value {
    let run = Session::with_random(now, random, limits);
    // Holding the objects through handles leaves their data unshared.
    let before: [Js; N] = std::array::from_fn(|at| Js::from(variables[at].take()));
    let locals: [Var; N] = std::array::from_fn(|at| Var::new(before[at].clone()));
    let result = function(&run, document.into(), locals.clone());
    // The consumption of the function must not prevent the write-back of its variables.
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
        Ok(value) => composer::outcome(value),
        Err(thrown) => thrown_error(&thrown),
    };
    *random = run.random_stream();
    document
}

/// Returns the result as `JSON.parse(JSON.stringify(result))`, or `{}` for undefined
/// ([Q3](docs/composer.md#q3)).
#[inline]
fn json_result(run: &Run, result: &Js) -> Result<Value> {
    match result {
        Js::Undefined => Ok(Object::new().into()),
        result => round_trip(run, result)?.ok_or_else(not_json),
    }
}

/// Returns the error of `JSON.parse` for a function, whose `JSON.stringify` is undefined.
fn not_json() -> Throw {
    error::syntax_error("\"undefined\" is not valid JSON")
}

/// Returns the error object of a thrown value. It contains at most 64 KiB of text.
fn thrown_error(thrown: &Throw) -> Value {
    let text = match thrown {
        Throw::Abort(text) => text.clone(),
        Throw::Value(value) => match string(value) {
            Ok(text) => shortened(&text).into_owned(),
            Err(Throw::Abort(text)) => text,
            Err(Throw::Value(_)) => String::from("an object that has no text"),
        },
    };
    error_object(Value::from(format!("An error has occurred: {text}")))
}

fn error_object(error: Value) -> Value {
    object([("error", error)])
}
