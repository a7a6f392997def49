//! Tests of the arguments of calls.

use super::{read, with};

fn diagnostics_of(members: &str, arguments: &str) -> Vec<String> {
    let read = read(&[("api.json", &with(members))], "api.json#op", Some(arguments));
    assert!(read.described.is_some(), "{:?}", read.messages);
    read.messages
}

pub const BODY: &str = r##""parameters": [{"name": "limit", "in": "query", "required": true, "schema": {"type": "integer", "enum": [10, 20]}},
    {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}],
  "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["amount", "number"],
    "properties": {"amount": {"type": "number"}, "number": {"type": "integer", "readOnly": true}, "currency": {"enum": ["EUR", "USD"]},
    "when": {"type": "string", "nullable": true}, "tree": {"$ref": "#/components/schemas/Tree"}}}}}},"##;

#[test]
fn what_fits() {
    for arguments in [
        r#"{"id": "a", "limit": 10, "amount": 2.5}"#,
        r#"{"id": "a", "limit": 20.0, "amount": 2, "currency": "EUR", "when": null, "tags": ["a", "b"]}"#,
        r#"{"id": "a", "limit": "type unknown", "amount": "type number", "tags": "type array"}"#,
        r#"{"id": "a", "limit": "type number", "body": {"amount": 1, "tree": {"left": {"left": {}}, "size": 1}}}"#,
        r#"{"id": "type string", "limit": 10, "body": "type unknown"}"#,
    ] {
        assert_eq!(diagnostics_of(BODY, arguments), Vec::<String>::new(), "{arguments}");
    }
}

#[test]
fn what_is_missing() {
    for (arguments, expected) in [
        (
            r#"{"limit": 10, "amount": 1}"#,
            "WF0906 op: missing path parameter `id` of the operation `op` | add the argument `id`",
        ),
        (
            r#"{"id": "a", "amount": 1}"#,
            "WF0906 op: missing query parameter `limit` of the operation `op` | add the argument `limit`",
        ),
        (
            r#"{"id": "a", "limit": 10}"#,
            "WF0906 op: missing member `amount` in the body of the operation `op` | add the argument `amount`",
        ),
        (
            r#"{"id": "a", "limit": 10, "body": {}}"#,
            "WF0907 {}: missing member `amount` in the argument `body` | add `amount`",
        ),
    ] {
        assert_eq!(diagnostics_of(BODY, arguments), [expected], "{arguments}");
    }
    let list = r#""requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "array"}}}},"#;
    let expected = "WF0906 op: missing body of the operation `op` | add the argument `body`";
    assert_eq!(diagnostics_of(list, r#"{"id": "a"}"#), [expected]);
    let shadowed = r#""requestBody": {"required": true, "content": {"application/json": {"schema": {"required": ["id"], "properties": {"id": {}}}}}},"#;
    let expected = "WF0906 op: missing member `id` in the body of the operation `op` | pass the whole body as `body`: the argument `id` is a parameter";
    assert_eq!(diagnostics_of(shadowed, r#"{"id": "a"}"#), [expected]);
    let optional = shadowed.replace(r#""required": true, "#, "");
    assert_eq!(diagnostics_of(&optional, r#"{"id": "a"}"#), Vec::<String>::new());
    let form = r#""requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {"schema":
        {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}}}},"#;
    let expected = "WF0906 op: missing form field `a` of the operation `op` | add the argument `a`";
    assert_eq!(diagnostics_of(form, r#"{"id": "a"}"#), [expected]);
    assert_eq!(diagnostics_of(form, r#"{"id": "a", "body": "type object"}"#), Vec::<String>::new());
}

#[test]
fn what_is_of_the_wrong_type() {
    for (name, value, expected) in [
        ("id", "1", r#"WF0907 1: the argument `id` must be a string, found a number | put it in double quotes: `"1"`"#),
        (
            "limit",
            r#""10""#,
            "WF0907 \"10\": the argument `limit` must be a whole number, found a string | remove the quotes: `10`",
        ),
        (
            "limit",
            "1.5",
            "WF0907 1.5: the argument `limit` must be a whole number, found a number with a fraction | write a whole number",
        ),
        ("limit", "30", "WF0907 30: the argument `limit` cannot be `30` | use one of `10`, `20`"),
        (
            "limit",
            r#""type string""#,
            "WF0907 \"type string\": the argument `limit` must be a whole number, found a string | write a whole number",
        ),
        (
            "tags",
            r#""a""#,
            "WF0907 \"a\": the argument `tags` must be an array, found a string | put it in brackets: `[ … ]`",
        ),
        (
            "tags",
            r#"["a", 1]"#,
            "WF0907 1: item 1 of the argument `tags` must be a string, found a number | put it in double quotes: `\"1\"`",
        ),
        ("currency", r#""DM""#, "WF0907 \"DM\": the argument `currency` cannot be `DM` | use one of `EUR`, `USD`"),
        (
            "when",
            "5",
            "WF0907 5: the argument `when` must be a string or null, found a number | put it in double quotes: `\"5\"`",
        ),
        (
            "tree",
            r#"{"left": {"size": "big"}}"#,
            "WF0907 \"big\": `size` of `left` of the argument `tree` must be a whole number, found a string | write a whole number",
        ),
    ] {
        let mut arguments = vec![("id", r#""a""#), ("limit", "10"), ("amount", "1")];
        arguments.retain(|(other, _)| *other != name);
        arguments.push((name, value));
        let arguments: Vec<String> = arguments.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        assert_eq!(diagnostics_of(BODY, &format!("{{{}}}", arguments.join(", "))), [expected], "{name}: {value}");
    }
}

#[test]
fn what_would_be_taken_apart_is_refused_as_far_as_it_is_known() {
    for (value, actual) in [(r#"{"limit": 1}"#, "an object"), (r#""type object""#, "an object"), ("[1]", "an array")] {
        let expected = format!("the argument `q` must be a string, found {actual}");
        let found = diagnostics_of(
            r#""parameters": [{"name": "q", "in": "query", "schema": {"type": "string"}}],"#,
            &format!(r#"{{"id": "a", "q": {value}}}"#),
        );
        assert!(found.len() == 1 && found[0].contains(&expected), "{found:?}");
    }
}

#[test]
fn what_nothing_knows() {
    let expected = "WF0951 \"idd\": the operation `op` has no argument `idd`: the argument is not sent | remove it";
    assert_eq!(diagnostics_of("", r#"{"id": "a", "idd": 1}"#), [expected]);
    let expected = "WF0951 \"curency\": the operation `op` does not describe `curency`, which is sent as a member of the body | did you mean `currency`?";
    assert_eq!(diagnostics_of(BODY, r#"{"id": "a", "limit": 10, "amount": 1, "curency": "EUR"}"#), [expected]);
    let expected =
        "WF0951 \"amount\": the operation `op` has no argument `amount`: the argument is not sent | remove it";
    assert_eq!(diagnostics_of(BODY, r#"{"id": "a", "limit": 10, "amount": 1, "body": {"amount": 1}}"#), [expected]);
    let open = BODY
        .replace(r#""type": "object", "required""#, r#""type": "object", "additionalProperties": true, "required""#);
    assert_eq!(
        diagnostics_of(&open, r#"{"id": "a", "limit": 10, "amount": 1, "curency": "EUR"}"#),
        Vec::<String>::new()
    );
}
