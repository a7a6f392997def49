//! Tests of assembled requests.

use super::{read, with};
use crate::openapi::name_services;

pub const TWO: &str = r#"
swagger: 2.0
host: bank.example.com
basePath: /v1/
schemes: [http, https]
consumes: [application/json]
securityDefinitions:
  key: { type: apiKey, in: query, name: api_key }
  user: { type: basic }
security:
  - key: []
  - user: []
paths:
  /accounts/{account}/charges:
    parameters:
      - { $ref: '#/parameters/account' }
    post:
      operationId: charge
      parameters:
        - { name: order, in: body, required: true, schema: { $ref: '#/definitions/Order' } }
        - { name: tags, in: query, type: array, items: { type: string }, collectionFormat: pipes }
        - { name: Authorization, in: header, type: string, required: true }
        - { name: X-Trace, in: header, type: array, items: { type: string } }
    get:
      operationId: charges
      security: []
      parameters:
        - { name: account, in: path, required: true, type: integer }
        - { name: since, in: query, type: array, items: { type: string }, collectionFormat: multi }
        - { name: until, in: query, type: array, items: { type: string } }
        - { name: a, in: query, type: array, items: { type: string }, collectionFormat: ssv }
        - { name: b, in: query, type: array, items: { type: string }, collectionFormat: tsv }
  /login:
    post:
      operationId: login
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - { name: user, in: formData, type: string, required: true }
        - { name: roles, in: formData, type: array, items: { type: string }, collectionFormat: multi }
parameters:
  account: { name: account, in: path, required: true, type: string }
definitions:
  Order:
    type: object
    required: [amount]
    properties: { amount: { type: number } }
"#;

#[test]
fn version_2() {
    let files = [("api.yaml", TWO)];
    let read = |id: &str| read(&files, &format!("api.yaml#{id}"), None);
    assert_eq!(
        read("charge").shown(),
        "api POST /accounts/{account}/charges; Path \"account\" of \"account\" Simple whole required; Query \"tags\" of \"tags\" \
         Pipes of items; Header \"X-Trace\" of \"X-Trace\" Simple of items; body Json \"application/json\" of [\"body\", \"order\"] members \
         required; as \"key\" ApiKey(Query, \"api_key\") or \"user\" Basic"
    );
    assert_eq!(read("charge").rest().server.as_deref(), Some("http://bank.example.com/v1"));
    assert_eq!(
        read("charges").shown(),
        "api GET /accounts/{account}/charges; Path \"account\" of \"account\" Simple whole required; Query \"since\" of \"since\" \
         Form of items exploded; Query \"until\" of \"until\" Form of items; Query \"a\" of \"a\" Spaces of items; Query \"b\" of \"b\" Tabs of \
         items"
    );
    assert_eq!(
        read("login").shown(),
        "api POST /login; Form \"user\" of \"user\" Form whole required; Form \"roles\" of \"roles\" Form of items exploded; body Form \
         \"application/x-www-form-urlencoded\" of [\"body\"] required; as \"key\" ApiKey(Query, \"api_key\") or \"user\" Basic"
    );
}

