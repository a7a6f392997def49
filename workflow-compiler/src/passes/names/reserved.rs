//! Identifiers that authored names must not become: keywords, and names that generated code or its users need.

/// Keywords of all editions, those that are kept for later, and `_`.
pub(super) const KEYWORDS: &[&str] = &[
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// Functions of the prelude and of blanket implementations, which values and types of all kinds have. Beside a task's
/// method of the same name, calls of them would be ambiguous (E0034).
const METHODS_OF_ALL: &[&str] = &[
    "borrow",
    "borrow_mut",
    "clone",
    "clone_from",
    "clone_into",
    "default",
    "from",
    "into",
    "to_owned",
    "to_string",
    "try_from",
    "try_into",
    "type_id",
];

/// Names that generated functions use for their own parameters and locals, and that no function may have: a call of a
/// function would find the local of the same name first.
pub(super) const MODULE_LOCALS: &[&str] = &[
    "collected",
    "credentials",
    "current",
    "delay",
    "fault",
    "heartbeat",
    "index",
    "item",
    "limits",
    "node",
    "outcome",
    "request",
    "seconds",
    "time",
    "timeout",
    "turn",
    "value",
];

/// Constants of every generated module.
pub(super) const MODULE_CONSTANTS: &[&str] = &["DEFINITION", "GRAPH", "METADATA", "POINTS"];
/// How the constants begin that hold literals; a number follows.
pub(super) const LITERAL: &str = "LITERAL_";
/// How the constants begin that hold operations of services; a number follows.
pub(super) const OPERATION: &str = "OPERATION_";
/// How the constants begin that hold schemas; a number follows.
pub(super) const SCHEMA: &str = "SCHEMA_";
/// How the constants begin that hold long texts; a number follows.
pub(super) const TEXT: &str = "TEXT_";
/// How the constants begin that are numbered when they are printed.
pub(super) const CONSTANT_PREFIXES: [&str; 4] = [LITERAL, OPERATION, SCHEMA, TEXT];

/// Types of every generated module, and what it takes from the runtime and the prelude of Rust.
pub(super) const MODULE_TYPES: &[&str] = &[
    "At",
    "Bound",
    "Clone",
    "Err",
    "Fault",
    "Future",
    "Get",
    "Into",
    "Iterator",
    "Js",
    "None",
    "Ok",
    "Option",
    "Outcome",
    "Result",
    "Retries",
    "Send",
    "Some",
    "State",
    "Step",
    "Sync",
    "T",
    "TaskContext",
    "Tasks",
    "Turn",
    "Value",
];

/// Modules that a generated module declares or may import.
const MODULES: &[&str] = &[
    "asl",
    "cel",
    "composer",
    "demands",
    "jq",
    "js",
    "jsonpath",
    "operation",
    "rt",
    "schema",
    "schemas",
    "serverless_workflow",
    "sm4c",
    "spel",
    "workflow_dsl",
];

/// Names that programs mean as Rust does: they are the same inside of generated modules. `Value` is that of the runtime.
const SHARED_TYPES: &[&str] =
    &["Clone", "Err", "Into", "Iterator", "None", "Ok", "Option", "Result", "Send", "Some", "Sync", "Value"];

/// Parameters and modules that a function in JavaScript uses itself.
pub(super) const JAVASCRIPT: &[&str] = &["Js", "arguments", "js", "rt", "run", "this"];

/// Parameters, locals and modules that a function in jq uses itself.
pub(super) const JQ: &[&str] = &["error", "found", "jq", "new", "now", "out", "rt", "value"];

/// Returns `true` if calls of a method of this name can be ambiguous.
pub fn is_method_of_all(name: &str) -> bool {
    METHODS_OF_ALL.contains(&name)
}

pub(super) fn hides_from_programs(name: &str) -> bool {
    let is_own = MODULE_TYPES.contains(&name) && !SHARED_TYPES.contains(&name);
    is_own || MODULES.contains(&name)
}
