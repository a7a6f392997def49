//! Tests of the names of tasks, and of the checks of bindings.

use super::*;
use crate::passes::name_tasks::name_tasks;
use crate::{FunctionBinding, RustCode, TaskBinding};

/// A workflow of three tasks, two of which have one key.
const ORDER: &str = "
    StartAt: Ask
    States:
      Ask: { Type: Task, Resource: arn:aws:lambda:us-east-1:123456789012:function:ask, Next: Pay }
      Pay: { Type: Task, Resource: payCard, Next: Again }
      Again: { Type: Task, Resource: payCard, End: true }
    ";

/// Returns the names of the tasks with these options, and the diagnostics.
fn named(text: &str, options: &Options) -> String {
    let bound = binding(&[("Pay", "first"), ("Again", "second")]);
    let workflow = checked("asl", text, &bound).workflow.expect("no two tasks have one method");
    let shown = |ty: &Option<RustCode>| ty.as_ref().map_or("_".to_owned(), ToString::to_string);
    let names = name_tasks(&workflow, options, &mut Diagnostics::default());
    let names = names
        .into_iter()
        .map(|task| format!("{}: {}({}) -> {}", task.constant, task.method, shown(&task.input), shown(&task.output)));
    let found = diagnostics_with("asl", text, options);
    names.chain(Some(found)).collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// Returns the options that bind tasks to methods.
fn binding(tasks: &[(&str, &str)]) -> Options {
    let bind = |(task, method): &(&str, &str)| TaskBinding {
        task: (*task).to_owned(),
        method: (*method).to_owned(),
        input: None,
        output: None,
    };
    Options { tasks: tasks.iter().map(bind).collect(), ..Options::default() }
}

#[test]
fn a_task_has_a_constant_of_its_state_and_a_method_of_its_key() {
    insta::assert_snapshot!(named(ORDER, &Options::default()), @r"
    ASK: ask(_) -> _
    PAY: pay_card(_) -> _
    AGAIN: pay_card(_) -> _
    ");
}

#[test]
fn a_binding_names_the_method_and_its_types() {
    let mut options = binding(&[("payCard", "charge")]);
    (options.tasks[0].input, options.tasks[0].output) = (Some("Order".into()), Some("Receipt".into()));
    insta::assert_snapshot!(named(ORDER, &options), @r"
    ASK: ask(_) -> _
    PAY: charge(Order) -> Receipt
    AGAIN: charge(Order) -> Receipt
    ");
}

#[test]
fn a_binding_of_a_state_precedes_one_of_a_key() {
    insta::assert_snapshot!(named(ORDER, &binding(&[("payCard", "charge"), ("Again", "charge_again")])), @r"
    ASK: ask(_) -> _
    PAY: charge(_) -> _
    AGAIN: charge_again(_) -> _
    ");
}

#[test]
fn a_binding_of_an_unknown_task_is_refused() {
    insta::assert_snapshot!(named(ORDER, &binding(&[("payCart", "charge")])), @r"
    ASK: ask(_) -> _
    PAY: pay_card(_) -> _
    AGAIN: pay_card(_) -> _
    error[WF0602]: the definition has no task `payCart`
     --> flow.asl.yaml:1:1
      |
    1 | StartAt: Ask
      | ^ `tasks` binds `payCart` to `charge`
      = help: did you mean `payCard`?
    ");
    let found = named(ORDER, &binding(&[("anything", "charge")]));
    assert!(found.contains("help: bind a task by its key, or by the name of the state that invokes it"), "{found}");
}

#[test]
fn keys_of_one_method_are_refused_unless_they_are_bound_to_it() {
    let text = &ORDER.replacen("payCard", "pay-card", 1);
    insta::assert_snapshot!(named(text, &Options::default()), @r#"
    ASK: ask(_) -> _
    PAY: pay_card(_) -> _
    AGAIN: pay_card(_) -> _
    error[WF0601]: tasks `pay-card` and `payCard` both map to the method `pay_card`
     --> flow.asl.yaml:5:34
      |
    4 |   Pay: { Type: Task, Resource: pay-card, Next: Again }
      |                                -------- the other task
    5 |   Again: { Type: Task, Resource: payCard, End: true }
      |                                  ^^^^^^^
      = help: bind one of them: `tasks: { "payCard" => pay_card_2 }`
    "#);
    insta::assert_snapshot!(named(text, &binding(&[("pay-card", "pay"), ("payCard", "pay")])), @r"
    ASK: ask(_) -> _
    PAY: pay(_) -> _
    AGAIN: pay(_) -> _
    ");
}

#[test]
fn a_method_has_one_signature() {
    let mut options = binding(&[("Pay", "pay"), ("Again", "pay")]);
    options.tasks[0].input = Some("Order".into());
    insta::assert_snapshot!(named(ORDER, &options), @r"
    ASK: ask(_) -> _
    PAY: pay(Order) -> _
    AGAIN: pay(_) -> _
    error[WF0603]: method `pay` is bound with two different signatures
     --> flow.asl.yaml:5:34
      |
    4 |   Pay: { Type: Task, Resource: payCard, Next: Again }
      |                                ------- bound with other types for this task
    5 |   Again: { Type: Task, Resource: payCard, End: true }
      |                                  ^^^^^^^
      = help: give the method one signature, or bind the tasks to two methods
    ");
    options.tasks[1].input = Some("Order".into());
    assert!(!named(ORDER, &options).contains("error["));
}

#[test]
fn bindings_that_are_no_rust_code_are_refused() {
    let mut options = binding(&[("payCard", "pay card"), ("payCard", "charge"), ("Ask", "ask")]);
    (options.tasks[2].input, options.tasks[2].output) = (Some("Vec<(".into()), Some("Order)".into()));
    (options.input, options.output) = (Some("(Order".into()), Some("[Order".into()));
    insta::assert_snapshot!(heads(&named(ORDER, &options)), @r"
    error[WF0604]: duplicate binding of task `payCard`
    error[WF0604]: the task `payCard` is bound to `pay card`, which is not a valid method name
    error[WF0604]: `Vec<(` is not a Rust type
    error[WF0604]: `Order)` is not a Rust type
    error[WF0604]: `(Order` is not a Rust type
    error[WF0604]: `[Order` is not a Rust type
    ");
}

#[test]
fn a_type_that_borrows_is_refused() {
    let mut options = binding(&[("payCard", "charge")]);
    options.tasks[0].input = Some("&'a Order".into());
    options.output = Some("&str".into());
    insta::assert_snapshot!(heads(&named(ORDER, &options)), @r"
    error[WF0604]: `&str` cannot be the output of the workflow `flow`: it borrows its data
    error[WF0604]: `&'a Order` cannot be the input of the task `payCard`: it borrows its data
    error[WF0604]: `&'a Order` cannot be the input of the task `payCard`: it borrows its data
    ");
}

#[test]
fn a_function_for_a_state_without_one_is_refused() {
    let functions = vec![FunctionBinding { state: "Pai".to_owned(), function: "crate::pay".into() }];
    let found = named(ORDER, &Options { functions, ..Options::default() });
    assert!(found.contains("error[WF0605]: the definition has no function in a state `Pai`"), "{found}");
}

/// Compositions have functions.
#[cfg(feature = "composer")]
mod functions {
    use super::*;

    const PRICE: &str = r#"
        Entry: price
        Exit: done
        States:
          price: { Type: Task, Function: "p => ({ a: p.a })", Next: pay }
          pay: { Type: Task, Action: pay, Next: done }
          done: { Type: Pass }
        "#;

    fn replaced(functions: &[(&str, &str)], tasks: &[(&str, &str)]) -> String {
        replaced_in(PRICE, functions, tasks)
    }

    fn replaced_in(text: &str, functions: &[(&str, &str)], tasks: &[(&str, &str)]) -> String {
        let bind = |(state, function): &(&str, &str)| FunctionBinding {
            state: (*state).to_owned(),
            function: RustCode::from(*function),
        };
        let options = Options { functions: functions.iter().map(bind).collect(), ..binding(tasks) };
        let found = diagnostics_with("composer", text, &options);
        let heads = found.lines().filter(|line| line.starts_with("error[") || line.trim().starts_with("= help"));
        heads.map(str::trim).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_function_is_replaced_by_a_function_or_a_method() {
        for function in ["crate::price", "|params, variables| Ok(params)", "self.price"] {
            assert_eq!(replaced(&[("price", function)], &[]), "", "{function}");
        }
    }

    #[test]
    fn a_method_of_the_program_keeps_its_spelling() {
        let text = PRICE.replace("price", "Price");
        let functions = vec![FunctionBinding { state: "Price".to_owned(), function: "self.priceIt".into() }];
        let options = Options { functions, ..Options::default() };
        let workflow = checked("composer", &text, &options).workflow.expect("the binding is correct");
        let names = name_tasks(&workflow, &options, &mut Diagnostics::default());
        let names: Vec<(&str, &str)> = names.iter().map(|task| (&*task.constant, &*task.method)).collect();
        assert_eq!(names, [("PRICE", "priceIt"), ("PAY", "pay")]);
    }

    #[test]
    fn a_wrong_replacement_is_refused() {
        insta::assert_snapshot!(replaced(&[("prise", "crate::price")], &[]), @r"
        error[WF0605]: the definition has no function in a state `prise`
        = help: did you mean `price`?
        ");
        insta::assert_snapshot!(replaced(&[("price", "crate::a"), ("price", "crate::b")], &[]), @r"
        error[WF0604]: the function of state `price` is replaced twice
        = help: keep one of the two functions
        ");
        insta::assert_snapshot!(replaced(&[("price", "crate::(")], &[]), @r"
        error[WF0604]: `crate::(`, bound to the state `price`, is not a function
        = help: write a path such as `crate::discount`, or a closure such as `|params, variables| Ok(params)`
        ");
        insta::assert_snapshot!(replaced(&[("price", "self.price()")], &[]), @r"
        error[WF0604]: `self.price()`, bound to the state `price`, is not a method
        = help: write `self` and the name of one method of `Tasks`, such as `self.price`
        ");
    }

    #[test]
    fn a_method_for_a_function_and_a_task_is_refused() {
        insta::assert_snapshot!(replaced(&[("price", "self.pay")], &[]), @r#"
        error[WF0601]: the function of state `price` and the task `pay` both map to the method `pay`
        = help: name another method: `functions: { "price" => self.pay_2 }`
        "#);
        let same_key = PRICE.replace("Action: pay", "Action: price");
        insta::assert_snapshot!(replaced_in(&same_key, &[("price", "self.price")], &[]), @r#"
        error[WF0601]: the function of state `price` and the task `price` both map to the method `price`
        = help: name another method: `functions: { "price" => self.price_2 }`
        "#);
        insta::assert_snapshot!(replaced(&[("price", "self.a")], &[("price", "b")]), @r#"
        error[WF0603]: the function of state `price` is bound to two methods, `a` and `b`
        = help: name the same method in `functions` and in `tasks`: `"price" => a(…)`
        "#);
    }
}
