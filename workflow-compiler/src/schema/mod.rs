//! JSON Schemas that definitions name, for every dialect that has them: read when a definition is compiled, so that generated code
//! checks data against them, and paths that lead nowhere are found before anything runs.
//!
//! A schema is bundled: what it refers to, in its file or in others, is among its definitions, and nothing else is. So one
//! text is all that a run needs, and another layout of the files is not another meaning.

#[cfg(feature = "json-schema")]
mod bundle;
mod draft;
#[cfg(feature = "json-schema")]
mod files;
mod paths;
#[cfg(feature = "json-schema")]
mod valid;
#[cfg(any(test, not(feature = "json-schema")))]
mod without;

#[cfg(feature = "json-schema")]
pub use bundle::read;
pub use draft::Draft;
#[cfg(not(feature = "json-schema"))]
pub use without::read;

use crate::expr::{Arg, Expr, Fails, Function, Literal, Type};
use std::sync::Arc;

/// A JSON Schema that a definition names.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    name: String,
    draft: Draft,
    text: String,
    tree: Literal,
}

/// Checks a value, and yields it.
static CHECK: Function =
    Function { path: "schema::check", returns: Type::Value, fails: Fails::Catchably, turn: false, context: false };

impl Schema {
    /// The file as the definition's folder knows it, and which part of it: `orders.json#/definitions/Order`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The draft of JSON Schema that it is written in.
    pub fn draft(&self) -> Draft {
        self.draft
    }

    /// The schema as JSON, with all that it refers to, and without what only describes it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// As [`Schema::text`], with what describes it: titles, descriptions, defaults, examples.
    pub fn tree(&self) -> &Literal {
        &self.tree
    }

    /// An expression that yields the value itself, or fails where it does not fit, with a fault that can be caught. `what` is
    /// what messages call the value: `the input`.
    pub fn check(&self, value: Expr, what: &str) -> Expr {
        let schema = Arg::Schema(Arc::new(self.clone()));
        Expr::call(&CHECK, vec![Arg::Owned(value), schema, Arg::Str(what.to_owned())])
    }
}

#[cfg(all(test, feature = "json-schema"))]
mod tests;
