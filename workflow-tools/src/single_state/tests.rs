//! Tests of single states.

use super::*;
use workflow_compiler::hir::{Arm, Block, Catcher, Try};
use workflow_compiler::{FileId, check_only};

const SPAN: Span = Span { file: FileId(0), start: 0, end: 0 };
const BOTH: LocalId = LocalId(0);
const ONE: LocalId = LocalId(1);
const CAUGHT: LocalId = LocalId(2);
const NEEDED: LocalId = LocalId(3);

/// Returns the settings of a state of a composition, and the variables that its ends report.
#[track_caller]
fn single(states: &str, state: &str) -> (Vec<String>, Vec<String>) {
    let text = format!(r#"{{"Entry": "a", "Exit": "z", "States": {{{states}}}}}"#);
    let workflow = check_only(Source::new("flow.composer.json", text), &Options::default()).workflow;
    let single = single_state(&workflow.expect("it is accepted"), state, |_| {}).expect("the state is there");
    let mut reported = Vec::new();
    for body in single.scopes[ScopeId(0)].states[0].body.bodies() {
        if let Next::End(Expr::Object(members)) = &body.next
            && let Some((_, Expr::Object(variables))) = members.iter().find(|(name, _)| name == "variables")
        {
            reported.extend(variables.iter().map(|(name, _)| name.clone()));
        }
    }
    (single.settings.into_iter().map(|(_, name)| name).collect(), reported)
}

#[track_caller]
fn function(text: &str) -> (Vec<String>, Vec<String>) {
    let states = r#""a": {"Type": "Let", "Symbol": "n", "Value": 0, "Next": "b"},
        "b": {"Type": "Task", "Function": "TEXT", "Next": "c"}, "c": {"Type": "End", "Next": "z"}, "z": {"Type": "Pass"}"#;
    single(&states.replace("TEXT", text), "b")
}

#[test]
fn variables_that_a_function_reads_first_become_settings() {
    for text in [
        "p => n",
        "p => { n += 1; return p }",
        "p => { n++ }",
        "p => { n = n + 1 }",
        "p => { if (p.x) n = 1; return n }",
        "(p, q = n) => { n = q }",
        "p => { const f = () => n; n = 1; return f() }",
        "p => { n = f(); function f() { return n } }",
        "p => { n ??= 1 }",
        "p => (p.n = n, n = 1, p)",
    ] {
        assert_eq!(function(text), (vec!["n".to_owned()], vec!["n".to_owned()]), "{text}");
    }
}

#[test]
fn a_variable_that_is_only_written_is_reported_and_no_setting() {
    for text in [
        "p => { n = p; return p }",
        "p => { n = p.x; p.n = n; return p }",
        "p => (n = p.x, { n })",
        "p => { if (p.x) n = 1; return p }",
        "p => { ({ x: n } = p); return p }",
        "p => n = p",
    ] {
        assert_eq!(function(text), (vec![], vec!["n".to_owned()]), "{text}");
    }
    assert_eq!(function("p => p"), (vec![], vec![]));
}

#[test]
fn levels_of_the_stack_are_reported_and_settings() {
    let states = r#""a": {"Type": "Push", "Next": "b"}, "b": {"Type": "Task", "Action": "pay", "Next": "z"},
        "z": {"Type": "Pop"}"#;
    assert_eq!(single(states, "a"), (vec![], vec!["saved".to_owned()]));
    assert_eq!(single(states, "b"), (vec![], vec![]));
    assert_eq!(single(states, "z"), (vec!["saved".to_owned()], vec![]));
    // `b` is entered with at least one level.
    let states = r#""a": {"Type": "Push", "Next": "b"}, "b": {"Type": "Push", "Next": "c"},
        "c": {"Type": "Choice", "Then": "a", "Else": "z"}, "z": {"Type": "Pop"}"#;
    assert_eq!(single(states, "c"), (vec!["stack".to_owned()], vec!["stack".to_owned(); 2]));
}

fn body(local: Option<LocalId>, next: Next) -> Body {
    let set = |local| Step { kind: StepKind::Let { local, value: Expr::NULL }, span: SPAN };
    Body { steps: local.map(set).into_iter().collect(), next }
}

/// Returns a body that sets `BOTH`, then `ONE` on some paths, and then `CAUGHT`, whose faults
/// are caught.
fn paths() -> Body {
    let [joined, attempt] = [0, 1].map(Label);
    let arm = body(Some(ONE), Next::Leave(joined));
    let arms = vec![Arm { condition: Expr::Local(NEEDED), body: arm, span: SPAN, on_error: false }];
    let otherwise = Box::new(body(None, Next::Leave(joined)));
    let block = Block {
        label: joined,
        body: body(None, Next::Choose { arms, otherwise }),
        repeated: None,
        exits: Vec::new(),
        after: "joined",
    };
    let both = Expr::Array(vec![Expr::Local(BOTH), Expr::Local(ONE)]);
    let caught = body(None, Next::End(Expr::Local(CAUGHT)));
    let inner = Try {
        label: attempt,
        body: body(Some(CAUGHT), Next::End(both)),
        retriers: Vec::new(),
        retries: None,
        block_retries: Vec::new(),
        catchers: vec![Catcher { errors: Vec::new(), body: caught, span: SPAN }],
        fault: LocalId(9),
        after: "done",
    };
    let kinds = [StepKind::Block(Box::new(block)), StepKind::Try(Box::new(inner))];
    let mut paths = body(Some(BOTH), Next::Never);
    paths.steps.extend(kinds.map(|kind| Step { kind, span: SPAN }));
    paths
}

/// A local that only some paths set comes from other states.
#[test]
fn locals_not_set_on_every_path_become_settings() {
    let mut analysis = ReadBeforeSet { reads: &|_, _| true, found: BTreeSet::new(), left: BTreeMap::new() };
    analysis.body(&paths(), BTreeSet::new());
    assert_eq!(analysis.found.into_iter().collect::<Vec<_>>(), [ONE, CAUGHT, NEEDED]);
}

#[test]
fn ends_report_the_locals_that_are_set_on_every_path() {
    let reported = [(BOTH, "both"), (ONE, "one"), (CAUGHT, "caught")];
    let reported = reported.map(|(local, name)| (local, name.to_owned())).to_vec();
    let mut exits = ExitRewriter { inputs: BTreeMap::new(), reported, left: BTreeMap::new() };
    let mut paths = paths();
    exits.end_after(&mut paths, BTreeSet::new());
    let ends = paths.bodies().into_iter().filter_map(|body| match &body.next {
        Next::End(Expr::Object(members)) => Some(members),
        _ => None,
    });
    let variables = |members: &[(String, Expr)]| match members {
        [.., (_, Expr::Object(variables))] => variables.iter().map(|(name, _)| name.clone()).collect(),
        _ => Vec::new(),
    };
    let ends: Vec<Vec<String>> = ends.map(|members| variables(members)).collect();
    assert_eq!(ends, [vec!["both", "caught"], vec!["both"]]);
}

/// Locals that the bodies of a state pass to each other do not become settings.
#[test]
fn locals_set_inside_of_a_state_do_not_become_settings() {
    let state = |members: &str| {
        format!(
            r#"{{"id": "o", "functions": [{{"name": "pay", "resource": "bank"}}], "states": [
            {{"name": "A", "type": "operation", "start": {{"kind": "default"}}, "actions": [{{"functionRef": {{"refName": "pay"}}}}],
              {members} "transition": {{"nextState": "B"}}}},
            {{"name": "B", "type": "delay", "timeDelay": "PT1S", "end": {{"kind": "default"}}}}]}}"#
        )
    };
    let (retry, handler) = (
        r#""retry": [{"expression": "$.error.name eq 'X'", "interval": "PT1S"}],"#,
        r#""onError": [{"expression": "name eq 'Y'", "transition": {"nextState": "B"}}],"#,
    );
    for members in [String::new(), retry.to_owned(), handler.to_owned(), format!("{retry} {handler}")] {
        let text = state(&members);
        let workflow = check_only(Source::new("flow.sw.json", text.as_str()), &Options::default()).workflow;
        let single = single_state(&workflow.expect("it is accepted"), "A", |_| {}).expect("the state is there");
        let asked: Vec<&str> = single.settings.iter().map(|(_, name)| name.as_str()).collect();
        assert!(asked.is_empty(), "{members}: {asked:?}");
    }
}

