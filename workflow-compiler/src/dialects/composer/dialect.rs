//! Description of the dialect. It is compiled without the dialect's feature, too, so that an error
//! can name the missing feature.

use crate::dialects::Dialect;

/// Composer FSM.
pub static DIALECT: Dialect = Dialect {
    name: "composer",
    title: "Composer FSM",
    noun: "a composition",
    is_published: true,
    has_express: false,
    suffixes: &[".composer.json", ".composer.yaml", ".composer.yml"],
    fields: &["Entry", "Exit", "States"],
    typed_states: None,
    ignores_case: false,
    lenient: false,
    codes: super::codes::ALL,
    #[cfg(feature = "composer")]
    read: Some(|definition, name, options, _, sink| super::read(definition, name, options, sink)),
    #[cfg(not(feature = "composer"))]
    read: None,
};
