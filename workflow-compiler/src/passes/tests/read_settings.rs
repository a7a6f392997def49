//! Tests of the pass that reads settings at their use.

use super::*;

/// A workflow with settings in a task, a condition, a wait and a fault.
const PAYMENT: &str = r#"
    StartAt: Pay
    States:
      Pay: { Type: Task, Resource: pay, Parameters: { bank: "${Bank}", text: "to ${Bank} from ${Shop}" }, Next: Large }
      Large:
        Type: Choice
        Choices: [{ Variable: $.total, NumericGreaterThan: "${Most}", Next: Refuse }]
        Default: Rest
      Rest: { Type: Wait, Seconds: "${Delay}", Next: Name }
      Name: { Type: Pass, Result: "${Shop}", End: true }
      Refuse: { Type: Fail, Error: "${Bank}" }
    "#;

#[test]
fn a_setting_is_read_at_its_use() {
    insta::assert_snapshot!(changes(&asl(PAYMENT), "read_settings"), @r#"
      block pay()
        enter "Pay" d
    -   invoke task 0 with {"bank": bank, "text": asl::format(["to ", " from ", ""], [bank, shop])} timeout 60 s at Pay
    +   invoke task 0 with {"bank": setting("Bank"), "text": asl::format(["to ", " from ", ""], [setting("Bank"), setting("Shop")])} timeout 60 s at Pay
      block large()
        enter "Large" d
        choose
    -   if asl::numeric_greater_than_path(asl::subject(d, ["total"]), most)
    +   if asl::numeric_greater_than_path(asl::subject(d, ["total"]), setting("Most"))
          goto refuse
        else
          goto rest
      block rest()
        enter "Rest" d
    -   wait asl::seconds_path(asl::computed(delay, "${Delay}")) at Rest
    +   wait asl::seconds_path(asl::computed(setting("Delay"), "${Delay}")) at Rest
      block name()
        enter "Name" d
    -   d = shop
    +   d = setting("Shop")
        done d
      block refuse()
        enter "Refuse" d
    -   fail bank because none
    +   fail setting("Bank") because none
    "#);
}

#[test]
fn no_resume_point_carries_a_setting() {
    let carried = after(&asl(PAYMENT), "compute_liveness").points.into_iter().map(|point| point.payload.len());
    assert_eq!(carried.max(), Some(1));
}

/// No text has a setting that stands for a variable.
#[test]
fn a_setting_that_stands_for_a_variable_is_a_local() {
    let mut workflow = asl(PAYMENT);
    let (bank, _) = workflow.settings.iter().find(|(_, name)| name == "Bank").expect("the definition has the setting");
    workflow.locals[*bank].kind = LocalKind::Variable;
    let shown = after(&workflow, "read_settings").to_string();
    assert!(shown.contains("fail bank because none"), "{shown}");
    assert!(shown.contains(r#"asl::format(["to ", " from ", ""], [bank, setting("Shop")])"#), "{shown}");
}

#[test]
fn other_locals_stay() {
    let workflow = asl("
        StartAt: Name
        States: { Name: { Type: Pass, Parameters: { name.$: $.name }, End: true } }
        ");
    assert_eq!(changes(&workflow, "read_settings"), "");
}
