//! Tests of rejected documents.

use super::{read, with};

fn diagnostics_of(text: &str, operation: &str) -> Vec<String> {
    read(&[("api.json", text)], operation, None).messages
}

#[test]
fn documents() {
    let help = "an OpenAPI document begins with `\"openapi\": \"3.1.0\"`, or `\"swagger\": \"2.0\"`";
    for (text, expected) in [
        ("[]", format!("E0901 api.json: `api.json` is not an OpenAPI document | {help}")),
        ("{\"openapi\": true}", format!("E0901 api.json: `api.json` is not an OpenAPI document | {help}")),
        (
            "{\"openapi\": \"3.2.0\"}",
            "E0901 \"3.2.0\": version 3.2.0 of OpenAPI is not read | the versions 2.0, 3.0 and 3.1 are".to_owned(),
        ),
        (
            "{\"openapi\": \"2.0\"}",
            "E0901 \"2.0\": version 2.0 of OpenAPI is not read | the versions 2.0, 3.0 and 3.1 are".to_owned(),
        ),
        (
            "{\"swagger\": 1.2}",
            "E0901 1.2: version 1.2 of OpenAPI is not read | the versions 2.0, 3.0 and 3.1 are".to_owned(),
        ),
    ] {
        assert_eq!(diagnostics_of(text, "api.json#op"), [expected], "{text}");
    }
    assert!(diagnostics_of("{\"openapi\": ", "api.json#op")[0].starts_with("E01"));
    let missing =
        "E0420 api.jsn: the file `api.jsn` does not exist | paths are relative to the folder of the definition";
    assert_eq!(diagnostics_of("{}", "api.jsn#op"), [missing]);
}

#[test]
fn names() {
    let text = with("");
    assert_eq!(
        diagnostics_of(&text, "api.json#OP"),
        ["E0902 OP: the document has no operation `OP` | did you mean `op`?"]
    );
    assert_eq!(
        diagnostics_of(&text, "api.json#charge"),
        ["E0902 charge: the document has no operation `charge` | its operations are `op`"]
    );
    let none = "E0902 op: the document has no operation `op` | give the operation that is meant an `operationId` in the document";
    assert_eq!(diagnostics_of(r#"{"swagger": "2.0", "paths": {"/a": {"get": {}}}}"#, "api.json#op"), [none]);
    let twice = r#"{"swagger": "2.0", "paths": {"/a": {"get": {"operationId": "op"}, "put": {"operationId": "op"}}}}"#;
    let found = "E0902 op: two operations of the document are called `op` | give one of them another `operationId`";
    assert_eq!(diagnostics_of(twice, "api.json#op"), [found]);
}

#[test]
fn operations() {
    let parameter = |members: &str| format!(r#""parameters": [{{{members}}}],"#);
    let body = |content: &str| format!(r#""requestBody": {{"content": {content}}},"#);
    for (members, expected) in [
        (parameter(r#""in": "query""#), r#"E0401 {: a parameter needs `name` | add `name`"#),
        (
            parameter(r#""name": 1, "in": "query""#),
            r#"E0403 1: `name` must be a string, and this is a number | put it in double quotes"#,
        ),
        (
            parameter(r#""name": "a", "in": "body""#),
            r#"E0904 "body": a parameter cannot be in `body` | it is in `path`, `query`, `header` or `cookie`"#,
        ),
        (
            parameter(r#""name": "a", "in": "path""#),
            r#"E0904 "/things/{id}": the path has no place for its parameter `a` | put `{a}` into the path, or remove the parameter"#,
        ),
        (
            parameter(r#""name": "a", "in": "query", "style": "matrix""#),
            r#"E0904 "matrix": a query parameter has no style `matrix` | its styles are `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`"#,
        ),
        (
            parameter(r#""name": "a", "in": "query", "content": {"application/xml": {}}"#),
            r#"E0905 "application/xml": a parameter cannot be written as `application/xml` | `application/json` can be"#,
        ),
        (
            parameter(r##""$ref": "#/components/parameters/a""##),
            r##"E0903 "#/components/parameters/a": `#/components/parameters/a` leads to nothing: there is no `parameters` | name a value that is there"##,
        ),
        (
            parameter(r##""$ref": "#/components/schemas/Loop""##),
            r##"E0903 {"$ref": "#/components/schemas/Loop"}: this reference leads from one to the next and to no end | let one of them name a value"##,
        ),
        (
            parameter(r##""$ref": "#a""##),
            r##"E0903 "#a": `#a` is no JSON pointer | write the way to the value, as in `#/components/schemas/Order`"##,
        ),
        (
            parameter(r#""$ref": 7"#),
            r##"E0403 7: a reference must be a string, and this is a number | write it as `"#/components/…"`"##,
        ),
        (
            parameter(r#""$ref": "https://example.com/a.json""#),
            r#"E0420 "https://example.com/a.json": `https://example.com/a.json` is not read: what a definition means does not depend on a network | put a copy of it beside the definition, and name that"#,
        ),
        (
            body(r#"{"multipart/form-data": {}}"#),
            r#"E0905 "requestBody": the body can only be `multipart/form-data`, which is not sent | name an operation that takes JSON, an urlencoded form or plain text"#,
        ),
        (
            body(r#"{"application/xml": {}, "image/png": {}}"#),
            r#"E0905 "requestBody": the body can only be `application/xml` or `image/png`, which is not sent | name an operation that takes JSON, an urlencoded form or plain text"#,
        ),
        (
            body("{}"),
            r#"E0904 "requestBody": a body needs `content` | add `content`, with a member like `application/json`"#,
        ),
        (
            body(r#"{"application/x-www-form-urlencoded": {"schema": {"type": "string"}}}"#),
            r#"E0904 "requestBody": the body is a form, and its schema is not an object | let its `type` be `object`"#,
        ),
        (
            r#""security": [{"tokn": []}],"#.to_owned(),
            r#"E0904 "tokn": the security scheme `tokn` is not described | did you mean `token`?"#,
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
            r#"E0905 "application/xml": the body can only be `application/xml`, which is not sent | name an operation that takes JSON, an urlencoded form or plain text"#,
        ),
        (
            r#"{"name": "a", "in": "formData", "type": "file"}"#,
            r#"E0905 "file": `a` is a file, and forms with files are not sent | name an operation that takes its data as JSON, or as a form without files"#,
        ),
        (
            r#"{"name": "a", "in": "header", "type": "array", "collectionFormat": "multi"}"#,
            r#"E0904 "multi": a header has no collection format `multi` | it is `csv`, `ssv`, `tsv` or `pipes`"#,
        ),
        (
            r#"{"name": "a", "in": "cookie", "type": "string"}"#,
            r#"E0904 "cookie": a parameter cannot be in `cookie` | it is in `path`, `query`, `header`, `formData` or `body`"#,
        ),
    ] {
        assert_eq!(diagnostics_of(&with(parameter), "api.json#op"), [expected], "{parameter}");
    }
}

#[test]
fn paths() {
    let with =
        |path: &str| format!(r#"{{"openapi": "3.1.0", "paths": {{"{path}": {{"get": {{"operationId": "op"}}}}}}}}"#);
    let found = r#"E0904 {id}: the path has a parameter `id` that is not described | add `{ "name": "id", "in": "path", … }` to its `parameters`"#;
    assert_eq!(diagnostics_of(&with("/a/{id}/b"), "api.json#op"), [found]);
    let found = "E0904 {id: a parameter in this path is not closed | write `}` after its name";
    assert_eq!(diagnostics_of(&with("/a/{id"), "api.json#op"), [found]);
}
