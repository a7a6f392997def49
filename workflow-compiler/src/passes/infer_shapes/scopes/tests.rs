//! Tests of what the analysis costs, in its own units.

use super::*;
use crate::diagnostics::MAX_ERRORS;
use crate::{Options, Source, check_only};

fn workflow(states: &str) -> Workflow {
    let text = format!(r#"{{ "StartAt": "A", "States": {{ {states} }} }}"#);
    let options = Options { allow: vec!["WF1901".to_owned()], ..Options::default() };
    let output = check_only(Source::new("flow.asl.json", text), &options);
    output.workflow.unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics.first()))
}

/// Returns what the analysis of a workflow costs.
fn cost(workflow: &Workflow) -> usize {
    let mut analysis = Analysis::new(workflow, ProgramTypes::default());
    assert!(analysis.run().is_some(), "the workflow is small");
    analysis.work
}

/// Returns a machine with a rule of this depth.
fn nested_rule(depth: usize) -> String {
    let mut rule = r#"{ "Variable": "$.id", "NumericEquals": 7 }"#.to_owned();
    for level in 0..depth {
        let operator = if level % 2 == 0 { "And" } else { "Or" };
        rule = format!(r#"{{ "{operator}": [{rule}, {{ "Variable": "$.id", "NumericLessThan": 9 }}] }}"#);
    }
    let rule = rule.replacen('{', r#"{ "Next": "C", "#, 1);
    format!(
        r#""A": {{ "Type": "Pass", "Result": {{ "id": 7 }}, "Next": "B" }},
           "B": {{ "Type": "Choice", "Choices": [{rule}], "Default": "C" }}, "C": {{ "Type": "Succeed" }}"#
    )
}

#[test]
fn a_condition_costs_what_its_terms_cost() {
    let [half, whole] = [29, 58].map(|depth| cost(&workflow(&nested_rule(depth))));
    assert!(whole < 3 * half, "{half} for 29 levels, {whole} for 58");
    assert!(whole < 10_000, "{whole}");
}

#[test]
fn literals_cost_their_size() {
    let pass =
        |items: usize| format!(r#""A": {{ "Type": "Pass", "Result": [{}1], "End": true }}"#, "1, ".repeat(items));
    let [small, large] = [10, 5_000].map(|items| cost(&workflow(&pass(items))));
    assert!(large - small >= 4_990, "{small} for 10 items, {large} for 5,000");
}

#[cfg(all(feature = "serverless-workflow", feature = "json-schema"))]
#[test]
fn schemas_cost_the_size_of_their_shapes() {
    let flow = r#"{ "id": "flow", "states": [{ "name": "A", "type": "inject", "start": { "kind": "default" },
        "data": {}, "dataInputSchema": "s.json", "end": { "kind": "default" } }] }"#;
    let with = |members: usize| {
        let member = |at| format!(r#""m{at}": {{ "type": "string" }}"#);
        let members: Vec<String> = (0..members).map(member).collect();
        let schema = format!(r#"{{ "type": "object", "properties": {{ {} }} }}"#, members.join(", "));
        let files = crate::Files::new(move |_| Ok(schema.clone().into_bytes()));
        let source = Source::new("flow.serverless-workflow.json", flow).with_files(files);
        let output = check_only(source, &Options::default());
        output.workflow.unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics.first()))
    };
    let [small, large] = [2, 200].map(|members| cost(&with(members)));
    assert!(large - small >= 198, "{small} for 2 members, {large} for 200");
}

#[test]
fn programs_cost_their_length() {
    let pass = |terms: usize| {
        format!(
            r#""A": {{ "QueryLanguage": "JSONata", "Type": "Pass", "Output": "{{% {}1 %}}", "End": true }}"#,
            "1 + ".repeat(terms)
        )
    };
    let [small, large] = [2, 50].map(|terms| cost(&workflow(&pass(terms))));
    assert!(large - small >= 4 * 48, "{small} for 2 terms, {large} for 50");
}

/// Returns parallel states inside each other, each with a task that is tried again.
fn nested_scopes(depth: usize) -> String {
    let retry = r#""Retry": [{ "ErrorEquals": ["States.ALL"] }]"#;
    let catch = r#""Catch": [{ "ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "B" }]"#;
    let mut states = format!(r#""A": {{ "Type": "Task", "Resource": "t", {retry}, "End": true }}"#);
    for level in 0..depth {
        let inner = states.replace("\"A\"", &format!("\"A{level}\"")).replace("\"B\"", &format!("\"B{level}\""));
        states = format!(
            r#""A": {{ "Type": "Parallel", "Branches": [{{ "StartAt": "A{level}", "States": {{ {inner} }} }}],
                {retry}, {catch}, "Next": "B" }}, "B": {{ "Type": "Succeed" }}"#
        );
    }
    states
}

#[cfg(feature = "sm4c")]
#[test]
fn attempts_inside_of_each_other_cost_little() {
    let nested = |depth: usize| {
        let open = r#"{ "type": "sequence", "actions": ["#.repeat(depth);
        let handlers = r#""errorHandlers": [{ "retryPolicy": "r", "resultHandler": "${ .e = $value }" }]"#;
        let close = format!("], {handlers} }}").repeat(depth);
        let text = format!(
            r#"{{ "name": "flow", "version": "1.0", "functions": [{{ "name": "f", "operation": "a.json#f" }}],
                "retries": [{{ "name": "r", "maxAttempts": 2 }}], "states": [{{ "name": "A", "start": true,
                "enterAction": {open}{{ "type": "invokeFunction", "functionName": "f" }}{close} }}] }}"#
        );
        let document = r#"{ "openapi": "3.0.3", "info": { "title": "a", "version": "1" }, "paths": { "/f": {
            "post": { "operationId": "f", "responses": { "200": { "description": "f" } } } } } }"#;
        let files = crate::Files::new(move |_| Ok(document.as_bytes().to_vec()));
        let source = Source::new("flow.sm4c.json", text).with_files(files);
        let output = check_only(source, &Options::default());
        output.workflow.unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics.first()))
    };
    let [half, whole] = [20, 40].map(|depth| cost(&nested(depth)));
    assert!(whole < 10 * half, "{half} for 20 levels, {whole} for 40");
}

