//! Tests of the limit on the size of a workflow.

use super::*;
use crate::passes::check_size::{MOST, check_size};

fn found(workflow: &Workflow) -> Vec<String> {
    let mut diagnostics = Diagnostics::default();
    check_size(workflow, &mut diagnostics);
    messages(diagnostics)
}

/// Returns an expression of this many nodes, at least one.
fn large(nodes: usize) -> Expr {
    Expr::call(&CAUGHT, vec![Arg::Strs(vec![String::new(); nodes - 1])])
}

/// Returns the number of nodes of a workflow: the limit without the largest expression that its
/// first state can have in addition.
fn nodes(workflow: &Workflow) -> usize {
    let (input, span) = (workflow.input, workflow.span);
    let mut workflow = workflow.clone();
    let mut is_accepted = |size: usize| {
        let steps = &mut workflow.scopes[crate::model::ScopeId(0)].states[0].body.steps;
        steps.push(Step { kind: set(input, large(size)), span });
        let is_accepted = found(&workflow).is_empty();
        workflow.scopes[crate::model::ScopeId(0)].states[0].body.steps.pop();
        is_accepted
    };
    let (mut accepted, mut refused) = (1, MOST);
    while refused - accepted > 1 {
        let middle = (accepted + refused) / 2;
        match is_accepted(middle) {
            true => accepted = middle,
            false => refused = middle,
        }
    }
    // The step counts too.
    MOST - accepted - 1
}

/// Returns the number of nodes of a state, and of the output.
fn nodes_of(members: &str) -> usize {
    nodes(&asl(&format!("StartAt: First\nStates:\n  First: {{ {members} }}\n  Last: {{ Type: Succeed }}\n")))
        - nodes_of_end()
}

/// The nodes of the last state: the state, its body, and the output.
fn nodes_of_end() -> usize {
    nodes(&asl("StartAt: Last\nStates: { Last: { Type: Succeed } }"))
}

#[test]
fn a_workflow_with_too_many_nodes_is_refused() {
    let mut workflow = asl("StartAt: Last\nStates: { Last: { Type: Succeed } }");
    let input = workflow.input;
    add_steps(&mut workflow, "Last", vec![set(input, large(MOST - nodes_of_end() - 1))]);
    assert_eq!(found(&workflow), [""; 0]);
    add_steps(&mut workflow, "Last", vec![set(input, Expr::NULL)]);
    assert_eq!(found(&workflow), ["WF0113 the workflow is too large: it has more than 500000 nodes"]);
}

#[test]
fn states_bodies_steps_and_expressions_count() {
    assert_eq!(nodes_of_end(), 7);
    assert_eq!(nodes_of("Type: Pass, Next: Last"), 6);
    // A step with a constant, and one with a path of two names.
    assert_eq!(nodes_of("Type: Pass, Result: 1, Next: Last"), 8);
    assert_eq!(nodes_of("Type: Pass, InputPath: $.a.b, Next: Last"), 11);
    // A test with a path of one name, and two bodies more.
    assert_eq!(nodes_of("Type: Choice, Choices: [{ Variable: $.n, NumericEquals: 1, Next: Last }], Default: Last"), 14);
}

#[test]
fn retriers_catchers_and_scopes_count() {
    let task = |members: &str| nodes_of(&format!("Type: Task, Resource: pay, Next: Last, {members}"));
    let plain = task("");
    let one = task("Retry: [{ ErrorEquals: [A] }]");
    assert_eq!(task("Retry: [{ ErrorEquals: [A] }, { ErrorEquals: [B] }]") - one, 2);
    assert_eq!(one - plain, 5);
    let caught = task("Catch: [{ ErrorEquals: [A], ResultPath: null, Next: Last }]");
    assert_eq!(caught - plain, 5);
    let all = |state: &str| {
        nodes_of(&format!("Type: Map, Next: Last, ItemProcessor: {{ StartAt: One, States: {{ One: {{ {state} }} }} }}"))
    };
    assert_eq!(all("Type: Pass, Result: 1, End: true") - all("Type: Pass, End: true"), 2);
    // The entry of the scope sets the document to an object with a constant, and not to a local.
    let selected = |selector: &str| {
        let scope = "ItemProcessor: { StartAt: One, States: { One: { Type: Succeed } } }";
        nodes_of(&format!("Type: Map, Next: Last, {scope}, {selector}"))
    };
    assert_eq!(selected("ItemSelector: { a.$: $.a, b: 1 }") - selected(""), 4);
}

