//! A code to allow that does not exist.

use workflow_runtime::include_workflow;

include_workflow!("flows/order.asl.json", allow: ["WF0299"]);

fn main() {}
