//! Trailing commas, and lists of attributes.

use super::{keeps, keeps_as_written, keeps_body};

#[test]
fn a_list_that_ends_in_a_comma_has_lines() {
    keeps_as_written(
        "
static C: &[rt::Retrier] = &[
    rt::Retrier::new(a),
];

fn f() {
    f(
        a,
        b,
    );
}
",
    );
}

#[test]
fn commas_are_added_only_where_they_change_nothing() {
    keeps_body(
        r#"
    let a = !(something_that_is_long_enough_to_be_broken(a, b)
        || something_else_that_is_long_enough_to_be_broken(a, b, c, d));
    let a = something_that_is_long[some_function_of_an_index_that_is_long_enough_to_be_broken(
        the_first_argument_of_that_function,
        the_second_argument_of_that_function,
    )];
    let a = ::std::vec![
        something_that_is_long_enough_to_be_broken(a, b),
        something_else_that_is_long_enough_to_be_broken(a, b, c)
    ];
    let State::SomethingLong(the_first_local_of_the_state, the_second_local_of_the_state, the_third_local, ..) =
        state;
"#,
    );
}

#[test]
fn the_last_arm_ends_in_a_comma_unless_it_is_a_block() {
    let code =
        "fn f() { match a { A => b, items => items } match a { A => b, c => { d(); e } } match a { _ => S { x } } }";
    let expected = "
fn f() {
    match a {
        A => b,
        items => items,
    }
    match a {
        A => b,
        c => {
            d();
            e
        }
    }
    match a {
        _ => S { x },
    }
}
";
    assert_eq!(crate::emit::format::format(code.parse().unwrap()), expected.trim_start());
}

#[test]
fn the_scrutinee_of_a_match_is_not_a_list_of_arms() {
    let code = "fn f() { match { let a = b(); if c { d } else { a } } { A => b, c => c } }";
    let formatted = crate::emit::format::format(code.parse().unwrap());
    let words = |text: &str| text.split_whitespace().collect::<String>();
    assert_eq!(words(&formatted), words(code), "{formatted}");
}

#[test]
fn long_attributes_have_lines() {
    keeps(
        r#"
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the input of the task `ChargeCard`",
    note = "flows/order.asl.json:7:9: the state `Charge` invokes the task",
)]
pub trait ChargeCardInput: Sized {
    const READ: rt::Read<Self>;
}
"#,
    );
}
