//! A retrier whose delays would shrink.

workflow_runtime::include_workflow!("flows/backoff_rate.asl.json");

fn main() {}
