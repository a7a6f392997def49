//! Tests of graphs of Serverless Workflow: kinds, events, errors, and nested boxes.

use super::*;
use crate::hir::Workflow;
use crate::source::Source;
use crate::{Options, check_only};

fn workflow(states: &str) -> Workflow {
    let events = ["Paid", "Cancelled", "Shipped"].map(|name| {
        format!(r#"{{ "name": "{name}", "type": "shop.{name}", "source": "shop", "correlationToken": "order" }}"#)
    });
    let functions = ["reserve", "charge", "refund", "audit"]
        .map(|name| format!(r#"{{ "name": "{name}", "type": "function", "resource": "{name}Resource" }}"#));
    let definition = format!(
        r#"{{ "id": "shop", "version": "1", "name": "Shop", "events": [{}], "functions": [{}], "states": [{states}] }}"#,
        events.join(","),
        functions.join(",")
    );
    let output = check_only(Source::new("shop.sw.json", &*definition), &Options::default());
    output.workflow.unwrap_or_else(|| panic!("{:#?}", output.diagnostics))
}

fn edges(region: &Region) -> Vec<String> {
    let edge = |edge: &Edge| {
        let to = match edge.to {
            Target::State(to) => region.nodes[to].name.as_str(),
            Target::End => "end",
            Target::Termination => "termination",
            Target::Failure => "failure",
        };
        let line = if edge.error { "- -" } else { "---" };
        format!("{} {line} {to}: {}", region.nodes[edge.from].name, edge.alternatives().join(" | "))
    };
    region.edges.iter().map(edge).collect()
}

/// A loan: asks a bureau and awaits its answer, decides, and continues in another workflow or
/// writes a refusal.
const LOAN: &str = r#"
  { "name": "Ask bureau", "type": "callback", "start": { "kind": "default" }, "timeout": "PT15M", "eventRef": "Paid",
    "action": { "functionRef": { "refName": "audit" } }, "transition": { "nextState": "Decide" } },
  { "name": "Decide", "type": "switch", "dataConditions": [
      { "path": "$.applicant.age", "operator": "greaterthanorequals", "value": "18", "transition": { "nextState": "Open" } },
      { "path": "$.bureau.says", "operator": "equals", "value": "No", "transition": { "nextState": "Refuse" } } ],
    "default": { "nextState": "Refuse" } },
  { "name": "Open", "type": "subflow", "workflowId": "opening", "end": { "kind": "default" } },
  { "name": "Refuse", "type": "operation", "actionMode": "sequential",
    "actions": [{ "functionRef": { "refName": "refund" } }], "end": { "kind": "default" } }"#;

/// A ward: each of three signs has an action of its own.
const WARD: &str = r#"
  { "name": "Watch", "type": "event", "start": { "kind": "default" }, "exclusive": true, "eventsActions": [
      { "eventRefs": ["Paid"], "actions": [{ "functionRef": { "refName": "charge" } }] },
      { "eventRefs": ["Cancelled"], "actions": [{ "functionRef": { "refName": "refund" } }] },
      { "eventRefs": ["Shipped"], "actions": [{ "functionRef": { "refName": "audit" } }] } ],
    "end": { "kind": "terminate" } }"#;

/// Branches: one terminates the execution, one has an iteration.
const NESTED: &str = r#"
  { "name": "Both", "type": "parallel", "start": { "kind": "default" }, "completionType": "and", "branches": [
      { "name": "Money", "states": [
          { "name": "Enough", "type": "switch", "start": { "kind": "default" }, "dataConditions": [
              { "path": "$.total", "operator": "lessthan", "value": "5", "transition": { "nextState": "Stop" } } ],
            "default": { "nextState": "Rest" } },
          { "name": "Rest", "type": "delay", "timeDelay": "PT5S", "end": { "kind": "default" } },
          { "name": "Stop", "type": "inject", "data": { "a": 1 }, "end": { "kind": "terminate" } } ] },
      { "name": "Goods", "states": [
          { "name": "Each", "type": "foreach", "start": { "kind": "default" }, "inputCollection": "$.items", "inputParameter": "$.item",
            "states": [{ "name": "Pack", "type": "operation", "start": { "kind": "default" }, "actionMode": "sequential",
                "actions": [{ "functionRef": { "refName": "reserve" } }], "end": { "kind": "default" } }],
            "end": { "kind": "default" } } ] } ],
    "onError": [{ "expression": { "language": "spel", "body": "name eq 'Broken'" }, "transition": { "nextState": "Refund" } }],
    "transition": { "nextState": "Done" } },
  { "name": "Refund", "type": "operation", "actionMode": "sequential",
    "actions": [{ "functionRef": { "refName": "refund" } }], "transition": { "nextState": "Done" } },
  { "name": "Done", "type": "inject", "data": { "done": true }, "end": { "kind": "event", "produceEvent": { "eventRef": "Shipped" } } }"#;

/// Ten states, of which several lead back.
const LOOPS: &str = r#"
  { "name": "Order", "type": "inject", "start": { "kind": "default" }, "data": { "tries": 0 }, "transition": { "nextState": "Check" } },
  { "name": "Check", "type": "switch", "dataConditions": [
      { "path": "$.total", "operator": "exists", "value": "", "transition": { "nextState": "Charge" } },
      { "path": "$.friend", "operator": "equals", "value": "yes", "transition": { "nextState": "Pack" } } ],
    "default": { "nextState": "Refuse" } },
  { "name": "Charge", "type": "operation", "actionMode": "sequential", "actions": [{ "functionRef": { "refName": "charge" } }],
    "retry": [{ "expression": { "language": "spel", "body": "name eq 'Flaky'" }, "interval": "PT2S", "maxAttempts": 3 }],
    "onError": [
      { "expression": { "language": "spel", "body": "name eq 'Declined'" }, "transition": { "nextState": "Refuse" } },
      { "expression": { "language": "spel", "body": "name ne null" }, "transition": { "nextState": "Nap" } } ],
    "transition": { "nextState": "Await" } },
  { "name": "Nap", "type": "delay", "timeDelay": "PT30S", "transition": { "nextState": "Charge" } },
  { "name": "Await", "type": "switch", "eventTimeout": "PT2H", "eventConditions": [
      { "eventRef": "Shipped", "transition": { "nextState": "Pack" } },
      { "eventRef": "Cancelled", "transition": { "nextState": "Refund" } } ], "default": { "nextState": "Remind" } },
  { "name": "Remind", "type": "operation", "actionMode": "sequential",
    "actions": [{ "functionRef": { "refName": "audit" } }], "transition": { "nextState": "Await" } },
  { "name": "Pack", "type": "operation", "actionMode": "sequential", "actions": [{ "functionRef": { "refName": "reserve" } }],
    "transition": { "nextState": "Last", "expression": { "language": "spel", "body": "total gt 5 and count lt 3" },
      "produceEvent": { "eventRef": "Shipped" } } },
  { "name": "Refund", "type": "operation", "actionMode": "sequential",
    "actions": [{ "functionRef": { "refName": "refund" } }], "transition": { "nextState": "Check" } },
  { "name": "Refuse", "type": "inject", "data": { "refused": true }, "end": { "kind": "terminate" } },
  { "name": "Last", "type": "event", "exclusive": false, "timeout": "PT1H", "eventsActions": [
      { "eventRefs": ["Shipped", "Paid"], "actions": [{ "functionRef": { "refName": "audit" } }] } ], "end": { "kind": "default" } }"#;

#[test]
fn states_show_their_kinds_and_what_they_wait_for() {
    let region = graph(&workflow(LOAN)).region;
    let shapes: Vec<Shape> = region.nodes.iter().map(|node| node.shape).collect();
    assert_eq!(shapes, [Shape::Event, Shape::Choice, Shape::Call, Shape::Task]);
    assert_eq!(region.nodes[0].details, ["audit", "waits for Paid (at most 15 min)"]);
    assert_eq!(
        edges(&region),
        [
            "Ask bureau --- Decide: ",
            "Decide --- Open: $.applicant.age ≥ 18",
            "Decide --- Refuse: $.bureau.says = \"No\" | or otherwise",
            "Open --- end: ",
            "Refuse --- end: ",
        ]
    );
    let region = graph(&workflow(WARD)).region;
    assert_eq!(region.starts_on, "on event Paid or Cancelled or Shipped");
    assert_eq!(edges(&region), ["Watch --- termination: "]);
    let all = WARD.replace("\"exclusive\": true", "\"exclusive\": false");
    assert_eq!(graph(&workflow(&all)).region.starts_on, "on event Paid and Cancelled and Shipped");
}

#[test]
fn branches_and_iterations_are_boxes_with_their_names() {
    let workflow = workflow(NESTED);
    let region = graph(&workflow).region;
    let both = &region.nodes[0];
    let names: Vec<&str> = both.regions.iter().map(|region| region.label.as_str()).collect();
    assert_eq!((both.shape, names), (Shape::Group, vec!["branch Money", "branch Goods"]));
    assert_eq!(
        edges(&both.regions[0]),
        ["Enough --- Stop: $.total < 5", "Enough --- Rest: otherwise", "Rest --- end: ", "Stop --- termination: ",]
    );
    assert_eq!(both.regions[1].nodes[0].regions[0].label, "for each item");
    assert_eq!(
        edges(&region),
        [
            "Both --- Done: ",
            "Both - - Refund: $.error.name = \"Broken\"",
            "Refund --- Done: ",
            "Done --- end: sends shop.Shipped",
        ]
    );
    let mermaid = mermaid(&workflow);
    for label in ["branch Money", "branch Goods", "for each item"] {
        assert!(mermaid.contains(&format!("state \"{label}\" as ")), "{mermaid}");
    }
    assert!(mermaid.contains("--> [*] : (ends the execution)"), "{mermaid}");
}

#[test]
fn events_conditions_errors_and_time_outs_label_transitions() {
    let region = graph(&workflow(LOOPS)).region;
    assert_eq!(
        edges(&region),
        [
            "Order --- Check: ",
            "Check --- Charge: $.total is present",
            "Check --- Pack: $.friend = \"yes\"",
            "Check --- Refuse: otherwise",
            "Charge --- Await: ",
            "Charge - - Refuse: $.error.name = \"Declined\"",
            "Charge - - Nap: $.error.name is given",
            "Nap --- Charge: ",
            "Await --- Remind: time-out",
            "Await --- Pack: event Shipped",
            "Await --- Refund: event Cancelled",
            "Remind --- Await: ",
            "Pack --- Last: $.total > 5 and $.count < 3, sends Shipped",
            "Refund --- Check: ",
            "Refuse --- termination: ",
            "Last --- end: ",
        ]
    );
    assert_eq!(region.nodes[2].details, ["charge", "retries: 3×"]);
    assert_eq!(region.nodes[4].details, ["waits for Shipped or Cancelled (at most 2 h)"]);
    assert_eq!(region.nodes[9].details, ["audit", "waits for all of: Shipped, Paid (at most 1 h)"]);
}
