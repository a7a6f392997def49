//! Constants that functions refer to, collected while functions are printed.

use crate::expr::Literal;
use crate::passes::names::literal_name;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::collections::{BTreeSet, HashMap};

/// Collects constants.
pub struct Statics {
    /// The literals, in the order in which they were first met.
    literals: Vec<String>,
    /// The place of each among them.
    places: HashMap<String, usize>,
    /// The modules and types of the runtime that are referred to by name.
    modules: BTreeSet<String>,
    span: Span,
}

impl Statics {
    /// None so far. Identifiers will carry `span`.
    pub fn new(span: Span) -> Self {
        Statics { literals: Vec::new(), places: HashMap::new(), modules: BTreeSet::new(), span }
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
        quote!(#(#literals)*)
    }

    fn literal_name(&self, at: usize) -> Ident {
        self.ident(&literal_name(at + 1))
    }
}
