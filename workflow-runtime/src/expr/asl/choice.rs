//! Operators of Choice states (Amazon States Language, "Choice State"). A value of another type
//! makes a comparison false, never a fault.

use std::cmp::Ordering;

use super::timestamp;
use crate::budget;
use crate::fault::Fault;
use crate::value::Value;
use crate::value::pairs::compare_texts;

/// Returns the fault of a Choice state in which no rule matches, and which has no `Default`
/// ([A32](docs/amazon-states-language.md#a32)).
pub fn no_transition() -> Fault {
    Fault::runtime("Failed to transition out of the state. The state does not point to a next state.")
}

/// A numeric literal of a comparison.
pub trait Number {
    /// Converts the number to a value.
    fn value(self) -> Value;
}

impl Number for i64 {
    fn value(self) -> Value {
        Value::Int(self)
    }
}

impl Number for f64 {
    fn value(self) -> Value {
        Value::Float(self)
    }
}

/// Compares strings by UTF-16 code units, as Java does.
fn strings(left: &Value, right: &str) -> Option<Ordering> {
    let left = left.as_str()?;
    budget::spend_text(left);
    Some(if left.is_ascii() || right.is_ascii() {
        compare_texts(left, right, budget::spend)
    } else {
        budget::spend_text(right);
        left.encode_utf16().cmp(right.encode_utf16())
    })
}

fn string_values(left: &Value, right: &Value) -> Option<Ordering> {
    strings(left, right.as_str()?)
}

fn numbers(left: &Value, right: impl Number) -> Option<Ordering> {
    left.compare_numbers(&right.value())
}

fn number_values(left: &Value, right: &Value) -> Option<Ordering> {
    left.compare_numbers(right)
}

fn timestamps(left: &Value, right: &str) -> Option<Ordering> {
    Some(timestamp::of(left)?.cmp(&timestamp::read(right)?))
}

fn timestamp_values(left: &Value, right: &Value) -> Option<Ordering> {
    Some(timestamp::of(left)?.cmp(&timestamp::of(right)?))
}

/// Declares a comparison with a literal, and the same comparison with the value of a path.
macro_rules! comparison {
    ($operator:literal, $name:ident, $path:ident, $other:ty, $literals:ident, $values:ident, $test:ident) => {
        #[doc = concat!("`", $operator, "`")]
        pub fn $name(variable: &Value, literal: $other) -> bool {
            $literals(variable, literal).is_some_and(Ordering::$test)
        }

        #[doc = concat!("`", $operator, "Path`")]
        pub fn $path(variable: &Value, other: &Value) -> bool {
            $values(variable, other).is_some_and(Ordering::$test)
        }
    };
}

comparison!("StringEquals", string_equals, string_equals_path, &str, strings, string_values, is_eq);
comparison!("StringLessThan", string_less_than, string_less_than_path, &str, strings, string_values, is_lt);
comparison!("StringGreaterThan", string_greater_than, string_greater_than_path, &str, strings, string_values, is_gt);
comparison!(
    "StringLessThanEquals",
    string_less_than_equals,
    string_less_than_equals_path,
    &str,
    strings,
    string_values,
    is_le
);
comparison!(
    "StringGreaterThanEquals",
    string_greater_than_equals,
    string_greater_than_equals_path,
    &str,
    strings,
    string_values,
    is_ge
);

comparison!("NumericEquals", numeric_equals, numeric_equals_path, impl Number, numbers, number_values, is_eq);
comparison!("NumericLessThan", numeric_less_than, numeric_less_than_path, impl Number, numbers, number_values, is_lt);
comparison!(
    "NumericGreaterThan",
    numeric_greater_than,
    numeric_greater_than_path,
    impl Number,
    numbers,
    number_values,
    is_gt
);
comparison!(
    "NumericLessThanEquals",
    numeric_less_than_equals,
    numeric_less_than_equals_path,
    impl Number,
    numbers,
    number_values,
    is_le
);
comparison!(
    "NumericGreaterThanEquals",
    numeric_greater_than_equals,
    numeric_greater_than_equals_path,
    impl Number,
    numbers,
    number_values,
    is_ge
);

comparison!("TimestampEquals", timestamp_equals, timestamp_equals_path, &str, timestamps, timestamp_values, is_eq);
comparison!(
    "TimestampLessThan",
    timestamp_less_than,
    timestamp_less_than_path,
    &str,
    timestamps,
    timestamp_values,
    is_lt
);
comparison!(
    "TimestampGreaterThan",
    timestamp_greater_than,
    timestamp_greater_than_path,
    &str,
    timestamps,
    timestamp_values,
    is_gt
);
comparison!(
    "TimestampLessThanEquals",
    timestamp_less_than_equals,
    timestamp_less_than_equals_path,
    &str,
    timestamps,
    timestamp_values,
    is_le
);
comparison!(
    "TimestampGreaterThanEquals",
    timestamp_greater_than_equals,
    timestamp_greater_than_equals_path,
    &str,
    timestamps,
    timestamp_values,
    is_ge
);

/// Implements `BooleanEquals`.
pub fn boolean_equals(variable: &Value, literal: bool) -> bool {
    variable.as_bool() == Some(literal)
}

/// Implements `BooleanEqualsPath`.
pub fn boolean_equals_path(variable: &Value, other: &Value) -> bool {
    other.as_bool().is_some_and(|other| boolean_equals(variable, other))
}

/// Implements `StringMatches`: in the pattern, `*` matches any number of characters, `\\*` a star,
/// and `\\\\` a backslash.
pub fn string_matches(variable: &Value, pattern: &str) -> bool {
    variable.as_str().is_some_and(|text| matches(text, pattern))
}

fn matches(mut text: &str, mut pattern: &str) -> bool {
    // The position for backtracking to the last star: one character further in the text.
    let mut retry: Option<(&str, &str)> = None;
    // The number of characters to compare between two checks of the budget.
    const CHUNK: usize = 4096;
    for step in 1.. {
        if step % CHUNK == 0 && !budget::spend(CHUNK) {
            break;
        }
        let mut rest = pattern.chars();
        let step = match rest.next() {
            Some('*') => {
                pattern = rest.as_str();
                retry = Some((text, pattern));
                continue;
            }
            Some('\\') => rest.next().or(Some('\\')),
            other => other,
        };
        let mut characters = text.chars();
        match (step, characters.next()) {
            (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == found => {
                (text, pattern) = (characters.as_str(), rest.as_str());
            }
            _ => {
                let Some((from, after_star)) = retry else { return false };
                let mut skipped = from.chars();
                if skipped.next().is_none() {
                    return false;
                }
                (text, pattern) = (skipped.as_str(), after_star);
                retry = Some((text, pattern));
            }
        }
    }
    false
}

/// Implements `IsPresent`.
pub fn is_present(variable: Option<&Value>) -> bool {
    variable.is_some()
}

/// Implements `IsNull`.
pub fn is_null(variable: &Value) -> bool {
    variable.is_null()
}

/// Implements `IsBoolean`.
pub fn is_boolean(variable: &Value) -> bool {
    variable.as_bool().is_some()
}

/// Implements `IsNumeric`.
pub fn is_numeric(variable: &Value) -> bool {
    matches!(variable, Value::Int(_) | Value::Float(_))
}

/// Implements `IsString`.
pub fn is_string(variable: &Value) -> bool {
    variable.as_str().is_some()
}

/// Implements `IsTimestamp`.
pub fn is_timestamp(variable: &Value) -> bool {
    timestamp::of(variable).is_some()
}
