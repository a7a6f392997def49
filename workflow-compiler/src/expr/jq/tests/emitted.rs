//! Tests of generated Rust.

use super::super::{Cardinality, ResultMode};
use super::filter;
use crate::pretty::layout;
use proc_macro2::{Ident, Span};

#[track_caller]
fn check(source: &str, mode: ResultMode, expected: &str) {
    let filter = filter(source, mode);
    let tokens =
        filter.emit(&Ident::new("f", Span::call_site()), &std::sync::Arc::default()).expect("it is translated");
    let expected = layout(expected.parse().expect("the test has Rust"));
    assert_eq!(layout(tokens), expected, "{source}");
}

#[test]
fn paths_and_comparisons_are_straight() {
    check(
        ".applicant.age >= 18",
        ResultMode::Test,
        r#"
fn f(input: &Value) -> jq::Result<bool> {
    Ok(jq::ge(jq::get(jq::get(input, "applicant")?, "age")?, &Value::Int(18)))
}"#,
    );
    check(
        ".status == \"open\" and (.total > $value or .vip)",
        ResultMode::Test,
        r#"
fn f(input: &Value, value_of: &Value) -> jq::Result<bool> {
    Ok(
        jq::eq(jq::get(input, "status")?, &rt::string("open"))
            && (jq::gt(jq::get(input, "total")?, value_of) || jq::truthy(jq::get(input, "vip")?)),
    )
}"#,
    );
    check("5", ResultMode::Value, "fn f(_: &Value) -> Value {\n    Value::Int(5)\n}");
    check(
        "{fruits: .fruits, nuts}",
        ResultMode::Value,
        r#"
fn f(input: &Value) -> jq::Result<Value> {
    Ok(rt::object([("fruits", jq::get(input, "fruits")?.clone()), ("nuts", jq::get(input, "nuts")?.clone())]))
}"#,
    );
}

#[test]
fn what_yields_many_values_becomes_loops() {
    check(
        "[.orders[] | select(.total > 10)]",
        ResultMode::Value,
        r#"
fn f(input: &Value) -> jq::Result<Value> {
    let mut items = jq::Values::new();
    for order in jq::iter(jq::get(input, "orders")?)? {
        jq::tick()?;
        if jq::gt(jq::get(order, "total")?, &Value::Int(10)) {
            items.push(order.clone());
        }
    }
    Ok(Value::from(items))
}"#,
    );
    check(
        ".orders[].id",
        ResultMode::Value,
        r#"
fn f(input: &Value) -> jq::Result<Value> {
    let mut values = jq::Values::new();
    for order in jq::iter(jq::get(input, "orders")?)? {
        jq::tick()?;
        values.push(jq::get(order, "id")?.clone());
    }
    Ok(jq::one_or_all(values))
}"#,
    );
    check(
        "any(.orders[]; .total > 5)",
        ResultMode::Test,
        r#"
fn f(input: &Value) -> jq::Result<bool> {
    let any = 'any: {
        for order in jq::iter(jq::get(input, "orders")?)? {
            jq::tick()?;
            if jq::gt(jq::get(order, "total")?, &Value::Int(5)) {
                break 'any true;
            }
        }
        false
    };
    Ok(any)
}"#,
    );
    check(
        "reduce .orders[] as $order (0; . + $order.total)",
        ResultMode::Value,
        r#"
fn f(input: &Value) -> jq::Result<Value> {
    let mut result = Value::Int(0);
    for order in jq::iter(jq::get(input, "orders")?)? {
        jq::tick()?;
        result = jq::add(result, jq::get(order, "total")?)?;
    }
    Ok(result)
}"#,
    );
}

#[test]
fn changes_edit_in_place() {
    check(
        ".a.b += $value",
        ResultMode::Value,
        r#"
fn f(mut input: Value, value_of: &Value) -> jq::Result<Value> {
    let b = jq::get_mut(jq::get_mut(&mut input, "a")?, "b")?;
    *b = jq::add(b.take(), value_of)?;
    Ok(jq::finished(input))
}"#,
    );
    check(
        "(.orders[] | select(.id == 1) | .total) |= . + 1",
        ResultMode::Value,
        r#"
fn f(mut input: Value) -> jq::Result<Value> {
    for order in jq::iter_mut(jq::get_mut(&mut input, "orders")?)? {
        jq::tick()?;
        if jq::eq(jq::get(order, "id")?, &Value::Int(1)) {
            let total = jq::get_mut(order, "total")?;
            *total = jq::add(total.take(), &Value::Int(1))?;
        }
    }
    Ok(input)
}"#,
    );
}

#[test]
fn functions_are_written_where_they_are_called() {
    check(
        "def vat($rate): . * $rate; .total | vat(0.19)",
        ResultMode::Value,
        r#"
fn f(input: &Value) -> jq::Result<Value> {
    Ok(jq::finished(jq::mul(jq::get(input, "total")?.clone(), &Value::Float(0.19))?))
}"#,
    );
}

#[test]
fn cardinality_is_known() {
    use Cardinality::{Many, Maybe, One};
    for (source, expected) in [
        (".a.b", One),
        (".a[]", Many),
        (".a?", Maybe),
        (".a? // 1", One),
        ("select(.a)", Maybe),
        ("first(.[])", Maybe),
        ("[.[]] | length", One),
        ("if .a then 1 else empty end", Maybe),
        ("1, 2", Many),
        ("def f: .a; f | f", One),
        ("def f(g): [g]; f(.[])", One),
        (". as [$a, $b] | $a + $b", One),
        ("reduce .[] as $x (0; . + $x)", One),
        ("try .a catch 1", One),
        ("any(.[]; .)", One),
        (".a |= empty", One),
        (".a = (1, 2)", Many),
        ("map(.a) | add", One),
        ("limit(1; .[])", Many),
    ] {
        assert_eq!(filter(source, ResultMode::Value).properties.cardinality, expected, "{source}");
    }
}

#[test]
fn only_variables_that_are_mentioned_are_given() {
    assert!(filter(".a", ResultMode::Value).variables.is_empty());
    assert_eq!(filter(".a + $value", ResultMode::Value).variables, ["value"]);
}
