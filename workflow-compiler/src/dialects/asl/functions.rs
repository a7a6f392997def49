//! Functions of the runtime that the Amazon States Language calls: `ResultPath`, operators of
//! Choice rules, and fields whose path selects nothing or a value of the wrong type. Texts of
//! faults are those recorded on AWS ([A1](docs/amazon-states-language.md#a1)).
//!
//! Intrinsic functions have their own table, [`crate::expr::intrinsics`].

use crate::expr::{Arg, Expr, Fallibility, Function, LocalId, PathStep, Type};

/// `ResultPath` that consists of names only. Arguments: `Edit` the document, `Strs` the names,
/// `Owned` the result. Yields the document with the result at the path, and creates missing
/// objects on the way. Fails with `States.ResultPathMatchFailure` if a step meets a value that has
/// no such member.
pub static PUT: Function = Function { fallibility: Fallibility::Catchable, ..fails("asl::put", Type::Value) };

/// `ResultPath` of any other form. Arguments: `Edit` the document, `Steps` of the reference path,
/// `Owned` the result.
pub static PUT_AT: Function = Function { fallibility: Fallibility::Catchable, ..fails("asl::put_at", Type::Value) };

/// Path of names from the document, as in `Variable` of a Choice rule. Arguments: `Value` the
/// document, `Strs` the names. Fails as [`CHOICE_VARIABLE`].
pub static SUBJECT: Function = fails("asl::subject", Type::Ref);

/// Returns the call that puts `result` into `document` at the path `steps`.
pub fn put(document: LocalId, steps: Vec<PathStep>, result: LocalId) -> Expr {
    let names: Option<Vec<String>> = steps
        .iter()
        .map(|step| match step {
            PathStep::Key(name) => Some(name.clone()),
            PathStep::Index(_) => None,
        })
        .collect();
    let result = Arg::Owned(Expr::Local(result));
    match names {
        Some(names) => Expr::call(&PUT, vec![Arg::Edit(document), Arg::Strs(names), result]),
        None => Expr::call(&PUT_AT, vec![Arg::Edit(document), Arg::Steps(steps), result]),
    }
}

/// Path of a field that must select a value (`InputPath`, `OutputPath`). Arguments: `Maybe` the
/// value, `Value` the value that the path starts from, `Str` the path as written, `Steps` of the
/// definite path. Fails with "Invalid path '$.x' : No results for path: $['x']", or with the text
/// for the step that failed.
pub static REQUIRE_PATH: Function = fails("asl::require_path", Type::Ref);

/// Path of names from the document, for the same fields. Arguments: `Value` the document, `Strs`
/// the names. Fails like [`REQUIRE_PATH`].
pub static PATH: Function = fails("asl::path", Type::Ref);

/// Definite path from the document with an index, written in the form that its steps print.
/// Arguments: `Value` the document, `Steps`.
pub static PATH_AT: Function = fails("asl::path_at", Type::Ref);

/// `Variable` of a Choice rule, or path of a `…Path` operator. Arguments: `Maybe` the value, `Str`
/// the path as written. Fails with "Invalid path '$.x': The choice state's condition path
/// references an invalid value."
pub static CHOICE_VARIABLE: Function = fails("asl::choice_variable", Type::Ref);

/// Fault of a Choice state without `Default` in which no rule matches.
pub static NO_TRANSITION: Function = Function {
    path: "asl::no_transition",
    returns: Type::Fault,
    fallibility: Fallibility::Infallible,
    turn: false,
    context: false,
};

/// Variable that may be unassigned. Arguments: `Maybe` its local, `Str` its name without the `$`.
pub static VARIABLE: Function = fails("asl::variable", Type::Ref);

/// Value at a path of names from the document, for a check. Arguments: `Value` the document,
/// `Strs` the names.
pub static AT: Function = selection("asl::at");

/// Value at a definite path with an index, written in the form that its steps print. Arguments:
/// `Value` the document, `Steps`.
pub static AT_STEPS: Function = selection("asl::at_steps");

