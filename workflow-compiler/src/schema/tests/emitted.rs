//! Printing of a workflow with schemas. A test of the runtime runs the file that this test
//! compares.

use super::read_among;
use crate::emit;
use crate::machine::Module;
use crate::names::{snake_case, type_name};
use crate::passes;
use crate::schema::Types;
use crate::shapes::Shape;
use crate::source::Source;
use crate::{Options, check_only, pretty_file};
use std::path::Path;

const ORDER: &str = r##"{
    "$schema": "http://json-schema.org/draft-07/schema#",
    "description": "What somebody orders.",
    "type": "object",
    "required": ["id", "lines", "pay"],
    "additionalProperties": false,
    "properties": {
        "id": { "type": "string", "pattern": "^[A-Z]+-[0-9]+$" },
        "lines": { "type": "array", "minItems": 1, "items": { "$ref": "#/definitions/line" } },
        "pay": { "oneOf": [{ "$ref": "#/definitions/card" }, { "type": "string", "enum": ["cash", "invoice"] }] },
        "note": { "type": ["string", "null"], "description": "For whoever packs it:\n```\nno code\n```" },
        "labels": { "type": "object", "additionalProperties": { "type": "string" } },
        "more": {}
    },
    "definitions": {
        "line": {
            "type": "object",
            "required": ["sku", "count"],
            "properties": {
                "sku": { "type": "string" },
                "count": { "type": "integer", "minimum": 1 },
                "parts": { "type": "array", "items": { "$ref": "#/definitions/line" } }
            }
        },
        "card": { "type": "object", "required": ["number"], "properties": { "number": { "type": "string", "format": "uuid" } } }
    }
}"##;
const RECEIPT: &str = r#"{ "type": "object", "required": ["id"], "properties": { "id": { "type": "string" }, "cents": { "type": "integer" } } }"#;
const WORKFLOW: &str = r#"{ "StartAt": "Sum", "States": { "Sum": { "Type": "Pass", "End": true } } }"#;

#[test]
fn a_workflow_with_schemas_is_printed() {
    let mut output = check_only(Source::new("receipt.asl.json", WORKFLOW), &Options::default());
    let mut workflow = output.workflow.clone().expect("it is accepted");
    workflow.input_schema = read_among(&[("order.json", ORDER)], "order.json").schema;
    workflow.output_schema = read_among(&[("receipt.json", RECEIPT)], "receipt.json").schema;
    let mut found = crate::diagnostics::Diagnostics::default();
    let ends = [workflow.input_schema.as_ref(), workflow.output_schema.as_ref()];
    let types = Types::of(ends, &Shape::any(), workflow.span, &mut found);
    let found = found.finish();
    assert!(found.is_empty(), "{found:?}");
    let module = Module {
        name: snake_case(&workflow.name),
        type_name: type_name(&workflow.name),
        hash: 0,
        data_limit: None,
        jsonata_limits: None,
        sources: &output.sources,
        machine: passes::lower(&workflow, passes::Verified::EachPass, &mut |_, _| {}),
        tables: passes::collect_tables(&workflow),
        task_names: crate::index::IndexVec::new(),
        input: None,
        output: None,
        types,
        paths: crate::shapes::TypedPaths::default(),
        current: None,
    };
    let tokens = emit::emit(&module);
    output.tokens = Some(tokens);
    let printed = pretty_file(&output).expect("there are tokens");
    let mut settings = insta::Settings::new();
    // The tests of the runtime run the module.
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("../workflow-runtime/tests/machines"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_binary_snapshot!("receipt.rs", printed.into_bytes()));
}
