//! A transition to a state that does not exist, in a Map inside of a branch.

workflow_runtime::include_workflow!("flows/unknown_next.asl.json");

fn main() {}
