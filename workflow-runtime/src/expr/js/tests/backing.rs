//! Objects backed by JSON: identity, sharing, editing in place.

use std::sync::Arc;

use super::{json, session};
use crate::expr::js::json::round_trip;
use crate::expr::js::{
    Js, builtin, delete, get, get_at, iterate, keys, object, rest_of, set, set_at, spread_object, strict_equals,
};
use crate::value::{Object, Str, Value};

fn object_of(value: &Value) -> &Arc<Object> {
    match value {
        Value::Object(members) => members,
        other => panic!("no object: {other}"),
    }
}

fn member<'a>(value: &'a Value, key: &str) -> &'a Value {
    value.get(key).unwrap()
}

fn back(value: &Js) -> Value {
    round_trip(&session(), value).unwrap().unwrap()
}

#[test]
fn what_is_only_passed_on_is_shared() {
    let document = json(r#"{"a": {"b": [1, 2]}, "n": 9007199254740993}"#);
    let passed = back(&Js::from(document.clone()));
    assert!(Arc::ptr_eq(object_of(&document), object_of(&passed)));
    assert_eq!(passed.get("n").unwrap().as_i64(), Some(9_007_199_254_740_993));
}

#[test]
fn reading_scalars_leaves_a_level_shared() {
    let document = json(r#"{"a": {"b": 1}, "n": 1, "s": "text"}"#);
    let value = Js::from(document.clone());
    get(&value, "n").unwrap();
    get_at(&value, &Js::from("s")).unwrap();
    assert_eq!(keys(&value), ["a", "n", "s"]);
    assert!(Arc::ptr_eq(object_of(&document), object_of(&back(&value))));
}

#[test]
fn parts_that_nothing_looked_into_come_back_shared() {
    let document = json(r#"{"a": {"x": 1}, "b": {"y": {"z": 2}}, "list": [{"k": 1}, {"k": 2}]}"#);
    let value = Js::from(document.clone());
    set(&get(&value, "a").unwrap(), "x", Js::Number(5.0)).unwrap();
    get_at(&get(&value, "list").unwrap(), &Js::Number(0.0)).unwrap();
    let result = back(&value);
    assert_eq!(result.to_string(), r#"{"a":{"x":5},"b":{"y":{"z":2}},"list":[{"k":1},{"k":2}]}"#);
    assert!(Arc::ptr_eq(object_of(member(&document, "b")), object_of(member(&result, "b"))));
    let second = |value: &Value| object_of(member(value, "list").get(1).unwrap()).clone();
    assert!(Arc::ptr_eq(&second(&document), &second(&result)));
    assert_eq!(document.get("a").unwrap().to_string(), r#"{"x":1}"#, "the shared document is as it was");
}

#[test]
fn an_unshared_level_is_edited_in_place() {
    let document = json(r#"{"count": 1, "rest": [1, 2, 3]}"#);
    let address = Arc::as_ptr(object_of(&document));
    let value = Js::from(document);
    set(&value, "count", Js::Number(2.0)).unwrap();
    set(&value, "name", Js::from("new")).unwrap();
    delete(&value, "missing").unwrap();
    let result = back(&value);
    assert_eq!(Arc::as_ptr(object_of(&result)), address);
    assert_eq!(result.to_string(), r#"{"count":2,"rest":[1,2,3],"name":"new"}"#);
}

#[test]
fn an_unshared_array_is_edited_in_place() {
    let Value::Array(items) = json("[1, 2, 3]") else { panic!() };
    let address = Arc::as_ptr(&items);
    let value = Js::from(Value::Array(items));
    set_at(&value, &Js::Number(1.0), Js::from("two")).unwrap();
    set_at(&value, &Js::Number(3.0), Js::Null).unwrap();
    let Value::Array(items) = back(&value) else { panic!() };
    assert_eq!(Arc::as_ptr(&items), address);
    assert_eq!(Value::Array(items).to_string(), r#"[1,"two",3,null]"#);
}

#[test]
fn a_nested_object_is_the_same_whenever_it_is_read() {
    let value = Js::from(json(r#"{"a": {"x": 1}, "list": [[1], [2]]}"#));
    let (first, second) = (get(&value, "a").unwrap(), get(&value, "a").unwrap());
    assert!(strict_equals(&first, &second));
    set(&first, "x", Js::from("changed")).unwrap();
    assert!(strict_equals(&get(&second, "x").unwrap(), &Js::from("changed")));
    let list = get(&value, "list").unwrap();
    let item = get_at(&list, &Js::Number(1.0)).unwrap();
    assert!(strict_equals(&item, &iterate(&list).unwrap()[1]));
    assert_eq!(back(&value).to_string(), r#"{"a":{"x":"changed"},"list":[[1],[2]]}"#);
}

#[test]
fn copies_of_an_object_share_what_is_nested() {
    let value = Js::from(json(r#"{"a": {"x": 1}, "n": 9007199254740993, "drop": 1}"#));
    let copy = object([]);
    spread_object(&copy, &value).unwrap();
    let rest = rest_of(&value, &["drop"]).unwrap();
    set(&get(&copy, "a").unwrap(), "x", Js::Bool(true)).unwrap();
    assert_eq!(back(&rest).to_string(), r#"{"a":{"x":true},"n":9007199254740993}"#);
    assert_eq!(back(&value).to_string(), r#"{"a":{"x":true},"n":9007199254740993,"drop":1}"#);
}

#[test]
fn one_object_in_two_places_is_written_twice() {
    let shared = object([("n", Js::Number(1.0))]);
    let value = object([("a", shared.clone()), ("b", shared)]);
    assert_eq!(back(&value).to_string(), r#"{"a":{"n":1},"b":{"n":1}}"#);
}

#[test]
fn a_cycle_is_a_type_error_and_can_be_converted_once_it_is_broken() {
    let value = Js::from(json(r#"{"a": {}}"#));
    let inner = get(&value, "a").unwrap();
    set(&inner, "up", value.clone()).unwrap();
    let error = round_trip(&session(), &value).unwrap_err();
    assert_eq!(format!("{error:?}"), "throw TypeError: Converting circular structure to JSON");
    delete(&inner, "up").unwrap();
    // The session that ended did not create the cycle, and so did not take it apart.
    assert_eq!(back(&value).to_string(), r#"{"a":{}}"#);
}

#[test]
fn cycles_are_freed_when_the_run_ends() {
    let weak = {
        let session = session();
        let value = object([]);
        set(&value, "me", value.clone()).unwrap();
        let weak = std::rc::Rc::downgrade(&value.as_object().unwrap().0);
        drop(value);
        assert!(weak.upgrade().is_some());
        drop(session);
        weak
    };
    assert!(weak.upgrade().is_none());
}

#[test]
fn keys_that_are_numbers_come_first() {
    let value = Js::from(json(r#"{"b": 1, "10": 2, "a": 3, "9": 4, "01": 5, "4294967295": 6}"#));
    let order = ["9", "10", "b", "a", "01", "4294967295"];
    assert_eq!(keys(&value), order);
    set(&value, "5", object([])).unwrap();
    assert_eq!(keys(&value)[0], "5");
    assert_eq!(back(&value).as_object().unwrap().keys().next().unwrap(), "5");
}

#[test]
fn wide_objects_keep_order_and_are_found() {
    let wide: Object = (0..100).map(|n| (Str::from(format!("key{n}")), Value::from(n))).collect();
    let value = Js::from(Value::from(wide));
    set(&value, "key50", object([])).unwrap();
    delete(&value, "key10").unwrap();
    set(&value, "last", Js::Null).unwrap();
    let keys = keys(&value);
    assert_eq!((keys.len(), keys[10].as_str(), keys[99].as_str()), (100, "key11", "last"));
    assert!(strict_equals(&get(&value, "key99").unwrap(), &Js::Number(99.0)));
}

#[test]
fn numbers_come_back_as_their_text_is_read() {
    let numbers = [
        (1.0, "1"),
        (-0.0, "0"),
        (0.5, "0.5"),
        (1e21, "1e21"),
        (9_007_199_254_740_992.0, "9007199254740992"),
        (1_152_921_504_606_846_976.0, "1152921504606847000"),
        (f64::NAN, "null"),
        (f64::NEG_INFINITY, "null"),
    ];
    for (number, text) in numbers {
        assert_eq!(back(&Js::Number(number)).to_string(), text);
    }
}

#[test]
fn a_frozen_object_is_not_changed() {
    let value = Js::from(json(r#"{"a": 1}"#));
    builtin::object_freeze(&session(), std::slice::from_ref(&value)).unwrap();
    assert!(set(&value, "a", Js::Null).is_err());
    assert!(set(&value, "b", Js::Null).is_err());
    assert!(delete(&value, "a").is_err());
    assert_eq!(back(&value).to_string(), r#"{"a":1}"#);
}

#[test]
fn a_shared_level_stays_as_it_is_when_parts_are_read() {
    let document = json(r#"{"a": {"b": {"n": 1}}, "c": {"n": 9007199254740993}, "list": [[1], [2]]}"#);
    let value = Js::from(document.clone());
    let a = get(&value, "a").unwrap();
    assert!(strict_equals(&a, &get(&value, "a").unwrap()));
    let b = get(&a, "b").unwrap();
    get(&b, "n").unwrap();
    let list = get(&value, "list").unwrap();
    let (first, second) = (get_at(&list, &Js::Number(0.0)).unwrap(), get_at(&list, &Js::Number(1.0)).unwrap());
    assert!(!strict_equals(&first, &second));
    assert!(Arc::ptr_eq(object_of(&document), object_of(&back(&value))));
    // A change of a nested part is visible from the root, and nowhere else. A part that was read
    // is still the same object.
    set(&b, "n", Js::Number(2.0)).unwrap();
    let result = back(&value);
    assert_eq!(result.to_string(), r#"{"a":{"b":{"n":2}},"c":{"n":9007199254740993},"list":[[1],[2]]}"#);
    assert!(Arc::ptr_eq(object_of(member(&document, "c")), object_of(member(&result, "c"))));
    set(&value, "d", Js::Null).unwrap();
    set_at(&list, &Js::Number(2.0), first.clone()).unwrap();
    assert!(strict_equals(&a, &get(&value, "a").unwrap()));
    assert!(strict_equals(&b, &get(&get(&value, "a").unwrap(), "b").unwrap()));
    assert!(strict_equals(&first, &get_at(&list, &Js::Number(0.0)).unwrap()));
    assert_eq!(
        back(&value).to_string(),
        r#"{"a":{"b":{"n":2}},"c":{"n":9007199254740993},"list":[[1],[2],[1]],"d":null}"#
    );
    assert_eq!(
        document.to_string(),
        r#"{"a":{"b":{"n":1}},"c":{"n":9007199254740993},"list":[[1],[2]]}"#,
        "the shared document is as it was"
    );
}

#[test]
fn many_and_deep_parts_of_shared_json_are_read() {
    let document = Value::from((0..40).map(|n| json(&format!("[{n}]"))).collect::<Vec<_>>());
    let value = Js::from(document.clone());
    let read = |at: i32| get_at(&value, &Js::Number(f64::from(at))).unwrap();
    let parts: Vec<Js> = (0..40).map(read).collect();
    assert!((0..40).zip(&parts).all(|(at, part)| strict_equals(part, &read(at))));
    assert_eq!(back(&value), document);

    let mut document = json("1");
    for _ in 0..20_000 {
        document = crate::value::object([("in", document)]);
    }
    let value = Js::from(document.clone());
    let mut part = value.clone();
    while part.as_object().is_some() {
        part = get(&part, "in").unwrap();
    }
    assert_eq!(back(&value), document);
}

#[test]
fn the_order_of_keys_does_not_depend_on_sharing() {
    let document = json(r#"{"b": {"n": 1}, "1": 2}"#);
    let shared = Js::from(document.clone());
    get(&shared, "b").unwrap();
    let alone = Js::from(json(r#"{"b": {"n": 1}, "1": 2}"#));
    get(&alone, "b").unwrap();
    assert_eq!(back(&shared).to_string(), back(&alone).to_string());
    drop(document);
}
