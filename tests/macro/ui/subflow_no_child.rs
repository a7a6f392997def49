//! A sub-flow that is not a child: the error is at the macro.

use workflow_runtime::include_workflow;

include_workflow!("flows/application.workflow-dsl.json", subflows: ["flows/mail.workflow-dsl.json"]);

fn main() {}
