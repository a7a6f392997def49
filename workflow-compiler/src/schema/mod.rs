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
#[cfg(feature = "json-schema")]
mod files;
#[cfg(feature = "json-schema")]
mod keywords;
#[cfg(feature = "json-schema")]
mod measure;
mod paths;
mod shape;
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
pub use workflow_model::Draft;

#[cfg(feature = "schema-types")]
use crate::diagnostics::Diagnostic;
use crate::diagnostics::Diagnostics;
use crate::literal::Literal;
#[cfg(feature = "schema-types")]
use crate::schema::codes::WF1452;
use crate::shapes::Shape;
use crate::source::Span;
use proc_macro2::TokenStream;

/// A JSON Schema that a definition names.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    name: String,
    draft: Draft,
    text: String,
    tree: Literal,
    meaning: u64,
    place: Span,
    shape: shape::KnownShape,
}

/// The Rust types of a workflow's input and output, where their schemas or what is inferred of
/// them can be expressed as types.
#[derive(Debug, Clone, Default)]
pub struct Types {
    /// The items that declare `Input`.
    pub input: Option<TokenStream>,
    /// The items that declare `Output`.
    pub output: Option<TokenStream>,
}

impl Types {
    /// Generates the types of a workflow from the schemas of its input and output, or from the
    /// inferred shape of the output. Reports a note for a schema that types cannot express.
    #[cfg(feature = "schema-types")]
    pub fn of(ends: [Option<&Schema>; 2], inferred: &Shape, span: Span, diagnostics: &mut Diagnostics) -> Types {
        let mut of = |schema: Option<&Schema>, name: &str| {
            let schema = schema?;
            types::types(schema, name).map_err(|reason| report_untyped(schema, &reason, span, diagnostics)).ok()
        };
        let (input, output) = (of(ends[0], "Input"), of(ends[1], "Output"));
        let inferred = inferred.typed().filter(|_| ends[1].is_none()).and_then(|shape| {
            let schema = Schema::of_tree(shape.json_schema(), span);
            types::types(&schema, "Output").ok()
        });
        Types { input, output: output.or(inferred) }
    }

    /// Returns no types, because the compiler was built without type generation.
    #[cfg(not(feature = "schema-types"))]
    pub fn of(_ends: [Option<&Schema>; 2], _inferred: &Shape, _span: Span, _: &mut Diagnostics) -> Types {
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

    /// Creates a schema that has a shape only.
    #[cfg(any(feature = "openapi", feature = "schema-types"))]
    pub(crate) fn of_tree(tree: Literal, place: Span) -> Schema {
        let (name, text, draft) = (String::new(), String::new(), Draft::Draft202012);
        Schema { name, draft, text, tree, meaning: 0, place, shape: shape::KnownShape::default() }
    }

    /// Returns a hash of what the schema means, which its file and its layout do not affect.
    pub(crate) fn meaning(&self) -> u64 {
        self.meaning
    }

    /// Returns the place of the schema: its beginning in its file.
    pub fn place(&self) -> Span {
        self.place
    }

    /// Returns the bundled schema as JSON, without annotations.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the bundled schema with annotations: titles, descriptions, defaults, examples.
    pub fn tree(&self) -> &Literal {
        &self.tree
    }
}

#[cfg(all(test, feature = "json-schema"))]
mod tests;
