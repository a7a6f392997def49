//! A time without `T` and `Z`.

workflow_runtime::include_workflow!("flows/bad_timestamp.asl.json");

fn main() {}
