//! Generated code for correlated events and for schedules.

use super::*;
use crate::expr::Expr;
use crate::hir::{Step, StepKind};
use crate::model::{Active, EventId, Receive, Schedule};

/// Returns the HIR and the generated code of a workflow with two start events after `change`,
/// which applies constructs that this dialect does not have.
fn generated(change: impl FnOnce(&mut Workflow)) -> (String, String) {
    let text = r#"{ "id": "t", "messages": [
        { "name": "A", "kind": "consumed", "type": "a" }, { "name": "B", "kind": "consumed", "type": "b" }
    ], "activities": [
        { "name": "First", "type": "message", "onMessages": [{ "messageRefs": ["A", "B"] }], "end": true }
    ] }"#;
    let options = Options::default();
    let (mut checked, workflow) = read(Source::new("flow.workflow-dsl.json", text), &options);
    let mut workflow = workflow.expect("it is accepted");
    change(&mut workflow);
    let results = passes::check(&workflow, &options, &mut checked.diagnostics);
    (checked.tasks, checked.paths) = (results.tasks, results.paths);
    assert!(!checked.diagnostics.has_errors());
    let tokens = checked.emit(&workflow);
    (workflow.to_string(), tokens.to_string().replace(' ', ""))
}

#[test]
fn events_that_correlate_and_are_collected_reach_generated_code() {
    let (shown, code) = generated(|workflow| {
        workflow.events[crate::model::EventId(0)].correlation = Some("order".to_owned());
        let starts = workflow.starts_on.as_mut().expect("it begins with events");
        (starts.all_of, starts.sequence) = (true, Vec::new());
        let (data, span) = (workflow.input, workflow.span);
        let receive = Receive {
            events: vec![EventId(0), EventId(1)],
            discards_unmatched: false,
            collected: Some(Expr::Local(data)),
            result: data,
        };
        let kind = StepKind::Receive(Box::new(receive));
        workflow.scopes[crate::model::ScopeId(0)].states[0].body.steps.insert(0, Step { kind, span });
    });
    for part in [", correlates by \"order\"", "starts on [0, 1], collects them", "receive [A, B] after data"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    for part in
        [r#".kind("a").correlation("order")"#, r#"&[0,1]).all_of())"#, ".receive(&[0,1]).except_collected(&data)"]
    {
        assert!(code.contains(part), "{part}: {code}");
    }
}

#[test]
fn schedules_reach_generated_code() {
    let with = |written: &str, active: Active| {
        generated(|workflow| {
            workflow.schedule = Some(Schedule { written: written.to_owned(), active });
        })
    };
    let (shown, code) = with("P1D", Active::AfterDeployment(86_400_000_000));
    assert!(shown.contains("active \"P1D\": 86400000000 us from the deployment"), "{shown}");
    assert!(code.contains(r#"schedule:Some(rt::Schedule::after_deployment("P1D",86400000000))"#), "{code}");
    let (_, code) = with("P1D/2026", Active::Between { from: -1, until: 5 });
    assert!(code.contains(r#"schedule:Some(rt::Schedule::between("P1D/2026",-1,5))"#), "{code}");
}
