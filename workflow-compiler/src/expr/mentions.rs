//! The identifiers that emitted code mentions.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;

/// Returns all identifiers of the code, and how often it mentions each.
pub fn count(code: &TokenStream) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    add(code, &mut found);
    found
}

fn add(code: &TokenStream, found: &mut BTreeMap<String, usize>) {
    for token in code.clone() {
        match token {
            TokenTree::Ident(ident) => *found.entry(ident.to_string()).or_default() += 1,
            TokenTree::Group(group) => add(&group.stream(), found),
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
