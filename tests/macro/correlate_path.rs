//! A path to a correlation value that cannot be read.

use workflow_runtime::include_workflow;

include_workflow!("flows/visit.sw.json", correlate: { patientId = "$.patient." });

fn main() {}
