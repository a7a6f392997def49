//! A binding of a task that the definition does not have.

use workflow_runtime::include_workflow;

include_workflow!("flows/order.asl.json", tasks: { "ValidateOrders" => validate });

fn main() {}
