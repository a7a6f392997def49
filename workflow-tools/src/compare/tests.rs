//! Tests of the comparison of distributed Maps.

use super::{Comparison, Verdict, compare};
use workflow_compiler::{Options, Output, Source, compile};

/// Returns a distributed Map with the fields `fields` and one state that waits.
fn map(name: &str, fields: &str, next: &str) -> String {
    format!(
        r#""{name}": {{ "Type": "Map", {fields} {next}, "ItemProcessor": {{
            "ProcessorConfig": {{ "Mode": "DISTRIBUTED", "ExecutionType": "STANDARD" }},
            "StartAt": "Rest in {name}",
            "States": {{ "Rest in {name}": {{ "Type": "Wait", "Seconds": 9, "End": true }} }} }} }}"#
    )
}

fn compiled(states: &[String]) -> Output {
    let text = format!(r#"{{ "StartAt": "Pick", "States": {{ {} }} }}"#, states.join(", "));
    compile(Source::new("maps.asl.json", text), &Options::default())
}

/// Compares two definitions whose states are these.
fn compared(old: &[String], new: &[String]) -> Comparison {
    compare(&compiled(old), &compiled(new)).expect("both are accepted")
}

fn pick(next: &str) -> String {
    format!(r#""Pick": {{ "Type": "Pass", "Next": "{next}" }}"#)
}

const END: &str = r#""End": true"#;

/// Returns each state with its verdict and reasons.
fn verdicts(comparison: &Comparison) -> Vec<(&str, Verdict, Vec<&str>)> {
    let states = comparison.states.iter();
    states.map(|state| (&*state.state, state.verdict, state.reasons.iter().map(|reason| &**reason).collect())).collect()
}

#[test]
fn a_map_that_is_counted_otherwise_cannot_continue() {
    let old = [pick("M"), map("M", "", END)];
    let before = [pick("Z"), map("Z", "", r#""Next": "M""#), map("M", "", END)];
    let after = [pick("M"), map("M", "", r#""Next": "Z""#), map("Z", "", END)];
    let reason = "the new definition numbers its distributed Maps otherwise";
    let around = format!("the enclosing state `M`: {reason}");
    let expected = vec![("M", Verdict::Breaking, vec![reason]), ("Rest in M", Verdict::Breaking, vec![&*around])];
    assert_eq!(verdicts(&compared(&old, &before)), expected);
    let safe = vec![("M", Verdict::Safe, vec![]), ("Rest in M", Verdict::Safe, vec![])];
    assert_eq!(verdicts(&compared(&old, &after)), safe);
    assert_eq!(verdicts(&compared(&old, &old)), safe);
}

#[test]
fn a_selection_before_the_map_moves_its_processor() {
    let selector = r#""ItemSelector": { "item.$": "$$.Map.Item.Value" },"#;
    let old = [pick("Z"), map("Z", "", r#""Next": "M""#), map("M", "", END)];
    let new = [pick("Z"), map("Z", selector, r#""Next": "M""#), map("M", "", END)];
    let comparison = compared(&old, &new);
    let breaking: Vec<&str> = comparison
        .states
        .iter()
        .filter(|state| state.verdict == Verdict::Breaking)
        .map(|state| &*state.state)
        .collect();
    assert_eq!(breaking, ["M", "Rest in M"]);
}

#[test]
fn the_selection_of_items_belongs_to_the_map() {
    let selector = |value: &str| format!(r#""ItemSelector": {{ "item": {value} }},"#);
    let version = |value: &str| [pick("M"), map("M", &selector(value), END)];
    let comparison = compared(&version("1"), &version("2"));
    let changed: Vec<(&str, &[&str])> = comparison
        .states
        .iter()
        .flat_map(|state| &state.differs)
        .map(|differing| (&*differing.state, &*differing.what))
        .collect();
    assert!(!changed.is_empty() && changed.iter().all(|found| *found == ("M", &["its iterations"][..])), "{changed:?}");
    assert!(compared(&version("1"), &version("1")).is_same());
}
