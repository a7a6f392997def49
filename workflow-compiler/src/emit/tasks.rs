//! Emission of the `Tasks` trait, and of its adapter for the runtime.

use super::statics::Statics;
use super::type_bounds::{Direction, TypeBounds, Use};
use crate::expr::mentions::parameter;
use crate::machine::{CurrentVersion, Module, TaskNames};
use crate::names::{is_method_of_all, means_own_item};
use crate::options::RustCode;
use crate::source;
use proc_macro2::{Group, Literal as Token, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;

/// A method, with the tasks that share it, by key.
struct Method<'a> {
    names: &'a TaskNames,
    doc: String,
    keys: Vec<&'a str>,
    /// The tasks, by index in the definition.
    tasks: Vec<u32>,
    /// The states that invoke them, and their spans.
    places: Vec<(&'a str, source::Span)>,
}

/// Emits the trait, and the adapter that the engines call. `explained` is rustc's message for a
/// type without an implementation.
pub fn emit_tasks(
    module: &Module<'_>,
    explained: Option<TokenStream>,
    type_bounds: &mut TypeBounds<'_>,
    statics: &Statics,
) -> TokenStream {
    let methods = methods(module);
    let inherited = |method: &Method<'_>| module.current.as_ref().is_some_and(|current| current.has(method.names));
    let own = methods.iter().filter(|method| !inherited(method));
    let signatures: Vec<TokenStream> = own.map(|method| emit_signature(method, module, statics)).collect();
    let calls: Vec<TokenStream> =
        methods.iter().map(|method| emit_call(method, inherited(method), module, type_bounds, statics)).collect();
    let name = &module.tables.name;
    let doc = super::doc(&match (&module.current, methods.is_empty()) {
        (Some(_), _) => {
            format!(
                " The tasks of this version of `{name}` that the current version lacks, and the current version's tasks."
            )
        }
        (None, true) => format!(" The tasks of `{name}`. It has none."),
        (None, false) => format!(" The tasks of `{name}`, with a method for each task key."),
    });
    let tasks = (!methods.is_empty()).then(|| quote! { let tasks = &*self.0; });
    let bounds = match &module.current {
        Some(current) => emit_current_tasks(current, statics),
        None => quote!(Send + Sync),
    };
    // If no method is left, every implementation of the current version implements this one.
    let left_to_current =
        (module.current.is_some() && signatures.is_empty()).then(|| quote!(impl<T: #bounds> Tasks for T {}));
    let dispatch = match calls.is_empty() {
        true => quote!(rt::unknown_task(task)),
        false => quote!(match task.index { #(#calls)* _ => rt::unknown_task(task), }),
    };
    let (input, cx) = (parameter(&statics.ident("input"), &[&dispatch]), parameter(&statics.ident("cx"), &[&dispatch]));
    quote! {
        #doc
        #explained
        pub trait Tasks: #bounds { #(#signatures)* }
        #left_to_current

        #[doc(hidden)]
        pub struct Bound<T>(pub T);

        impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
            fn invoke(&self, task: &'static rt::Task, #input: Value, #cx: TaskContext) -> rt::TaskFuture<'_> {
                #tasks
                #dispatch
            }
        }
    }
}

/// Emits the path of the current version's tasks, relative to an older version.
fn emit_current_tasks(current: &CurrentVersion, statics: &Statics) -> TokenStream {
    let name = statics.ident(&current.module);
    quote!(super::#name::Tasks)
}

fn methods<'a>(module: &'a Module<'a>) -> Vec<Method<'a>> {
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let mut methods: Vec<Method<'a>> = Vec::new();
    for (at, (task, names)) in module.tables.tasks.iter().zip(&module.task_names).enumerate() {
        let task_index = at as u32;
        let at = *index.entry(&names.method).or_insert_with(|| {
            methods.push(Method { names, doc: String::new(), keys: Vec::new(), tasks: Vec::new(), places: Vec::new() });
            methods.len() - 1
        });
        let method = &mut methods[at];
        let used = format!("`{}` (`{}`)", task.state, module.place(task.span));
        match method.keys.contains(&&*task.key) {
            false if method.doc.is_empty() => method.doc = format!(" `{}`, invoked by {used}", task.key),
            false => method.doc.push_str(&format!("; `{}`, invoked by {used}", task.key)),
            true => method.doc.push_str(&format!(", {used}")),
        }
        method.keys.push(&task.key);
        method.tasks.push(task_index);
        method.places.push((&*task.state, task.span));
    }
    methods
}

fn emit_signature(method: &Method<'_>, module: &Module<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&method.names.method);
    let doc = super::doc(&format!("{}.", method.doc));
    let input = emit_type(method.names.input.as_ref(), &module.type_name);
    // A type error in a method mentions the types as written.
    let output = match &method.names.output {
        None => quote_spanned!(place(&input)=> impl Future<Output = Outcome> + Send),
        Some(written) => {
            let output = emit_type(Some(written), &module.type_name);
            quote_spanned!(place(&output)=> impl Future<Output = Result<#output, Fault>> + Send)
        }
    };
    quote! {
        #doc
        fn #name(&self, input: #input, cx: TaskContext) -> #output;
    }
}

/// Emits a pattern of ascending indexes.
fn emit_indexes(indexes: &[u32]) -> TokenStream {
    let runs = indexes.chunk_by(|before, after| before + 1 == *after).map(|run| match run {
        [first, _, .., last] => {
            let [first, last] = [first, last].map(|index| Token::u32_unsuffixed(*index));
            quote!(#first..=#last)
        }
        run => {
            let indexes = run.iter().map(|index| Token::u32_unsuffixed(*index));
            quote!(#(#indexes)|*)
        }
    });
    quote!(#(#runs)|*)
}

fn emit_call(
    method: &Method<'_>,
    inherited: bool,
    module: &Module<'_>,
    type_bounds: &mut TypeBounds<'_>,
    statics: &Statics,
) -> TokenStream {
    let names = method.names;
    let name = statics.ident(&names.method);
    // Another trait in scope may have a method of the same name: a trait that the program imports,
    // a trait of Rust, or the current version's with other types.
    let call = match &module.current {
        None if !module.is_typed() && !is_method_of_all(&names.method) => quote!(tasks.#name(input, cx)),
        None => quote!(Tasks::#name(tasks, input, cx)),
        Some(current) if inherited => {
            let todays = emit_current_tasks(current, statics);
            quote!(#todays::#name(tasks, input, cx))
        }
        Some(_) => quote!(Tasks::#name(tasks, input, cx)),
    };
    let tasks = emit_indexes(&method.tasks);
    if !names.is_typed() {
        return quote!(#tasks => rt::task_future(#call),);
    }
    let prefix = type_bounds.prefix(&names.method);
    let mut codec = |ty: Option<&RustCode>, direction| {
        let keys = match &method.keys[..] {
            [only] => format!("the task `{only}`"),
            _ => format!("the task `{}`", names.method),
        };
        let places =
            method.places.iter().map(|(state, place)| (format!("the state `{state}` invokes the task"), *place));
        type_bounds.codec(&prefix, ty, Use { whose: keys, direction, places: places.collect() }, statics)
    };
    let read = codec(names.input.as_ref(), Direction::TaskInput);
    let write = codec(names.output.as_ref(), Direction::TaskOutput);
    quote!(#tasks => rt::typed_task(task, input, cx, #read, |input, cx| #call, #write),)
}

/// Emits a user's type. The macro or the build script parsed it, so it consists of valid tokens. A
/// name that the module declares itself refers to the program's item: `Order` is not the workflow
/// `order`.
pub fn emit_type(written: Option<&RustCode>, workflow: &str) -> TokenStream {
    let tokens = written.and_then(RustCode::tokens);
    tokens.map_or_else(|| quote!(Value), |tokens| seen_from_outside(tokens.clone(), workflow))
}

/// Returns the span of a type, for code that rustc reports there.
pub fn place(ty: &TokenStream) -> Span {
    let last = ty.clone().into_iter().last();
    last.map_or_else(Span::call_site, |last| last.span().resolved_at(Span::call_site()))
}

fn seen_from_outside(tokens: TokenStream, workflow: &str) -> TokenStream {
    let mut colons = 0;
    let mut seen = TokenStream::new();
    for token in tokens {
        let in_path = colons == 2;
        colons = if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':') { colons + 1 } else { 0 };
        match token {
            TokenTree::Ident(name) if !in_path && (name == workflow || means_own_item(&name.to_string())) => {
                seen.extend(quote_spanned!(name.span()=> super::#name));
            }
            TokenTree::Group(group) => {
                let span = group.span();
                let inside = seen_from_outside(group.stream(), workflow);
                let mut group = Group::new(group.delimiter(), inside);
                group.set_span(span);
                seen.extend([TokenTree::Group(group)]);
            }
            token => seen.extend([token]),
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::emit_type;

    #[test]
    fn types_of_the_program_are_not_taken_for_those_of_the_module() {
        for (written, expected) in [
            ("Order", "super::Order"),
            ("Vec<Order>", "Vec<super::Order>"),
            ("(Order, State)", "(super::Order,super::State)"),
            ("type_bounds::Order", "super::type_bounds::Order"),
            ("crate::Order", "crate::Order"),
            ("Receipt", "Receipt"),
            ("Option<shop::Order>", "Option<shop::Order>"),
            ("Vec<T>", "Vec<super::T>"),
            ("js::Order", "super::js::Order"),
            ("Value", "Value"),
        ] {
            let printed = emit_type(Some(&written.into()), "Order").to_string().replace(' ', "");
            assert_eq!(printed, expected.replace(' ', ""), "{written}");
        }
        assert_eq!(emit_type(None, "Order").to_string(), "Value");
    }
}
