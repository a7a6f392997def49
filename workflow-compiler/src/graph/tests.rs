//! Tests of diagrams, on definitions of the Amazon States Language.

use super::*;
use crate::hir::Workflow;
use crate::source::Source;
use crate::{Options, check_only};

fn workflow(definition: &str) -> Workflow {
    let output = check_only(Source::new("flow.asl.json", definition), &Options::default());
    output.workflow.unwrap_or_else(|| panic!("{:#?}", output.diagnostics))
}

/// Returns a workflow of one state.
pub fn plain_workflow() -> Workflow {
    workflow(r#"{ "StartAt": "A", "States": { "A": { "Type": "Succeed" } } }"#)
}

const SHOP: &str = r#"{
  "StartAt": "Charge",
  "States": {
    "Charge": {
      "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard", "Next": "Big?",
      "Retry": [{ "ErrorEquals": ["Flaky", "Slow"], "MaxAttempts": 2 }, { "ErrorEquals": ["Never"], "MaxAttempts": 0 }],
      "Catch": [{ "ErrorEquals": ["Declined", "Lost"], "Next": "Refuse" }, { "ErrorEquals": ["States.ALL"], "Next": "Refuse" }]
    },
    "Big?": {
      "Type": "Choice",
      "Choices": [
        { "And": [{ "Variable": "$.a", "NumericGreaterThan": 5 }, { "Not": { "Variable": "$.b", "IsPresent": true } }], "Next": "Both" },
        { "Variable": "$.c[0]", "StringMatches": "x*", "Next": "Both" },
        { "Variable": "$['d e']", "StringEqualsPath": "$.f", "Next": "Nap" }
      ],
      "Default": "Each"
    },
    "Nap": { "Type": "Wait", "Seconds": 30, "Next": "Charge" },
    "Both": {
      "Type": "Parallel",
      "Branches": [
        { "StartAt": "Left", "States": { "Left": { "Type": "Pass", "End": true } } },
        { "StartAt": "Right", "States": { "Right": { "Type": "Fail" } } }
      ],
      "Next": "Each"
    },
    "Each": {
      "Type": "Map", "ItemsPath": "$.items", "MaxConcurrency": 4,
      "ItemProcessor": { "StartAt": "Send", "States": { "Send": { "Type": "Task", "Resource": "arn:aws:states:us-east-1:123456789012:activity:Send", "TimeoutSeconds": 5, "End": true } } },
      "End": true
    },
    "Refuse": { "Type": "Fail", "Error": "Refused" }
  }
}"#;

#[test]
fn the_graph_shows_states_and_transitions() {
    let graph = graph(&workflow(SHOP));
    let shapes: Vec<(&str, Shape, &[String])> =
        graph.region.nodes.iter().map(|node| (node.name.as_str(), node.shape, node.details.as_slice())).collect();
    let none: &[String] = &[];
    assert_eq!(
        shapes,
        [
            ("Charge", Shape::Task, &["ChargeCard".to_owned(), "retries: 2× on Flaky and Slow".to_owned()][..]),
            ("Big?", Shape::Choice, none),
            ("Nap", Shape::Wait, &["30 s".to_owned()][..]),
            ("Both", Shape::Group, none),
            ("Each", Shape::Group, none),
            ("Refuse", Shape::Fail, none),
        ]
    );
    let edges: Vec<(usize, Target, bool, String)> = graph
        .region
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to, edge.error, edge.alternatives().join(" | ")))
        .collect();
    let edge = |from, to, error, labels: &str| (from, to, error, labels.to_owned());
    assert_eq!(
        edges,
        [
            edge(0, Target::State(1), false, ""),
            edge(0, Target::State(5), true, "Declined, Lost | States.ALL"),
            edge(1, Target::State(3), false, "$.a > 5 and $.b is not present | or $.c[0] matches \"x*\""),
            edge(1, Target::State(2), false, "$['d e'] = $.f"),
            edge(1, Target::State(4), false, "otherwise"),
            edge(2, Target::State(0), false, ""),
            edge(3, Target::State(4), false, ""),
            edge(4, Target::End, false, ""),
        ]
    );
    let regions =
        |at: usize| graph.region.nodes[at].regions.iter().map(|region| region.label.as_str()).collect::<Vec<_>>();
    assert_eq!(regions(3), ["branch 1", "branch 2"]);
    assert_eq!(regions(4), ["for each item, 4 at a time"]);
}

/// Returns the details of the states of a definition, and the labels of its transitions.
fn texts(states: &str) -> (Vec<String>, Vec<String>) {
    let region = graph(&workflow(&format!(r#"{{ "StartAt": "A", "States": {{ {states} }} }}"#))).region;
    let details = region.nodes.into_iter().flat_map(|node| node.details);
    let labels = region.edges.iter().flat_map(Edge::alternatives);
    (details.collect(), labels.collect())
}

#[test]
fn a_task_that_waits_for_a_token_is_marked() {
    let task = r#"{ "StartAt": "A", "States": { "A": { "Type": "Task", "End": true, "TimeoutSeconds": 259200, "HeartbeatSeconds": 3600,
        "Resource": "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Parameters": { "MessageBody": { "t.$": "$$.Task.Token" } } } } }"#;
    let workflow = workflow(task);
    let node = &graph(&workflow).region.nodes[0];
    let detail = "waits for an answer, at most 3 d, a heartbeat every 1 h";
    assert_eq!((node.shape, &*node.details), (Shape::Answer, &["sqs:sendMessage".to_owned(), detail.to_owned()][..]));
    assert!(mermaid(&workflow).contains(&format!("s0 : {detail}\n")), "{}", mermaid(&workflow));
}

