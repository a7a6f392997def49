//! Functions as values.

use super::session;
use crate::expr::js::{
    Js, Throw, Var, array, call, call_method, construct, constructor_name, delete, each, each_key, function, get,
    object, range_error, require_object_coercible, set, strict_equals, string,
};

#[test]
fn this_is_the_receiver_of_a_method() {
    let session = session();
    let value = object([("n", Js::Number(7.0))]);
    set(&value, "f", function("f", 0, |_, this, _| get(this, "n"))).unwrap();
    let result = call_method(&session, &value, "f", "value.f", &[]).unwrap();
    assert!(strict_equals(&result, &Js::Number(7.0)));
}

#[test]
fn what_is_no_function_is_named_as_the_source_does() {
    let session = session();
    let value = object([("f", Js::Number(1.0))]);
    let message = |error: Throw| format!("{error:?}");
    let of_method = |name| message(call_method(&session, &value, name, "p.f", &[]).unwrap_err());
    assert_eq!(of_method("f"), "throw TypeError: p.f is not a function");
    assert_eq!(of_method("missing"), "throw TypeError: p.f is not a function");
    let of_call = message(call(&session, &Js::Undefined, "x", &[]).unwrap_err());
    assert_eq!(of_call, "throw TypeError: x is not a function");
    let of_null = message(call_method(&session, &Js::Null, "trim", "x.trim", &[]).unwrap_err());
    assert_eq!(of_null, "throw TypeError: Cannot read properties of null (reading 'trim')");
}

#[test]
fn only_undefined_and_null_have_no_members() {
    for (value, expected) in [
        (Js::Undefined, Some("throw TypeError: Cannot destructure 'undefined'")),
        (Js::Null, Some("throw TypeError: Cannot destructure 'null'")),
        (Js::Bool(false), None),
        (Js::text(""), None),
        (object([]), None),
    ] {
        let error = require_object_coercible(&value).err().map(|error| format!("{error:?}"));
        assert_eq!(error.as_deref(), expected);
    }
}

#[test]
fn variables_are_shared_by_functions() {
    let session = session();
    let count = Var::new(Js::Number(0.0));
    let captured = count.clone();
    let add = function("add", 0, move |_, _, _| {
        captured.set(crate::expr::js::add(&captured.get(), &Js::Number(1.0))?);
        Ok(captured.get())
    });
    call(&session, &add, "add", &[]).unwrap();
    call(&session, &add, "add", &[]).unwrap();
    assert!(strict_equals(&count.get(), &Js::Number(2.0)));
}

#[test]
fn a_method_can_be_read() {
    let session = session();
    let trim = get(&Js::text(" x "), "trim").unwrap();
    let result = call_method(&session, &trim, "call", "trim.call", &[Js::text(" y ")]).unwrap();
    assert!(strict_equals(&result, &Js::text("y")));
}

#[test]
fn errors_have_parts() {
    let session = session();
    let error = construct(&session, "TypeError", &[Js::text("m"), object([("cause", Js::Null)])]).unwrap();
    for (key, text) in [("name", "TypeError"), ("message", "m")] {
        assert!(strict_equals(&get(&error, key).unwrap(), &Js::text(text)));
    }
    assert!(matches!(get(&error, "cause").unwrap(), Js::Null));
    assert!(matches!(get(&error, "stack").unwrap(), Js::String(_)));
    set(&error, "code", Js::Number(1.0)).unwrap();
    set(&error, "message", Js::text("other")).unwrap();
    let text = call_method(&session, &error, "toString", "error.toString", &[]).unwrap();
    assert!(strict_equals(&text, &Js::text("TypeError: other")));
    assert!(construct(&session, "Map", &[]).is_err());
}

#[test]
fn loops_see_what_their_turns_do() {
    let session = session();
    let list = array([Js::Number(1.0), Js::Number(2.0)]);
    let mut seen = 0;
    for item in each(&list).unwrap() {
        seen += 1;
        if seen < 4 {
            call_method(&session, &list, "push", "push", &[item]).unwrap();
        }
    }
    assert_eq!(seen, 5);
    let members = object([("a", Js::Null), ("b", Js::Null), ("c", Js::Null)]);
    let keys: Vec<String> = each_key(&members)
        .map(|key| {
            delete(&members, "b").unwrap();
            set(&members, "d", Js::Null).unwrap();
            key.to_string()
        })
        .collect();
    assert_eq!(keys, ["a", "c"]);
}

#[test]
fn constructors_have_names() {
    let _session = session();
    let name = |value: &Js| string(&constructor_name(value).unwrap()).unwrap().to_string();
    assert_eq!(name(&object([])), "Object");
    assert_eq!(name(&array([])), "Array");
    assert_eq!(name(&Js::text("")), "String");
    let Throw::Value(error) = range_error("far") else { panic!() };
    assert_eq!(name(&error), "RangeError");
    assert_eq!(name(&object([("constructor", object([("name", Js::text("Own"))]))])), "Own");
    assert!(constructor_name(&Js::Null).is_err());
}
