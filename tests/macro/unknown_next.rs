workflow_runtime::include_workflow!("flows/unknown_next.asl.json");

fn main() {}
