//! Description of the dialect. It is compiled without the dialect's feature, too, so that an error
//! can name the missing feature.

use crate::dialects::Dialect;

/// Serverless Workflow.
pub static DIALECT: Dialect = Dialect {
    name: "serverless-workflow",
    title: "Serverless Workflow",
    noun: "a Serverless Workflow definition",
    is_published: true,
    has_express: false,
    suffixes: &[".sw.json", ".sw.yaml", ".sw.yml"],
    fields: &["states"],
    typed_states: Some(true),
    ignores_case: false,
    lenient: false,
    codes: super::codes::ALL,
    #[cfg(feature = "serverless-workflow")]
    read: Some(super::read),
    #[cfg(not(feature = "serverless-workflow"))]
    read: None,
};
