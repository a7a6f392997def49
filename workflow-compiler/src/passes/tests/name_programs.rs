//! Tests of the pass that names programs.

use super::*;
use crate::names::NameScope;

#[test]
fn a_workflow_without_programs_has_none() {
    let workflow = asl("
        StartAt: Done
        States: { Done: { Type: Succeed } }
        ");
    assert!(after(&workflow, "name_programs").programs.is_empty());
}

/// Returns the name and the source of each program of a workflow with these activities.
#[cfg(feature = "workflow-dsl")]
fn programs(activities: &[&str]) -> Vec<String> {
    let list: String = activities.iter().map(|activity| format!("\n  - {activity}")).collect();
    let options = Options { engine: Some(true), ..Options::default() };
    let output = checked("workflow-dsl", &format!("id: t\nactivities:{list}\n"), &options);
    let workflow = output.workflow.unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics));
    let machine = after(&workflow, "name_programs");
    machine.programs.iter().map(|(name, program)| format!("{name}: {}", program.source())).collect()
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn equal_programs_are_one_function() {
    let found = programs(&[
        r#"{ name: Pay, type: inject, data: {}, activityDataFilter: { input: "${ . | {a: (.a + 1)} }", output: "${ . | {b: (.b + 1)} }" } }"#,
        r#"{ name: Log, type: inject, data: {}, activityDataFilter: { input: "${ . | {a: (.a + 1)} }", output: "${ . | {c: (.c + 1)} }" } }"#,
    ]);
    insta::assert_snapshot!(found.join("\n"), @r"
    pay_input_filter: . | {a: (.a + 1)}
    pay_output_filter: . | {b: (.b + 1)}
    log_output_filter: . | {c: (.c + 1)}
    ");
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn programs_of_one_name_have_numbers() {
    let found = programs(&[
        r#"{ name: Pay, type: inject, data: {}, activityDataFilter: { input: "${ . | {a: (.a + 1)} }" } }"#,
        r#"{ name: pay, type: inject, data: {}, activityDataFilter: { input: "${ . | {b: (.b + 1)} }" } }"#,
        r#"{ name: Pay input filter, type: inject, data: {} }"#,
    ]);
    insta::assert_snapshot!(found.join("\n"), @r"
    pay_input_filter2: . | {a: (.a + 1)}
    pay_input_filter3: . | {b: (.b + 1)}
    ");
}

#[cfg(feature = "workflow-dsl")]
#[test]
fn a_program_for_an_engine_is_a_constant() {
    let found = programs(&[
        r#"{ name: Pay, type: inject, data: {}, activityDataFilter: { input: "${ path(foreach .keys[] as $key (.; .[$key])) }" } }"#,
    ]);
    insta::assert_snapshot!(found.join("\n"), @"PAY_INPUT_FILTER: path(foreach .keys[] as $key (.; .[$key]))");
}

/// In a pattern, the name would mean the constant.
#[test]
fn no_local_of_a_program_has_the_name_of_a_constant() {
    let workflow = asl("
        StartAt: Pay
        States: { Pay: { Type: Task, Resource: pay, Retry: [{ ErrorEquals: [Busy] }], End: true } }
        ");
    let machine = after(&workflow, "name_programs");
    let mut locals = NameScope::inside(&machine.constants);
    let given = ["PAY", "PAY_RETRY", "GRAPH", "pay"].map(|name| locals.give(name));
    assert_eq!(given, ["PAY2", "PAY_RETRY2", "GRAPH2", "pay"]);
}
