//! Schemas that become types.

use crate::Definition;
use crate::input::{Choices, Texts};
use crate::template::fill;

pub(crate) const SHAPES: u8 = 4;

const DEFINITION: &str = r#"{
  "id": "flow",
  "name": "flow",
  "dataInputSchema": "in.json",
  "dataOutputSchema": "out.json",
  "states": [
    { "name": "Pay", "type": "inject", "data": { "a": 1 }, "start": { "kind": "default" }, "end": { "kind": "default" } }
  ]
}"#;

const DRAFT_7: &str = r##"{
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "«0»",
  "description": "«1»",
  "type": "object",
  "required": ["«2»", "«3»"],
  "properties": {
    "«2»": { "type": "string", "title": "«4»", "description": "«5»", "pattern": "^a", "default": "«6»" },
    "«3»": { "type": "string", "enum": ["«7»", "«8»", "plain"] },
    "«9»": { "type": "object", "title": "«10»", "description": "«11»", "properties": { "«12»": { "type": "integer" }, "«2»": { "$ref": "#/definitions/«13»" } } },
    "«14»": { "oneOf": [{ "title": "«15»", "type": "object", "properties": { "«16»": { "type": "boolean" } }, "required": ["«16»"], "additionalProperties": false }, { "type": "string", "const": "«17»" }] },
    "«18»": { "type": "array", "items": { "$ref": "#/definitions/«13»" } }
  },
  "definitions": {
    "«13»": { "type": "object", "description": "«5»", "properties": { "«19»": { "type": "number", "description": "«1»" } }, "additionalProperties": { "type": "string", "description": "«11»" } }
  }
}"##;

const DRAFT_2020: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$comment": "«0»",
  "description": "«1»",
  "type": "object",
  "properties": {
    "«2»": { "anyOf": [{ "$ref": "#/$defs/«3»" }, { "$ref": "#/$defs/«4»" }] },
    "«5»": { "allOf": [{ "$ref": "#/$defs/«3»" }, { "type": "object", "properties": { "«6»": { "type": "string" } } }] },
    "«7»": { "type": ["string", "null"], "format": "«8»", "examples": ["«9»"] },
    "«10»": { "type": "object", "additionalProperties": { "type": "array", "items": { "enum": ["«11»", "«12»"] } } }
  },
  "$defs": {
    "«3»": { "title": "«13»", "description": "«14»", "type": "object", "properties": { "«15»": { "const": "«16»" } }, "required": ["«15»"] },
    "«4»": { "title": "«17»", "description": "«18»", "type": "string", "enum": ["«19»", "«20»"] }
  }
}"##;

/// Combinators in all places, with members of the same names: the fuzz targets put schemas
/// together that multiply.
const COMBINED: &str = r##"{
  "$ref": "#/$defs/«0»",
  "properties": { "«1»": { "anyOf": [{ "$ref": "#/$defs/«2»" }, { "$ref": "#/$defs/«3»" }, { "$ref": "#" }] } },
  "$defs": {
    "«0»": { "allOf": [{ "$ref": "#/$defs/«2»" }, { "$ref": "#/$defs/«3»" }, { "properties": { "«1»": { "oneOf": [{ "type": "string" }, { "type": "null" }] } } }] },
    "«2»": { "anyOf": [{ "properties": { "«1»": { "type": "string" } } }, { "required": ["«1»"] }] },
    "«3»": { "oneOf": [{ "$ref": "#/$defs/«4»" }, { "allOf": [{ "$ref": "#/$defs/«4»" }, { "properties": { "«5»": { "$ref": "#/$defs/«0»" } } }] }] },
    "«4»": { "type": "object", "additionalProperties": { "$ref": "#/$defs/«4»" }, "properties": { "«5»": { "$ref": "#/$defs/«3»" } } }
  }
}"##;

const OUTPUT: &str = r#"{ "type": "object", "description": "«1»", "properties": { "«2»": { "description": "«5»", "type": "integer" } } }"#;

pub(crate) fn definition(choices: &mut Choices<'_>, texts: &Texts) -> Definition {
    let (input, definition) = match choices.below(usize::from(SHAPES)) {
        0 => (DRAFT_7, DEFINITION.to_owned()),
        1 => (DRAFT_2020, DEFINITION.to_owned()),
        2 => (COMBINED, DEFINITION.to_owned()),
        // The text is the path of a schema.
        _ => (DRAFT_7, DEFINITION.replace("in.json", "./«21».json")),
    };
    let path = format!("{}.json", texts.get(21));
    let files = vec![
        ("in.json".to_owned(), fill(input, texts)),
        ("out.json".to_owned(), fill(OUTPUT, texts)),
        (path, fill(input, texts)),
    ];
    Definition { file: "flow.serverless-workflow.json".to_owned(), text: fill(&definition, texts), name: None, files }
}