/// Equal programs become one function.
#[cfg(feature = "workflow-dsl")]
#[test]
fn a_program_counts_once_for_its_code() {
    let with = |filters: &[&str]| {
        let make = |(at, filter): (usize, &&str)| {
            format!(
                "\n  - {{ name: A{at}, type: inject, data: {{}}, activityDataFilter: {{ input: \"${{ {filter} }}\" }} }}"
            )
        };
        let activities: String = filters.iter().enumerate().map(make).collect();
        nodes(&workflow("workflow-dsl", &format!("id: t\nactivities:{activities}\n")))
    };
    let [short, long] = [". | {a: (.a + 1)}", ". | {a: (.a + 1 + 1 + 1 + 1 + 1 + 1)}"];
    // An addition and its constant are two nodes.
    assert_eq!(with(&[long]) - with(&[short]), 10);
    assert_eq!(with(&[long, long]) - with(&[long]), with(&[short, short]) - with(&[short]));
    assert_eq!(with(&[short, ". | {b: (.b + 1)}"]) - with(&[short, short]), 7);
    // Functions are expanded where they are called.
    let doubled = "def f: [.a, .a]; def g: [f, f]; def h: [g, g]; [h, h]";
    assert!(with(&[doubled]) - with(&["."]) > 32, "{}", with(&[doubled]));
}

/// A program of JSONata is also its field and the type that the field needs.
#[test]
fn one_text_in_two_fields_counts_twice() {
    let sum = format!("{{% [{}0] %}}", "$states.input.z + 1, ".repeat(100));
    let with = |members: &str, other: &str| {
        let states = format!(
            "First: {{ Type: Pass, Output: {{ {members} }}, Next: Last }}\n  Last: {{ Type: Succeed, Output: {{ {other} }} }}"
        );
        nodes(&asl(&format!("QueryLanguage: JSONata\nStartAt: First\nStates:\n  {states}\n")))
    };
    let member = |name: &str| format!("{name}: '{sum}'");
    let (a, b, c) = (member("a"), member("b"), member("c"));
    let one = with(&a, "x: 1");
    let two = with(&format!("{a}, {b}"), "x: 1");
    assert!(two - one > 200, "{one} {two}");
    assert_eq!(with(&format!("{a}, {b}, {c}"), "x: 1") - two, two - one);
    // Equal programs share a function.
    let again = with(&a, &a);
    assert!(again - one < 10, "{one} {again}");
}

/// The evaluator runs the expression where a variable hides the function.
#[test]
fn a_text_counts_where_it_is_translated() {
    let state = format!("Type: Pass, Output: \"{{% $sum([{}0]) %}}\"", "$states.input.a + 1, ".repeat(100));
    let plain = format!("{{ StartAt: Plain, States: {{ Plain: {{ {state}, End: true }} }} }}");
    let assigns = "Assigns: { Type: Pass, Assign: { sum: 1 }, Next: Hidden }";
    let hidden = format!("{{ StartAt: Assigns, States: {{ {assigns}, Hidden: {{ {state}, End: true }} }} }}");
    let with = |branches: [&str; 2]| {
        let text = "QueryLanguage: JSONata\nStartAt: All\nStates: { All: { Type: Parallel, End: true, Branches: [";
        nodes(&asl(&format!("{text}{}] }} }}", branches.join(", "))))
    };
    assert_eq!(with([&plain, &hidden]), with([&hidden, &plain]));
    let one = with([&hidden, &hidden.replace("Hidden", "Other").replace("Assigns", "First")]);
    assert!(with([&hidden, &plain]) > one + 100, "{one}");
}

#[cfg(feature = "composer")]
#[test]
fn a_function_counts() {
    let with = |code: &str| {
        nodes(&workflow(
            "composer",
            &format!(
                "
            Entry: f
            Exit: done
            States: {{ f: {{ Type: Task, Function: \"{code}\", Next: done }}, done: {{ Type: Pass }} }}
            "
            ),
        ))
    };
    assert!(with("p => ({ a: p.a, b: p.b })") > with("p => ({ a: p.a })"));
    // A function inside has a copy of each variable.
    let inside = |functions: &str| with(&format!("({{ a, b, c, d, e, f, g }}) => {functions} [a, b, c, d, e, f, g]"));
    let [one, two, three] = ["() =>", "() => () =>", "() => () => () =>"].map(inside);
    assert_eq!(three - two, two - one);
    assert!(two - one > 7 + 3, "{one} {two}");
}

/// The engine compiles such a program at run time.
#[cfg(feature = "workflow-dsl")]
#[test]
fn a_program_for_an_engine_counts_as_its_application() {
    let with = |filter: &str| {
        let filter = format!("activityDataFilter: {{ input: \"${{ {filter} }}\" }}");
        let text = format!("id: t\nactivities: [{{ name: A, type: inject, data: {{}}, {filter} }}]");
        let options = Options { engine: Some(true), ..Options::default() };
        nodes(&checked("workflow-dsl", &text, &options).workflow.expect("the program has an engine"))
    };
    let short = "path(foreach .keys[] as $key (.; .[$key]))";
    assert_eq!(with(short), with(&format!("{short} | {short} | {short}")));
}
