//! Tests of the paths into values of the program's types.

use super::*;
use crate::options::TaskBinding;
use crate::passes::infer_shapes::infer_typed;

/// Returns the options with `Charge` returning a `Receipt`, `Ship` a `Parcel`, and `Input` as the
/// type of the input.
fn options() -> Options {
    let binding = |task: &str, output: &str| TaskBinding {
        task: task.to_owned(),
        method: task.to_lowercase(),
        input: None,
        output: Some(output.into()),
    };
    Options {
        tasks: vec![binding("Charge", "Receipt"), binding("Ship", "Parcel")],
        input: Some("Input".into()),
        ..Options::default()
    }
}

/// Returns the paths that rustc checks: the place, the path before the first checked step, the
/// checked steps, and the source.
fn checks_with(dialect: &str, text: &str, options: &Options) -> Vec<String> {
    // The definition need not have all tasks that are bound.
    let output = checked(dialect, text, &Options::default());
    let workflow = output.workflow.as_ref().unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics));
    let (paths, _) = infer_typed(workflow, options, &mut Diagnostics::default());
    let shown = paths.checks.iter().map(|check| {
        let at = output.sources.position(check.span);
        let (before, checked) = check.steps.split_at(check.checked_from);
        let [before, checked] = [before, checked].map(<[String]>::concat);
        let (ty, code) = (&paths.types[check.ty], check.code.id);
        format!("{code} {}:{} {}|{checked} of {ty}{before}, {}", at.line, at.column, check.base, check.source)
    });
    shown.collect()
}

/// Returns the paths of states after `Charge`, whose output is at `$.receipt`, without places.
fn after_charge(states: &str) -> Vec<String> {
    let text = format!(
        "StartAt: Pay\nStates:\n  Pay: {{ Type: Task, Resource: Charge, ResultPath: $.receipt, Next: Use }}\n{}",
        states.lines().map(|line| format!("  {}\n", line.trim())).collect::<String>()
    );
    let checks = checks_with("asl", &text, &Options { input: None, ..options() });
    let path = |check: String| check.splitn(3, ' ').last().unwrap_or_default().to_owned();
    checks.into_iter().map(path).collect()
}

const RECEIPT: &str = "of Receipt, the output of `Charge`";

#[test]
fn a_path_into_the_output_of_a_task_is_checked_at_its_place() {
    let text = "
    StartAt: Pay
    States:
      Pay: { Type: Task, Resource: Charge, ResultPath: $.receipt, Next: Use }
      Use: { Type: Pass, Parameters: { paid.$: $.receipt.card.limit, id.$: $.id }, End: true }
    ";
    let found = checks_with("asl", text, &options());
    let expected = [
        "WF1901 4:54 $.receipt|.card.limit of Receipt, the output of `Charge`",
        "WF1901 4:74 $|.id of Input, the input of the workflow",
    ];
    assert_eq!(found, expected);
    let allowed = Options { allow: vec!["WF1901".to_owned()], ..options() };
    assert!(checks_with("asl", text, &allowed).is_empty());
}

#[test]
fn paths_of_all_fields_are_checked() {
    for (state, path) in [
        ("{ Type: Pass, InputPath: $.receipt.a, End: true }", "$.receipt|.a"),
        ("{ Type: Pass, OutputPath: $.receipt.a, End: true }", "$.receipt|.a"),
        ("{ Type: Pass, Parameters: { x.$: '$.receipt.a[0].b' }, End: true }", "$.receipt|.a[].b"),
        ("{ Type: Pass, Parameters: { x.$: \"States.Format('{}', $.receipt.a)\" }, End: true }", "$.receipt|.a"),
        ("{ Type: Wait, SecondsPath: $.receipt.a, End: true }", "$.receipt|.a"),
        ("{ Type: Pass, Parameters: { x.$: '$.receipt.a[*].b' }, End: true }", "$.receipt|.a[*].b"),
    ] {
        assert_eq!(after_charge(&format!("Use: {state}")), [format!("{path} {RECEIPT}")], "{state}");
    }
}

