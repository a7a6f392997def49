//! Description of the dialect. It is compiled without the dialect's feature, too, so that an error
//! can name the missing feature.

use crate::dialects::Dialect;

/// Workflow DSL.
pub static DIALECT: Dialect = Dialect {
    name: "workflow-dsl",
    title: "Workflow DSL",
    noun: "a Workflow DSL definition",
    is_published: true,
    has_express: false,
    suffixes: &[".workflow-dsl.json", ".workflow-dsl.yaml", ".workflow-dsl.yml"],
    fields: &["activities"],
    typed_states: None,
    ignores_case: true,
    lenient: true,
    codes: super::codes::ALL,
    #[cfg(feature = "workflow-dsl")]
    read: Some(super::read),
    #[cfg(not(feature = "workflow-dsl"))]
    read: None,
};
