//! JSON Schemas of definitions, for every dialect that uses them. The compiler reads them, so that
//! generated code can validate data and paths that no valid data contains are reported before
//! anything runs.
//!
//! A schema is bundled: its own file and other files contribute only the definitions it refers to.
//! An execution therefore needs a single text, and the layout of the files does not affect the
//! hash of the workflow.

#[cfg(feature = "schema-types")]
mod adapt;
#[cfg(feature = "json-schema")]
mod bundle;
pub mod codes;
#[cfg(any(test, not(feature = "json-schema")))]
mod disabled;
mod draft;
#[cfg(feature = "json-schema")]
mod files;
#[cfg(feature = "json-schema")]
mod measure;
mod paths;
#[cfg(feature = "schema-types")]
mod type_cost;
#[cfg(feature = "schema-types")]
mod types;
#[cfg(feature = "json-schema")]
mod valid;

#[cfg(feature = "json-schema")]
pub use bundle::read;
#[cfg(not(feature = "json-schema"))]
pub use disabled::read;
pub use draft::Draft;

#[cfg(feature = "schema-types")]
use crate::diagnostics::Diagnostic;
use crate::diagnostics::Diagnostics;
use crate::expr::{Arg, Expr, Fallibility, Function, Literal, Type};
use crate::hir::Workflow;
#[cfg(feature = "schema-types")]
use crate::schema::codes::WF1452;
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

/// Validates a value and yields it. Handlers can catch the fault.
static CHECK: Function = Function {
    path: "schema::check",
    returns: Type::Value,
    fallibility: Fallibility::Catchable,
    turn: false,
    context: false,
};

static CHECK_END: Function = Function {
    path: "schema::check_end",
    returns: Type::Value,
    fallibility: Fallibility::Fatal,
    turn: false,
    context: false,
};

/// The Rust types of a workflow's input and output, where its schemas can be expressed as types.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// The items that declare `Input`.
    pub input: Option<TokenStream>,
    /// The items that declare `Output`.
    pub output: Option<TokenStream>,
}

impl Types {
    /// Generates the types of a workflow. Reports a note for a schema that types cannot express.
    #[cfg(feature = "schema-types")]
    pub fn of(workflow: &Workflow, diagnostics: &mut Diagnostics) -> Types {
        let mut of = |schema: &Option<Schema>, name: &str| {
            let schema = schema.as_ref()?;
            types::types(schema, name)
                .map_err(|reason| report_untyped(schema, &reason, workflow.span, diagnostics))
                .ok()
        };
        Types { input: of(&workflow.input_schema, "Input"), output: of(&workflow.output_schema, "Output") }
    }

    /// Returns no types, because the compiler was built without type generation.
    #[cfg(not(feature = "schema-types"))]
    pub fn of(_workflow: &Workflow, _diagnostics: &mut Diagnostics) -> Types {
        Types::default()
    }
}

#[cfg(feature = "schema-types")]
fn report_untyped(schema: &Schema, reason: &str, span: Span, diagnostics: &mut Diagnostics) {
    let message = format!("cannot generate types for the schema `{}`: {}", schema.name, reason.trim_end_matches('.'));
    let diagnostic = Diagnostic::new(&WF1452, span.at_start(), message);
    diagnostics.push(diagnostic.help("the schema is still enforced: the program receives a `Value`"));
}

impl Schema {
    /// Returns the file relative to the definition's folder, with the fragment if any:
    /// `orders.json#/definitions/Order`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the draft of JSON Schema.
    pub fn draft(&self) -> Draft {
        self.draft
    }

    /// Returns the bundled schema as JSON, without annotations.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bundled schema with annotations: titles, descriptions, defaults, examples.
    pub fn tree(&self) -> &Literal {
        &self.tree
    }

    /// Returns an expression that yields `value` if it is valid, and otherwise fails with a fault
    /// that handlers can catch. `what` names the value in messages: `the input`.
    pub fn check(&self, value: Expr, what: &str) -> Expr {
        self.checked_by(&CHECK, value, what)
    }

    /// Returns an expression like [`Schema::check`], except that handlers cannot catch its fault.
    /// Used for the workflow's output when a nested state terminates the execution.
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
