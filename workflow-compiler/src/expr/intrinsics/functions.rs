//! The intrinsic functions: names, arguments, and the functions of the runtime that they become
//! (`workflow_runtime::__private::asl`; ASL, Appendix B).
//!
//! Where a function fails, its last parameter is the call as written (`Str`), for the text of the fault.

use crate::expr::{Fails, Function, Type};

/// A kind of value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Any,
    Array,
    Object,
    String,
    Number,
    Boolean,
}

impl Kind {
    /// In the words of messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Any => "a value",
            Kind::Array => "an array",
            Kind::Object => "an object",
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::Boolean => "a boolean",
        }
    }
}

/// An intrinsic function.
#[derive(Debug)]
pub(super) struct Intrinsic {
    pub name: &'static str,
    /// The kinds of its arguments; the last `optional` ones may be left out.
    pub arguments: &'static [Kind],
    pub optional: usize,
    /// Whether any number of further arguments may follow.
    pub variadic: bool,
    pub returns: Kind,
    pub lowering: Lowering,
}

/// What a call becomes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lowering {
    /// An array of the arguments.
    Array,
    /// [`FORMAT`] or [`FORMAT_TEMPLATE`].
    Format,
    /// [`MATH_RANDOM`] or [`MATH_RANDOM_SEEDED`].
    Random,
    /// A call with every argument as a `Value`, and the text of the call where the function can fail.
    Call(&'static Function),
}

/// The intrinsic functions, by name.
pub(super) static INTRINSICS: &[Intrinsic] = &[
    Intrinsic { variadic: true, ..intrinsic("States.Array", &[], Kind::Array, Lowering::Array) },
    intrinsic(
        "States.ArrayContains",
        &[Kind::Array, Kind::Any],
        Kind::Boolean,
        Lowering::Call(&fallible("asl::array_contains")),
    ),
    intrinsic(
        "States.ArrayGetItem",
        &[Kind::Array, Kind::Number],
        Kind::Any,
        Lowering::Call(&fallible("asl::array_get_item")),
    ),
    intrinsic("States.ArrayLength", &[Kind::Array], Kind::Number, Lowering::Call(&fallible("asl::array_length"))),
    intrinsic(
        "States.ArrayPartition",
        &[Kind::Array, Kind::Number],
        Kind::Array,
        Lowering::Call(&fallible("asl::array_partition")),
    ),
    intrinsic(
        "States.ArrayRange",
        &[Kind::Number, Kind::Number, Kind::Number],
        Kind::Array,
        Lowering::Call(&fallible("asl::array_range")),
    ),
    intrinsic("States.ArrayUnique", &[Kind::Array], Kind::Array, Lowering::Call(&fallible("asl::array_unique"))),
    intrinsic("States.Base64Decode", &[Kind::String], Kind::String, Lowering::Call(&fallible("asl::base64_decode"))),
    intrinsic("States.Base64Encode", &[Kind::String], Kind::String, Lowering::Call(&fallible("asl::base64_encode"))),
    Intrinsic { variadic: true, ..intrinsic("States.Format", &[Kind::String], Kind::String, Lowering::Format) },
    intrinsic("States.Hash", &[Kind::Any, Kind::String], Kind::String, Lowering::Call(&fallible("asl::hash"))),
    intrinsic(
        "States.JsonMerge",
        &[Kind::Object, Kind::Object, Kind::Boolean],
        Kind::Object,
        Lowering::Call(&fallible("asl::json_merge")),
    ),
    intrinsic("States.JsonToString", &[Kind::Any], Kind::String, Lowering::Call(&fallible("asl::json_to_string"))),
    intrinsic(
        "States.MathAdd",
        &[Kind::Number, Kind::Number],
        Kind::Number,
        Lowering::Call(&fallible("asl::math_add")),
    ),
    Intrinsic {
        optional: 1,
        ..intrinsic("States.MathRandom", &[Kind::Number, Kind::Number, Kind::Number], Kind::Number, Lowering::Random)
    },
    intrinsic(
        "States.StringSplit",
        &[Kind::String, Kind::String],
        Kind::Array,
        Lowering::Call(&fallible("asl::string_split")),
    ),
    intrinsic("States.StringToJson", &[Kind::String], Kind::Any, Lowering::Call(&fallible("asl::string_to_json"))),
    intrinsic("States.UUID", &[], Kind::String, Lowering::Call(&UUID)),
];