#[test]
fn values_are_followed_through_states() {
    let found = after_charge(
        "Use: { Type: Pass, Parameters: { paid.$: $.receipt.card, all.$: $ }, Next: Then }
         Then: { Type: Pass, Parameters: { x.$: $.paid.limit, y.$: $.all.receipt.id, z.$: $.paid }, End: true }",
    );
    let card = "$.paid|.limit of Receipt.card, the output of `Charge`".to_owned();
    assert_eq!(found, [format!("$.receipt|.card {RECEIPT}"), card, format!("$.all.receipt|.id {RECEIPT}")]);
    let found = after_charge(
        "Use: { Type: Map, ItemsPath: $.receipt.items, ItemProcessor: { StartAt: E, States: { E: { Type: Pass, InputPath: $.price, End: true } } }, End: true }",
    );
    let price = "$|.price of Receipt.items[], the output of `Charge`".to_owned();
    assert_eq!(found, [format!("$.receipt|.items {RECEIPT}"), price]);
}

#[test]
fn what_a_rule_has_shown_is_not_checked() {
    // The rule itself is: it fails where the member is missing.
    let found = after_charge(
        "Use: { Type: Choice, Choices: [{ Variable: $.receipt.paid, BooleanEquals: true, Next: A }], Default: B }
         A: { Type: Pass, InputPath: $.receipt.paid, Next: B }
         B: { Type: Pass, InputPath: $.receipt.id, End: true }",
    );
    assert_eq!(found, [format!("$.receipt|.paid {RECEIPT}"), format!("$.receipt|.id {RECEIPT}")]);
    let found = after_charge(
        "Use: { Type: Choice, Choices: [{ Variable: $.receipt.bonus, IsPresent: true, Next: A }], Default: B }
         A: { Type: Pass, InputPath: $.receipt.bonus.sum, End: true }
         B: { Type: Pass, End: true }",
    );
    assert_eq!(found, ["$.receipt.bonus|.sum of Receipt.bonus, the output of `Charge`"]);
}

#[test]
fn values_of_kinds_that_a_rule_has_left_over_are_not_checked() {
    let after = |rule: &str| {
        after_charge(&format!(
            "Use: {{ Type: Choice, Choices: [{{ Variable: $.receipt, {rule}, Next: A }}], Default: B }}
             A: {{ Type: Pass, End: true }}
             B: {{ Type: Pass, InputPath: $.receipt.id, End: true }}"
        ))
    };
    // The receipt may be a string, so that no run comes to the second state.
    for rule in ["IsString: true", "IsNumeric: true", "BooleanEquals: true"] {
        assert_eq!(after(rule), [""; 0], "{rule}");
    }
    assert_eq!(after("IsNull: true"), ["$.receipt|.id of Receipt!, the output of `Charge`"]);
    // A state behind two rules.
    let found = after_charge(
        "Use: { Type: Choice, Choices: [{ Variable: $.receipt.bonus, IsPresent: true, Next: A }, { Variable: $.receipt, IsString: true, Next: A }], Default: B }
         A: { Type: Pass, End: true }
         B: { Type: Pass, InputPath: $.receipt.id, End: true }",
    );
    assert_eq!(found, [""; 0]);
}

#[test]
fn a_use_that_a_handler_catches_is_not_checked() {
    let of = |more: &str| {
        format!(
            "Use: {{ Type: Task, Resource: t, {more}Parameters: {{ x.$: $.receipt.id }}, Next: Done }}
             Done: {{ Type: Pass, End: true }}"
        )
    };
    assert_eq!(after_charge(&of("")), [format!("$.receipt|.id {RECEIPT}")]);
    let caught = of("Catch: [{ ErrorEquals: [States.ALL], Next: Done }], ");
    assert_eq!(after_charge(&caught), [""; 0]);
}

#[test]
fn a_part_of_a_condition_that_may_not_be_evaluated_is_not_checked() {
    let found = after_charge(
        "Use: { Type: Choice, Choices: [{ And: [{ Variable: $.receipt.a, NumericEquals: 1 }, { Variable: $.receipt.b, NumericEquals: 1 }], Next: A }], Default: A }
         A: { Type: Pass, End: true }",
    );
    assert_eq!(found, [format!("$.receipt|.a {RECEIPT}")]);
}

#[test]
fn members_that_the_definition_puts_are_not_checked() {
    let put = "{ Type: Pass, Result: 7, ResultPath: $.receipt.refund, Next: Then }";
    let read = "{ Type: Pass, Parameters: { x.$: $.receipt.refund, y.$: $.receipt.id }, End: true }";
    assert_eq!(after_charge(&format!("Use: {put}\nThen: {read}")), [format!("$.receipt|.id {RECEIPT}")]);
    // The member is there on one of two ways only.
    let found = after_charge(&format!(
        "Use: {{ Type: Choice, Choices: [{{ Variable: $.x, IsPresent: true, Next: Put }}], Default: Then }}
         Put: {put}
         Then: {read}"
    ));
    assert_eq!(found, [format!("$.receipt|.id {RECEIPT}")]);
}

