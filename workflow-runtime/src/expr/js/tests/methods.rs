//! The tables of methods, and built-ins that QuickJS does not have.

use super::session;
use crate::expr::js::{Js, builtin, call_method, prototypes, string};

#[test]
fn methods_are_in_the_order_in_which_they_are_searched() {
    for (prototype, methods) in prototypes() {
        assert!(methods.is_sorted_by(|left, right| left.name < right.name), "{prototype}");
    }
}

#[test]
fn buffers_convert_between_encodings() {
    let session = session();
    let convert = |text: &'static str, from: &'static str, to: &'static str| {
        let buffer = builtin::buffer_from(&session, &[Js::text(text), Js::text(from)]).unwrap();
        let text = call_method(&session, &buffer, "toString", "buffer.toString", &[Js::text(to)]).unwrap();
        string(&text).unwrap().to_string()
    };
    assert_eq!(convert("hällo", "utf8", "base64"), "aMOkbGxv");
    assert_eq!(convert("aMOkbGxv", "base64", "utf8"), "hällo");
    assert_eq!(convert("aGk", "base64", "hex"), "6869");
    assert_eq!(convert("6869zz", "hex", "latin1"), "hi");
    assert_eq!(convert("_-8", "base64url", "hex"), "ffef");
    assert_eq!(convert("", "utf8", "base64"), "");
    assert!(builtin::buffer_from(&session, &[Js::text("x"), Js::text("rot13")]).is_err());
    assert!(builtin::buffer_from(&session, &[Js::Number(5.0)]).is_err());
}

#[test]
fn parts_of_long_texts_are_those_of_short_ones() {
    let session = session();
    let (short, long) = (Js::from("aé😀".repeat(20)), Js::from("aé😀".repeat(100)));
    let of = |text: &Js, name: &'static str, arguments: &[Js]| {
        string(&call_method(&session, text, name, name, arguments).unwrap()).unwrap()
    };
    let calls = |from: u32| {
        let number = |number: u32| Js::Number(f64::from(number));
        let mut calls: Vec<(&'static str, Vec<Js>)> = vec![
            ("charAt", vec![number(from)]),
            ("indexOf", vec![Js::text("😀a"), number(from)]),
            ("startsWith", vec![Js::text("é"), number(from)]),
            ("lastIndexOf", vec![Js::text("é"), number(from)]),
        ];
        calls.extend((from..from + 6).map(|to| ("slice", vec![number(from), number(to)])));
        calls
    };
    for (name, arguments) in (0..40).flat_map(calls) {
        assert_eq!(of(&short, name, &arguments), of(&long, name, &arguments), "{name}");
    }
}
