//! States that nothing leads to: warnings, which are denied here.

#![deny(deprecated)]

workflow_runtime::include_workflow!("flows/unreachable_state.asl.json");

fn main() {}
