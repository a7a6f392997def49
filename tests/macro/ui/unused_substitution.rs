//! A warning about an argument is at the argument.

#![deny(deprecated)]

use workflow_runtime::include_workflow;

include_workflow!(
    "flows/order.asl.json",
    substitutions: { "Stage" => "prod" },
);

fn main() {}
