//! The names of the functions.

/// The names of all functions, sorted: those of JSONata 2.0.6 without `eval`, and the six that AWS
/// Step Functions adds.
pub const FUNCTIONS: &[&str] = &[
    "abs",
    "append",
    "assert",
    "average",
    "base64decode",
    "base64encode",
    "boolean",
    "ceil",
    "clone",
    "contains",
    "count",
    "decodeUrl",
    "decodeUrlComponent",
    "distinct",
    "each",
    "encodeUrl",
    "encodeUrlComponent",
    "error",
    "exists",
    "filter",
    "floor",
    "formatBase",
    "formatInteger",
    "formatNumber",
    "fromMillis",
    "hash",
    "join",
    "keys",
    "length",
    "lookup",
    "lowercase",
    "map",
    "match",
    "max",
    "merge",
    "millis",
    "min",
    "not",
    "now",
    "number",
    "pad",
    "parse",
    "parseInteger",
    "partition",
    "power",
    "random",
    "range",
    "reduce",
    "replace",
    "reverse",
    "round",
    "shuffle",
    "sift",
    "single",
    "sort",
    "split",
    "spread",
    "sqrt",
    "string",
    "substring",
    "substringAfter",
    "substringBefore",
    "sum",
    "toMillis",
    "trim",
    "type",
    "uppercase",
    "uuid",
    "zip",
];

/// The functions whose result differs from call to call, sorted.
pub(crate) const VOLATILE: &[&str] = &["millis", "now", "random", "shuffle", "uuid"];

/// Returns `true` for the name of a function, without `$`.
///
/// ```
/// use workflow_jsonata::is_function;
///
/// assert!(is_function("sum") && is_function("partition"));
/// assert!(!is_function("eval"));
/// ```
#[must_use]
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.binary_search(&name).is_ok()
}
