//! The runtime library of the expression languages. Generated code calls it; programs do not.

#[cfg(feature = "asl")]
pub mod asl;
#[cfg(any(feature = "asl", feature = "jq"))]
mod calendar_names;
#[cfg(feature = "cel")]
pub mod cel;
#[cfg(feature = "composer")]
pub mod composer;
#[cfg(feature = "jq")]
pub mod deadline;
#[cfg(any(feature = "serverless-workflow", feature = "sm4c", feature = "workflow-dsl"))]
mod events;
#[cfg(feature = "jq")]
pub mod jq;
#[cfg(feature = "composer")]
pub mod js;
#[cfg(feature = "asl")]
pub mod jsonata;
pub mod jsonpath;
#[cfg(any(feature = "asl", feature = "serverless-workflow", feature = "workflow-dsl"))]
mod merge;
#[cfg(feature = "serverless-workflow")]
pub mod serverless_workflow;
#[cfg(feature = "sm4c")]
pub mod sm4c;
#[cfg(any(feature = "composer", feature = "jq"))]
mod sort;
#[cfg(feature = "serverless-workflow")]
pub mod spel;
#[cfg(feature = "workflow-dsl")]
pub mod workflow_dsl;

#[cfg(test)]
mod tests;
