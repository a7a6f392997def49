//! A misspelled intrinsic function.

workflow_runtime::include_workflow!("flows/intrinsic_typo.asl.json");

fn main() {}
