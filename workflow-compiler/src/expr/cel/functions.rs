//! The functions and macros of CEL that the runtime declares.

/// A function, with its possible numbers of arguments.
#[derive(Debug)]
pub(super) struct FunctionSignature {
    pub name: &'static str,
    /// The numbers of arguments of `name(…)`.
    pub global: &'static [usize],
    /// The numbers of arguments of `value.name(…)`.
    pub member: &'static [usize],
    /// The type of the result, if it is always the same.
    pub yields: Option<&'static str>,
}

const fn conversion(name: &'static str) -> FunctionSignature {
    FunctionSignature { name, global: &[1], member: &[], yields: Some(name) }
}

const fn test_of_text(name: &'static str) -> FunctionSignature {
    FunctionSignature { name, global: &[], member: &[1], yields: Some("bool") }
}

const fn part_of_time(name: &'static str) -> FunctionSignature {
    FunctionSignature { name, global: &[], member: &[0, 1], yields: Some("int") }
}

/// All functions.
pub(super) static FUNCTIONS: &[FunctionSignature] = &[
    conversion("bool"),
    conversion("bytes"),
    conversion("double"),
    conversion("duration"),
    conversion("int"),
    conversion("string"),
    conversion("timestamp"),
    conversion("uint"),
    FunctionSignature { name: "dyn", global: &[1], member: &[], yields: None },
    FunctionSignature { name: "type", global: &[1], member: &[], yields: Some("type") },
    FunctionSignature { name: "size", global: &[1], member: &[0], yields: Some("int") },
    FunctionSignature { name: "matches", global: &[2], member: &[1], yields: Some("bool") },
    test_of_text("contains"),
    test_of_text("endsWith"),
    test_of_text("startsWith"),
    part_of_time("getDate"),
    part_of_time("getDayOfMonth"),
    part_of_time("getDayOfWeek"),
    part_of_time("getDayOfYear"),
    part_of_time("getFullYear"),
    part_of_time("getHours"),
    part_of_time("getMilliseconds"),
    part_of_time("getMinutes"),
    part_of_time("getMonth"),
    part_of_time("getSeconds"),
];

/// The macros, each with an example.
pub(super) static MACROS: &[(&str, &str)] = &[
    ("all", "list.all(x, x > 0)"),
    ("exists", "list.exists(x, x > 0)"),
    ("existsOne", "list.existsOne(x, x > 0)"),
    ("exists_one", "list.exists_one(x, x > 0)"),
    ("filter", "list.filter(x, x > 0)"),
    ("has", "has(order.total)"),
    ("map", "list.map(x, x + 1)"),
];

/// The names of types, which are values.
pub(super) static TYPES: &[&str] =
    &["bool", "bytes", "double", "int", "list", "map", "null_type", "string", "type", "uint"];

pub(super) fn find(name: &str) -> Option<&'static FunctionSignature> {
    FUNCTIONS.iter().find(|function| function.name == name)
}