pub const THREE: &str = r##"{
  "openapi": "3.1.0",
  "servers": [{ "url": "https://{region}.example.com/v2", "variables": { "region": { "default": "eu" } } }],
  "paths": {
    "/search of all/{kind}": {
      "get": {
        "operationId": "search",
        "parameters": [
          { "name": "kind", "in": "path", "required": true, "style": "label", "explode": true, "schema": { "type": "string" } },
          { "name": "a", "in": "query", "explode": false, "schema": { "type": "array" } },
          { "name": "b", "in": "query", "style": "spaceDelimited", "schema": { "type": "array" } },
          { "name": "c", "in": "query", "style": "deepObject", "allowReserved": true, "schema": { "type": "object" } },
          { "name": "d", "in": "query", "content": { "application/json": { "schema": { "type": "object" } } } },
          { "name": "e", "in": "cookie", "schema": { "type": "string" } },
          { "name": "idempotency-KEY", "in": "header", "required": true, "schema": { "type": "string" } }
        ]
      },
      "put": {
        "operationId": "replace",
        "servers": [{ "url": "/here" }],
        "parameters": [
          { "name": "kind", "in": "path", "required": true, "schema": { "type": "string" } },
          { "name": "kind", "in": "query", "schema": { "type": "string" } }
        ],
        "requestBody": { "$ref": "#/components/requestBodies/Kind" }
      },
      "delete": {
        "operationId": "remove",
        "parameters": [{ "name": "kind", "in": "path", "required": true, "schema": { "type": "string" } }],
        "requestBody": { "content": { "text/plain": { "schema": { "type": "string" } } } }
      }
    },
    "/form": {
      "post": {
        "operationId": "form",
        "requestBody": { "required": true, "content": {
          "multipart/form-data": {},
          "application/x-www-form-urlencoded": {
            "schema": { "type": "object", "required": ["a"], "properties": {
              "a": { "type": "string" }, "b": { "type": "object" }, "c": { "type": "array" } } },
            "encoding": { "c": { "style": "pipeDelimited" } } } } }
      }
    }
  },
  "components": { "requestBodies": { "Kind": { "required": true, "content": {
    "application/xml": {}, "application/vnd.kind+json; v=1": { "schema": { "type": ["object", "null"], "properties": { "body": {} } } } } } } }
}"##;

#[test]
fn version_3() {
    let files = [("apis/shop.open.json", THREE)];
    let read = |id: &str| read(&files, &format!("apis/shop.open.json#{id}"), None);
    let search = read("search");
    assert_eq!(
        search.shown(),
        "shop GET /search%20of%20all/{kind}; Path \"kind\" of \"kind\" Label whole exploded required; Query \"a\" of \"a\" Form of \
         items; Query \"b\" of \"b\" Spaces of items; Query \"c\" of \"c\" Deep of members exploded reserved; Query \"d\" of \"d\" Json; \
         Cookie \"e\" of \"e\" Form whole exploded; Header \"idempotency-KEY\" of \"idempotency-KEY\" Simple whole"
    );
    assert_eq!(search.rest().server.as_deref(), Some("https://eu.example.com/v2"));
    let replace = read("replace");
    assert_eq!(
        replace.shown(),
        "shop PUT /search%20of%20all/{kind}; Path \"kind\" of \"path.kind\" Simple whole required; Query \"kind\" of \"query.kind\" Form \
         whole exploded; body Json \"application/vnd.kind+json; v=1\" of [] members required"
    );
    assert_eq!(replace.rest().server.as_deref(), Some("/here"));
    assert!(read("remove").shown().ends_with("; body Text \"text/plain\" of [\"body\"]"));
    assert_eq!(
        read("form").shown(),
        "shop POST /form; Form \"a\" of \"a\" Form whole exploded required; Form \"b\" of \"b\" Json; Form \"c\" of \"c\" Pipes of items; body Form \
         \"application/x-www-form-urlencoded\" of [\"body\"] required"
    );
}

