//! Tests of the limits of translated expressions.

use super::refused::check;
use super::translated;
use crate::expr::jsonata::translate;
use proc_macro2::{Ident, Span};
use std::sync::Arc;

const LARGE: &str = "an expression this large";

#[test]
fn the_steps_of_paths_are_limited() {
    let steps = "so many steps in a row";
    check(&format!("$states.input{}", ".a[0]".repeat(5_000)), steps);
    check(&format!("$limit{}", "[0]".repeat(101)), steps);
    check(&format!("(1){}", "[0]".repeat(101)), steps);
    translated(&format!("$states.input{}", ".a[0]".repeat(40)));
    let calls = "$f(1),".repeat(40);
    let names = ".a".repeat(90);
    check(&format!("($f := function($x){{ $x{names} }}; [{calls} 1])"), LARGE);
}

#[test]
fn bindings_that_are_read_once_do_not_nest_without_a_limit() {
    let next: Vec<String> = (1..480).map(|at| format!("$v{at} := $v{} & 'x'", at - 1)).collect();
    let source = format!("($v0 := $limit; {}; $v479)", next.join("; "));
    let translation = translate(&source, &["limit"], false).expect("it is translated");
    let name = Ident::new("f", Span::call_site());
    let code = translation.emit(&name, &Arc::default()).to_string();
    let bound = code.matches("let ").count();
    assert!(bound >= 480 / 41, "{bound} bindings are left");
}

#[test]
fn parameters_are_parts() {
    let params: Vec<String> = (0..3_000).map(|at| format!("$p{at}")).collect();
    check(&format!("($f := function({}) {{ 1 }}; $f())", params.join(",")), LARGE);
}

#[test]
fn the_arguments_of_partial_applications_are_parts() {
    let params = "$a,".repeat(1_500);
    let times = |count| "$p := $f(?); ".repeat(count);
    check(&format!("($f := function({params}$a) {{ 1 }}; {}1)", times(600)), LARGE);
    translated(&format!("($f := function({params}$a) {{ 1 }}; {}1)", times(1)));
    check(&format!("($f := function({params}$a) {{ 1 }}; $p := $f(?); $p := $p(?); 1)"), LARGE);
    check(&format!("({}1)", "$p := $formatNumber(?); ".repeat(500)), LARGE);
}

#[test]
fn functions_that_double_are_limited() {
    let doubled = |times: usize| {
        let functions = (1..=times).map(|at| format!("$f{at} := function($x) {{ $f{}($f{}($x)) }}; ", at - 1, at - 1));
        format!("($f0 := function($x) {{ $x & $x }}; {} $f{times}('x'))", functions.collect::<String>())
    };
    check(&doubled(11), LARGE);
    translated(&doubled(4));
    // Functions inside of functions, each of which is read twice.
    let nested = |times: usize| (0..times).fold("$x".to_owned(), |body, _| format!("[{body}, {body}]"));
    check(&format!("$map($limit, function($x) {{ {} }})", nested(11)), LARGE);
    translated(&format!("$map($limit, function($x) {{ {} }})", nested(5)));
}

#[test]
fn long_texts_are_parts() {
    let text = "x".repeat(10_000);
    let uses = "$t,".repeat(40);
    check(&format!("($t := '{text}'; [{uses} 1])"), LARGE);
    let calls = "$f('y'),".repeat(20);
    check(&format!("($f := function($x) {{ $contains($x, /{text}/) }}; [{calls} 1])"), LARGE);
    check(&format!("($f := function($x) {{ $x.{text} }}; [{calls} 1])"), LARGE);
    translated(&format!("($t := '{text}'; $t & $t)"));
}

#[test]
fn the_pairs_of_a_grouping_are_limited() {
    let pairs = |count: usize| {
        let pairs: Vec<String> = (0..count).map(|at| format!("'k{at}': 1")).collect();
        format!("$states.input.items{{{}}}", pairs.join(","))
    };
    check(&pairs(51), "a grouping by so many pairs");
    translated(&pairs(50));
}