/// Value of any other path, for a check. Arguments: `Maybe` the value, `Value` the value that the
/// path starts from, `Str` the path as written, `Steps` of its definite beginning.
pub static SELECTED: Function = selection("asl::selected");

/// Value that is always present (an intrinsic function, a placeholder, `$`, an indefinite path),
/// with its text for messages. Arguments: `Value`, `Str` the text as written.
pub static COMPUTED: Function = selection("asl::computed");

const fn selection(path: &'static str) -> Function {
    Function { fallibility: Fallibility::Infallible, ..fails(path, Type::Selection) }
}

/// `SecondsPath`. Argument: `Maybe` a selection. Yields an integer that is not negative.
pub static SECONDS_PATH: Function = fails("asl::seconds_path", Type::Ref);

/// `TimestampPath`. Argument: `Maybe` a selection. Yields an RFC 3339 time as a string, checked
/// against the longest delay that AWS allows.
pub static TIMESTAMP_PATH: Function = Function { turn: true, ..fails("asl::timestamp_path", Type::Ref) };

/// `TimeoutSecondsPath` and `HeartbeatSecondsPath`. Arguments: `Maybe` a selection, `Str` the
/// field. Yields a positive integer.
pub static TIMEOUT_PATH: Function = fails("asl::timeout_path", Type::Ref);

/// `MaxConcurrencyPath`. Argument: `Maybe` a selection. Yields an integer that is not negative.
pub static MAX_CONCURRENCY_PATH: Function = fails("asl::max_concurrency_path", Type::Value);

/// `ToleratedFailureCountPath`. Argument and result as [`MAX_CONCURRENCY_PATH`].
pub static TOLERATED_COUNT_PATH: Function = fails("asl::tolerated_count_path", Type::Value);

/// `ToleratedFailurePercentagePath`. Argument: `Maybe` a selection. Yields a number from 0 to 100.
pub static TOLERATED_PERCENTAGE_PATH: Function = fails("asl::tolerated_percentage_path", Type::Value);

/// Items of a Map state. Argument: `Maybe` a selection, of `ItemsPath` or of `$`. Fails if the
/// value is not an array: "Reference path \"$.x\" must point to array."
pub static ITEMS_ARRAY: Function = fails("asl::items_array", Type::Ref);

/// Items of a distributed Map state. Argument as [`ITEMS_ARRAY`]. An object is allowed, too.
pub static MAP_ITEMS: Function = fails("asl::map_items", Type::Ref);

/// `MaxItemsPath`. Argument: `Maybe` a selection. A negative number is `States.ItemReaderFailed`.
pub static MAX_ITEMS_PATH: Function =
    Function { fallibility: Fallibility::Catchable, ..fails("asl::max_items_path", Type::Value) };

/// `MaxItemsPerBatchPath`. Argument: `Maybe` a selection. Yields a positive integer.
pub static MAX_ITEMS_PER_BATCH_PATH: Function = fails("asl::max_items_per_batch_path", Type::Value);

/// `MaxInputBytesPerBatchPath`. Argument and result as [`MAX_ITEMS_PER_BATCH_PATH`].
pub static MAX_INPUT_BYTES_PATH: Function = fails("asl::max_input_bytes_path", Type::Value);

/// Variable that the selector of a distributed Map reads. Argument: `Maybe` its local. Yields an
/// array, empty for an unassigned variable.
pub static CAPTURED: Function = Function::new("asl::captured", Type::Value);

/// Value that the selector of a distributed Map reads. Arguments: `Value` the item, `Int` the
/// index in its scope.
pub static VALUE_IN_SCOPE: Function = Function::new("asl::value_in_scope", Type::Ref);

/// Variable that the selector of a distributed Map reads, if it is assigned. Arguments as
/// [`VALUE_IN_SCOPE`].
pub static VARIABLE_IN_SCOPE: Function = Function::new("asl::variable_in_scope", Type::Maybe);

