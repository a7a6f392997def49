//! A type that the program does not have.

use workflow_runtime::include_workflow;

pub struct Validation;

include_workflow!("flows/order.asl.json", tasks: { "ValidateOrder" => validate(Vec<Orders>) -> Validations });

fn main() {}