#[test]
fn an_abandoned_analysis_ends_at_once() {
    for states in [nested_scopes(12), nested_rule(40)] {
        let workflow = workflow(&states);
        let mut analysis = Analysis::new(&workflow, ProgramTypes::default());
        analysis.work = MOST_WORK + 1;
        assert!(analysis.run().is_none());
        // Each step that is begun costs something.
        let more = analysis.work - MOST_WORK;
        assert!(more < 2_000, "{more} more steps");
    }
}

#[test]
fn an_abandoned_analysis_claims_nothing() {
    let mut states = r#""A": { "Type": "Pass", "Result": { "id": 7 }, "Next": "S0" }"#.to_owned();
    for at in 0..20 {
        let next = at + 1;
        states.push_str(&format!(
            r#", "S{at}": {{ "Type": "Pass", "ResultPath": "$.x{at}", "Parameters": {{ "x.$": "$.idd" }},
                "Next": "S{next}" }}"#
        ));
    }
    let workflow = workflow(&format!(r#"{states}, "S20": {{ "Type": "Succeed" }}"#));
    let messages = |analysis: &mut Analysis<'_>| {
        let found = analysis.run().map(|(_, found)| found);
        found.map(|found| found.into_iter().map(|one| one.message).collect::<Vec<_>>())
    };
    let mut analysis = Analysis::new(&workflow, ProgramTypes::default());
    let all = messages(&mut analysis).expect("the workflow is small");
    assert!(!all.is_empty());
    let whole = analysis.work;
    for budget in 0..whole + 10 {
        let mut analysis = Analysis::new(&workflow, ProgramTypes::default());
        analysis.work = MOST_WORK - budget;
        match messages(&mut analysis) {
            Some(found) => assert_eq!(found, all, "with {budget} of {whole}"),
            None => assert!(budget < whole, "abandoned with {budget} of {whole}"),
        }
    }
}

#[test]
fn paths_of_states_that_are_never_entered_count() {
    let workflow = workflow(
        r#""A": { "Type": "Pass", "Result": { "id": 7 }, "Next": "B" },
           "B": { "Type": "Pass", "InputPath": "$.idd", "Next": "C" },
           "C": { "Type": "Pass", "InputPath": "$.x", "End": true }"#,
    );
    let (shapes, _) = Analysis::new(&workflow, ProgramTypes::default()).run().expect("the workflow is small");
    let all = Analysis::new(&workflow, ProgramTypes::default()).count();
    assert_eq!((shapes.paths.all, all), (1, 2));
}

#[test]
fn diagnostics_beyond_a_limit_are_not_collected() {
    let members: Vec<String> = (0..3_000).map(|at| format!(r#""x{at}.$": "$.items[*].nope{at}""#)).collect();
    let workflow = workflow(&format!(
        r#""A": {{ "Type": "Pass", "Result": {{ "items": [{{ "id": 7 }}] }}, "Next": "B" }},
           "B": {{ "Type": "Pass", "Parameters": {{ {} }}, "Next": "C" }},
           "C": {{ "Type": "Pass", "Parameters": {{ {} }}, "End": true }}"#,
        members.join(", "),
        members.join(", ")
    ));
    let (_, found) = Analysis::new(&workflow, ProgramTypes::default()).run().expect("the workflow is small");
    assert!((1..=20 * MAX_ERRORS).contains(&found.len()), "{} diagnostics", found.len());
}

#[cfg(feature = "jq")]
#[test]
fn branches_that_may_never_be_evaluated_are_not_reported() {
    use super::super::eval::Eval;
    use super::super::report::{Certainty, ExprPlace};
    use crate::expr::jq::{ResultMode, read_text};
    use crate::expr::{Apply, Expr, Fallibility, If, Program};
    use std::sync::Arc;
    let workflow = workflow(r#""A": { "Type": "Succeed" }"#);
    let mut env = LocalShapes::default();
    env.set(workflow.input, Shape::record([("id", Shape::whole(7)), ("flag", Shape::boolean())]));
    let program = |text: &str| {
        let filter = read_text(text, &[], ResultMode::Value).expect("the program is valid");
        Expr::Apply(Apply {
            program: Arc::new(Program::Jq(filter)),
            name: "test".to_owned(),
            input: Box::new(Expr::Local(workflow.input)),
            variables: Vec::new(),
            fallibility: Fallibility::Catchable,
        })
    };
    let diagnostics = |test: &str, then: &str| {
        let place = ExprPlace { certainty: Certainty::Always, ..ExprPlace::unknown(&workflow) };
        let choice = If { test: program(test), then: program(then), otherwise: program(".id") };
        let mut eval = Eval::new(&workflow, &env, place, true);
        let value = eval.value(&Expr::If(Box::new(choice)));
        (eval.finish().len(), value.is_never())
    };
    assert_eq!(diagnostics(".flag", ".id.x"), (0, false));
    assert_eq!(diagnostics(".id.x", ".flag"), (1, true));
}
