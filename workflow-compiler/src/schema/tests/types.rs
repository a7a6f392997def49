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
        ("true", "the schema is a boolean"),
        (r##"{ "allOf": [{ "$ref": "#" }, { "required": ["a"] }] }"##, "`Input` is defined as itself"),
    ] {
        assert_eq!(types(&schema(text), "Input").map(|_| ()), Err(expected.to_owned()), "{text}");
    }
}

#[test]
fn a_panic_of_the_generator_is_a_reason() {
    let reason = super::super::types::catch_panics(|| panic!("not yet\nimplemented"));
    assert_eq!(reason, Err("`typify` panicked: not yet".to_owned()));
}

#[test]
fn what_takes_too_much_work_is_no_type() {
    let both = |at: usize| {
        let of =
            |name: &str| format!("{{ \"properties\": {{ \"{name}{at}\": {{}} }}, \"required\": [\"{name}{at}\"] }}");
        format!("{{ \"anyOf\": [{}, {}] }}", of("p"), of("q"))
    };
    let alternatives = |count: usize| {
        let parts: Vec<String> = (0..count).map(both).collect();
        format!("{{ \"type\": \"object\", \"allOf\": [{}] }}", parts.join(", "))
    };
    let member = |at: usize| format!("{{ \"properties\": {{ \"x\": {} }} }}", both(at));
    let members = format!("{{ \"allOf\": [{}, {}] }}", member(0), member(1));
    let chain = |count: usize| {
        let part = |at: usize| {
            format!(
                "\"a{at}\": {{ \"allOf\": [{{ \"$ref\": \"#/$defs/a{}\" }}, {{ \"properties\": {{ \"p{at}\": {{}} }} }}] }}",
                at + 1
            )
        };
        let parts: Vec<String> = (0..count).map(part).collect();
        format!(
            "{{ \"properties\": {{ \"a\": {{ \"$ref\": \"#/$defs/a0\" }} }}, \"$defs\": {{ {}, \"a{count}\": {{}} }} }}",
            parts.join(", ")
        )
    };
    let properties: Vec<String> = (0..3_000).map(|at| format!("\"p{at}\": {{}}")).collect();
    let endless = r##"{ "$ref": "#/$defs/a", "$defs": {
        "a": { "allOf": [{ "$ref": "#/$defs/b" }, { "properties": { "c": { "$ref": "#/$defs/a" } } }] },
        "b": { "properties": { "c": { "$ref": "#/$defs/b" } } } } }"##;
    let long = format!("{{ \"properties\": {{ \"{}\": {{}} }} }}", "k".repeat(2_000));
    for (text, expected) in [
        (alternatives(2), "an `allOf` combines several `anyOf` or `oneOf`"),
        (alternatives(4), "an `allOf` combines several `anyOf` or `oneOf`"),
        (alternatives(4).replace("anyOf", "oneOf"), "an `allOf` combines several `anyOf` or `oneOf`"),
        (members, "an `allOf` combines several `anyOf` or `oneOf`"),
        (chain(127), "its `allOf` combine too many schemas"),
        (endless.to_owned(), "its `allOf` combine too many schemas"),
        (format!("{{ \"properties\": {{ {} }} }}", properties.join(", ")), "it has too many parts"),
        (long, "its keys are too long for the names of types"),
    ] {
        assert_eq!(types(&schema(&text), "Input").map(|_| ()), Err(expected.to_owned()), "{text}");
    }
    assert!(types(&schema(&alternatives(1)), "Input").is_ok());
    assert!(types(&schema(&chain(20)), "Input").is_ok());
}
