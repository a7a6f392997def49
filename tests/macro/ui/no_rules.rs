//! A Choice state without rules.

workflow_runtime::include_workflow!("flows/no_rules.asl.json");

fn main() {}
