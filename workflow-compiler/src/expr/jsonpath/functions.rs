//! The functions of the runtime that paths call (`workflow_runtime::__private::jsonpath`).

use crate::expr::{Fails, Function, Type};

/// Whether a path leads somewhere. Argument: `Maybe`.
pub static EXISTS: Function = function("jsonpath::exists", Type::Bool);
/// Whether a path leads to something that is neither null nor false. Argument: `Maybe`.
pub static HOLDS: Function = function("jsonpath::holds", Type::Bool);
/// Whether a path that can lead to several values leads to any. Argument: `Value`, the array of what it selects.
pub static ANY: Function = function("jsonpath::any", Type::Bool);
/// `==` of RFC 9535 §2.3.5.2.2. Arguments: two `Maybe`. Not for `!=`.
pub static EQUAL: Function = function("jsonpath::equal", Type::Bool);
/// `<`. Arguments: two `Maybe`; exchanged for `>`.
pub static LESS: Function = function("jsonpath::less", Type::Bool);
/// `<=`. Arguments: two `Maybe`; exchanged for `>=`.
pub static LESS_OR_EQUAL: Function = function("jsonpath::less_or_equal", Type::Bool);
/// `length(…)`. Argument: `Maybe`. Nothing where the value has no length.
pub static LENGTH: Function = function("jsonpath::length", Type::MaybeValue);
/// `count(…)`. Argument: `Value`, the array of what the path selects.
pub static COUNT: Function = function("jsonpath::count", Type::Value);
/// `count(…)` of a definite path. Argument: `Maybe`.
pub static COUNT_ONE: Function = function("jsonpath::count_one", Type::Value);
/// `value(…)`. Argument: `Value`, the array of what the path selects. Nothing unless it selects one value.
pub static VALUE: Function = function("jsonpath::value", Type::MaybeValue);
/// `match(…)` with a known pattern. Arguments: `Maybe`, `Str`.
pub static MATCHES: Function = function("jsonpath::matches", Type::Bool);
/// `match(…)` with a pattern from the data. Arguments: two `Maybe`.
pub static MATCHES_VALUE: Function = function("jsonpath::matches_value", Type::Bool);
/// `search(…)` with a known pattern. Arguments: `Maybe`, `Str`.
pub static SEARCHES: Function = function("jsonpath::searches", Type::Bool);
/// `search(…)` with a pattern from the data. Arguments: two `Maybe`.
pub static SEARCHES_VALUE: Function = function("jsonpath::searches_value", Type::Bool);

/// Jayway's `==`: a number and a string are compared as whatever the left one is. Arguments: two `Maybe`.
pub static JAYWAY_EQUAL: Function = function("jsonpath::jayway_equal", Type::Bool);
/// Jayway's `<=`, which needs an order. Arguments: two `Maybe`; exchanged for `>=`.
pub static JAYWAY_LESS_OR_EQUAL: Function = function("jsonpath::jayway_less_or_equal", Type::Bool);
/// Jayway's `=~`. Arguments: `Maybe`, `Str` the pattern with its flags in front, as `(?i)`.
pub static JAYWAY_MATCHES: Function = function("jsonpath::jayway_matches", Type::Bool);
/// Jayway's `in`. Arguments: two `Maybe`. Not for `nin`.
pub static JAYWAY_IN: Function = function("jsonpath::jayway_in", Type::Bool);
/// Jayway's `subsetof`. Arguments: two `Maybe`.
pub static JAYWAY_SUBSET_OF: Function = function("jsonpath::jayway_subset_of", Type::Bool);
/// Jayway's `anyof`. Arguments: two `Maybe`.
pub static JAYWAY_ANY_OF: Function = function("jsonpath::jayway_any_of", Type::Bool);
/// Jayway's `noneof`. Arguments: two `Maybe`.
pub static JAYWAY_NONE_OF: Function = function("jsonpath::jayway_none_of", Type::Bool);
/// Jayway's `size`. Arguments: two `Maybe`.
pub static JAYWAY_SIZE: Function = function("jsonpath::jayway_size", Type::Bool);
/// Jayway's `empty`. Arguments: two `Maybe`.
pub static JAYWAY_EMPTY: Function = function("jsonpath::jayway_empty", Type::Bool);
/// Jayway's `contains`. Arguments: two `Maybe`.
pub static JAYWAY_CONTAINS: Function = function("jsonpath::jayway_contains", Type::Bool);
/// Jayway's `.length()`. Argument: `Maybe`. Null of what is neither array nor object, nothing of nothing.
pub static JAYWAY_LENGTH: Function = function("jsonpath::jayway_length", Type::MaybeValue);
/// Jayway's `['a','b']` at the end of a definite path: one object of those members that there are. Arguments: `Maybe`, `Strs`.
pub static MEMBERS: Function = function("jsonpath::members", Type::MaybeValue);
/// The same at the end of any other path, for each value. Arguments: `Maybe` the array of what the path selects, `Strs`.
pub static MEMBERS_OF_EACH: Function = function("jsonpath::members_of_each", Type::MaybeValue);

const fn function(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fails: Fails::Never, turn: false, context: false }
}
