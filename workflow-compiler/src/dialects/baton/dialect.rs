//! Description of the dialect.

use crate::dialects::Dialect;

/// Baton.
pub static DIALECT: Dialect = Dialect {
    name: "baton",
    title: "Baton",
    noun: "a Baton definition",
    is_published: false,
    has_express: false,
    suffixes: &[".baton.json", ".baton.yaml", ".baton.yml"],
    fields: &["baton", "states"],
    typed_states: None,
    ignores_case: true,
    lenient: false,
    codes: super::codes::ALL,
    read: Some(|definition, name, options, _, sink| super::read(definition, name, options, sink)),
};
