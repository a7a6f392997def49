//! One call of a function from a state, and what becomes of its result.

use super::budget::{Run, Session};
use super::coerce::string;
use super::json::round_trip;
use super::{Js, Result, Throw, Var, error};
use crate::expr::composer;
use crate::machine::{Core, FunctionLimits, RandomStream};
use crate::time::Timestamp;
use crate::value::text::shortened;
use crate::value::{Object, Value, object};

/// Calls the function of a state: makes its argument of the document and its variables of the values, and puts back what
/// became of them.
///
/// What is put back went through JSON. The result of the function replaces the document, as [`composer::outcome`] does; where it
/// threw, the document is an error object (§1.3). Variables are written back in either case (ruling Q2). One that has no
/// JSON value any more keeps the one it had (null, if even that is more than the budget allows), and makes an error object
/// of the document (§1.4).
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
        Ok(value) => composer::outcome(value),
        Err(thrown) => thrown_error(&thrown),
    };
    *random = run.random_stream();
    document
}

/// The result as `JSON.parse(JSON.stringify(result))` has it; `{}` of undefined (ruling Q3).
#[inline]
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

/// The error object of what was thrown. It has no more than 64 KiB of its text.
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
