//! Constants that functions refer to, collected while functions are printed.

use super::operation::emit_operation;
use crate::expr::Literal;
use crate::hir::Operation;
use crate::passes::names::{literal_name, operation_name, schema_name, text_name};
use crate::schema::Schema;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Collects constants.
pub struct Statics {
    /// The literals, in the order in which they were first met.
    literals: Vec<String>,
    /// The place of each among them.
    places: HashMap<String, usize>,
    /// Long texts, in the order in which they were first met, each with its place.
    texts: Vec<Arc<str>>,
    text_places: HashMap<Arc<str>, usize>,
    /// The operations of services, in the order in which they were first met.
    operations: Vec<Operation>,
    /// The schemas, in the order in which they were first met.
    schemas: Vec<Arc<Schema>>,
    /// The modules and types of the runtime that are referred to by name.
    modules: BTreeSet<String>,
    span: Span,
}

impl Statics {
    /// None so far. Identifiers will carry `span`.
    pub fn new(span: Span) -> Self {
        Statics {
            literals: Vec::new(),
            places: HashMap::new(),
            texts: Vec::new(),
            text_places: HashMap::new(),
            operations: Vec::new(),
            schemas: Vec::new(),
            modules: BTreeSet::new(),
            span,
        }
    }

    /// The name of the static that holds a literal; equal literals share one.
    pub fn literal(&mut self, literal: &Literal) -> Ident {
        let text = literal.to_string();
        let at = *self.places.entry(text).or_insert_with_key(|text| {
            self.literals.push(text.clone());
            self.literals.len() - 1
        });
        self.literal_name(at)
    }

    /// A text: a short one as it is, a long one by the name of the static that holds it. The text of a call stands in the
    /// code of each of its arguments, and is printed once.
    pub fn text(&mut self, text: &Arc<str>) -> TokenStream {
        const LONG: usize = 160;
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

    /// The name of the static that holds the operation of a service; equal ones share one.
    pub fn operation(&mut self, operation: &Operation) -> Ident {
        let known = self.operations.iter().position(|other| other == operation);
        let at = known.unwrap_or_else(|| {
            self.module("operation");
            self.operations.push(operation.clone());
            self.operations.len() - 1
        });
        self.ident(&operation_name(at + 1))
    }

    /// The name of the static that holds a schema; equal ones share one.
    pub fn schema(&mut self, schema: &Arc<Schema>) -> Ident {
        let known = self.schemas.iter().position(|other| other == schema);
        let at = known.unwrap_or_else(|| {
            self.schemas.push(schema.clone());
            self.schemas.len() - 1
        });
        self.ident(&schema_name(at + 1))
    }

    /// A module or type of the runtime's; it will be imported.
    pub fn module(&mut self, name: &str) -> Ident {
        self.modules.insert(name.to_owned());
        self.ident(name)
    }

    /// The modules that were referred to.
    pub fn modules(&self) -> Vec<Ident> {
        self.modules.iter().map(|name| self.ident(name)).collect()
    }

    /// An identifier.
    pub fn ident(&self, name: &str) -> Ident {
        Ident::new(name, self.span)
    }

    /// The definitions.
    pub fn emit(&self) -> TokenStream {
        let literals = self.literals.iter().enumerate().map(|(at, text)| {
            let name = self.literal_name(at);
            quote!(static #name: rt::Literal = rt::Literal::new(#text);)
        });
        let texts = self.texts.iter().enumerate().map(|(at, text)| {
            let (name, text) = (self.ident(&text_name(at + 1)), &**text);
            quote!(static #name: &str = #text;)
        });
        let operations = self.operations.iter().enumerate().map(|(at, operation)| {
            let name = self.ident(&operation_name(at + 1));
            let operation = emit_operation(operation);
            quote!(static #name: rt::Operation = #operation;)
        });
        let schemas = self.schemas.iter().enumerate().map(|(at, schema)| {
            let name = self.ident(&schema_name(at + 1));
            let draft = self.ident(schema.draft().constant());
            let (file, text) = (schema.name(), schema.text());
            quote!(static #name: rt::schema::Schema = rt::schema::Schema::new(#file, rt::schema::Draft::#draft, #text);)
        });
        quote!(#(#literals)* #(#texts)* #(#operations)* #(#schemas)*)
    }

    fn literal_name(&self, at: usize) -> Ident {
        self.ident(&literal_name(at + 1))
    }
}
