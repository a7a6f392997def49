//! Tests of pictures, on definitions of the Amazon States Language.

use super::*;
use workflow_compiler::graph::{Edge, Graph, GraphNode, Region, Shape, Target};
use workflow_compiler::hir::Workflow;
use workflow_compiler::{Options, Source, check_only};

fn workflow(definition: &str) -> Workflow {
    let output = check_only(Source::new("flow.asl.json", definition), &Options::default());
    output.workflow.unwrap_or_else(|| panic!("{:#?}", output.diagnostics))
}

fn drawn(workflow: &Workflow) -> String {
    svg(workflow, Legend::Shown).expect("it is small")
}

const SHOP: &str = r#"{
  "StartAt": "Charge",
  "States": {
    "Charge": {
      "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard", "Next": "Both",
      "Retry": [{ "ErrorEquals": ["Flaky", "Slow"], "MaxAttempts": 2 }],
      "Catch": [{ "ErrorEquals": ["Declined", "Lost"], "Next": "Refuse" }, { "ErrorEquals": ["States.ALL"], "Next": "Refuse" }]
    },
    "Both": {
      "Type": "Parallel",
      "Branches": [
        { "StartAt": "Left", "States": { "Left": { "Type": "Pass", "End": true } } },
        { "StartAt": "Right", "States": { "Right": { "Type": "Fail" } } }
      ],
      "End": true
    },
    "Refuse": { "Type": "Fail", "Error": "Refused" }
  }
}"#;

#[test]
fn a_task_that_waits_for_a_token_is_marked() {
    let task = r#"{ "StartAt": "A", "States": { "A": { "Type": "Task", "End": true, "TimeoutSeconds": 259200,
        "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Parameters": { "MessageBody": { "t.$": "$$.Task.Token" } } } } }"#;
    let workflow = workflow(task);
    let (dot, svg) = (dot(&workflow), drawn(&workflow));
    assert!(dot.contains("waits for an answer, at most 3 d\", peripheries=2"), "{dot}");
    assert!(svg.contains("invokes a task and waits for an answer"), "{svg}");
}

#[test]
fn dot_dashes_errors_and_boxes_regions() {
    let drawn = dot(&workflow(SHOP));
    for part in [
        "digraph \"flow\" {",
        "n1 [label=\"Charge\\nTask · ChargeCard · retries: 2× on Flaky and Slow\"",
        "[label=\"Declined, Lost\\nStates.ALL\", style=dashed, color=\"#dc2626\", fontcolor=\"#dc2626\"]",
        "label=\"branch 1\"; style=\"dashed,rounded\"",
        "ltail=cluster",
        "lhead=cluster",
    ] {
        assert!(drawn.contains(part), "{part}\n{drawn}");
    }
}

#[test]
fn svg_dashes_errors_and_boxes_regions() {
    let drawn = drawn(&workflow(SHOP));
    for part in [">Declined, Lost</text>", ">branch 1</text>", ">branch 2</text>", "<path class=\"x\""] {
        assert!(drawn.contains(part), "{part}\n{drawn}");
    }
}

#[test]
fn names_are_data() {
    let name = r#"\"]; --> [*] <script> & %%{x}%% \\ \u202e _i_ $$x$$ "#;
    let definition =
        format!(r#"{{ "StartAt": "{name}", "States": {{ "{name}": {{ "Type": "Pass", "End": true }} }} }}"#);
    let workflow = workflow(&definition);
    let (dot, svg) = (dot(&workflow), drawn(&workflow));
    assert!(dot.contains(r#"[label="\"]; --> [*] <script> &amp; %%{x}%% \\   _i_ $$x$$ \nPass""#), "{dot}");
    assert!(svg.contains("&quot;]; --&gt; [*] &lt;script&gt;") && !svg.contains("<script"), "{svg}");
    assert!(!dot.contains('\u{202e}') && !svg.contains('\u{202e}'));
}

#[test]
fn the_same_workflow_gives_the_same_pictures() {
    let (first, second) = (workflow(SHOP), workflow(SHOP));
    assert_eq!(dot(&first), dot(&second));
    assert_eq!(drawn(&first), drawn(&second));
}

/// Returns a graph of plain states from `from → to (error)` pairs. A `to` of `states` is the end.
fn plain(states: usize, edges: impl IntoIterator<Item = (usize, usize, bool)>) -> Graph {
    let node = |at: usize| GraphNode {
        name: format!("State {at}"),
        kind: "Task",
        details: Vec::new(),
        shape: Shape::Task,
        regions: Vec::new(),
    };
    let edge = |(from, to, error): (usize, usize, bool)| Edge {
        from,
        to: if to == states { Target::End } else { Target::State(to) },
        error,
        labels: if error { vec!["States.ALL".to_owned()] } else { Vec::new() },
    };
    let region = Region {
        label: String::new(),
        start: Some(0),
        starts_on: String::new(),
        nodes: (0..states).map(node).collect(),
        edges: edges.into_iter().map(edge).collect(),
    };
    Graph { name: "plain".to_owned(), region }
}

#[test]
fn a_long_chain_with_one_handler_is_drawn() {
    let chain = (0..300).map(|at| (at, at + 1, false)).chain((0..300).map(|at| (at, 301, true)));
    let drawn = svg::print(&plain(302, chain), Legend::Hidden).expect("it is not too large");
    // The start and the chain. The error paths share one line.
    assert_eq!(drawn.matches("marker-end").count(), 1 + 300 + 1);
}

#[test]
fn graphs_too_large_for_a_picture_are_refused() {
    // Every state leads to every later state.
    let edges = (0..400).flat_map(|from| (from + 1..400).map(move |to| (from, to, false)));
    assert_eq!(svg::print(&plain(400, edges), Legend::Shown), Err(TooLarge));
    let wide = (1..30_000).map(|to| (0, to, true));
    assert_eq!(svg::print(&plain(30_000, wide), Legend::Shown), Err(TooLarge));
    assert_eq!(svg::print(&plain(0, []), Legend::Shown).map(|svg| svg.contains("<rect")), Ok(true));
}
