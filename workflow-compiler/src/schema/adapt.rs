//! Adapts the output of `typify` to generated code: replaces crate paths by those of the runtime
//! and normalizes doc comments.

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::quote;

/// Returns the items with the paths of generated code.
pub fn adapt(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut adapted = TokenStream::new();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        at += 1;
        match tree {
            TokenTree::Ident(name) if name == "serde" && begins_path(&trees, at - 1) => {
                adapted.extend(quote!(workflow_runtime::__private::serde));
            }
            TokenTree::Ident(name) if name == "serde_json" && begins_path(&trees, at - 1) => {
                let is_map = matches!(trees.get(at + 2), Some(TokenTree::Ident(name)) if name == "Map");
                adapted.extend(match is_map {
                    true => {
                        at += 3;
                        quote!(std::collections::BTreeMap)
                    }
                    false => quote!(workflow_runtime),
                });
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string().replace("::serde_json::Map", "::std::collections::BTreeMap");
                let text = text.replace("::serde_json::Value", "::workflow_runtime::Value");
                adapted.extend([text.parse::<Literal>().map_or_else(|_| tree.clone(), TokenTree::Literal)]);
            }
            TokenTree::Group(group) => {
                let is_attribute = group.delimiter() == Delimiter::Bracket
                    && matches!(trees.get(at.wrapping_sub(2)), Some(TokenTree::Punct(punct)) if punct.as_char() == '#');
                if is_attribute && let Some(words) = documentation(group) {
                    adapted.extend(quote!([doc = #words]));
                    continue;
                }
                let inner = adapt(group.stream());
                adapted.extend([TokenTree::Group(Group::new(group.delimiter(), inner))]);
                let derives = is_attribute && is_ident(group.stream().into_iter().next().as_ref(), "derive");
                if derives && group.stream().to_string().contains("serde") {
                    adapted.extend(quote!(#[serde(crate = "::workflow_runtime::__private::serde")]));
                }
            }
            other => adapted.extend([other.clone()]),
        }
    }
    adapted
}

/// Returns the names of the types that the items declare.
pub fn declared_types(tokens: &TokenStream) -> Vec<String> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let declared =
        trees.windows(2).filter(|pair| ["struct", "enum", "type"].iter().any(|kind| is_ident(pair.first(), kind)));
    declared.filter_map(|pair| Some(pair.get(1)?.to_string())).collect()
}

/// Returns `true` if the token at `at` is the first segment of an absolute path (`::name`).
fn begins_path(trees: &[TokenTree], at: usize) -> bool {
    let is_colon = |at: Option<usize>| {
        at.and_then(|at| trees.get(at))
            .is_some_and(|tree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ':'))
    };
    let before = at.checked_sub(3).and_then(|at| trees.get(at));
    is_colon(at.checked_sub(1)) && is_colon(at.checked_sub(2)) && !matches!(before, Some(TokenTree::Ident(_)))
}

fn is_ident(tree: Option<&TokenTree>, name: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == name)
}

/// Returns the text of a `doc` attribute, with one leading space. Returns `None` for other
/// attributes.
fn documentation(attribute: &Group) -> Option<Literal> {
    let trees: Vec<TokenTree> = attribute.stream().into_iter().collect();
    let [TokenTree::Ident(doc), TokenTree::Punct(_), TokenTree::Literal(literal)] = &trees[..] else { return None };
    let text = literal.to_string();
    let words = text.strip_prefix('"').filter(|_| doc == "doc")?;
    format!("\" {}", words.trim_start()).parse().ok()
}
