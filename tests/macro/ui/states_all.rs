//! A catcher that comes after one for everything.

workflow_runtime::include_workflow!("flows/states_all.asl.json");

fn main() {}
