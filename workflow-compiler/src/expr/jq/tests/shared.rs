//! Tests of calls that share the result of an earlier one, on lowered programs.

use super::super::{ResultMode, lower, parse};
use crate::expr::core::CoreFunction;
use crate::expr::core::emit::emit;
use crate::names::NameScope;
use proc_macro2::{Ident, Span};
use std::path::Path;
use std::sync::Arc;

/// Lowers a program with the variable `$value`, if it is translated, and simplifies it.
fn simplified(source: &str) -> Option<CoreFunction> {
    let program = parse::parse(source).ok()?;
    let lowered = lower::function(&program, &["value".to_owned()], ResultMode::Value);
    let mut function = lowered.ok()?.function;
    function.simplify();
    Some(function)
}

/// Checks the text of the core before and after the pass.
#[track_caller]
fn check(source: &str, before: &str, after: &str) {
    let mut function = simplified(source).unwrap_or_else(|| panic!("{source}"));
    assert_eq!(function.to_string().trim(), before.trim(), "{source}");
    function.share();
    function.verify();
    assert_eq!(function.to_string().trim(), after.trim(), "{source}");
}

#[test]
fn a_repeated_read_is_that_before() {
    check(
        ".total > 10 and .total < 20",
        r#"
fn (input, value) {
    let total = jq::get(input, "total")?
    let holds = jq::gt(total, 10)
    let both = holds && {
        let total_4 = jq::get(input, "total")?
        let holds_5 = jq::lt(total_4, 20)
        holds_5
    }
    both
}
"#,
        r#"
fn (input, value) {
    let total = jq::get(input, "total")?
    let holds = jq::gt(total, 10)
    let both = holds && {
        let holds_5 = jq::lt(total, 20)
        holds_5
    }
    both
}
"#,
    );
}

#[test]
fn a_repeated_path_is_that_before() {
    // `jq::mul` consumes one of the two lengths, which would have to be cloned.
    check(
        "reduce .[] as $x (0; . + ($x.a.b | length) * ($x.a.b | length))",
        r#"
fn (input, value) {
    let result = 0
    let items = jq::iter(input)?
    'items_0: for x in items {
        do jq::tick()?
        let a = jq::get(x, "a")?
        let b = jq::get(a, "b")?
        let length = jq::length(b)?
        let a_8 = jq::get(x, "a")?
        let b_9 = jq::get(a_8, "b")?
        let length_10 = jq::length(b_9)?
        let item = jq::mul(length_10, length)?
        let sum = jq::add(result, item)?
        result = sum
    }
    result
}
"#,
        r#"
fn (input, value) {
    let result = 0
    let items = jq::iter(input)?
    'items_0: for x in items {
        do jq::tick()?
        let a = jq::get(x, "a")?
        let b = jq::get(a, "b")?
        let length = jq::length(b)?
        let length_10 = jq::length(b)?
        let item = jq::mul(length_10, length)?
        let sum = jq::add(result, item)?
        result = sum
    }
    result
}
"#,
    );
}

#[test]
fn branches_read_what_is_read_before_them() {
    check(
        "if .a then .b + .a else .a end",
        r#"
fn (input, value) {
    let a = jq::get(input, "a")?
    let is_true = jq::truthy(a)
    let chosen = if is_true {
        let a_4 = jq::get(input, "a")?
        let b = jq::get(input, "b")?
        let sum = jq::add(b, a_4)?
        sum
    } else {
        let a_7 = jq::get(input, "a")?
        a_7
    }
    let result = jq::finished(chosen)
    result
}
"#,
        r#"
fn (input, value) {
    let a = jq::get(input, "a")?
    let is_true = jq::truthy(a)
    let chosen = if is_true {
        let b = jq::get(input, "b")?
        let sum = jq::add(b, a)?
        sum
    } else {
        a
    }
    let result = jq::finished(chosen)
    result
}
"#,
    );
}

#[test]
fn reads_of_other_values_stay() {
    for source in [
        "if .x then .a else .a end",
        "[(try .a catch 1), .a]",
        "[.a, (try .a catch 1)]",
        "[.a, .a?]",
        ".a = .b | .b",
        "reduce .[] as $x ({n: 1}; .n = .n + 1 | .n = .n + 1)",
        "[(.a | length), (.b | length)]",
        "[keys, keys]",
        "[nan, nan]",
    ] {
        let mut function = simplified(source).unwrap_or_else(|| panic!("{source}"));
        let before = function.to_string();
        function.share();
        assert_eq!(function.to_string(), before, "{source}");
    }
}

/// Returns the number of values that the code clones.
fn clones(mut function: CoreFunction) -> usize {
    let ownership = function.own();
    let name = Ident::new("filter", Span::call_site());
    let code = emit(&function, &ownership, "jq", &name, NameScope::of_jq(&Arc::default()));
    code.to_string().matches(". clone ()").count()
}

#[test]
fn no_recorded_expression_clones_more() {
    let (mut shared, mut before, mut after) = (0, 0, 0);
    for list in ["expressions.txt", "serverless.txt"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../differential/jq/data").join(list);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for (source, function) in text.lines().filter_map(|source| Some((source, simplified(source)?))) {
            let mut sharing = function.clone();
            sharing.share();
            shared += usize::from(sharing != function);
            let counts = [function, sharing].map(clones);
            assert!(counts[0] >= counts[1], "{source}: {counts:?}");
            before += counts[0];
            after += counts[1];
        }
    }
    assert!(shared > 0, "{shared} shared, {before} clones before, {after} after");
}
