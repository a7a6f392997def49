//! Emission of authored functions, and of their runs.

use super::block::EmitContext;
use super::statics::Statics;
use crate::expr::Script;
use crate::model::ScriptId;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Emits the function of a script that is translated.
#[cfg_attr(not(feature = "composer"), expect(unused_variables, reason = "only scripts of compositions are printed"))]
pub fn emit_script(id: ScriptId, cx: &EmitContext<'_>, statics: &mut Statics) -> TokenStream {
    let script = &cx.module.tables.scripts[id];
    match &script.code {
        #[cfg(feature = "composer")]
        Script::JavaScript(code) => {
            let name = statics.ident(&cx.module.machine.scripts[id]);
            let Some(function) = code.emit(&name, &cx.module.machine.constants) else { return TokenStream::new() };
            let place = cx.module.place(script.span);
            let doc = super::doc(&format!(" The function of `{}`, `{place}`.", script.state));
            statics.import("js");
            statics.import("Js");
            quote!(#doc #function)
        }
        Script::Rust { .. } => TokenStream::new(),
    }
}

/// Emits the run of a script on a document, in place.
pub fn emit_run(
    id: ScriptId,
    document: &Ident,
    variables: &[Ident],
    cx: &EmitContext<'_>,
    statics: &mut Statics,
) -> TokenStream {
    match &cx.module.tables.scripts[id].code {
        #[cfg(feature = "composer")]
        Script::JavaScript(code) => {
            let js = statics.import("js");
            match &code.engine {
                None => {
                    let name = statics.ident(&cx.module.machine.scripts[id]);
                    quote!(#js::run(&mut #document, [#(&mut #variables),*], #name, turn);)
                }
                Some(_) => {
                    let (source, names) = (&code.source, &code.variables);
                    quote!(#js::engine::run(&mut #document, [#((#names, &mut #variables)),*], #source, turn);)
                }
            }
        }
        Script::Rust { function, variables: names } => {
            // Invalid tokens are refused earlier.
            let function = function.tokens();
            let composer = statics.import("composer");
            quote!(#composer::call(&mut #document, [#((#names, &mut #variables)),*], #function);)
        }
    }
}
