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
        ["WF0902 OP: unknown operation `OP` in the document | did you mean `op`?"]
    );
    assert_eq!(
        diagnostics_of(&text, "api.json#charge"),
        ["WF0902 charge: unknown operation `charge` in the document | the operations of the document are `op`"]
    );
    let none =
        "WF0902 op: unknown operation `op` in the document | add an `operationId` to the operation in the document";
    assert_eq!(diagnostics_of(r#"{"swagger": "2.0", "paths": {"/a": {"get": {}}}}"#, "api.json#op"), [none]);
    let twice = r#"{"swagger": "2.0", "paths": {"/a": {"get": {"operationId": "op"}, "put": {"operationId": "op"}}}}"#;
    let found = "WF0902 op: duplicate `operationId` `op` in the document | give one of them another `operationId`";
    assert_eq!(diagnostics_of(twice, "api.json#op"), [found]);
}

#[test]
fn operations() {
    let parameter = |members: &str| format!(r#""parameters": [{{{members}}}],"#);
    let body = |content: &str| format!(r#""requestBody": {{"content": {content}}},"#);
    for (members, expected) in [
        (parameter(r#""in": "query""#), r#"WF0401 {: missing `name` in a parameter | add `name`"#),
        (
            parameter(r#""name": 1, "in": "query""#),
            r#"WF0403 1: `name` must be a string, found a number | put it in double quotes"#,
        ),
        (
            parameter(r#""name": "a", "in": "body""#),
            r#"WF0904 "body": invalid location `body` of a parameter | use `path`, `query`, `header` or `cookie`"#,
        ),
        (
            parameter(r#""name": "a", "in": "path""#),
            r#"WF0904 "/things/{id}": the path parameter `a` does not occur in the path | add `{a}` to the path, or remove the parameter"#,
        ),
        (
            parameter(r#""name": "a", "in": "query", "style": "matrix""#),
            r#"WF0904 "matrix": invalid style `matrix` of a query parameter | its styles are `form`, `spaceDelimited`, `pipeDelimited` and `deepObject`"#,
        ),
        (
            parameter(r#""name": "a", "in": "query", "content": {"application/xml": {}}"#),
            r#"WF0905 "application/xml": unsupported media type `application/xml` of a parameter | use `application/json`"#,
        ),
        (
            parameter(r##""$ref": "#/components/parameters/a""##),
            r##"WF0903 "#/components/parameters/a": cannot resolve `#/components/parameters/a`: `parameters` does not exist | refer to an existing value"##,
        ),
        (
            parameter(r##""$ref": "#/components/schemas/Loop""##),
            r##"WF0903 {"$ref": "#/components/schemas/Loop"}: circular reference | refer to a value instead of another reference"##,
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
            r#"WF0420 "https://example.com/a.json": `https://example.com/a.json` is a URL: the compiler does not read from the network | copy the file to the folder of the definition, and write the path of the copy"#,
        ),
        (
            body(r#"{"multipart/form-data": {}}"#),
            r#"WF0905 "requestBody": no supported media type of the body: found `multipart/form-data` | call an operation that takes JSON, a URL-encoded form or plain text"#,
        ),
        (
            body(r#"{"application/xml": {}, "image/png": {}}"#),
            r#"WF0905 "requestBody": no supported media type of the body: found `application/xml`, `image/png` | call an operation that takes JSON, a URL-encoded form or plain text"#,
        ),
        (
            body("{}"),
            r#"WF0904 "requestBody": missing `content` in a request body | add `content`, with a member such as `application/json`"#,
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
            r#"WF0905 "application/xml": no supported media type of the body: found `application/xml` | call an operation that takes JSON, a URL-encoded form or plain text"#,
        ),
        (
            r#"{"name": "a", "in": "formData", "type": "file"}"#,
            r#"WF0905 "file": files in forms are not supported: `a` | call an operation that takes JSON, or a form without files"#,
        ),
        (
            r#"{"name": "a", "in": "header", "type": "array", "collectionFormat": "multi"}"#,
            r#"WF0904 "multi": invalid collection format `multi` of a header | use `csv`, `ssv`, `tsv` or `pipes`"#,
        ),
        (
            r#"{"name": "a", "in": "cookie", "type": "string"}"#,
            r#"WF0904 "cookie": invalid location `cookie` of a parameter | use `path`, `query`, `header`, `formData` or `body`"#,
        ),
    ] {
        assert_eq!(diagnostics_of(&with(parameter), "api.json#op"), [expected], "{parameter}");
    }
}

#[test]
fn paths() {
    let with =
        |path: &str| format!(r#"{{"openapi": "3.1.0", "paths": {{"{path}": {{"get": {{"operationId": "op"}}}}}}}}"#);
    let found = r#"WF0904 {id}: undescribed path parameter `id` | add `{ "name": "id", "in": "path", … }` to the `parameters` of the operation"#;
    assert_eq!(diagnostics_of(&with("/a/{id}/b"), "api.json#op"), [found]);
    let found = "WF0904 {id: unclosed parameter in the path | write `}` after its name";
    assert_eq!(diagnostics_of(&with("/a/{id"), "api.json#op"), [found]);
}
