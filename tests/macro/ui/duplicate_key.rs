//! Two states of one name.

workflow_runtime::include_workflow!("flows/duplicate_key.asl.json");

fn main() {}