/// Context object with the item of a distributed Map. Arguments as [`VALUE_IN_SCOPE`].
pub static ITEM_CONTEXT: Function = Function::new("asl::item_context", Type::Value);

/// `ErrorPath` and `CausePath`. Arguments: `Maybe` a selection, `Value` the input for the message,
/// `Str` the field. Fails if the value is not a string.
pub static FAULT_STRING: Function = fails("asl::fault_string", Type::Ref);

/// Whole number that a field in JSONata computes. Arguments: `Value` the number, `Str` the field.
/// Fails with "The Seconds field cannot be parsed as an integer: 1.6" or if it is negative.
pub static COMPUTED_WHOLE: Function = catchable("jsonata::whole_number", Type::Value);

/// `TimeoutSeconds` or `HeartbeatSeconds` that JSONata computes. Arguments as [`COMPUTED_WHOLE`].
/// Also fails with "TimeoutSeconds must be between 0 and 99999999 but was: -1".
pub static COMPUTED_TIME: Function = catchable("jsonata::task_seconds", Type::Value);

/// `ToleratedFailureCount` that JSONata computes. Arguments as [`COMPUTED_WHOLE`]. Fails with
/// "ToleratedFailureCount cannot be negative."
pub static COMPUTED_COUNT: Function = catchable("jsonata::tolerated_count", Type::Value);

/// `ToleratedFailurePercentage` that JSONata computes. Arguments as [`COMPUTED_WHOLE`].
pub static COMPUTED_PERCENTAGE: Function = catchable("jsonata::tolerated_percentage", Type::Ref);

/// `Timestamp` that JSONata computes. Argument: `Value` the string. Yields an RFC 3339 time.
pub static COMPUTED_TIMESTAMP: Function = catchable("jsonata::timestamp", Type::Value);

/// Items of a Map state in JSONata without `Items`. Argument: `Value` the input of the state.
/// Fails with "Map state input must be an array but was: 1".
pub static COMPUTED_ITEMS: Function = catchable("jsonata::items", Type::Ref);

/// Items of a distributed Map state in JSONata without `Items`. Argument and fault as
/// [`COMPUTED_ITEMS`]. An object is allowed, too.
pub static COMPUTED_MAP_ITEMS: Function = catchable("jsonata::map_items", Type::Ref);

/// `MaxItems` that JSONata computes. Arguments as [`COMPUTED_WHOLE`].
pub static COMPUTED_MAX_ITEMS: Function = catchable("jsonata::max_items", Type::Value);

/// `MaxItemsPerBatch` or `MaxInputBytesPerBatch` that JSONata computes. Arguments as
/// [`COMPUTED_WHOLE`]. Yields a positive integer.
pub static COMPUTED_BATCH_LIMIT: Function = catchable("jsonata::batch_limit", Type::Value);

/// Functions for the operators of one family, in the order of [`ChoiceComparison`].
pub struct Comparisons {
    /// Comparisons with a literal. Arguments: `Value` the variable, then the literal: `Str` for
    /// strings and timestamps, `Int` or `Float` for numbers, `Flag` for booleans.
    pub literal: &'static [Function],
    /// Comparisons with the value of a path. Arguments: `Value` the variable, `Value` the other
    /// value.
    pub path: &'static [Function],
}

/// Relation that a comparison operator tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceComparison {
    /// `…Equals`.
    Equals,
    /// `…LessThan`.
    LessThan,
    /// `…GreaterThan`.
    GreaterThan,
    /// `…LessThanEquals`.
    LessThanEquals,
    /// `…GreaterThanEquals`.
    GreaterThanEquals,
}

impl Comparisons {
    /// Returns the function that compares a variable with a literal, or `None` if the family has
    /// no such operator.
    pub fn literal(&self, comparison: ChoiceComparison) -> Option<&'static Function> {
        self.literal.get(comparison as usize)
    }

    /// Returns the function that compares a variable with the value of a path, or `None` if the
    /// family has no such operator.
    pub fn path(&self, comparison: ChoiceComparison) -> Option<&'static Function> {
        self.path.get(comparison as usize)
    }
}

