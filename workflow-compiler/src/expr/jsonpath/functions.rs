//! The runtime functions that paths call (`workflow_runtime::__private::jsonpath`).

use crate::expr::{Function, Type};

/// Tests that a path leads to a value. Argument: `Maybe`.
pub static EXISTS: Function = Function::new("jsonpath::exists", Type::Bool);
/// Tests that a path leads to a value other than null and false. Argument: `Maybe`.
pub static HOLDS: Function = Function::new("jsonpath::holds", Type::Bool);
/// Tests that an indefinite path selects at least one value. Argument: `Value`, the array of
/// selected values.
pub static ANY: Function = Function::new("jsonpath::any", Type::Bool);
/// `==` of RFC 9535 §2.3.5.2.2; negated for `!=`. Arguments: two `Maybe`.
pub static EQUAL: Function = Function::new("jsonpath::equal", Type::Bool);
/// `<`; with exchanged arguments, `>`. Arguments: two `Maybe`.
pub static LESS: Function = Function::new("jsonpath::less", Type::Bool);
/// `<=`; with exchanged arguments, `>=`. Arguments: two `Maybe`.
pub static LESS_OR_EQUAL: Function = Function::new("jsonpath::less_or_equal", Type::Bool);
/// `length(…)`. Argument: `Maybe`. Yields nothing if the value has no length.
pub static LENGTH: Function = Function::new("jsonpath::length", Type::MaybeValue);
/// `count(…)`. Argument: `Value`, the array of selected values.
pub static COUNT: Function = Function::new("jsonpath::count", Type::Value);
/// `count(…)` of a definite path. Argument: `Maybe`.
pub static COUNT_ONE: Function = Function::new("jsonpath::count_one", Type::Value);
/// `value(…)`. Argument: `Value`, the array of selected values. Yields nothing unless there is
/// exactly one.
pub static VALUE: Function = Function::new("jsonpath::value", Type::MaybeValue);
/// `match(…)` with a constant pattern. Arguments: `Maybe`, `Str`.
pub static MATCHES: Function = Function::new("jsonpath::matches", Type::Bool);
/// `match(…)` with a pattern from the data. Arguments: two `Maybe`.
pub static MATCHES_VALUE: Function = Function::new("jsonpath::matches_value", Type::Bool);
/// `search(…)` with a constant pattern. Arguments: `Maybe`, `Str`.
pub static SEARCHES: Function = Function::new("jsonpath::searches", Type::Bool);
/// `search(…)` with a pattern from the data. Arguments: two `Maybe`.
pub static SEARCHES_VALUE: Function = Function::new("jsonpath::searches_value", Type::Bool);

/// Jayway's `==`: between a number and a string, the right operand is converted to the type of the
/// left. Arguments: two `Maybe`.
pub static JAYWAY_EQUAL: Function = Function::new("jsonpath::jayway_equal", Type::Bool);
/// Jayway's `<=`, for values that have an order; with exchanged arguments, `>=`. Arguments: two
/// `Maybe`.
pub static JAYWAY_LESS_OR_EQUAL: Function = Function::new("jsonpath::jayway_less_or_equal", Type::Bool);
/// Jayway's `=~`. Arguments: `Maybe`, and as `Str` the pattern with its flags in front, such as
/// `(?i)`.
pub static JAYWAY_MATCHES: Function = Function::new("jsonpath::jayway_matches", Type::Bool);
/// Jayway's `in`; negated for `nin`. Arguments: two `Maybe`.
pub static JAYWAY_IN: Function = Function::new("jsonpath::jayway_in", Type::Bool);
/// Jayway's `subsetof`. Arguments: two `Maybe`.
pub static JAYWAY_SUBSET_OF: Function = Function::new("jsonpath::jayway_subset_of", Type::Bool);
/// Jayway's `anyof`. Arguments: two `Maybe`.
pub static JAYWAY_ANY_OF: Function = Function::new("jsonpath::jayway_any_of", Type::Bool);
/// Jayway's `noneof`. Arguments: two `Maybe`.
pub static JAYWAY_NONE_OF: Function = Function::new("jsonpath::jayway_none_of", Type::Bool);
/// Jayway's `size`. Arguments: two `Maybe`.
pub static JAYWAY_SIZE: Function = Function::new("jsonpath::jayway_size", Type::Bool);
/// Jayway's `empty`. Arguments: two `Maybe`.
pub static JAYWAY_EMPTY: Function = Function::new("jsonpath::jayway_empty", Type::Bool);
/// Jayway's `contains`. Arguments: two `Maybe`.
pub static JAYWAY_CONTAINS: Function = Function::new("jsonpath::jayway_contains", Type::Bool);
/// Jayway's `.length()`. Argument: `Maybe`. Yields null for a value that is neither array nor
/// object, and nothing for an absent value.
pub static JAYWAY_LENGTH: Function = Function::new("jsonpath::jayway_length", Type::MaybeValue);
/// Jayway's `['a','b']` at the end of a definite path: one object of the members that exist.
/// Arguments: `Maybe`, `Strs`.
pub static MEMBERS: Function = Function::new("jsonpath::members", Type::MaybeValue);
/// Jayway's `['a','b']` at the end of an indefinite path, applied to each value. Arguments:
/// `Maybe`, the array of selected values, and `Strs`.
pub static MEMBERS_OF_EACH: Function = Function::new("jsonpath::members_of_each", Type::MaybeValue);
