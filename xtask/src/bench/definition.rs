//! Definitions of any size for measurements of builds. They repeat ten states in the proportions
//! of real definitions.

use serde_json::{Map, Value, json};

/// Returns a definition of `states` states, a multiple of ten, without those in branches. Of every
/// ten, three are Pass, two are Choice with three rules, three are Task with a retrier and a
/// catcher, one is a Wait, and one is a Parallel of two branches with two states each.
pub fn definition(states: usize) -> String {
    let groups = states / 10;
    let mut all = Map::new();
    for group in 0..groups {
        let next = match group + 1 == groups {
            true => "Done".to_owned(),
            false => format!("Init{}", group + 1),
        };
        add_group(&mut all, group, &next);
    }
    all.insert("Done".to_owned(), json!({ "Type": "Succeed" }));
    format!("{:#}\n", json!({ "StartAt": "Init0", "States": all }))
}

/// Returns a definition that reads `members` members of each of as many members of a task's
/// output, in one state for each.
pub fn paths(members: usize) -> String {
    let mut all = Map::new();
    let next = |at: usize| if at == members { "Done".to_owned() } else { format!("Read{at}") };
    all.insert(
        "Charge".to_owned(),
        json!({ "Type": "Task", "Resource": "Charge", "ResultPath": "$.receipt", "Next": next(0) }),
    );
    for at in 0..members {
        let read = |of: usize| (format!("value{of}.$"), json!(format!("$.receipt.member_{at}.member_{of}")));
        let parameters: Map<String, Value> = (0..members).map(read).collect();
        let state = json!({ "Type": "Pass", "Parameters": parameters, "ResultPath": "$.read", "Next": next(at + 1) });
        all.insert(next(at), state);
    }
    all.insert("Done".to_owned(), json!({ "Type": "Succeed" }));
    format!("{:#}\n", json!({ "StartAt": "Charge", "States": all }))
}

/// Returns a state machine of SM4C with `count` jq expressions, a multiple of five. Each state has
/// an input filter, an action that makes data, a handler of its result, and two conditions.
pub fn expressions(count: usize) -> String {
    let states = count / 5;
    let mut all = Vec::new();
    for at in 0..states {
        let next = if at + 1 == states { "done".to_owned() } else { format!("s{}", at + 1) };
        let of = |list: &[&str]| format!("${{ {} }}", list[at % list.len()].replace('#', &at.to_string()));
        let condition = of(CONDITIONS);
        let negation = format!("${{ {} | not }}", &condition[3..condition.len() - 2]);
        all.push(json!({
            "name": format!("s{at}"),
            "start": at == 0,
            "inputFilter": of(INPUTS),
            "enterAction": { "type": "injectData", "expression": of(DATA) },
            "enterResultHandler": of(HANDLERS),
            "transitions": [{ "condition": condition, "nextState": next }, { "condition": negation, "nextState": "done" }],
        }));
    }
    all.push(json!({ "name": "done" }));
    format!("{:#}\n", json!({ "name": "filters", "version": "1.0", "states": all }))
}

const INPUTS: &[&str] = &[
    "{basket: .order, sum: .total#}",
    "{items: [.orders[] | select(.total > #)], n: .n}",
    ". + {step: #}",
    "del(.secret#)",
];
const DATA: &[&str] = &[
    "{id: .order.id, total: (.total# // 0)}",
    "[.orders[]? | {id, total: (.total * 1.19)}]",
    "reduce .orders[]? as $o (#; . + $o.total)",
    ".items | map(.name | ascii_downcase) | sort | unique",
    "\"order \\(.order.id) of \\(.customer.name // \"nobody\")\"",
];
const HANDLERS: &[&str] =
    &[".result# = $value", ".log += [$value]", ".a.b# += 1 | .last = $value", ". * {step#: $value}"];
const CONDITIONS: &[&str] = &[
    ".total# > 100",
    "any(.orders[]?; .total > #)",
    ".order.status == \"open\" and (.order.items | length) > #",
    "(.customer.tags // []) | index(\"vip\") != null",
    ".mode | test(\"^a#\")",
];

