//! The built-in functions of jq, and their implementations.

use super::ast::{FunctionDef, Term, TermKind};
use super::parse::parse;
use std::sync::OnceLock;

/// A built-in function implemented by the runtime.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Native {
    /// The name in jq.
    pub name: &'static str,
    /// The number of arguments besides the input. Each is a single value.
    pub arity: usize,
    /// The name as generated code has it.
    pub path: &'static str,
    /// The kind of result.
    pub returns: Returns,
    /// `true` if the function can fail.
    pub fails: bool,
    /// `true` if the function takes the input before its arguments.
    pub input: bool,
}

/// The kind of result of a native function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Returns {
    Value,
    Bool,
    /// Any number of values, passed to a closure.
    Many,
}

/// The implementation of a function.
#[derive(Debug, Clone, Copy)]
pub(super) enum Builtin {
    /// A call of the runtime.
    Native(&'static Native),
    /// Code generated at the call, with a rule for each function.
    Special,
    /// A definition in jq, expanded at the call.
    Defined(&'static FunctionDef),
}

macro_rules! natives {
    ($($name:literal $arity:literal $rust:ident $returns:ident $fails:literal $($alone:ident)?;)*) => {
        &[$(Native {
            name: $name,
            arity: $arity,
            path: concat!("jq::", stringify!($rust)),
            returns: Returns::$returns,
            fails: $fails,
            input: stringify!($($alone)?).is_empty(),
        }),*]
    };
}

/// Name, number of arguments, name in Rust, kind of result, and whether the function can fail.
/// `alone` marks functions that ignore their input.
const NATIVES: &[Native] = natives! {
    "abs" 0 abs Value true;
    "acos" 0 acos Value true;
    "acosh" 0 acosh Value true;
    "add" 0 add_ Value true;
    "ascii_downcase" 0 ascii_downcase Value true;
    "ascii_upcase" 0 ascii_upcase Value true;
    "asin" 0 asin Value true;
    "asinh" 0 asinh Value true;
    "atan" 0 atan Value true;
    "atan2" 2 atan2 Value true alone;
    "atanh" 0 atanh Value true;
    "bsearch" 1 bsearch Value true;
    "capture" 1 capture Many true;
    "capture" 2 capture_with Many true;
    "cbrt" 0 cbrt Value true;
    "ceil" 0 ceil Value true;
    "combinations" 0 combinations Many true;
    "combinations" 1 combinations_of Many true;
    "contains" 1 contains Bool true;
    "copysign" 2 copysign Value true alone;
    "cos" 0 cos Value true;
    "cosh" 0 cosh Value true;
    "drem" 2 drem Value true alone;
    "endswith" 1 endswith Bool true;
    "erf" 0 erf Value true;
    "erfc" 0 erfc Value true;
    "exp" 0 exp Value true;
    "exp10" 0 exp10 Value true;
    "exp2" 0 exp2 Value true;
    "explode" 0 explode Value true;
    "expm1" 0 expm1 Value true;
    "fabs" 0 fabs Value true;
    "fdim" 2 fdim Value true alone;
    "flatten" 0 flatten Value true;
    "flatten" 1 flatten_by Value true;
    "floor" 0 floor Value true;
    "fma" 3 fma Value true alone;
    "fmax" 2 fmax Value true alone;
    "fmin" 2 fmin Value true alone;
    "fmod" 2 fmod Value true alone;
    "frexp" 0 frexp Value true;
    "from_entries" 0 from_entries Value true;
    "fromjson" 0 fromjson Value true;
    "gamma" 0 gamma Value true;
    "getpath" 1 getpath Value true;
    "gmtime" 0 gmtime Value true;
    "has" 1 has Bool true;
    "hypot" 2 hypot Value true alone;
    "implode" 0 implode Value true;
    "index" 1 index_ Value true;
    "indices" 1 indices Value true;
    "isfinite" 0 isfinite Bool false;
    "isinfinite" 0 isinfinite Bool false;
    "isnan" 0 isnan Bool false;
    "isnormal" 0 isnormal Bool false;
    "join" 1 join Value true;
    "keys" 0 keys Value true;
    "keys_unsorted" 0 keys_unsorted Value true;
    "ldexp" 2 ldexp Value true alone;
    "length" 0 length Value true;
    "lgamma" 0 lgamma Value true;
    "lgamma_r" 0 lgamma_r Value true;
    "localtime" 0 localtime Value true;
    "log" 0 log Value true;
    "log10" 0 log10 Value true;
    "log1p" 0 log1p Value true;
    "log2" 0 log2 Value true;
    "logb" 0 logb Value true;
    "ltrim" 0 ltrim Value true;
    "ltrimstr" 1 ltrimstr Value true;
    "match" 1 match_ Many true;
    "match" 2 match_with Many true;
    "max" 0 max Value true;
    "min" 0 min Value true;
    "mktime" 0 mktime Value true;
    "modf" 0 modf Value true;
    "nearbyint" 0 nearbyint Value true;
    "nextafter" 2 nextafter Value true alone;
    "nexttoward" 2 nexttoward Value true alone;
    "pow" 2 pow Value true alone;
    "remainder" 2 remainder Value true alone;
    "reverse" 0 reverse Value true;
    "rindex" 1 rindex Value true;
    "rint" 0 rint Value true;
    "round" 0 round Value true;
    "rtrim" 0 rtrim Value true;
    "rtrimstr" 1 rtrimstr Value true;
    "scalb" 2 scalb Value true alone;
    "scalbln" 2 scalbln Value true alone;
    "scan" 1 scan Many true;
    "scan" 2 scan_with Many true;
    "significand" 0 significand Value true;
    "sin" 0 sin Value true;
    "sinh" 0 sinh Value true;
    "sort" 0 sort Value true;
    "split" 1 split Value true;
    "split" 2 split_with Value true;
    "splits" 1 splits Many true;
    "splits" 2 splits_with Many true;
    "sqrt" 0 sqrt Value true;
    "startswith" 1 startswith Bool true;
    "strflocaltime" 1 strflocaltime Value true;
    "strftime" 1 strftime Value true;
    "strptime" 1 strptime Value true;
    "tan" 0 tan Value true;
    "tanh" 0 tanh Value true;
    "test" 1 test Bool true;
    "test" 2 test_with Bool true;
    "tgamma" 0 tgamma Value true;
    "to_entries" 0 to_entries Value true;
    "toboolean" 0 toboolean Value true;
    "tojson" 0 tojson Value true;
    "tonumber" 0 tonumber Value true;
    "tostream" 0 tostream Many true;
    "tostring" 0 tostring Value true;
    "transpose" 0 transpose Value true;
    "trim" 0 trim Value true;
    "trimstr" 1 trimstr Value true;
    "trunc" 0 trunc Value true;
    "type" 0 type_ Value false;
    "unique" 0 unique Value true;
    "utf8bytelength" 0 utf8bytelength Value true;
};

/// The functions that are expanded at the call.
const SPECIAL: &[(&str, usize)] = &[
    ("all", 0),
    ("all", 1),
    ("all", 2),
    ("any", 0),
    ("any", 1),
    ("any", 2),
    ("del", 1),
    ("delpaths", 1),
    ("empty", 0),
    ("error", 0),
    ("error", 1),
    ("false", 0),
    ("first", 1),
    ("group_by", 1),
    ("gsub", 2),
    ("gsub", 3),
    ("infinite", 0),
    ("isempty", 1),
    ("last", 1),
    ("limit", 2),
    ("max_by", 1),
    ("min_by", 1),
    ("nan", 0),
    ("not", 0),
    ("now", 0),
    ("null", 0),
    ("path", 1),
    ("range", 1),
    ("range", 2),
    ("range", 3),
    ("recurse", 0),
    ("recurse", 1),
    ("repeat", 1),
    ("select", 1),
    ("setpath", 2),
    ("skip", 2),
    ("sort_by", 1),
    ("sub", 2),
    ("sub", 3),
    ("toarray", 0),
    ("true", 0),
    ("unique_by", 1),
    ("until", 2),
    ("walk", 1),
    ("while", 2),
];

/// The functions that have no use in a workflow, each with the reason.
const REFUSED: &[(&str, &str)] = &[
    ("halt", "an expression cannot end a workflow"),
    ("halt_error", "an expression cannot end a workflow: use `error(\"…\")` to fail"),
    ("env", "the environment of the program is not part of the data"),
    ("input", "the only input of an expression is `.`"),
    ("inputs", "the only input of an expression is `.`"),
    ("debug", "an expression cannot print"),
    ("stderr", "an expression cannot print"),
    ("input_line_number", "the input is not a file"),
    ("input_filename", "the input is not a file"),
    ("get_search_list", "an expression has no modules"),
    ("modulemeta", "an expression has no modules"),
    ("builtins", "it describes the jq implementation, not the data"),
    ("have_decnum", "it describes the jq implementation, not the data"),
    ("have_literal_numbers", "it describes the jq implementation, not the data"),
];

/// The formats of strings and values.
pub(super) const FORMATS: &[&str] =
    &["@base32", "@base32d", "@base64", "@base64d", "@csv", "@html", "@json", "@sh", "@text", "@tsv", "@uri", "@urid"];

/// Returns the function of this name and arity.
pub(super) fn find(name: &str, arity: usize) -> Option<Builtin> {
    if SPECIAL.contains(&(name, arity)) {
        return Some(Builtin::Special);
    }
    if let Some(native) = NATIVES.iter().find(|native| native.name == name && native.arity == arity) {
        return Some(Builtin::Native(native));
    }
    defined().iter().find(|found| found.name == name && found.params.len() == arity).map(Builtin::Defined)
}

/// Returns the reason why a function of this name is deliberately missing.
pub(super) fn refused(name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|(refused, _)| *refused == name).map(|(_, why)| *why)
}

/// Returns all functions by name and arity.
pub(super) fn all() -> impl Iterator<Item = (&'static str, usize)> {
    let natives = NATIVES.iter().map(|native| (native.name, native.arity));
    let defined = defined().iter().map(|found| (found.name.as_str(), found.params.len()));
    natives.chain(SPECIAL.iter().copied()).chain(defined)
}

/// Returns the functions defined in jq. A definition with an error is missing, which a test
/// detects.
fn defined() -> &'static [FunctionDef] {
    static DEFINED: OnceLock<Vec<FunctionDef>> = OnceLock::new();
    DEFINED.get_or_init(|| {
        let mut definitions = Vec::new();
        for line in include_str!("defined.jq").split("\n\n") {
            // Each definition is parsed alone. Together they would nest.
            if let Ok(Term { kind: TermKind::Define(definition, _), .. }) = parse(&format!("{line} .")) {
                definitions.push(*definition);
            }
        }
        definitions
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::core::interpret::jq::names;
    use crate::expr::core::interpret::{CALLBACK, OUTCOME};
    use std::collections::BTreeSet;

    #[test]
    fn the_interpreter_has_the_functions_that_lowered_programs_call_and_no_others() {
        let code = include_str!("lower/callees.rs").lines().filter(|line| !line.trim_start().starts_with("//"));
        let quoted = code.flat_map(|line| line.split('"').skip(1).step_by(2));
        // The rest are names of formats and functions in jq.
        let is_callee = |name: &&str| !name.is_empty() && !name.starts_with('@') && !name.ends_with("_by");
        let mut called: BTreeSet<&str> = quoted.filter(|name| name.contains("::") || is_callee(name)).collect();
        called.extend(NATIVES.iter().map(|native| native.path));
        called.extend([CALLBACK, OUTCOME]);
        assert_eq!(called, names().collect());
    }

    #[test]
    fn every_definition_is_read_and_no_function_is_there_twice() {
        let text = include_str!("defined.jq");
        assert_eq!(defined().len(), text.lines().filter(|line| line.starts_with("def ")).count());
        let mut seen = BTreeSet::new();
        for (name, arity) in all() {
            assert!(seen.insert((name, arity)), "{name}/{arity} is there twice");
            assert!(refused(name).is_none(), "{name} is refused");
        }
    }
}
