//! Documents whose operations a definition calls.

use crate::Definition;
use crate::input::{Choices, Texts};
use crate::template::fill;

pub(crate) const SHAPES: u8 = 2;

const STATE_MACHINE: &str = r#"{
  "name": "flow",
  "version": "1",
  "functions": [
    { "name": "get", "operation": "«21».json#«0»" },
    { "name": "put", "operation": "«21».json#put" }
  ],
  "states": [
    {
      "name": "One",
      "start": true,
      "enterAction": { "type": "invokeFunction", "functionName": "get", "waitForCompletion": true, "arguments": { "«1»": "«2»", "«3»": "«2»", "«4»": "a", "«5»": ["«2»"] } },
      "transitions": [{ "nextState": "Two" }]
    },
    { "name": "Two", "enterAction": { "type": "invokeFunction", "functionName": "put", "waitForCompletion": true, "arguments": { "«6»": "«2»", "«7»": { "«8»": "«2»" } } } }
  ]
}"#;

const VERSION_3: &str = r##"{
  "openapi": "3.1.0",
  "info": { "title": "«9»", "description": "«10»", "version": "«10»" },
  "servers": [{ "url": "https://example.com/«11»", "description": "«10»" }],
  "security": [{ "«12»": [] }, { "«13»": [] }],
  "paths": {
    "/a«14»/{«1»}/b«15»": {
      "get": {
        "operationId": "«0»",
        "summary": "«10»",
        "tags": ["«9»"],
        "parameters": [
          { "name": "«1»", "in": "path", "required": true, "description": "«10»", "schema": { "type": "string" } },
          { "name": "«3»", "in": "query", "style": "form", "schema": { "type": "string", "enum": ["«2»"] } },
          { "name": "«4»", "in": "header", "schema": { "type": "string" } },
          { "name": "«5»", "in": "cookie", "schema": { "type": "array", "items": { "type": "string" } } }
        ],
        "responses": { "200": { "description": "«10»" } }
      }
    },
    "/put": {
      "put": {
        "operationId": "put",
        "requestBody": {
          "description": "«10»",
          "required": true,
          "content": { "application/«16»+json": { "schema": { "$ref": "#/components/schemas/«17»" } } }
        },
        "responses": {}
      }
    }
  },
  "components": {
    "schemas": { "«17»": { "type": "object", "title": "«9»", "required": ["«6»"], "properties": { "«6»": { "type": "string", "description": "«10»" }, "«7»": { "type": "object", "properties": { "«8»": { "enum": ["«2»"] } } } } } },
    "securitySchemes": { "«12»": { "type": "http", "scheme": "bearer", "description": "«10»" }, "«13»": { "type": "apiKey", "in": "header", "name": "«18»" } }
  }
}"##;

const VERSION_2: &str = r#"{
  "swagger": "2.0",
  "info": { "title": "«9»", "version": "1" },
  "host": "example.com",
  "basePath": "/«11»",
  "schemes": ["https"],
  "consumes": ["application/«16»+json"],
  "paths": {
    "/a«14»/{«1»}/b«15»": {
      "get": {
        "operationId": "«0»",
        "description": "«10»",
        "parameters": [
          { "name": "«1»", "in": "path", "required": true, "type": "string" },
          { "name": "«3»", "in": "query", "type": "string" },
          { "name": "«4»", "in": "header", "type": "string" },
          { "name": "«5»", "in": "query", "type": "array", "items": { "type": "string" }, "collectionFormat": "csv" }
        ],
        "responses": { "200": { "description": "«10»" } }
      }
    },
    "/put": {
      "put": {
        "operationId": "put",
        "parameters": [{ "name": "«19»", "in": "body", "schema": { "type": "object", "required": ["«6»"], "properties": { "«6»": { "type": "string" }, "«7»": { "type": "object" } } } }],
        "responses": { "200": { "description": "«10»" } }
      }
    }
  }
}"#;

pub(crate) fn definition(choices: &mut Choices<'_>, texts: &Texts) -> Definition {
    let document = if choices.below(usize::from(SHAPES)) == 0 { VERSION_3 } else { VERSION_2 };
    let files = vec![(format!("{}.json", texts.get(21)), fill(document, texts))];
    Definition { file: "flow.sm4c.json".to_owned(), text: fill(STATE_MACHINE, texts), name: None, files }
}

/// Returns the text without the characters that divide paths and references.
pub(crate) fn fitted(place: usize, text: &str) -> String {
    let dividing: &[char] = match place {
        1 | 11 | 14 | 15 => &['/', '{', '}', '?', '#', '%'],
        0 | 17 | 21 => &['/', '#', '%', '~'],
        _ => &[],
    };
    let text = text.replace(dividing, "");
    if text.is_empty() { "x".to_owned() } else { text }
}
