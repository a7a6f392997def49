//! The identifiers that emitted code mentions.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// Returns all identifiers of the code.
pub fn identifiers(code: &TokenStream) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    collect(code, &mut found);
    found
}

fn collect(code: &TokenStream, found: &mut BTreeSet<String>) {
    for token in code.clone() {
        match token {
            TokenTree::Ident(ident) => _ = found.insert(ident.to_string()),
            TokenTree::Group(group) => collect(&group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Emits the name of a parameter, or `_` if the body of the function does not mention it.
pub fn parameter(name: &Ident, body: &TokenStream) -> TokenStream {
    if mentions(body, &name.to_string()) { name.to_token_stream() } else { quote!(_) }
}

fn mentions(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
