//! The functions of the runtime that lowered code calls.

use crate::expr::core::{CoreType, Form, Primitive, Takes};
use CoreType::{Bool, Error, Integer, Items, Number, Shared, StaticText, Text, Unit, Value};
use Takes::{Constant, OwnedClosure, Ref, Scalar};

const fn fallible(name: &'static str, takes: &'static [Takes], returns: CoreType) -> Primitive {
    Primitive::function(name, takes, returns).fails().acts()
}

// Members.
pub(super) const GET: Primitive = fallible("js::get", &[Ref, Constant], Value);
pub(super) const GET_TEXT: Primitive = fallible("js::get", &[Ref, Ref], Value);
pub(super) const GET_AT: Primitive = fallible("js::get_at", &[Ref, Ref], Value);
pub(super) const SET: Primitive = fallible("js::set", &[Ref, Constant, Takes::Value], Unit);
pub(super) const SET_AT: Primitive = fallible("js::set_at", &[Ref, Ref, Takes::Value], Unit);
pub(super) const DELETE: Primitive = fallible("js::delete", &[Ref, Constant], Bool);
pub(super) const DELETE_AT: Primitive = fallible("js::delete_at", &[Ref, Ref], Bool);
pub(super) const PROPERTY_KEY: Primitive = fallible("js::property_key", &[Ref], Text);
pub(super) const CONSTRUCTOR_NAME: Primitive = fallible("js::constructor_name", &[Ref], Value);
pub(super) const REQUIRE_OBJECT_COERCIBLE: Primitive = fallible("js::require_object_coercible", &[Ref], Unit);
pub(super) const REST_OF: Primitive = fallible("js::rest_of", &[Ref, Ref], Value);
pub(super) const SPREAD_OBJECT: Primitive = fallible("js::spread_object", &[Ref, Ref], Unit);
pub(super) const SPREAD_ARRAY: Primitive = fallible("js::spread_array", &[Ref, Ref], Unit);

// Iteration.
pub(super) const ITERATE: Primitive = fallible("js::iterate", &[Ref], Items);
pub(super) const EACH: Primitive = fallible("js::each", &[Ref], Items);
pub(super) const EACH_KEY: Primitive = Primitive::function("js::each_key", &[Ref], Items);
pub(super) const TICK: Primitive = Primitive::method("tick", &[Scalar], Unit).fails().acts();

// Calls.
pub(super) const CALL: Primitive = fallible("js::call", &[Scalar, Ref, Constant, Ref], Value);
pub(super) const CALL_WITH: Primitive = fallible("js::call_with", &[Scalar, Ref, Ref, Constant, Ref], Value);
pub(super) const CALL_METHOD: Primitive = fallible("js::call_method", &[Scalar, Ref, Constant, Constant, Ref], Value);
pub(super) const CALL_METHOD_AT: Primitive = fallible("js::call_method_at", &[Scalar, Ref, Ref, Constant, Ref], Value);
pub(super) const RECEIVER: Primitive = fallible("js::receiver", &[Ref, Constant], Value).borrows();
pub(super) const CONSTRUCT: Primitive = fallible("js::construct", &[Scalar, Constant, Ref], Value);
pub(super) const FUNCTION: Primitive = Primitive::function("js::function", &[Constant, Constant, OwnedClosure], Value);
pub(super) const ARGUMENT: Primitive = Primitive::function("js::argument", &[Ref, Constant], Value);
pub(super) const REST_ARGUMENTS: Primitive = Primitive::function("js::rest_arguments", &[Ref, Constant], Value);

/// Returns a built-in function.
pub(super) const fn builtin(name: &'static str) -> Primitive {
    fallible(name, &[Scalar, Ref], Value)
}

// Variables.
pub(super) const NEW_VARIABLE: Primitive = Primitive::function("js::Var::new", &[Takes::Value], Shared);
pub(super) const VALUE_OF: Primitive = Primitive::method("get", &[Ref], Value);
pub(super) const SET_VARIABLE: Primitive = Primitive::method("set", &[Ref, Takes::Value], Unit).acts();
pub(super) const POST_INCREMENT: Primitive = fallible("js::post_increment", &[Ref], Number);
pub(super) const POST_DECREMENT: Primitive = fallible("js::post_decrement", &[Ref], Number);

