//! The intrinsic functions with their parameters, and the runtime functions that implement them
//! (`workflow_runtime::__private::asl`; ASL, Appendix B).
//!
//! The last parameter of a fallible function is the call as written (`Str`), for the message of
//! the fault.

use crate::expr::{Function, Type};
use ValueKind::{Any, Array, Boolean, Number, Object, String};

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Any,
    Array,
    Object,
    String,
    Number,
    Boolean,
}

impl ValueKind {
    /// Returns the type for messages.
    pub fn name(self) -> &'static str {
        match self {
            ValueKind::Any => "a value",
            ValueKind::Array => "an array",
            ValueKind::Object => "an object",
            ValueKind::String => "a string",
            ValueKind::Number => "a number",
            ValueKind::Boolean => "a boolean",
        }
    }
}

/// An intrinsic function.
#[derive(Debug)]
pub(super) struct Intrinsic {
    pub name: &'static str,
    /// The types of the parameters. The last `optional` ones may be omitted.
    pub arguments: &'static [ValueKind],
    pub optional: usize,
    /// `true` if any number of further arguments may follow.
    pub variadic: bool,
    /// `true` if the function ignores any arguments.
    pub ignores_arguments: bool,
    pub returns: ValueKind,
    pub lowering: Lowering,
}

/// The lowering of a call.
#[derive(Debug, Clone, Copy)]
pub(super) enum Lowering {
    /// An array of the arguments.
    Array,
    /// [`FORMAT`] or [`FORMAT_TEMPLATE`].
    Format,
    /// [`MATH_RANDOM`] or [`MATH_RANDOM_SEEDED`].
    Random,
    /// A call with every argument as a `Value`, and with the text of the call if the function is
    /// fallible.
    Call(&'static Function),
}

/// The intrinsic functions, by name.
pub(super) static INTRINSICS: &[Intrinsic] = &[
    Intrinsic { variadic: true, ..intrinsic("States.Array", &[], Array, Lowering::Array) },
    intrinsic("States.ArrayContains", &[Array, Any], Boolean, Lowering::Call(&fatal("asl::array_contains"))),
    intrinsic("States.ArrayGetItem", &[Array, Number], Any, Lowering::Call(&fatal("asl::array_get_item"))),
    intrinsic("States.ArrayLength", &[Array], Number, Lowering::Call(&fatal("asl::array_length"))),
    intrinsic("States.ArrayPartition", &[Array, Number], Array, Lowering::Call(&fatal("asl::array_partition"))),
    intrinsic("States.ArrayRange", &[Number, Number, Number], Array, Lowering::Call(&fatal("asl::array_range"))),
    intrinsic("States.ArrayUnique", &[Array], Array, Lowering::Call(&fatal("asl::array_unique"))),
    intrinsic("States.Base64Decode", &[String], String, Lowering::Call(&fatal("asl::base64_decode"))),
    intrinsic("States.Base64Encode", &[String], String, Lowering::Call(&fatal("asl::base64_encode"))),
    Intrinsic { variadic: true, ..intrinsic("States.Format", &[String], String, Lowering::Format) },
    intrinsic("States.Hash", &[Any, String], String, Lowering::Call(&fatal("asl::hash"))),
    intrinsic("States.JsonMerge", &[Object, Object, Boolean], Object, Lowering::Call(&fatal("asl::json_merge"))),
    intrinsic("States.JsonToString", &[Any], String, Lowering::Call(&fatal("asl::json_to_string"))),
    intrinsic("States.MathAdd", &[Number, Number], Number, Lowering::Call(&fatal("asl::math_add"))),
    Intrinsic { optional: 1, ..intrinsic("States.MathRandom", &[Number, Number, Number], Number, Lowering::Random) },
    intrinsic("States.StringSplit", &[String, String], Array, Lowering::Call(&fatal("asl::string_split"))),
    intrinsic("States.StringToJson", &[String], Any, Lowering::Call(&fatal("asl::string_to_json"))),
    Intrinsic { ignores_arguments: true, ..intrinsic("States.UUID", &[], String, Lowering::Call(&UUID)) },
];

/// A call with a wrong number of arguments, which always fails. Argument: as `Str` the call as
/// written.
pub static WRONG_ARGUMENTS: Function = fatal("asl::wrong_arguments");
/// `States.Format` with a constant template. Arguments: as `Strs` the pieces around the
/// placeholders, one more than there are arguments, and the arguments as `List`.
pub static FORMAT: Function = Function::new("asl::format", Type::Value);
/// `States.Format` with a template from the data. Arguments: `Value`, `List`, and as `Str` the
/// call as written.
pub static FORMAT_TEMPLATE: Function = fatal("asl::format_template");
/// `States.MathRandom` without a seed. Arguments: two `Value`, and as `Str` the call as written.
pub static MATH_RANDOM: Function = fatal("asl::math_random").with_turn();
/// `States.MathRandom` with a seed. Arguments: three `Value`, and as `Str` the call as written.
pub static MATH_RANDOM_SEEDED: Function = fatal("asl::math_random_seeded");
/// `States.UUID`.
pub static UUID: Function = Function::new("asl::uuid", Type::Value).with_turn();

/// A path in a payload template or in `ErrorPath`/`CausePath`, which must lead to a value.
/// Arguments: as `Maybe` the value that the path leads to, as `Value` the whole input for the
/// message, as `Str` the path as written, as `Str` the field as written (`value.$`, `ErrorPath`).
/// Fails with "The JSONPath '$.x' specified for the field 'value.$' could not be found in the
/// input '…'".
pub static REQUIRE_FIELD: Function = Function::new("asl::require_field", Type::Ref).fatal();
/// A path of names from the document, in a payload template. Arguments: as `Value` the document,
/// as `Strs` the names, as `Str` the field as written. Fails like [`REQUIRE_FIELD`].
pub static FIELD: Function = Function::new("asl::field", Type::Ref).fatal();
/// Any other plain path from the document, in a payload template. Arguments: as `Value` the
/// document, `Steps`, as `Str` the field as written.
pub static FIELD_AT: Function = Function::new("asl::field_at", Type::Ref).fatal();
/// A path of names from the context object, in a payload template. Arguments: as `Strs` the names,
/// as `Value` the document for the message, as `Str` the field as written.
pub static CONTEXT_FIELD: Function =
    Function { context: true, ..Function::new("asl::context_field", Type::Value).fatal().with_turn() };
/// A path of names from the document, in an argument of an intrinsic function. Arguments: as
/// `Value` the document, as `Strs` the names, as `Str` the call as written. Fails like
/// [`REQUIRE_ARGUMENT`].
pub static ARGUMENT: Function = Function::new("asl::argument", Type::Ref).fatal();
/// A path in an argument of an intrinsic function, which must lead to a value. Arguments: as
/// `Maybe` the value, as `Value` the whole input for the message, as `Str` the path as written, as
/// `Str` the call as written.
pub static REQUIRE_ARGUMENT: Function = Function::new("asl::require_argument", Type::Ref).fatal();

const fn intrinsic(
    name: &'static str,
    arguments: &'static [ValueKind],
    returns: ValueKind,
    lowering: Lowering,
) -> Intrinsic {
    Intrinsic { name, arguments, optional: 0, variadic: false, ignores_arguments: false, returns, lowering }
}

/// Returns a function whose faults no handler matches
/// ([A33](docs/amazon-states-language.md#a33)).
const fn fatal(path: &'static str) -> Function {
    Function::new(path, Type::Value).fatal()
}
