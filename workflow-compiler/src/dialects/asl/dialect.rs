//! Description of the dialect. It is compiled without the dialect's feature, too, so that an error
//! can name the missing feature.

use crate::dialects::Dialect;

/// Amazon States Language.
pub static DIALECT: Dialect = Dialect {
    name: "asl",
    title: "Amazon States Language",
    noun: "a state machine",
    is_published: true,
    has_express: true,
    suffixes: &[".asl.json", ".asl.yaml", ".asl.yml"],
    fields: &["StartAt", "States"],
    typed_states: None,
    ignores_case: false,
    lenient: false,
    codes: super::codes::ALL,
    #[cfg(feature = "asl")]
    read: Some(|definition, name, options, _, sink| super::read(definition, name, options, sink)),
    #[cfg(not(feature = "asl"))]
    read: None,
};