/// `StringEquals`, …
pub static STRING: Comparisons = Comparisons {
    literal: &[
        test("asl::string_equals"),
        test("asl::string_less_than"),
        test("asl::string_greater_than"),
        test("asl::string_less_than_equals"),
        test("asl::string_greater_than_equals"),
    ],
    path: &[
        test("asl::string_equals_path"),
        test("asl::string_less_than_path"),
        test("asl::string_greater_than_path"),
        test("asl::string_less_than_equals_path"),
        test("asl::string_greater_than_equals_path"),
    ],
};

/// `NumericEquals`, …
pub static NUMERIC: Comparisons = Comparisons {
    literal: &[
        test("asl::numeric_equals"),
        test("asl::numeric_less_than"),
        test("asl::numeric_greater_than"),
        test("asl::numeric_less_than_equals"),
        test("asl::numeric_greater_than_equals"),
    ],
    path: &[
        test("asl::numeric_equals_path"),
        test("asl::numeric_less_than_path"),
        test("asl::numeric_greater_than_path"),
        test("asl::numeric_less_than_equals_path"),
        test("asl::numeric_greater_than_equals_path"),
    ],
};

/// `BooleanEquals`.
pub static BOOLEAN: Comparisons =
    Comparisons { literal: &[test("asl::boolean_equals")], path: &[test("asl::boolean_equals_path")] };

/// `TimestampEquals`, … The literal must be a valid timestamp.
pub static TIMESTAMP: Comparisons = Comparisons {
    literal: &[
        test("asl::timestamp_equals"),
        test("asl::timestamp_less_than"),
        test("asl::timestamp_greater_than"),
        test("asl::timestamp_less_than_equals"),
        test("asl::timestamp_greater_than_equals"),
    ],
    path: &[
        test("asl::timestamp_equals_path"),
        test("asl::timestamp_less_than_path"),
        test("asl::timestamp_greater_than_path"),
        test("asl::timestamp_less_than_equals_path"),
        test("asl::timestamp_greater_than_equals_path"),
    ],
};

/// `StringMatches`. Arguments: `Value` the variable, `Str` the pattern.
pub static STRING_MATCHES: Function = test("asl::string_matches");

/// `IsPresent`. Argument: `Maybe` the variable. For the operand `false`, the caller negates the
/// result of this and of the following tests.
pub static IS_PRESENT: Function = test("asl::is_present");
/// `IsNull`. Argument: `Value` the variable.
pub static IS_NULL: Function = test("asl::is_null");
/// `IsBoolean`. Argument: `Value` the variable.
pub static IS_BOOLEAN: Function = test("asl::is_boolean");
/// `IsNumeric`. Argument: `Value` the variable.
pub static IS_NUMERIC: Function = test("asl::is_numeric");
/// `IsString`. Argument: `Value` the variable.
pub static IS_STRING: Function = test("asl::is_string");
/// `IsTimestamp`. Argument: `Value` the variable.
pub static IS_TIMESTAMP: Function = test("asl::is_timestamp");

/// Returns a function whose faults are `States.Runtime` or `States.DataLimitExceeded`, which no
/// handler matches ([A4](docs/amazon-states-language.md#a4)).
const fn fails(path: &'static str, returns: Type) -> Function {
    Function { path, returns, fallibility: Fallibility::Fatal, turn: false, context: false }
}

/// Returns a function of JSONata, whose faults are `States.QueryEvaluationError`.
const fn catchable(path: &'static str, returns: Type) -> Function {
    Function { fallibility: Fallibility::Catchable, ..fails(path, returns) }
}

const fn test(path: &'static str) -> Function {
    Function { path, returns: Type::Bool, fallibility: Fallibility::Infallible, turn: false, context: false }
}
