//! A correlation value for an attribute that no event has.

use workflow_runtime::include_workflow;

include_workflow!("flows/visit.sw.json", correlate: { patient = "$.patient.id" });

fn main() {}
