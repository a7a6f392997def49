//! Statics that functions refer to, collected while functions are emitted.

use super::operation::emit_operation;
use crate::expr::Literal;
use crate::long_text::emit_text;
use crate::model::Operation;
use crate::names::{literal_name, operation_name, schema_name, text_name};
use crate::schema::Schema;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The collected statics.
pub struct Statics {
    /// The literals, in the order of their first use.
    literals: Vec<String>,
    /// The index of each literal.
    places: HashMap<String, usize>,
    /// Long texts, in the order of their first use, each with its index.
    texts: Vec<Arc<str>>,
    text_places: HashMap<Arc<str>, usize>,
    /// The service operations, in the order of their first use.
    operations: Vec<Arc<Operation>>,
    /// The schemas, in the order of their first use.
    schemas: Vec<Arc<Schema>>,
    /// The modules and types of the runtime that are referred to by name.
    imports: BTreeSet<String>,
    /// `true` if a path continues from an `Option<&Value>`, which takes the trait `Get`.
    pub chains_get: bool,
    span: Span,
}

impl Statics {
    /// Creates an empty collection. Identifiers have `span`.
    pub fn new(span: Span) -> Self {
        Statics {
            literals: Vec::new(),
            places: HashMap::new(),
            texts: Vec::new(),
            text_places: HashMap::new(),
            operations: Vec::new(),
            schemas: Vec::new(),
            imports: BTreeSet::new(),
            chains_get: false,
            span,
        }
    }

    /// Returns the name of the static of a literal. Equal literals share one.
    pub fn literal(&mut self, literal: &Literal) -> Ident {
        let text = literal.to_string();
        let at = *self.places.entry(text).or_insert_with_key(|text| {
            self.literals.push(text.clone());
            self.literals.len() - 1
        });
        self.literal_name(at)
    }

    /// Emits a text: a short text as a literal, a long text as the name of its static. The source
    /// of a call occurs in the code of each of its arguments, but is printed once.
    pub fn text(&mut self, text: &Arc<str>) -> TokenStream {
        const LONG: usize = 80;
        if text.len() < LONG {
            let text = &**text;
            return quote!(#text);
        }
        let at = *self.text_places.entry(text.clone()).or_insert_with(|| {
            self.texts.push(text.clone());
            self.texts.len() - 1
        });
        self.ident(&text_name(at + 1)).into_token_stream()
    }

    /// Returns the name of the static of a service operation. Equal operations share one.
    pub fn operation(&mut self, operation: &Arc<Operation>) -> Ident {
        let known = self.operations.iter().position(|other| other == operation);
        let at = known.unwrap_or_else(|| {
            self.import("operation");
            self.operations.push(operation.clone());
            self.operations.len() - 1
        });
        self.ident(&operation_name(at + 1))
    }

    /// Returns the name of the static of a schema. Equal schemas share one.
    pub fn schema(&mut self, schema: &Arc<Schema>) -> Ident {
        let known = self.schemas.iter().position(|other| other == schema);
        let at = known.unwrap_or_else(|| {
            self.schemas.push(schema.clone());
            self.schemas.len() - 1
        });
        self.ident(&schema_name(at + 1))
    }

    /// Returns a module or type of the runtime, which will be imported.
    pub fn import(&mut self, name: &str) -> Ident {
        self.imports.insert(name.to_owned());
        self.ident(name)
    }

    /// Returns the modules and types that were referred to, also by code that is not part of the
    /// module.
    pub fn imports(&self) -> &BTreeSet<String> {
        &self.imports
    }

    /// Returns an identifier.
    pub fn ident(&self, name: &str) -> Ident {
        Ident::new(name, self.span)
    }

    /// Emits the statics.
    pub fn emit(&self) -> TokenStream {
        let literals = self.literals.iter().enumerate().map(|(at, text)| {
            let name = self.literal_name(at);
            let text = emit_text(text);
            quote!(static #name: rt::Literal = rt::Literal::new(#text);)
        });
        let texts = self.texts.iter().enumerate().map(|(at, text)| {
            let (name, text) = (self.ident(&text_name(at + 1)), emit_text(text));
            quote!(static #name: &str = #text;)
        });
        let operations = self.operations.iter().enumerate().map(|(at, operation)| {
            let name = self.ident(&operation_name(at + 1));
            let operation = emit_operation(operation);
            quote!(static #name: rt::Operation = #operation;)
        });
        let schemas = self.schemas.iter().enumerate().map(|(at, schema)| {
            let name = self.ident(&schema_name(at + 1));
            let draft = self.ident(&format!("{:?}", schema.draft()));
            let (file, text) = (schema.name(), emit_text(schema.text()));
            quote!(static #name: rt::schema::Schema = rt::schema::Schema::new(#file, rt::schema::Draft::#draft, #text);)
        });
        quote!(#(#literals)* #(#texts)* #(#operations)* #(#schemas)*)
    }

    fn literal_name(&self, at: usize) -> Ident {
        self.ident(&literal_name(at + 1))
    }
}
