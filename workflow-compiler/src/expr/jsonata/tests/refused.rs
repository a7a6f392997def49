//! Tests of what is left to the evaluator.

use super::super::translate;

#[track_caller]
fn check(source: &str, reason: &str) {
    match translate(source, &["states.input", "limit"], false) {
        Ok(_) => panic!("{source}: it is translated"),
        Err(found) => assert_eq!(found, reason, "{source}"),
    }
}

#[test]
fn functions_as_values_are_left_to_the_evaluator() {
    check("function($x) { $x }", "a function as a value");
    check("$string(function($x) { $x })", "a function as a value");
}
