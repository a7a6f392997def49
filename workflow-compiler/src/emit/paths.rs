//! Emission of the paths into values of the program's types. rustc evaluates the checks while it
//! compiles the module.

use super::tasks::{emit_type, place};
use crate::machine::Module;
use crate::options::RustCode;
use crate::shapes::codes::WF1955;
use crate::shapes::{PathClaim, RustStep};
use proc_macro2::{Literal as Token, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use workflow_model::name_hash;

/// Emits a check for each source of values of a type.
pub fn emit_paths(module: &Module<'_>) -> Option<TokenStream> {
    let mut groups: BTreeMap<_, Vec<&PathClaim>> = BTreeMap::new();
    for claim in &module.paths.claims {
        let key = (claim.ty, &*claim.source, claim.code.id, claim.span.file);
        groups.entry(key).or_default().push(claim);
    }
    let checks: Vec<TokenStream> = groups.into_values().filter_map(|claims| emit_check(claims, module)).collect();
    (!checks.is_empty()).then(|| {
        quote! {
            #[allow(unused_imports, reason = "all types may have shapes")]
            use self::rt::UnknownShape as _;
            #(#checks)*
        }
    })
}

fn emit_check(mut claims: Vec<&PathClaim>, module: &Module<'_>) -> Option<TokenStream> {
    claims.sort_by(|left, right| {
        let key = |claim: &PathClaim| (claim.span.start, claim.span.end, claim.checked_from);
        key(left).cmp(&key(right)).then_with(|| (&left.steps, &left.base).cmp(&(&right.steps, &right.base)))
    });
    claims.dedup();
    let first = *claims.first()?;
    let written = module.paths.types.get(first.ty)?;
    let ty = emit_type(Some(written), &module.type_name);
    let file = &module.sources.get(first.span.file).name;
    let (source, name, code) = (&*first.source, shown(written), first.code.id);
    let rule = match first.code == &WF1955 {
        true => quote!(NotMisspelt),
        false => quote!(Exists),
    };
    // Equal paths are checked once, in the order of their first places.
    let mut index = BTreeMap::new();
    let mut paths: Vec<(&PathClaim, Vec<TokenStream>)> = Vec::new();
    for claim in claims {
        let at = module.sources.position(claim.span);
        let [line, column] = [at.line, at.column].map(Token::u32_unsuffixed);
        let base = &claim.base;
        let path = *index.entry((&claim.steps, claim.checked_from)).or_insert_with(|| {
            paths.push((claim, Vec::new()));
            paths.len() - 1
        });
        paths[path].1.push(quote!((#line, #column, #base)));
    }
    let paths = paths.into_iter().map(|(claim, places)| {
        let (steps, from) = (claim.steps.iter().map(emit_step), Token::usize_unsuffixed(claim.checked_from));
        quote!((&[#(#steps),*], #from, &[#(#places),*]))
    });
    // An error has the place of the type in the arguments of the macro.
    Some(quote_spanned! {place(&ty)=>
        #[allow(long_running_const_eval, reason = "a definition may have many paths")]
        const _: () = rt::check_paths(
            rt::ShapeOf::<#ty>::SHAPE,
            &rt::PathUse {
                file: #file,
                source: #source,
                name: #name,
                rule: rt::PathRule::#rule,
                code: #code,
                paths: &[#(#paths),*],
            },
        );
    })
}

/// Emits a step: the hash of its name, and the text whose first character the runtime reads.
fn emit_step(step: &RustStep) -> TokenStream {
    let (name, text) = match step {
        RustStep::Member(name) => (&**name, format!(".{name}")),
        RustStep::Mapped(name) => (&**name, format!("*{name}")),
        RustStep::Elements => ("", "[]".to_owned()),
        RustStep::Children | RustStep::AnyMember => ("", "[*]".to_owned()),
    };
    let hash = Token::u64_unsuffixed(name_hash(name));
    quote!((#hash, #text))
}

/// Returns a type as its author writes it: tokens are printed with spaces between them.
fn shown(ty: &RustCode) -> String {
    let text =
        [" :: ", " < ", " >", " ,"].iter().fold(ty.to_string(), |text, spaced| text.replace(spaced, spaced.trim()));
    text.replace("& ", "&")
}
