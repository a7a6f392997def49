//! Tests of the shapes of the items and of the results of distributed Maps.

use super::*;
use crate::model::ScopeId;
use crate::passes::infer_shapes;

/// Returns the shapes of the input of the item processor and of the result of a Map with these
/// fields. The output of each execution is a number.
fn shapes(fields: &str) -> (String, String) {
    let workflow = asl(&format!(
        r#"
        StartAt: Prepare
        States:
          Prepare: {{ Type: Pass, Result: {{ list: [{{ id: 7 }}], object: {{ id: 7 }} }}, Next: Each }}
          Each:
            Type: Map
            ItemProcessor:
              ProcessorConfig: {{ Mode: DISTRIBUTED, ExecutionType: STANDARD }}
              StartAt: One
              States:
                One: {{ Type: Pass, Next: Two }}
                Two: {{ Type: Pass, Result: 1, End: true }}
            {fields}
            End: true
        "#
    ));
    let shapes = infer_shapes(&workflow, &mut Diagnostics::default()).expect("the definition is small");
    let one = shapes.scopes.iter().zip(&workflow.scopes).find_map(|(found, scope)| {
        let at = scope.states.iter().position(|state| &*state.name.value == "One")?;
        Some(found.states[at].as_ref()?.input.to_string())
    });
    (one.expect("the state is entered"), shapes.scopes[ScopeId(0)].output.to_string())
}

#[test]
fn the_items_of_a_distributed_map_are_those_of_its_reader() {
    let get = |kind: &str| {
        format!(
            "ItemReader: {{ Resource: 'arn:aws:states:::s3:getObject', ReaderConfig: {{ {kind} }}, \
             Parameters: {{ Bucket: b, Key: k }} }}"
        )
    };
    let list = |config: &str| {
        format!("ItemReader: {{ Resource: 'arn:aws:states:::s3:listObjectsV2', {config} Parameters: {{ Bucket: b }} }}")
    };
    let object = "{ Etag?: string, Key?: string, Size?: number, StorageClass?: string, … }";
    for (fields, expected) in [
        ("ItemsPath: $.list".to_owned(), "{ id: 7 }"),
        (list(""), object),
        (list("ReaderConfig: { Transformation: LOAD_AND_FLATTEN, InputType: JSON },"), "any"),
        (get("InputType: CSV, CSVHeaderLocation: FIRST_ROW"), "{ …: string }"),
        (get("InputType: JSON"), "any"),
    ] {
        assert_eq!(shapes(&fields).0, expected, "{fields}");
    }
}

#[test]
fn batches_and_selections_of_items_are_known() {
    for (fields, expected) in [
        ("ItemsPath: $.list, ItemBatcher: { MaxItemsPerBatch: 2 }", "{ Items: [{ id: 7 }…] }"),
        (
            "ItemsPath: $.list, ItemBatcher: { MaxItemsPerBatch: 2, BatchInput: { a: 1 } }",
            "{ BatchInput: { a: 1 }, Items: [{ id: 7 }…] }",
        ),
        ("ItemsPath: $.list, ItemSelector: { item.$: $$.Map.Item.Value, a: x }", "{ a: \"x\", item: any }"),
    ] {
        assert_eq!(shapes(&fields.replace(", Item", "\n            Item")).0, expected, "{fields}");
    }
}

#[test]
fn the_result_of_a_distributed_map_is_a_list_or_says_where_it_is() {
    let writer = "ResultWriter: { Resource: 'arn:aws:states:::s3:putObject', Parameters: { Bucket: b } }";
    let written = "{ MapRunArn?: string, ResultWriterDetails?: { Bucket?: string, Key?: string, … }, … }";
    for (fields, expected) in [
        ("ItemsPath: $.list", "[1…]"),
        ("ItemsPath: $.list\n            ToleratedFailureCount: 1", "[any…]"),
        (
            "ItemsPath: $.list\n            ResultWriter: { WriterConfig: { OutputType: JSON, Transformation: FLATTEN } }",
            "[any…]",
        ),
        (&format!("ItemsPath: $.list\n            {writer}"), written),
    ] {
        assert_eq!(shapes(fields).1, expected, "{fields}");
    }
}
