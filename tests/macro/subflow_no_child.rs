//! A sub-flow that is no child is told where the macro is.

use workflow_runtime::include_workflow;

include_workflow!("flows/application.workflow-dsl.json", subflows: ["flows/mail.workflow-dsl.json"]);

fn main() {}
