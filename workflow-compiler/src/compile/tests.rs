//! Constructs of the HIR that no text of this dialect produces: termination of the whole
//! execution, and an interval between the starts of iterations.

use super::*;
use crate::expr::Expr;
use crate::hir::{Next, StepKind};
use crate::model::Seconds;

const MAP: &str = r#"{ "StartAt": "All", "States": { "All": {
    "Type": "Map", "MaxConcurrency": 2, "End": true,
    "ItemProcessor": { "StartAt": "One", "States": { "One": { "Type": "Task", "Resource": "work", "End": true } } }
} } }"#;

/// Returns the generated code, the HIR and the machine of the definition above after `change`.
fn generated(change: impl Fn(&mut Workflow)) -> [String; 3] {
    let options = Options::default();
    let checked = check(Source::new("map.asl.json", MAP), &options);
    let mut workflow = checked.workflow().expect("the definition is sound").clone();
    change(&mut workflow);
    let machine = passes::lower(&workflow, Verified::EachPass, &mut |_, _| {});
    let tokens = checked.emit(&workflow);
    [crate::pretty::layout(tokens), workflow.to_string(), machine.to_string()]
}

/// Sets the interval between iterations. `None` computes it from the execution's input.
fn delayed(workflow: &mut Workflow, seconds: Option<f64>) {
    let seconds = seconds.map_or(Seconds::Computed(Expr::Local(workflow.input)), Seconds::Fixed);
    for state in workflow.scopes.iter_mut().flat_map(|scope| &mut scope.states) {
        for step in &mut state.body.steps {
            if let StepKind::ForEach(each) = &mut step.kind {
                each.delay = Some(seconds.clone());
            }
        }
    }
}

#[test]
fn a_time_between_iterations_is_a_limit_of_them() {
    let [code, hir, machine] = generated(|workflow| delayed(workflow, Some(2.5)));
    assert!(code.contains("delay_seconds: 2.5"), "{code}");
    assert!(hir.contains(" limit 2 every 2.5 s"), "{hir}");
    assert!(machine.contains(" every 2.5 s"), "{machine}");
    let [code, ..] = generated(|workflow| delayed(workflow, None));
    assert!(code.contains("delay_seconds: rt::seconds(&d)?"), "{code}");
    let [code, ..] = generated(|_| {});
    assert!(!code.contains("delay_seconds"), "{code}");
}

#[test]
fn a_state_can_terminate_the_execution() {
    let [code, hir, machine] = generated(|workflow| {
        for state in workflow.scopes.iter_mut().skip(1).flat_map(|scope| &mut scope.states) {
            if let Next::End(output) = &state.body.next {
                state.body.next = Next::Terminate(output.clone());
            }
        }
    });
    assert!(code.contains("rt::terminate(d)"), "{code}");
    assert!(hir.contains("terminate "), "{hir}");
    assert!(machine.contains("terminate "), "{machine}");
}

fn code(name: &str, definition: &str) -> String {
    let output = compile(Source::new(name, definition), &Options::default());
    assert!(!output.is_refused(), "{:?}", output.diagnostics);
    crate::pretty(&output).expect("it is not refused")
}

/// The source of a call occurs in the faults of each of its arguments, but is printed once.
#[test]
fn a_call_of_many_arguments_is_printed_once() {
    for (call, count) in [("Format", 2_000), ("Array", 2_000)] {
        let template = if call == "Format" { format!("'{}', ", "{}".repeat(count)) } else { String::new() };
        let arguments = vec!["$.a"; count].join(",");
        let definition = format!(
            r#"{{ "StartAt": "A", "States": {{ "A": {{ "Type": "Pass", "End": true,
                "Parameters": {{ "x.$": "States.{call}({template}{arguments})" }} }} }} }}"#
        );
        let code = code("call.asl.json", &definition);
        assert!(code.len() < 32 * definition.len(), "{} bytes for {}", code.len(), definition.len());
        assert_eq!(code.matches(&format!("States.{call}(")).count(), 1);
    }
}

