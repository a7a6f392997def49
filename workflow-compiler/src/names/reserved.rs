//! Identifiers that authored names must not become: keywords, and names that generated code or its
//! users need.

/// Keywords of all editions, reserved keywords, and `_`, sorted.
const KEYWORDS: &[&str] = &[
    "Self", "_", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do",
    "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super",
    "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// Returns `true` for a keyword and for `_`.
pub(super) fn is_keyword(name: &str) -> bool {
    KEYWORDS.binary_search(&name).is_ok()
}

/// Methods of the prelude and of blanket implementations that all types have. With a task method
/// of the same name, calls of them are ambiguous (E0034).
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

/// Parameters and locals of generated functions. No function may have such a name, because a call
/// would resolve to the local.
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
pub(super) const MODULE_CONSTANTS: &[&str] = &["DEFINITION", "GRAPH", "METADATA"];
/// Prefix of constants that hold literals. A number follows.
pub(super) const LITERAL: &str = "LITERAL_";
/// Prefix of constants that hold service operations. A number follows.
pub(super) const OPERATION: &str = "OPERATION_";
/// Prefix of constants that hold schemas. A number follows.
pub(super) const SCHEMA: &str = "SCHEMA_";
/// Prefix of constants that hold long texts. A number follows.
pub(super) const TEXT: &str = "TEXT_";
/// Prefixes of constants that are numbered during printing.
pub(super) const CONSTANT_PREFIXES: [&str; 4] = [LITERAL, OPERATION, SCHEMA, TEXT];

/// The types of the runtime that generated code imports where it mentions them.
pub(super) const IMPORTED_TYPES: &[&str] =
    &["At", "Fault", "Future", "Js", "Outcome", "Retries", "TaskContext", "Value"];

/// Types of every generated module, and types that it uses from the runtime and from Rust's
/// prelude.
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
    "Sync",
    "T",
    "TaskContext",
    "Tasks",
    "Turn",
    "TurnResult",
    "Value",
];

/// Modules that a generated module declares or may import.
const MODULES: &[&str] = &[
    "asl",
    "cel",
    "composer",
    "deadline",
    "jq",
    "js",
    "jsonata",
    "jsonpath",
    "operation",
    "rt",
    "schema",
    "schemas",
    "serverless_workflow",
    "sm4c",
    "spel",
    "type_bounds",
    "workflow_dsl",
];

/// Type names that mean the same inside of generated modules as in Rust. `Value` is the type of
/// the runtime.
const SHARED_TYPES: &[&str] =
    &["Clone", "Err", "Into", "Iterator", "None", "Ok", "Option", "Result", "Send", "Some", "Sync", "Value"];

/// Parameters and modules that translated JavaScript functions use themselves.
pub(super) const JAVASCRIPT: &[&str] = &["Js", "arguments", "js", "rt", "run", "this"];

/// Parameters, locals and modules that translated jq functions use themselves.
pub(super) const JQ: &[&str] = &["error", "found", "jq", "new", "now", "out", "rt", "value"];

/// Parameters and modules that translated JSONata functions use themselves.
pub(super) const JSONATA: &[&str] = &["jsonata", "new", "rt", "run", "turn"];

/// Returns `true` if calls of a method of this name can be ambiguous.
pub fn is_method_of_all(name: &str) -> bool {
    METHODS_OF_ALL.contains(&name)
}

pub(super) fn hides_from_programs(name: &str) -> bool {
    let is_own = MODULE_TYPES.contains(&name) && !SHARED_TYPES.contains(&name);
    is_own || MODULES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_is_found() {
        assert!(KEYWORDS.is_sorted() && KEYWORDS.iter().all(|keyword| is_keyword(keyword)));
        assert!(!is_keyword("yields"));
    }
}