#[test]
fn a_value_of_one_of_two_types_is_not_checked() {
    let found = after_charge(
        "Use: { Type: Choice, Choices: [{ Variable: $.x, IsPresent: true, Next: Again }], Default: Then }
         Again: { Type: Task, Resource: Ship, ResultPath: $.receipt, Next: Then }
         Then: { Type: Pass, InputPath: $.receipt.id, End: true }",
    );
    assert_eq!(found, [""; 0]);
    let found = after_charge(
        "Use: { Type: Choice, Choices: [{ Variable: $.x, IsPresent: true, Next: Again }], Default: Then }
         Again: { Type: Task, Resource: Charge, ResultPath: $.receipt, Next: Then }
         Then: { Type: Pass, InputPath: $.receipt.id, End: true }",
    );
    assert_eq!(found, ["$.receipt|.id of Receipt, "]);
}

#[test]
fn the_answer_to_a_task_token_has_no_type() {
    let text = "
    StartAt: Pay
    States:
      Pay: { Type: Task, Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken', Parameters: { FunctionName: Charge, Payload: { t.$: $$.Task.Token } }, Next: Use }
      Use: { Type: Pass, InputPath: $.id, End: true }
    ";
    let bind = |task: &str| TaskBinding { task: task.to_owned(), ..options().tasks[0].clone() };
    let options = Options { tasks: vec![bind("Pay")], ..Options::default() };
    assert_eq!(checks_with("asl", text, &options), [""; 0]);
}

#[test]
fn an_expression_in_jsonata_is_checked_if_it_is_a_path() {
    let text = |expression: &str, more: &str| {
        format!(
            "
            QueryLanguage: JSONata
            StartAt: Pay
            States:
              Pay: {{ Type: Task, Resource: Charge, Assign: {{ r: '{{% $states.result %}}' }}, Next: Use }}
              Use: {{ Type: Task, Resource: t, Arguments: {{ x: '{{% {expression} %}}' }}, {more}End: true }}
            "
        )
    };
    for (expression, expected) in [
        ("$r.card.limit", &["WF1901 5:58 $r|*card*limit of Receipt, the output of `Charge`"][..]),
        ("$states.input.card", &["WF1901 5:69 $states.input|*card of Receipt, the output of `Charge`"]),
        ("$exists($r.card)", &[]),
        ("$r.card = 7", &[]),
        ("$r.items[0].price", &[]),
        ("$r.a ? $r.b : $r.c", &[]),
    ] {
        assert_eq!(checks_with("asl", &text(expression, ""), &options()), expected, "{expression}");
    }
    let caught = "Catch: [{ ErrorEquals: [States.ALL], Next: Use }], ";
    assert_eq!(checks_with("asl", &text("$r.card", caught), &options()), [""; 0]);
}

#[cfg(feature = "serverless-workflow")]
#[test]
fn a_member_that_jq_reads_is_checked_where_null_is_not_expected() {
    let text = |expression: &str| {
        format!(
            "
            id: flow
            states:
              - {{ name: Use, type: inject, start: {{ kind: default }}, data: {{}}, transition: {{ nextState: E, expression: {{ language: jq, body: '{expression}' }} }} }}
              - {{ name: E, type: inject, data: {{}}, end: {{ kind: default }} }}
            "
        )
    };
    for (expression, expected) in [
        (".card", &["WF1955 3:132 .|.card of Input, the input of the workflow"][..]),
        (
            "{a: .card.limit} == 7",
            &[
                "WF1955 3:136 .|.card of Input, the input of the workflow",
                "WF1955 3:141 .card|.limit of Input.card, the input of the workflow",
            ],
        ),
        (".card // 7", &[]),
        (".card?", &[]),
        ("if .card == null then 1 else 2 end", &[]),
        // The name of the member is not known.
        (r#"to_entries | .[0] | {(.key + "s"): .value} | .ids"#, &[]),
    ] {
        assert_eq!(checks_with("serverless-workflow", &text(expression), &options()), expected, "{expression}");
    }
}