/// rustdoc runs fenced code as tests, so a text of the definition must not begin a line.
#[test]
fn texts_of_a_definition_stay_on_the_line_of_a_comment() {
    let hidden = "\r```\rpanic!();\n```\npanic!();\n    panic!();\u{2028}``` panic!();\n";
    let quoted = hidden.replace('\r', "\\r").replace('\n', "\\n");
    let definition = format!(
        r#"{{ "Comment": "of it all {quoted}", "StartAt": "A", "States": {{
            "A": {{ "Type": "Task", "Resource": "work{quoted}", "Comment": "of a state {quoted}", "End": true }} }} }}"#
    );
    let name = format!("x{hidden}fn evil() {{}}\n.asl.json");
    let code = code(&name, &definition);
    for line in code.lines() {
        let comment = line.trim_start().trim_start_matches('/').trim_start_matches('!');
        let is_comment = comment.len() < line.trim_start().len();
        assert!(is_comment || !line.trim_start().starts_with("panic!"), "{line}");
        assert!(!is_comment || !comment.trim_start().starts_with("```"), "{line}");
        assert!(!is_comment || !comment.starts_with("     "), "{line}");
        assert!(!line.trim_start().starts_with("#[doc = "), "{line}");
    }
    assert!(!code.contains("\nfn evil"), "{code}");
    let words = code.replace("///", "").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("of a state"), "{code}");
}

/// The macro refuses a second binding itself, but a build script can make one.
#[test]
fn a_task_that_is_bound_twice_is_refused() {
    let task = || "One".to_owned();
    let binding = |method: String| crate::TaskBinding { task: task(), method, input: None, output: None };
    let tasks = vec![binding("first".to_owned()), binding("second".to_owned())];
    let output = compile(Source::new("map.asl.json", MAP), &Options { tasks, ..Options::default() });
    assert!(output.is_refused());
    let found: Vec<&str> = output.diagnostics.iter().map(|found| &*found.message).collect();
    assert!(found.contains(&"duplicate binding of task `One`"), "{found:?}");
}

/// Checking and compiling report the same errors.
#[test]
fn a_workflow_of_too_many_parts_is_refused() {
    let definition = |states: usize| {
        let mut text = "{\"StartAt\": \"S0\", \"States\": {".to_owned();
        for at in 1..states {
            text.push_str(&format!("\"S{}\":{{\"Type\":\"Pass\",\"Next\":\"S{at}\"}},", at - 1));
        }
        text + &format!("\"S{}\": {{\"Type\": \"Succeed\"}}}}}}", states - 1)
    };
    let found = |states| {
        let output = crate::check_only(Source::new("large.asl.json", definition(states)), &Options::default());
        output.diagnostics.into_iter().map(|found| format!("{} {}", found.code.id, found.message)).collect::<Vec<_>>()
    };
    assert_eq!(found(30_000), Vec::<String>::new());
    assert_eq!(found(90_000), ["WF0113 the workflow is too large: it has more than 500000 nodes"]);
}

/// A value for a placeholder that only an older version has is no mistake.
#[test]
fn a_substitution_is_unused_if_no_version_has_the_placeholder() {
    let source = |name: &str, text: &str| Source::new(name, text.to_owned());
    let options = |names: &[&str]| Options {
        substitutions: names.iter().map(|name| ((*name).to_owned(), "work".to_owned())).collect(),
        ..Options::default()
    };
    let older = MAP.replace("\"work\"", "\"${Job}\"");
    let found = |names: &[&str]| -> Vec<String> {
        let older = vec![("older".to_owned(), source("older.asl.json", &older))];
        let outputs = compile_versions(source("map.asl.json", MAP), older, &options(names));
        let found = outputs.iter().flat_map(|output| &output.diagnostics);
        found.map(|found| format!("{} {}", found.code.id, found.message)).collect()
    };
    assert_eq!(found(&["Job"]), [] as [&str; 0]);
    assert_eq!(found(&["Job", "Jb"]), ["WF0651 the definition has no placeholder `${Jb}`"]);
    let alone = check_only(source("map.asl.json", MAP), &options(&["Job"]));
    assert_eq!(alone.diagnostics.len(), 1, "{:?}", alone.diagnostics);
}

/// A synthetic state notifies no observer.
#[test]
fn entries_without_a_use_of_the_turn_ignore_it() {
    let options = Options::default();
    let text = r#"{ "StartAt": "Done", "States": { "Done": { "Type": "Succeed" } } }"#;
    let checked = super::check(Source::new("done.asl.json", text), &options);
    let mut workflow = checked.workflow().expect("it is accepted").clone();
    let code = |workflow: &Workflow| checked.emit(workflow).to_string();
    assert!(code(&workflow).contains("fn enter (self , turn : & mut Turn)"));
    workflow.scopes.iter_mut().flat_map(|scope| &mut scope.states).for_each(|state| state.is_synthetic = true);
    assert!(code(&workflow).contains("fn enter (self , _ : & mut Turn)"));
}