#[test]
fn a_task_stands_for_branches_and_iterations() {
    let text = r#"{"StartAt": "Both", "States": {
        "Both": {"Type": "Parallel", "Branches": [{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}],
            "Retry": [{"ErrorEquals": ["E"]}], "Next": "Each"},
        "Each": {"Type": "Map", "ItemProcessor": {"StartAt": "B", "States": {"B": {"Type": "Succeed"}}}, "End": true}}}"#;
    let workflow = check_only(Source::new("flow.asl.json", text), &Options::default()).workflow;
    let workflow = workflow.expect("it is accepted");
    for state in ["Both", "Each"] {
        let single = single_state(&workflow, state, mock_inside).expect("the state is there");
        let tasks: Vec<(&str, &str)> =
            single.tasks.iter().map(|task| (task.key.as_str(), task.resource.as_str())).collect();
        assert_eq!((tasks, single.scopes.len()), (vec![(state, MOCKED)], 1), "{state}");
        let mut invoked = 0;
        single.scopes[ScopeId(0)].states[0].body.walk_steps(&mut |step| {
            invoked += usize::from(matches!(step.kind, StepKind::Invoke(_)));
        });
        assert_eq!(invoked, 1, "{state}");
        assert!(compile_mocked_state(Source::new("flow.asl.json", text), &Options::default(), state).tokens.is_some());
    }
}

#[test]
fn a_state_that_calls_another_one_has_no_branches() {
    let text = r#"{"StartAt": "Both", "States": {
        "Both": {"Type": "Parallel", "Branches": [{"StartAt": "A", "States": {"A": {"Type": "Succeed"}}}],
            "Retry": [{"ErrorEquals": ["E"]}], "Next": "Done"}, "Done": {"Type": "Succeed"}}}"#;
    let workflow = check_only(Source::new("flow.asl.json", text), &Options::default()).workflow;
    let workflow = workflow.expect("it is accepted");
    for (state, expected) in [("Both", true), ("A", false), ("Done", false), ("None", false)] {
        assert_eq!(has_branches_or_iterations(&workflow, state), expected, "{state}");
    }
}
