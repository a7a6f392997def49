//! Tests of the data of tasks.

use super::*;
use crate::passes::infer_tasks;

/// Returns the inputs and outputs of the tasks.
fn tasks(dialect: &str, text: &str) -> Vec<String> {
    let output = checked(dialect, text, &Options::default());
    let workflow = output.workflow.as_ref().unwrap_or_else(|| panic!("refused: {:?}", output.diagnostics));
    let shapes = infer_tasks(workflow).expect("the definition is small");
    let shown = workflow.tasks.iter().zip(shapes.iter());
    shown.map(|(task, shapes)| format!("{}: {} -> {}", task.state, shapes.input, shapes.output)).collect()
}

#[test]
fn an_output_has_what_paths_read_of_it() {
    let states = r#"
StartAt: Charge
States:
  Charge: { Type: Task, Resource: Charge, Parameters: { id.$: $.id, n: 1 }, ResultPath: $.receipt, Next: Big }
  Big: { Type: Choice, Default: Ship, Choices: [{ Variable: $.receipt.total, NumericGreaterThan: 5, Next: Check }] }
  Check:
    Type: Choice
    Choices: [{ And: [{ Variable: $.receipt.card, IsPresent: true }, { Variable: $.receipt.card.zone, StringEquals: EU }], Next: Ship }]
    Default: Done
  Ship:
    Type: Map
    ItemsPath: $.receipt.items
    ItemProcessor:
      StartAt: Pack
      States: { Pack: { Type: Task, Resource: Pack, Parameters: { sku.$: $.sku, sizes.$: '$.sizes[*].width' }, End: true } }
    Next: Done
  Done: { Type: Succeed }
"#;
    assert_eq!(
        tasks("asl", states),
        [
            "Charge: { id: any, n: 1 } -> { card?: { zone?: string }, items?: [{ sizes?: [{ width?: any }…], sku?: any }…], total: number }",
            "Pack: { sizes: [any…], sku: any } -> {}",
        ]
    );
}

#[test]
fn an_output_has_what_expressions_read_of_it() {
    let states = r#"
QueryLanguage: JSONata
StartAt: Charge
States:
  Charge:
    Type: Task
    Resource: Charge
    Arguments: { id: '{% $states.input.id %}' }
    Assign: { total: '{% $states.result.total %}', city: "{% $uppercase($states.result.address.city) & '!' %}" }
    Catch: [{ ErrorEquals: [Broken], Next: Done }]
    Next: Done
  Done: { Type: Succeed }
"#;
    assert_eq!(tasks("asl", states), ["Charge: { id: any } -> { address?: { city?: any }, total?: any }"]);
}
