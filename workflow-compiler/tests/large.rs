//! Definitions that are large in one respect are compiled, or refused, in about linear time and
//! space.

use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, compile, pretty};

fn compiled(states: &str) -> Output {
    let text = format!(r#"{{"StartAt": "S0", "States": {{{states}}}}}"#);
    compile(Source::new("large.asl.json", text), &Options::default())
}

#[test]
fn the_code_of_a_long_call_does_not_repeat_it_for_every_argument() {
    let size = |function: &str, arguments: usize| {
        let arguments = vec!["$.a"; arguments].join(",");
        let call = format!("States.{function}{arguments})");
        let output = compiled(&format!(r#""S0": {{"Type": "Pass", "Parameters": {{"x.$": "{call}"}}, "End": true}}"#));
        pretty(&output).unwrap_or_default().len()
    };
    let (small, large) = (size("Array(", 1_000), size("Array(", 4_000));
    assert!(small > 0 && large < 5 * small, "{small} bytes, {large} bytes for four times as many arguments");
}

#[test]
fn unknown_targets_are_reported_up_to_a_limit_and_the_first_with_a_suggestion() {
    let states: Vec<String> = (0..500).map(|at| format!(r#""S{at}": {{"Type": "Pass", "Next": "Q{at}"}}"#)).collect();
    let output = compiled(&states.join(","));
    let found = |code: &str| output.diagnostics.iter().filter(|found| found.code.id == code).count();
    assert_eq!((found("WF0201"), found("WF0113"), output.diagnostics.len()), (100, 1, 101));
    let guesses = output.diagnostics.iter().filter(|found| found.help.iter().any(|help| help.contains("did you mean")));
    assert!(guesses.count() > 0);
}

#[test]
fn variables_are_followed_through_many_states() {
    let last = 400;
    let mut states: Vec<String> = (0..last)
        .map(|at| format!(r#""S{at}": {{"Type": "Pass", "Assign": {{"v{at}": {at}}}, "Next": "S{}"}}"#, at + 1))
        .collect();
    let reads: Vec<String> = (0..last).map(|at| format!(r#""r{at}.$": "$v{at}""#)).collect();
    states.push(format!(r#""S{last}": {{"Type": "Pass", "Parameters": {{{}}}, "End": true}}"#, reads.join(",")));
    let output = compiled(&states.join(","));
    assert!(!output.is_refused(), "{:?}", output.diagnostics);
    assert!(output.diagnostics.is_empty(), "{:?}", output.diagnostics);
}

#[test]
fn the_code_of_a_parallel_state_grows_with_its_branches_and_no_faster() {
    let size = |branches: usize| {
        let branch = |at: usize| {
            format!(
                r#"{{"StartAt": "B{at}", "States": {{"B{at}": {{"Type": "Task", "Resource": "work{at}", "End": true}}}}}}"#
            )
        };
        let branches: Vec<String> = (0..branches).map(branch).collect();
        let output =
            compiled(&format!(r#""S0": {{"Type": "Parallel", "End": true, "Branches": [{}]}}"#, branches.join(",")));
        let code = pretty(&output).expect("the definition is sound");
        code.lines().count()
    };
    let (small, large) = (size(100), size(1_000));
    assert!(small < 40 * 100 && large < 11 * small, "{small} lines, {large} lines for ten times as many branches");
}

#[test]
fn the_code_of_expressions_does_not_repeat_the_long_names_of_their_fields() {
    let size = |key: usize, expressions: usize| {
        let (key, items) = ("k".repeat(key), vec![r#""{% 1 %}""#; expressions].join(","));
        let state = format!(
            r#""S0": {{"Type": "Pass", "QueryLanguage": "JSONata", "Output": {{"{key}": [{items}]}}, "End": true}}"#
        );
        let output = compiled(&state);
        assert!(!output.is_refused(), "{:?}", output.diagnostics);
        pretty(&output).unwrap_or_default().len()
    };
    let (short, long) = (size(80, 100), size(20_000, 100));
    assert!(long < short + 3 * 20_000, "{short} bytes, {long} bytes with a key of 20,000");
}

#[test]
fn errors_of_one_expression_are_reported_up_to_a_limit() {
    let names = vec!["a"; 5_000].join(",");
    let state =
        format!(r#""S0": {{"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{{% [{names}] %}}", "End": true}}"#);
    let found = compiled(&state).diagnostics.len();
    assert!((100..=101).contains(&found), "{found} diagnostics");
}
