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
    ($($arity:literal $takes:ident $returns:ident $fails:ident: $($name:ident $(=$rust:ident)?)*;)*) => {
        &[$($(Native {
            name: stringify!($name),
            arity: $arity,
            path: concat!("jq::", natives!(@last $name $($rust)?)),
            returns: Returns::$returns,
            fails: natives!(@fails $fails),
            input: natives!(@input $takes),
        },)*)*]
    };
    (@last $name:ident) => { stringify!($name) };
    (@last $name:ident $rust:ident) => { stringify!($rust) };
    (@fails fails) => { true };
    (@fails yields) => { false };
    (@input input) => { true };
    (@input alone) => { false };
}

/// The functions of the runtime. Each group states the number of arguments, whether the functions
/// take the input, the kind of their result, and whether they can fail. A name in Rust follows a
/// name in jq if the two differ.
const NATIVES: &[Native] = natives! {
    0 input Value fails:
        abs acos acosh add=add_ ascii_downcase ascii_upcase asin asinh atan atanh cbrt ceil cos cosh erf erfc exp
        exp10 exp2 explode expm1 fabs flatten floor frexp from_entries fromjson gamma gmtime implode keys
        keys_unsorted length lgamma lgamma_r localtime log log10 log1p log2 logb ltrim max min mktime modf nearbyint
        reverse rint round rtrim significand sin sinh sort sqrt tan tanh tgamma to_entries toboolean tojson tonumber
        tostring transpose trim trunc unique utf8bytelength;
    1 input Value fails:
        bsearch flatten=flatten_by getpath index=index_ indices join ltrimstr rindex rtrimstr split strflocaltime
        strftime strptime trimstr;
    2 input Value fails: split=split_with;
    2 alone Value fails:
        atan2 copysign drem fdim fmax fmin fmod hypot ldexp nextafter nexttoward pow remainder scalb scalbln;
    3 alone Value fails: fma;
    0 input Value yields: type=type_;
    1 input Bool fails: contains endswith has startswith test;
    2 input Bool fails: test=test_with;
    0 input Bool yields: isfinite isinfinite isnan isnormal;
    0 input Many fails: combinations tostream;
    1 input Many fails: capture combinations=combinations_of match=match_ scan splits;
    2 input Many fails: capture=capture_with match=match_with scan=scan_with splits=splits_with;
};

macro_rules! by_arity {
    ($($arity:literal: $($name:ident)*;)*) => { &[$($((stringify!($name), $arity),)*)*] };
}

/// The functions that are expanded at the call.
const SPECIAL: &[(&str, usize)] = by_arity! {
    0: empty error false infinite nan not now null recurse toarray true;
    1: del delpaths error first group_by isempty last max_by min_by path recurse repeat select sort_by unique_by
       walk;
    2: all any gsub limit range setpath skip sub until while;
    3: gsub range sub;
};

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

/// The formats of strings and values, each with its function in the runtime.
pub(super) const FORMATS: &[(&str, &str)] = &[
    ("@base32", "jq::base32"),
    ("@base32d", "jq::base32d"),
    ("@base64", "jq::base64"),
    ("@base64d", "jq::base64d"),
    ("@csv", "jq::csv"),
    ("@html", "jq::html"),
    ("@json", "jq::tojson"),
    ("@sh", "jq::sh"),
    ("@text", "jq::tostring"),
    ("@tsv", "jq::tsv"),
    ("@uri", "jq::uri"),
    ("@urid", "jq::urid"),
];

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
    use crate::expr::jq::ast::OPERATORS;
    use std::collections::BTreeSet;

    #[test]
    fn the_interpreter_has_the_functions_that_lowered_programs_call_and_no_others() {
        let code = include_str!("lower/callees.rs").lines().filter(|line| !line.trim_start().starts_with("//"));
        let quoted = code.flat_map(|line| line.split('"').skip(1).step_by(2));
        // The rest are names of formats and functions in jq.
        let is_callee = |name: &&str| !name.is_empty() && !name.starts_with('@') && !name.ends_with("_by");
        let mut called: BTreeSet<&str> = quoted.filter(|name| name.contains("::") || is_callee(name)).collect();
        called.extend(NATIVES.iter().map(|native| native.path));
        called.extend(OPERATORS.iter().map(|operator| operator.function));
        called.extend(FORMATS.iter().map(|(_, function)| function));
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
