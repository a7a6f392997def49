//! A type that borrows what it is read from.

use workflow_runtime::include_workflow;

include_workflow!("flows/order.asl.json", tasks: { "ValidateOrder" => validate(&str) });

fn main() {}
