//! Tests of the length of texts, and of writing within a limit.

use std::time::{Duration, Instant};

use crate::value;
use crate::value::{Array, DOCUMENT_LIMIT, Object, TooLarge, Value, object};

/// Returns a document of 2^levels leaves in a few hundred bytes of memory.
fn doubled(levels: u32) -> Value {
    (0..levels).fold(value!("leaf"), |part, _| object([("a", part.clone()), ("b", part)]))
}

fn quickly<T>(act: impl FnOnce() -> T) -> T {
    let started = Instant::now();
    let done = act();
    assert!(started.elapsed() < Duration::from_secs(2), "it took {:?}", started.elapsed());
    done
}

#[test]
fn the_length_is_that_of_the_text() {
    let texts = ["", "plain", "\"quoted\\\"", "\u{8}\t\n\u{c}\r\u{0}\u{1f}\u{7f}", "ä€😀\u{2028}"];
    let floats = [0.0, -0.0, 1.0, 0.1, -2.5e-7, 1e16, 1e21, f64::MAX, f64::MIN_POSITIVE, f64::NAN];
    let ints = [0, 9, 10, -1, -10, 99, 100, i64::MAX, i64::MIN];
    let part = value!({ "some": ["thing", { "that": "has a text of some length, and is shared" }], "": [] });
    let mut values = vec![value!(null), value!(true), value!(false), value!([]), value!({}), doubled(10)];
    values.extend(texts.map(Value::from));
    values.extend(floats.map(Value::Float));
    values.extend(ints.map(Value::Int));
    values.extend(texts.map(|text| object([(text, part.clone()), ("\"", value!([part.clone(), part.clone(), []]))])));
    let all = Value::from_iter(values.clone());
    values.push(all);
    for value in values {
        let text = value.to_string();
        let length = text.len() as u64;
        assert!(!value.is_longer_than(u64::MAX) && !value.is_longer_than(length), "{text}");
        assert!(value.is_longer_than(length - 1), "{text}");
        assert_eq!(value.json_len(u64::MAX), Ok(length), "{text}");
        assert_eq!(value.json_len(length), Ok(length), "{text}");
        assert_eq!(value.json_len(length - 1), Err(TooLarge { limit: length - 1 }), "{text}");
        assert_eq!(value.to_json(length).as_deref(), Ok(&*text));
        assert_eq!(value.to_json_pretty(u64::MAX), Ok(value.to_string_pretty()));
        assert_eq!(value.excerpt(text.len()), text);
    }
}

#[test]
fn an_escape_is_counted_wherever_it_is() {
    for length in [1, 7, 8, 9, 15, 16, 20] {
        for at in 0..length {
            for byte in 0..0x80 {
                let mut text = "x".repeat(length);
                text.replace_range(at..=at, char::from(byte).encode_utf8(&mut [0; 4]));
                let value = Value::from(text);
                assert_eq!(value.json_len(u64::MAX), Ok(value.to_string().len() as u64), "{value}");
            }
        }
    }
}

#[test]
fn a_record_is_counted_as_its_text() {
    let of = |members: &[(&str, &str)]| -> Value {
        let mut object = Object::new();
        members.iter().for_each(|(key, text)| drop(object.insert(*key, *text)));
        object.into()
    };
    let many: Vec<String> = (0..65).map(|number| format!("column {number}")).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|key| (&**key, "x")).collect();
    let long = "x".repeat(crate::budget::STRIDE);
    let records = [
        of(&[("a", "1"), ("b", "")]),
        of(&[("a", "1"), ("b", "\"2\"")]),
        of(&[("a\n", "1")]),
        of(&[("a", &long[1..])]),
        of(&[("a", &long), (&long, "b")]),
        of(&many[..64]),
        of(&many),
    ];
    for record in records {
        let length = record.to_string().len() as u64;
        assert!(record.json_len(length - 1).is_err(), "{record}");
        assert_eq!(record.json_len(length), Ok(length), "{record}");
    }
}

#[test]
fn a_change_is_counted() {
    let document = || value!({ "a": { "list": [1, 2, 3], "text": "abc" }, "b": null });
    let list = |value: &mut Value, change: &dyn Fn(&mut Array)| {
        change(value.get_mut("a").and_then(|a| a.get_mut("list")).and_then(Value::as_array_mut).expect("a list"));
    };
    let object = |value: &mut Value, change: &dyn Fn(&mut Object)| {
        change(value.get_mut("a").and_then(Value::as_object_mut).expect("an object"));
    };
    type Change<'a> = &'a dyn Fn(&mut Value);
    let changes: &[Change<'_>] = &[
        &|value| list(value, &|items| items.push("longer".into())),
        &|value| list(value, &|items| items.clear()),
        &|value| list(value, &|items| items[1] = "other".into()),
        &|value| object(value, &|members| drop(members.insert("list", 1))),
        &|value| object(value, &|members| drop(members.insert("new", 1))),
        &|value| object(value, &|members| *members.entry("text") = "longer".into()),
        &|value| object(value, &|members| drop(members.remove("text"))),
        &|value| object(value, &|members| members.retain(|key, _| *key != *"list")),
        &|value| object(value, &|members| members.values_mut().for_each(|value| *value = Value::Null)),
        &|value| object(value, &|members| members.extend([("c".into(), 1.into())])),
        &|value| *value.get_mut("a").expect("a member").get_mut("text").expect("a member") = "longer".into(),
        &|value| drop(std::mem::replace(value.get_mut("b").expect("a member"), "longer".into())),
    ];
    let length = |value: &Value| value.to_string().len() as u64;
    for (at, change) in changes.iter().enumerate() {
        let mut value = document();
        // An insertion adds to an estimate or length. Every other change makes it unknown.
        assert!(!value.is_longer_than(1_000));
        change(&mut value);
        assert!(value.is_longer_than(length(&value) - 1) && !value.is_longer_than(length(&value)), "change {at}");
        let mut value = document();
        assert_eq!(value.json_len(u64::MAX), Ok(length(&value)));
        // A shared document keeps its length.
        let shared = value.clone();
        change(&mut value);
        assert_eq!(value.json_len(u64::MAX), Ok(length(&value)), "change {at}: {value}");
        assert_eq!(shared.json_len(u64::MAX), Ok(length(&document())), "change {at}");
    }
}

