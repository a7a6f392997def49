//! The identifiers that emitted code mentions.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// Returns the names that the code mentions, of those in `names`. Reads the code up to the first
/// mention of the last name only.
pub fn mentioned<'a>(mut names: BTreeSet<String>, code: impl IntoIterator<Item = &'a TokenStream>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    code.into_iter().for_each(|part| move_mentioned(&mut names, &mut found, part));
    found
}

fn move_mentioned(names: &mut BTreeSet<String>, found: &mut BTreeSet<String>, code: &TokenStream) {
    if names.is_empty() {
        return;
    }
    for token in code.clone() {
        match token {
            TokenTree::Ident(ident) => found.extend(names.take(&ident.to_string())),
            TokenTree::Group(group) => move_mentioned(names, found, &group.stream()),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// Emits the name of a parameter, or `_` if no part of the body of the function mentions it. The
/// parts are searched in order.
pub fn parameter(name: &Ident, body: &[&TokenStream]) -> TokenStream {
    let text = name.to_string();
    let is_mentioned = body.iter().any(|part| mentions(part, &text));
    if is_mentioned { name.to_token_stream() } else { quote!(_) }
}

fn mentions(code: &TokenStream, name: &str) -> bool {
    code.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == name,
        TokenTree::Group(group) => mentions(&group.stream(), name),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