/// `States.Format` with a known template. Arguments: `Strs` the pieces around the placeholders, one more than there are
/// arguments; `List` the arguments.
pub static FORMAT: Function = infallible("asl::format");
/// `States.Format` with a template from the data. Arguments: `Value`, `List`, `Str` the call as written.
pub static FORMAT_TEMPLATE: Function = fallible("asl::format_template");
/// `States.MathRandom` without a seed. Arguments: two `Value`, `Str` the call as written.
pub static MATH_RANDOM: Function = Function { turn: true, ..fallible("asl::math_random") };
/// `States.MathRandom` with a seed. Arguments: three `Value`, `Str` the call as written.
pub static MATH_RANDOM_SEEDED: Function = fallible("asl::math_random_seeded");
/// `States.UUID`.
pub static UUID: Function = Function { turn: true, ..infallible("asl::uuid") };

/// A path in a payload template, or `ErrorPath`/`CausePath`, that must lead somewhere. Arguments: `Maybe` the value the
/// path leads to, `Value` the whole input (shown in the text), `Str` the path as written, `Str` the field as written
/// (`value.$`, `ErrorPath`). Fails: "The JSONPath '$.x' specified for the field 'value.$' could not be found in the input '…'".
pub static REQUIRE_FIELD: Function =
    Function { path: "asl::require_field", returns: Type::Ref, fails: Fails::Fatally, turn: false, context: false };
/// A path of names from the document, in a payload template. Arguments: `Value` the document, `Strs` the names, `Str` the
/// field as written. Fails as [`REQUIRE_FIELD`].
pub static FIELD: Function = Function { path: "asl::field", ..REQUIRE_FIELD };
/// Any other plain path from the document, in a payload template. Arguments: `Value` the document, `Steps`, `Str` the field.
pub static FIELD_AT: Function = Function { path: "asl::field_at", ..REQUIRE_FIELD };
/// A path of names from the context object, in a payload template. Arguments: `Strs` the names, `Value` the document (shown in
/// the text), `Str` the field as written.
pub static CONTEXT_FIELD: Function =
    Function { path: "asl::context_field", returns: Type::Value, fails: Fails::Fatally, turn: true, context: true };
/// A path of names from the document, in an argument of an intrinsic function. Arguments: `Value` the document, `Strs` the
/// names, `Str` the call as written. Fails as [`REQUIRE_ARGUMENT`].
pub static ARGUMENT: Function = Function { path: "asl::argument", ..REQUIRE_ARGUMENT };
/// A path in an argument of an intrinsic function that must lead somewhere. Arguments: `Maybe` the value, `Value` the
/// whole input (shown in the text), `Str` the path as written, `Str` the call as written.
pub static REQUIRE_ARGUMENT: Function =
    Function { path: "asl::require_argument", returns: Type::Ref, fails: Fails::Fatally, turn: false, context: false };

const fn intrinsic(name: &'static str, arguments: &'static [Kind], returns: Kind, lowering: Lowering) -> Intrinsic {
    Intrinsic { name, arguments, optional: 0, variadic: false, returns, lowering }
}

const fn fallible(path: &'static str) -> Function {
    Function { path, returns: Type::Value, fails: Fails::Catchably, turn: false, context: false }
}

const fn infallible(path: &'static str) -> Function {
    Function { path, returns: Type::Value, fails: Fails::Never, turn: false, context: false }
}