#[test]
fn fields_of_forms_are_written_by_their_encoding_or_their_type() {
    let form = |schema: &str, encoding: &str| {
        let members = format!(
            r#""requestBody": {{"content": {{"application/x-www-form-urlencoded": {{"schema":
                {{"type": "object", "properties": {{"f": {schema}}}}}, "encoding": {{"f": {encoding}}}}}}}}},"#
        );
        read(&[("api.json", &with(&members))], "api.json#op", None)
    };
    const OBJECT: &str = r#"{"type": "object"}"#;
    const TEXT: &str = r#"{"type": "string"}"#;
    for (schema, encoding, expected) in [
        (OBJECT, "{}", "Json"),
        (OBJECT, r#"{"headers": {"X": {}}}"#, "Json"),
        (OBJECT, r#"{"contentType": "application/json"}"#, "Json"),
        (OBJECT, r#"{"contentType": "text/plain, application/json"}"#, "Json"),
        (OBJECT, r#"{"style": "form"}"#, "Form of members exploded"),
        (OBJECT, r#"{"style": "deepObject"}"#, "Deep of members exploded"),
        (OBJECT, r#"{"explode": false}"#, "Form of members"),
        (OBJECT, r#"{"allowReserved": true, "contentType": "image/png"}"#, "Form of members exploded reserved"),
        (r##"{"$ref": "#/components/schemas/Tree"}"##, "{}", "Json"),
        (r#"{"type": ["object", "null"]}"#, "{}", "Json"),
        (r#"{"type": ["object", "string"]}"#, "{}", "Typed of members"),
        ("{}", "{}", "Typed"),
        ("{}", r#"{"contentType": "text/plain"}"#, "Form of items exploded"),
        (r#"{"type": "array", "items": {"type": "object"}}"#, "{}", "Form of items exploded"),
        (r#"{"type": "array"}"#, r#"{"contentType": "application/json"}"#, "Json"),
        (TEXT, "{}", "Form whole exploded"),
        (TEXT, r#"{"contentType": "text/plain; charset=utf-8"}"#, "Form whole exploded"),
        (TEXT, r#"{"contentType": "*/*"}"#, "Form whole exploded"),
        (TEXT, r#"{"contentType": "application/json"}"#, "Json"),
    ] {
        let shown = form(schema, encoding).shown();
        let found = shown.split("; ").find_map(|part| part.strip_prefix(r#"Form "f" of "f" "#));
        assert_eq!(found, Some(expected), "{schema} {encoding}");
    }
    for (schema, kind) in [(OBJECT, "text/plain"), (OBJECT, "application/xml"), (TEXT, "image/png")] {
        let found = form(schema, &format!(r#"{{"contentType": "{kind}"}}"#)).messages;
        let expected = format!(
            "WF0905 \"{kind}\": the field `f` cannot be encoded as its `contentType` | use `application/json`, or `text/plain` for \
             a value that is not an object"
        );
        assert_eq!(found, [expected]);
    }
}

#[test]
fn what_may_be_taken_apart_is_known() {
    for (schema, expected) in [
        ("{}", ""),
        (r#"{"type": "string"}"#, " whole"),
        (r#"{"type": ["integer", "null"]}"#, " whole"),
        (r#"{"type": "array", "items": {"type": "object"}}"#, " of items"),
        (r#"{"type": ["array", "string"]}"#, " of items"),
        (r##"{"$ref": "#/components/schemas/Tree"}"##, " of members"),
        (r#"{"type": ["array", "object"]}"#, ""),
        (r#"{"type": "file"}"#, ""),
        (r#"{"enum": ["a", "b"]}"#, " whole"),
        (r#"{"const": {"a": 1}}"#, " of members"),
        (r#"{"oneOf": [{"type": "string"}, {"type": "array"}]}"#, " of items"),
        (r#"{"allOf": [{}, {"type": "string"}]}"#, " whole"),
        (r#"{"anyOf": [{}, {"type": "string"}]}"#, ""),
    ] {
        let members = format!(r#""parameters": [{{"name": "q", "in": "query", "schema": {schema}}}],"#);
        let shown = read(&[("api.json", &with(&members))], "api.json#op", None).shown();
        let found = shown.split("; ").find_map(|part| part.strip_prefix(r#"Query "q" of "q" Form"#));
        assert_eq!(found, Some(&*format!("{expected} exploded")), "{schema}");
    }
    // A recursive schema allows anything.
    let members = r##""parameters": [{"name": "q", "in": "query", "schema": {"anyOf": [{"$ref": "#/paths/~1things~1{id}/post/parameters/0/schema"}]}}],"##;
    assert!(read(&[("api.json", &with(members))], "api.json#op", None).shown().contains(r#""q" Form exploded"#));
}

#[test]
fn which_bodies_have_members() {
    let body = |schema: &str| {
        let members = format!(r#""requestBody": {{"content": {{"application/json": {{"schema": {schema}}}}}}},"#);
        let read = read(&[("api.json", &with(&members))], "api.json#op", None);
        let body = read.rest().body.clone().expect("a body");
        (body.whole.join(" "), body.members)
    };
    for (schema, whole, members) in [
        (r#"{"type": "object"}"#, "body", true),
        ("{}", "body", true),
        (r##"{"$ref": "#/components/schemas/Tree"}"##, "body", true),
        (r#"{"allOf": [{"properties": {"a": {}}}, {"required": ["a"]}]}"#, "body", true),
        (r#"{"oneOf": [{"type": "string"}, {"type": "object", "properties": {"body": {}}}]}"#, "", true),
        (r#"{"type": "array", "items": {"type": "object"}}"#, "body", false),
        (r#"{"type": ["string", "null"]}"#, "body", false),
        (r#"{"anyOf": [{"type": "string"}, {"type": "integer"}]}"#, "body", false),
    ] {
        assert_eq!(body(schema), (whole.to_owned(), members), "{schema}");
    }
}

#[test]
fn as_whom() {
    let shown = |security: &str| {
        let shown = read(&[("api.json", &with(&format!(r#""security": {security},"#)))], "api.json#op", None).shown();
        shown.split_once("; as ").map(|(_, schemes)| schemes.to_owned())
    };
    for (security, expected) in [
        ("[]", None),
        ("[{}]", None),
        (r#"[{"key": []}]"#, Some(r#""key" ApiKey(Header, "X-Key")"#)),
        (
            r#"[{"user": [], "key": []}, {"token": []}]"#,
            Some(r#""user" Basic and "key" ApiKey(Header, "X-Key") or "token" Bearer"#),
        ),
        (r#"[{"flow": ["read"]}, {}]"#, Some(r#""flow" Bearer or nobody"#)),
        (r#"[{"digest": []}]"#, Some(r#""digest" Other("digest")"#)),
    ] {
        assert_eq!(shown(security).as_deref(), expected, "{security}");
    }
}

#[test]
fn documents_in_several_files() {
    let main = r##"{"openapi": "3.0.0", "paths": {"/a/{id}": {"$ref": "../parts/a.yaml#/item"}, "/b": {"$ref": "gone.json"}}}"##;
    let item = "item:\n  parameters:\n  - $ref: 'parameters.yaml#/id%20of%20it'\n  get: { operationId: a }\n";
    let parameters = "id of it: { name: id, in: path, required: true, schema: { type: string } }\n";
    let files = [("apis/main.json", main), ("parts/a.yaml", item), ("parts/parameters.yaml", parameters)];
    let found = read(&files, "apis/main.json#a", None);
    assert_eq!(found.shown(), "main GET /a/{id}; Path \"id\" of \"id\" Simple whole required");
    assert_eq!(found.messages, Vec::<String>::new());
    // A file that cannot be read may contain the operation.
    let found = read(&files, "apis/main.json#b", None);
    let missing = "WF0420 \"gone.json\": the file `apis/gone.json` does not exist | paths are relative to the folder of the definition";
    assert_eq!(found.messages, [missing]);
}

/// Content of the document besides the operation does not affect the hash of the definition.
#[test]
fn only_the_operation_is_part_of_the_meaning() {
    let hash = |text: &str| read(&[("api.json", text)], "api.json#op", None).hash.expect("a hash");
    let plain = hash(&with(""));
    assert_eq!(plain, hash(&with(r#""summary": "does something", "servers": [{"url": "https://example.com"}],"#)));
    assert_ne!(plain, hash(&with(r#""parameters": [{"name": "a", "in": "query"}],"#)));
    assert_ne!(plain, hash(&with(r#""security": [{"key": []}],"#)));
}

#[test]
fn services_are_named_after_their_documents() {
    let names = |documents: &[&str]| {
        let rest = read(&[("api.json", &with(""))], "api.json#op", None).rest().clone();
        let mut operations: Vec<_> = documents.iter().map(|_| rest.clone()).collect();
        for (operation, document) in operations.iter_mut().zip(documents) {
            operation.document = (*document).to_owned();
        }
        name_services(operations.iter_mut());
        operations.into_iter().map(|operation| operation.service).collect::<Vec<_>>()
    };
    assert_eq!(names(&["apis/bank.openapi.json", "hotel.yaml", "hotel.yaml"]), ["bank", "hotel", "hotel"]);
    assert_eq!(names(&["a/bank.json", "b/Bank.yaml", ".x"]), ["a/bank.json", "b/Bank.yaml", "x"]);
    assert_eq!(names(&["a-b.json", "a_b.json", "ä.json", "ö.json"]), ["a-b.json", "a_b.json 2", "ä", "ö"]);
    // The whole name of one document is the short name of another.
    assert_eq!(names(&["a/b", "a_b.json"]), ["b", "a_b.json"]);
}
