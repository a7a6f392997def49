//! Tests of schemas that become types and of schemas that do not.

use super::schema;
use crate::schema::types::types;

/// Returns the types of a schema, without spaces.
fn printed(text: &str) -> String {
    let tokens = types(&schema(text), "Input").unwrap_or_else(|reason| panic!("{text}: {reason}"));
    tokens.to_string().replace([' ', '\n'], "")
}

#[test]
fn types_name_no_crate_but_the_runtime() {
    let text = printed(
        r#"{ "type": "object", "properties": {
            "at": { "type": "string", "format": "date-time" }, "id": { "type": "string", "pattern": "^a" },
            "any": {}, "open": { "type": "object" }, "one": { "enum": [1, 2] }, "ip": { "format": "ipv4", "type": "string" } } }"#,
    );
    for absent in ["::serde::", "::serde_json", "::chrono", "::uuid", "::regress"] {
        assert!(!text.replace("__private::serde::", "").contains(absent), "{absent} in {text}");
    }
    assert!(text.contains("pubat:::std::option::Option<::std::string::String>"), "{text}");
    assert!(text.contains("::workflow_runtime::Value"), "{text}");
}

#[test]
fn parts_that_would_have_one_name_have_two() {
    let text = printed(
        r##"{ "type": "object", "properties": { "a": { "$ref": "#/$defs/InputB" }, "b": { "type": "object", "properties": { "c": { "type": "string" } } } },
            "$defs": { "InputB": { "type": "object", "properties": { "d": { "type": "integer" } } } } }"##,
    );
    assert!(text.contains("puba:::std::option::Option<InputB>"), "{text}");
    assert!(text.contains("pubb:::std::option::Option<InputB2>"), "{text}");
}

#[test]
fn types_can_refer_to_themselves() {
    let text =
        printed(r##"{ "type": "object", "properties": { "left": { "$ref": "#" }, "right": { "$ref": "#" } } }"##);
    assert!(text.contains("publeft:::std::option::Option<::std::boxed::Box<Input>>"), "{text}");
}

#[test]
fn what_is_no_type_is_reported() {
    for (text, expected) in [
        ("true", "it does not describe data"),
        (r##"{ "allOf": [{ "$ref": "#" }, { "required": ["a"] }] }"##, "`Input` consists of itself"),
    ] {
        assert_eq!(types(&schema(text), "Input").map(|_| ()), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn a_panic_of_the_generator_is_a_reason() {
    let reason = super::super::types::catch_panics(|| panic!("not yet\nimplemented"));
    assert_eq!(reason, Err("`typify` panicked: not yet".to_owned()));
}
