//! Prints the functions that authors wrote into a definition, and their runs.

use super::block::Context;
use super::statics::Statics;
use crate::expr::Script;
use crate::hir::ScriptId;
use proc_macro2::TokenStream;
use quote::quote;

/// The run of a script on a document, in place.
pub fn emit_run(
    id: ScriptId,
    document: &TokenStream,
    _variables: &[TokenStream],
    cx: &Context<'_>,
    statics: &mut Statics,
) -> TokenStream {
    let js = statics.module("js");
    match &cx.header.workflow.scripts[id.0 as usize].code {
        Script::Rust(path) => {
            let path: TokenStream = path.parse().unwrap_or_default();
            quote!(#js::overridden(&mut #document, #path);)
        }
    }
}