#[test]
fn members_that_are_added_or_replaced_are_counted() {
    let parts = [value!(-1.5e-300), value!("\u{1}\u{1}"), value!([[], {}]), value!({ "deep": { "deeper": [1] } })];
    let texts = ["x".repeat(300_000), "\u{1}".repeat(100_000)];
    let parts: Vec<Value> = parts.into_iter().chain(texts.map(Value::from)).collect();
    let mut value = Value::from(Object::new());
    for (at, part) in parts.iter().cycle().take(60).enumerate() {
        let members = value.as_object_mut().expect("an object");
        members.insert("same", part.clone());
        members.insert(format!("\"{}", at % 20), part.clone());
        match at % 7 {
            // The next members are added to a length, to an estimate, or to an estimate that grew.
            0 => assert!(value.json_len(u64::MAX).is_ok()),
            1 | 2 => assert!(!value.is_longer_than(DOCUMENT_LIMIT)),
            3 => {
                let length = value.to_string().len() as u64;
                assert!(value.is_longer_than(length - 1) && !value.is_longer_than(length), "{at}");
            }
            _ => {}
        }
    }
}

#[test]
fn a_member_with_the_longest_escapes_is_not_taken_for_shorter() {
    // Each byte of the text becomes six.
    let escaped = "\u{1}".repeat(1_000);
    type Insert<'a> = &'a dyn Fn(&mut Object) -> Option<Value>;
    let inserts: [(&str, Insert<'_>); 3] = [
        ("an existing key", &|members| members.insert("b", escaped.as_str())),
        ("a new key", &|members| members.insert("c", escaped.as_str())),
        ("a new key with escapes", &|members| members.insert(escaped.as_str(), escaped.as_str())),
    ];
    for (what, insert) in inserts {
        for is_counted in [true, false] {
            let before = value!({ "a": 1, "b": "x" });
            match is_counted {
                true => assert_eq!(before.json_len(u64::MAX), Ok(before.to_string().len() as u64)),
                false => assert!(!before.is_longer_than(1_000)),
            }
            // The copy keeps what is known of the length.
            let mut members = before.as_object().expect("an object").clone();
            insert(&mut members);
            for value in [object([("part", members.clone().into())]), members.into()] {
                let length = value.to_string().len() as u64;
                assert!(length > 6_000 && value.is_longer_than(length - 1), "{what}");
                assert!(!value.is_longer_than(length), "{what}");
            }
        }
    }
}

#[test]
fn an_exact_length_is_kept() {
    // The estimate of the text is six times as long.
    let value = value!({ "text": "x".repeat(10_000) });
    let length = value.json_len(u64::MAX).expect("it has a length");
    let members = value.as_object().expect("an object");
    for limit in [length, length - 1, length + 1, u64::MAX] {
        assert_eq!(value.is_longer_than(limit), length > limit);
        assert_eq!(members.length.get(), Some(length));
    }
}

#[test]
fn shared_parts_are_counted_once() {
    // Each of 2^58 - 1 objects has its own `{"a":,"b":}`.
    let (value, length) = (doubled(58), 11 * ((1 << 58) - 1) + 6 * (1 << 58));
    assert_eq!(quickly(|| value.json_len(u64::MAX)), Ok(length));
    let more = doubled(200);
    assert!(quickly(|| more.json_len(u64::MAX)).is_err());
    let wide = Value::from_iter(0..100_000);
    let shared = Value::from_iter(std::iter::repeat_n(wide, 100_000));
    assert!(quickly(|| shared.json_len(u64::MAX)).is_ok());
}

#[test]
fn nothing_is_written_of_a_text_that_is_too_long() {
    let value = doubled(60);
    let refused = Err(TooLarge { limit: DOCUMENT_LIMIT });
    assert_eq!(quickly(|| value.to_json(DOCUMENT_LIMIT)), refused);
    assert_eq!(quickly(|| value.to_json_pretty(DOCUMENT_LIMIT)), refused);
    let mut written = Vec::new();
    let error = quickly(|| value.write_json(DOCUMENT_LIMIT, &mut written)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::FileTooLarge);
    assert_eq!(error.to_string(), "it has more than 67108864 bytes as JSON");
    assert!(written.is_empty());
    // The limit includes the indentation.
    let nested = (0..100).fold(value!(1), |inner, _| value!([inner]));
    assert_eq!(nested.to_json_pretty(300), Err(TooLarge { limit: 300 }));
}

#[test]
fn an_excerpt_is_the_beginning() {
    let excerpt = quickly(|| doubled(60).excerpt(100));
    assert!(excerpt.starts_with(r#"{"a":{"a":{"#) && excerpt.ends_with('…'), "{excerpt}");
    assert_eq!(excerpt.len(), 100 + '…'.len_utf8());
    assert_eq!(value!(["äöü"]).excerpt(5), "[\"ä…");
}
