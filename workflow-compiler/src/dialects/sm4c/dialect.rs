//! Description of the dialect. It is compiled without the dialect's feature, too, so that an error
//! can name the missing feature.

use crate::dialects::Dialect;

/// SM4C.
pub static DIALECT: Dialect = Dialect {
    name: "sm4c",
    title: "SM4C",
    noun: "an SM4C state machine",
    is_published: true,
    has_express: false,
    suffixes: &[".sm4c.json", ".sm4c.yaml", ".sm4c.yml"],
    fields: &["states"],
    typed_states: Some(false),
    ignores_case: true,
    lenient: false,
    codes: super::codes::ALL,
    #[cfg(feature = "sm4c")]
    read: Some(super::read),
    #[cfg(not(feature = "sm4c"))]
    read: None,
};
