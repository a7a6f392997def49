//! What the HIR can say and no text of this dialect does: an end of the whole run, and a time between the starts of iterations.

use super::*;
use crate::expr::Expr;
use crate::hir::{Next, Seconds, StepKind};

const MAP: &str = r#"{ "StartAt": "All", "States": { "All": {
    "Type": "Map", "MaxConcurrency": 2, "End": true,
    "ItemProcessor": { "StartAt": "One", "States": { "One": { "Type": "Task", "Resource": "work", "End": true } } }
} } }"#;

/// What is generated of the definition above after `change`, and the HIR and the machine in words.
fn generated(change: impl Fn(&mut Workflow)) -> [String; 3] {
    let options = Options::default();
    let mut front = check(Source::new("map.asl.json", MAP), &options);
    let (mut workflow, tasks) = front.workflow.take().expect("the definition is sound");
    change(&mut workflow);
    let machine = passes::lower(&workflow, &mut |_, _| {});
    let tokens = emit::emit(&machine, &header(&workflow, tasks, &front, &options));
    [emit::format::format(tokens), workflow.to_string(), machine.to_string()]
}

/// A time between iterations; the execution's input where none is given.
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
    assert!(code.contains("delay_seconds: rt::seconds(&delay)?"), "{code}");
    let [code, ..] = generated(|_| {});
    assert!(!code.contains("delay_seconds"), "{code}");
}

#[test]
fn a_state_can_end_the_whole_run() {
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
