//! Functions as values, and calls (ECMA-262 §13.3.6, §10.2.1).

use std::rc::Rc;

use super::budget::Run;
use super::coerce::property_key;
use super::object::{Function, Obj, Special};
use super::{Js, Result, Throw, builtin, error, method, property};

/// Creates a function. `call` receives the value of `this` and the arguments.
pub fn function(name: &'static str, length: usize, call: impl Fn(&Run, &Js, &[Js]) -> Result + 'static) -> Js {
    Js::Object(Obj::special(Special::Function(Function { name, length, call: Rc::new(call) })))
}

/// Implements `callee(arguments)`. `text` is the source of the callee.
pub fn call(run: &Run, callee: &Js, text: &'static str, arguments: &[Js]) -> Result {
    match as_function(callee) {
        Some(function) => run.nested(|| (function.call)(run, &Js::Undefined, arguments)),
        None => Err(error::not_a_function(text)),
    }
}

/// Calls a method that was read from `this` before the arguments were evaluated.
pub fn call_with(run: &Run, callee: &Js, this: &Js, text: &'static str, arguments: &[Js]) -> Result {
    match as_function(callee) {
        Some(function) => run.nested(|| (function.call)(run, this, arguments)),
        None => Err(error::not_a_function(text)),
    }
}

/// Implements `receiver.name(arguments)`: calls a function that is a property of the receiver, or
/// a built-in method of its type.
pub fn call_method(run: &Run, receiver: &Js, name: &str, text: &'static str, arguments: &[Js]) -> Result {
    let own = match receiver {
        Js::Undefined | Js::Null => return property::get(receiver, name),
        Js::Object(object) => property::own(object, name),
        _ => None,
    };
    if let Some(callee) = own {
        let function = as_function(&callee).ok_or_else(|| error::not_a_function(text))?;
        return run.nested(|| (function.call)(run, receiver, arguments));
    }
    match method::find(receiver, name) {
        // The built-in may call functions, so its call counts as a level.
        Some(method) => {
            run.tick()?;
            (method.call)(run, receiver, arguments)
        }
        None => Err(error::not_a_function(text)),
    }
}

/// Implements `receiver[key](arguments)`.
pub fn call_method_at(run: &Run, receiver: &Js, key: &Js, text: &'static str, arguments: &[Js]) -> Result {
    if receiver.is_nullish() {
        return property::get_at(receiver, key);
    }
    call_method(run, receiver, &property_key(key)?, text, arguments)
}

/// Implements `new constructor(arguments)` for a built-in constructor.
pub fn construct(run: &Run, constructor: &str, arguments: &[Js]) -> Result {
    match constructor {
        "Error" => builtin::error(run, arguments),
        "TypeError" => builtin::type_error(run, arguments),
        "RangeError" => builtin::range_error(run, arguments),
        "SyntaxError" => builtin::syntax_error(run, arguments),
        "ReferenceError" => builtin::reference_error(run, arguments),
        "EvalError" => builtin::eval_error(run, arguments),
        "URIError" => builtin::uri_error(run, arguments),
        "Array" => builtin::array(run, arguments),
        "Object" => builtin::object(run, arguments),
        "Date" => builtin::date(run, arguments),
        other => Err(Throw::Abort(format!("`new {other}` is not supported"))),
    }
}

pub(super) fn as_function(value: &Js) -> Option<Function> {
    value.as_object().and_then(Obj::as_function)
}

/// Calls a function with a value for `this`.
pub(super) fn invoke(run: &Run, callee: &Js, this: &Js, arguments: &[Js]) -> Result {
    match as_function(callee) {
        Some(function) => run.nested(|| (function.call)(run, this, arguments)),
        None => Err(error::not_a_function(&error::describe(callee))),
    }
}

/// Returns the argument of a built-in that must be a function.
pub(super) fn callback(arguments: &[Js], position: usize) -> Result<Js> {
    let value = argument(arguments, position);
    if as_function(&value).is_none() {
        return Err(error::not_a_function(&error::describe(&value)));
    }
    Ok(value)
}

/// Returns an argument, or undefined if there are fewer.
pub(super) fn argument(arguments: &[Js], position: usize) -> Js {
    arguments.get(position).cloned().unwrap_or_default()
}
