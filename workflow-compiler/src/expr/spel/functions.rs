//! The runtime functions that SpEL calls (`workflow_runtime::__private::spel`). Operands are
//! `Maybe`. An absent operand counts as null.

use crate::expr::{Function, Type};

/// The result of a condition. Fails for a value that is not a boolean. Argument: `Maybe`.
pub static IS_TRUE: Function = fallible("spel::is_true", Type::Bool);
/// `ne null`. Argument: `Maybe`.
pub static IS_GIVEN: Function = Function::new("spel::is_given", Type::Bool);
/// Tests that `?:` yields its left operand. Argument: `Maybe`.
pub static IS_FILLED: Function = Function::new("spel::is_filled", Type::Bool);
/// `eq`; negated for `ne`. Arguments: two `Maybe`.
pub static EQUALS: Function = Function::new("spel::equals", Type::Bool);
/// `lt`. Arguments: two `Maybe`.
pub static LESS_THAN: Function = fallible("spel::less_than", Type::Bool);
/// `le`. Arguments: two `Maybe`.
pub static LESS_THAN_EQUALS: Function = fallible("spel::less_than_equals", Type::Bool);
/// `gt`. Arguments: two `Maybe`.
pub static GREATER_THAN: Function = fallible("spel::greater_than", Type::Bool);
/// `ge`. Arguments: two `Maybe`.
pub static GREATER_THAN_EQUALS: Function = fallible("spel::greater_than_equals", Type::Bool);
/// `matches` with a constant pattern. Arguments: `Maybe`, `Str`.
pub static MATCHES: Function = fallible("spel::matches", Type::Bool);
/// `matches` with a pattern from the data. Arguments: two `Maybe`.
pub static MATCHES_VALUE: Function = fallible("spel::matches_value", Type::Bool);
/// `+`. Arguments: two `Maybe`.
pub static ADD: Function = fallible("spel::add", Type::Value);
/// `-`. Arguments: two `Maybe`.
pub static SUBTRACT: Function = fallible("spel::subtract", Type::Value);
/// `*`. Arguments: two `Maybe`.
pub static MULTIPLY: Function = fallible("spel::multiply", Type::Value);
/// `/`. Arguments: two `Maybe`.
pub static DIVIDE: Function = fallible("spel::divide", Type::Value);
/// `%`. Arguments: two `Maybe`.
pub static REMAINDER: Function = fallible("spel::remainder", Type::Value);
/// `-` before a number. Argument: `Maybe`.
pub static NEGATE: Function = fallible("spel::negate", Type::Value);
/// `isEmpty()`. Argument: `Maybe`.
pub static IS_EMPTY: Function = fallible("spel::is_empty", Type::Bool);
/// `size()` and `length()`. Arguments: `Maybe`, and as `Str` the name of the method.
pub static SIZE: Function = fallible("spel::size", Type::Value);
/// `contains(…)`. Arguments: two `Maybe`.
pub static CONTAINS: Function = fallible("spel::contains", Type::Bool);
/// `startsWith(…)`. Arguments: two `Maybe`.
pub static STARTS_WITH: Function = fallible("spel::starts_with", Type::Bool);
/// `endsWith(…)`. Arguments: two `Maybe`.
pub static ENDS_WITH: Function = fallible("spel::ends_with", Type::Bool);
/// `toLowerCase()`. Argument: `Maybe`.
pub static TO_LOWER_CASE: Function = fallible("spel::to_lower_case", Type::Value);
/// `toUpperCase()`. Argument: `Maybe`.
pub static TO_UPPER_CASE: Function = fallible("spel::to_upper_case", Type::Value);
/// The result of `#jsonPath(…)` with an indefinite path. Argument: `Maybe`, the array of selected
/// values.
pub static ONLY: Function = Function::new("spel::only", Type::Value);

const fn fallible(path: &'static str, returns: Type) -> Function {
    Function::new(path, returns).catchable()
}
