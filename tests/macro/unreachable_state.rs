#![deny(deprecated)]

workflow_runtime::include_workflow!("flows/unreachable_state.asl.json");

fn main() {}
