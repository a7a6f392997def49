//! Emission of the functions of programs, and of their applications.

use super::expr::{Site, emit_maybe, emit_owned, emit_ref};
use super::statics::Statics;
use crate::expr::{Apply, EngineProgram, Program};
use crate::long_text::emit_text;
use crate::machine::Machine;
use crate::names::NameScope;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use std::sync::Arc;

/// Emits the functions of the programs that become one.
pub fn emit_programs(machine: &Machine, statics: &mut Statics) -> Vec<TokenStream> {
    machine.programs.iter().map(|(name, program)| emit_program(name, program, &machine.constants, statics)).collect()
}

fn emit_program(name: &str, program: &Program, constants: &Arc<NameScope>, statics: &mut Statics) -> TokenStream {
    let name = statics.ident(name);
    let text = program.source().split_whitespace().collect::<Vec<_>>().join(" ");
    let doc = super::doc(&format!(" `{text}`"));
    match program.emit(&name, constants) {
        Some(function) => quote!(#doc #function),
        None => {
            let EngineProgram { module: path, type_name, text, field, variables, .. } = program.engine_program();
            let first = statics.import(program.signature().module);
            let rest: Vec<Ident> = path.iter().skip(1).map(|part| Ident::new(part, Span::call_site())).collect();
            let type_name = Ident::new(type_name, Span::call_site());
            let ty = quote!(#first #(::#rest)* ::#type_name);
            let text = emit_text(&text);
            let field = field.as_deref().map(emit_text).map(|field| quote!(#field,));
            quote! {
                #doc
                static #name: #ty = #ty::new(#text, #field &[#(#variables),*]);
            }
        }
    }
}

/// Emits the application of a program, with `?` if it can fail.
pub fn emit_apply(apply: &Apply, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let signature = apply.program.signature();
    let result = emit_apply_result(apply, site, statics);
    if signature.fails || signature.has_limits || signature.needs_engine { quote!(#result?) } else { result }
}

/// Emits the application of a program without `?`. If it can fail, it yields a `Result` whose
/// error becomes a `Fault`.
fn emit_apply_result(apply: &Apply, site: &Site<'_>, statics: &mut Statics) -> TokenStream {
    let program = &apply.program;
    let signature = program.signature();
    let module = statics.import(signature.module);
    // The pass `mark_turns` decides by the same condition.
    let turn = signature.mentions_turn().then(|| statics.ident("turn"));
    let found = site.machine.programs.iter().find(|(_, known)| known == program);
    // Every applied program has a name.
    let name = statics.ident(found.map_or("unnamed", |(name, _)| name));
    if signature.needs_engine {
        let engine = program.engine_program();
        let wanted = statics.ident(engine.function);
        if !program.takes_input() {
            let values: Vec<TokenStream> =
                apply.variables.iter().map(|value| emit_maybe(value, site, statics)).collect();
            return quote!(#module::#wanted(&#name, &[#(#values),*], #turn));
        }
        let input = emit_ref(&apply.input, site, statics);
        let values: Vec<TokenStream> = apply.variables.iter().map(|value| emit_owned(value, site, statics)).collect();
        return quote!(#module::#wanted(#turn, &#name, #input, &[#(#values),*]));
    }
    if signature.takes_turn {
        let values = apply.variables.iter().map(|value| emit_maybe(value, site, statics));
        return quote!(#name(#(#values,)* #turn));
    }
    let mut arguments: Vec<TokenStream> = vec![match signature.takes_ownership {
        true => emit_owned(&apply.input, site, statics),
        false => emit_ref(&apply.input, site, statics),
    }];
    arguments.extend(apply.variables.iter().map(|value| emit_ref(value, site, statics)));
    if signature.takes_time {
        arguments.push(quote!(#module::time(#turn)));
    }
    let call = quote!(#name(#(#arguments),*));
    match (signature.has_limits, signature.fails) {
        (true, true) => quote!(#module::apply(#turn, || #call)),
        (true, false) => quote!(#module::apply(#turn, || Ok(#call))),
        _ => call,
    }
}
