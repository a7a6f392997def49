//! Tests of rejected documents.

use super::{read, with};

fn diagnostics_of(text: &str, operation: &str) -> Vec<String> {
    read(&[("api.json", text)], operation, None).messages
}

#[test]
fn documents() {
    let help = "start an OpenAPI document with `\"openapi\": \"3.1.0\"`, or `\"swagger\": \"2.0\"`";
    for (text, expected) in [
        ("[]", format!("WF0901 api.json: `api.json` is not an OpenAPI document | {help}")),
        ("{\"openapi\": true}", format!("WF0901 api.json: `api.json` is not an OpenAPI document | {help}")),
        (
            "{\"openapi\": \"3.2.0\"}",
            "WF0901 \"3.2.0\": OpenAPI version 3.2.0 is not supported | use version 2.0, 3.0 or 3.1".to_owned(),
        ),
        (
            "{\"openapi\": \"2.0\"}",
            "WF0901 \"2.0\": OpenAPI version 2.0 is not supported | use version 2.0, 3.0 or 3.1".to_owned(),
        ),
        (
            "{\"swagger\": 1.2}",
            "WF0901 1.2: OpenAPI version 1.2 is not supported | use version 2.0, 3.0 or 3.1".to_owned(),
        ),
    ] {
        assert_eq!(diagnostics_of(text, "api.json#op"), [expected], "{text}");
    }
    assert!(diagnostics_of("{\"openapi\": ", "api.json#op")[0].starts_with("WF01"));
    let missing =
        "WF0420 api.jsn: the file `api.jsn` does not exist | paths are relative to the folder of the definition";
    assert_eq!(diagnostics_of("{}", "api.jsn#op"), [missing]);
}