#[test]
fn waits_iterations_and_retriers_are_sentences() {
    let (details, _) = texts(r#""A": { "Type": "Wait", "SecondsPath": "$.w", "End": true }"#);
    assert_eq!(details, ["$.w seconds"]);
    let body = r#""ItemProcessor": { "StartAt": "B", "States": { "B": { "Type": "Pass", "End": true } } }"#;
    for (limit, label) in [(0, "for each item"), (3, "for each item, 3 at a time")] {
        let map = format!(
            r#"{{ "StartAt": "A", "States": {{ "A": {{ "Type": "Map", "MaxConcurrency": {limit}, {body}, "End": true }} }} }}"#
        );
        assert_eq!(graph(&workflow(&map)).region.nodes[0].regions[0].label, label);
    }
    let (details, _) = texts(
        r#""A": { "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:Do", "End": true, "Retry": [
            { "ErrorEquals": ["One", "Two", "Three"], "MaxAttempts": 6 }, { "ErrorEquals": ["States.ALL"], "MaxAttempts": 5 } ] }"#,
    );
    assert_eq!(details, ["Do", "retries: 6× on One and 2 others", "5× on any other error"]);
}

#[test]
fn filters_are_shown_as_written_and_conditions_without_effect_are_not() {
    let choice = |path: &str, next: &str| {
        format!(
            r#""A": {{ "Type": "Choice", "Choices": [{{ "Variable": "{path}", "IsPresent": true, "Next": "B" }}], "Default": "{next}" }},
            "B": {{ "Type": "Succeed" }}, "C": {{ "Type": "Succeed" }}"#
        )
    };
    let (_, labels) = texts(&choice("$.stock[?(@.available == false)]", "C"));
    assert_eq!(labels, ["$.stock[?@.available == false] is present", "otherwise"]);
    let (_, labels) = texts(&choice("$.a", "B").replace(r#", "C": { "Type": "Succeed" }"#, ""));
    assert_eq!(labels, [""; 0]);
}

#[test]
fn mermaid_nests_regions_and_names_errors() {
    let expected = r##"stateDiagram-v2
    state "Charge" as s0
    state "Big?" as s1
    state "Nap" as s2
    state "Both" as s3 {
        state "branch 1" as s4 {
            state "Left" as s5
            [*] --> s5
            s5 --> [*]
        }
        state "branch 2" as s6 {
            state "Right" as s7
            [*] --> s7
        }
    }
    state "Each" as s8 {
        state "for each item, 4 at a time" as s9 {
            state "Send" as s10
            [*] --> s10
            s10 --> [*]
        }
    }
    state "Refuse" as s11
    [*] --> s0
    s0 --> s1
    s0 --> s11 : catch Declined, Lost<br/>States.ALL
    s1 --> s3 : $.a #62; 5 and $.b is not present<br/>or $.c[0] matches #34;x#42;#34;
    s1 --> s2 : $['d e'] = $.f
    s1 --> s8 : otherwise
    s2 --> s0
    s3 --> s8
    s8 --> [*]
    classDef task fill:#dbeafe,stroke:#3b82f6,color:#111827
    class s0,s10 task
    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2
    class s1 choice
    classDef wait fill:#f3e8ff,stroke:#9333ea,color:#111827,stroke-dasharray:8 3
    class s2 wait
    classDef fail fill:#fee2e2,stroke:#dc2626,color:#111827,stroke-width:3px,stroke-dasharray:4 2
    class s7,s11 fail
"##;
    assert_eq!(mermaid(&workflow(SHOP)), expected);
}

#[test]
fn names_are_data() {
    let name = r#"\"]; --> [*] <script> & %%{x}%% \\ \u202e _i_ $$x$$ "#;
    let definition = format!(
        r#"{{ "StartAt": "if", "States": {{
            "if": {{ "Type": "Choice", "Choices": [{{ "Variable": "$.x", "StringEquals": "{name}", "Next": "{name}" }}], "Default": "b\nc" }},
            "{name}": {{ "Type": "Pass", "End": true }},
            "b\nc": {{ "Type": "Pass", "End": true }} }} }}"#
    );
    let workflow = workflow(&definition);
    let mermaid = mermaid(&workflow);
    assert!(mermaid.contains(r##"state "#34;]#59; -#45;#62; [#42;] #60;script#62; #38; %#37;{x}%#37; #92;   #95;i#95; $#36;x$#36; " as s1"##), "{mermaid}");
    assert!(mermaid.contains("state \"b c\" as s2"), "{mermaid}");
    assert!(!mermaid.contains('\u{202e}'));
}

#[test]
fn the_same_workflow_gives_the_same_diagram() {
    assert_eq!(mermaid(&workflow(SHOP)), mermaid(&workflow(SHOP)));
}