// Values.
pub(super) const COPY: Primitive = Primitive::method("clone", &[Ref], Value);
/// A value as the subject of a `match`.
pub(super) const ITSELF: Primitive =
    Primitive { form: Form::Outcome, ..Primitive::function("", &[Takes::Value], Value) };
pub(super) const FROM_TEXT: Primitive = Primitive::function("Js::from", &[Takes::Value], Value);
pub(super) const FROM_STATIC: Primitive = Primitive::function("Js::text", &[Scalar], Value);
pub(super) const IS_NULLISH: Primitive = Primitive::method("is_nullish", &[Ref], Bool);
pub(super) const TRUTHY: Primitive = Primitive::function("js::truthy", &[Ref], Bool);
pub(super) const NUMBER: Primitive = fallible("js::number", &[Ref], Number);
pub(super) const STRING: Primitive = fallible("js::string", &[Ref], Text);
pub(super) const ADDED: Primitive = fallible("js::added", &[Ref], Text);
pub(super) const NUMBER_TEXT: Primitive = Primitive::function("js::number_text", &[Scalar], Text);
pub(super) const CONCAT: Primitive = fallible("js::concat", &[Ref], Text);
pub(super) const TYPE_OF: Primitive = Primitive::function("js::type_of", &[Ref], StaticText);
pub(super) const INSTANCE_OF: Primitive = Primitive::function("js::instance_of", &[Ref, Constant], Bool);

// Operators.
pub(super) const ADD: Primitive = fallible("js::add", &[Ref, Ref], Value);
pub(super) const HAS: Primitive = fallible("js::has", &[Ref, Ref], Bool);
pub(super) const STRICT_EQUALS: Primitive = Primitive::function("js::strict_equals", &[Ref, Ref], Bool);
pub(super) const LOOSE_EQUALS: Primitive = fallible("js::loose_equals", &[Ref, Ref], Bool);
pub(super) const POWER: Primitive = Primitive::function("js::power", &[Scalar, Scalar], Number);
pub(super) const INT32: Primitive = Primitive::function("js::int32", &[Scalar], Integer);
pub(super) const UINT32: Primitive = Primitive::function("js::uint32", &[Scalar], Integer);
pub(super) const FROM_SCALAR: Primitive = Primitive::function("f64::from", &[Scalar], Number);
pub(super) const SHIFT_LEFT: Primitive = Primitive::method("wrapping_shl", &[Scalar, Scalar], Integer);
pub(super) const SHIFT_RIGHT: Primitive = Primitive::method("wrapping_shr", &[Scalar, Scalar], Integer);
pub(super) const MINUS: Primitive = Primitive { form: Form::Prefix, ..Primitive::function("-", &[Scalar], Number) };
pub(super) const COMPLEMENT: Primitive =
    Primitive { form: Form::Prefix, ..Primitive::function("!", &[Scalar], Integer) };
pub(super) const AT_MOST: Primitive =
    Primitive { form: Form::Infix, ..Primitive::function("<=", &[Scalar, Constant], Bool) };
pub(super) const IS_TYPE: Primitive =
    Primitive { form: Form::Infix, ..Primitive::function("==", &[Scalar, Constant], Bool) };
pub(super) const IS_OTHER_TYPE: Primitive =
    Primitive { form: Form::Infix, ..Primitive::function("!=", &[Scalar, Constant], Bool) };

/// Returns a comparison of values that may be no numbers.
pub(super) const fn comparison(name: &'static str) -> Primitive {
    fallible(name, &[Ref, Ref], Bool)
}

// Errors.
pub(super) const UNDECLARED: Primitive = fallible("js::undeclared", &[Constant], Value);
pub(super) const THROWN: Primitive = Primitive::function("js::Throw::Value", &[Takes::Value], Error);
pub(super) const REFERENCE_ERROR: Primitive = Primitive::function("js::reference_error", &[Constant], Error);
pub(super) const CONSTANT_ASSIGNMENT: Primitive = Primitive::function("js::constant_assignment", &[Constant], Error);
