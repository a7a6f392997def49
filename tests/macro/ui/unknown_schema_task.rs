//! A schema for a task that the definition does not have.

use workflow_runtime::include_workflow;

include_workflow!("flows/order.asl.json", schemas: { "ValidateOrders" => { output = "schemas/validation.json" } });

fn main() {}
