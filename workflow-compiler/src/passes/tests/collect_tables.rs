//! Tests of the pass that collects the tables of a module.

use super::*;
use crate::passes::collect_tables;

#[test]
fn tables_say_what_the_author_wrote() {
    let workflow = asl(r#"
        Comment: " Sells. "
        TimeoutSeconds: 60
        StartAt: Ask
        States:
          Ask: { Type: Task, Resource: ask, TimeoutSeconds: 7, Next: Which }
          Which: { Type: Choice, Choices: [{ Variable: $.a, IsNull: true, Next: End }, { Variable: $.b, IsNull: true, Next: Ask }], Default: End }
          End: { Type: Succeed }
        "#);
    let tables = collect_tables(&workflow);
    let states: Vec<_> = tables.states.iter().map(|state| (state.name, state.kind, state.targets.as_slice())).collect();
    let none: &[&str] = &[];
    assert_eq!(
        states,
        [("Ask", "Task", &["Which"][..]), ("Which", "Choice", &["End", "Ask"]), ("End", "Succeed", none)]
    );
    assert_eq!((tables.name, tables.comment, tables.timeout), ("flow", "Sells.", Some(60)));
    assert_eq!((tables.longest_task, tables.null_on_timeout), (Some(7.0), false));
    assert!(tables.graph.starts_with("stateDiagram-v2") && tables.starts_on.is_none());
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn start_events_that_a_later_state_awaits_are_known() {
    let workflow = workflow(
        "sw",
        r#"
        id: shop
        name: shop
        events:
          - { name: Ordered, type: ordered, source: shop }
          - { name: Paid, type: paid, source: shop }
        functions: [{ name: sell, resource: sell }]
        states:
          - name: Order
            type: event
            start: { kind: default }
            eventsActions:
              - { eventRefs: [Ordered], actions: [{ functionRef: { refName: sell } }] }
              - { eventRefs: [Paid], actions: [{ functionRef: { refName: sell } }] }
            transition: { nextState: Pay }
          - name: Pay
            type: callback
            action: { functionRef: { refName: sell } }
            eventRef: Paid
            end: { kind: default }
        "#,
    );
    let tables = collect_tables(&workflow);
    let start = tables.starts_on.expect("events start it");
    let name = |event: &crate::model::EventId| tables.events[*event].name.as_str();
    assert_eq!(start.state, "Order");
    assert_eq!(start.condition.events.iter().map(name).collect::<Vec<_>>(), ["Ordered", "Paid"]);
    assert_eq!(start.later.iter().map(name).collect::<Vec<_>>(), ["Paid"]);
}
