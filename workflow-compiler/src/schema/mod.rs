//! JSON Schemas that definitions name, for every dialect that has them: read when a definition is compiled, so that generated code
//! checks data against them, and paths that lead nowhere are found before anything runs.
//!
//! A schema is bundled: what it refers to, in its file or in others, is among its definitions, and nothing else is. So one
//! text is all that a run needs, and another layout of the files is not another meaning.

#[cfg(feature = "schema-types")]
mod adapt;
#[cfg(feature = "json-schema")]
mod bundle;
mod draft;
#[cfg(feature = "json-schema")]
mod files;
mod paths;
#[cfg(feature = "schema-types")]
mod types;
#[cfg(feature = "json-schema")]
mod valid;
#[cfg(any(test, not(feature = "json-schema")))]
mod without;

#[cfg(feature = "json-schema")]
pub use bundle::read;
pub use draft::Draft;
#[cfg(not(feature = "json-schema"))]
pub use without::read;

use crate::diagnostics::Diagnostics;
#[cfg(feature = "schema-types")]
use crate::diagnostics::{Diagnostic, codes::schemas::N1401};
use crate::expr::{Arg, Expr, Fails, Function, Literal, Type};
use crate::hir::Workflow;
#[cfg(feature = "schema-types")]
use crate::source::Span;
use proc_macro2::TokenStream;
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

static CHECK_END: Function =
    Function { path: "schema::check_end", returns: Type::Value, fails: Fails::Fatally, turn: false, context: false };

/// The Rust types of what a workflow takes and yields, as far as its schemas tell.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// The items that declare `Input`.
    pub input: Option<TokenStream>,
    /// The items that declare `Output`.
    pub output: Option<TokenStream>,
}

impl Types {
    /// Those of a workflow. Where a schema allows for none, that is told.
    #[cfg(feature = "schema-types")]
    pub fn of(workflow: &Workflow, diagnostics: &mut Diagnostics) -> Types {
        let mut of = |schema: &Option<Schema>, name: &str| {
            let schema = schema.as_ref()?;
            types::types(schema, name).map_err(|reason| untyped(schema, &reason, workflow.span, diagnostics)).ok()
        };
        Types { input: of(&workflow.input_schema, "Input"), output: of(&workflow.output_schema, "Output") }
    }

    /// None: the compiler was built without them.
    #[cfg(not(feature = "schema-types"))]
    pub fn of(_workflow: &Workflow, _diagnostics: &mut Diagnostics) -> Types {
        Types::default()
    }
}

#[cfg(feature = "schema-types")]
fn untyped(schema: &Schema, reason: &str, span: Span, diagnostics: &mut Diagnostics) {
    let message = format!("there are no types for the schema `{}`: {}", schema.name, reason.trim_end_matches('.'));
    let found = Diagnostic::new(&N1401, span.at_start(), message);
    diagnostics.push(found.help("data is checked all the same, and is a `Value` in the program"));
}

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
        self.checked_by(&CHECK, value, what)
    }

    /// As [`Schema::check`], with a fault that nothing handles: for the output of the run where an inner state ends it.
    pub fn check_end(&self, value: Expr, what: &str) -> Expr {
        self.checked_by(&CHECK_END, value, what)
    }

    fn checked_by(&self, function: &'static Function, value: Expr, what: &str) -> Expr {
        let schema = Arg::Schema(Arc::new(self.clone()));
        Expr::call(function, vec![Arg::Owned(value), schema, Arg::Str(what.into())])
    }
}

#[cfg(all(test, feature = "json-schema"))]
mod tests;