fn add_group(all: &mut Map<String, Value>, group: usize, next: &str) {
    let name = |state: &str| format!("{state}{group}");
    let mut add = |state: &str, value: Value| all.insert(name(state), value);
    add(
        "Init",
        json!({ "Type": "Pass", "Result": { "step": group }, "ResultPath": format!("$.init{group}"), "Next": name("Normalize") }),
    );
    add(
        "Normalize",
        json!({ "Type": "Pass", "InputPath": "$.order.total", "ResultPath": "$.total", "Next": name("Route") }),
    );
    let present = |path: &str| json!({ "Variable": path, "IsPresent": true });
    add(
        "Route",
        json!({
            "Type": "Choice",
            "Choices": [
                { "Variable": "$.order.total", "NumericGreaterThan": 100_000, "Next": name("Notify") },
                { "And": [{ "Variable": "$.mode", "StringEquals": "vip" }, present("$.customer.id")], "Next": name("Charge") },
                { "And": [present("$.order.items"), { "Not": present("$.skip") }], "Next": name("Tag") },
            ],
            "Default": name("Tag"),
        }),
    );
    add(
        "Tag",
        json!({ "Type": "Pass", "Result": format!("tag-{group}"), "ResultPath": "$.tag", "Next": name("Gate") }),
    );
    add(
        "Gate",
        json!({
            "Type": "Choice",
            "Choices": [
                { "Variable": "$.mode", "StringEquals": "pure", "Next": next },
                { "Variable": "$.mode", "StringEquals": "wait", "Next": name("Cool") },
                { "Variable": "$.total", "NumericGreaterThan": 0, "Next": name("Reserve") },
            ],
            "Default": name("Cool"),
        }),
    );
    for (state, result, then) in
        [("Reserve", "$.reserve", "Charge"), ("Charge", "$.charge", "Ship"), ("Ship", "$.ship", "Cool")]
    {
        add(state, task(&name(state), result, &name("Notify"), &name(then)));
    }
    add("Cool", json!({ "Type": "Wait", "Seconds": 30, "Next": name("Notify") }));
    let branches = ["A", "B"].map(|branch| branch_of(branch, group));
    add("Notify", json!({ "Type": "Parallel", "Branches": branches, "ResultPath": "$.notified", "Next": next }));
}

fn resource(name: &str) -> String {
    format!("arn:aws:lambda:eu-central-1:123456789012:function:{name}")
}

fn task(name: &str, result: &str, handler: &str, next: &str) -> Value {
    json!({
        "Type": "Task",
        "Resource": resource(name),
        "Parameters": { "id.$": "$.order.id", "total.$": "$.total" },
        "ResultPath": result,
        "Retry": [{
            "ErrorEquals": ["Flaky", "States.Timeout"], "IntervalSeconds": 1, "MaxAttempts": 3, "BackoffRate": 2.0,
        }],
        "Catch": [{ "ErrorEquals": ["Declined"], "ResultPath": "$.error", "Next": handler }],
        "Next": next,
    })
}

fn branch_of(branch: &str, group: usize) -> Value {
    let (prepare, send) = (format!("Prep{branch}{group}"), format!("Send{branch}{group}"));
    let mut states = Map::new();
    let channel = json!({ "Type": "Pass", "Result": branch, "ResultPath": "$.channel", "Next": send.as_str() });
    states.insert(prepare.clone(), channel);
    states.insert(send.clone(), json!({ "Type": "Task", "Resource": resource(&send), "End": true }));
    json!({ "StartAt": prepare, "States": states })
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_compiler::source::Source;
    use workflow_compiler::{Options, compile};

    #[test]
    fn it_has_the_size_that_was_asked_for_and_no_findings() {
        let output = compile(Source::new("n.asl.json", definition(100)), &Options::default());
        assert!(output.diagnostics.is_empty(), "{:?}", output.diagnostics);
        let workflow = output.workflow.expect("a workflow");
        let top = workflow.states().filter(|(scope, _)| scope.0 == 0).count();
        assert_eq!((top, workflow.states().count()), (101, 141));
    }

    #[test]
    fn it_has_as_many_expressions_as_were_asked_for() {
        let text = expressions(100);
        let output = compile(Source::new("n.sm4c.json", text.as_str()), &Options::default());
        // Its states read members that only the input has, by names unlike those that there are.
        assert!(output.diagnostics.iter().all(|found| found.code.id.starts_with("WF195")), "{:?}", output.diagnostics);
        assert_eq!(text.matches("${ ").count(), 100);
    }
}
