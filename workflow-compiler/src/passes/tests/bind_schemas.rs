//! Tests of the binding of schemas. `tests/named_schemas.rs` has the diagnostics.

use super::dedented;
use crate::hir::Workflow;
use crate::{DescribedValue, Files, Options, SchemaBinding, SchemaFolder, Source, check_only};

/// Returns a workflow with schemas: the name of each is a type.
fn bound(schemas: &[(Option<&str>, DescribedValue, &str)]) -> Workflow {
    let bind = |(task, value, file): &(Option<&str>, DescribedValue, &str)| SchemaBinding {
        task: task.map(str::to_owned),
        value: *value,
        file: (*file).to_owned(),
        is_shared: false,
    };
    let files = Files::new(|path| Ok(format!("{{ \"type\": \"{path}\" }}").into_bytes()));
    let schema_folder = SchemaFolder { name: String::new(), files };
    let options = Options { schemas: schemas.iter().map(bind).collect(), schema_folder, ..Options::default() };
    let text = dedented(
        "
        StartAt: Pay
        States:
          Pay: { Type: Task, Resource: Charge, Next: Again }
          Again: { Type: Task, Resource: Charge, End: true }
        ",
    );
    let output = check_only(Source::new("flow.asl.yaml", text), &options);
    output.workflow.unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics))
}

#[test]
fn a_schema_of_a_state_takes_precedence_over_one_of_a_key() {
    use DescribedValue::{Input, Output};
    let workflow = bound(&[
        (Some("Charge"), Output, "integer"),
        (Some("Again"), Output, "string"),
        (Some("Pay"), Input, "object"),
        (None, Output, "string"),
    ]);
    let shapes = workflow.tasks.iter().map(|task| (task.shapes.input.to_string(), task.shapes.output.to_string()));
    let shapes: Vec<(String, String)> = shapes.collect();
    let expected = [("{ … }", "integer"), ("any", "string")].map(|(input, output)| (input.into(), output.into()));
    assert_eq!(shapes, expected);
    assert!(workflow.input_schema.is_none());
    assert_eq!(workflow.output_schema.map(|schema| schema.shape().to_string()).as_deref(), Some("string"));
}
