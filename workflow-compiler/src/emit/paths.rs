//! Emission of the paths into values of the program's types. rustc evaluates the checks while it
//! compiles the module.

use super::tasks::{emit_type, place};
use crate::machine::Module;
use crate::options::RustCode;
use crate::shapes::PathCheck;
use crate::shapes::codes::{WF1951, WF1955};
use proc_macro2::{Literal as Token, TokenStream};
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;
use workflow_model::name_hash;

/// Emits a check for each source of values of a type.
pub fn emit_paths(module: &Module<'_>) -> Option<TokenStream> {
    let mut groups: BTreeMap<_, Vec<&PathCheck>> = BTreeMap::new();
    for check in &module.paths.checks {
        let key = (check.ty, &*check.source, check.code.id, check.span.file);
        groups.entry(key).or_default().push(check);
    }
    let checks: Vec<TokenStream> = groups.into_values().filter_map(|checks| emit_check(checks, module)).collect();
    (!checks.is_empty()).then(|| {
        quote! {
            #[allow(unused_imports, reason = "all types may have shapes")]
            use self::rt::UnknownShape as _;
            #(#checks)*
        }
    })
}

fn emit_check(mut checks: Vec<&PathCheck>, module: &Module<'_>) -> Option<TokenStream> {
    checks.sort_by(|left, right| {
        let key = |check: &PathCheck| (check.span.start, check.span.end, check.checked_from);
        key(left).cmp(&key(right)).then_with(|| (&left.steps, &left.base).cmp(&(&right.steps, &right.base)))
    });
    checks.dedup();
    let first = *checks.first()?;
    let written = module.paths.types.get(first.ty)?;
    let ty = emit_type(Some(written), &module.type_name);
    let file = &module.sources.get(first.span.file).name;
    let (source, name, code) = (&*first.source, shown(written), first.code.id);
    let rule = match first.code {
        code if code == &WF1951 => quote!(Nothing),
        code if code == &WF1955 => quote!(Null),
        _ => quote!(Fault),
    };
    // Equal paths are checked once, in the order of their first places.
    let mut index = BTreeMap::new();
    let mut bases: BTreeMap<&str, usize> = BTreeMap::new();
    let mut paths: Vec<(&PathCheck, Vec<TokenStream>)> = Vec::new();
    for check in checks {
        let at = module.sources.position(check.span);
        let [line, column] = [at.line, at.column].map(Token::u32_unsuffixed);
        let (next, base) = (bases.len(), &*check.base);
        let base = Token::usize_unsuffixed(*bases.entry(base).or_insert(next));
        let path = *index.entry((&check.steps, check.checked_from)).or_insert_with(|| {
            paths.push((check, Vec::new()));
            paths.len() - 1
        });
        paths[path].1.push(quote!(#line, #column, #base));
    }
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    let steps = paths.iter().flat_map(|(check, _)| &check.steps).map(|step| {
        let next = names.len();
        Token::usize_unsuffixed(*names.entry(step).or_insert(next))
    });
    let steps: Vec<Token> = steps.collect();
    let names = in_order(names).map(emit_step);
    let bases = in_order(bases);
    let lengths = paths
        .iter()
        .flat_map(|(check, places)| [check.steps.len(), check.checked_from, places.len()].map(Token::usize_unsuffixed));
    let places = paths.iter().flat_map(|(_, places)| places);
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
                paths: &[#(#lengths),*],
                steps: &[#(#steps),*],
                names: &[#(#names),*],
                places: &[#(#places),*],
                bases: &[#(#bases),*],
            },
        );
    })
}

/// Returns texts in the order of their numbers.
fn in_order(numbers: BTreeMap<&str, usize>) -> impl Iterator<Item = &str> {
    let mut texts: Vec<_> = numbers.into_iter().collect();
    texts.sort_by_key(|(_, number)| *number);
    texts.into_iter().map(|(text, _)| text)
}

/// Emits a step: the hash of its name if it has one, and the text whose first character the
/// runtime reads.
fn emit_step(step: &str) -> TokenStream {
    let name = step.strip_prefix(['.', '*']);
    let hash = Token::u64_unsuffixed(name.map_or(0, name_hash));
    quote!((#hash, #step))
}

/// Returns a type as its author writes it: tokens are printed with spaces between them.
fn shown(ty: &RustCode) -> String {
    let text =
        [" :: ", " < ", " >", " ,"].iter().fold(ty.to_string(), |text, spaced| text.replace(spaced, spaced.trim()));
    text.replace("& ", "&")
}