#[test]
fn names() {
    let text = with("");
    assert_eq!(
        diagnostics_of(&text, "api.json#OP"),
        ["WF0902 OP: the document has no operation `OP` | did you mean `op`?"]
    );
    assert_eq!(
        diagnostics_of(&text, "api.json#charge"),
        ["WF0902 charge: the document has no operation `charge` | its operations are `op`"]
    );
    let none = "WF0902 op: the document has no operation `op` | add an `operationId` to the operation in the document";
    assert_eq!(diagnostics_of(r#"{"swagger": "2.0", "paths": {"/a": {"get": {}}}}"#, "api.json#op"), [none]);
    let twice = r#"{"swagger": "2.0", "paths": {"/a": {"get": {"operationId": "op"}, "put": {"operationId": "op"}}}}"#;
    let found = "WF0902 op: two operations of the document are called `op` | give one of them another `operationId`";
    assert_eq!(diagnostics_of(twice, "api.json#op"), [found]);
}

#[test]
fn operations() {
    let parameter = |members: &str| format!(r#""parameters": [{{{members}}}],"#);
    let body = |content: &str| format!(r#""requestBody": {{"content": {content}}},"#);
    for (members, expected) in [
        (parameter(r#""in": "query""#), r#"WF0401 {: a parameter needs `name` | add `name`"#),
        (
            parameter(r#""name": 1, "in": "query""#),
            r#"WF0403 1: `name` must be a string, found a number | put it in double quotes"#,
        ),
        (
            parameter(r#""name": "a", "in": "body""#),
            r#"WF0904 "body": a parameter cannot be in `body` | use `path`, `query`, `header` or `cookie`"#,
        ),
        (
            parameter(r#""name": "a", "in": "path""#),
            r#"WF0904 "/things/{id}": the path does not contain its parameter `a` | add `{a}` to the path, or remove the parameter"#,
        ),
        (
            parameter(r#""name": "a", "in": "query", "style": "matrix""#),
            r#"WF0904 "matrix": a query parameter has no style `matrix` | its styles are `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`"#,
        ),
        (
            parameter(r#""name": "a", "in": "query", "content": {"application/xml": {}}"#),
            r#"WF0905 "application/xml": a parameter cannot be written as `application/xml` | use `application/json`"#,
        ),
        (
            parameter(r##""$ref": "#/components/parameters/a""##),
            r##"WF0903 "#/components/parameters/a": cannot resolve `#/components/parameters/a`: `parameters` does not exist | refer to an existing value"##,
        ),
        (
            parameter(r##""$ref": "#/components/schemas/Loop""##),
            r##"WF0903 {"$ref": "#/components/schemas/Loop"}: this chain of references has no end | point one of the references at a value"##,
        ),
        (
            parameter(r##""$ref": "#a""##),
            r##"WF0903 "#a": `#a` is not a JSON pointer | write a JSON pointer to the value, such as `#/components/schemas/Order`"##,
        ),
        (
            parameter(r#""$ref": 7"#),
            r##"WF0403 7: a reference must be a string, found a number | write it as `"#/components/…"`"##,
        ),
        (
            parameter(r#""$ref": "https://example.com/a.json""#),
            r#"WF0420 "https://example.com/a.json": `https://example.com/a.json` is a URL, and the compiler does not read from a network | copy the file to the folder of the definition, and write the path of the copy"#,
        ),
        (
            body(r#"{"multipart/form-data": {}}"#),
            r#"WF0905 "requestBody": the body can only be `multipart/form-data`, which is not supported | call an operation that takes JSON, a URL-encoded form or plain text"#,
        ),
        (
            body(r#"{"application/xml": {}, "image/png": {}}"#),
            r#"WF0905 "requestBody": the body can only be `application/xml` or `image/png`, which is not supported | call an operation that takes JSON, a URL-encoded form or plain text"#,
        ),
        (
            body("{}"),
            r#"WF0904 "requestBody": a body needs `content` | add `content`, with a member such as `application/json`"#,
        ),
        (
            body(r#"{"application/x-www-form-urlencoded": {"schema": {"type": "string"}}}"#),
            r#"WF0904 "requestBody": the body is a form, but its schema is not an object | set its `type` to `object`"#,
        ),
        (
            r#""security": [{"tokn": []}],"#.to_owned(),
            r#"WF0904 "tokn": the security scheme `tokn` is not defined | did you mean `token`?"#,
        ),
    ] {
        assert_eq!(diagnostics_of(&with(&members), "api.json#op"), [expected], "{members}");
    }
}

#[test]
fn version_2() {
    let with = |parameter: &str| {
        format!(
            r#"{{"swagger": "2.0", "consumes": ["application/xml"], "paths": {{"/a": {{"post": {{"operationId": "op", "parameters": [{parameter}]}}}}}}}}"#
        )
    };
    for (parameter, expected) in [
        (
            r#"{"name": "a", "in": "body", "schema": {}}"#,
            r#"WF0905 "application/xml": the body can only be `application/xml`, which is not supported | call an operation that takes JSON, a URL-encoded form or plain text"#,
        ),
        (
            r#"{"name": "a", "in": "formData", "type": "file"}"#,
            r#"WF0905 "file": `a` is a file, and forms with files are not supported | call an operation that takes JSON, or a form without files"#,
        ),
        (
            r#"{"name": "a", "in": "header", "type": "array", "collectionFormat": "multi"}"#,
            r#"WF0904 "multi": a header has no collection format `multi` | use `csv`, `ssv`, `tsv` or `pipes`"#,
        ),
        (
            r#"{"name": "a", "in": "cookie", "type": "string"}"#,
            r#"WF0904 "cookie": a parameter cannot be in `cookie` | use `path`, `query`, `header`, `formData` or `body`"#,
        ),
    ] {
        assert_eq!(diagnostics_of(&with(parameter), "api.json#op"), [expected], "{parameter}");
    }
}

#[test]
fn paths() {
    let with =
        |path: &str| format!(r#"{{"openapi": "3.1.0", "paths": {{"{path}": {{"get": {{"operationId": "op"}}}}}}}}"#);
    let found = r#"WF0904 {id}: the path has a parameter `id` that is not described | add `{ "name": "id", "in": "path", … }` to its `parameters`"#;
    assert_eq!(diagnostics_of(&with("/a/{id}/b"), "api.json#op"), [found]);
    let found = "WF0904 {id: a parameter in this path is not closed | write `}` after its name";
    assert_eq!(diagnostics_of(&with("/a/{id"), "api.json#op"), [found]);
}
