//! Constructors and conversions that are called as functions.

use super::super::call::argument;
use super::super::members::MemberTable;
use super::super::object::Obj;
use super::super::{Js, Result, Run, Throw, coerce, error as errors, property};

/// Implements `String(value)`.
pub fn string(_: &Run, arguments: &[Js]) -> Result {
    match arguments.first() {
        None => Ok(Js::text("")),
        Some(value) => coerce::string(value).map(Js::String),
    }
}

/// Implements `Number(value)`.
pub fn number(_: &Run, arguments: &[Js]) -> Result {
    arguments.first().map_or(Ok(0.0), coerce::number).map(Js::Number)
}

/// Implements `Boolean(value)`.
pub fn boolean(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Bool(arguments.first().is_some_and(coerce::truthy)))
}

/// Implements `Object(value)`, also with `new`. Returns an object unchanged. Wrapper objects for
/// primitives are not supported.
pub fn object(_: &Run, arguments: &[Js]) -> Result {
    match argument(arguments, 0) {
        Js::Undefined | Js::Null => Ok(Js::Object(Obj::of_members(MemberTable::default()))),
        object @ Js::Object(_) => Ok(object),
        _ => Err(no_wrapper()),
    }
}

/// Returns the error of an operation that would create a wrapper object.
#[cold]
pub(super) fn no_wrapper() -> Throw {
    Throw::Abort("objects around primitives are not supported".into())
}

/// Creates an error of a class with its message and cause (ECMA-262 §20.5.1.1).
fn make(kind: &'static str, arguments: &[Js]) -> Result {
    let message = match argument(arguments, 0) {
        Js::Undefined => None,
        message => Some(Js::String(coerce::string(&message)?)),
    };
    let cause = match arguments.get(1) {
        Some(Js::Object(options)) if property::has_own(options, "cause") => property::own(options, "cause"),
        _ => None,
    };
    Ok(errors::make(kind, message, cause))
}

macro_rules! errors {
    ($($function:ident $kind:literal)*) => {
        $(
            #[doc = concat!("`", $kind, "(message, options)`, also with `new`.")]
            pub fn $function(_: &Run, arguments: &[Js]) -> Result {
                make($kind, arguments)
            }
        )*
    };
}

errors! {
    error "Error"
    eval_error "EvalError"
    range_error "RangeError"
    reference_error "ReferenceError"
    syntax_error "SyntaxError"
    type_error "TypeError"
    uri_error "URIError"
}
