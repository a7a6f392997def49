//! Tests of programs as expressions of a workflow.

use super::super::ResultMode;
use crate::emit;
use crate::expr::{Apply, Expr, Fallibility, Program};
use crate::hir::Next;
use crate::machine::Module;
use crate::options::Options;
use crate::source::Source;
use crate::{check_only, passes};
use std::sync::Arc;

const TEXT: &str = r#"{
  "StartAt": "Pick",
  "States": {
    "Charge": { "Type": "Pass", "End": true },
    "Ship": { "Type": "Pass", "End": true },
    "Pick": {
      "Type": "Choice",
      "Choices": [{ "Variable": "$.paid", "IsPresent": true, "Next": "Ship" }],
      "Default": "Charge"
    }
  }
}"#;

/// Returns the code of a workflow. Its states apply these programs to their output.
fn code(programs: [(&str, ResultMode); 2]) -> String {
    let output = check_only(Source::new("order.asl.json", TEXT), &Options::default());
    let mut workflow = output.workflow.expect("it is a workflow");
    for (state, (source, mode)) in workflow.scopes[crate::model::ScopeId(0)].states.iter_mut().zip(programs) {
        let filter = super::try_read(source, mode).0.expect("a filter");
        let Next::End(ended) = &state.body.next else { panic!("it ends") };
        let variables = filter.variables.iter().map(|_| Expr::NULL).collect();
        let apply = Apply {
            program: Arc::new(Program::Jq(filter)),
            name: format!("{} output", state.name.value),
            input: Box::new(ended.clone()),
            variables,
            fallibility: Fallibility::Catchable,
        };
        state.body.next = Next::End(Expr::Apply(apply));
    }
    let module = Module {
        name: "order".to_owned(),
        type_name: "Order".to_owned(),
        hash: 0,
        data_limit: None,
        jsonata_limits: None,
        sources: &output.sources,
        machine: passes::lower(&workflow, passes::Verified::EachPass, &mut |_, _| {}),
        tables: passes::collect_tables(&workflow),
        task_names: crate::index::IndexVec::new(),
        input: None,
        output: None,
        types: crate::schema::Types::default(),
        paths: crate::shapes::TypedPaths::default(),
        current: None,
    };
    crate::pretty::layout(emit::emit(&module))
}

#[test]
fn a_program_becomes_a_function() {
    let code = code([(".a.b += 1 | {a}", ResultMode::Value), (".total > 10", ResultMode::Test)]);
    for expected in [
        "/// `.a.b += 1 | {a}`",
        "fn charge_output(mut input: Value) -> jq::Result<Value> {",
        "charge_output(",
        "/// `.total > 10`",
        "fn ship_output(input: &Value) -> jq::Result<bool> {",
        "Value::Bool(ship_output(&",
        "use rt::{",
    ] {
        assert!(code.contains(expected), "no `{expected}` in:\n{code}");
    }
    assert!(code.lines().any(|line| line.contains("use rt::{") && line.contains("jq")), "{code}");
}

#[test]
fn what_is_not_translated_is_a_constant_for_the_engine() {
    let found = "[path(reduce .keys[] as $key (.; .[$key]))]";
    let code = code([(found, ResultMode::Value), (".", ResultMode::Value)]);
    for expected in ["static CHARGE_OUTPUT: jq::engine::JqProgram =", "jq::interpret(turn, &CHARGE_OUTPUT, &"] {
        assert!(code.contains(expected), "no `{expected}` in:\n{code}");
    }
}

#[test]
fn equal_programs_are_one_function_and_loops_have_limits() {
    let code = code([("[.[] | .a]", ResultMode::Value), ("[.[] | .a]", ResultMode::Value)]);
    assert_eq!(code.matches("fn charge_output(").count(), 1, "{code}");
    assert!(!code.contains("ship_output"), "{code}");
    assert_eq!(code.matches("jq::apply(turn, || charge_output(").count(), 2, "{code}");
}
