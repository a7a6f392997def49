//! Prints the `Tasks` trait and what connects it to the runtime.

use super::demands::{Demands, Direction, Use};
use super::header::{Header, TaskNames, Today};
use super::statics::Statics;
use crate::options::RustCode;
use crate::passes::names::{is_method_of_all, means_own_item};
use crate::source;
use proc_macro2::{Group, Literal as Token, Span, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use std::collections::BTreeMap;

/// One method: the tasks that share it, by key.
struct Method<'a> {
    names: &'a TaskNames,
    doc: String,
    keys: Vec<&'a str>,
    /// The tasks, by their place in the definition.
    tasks: Vec<u32>,
    /// The states that invoke them, and where.
    places: Vec<(&'a str, source::Span)>,
}

/// The trait, and the adapter that the engines call.
pub fn emit_tasks(header: &Header<'_>, demands: &mut Demands<'_>, statics: &Statics) -> TokenStream {
    let methods = methods(header);
    let inherited = |method: &Method<'_>| header.today.as_ref().is_some_and(|today| today.has(method.names));
    let own = methods.iter().filter(|method| !inherited(method));
    let signatures: Vec<TokenStream> = own.map(|method| emit_signature(method, header, statics)).collect();
    let calls: Vec<TokenStream> =
        methods.iter().map(|method| emit_call(method, inherited(method), header, demands, statics)).collect();
    let name = &header.workflow.name;
    let doc = super::doc(&match (&header.today, methods.is_empty()) {
        (Some(_), _) => {
            format!(" The tasks of this version of `{name}`: those that today's does not have, besides its.")
        }
        (None, true) => format!(" The tasks of `{name}`: it has none."),
        (None, false) => format!(" The tasks of `{name}`: one method for every task key."),
    });
    let tasks = (!methods.is_empty()).then(|| quote! { let tasks = &*self.0; });
    let bounds = match &header.today {
        Some(today) => emit_todays(today, statics),
        None => quote!(Send + Sync),
    };
    // Where nothing is left to do, all is done by what does it today.
    let left_to_today =
        (header.today.is_some() && signatures.is_empty()).then(|| quote!(impl<T: #bounds> Tasks for T {}));
    quote! {
        #doc
        pub trait Tasks: #bounds { #(#signatures)* }
        #left_to_today

        #[doc(hidden)]
        pub struct Bound<T>(pub T);

        impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
            fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
                #tasks
                match task.index { #(#calls)* _ => rt::unknown_task(task), }
            }
        }
    }
}

/// The tasks of today's version, seen from an older one.
fn emit_todays(today: &Today, statics: &Statics) -> TokenStream {
    let module = statics.ident(&today.module);
    quote!(super::#module::Tasks)
}

fn methods<'a>(header: &'a Header<'a>) -> Vec<Method<'a>> {
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let mut methods: Vec<Method<'a>> = Vec::new();
    for (at, (task, names)) in header.workflow.tasks.iter().zip(&header.tasks).enumerate() {
        let task_index = at as u32;
        let at = *index.entry(&names.method).or_insert_with(|| {
            methods.push(Method { names, doc: String::new(), keys: Vec::new(), tasks: Vec::new(), places: Vec::new() });
            methods.len() - 1
        });
        let method = &mut methods[at];
        let used = format!("`{}` (`{}`)", task.state, header.place(task.span));
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

fn emit_signature(method: &Method<'_>, header: &Header<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&method.names.method);
    let doc = super::doc(&format!("{}.", method.doc));
    let input = emit_type(method.names.input.as_ref(), &header.name);
    // A method that does not fit is told of the types that were written.
    let output = match &method.names.output {
        None => quote_spanned!(place(&input)=> impl Future<Output = Outcome> + Send),
        Some(written) => {
            let output = emit_type(Some(written), &header.name);
            quote_spanned!(place(&output)=> impl Future<Output = Result<#output, Fault>> + Send)
        }
    };
    quote! {
        #doc
        fn #name(&self, input: #input, cx: TaskContext) -> #output;
    }
}

fn emit_call(
    method: &Method<'_>,
    inherited: bool,
    header: &Header<'_>,
    demands: &mut Demands<'_>,
    statics: &Statics,
) -> TokenStream {
    let names = method.names;
    let name = statics.ident(&names.method);
    // Another trait in scope may have a method of the same name: one that the program imports, Rust's own, or that of today's
    // version with other types.
    let call = match &header.today {
        None if !header.is_typed() && !is_method_of_all(&names.method) => quote!(tasks.#name(input, cx)),
        None => quote!(Tasks::#name(tasks, input, cx)),
        Some(today) if inherited => {
            let todays = emit_todays(today, statics);
            quote!(#todays::#name(tasks, input, cx))
        }
        Some(_) => quote!(Tasks::#name(tasks, input, cx)),
    };
    let tasks = method.tasks.iter().map(|task| Token::u32_unsuffixed(*task));
    if !names.is_typed() {
        return quote!(#(#tasks)|* => rt::task_future(#call),);
    }
    let prefix = demands.prefix(&names.method);
    let mut way = |ty: Option<&RustCode>, direction| {
        let keys = match &method.keys[..] {
            [only] => format!("the task `{only}`"),
            _ => format!("the task `{}`", names.method),
        };
        let places =
            method.places.iter().map(|(state, place)| (format!("the state `{state}` invokes the task"), *place));
        demands.way(&prefix, ty, Use { whose: keys, direction, places: places.collect() }, statics)
    };
    let read = way(names.input.as_ref(), Direction::TaskInput);
    let write = way(names.output.as_ref(), Direction::TaskOutput);
    quote!(#(#tasks)|* => rt::typed_task(task, input, cx, #read, |input, cx| #call, #write),)
}

/// A user's type, written in the macro or the build script; it was parsed there, so it reads as tokens. A name that the
/// module declares itself means the program's own: `Order` is not the workflow `order`.
pub fn emit_type(written: Option<&RustCode>, workflow: &str) -> TokenStream {
    let tokens = written.and_then(RustCode::tokens);
    tokens.map_or_else(|| quote!(Value), |tokens| seen_from_outside(tokens.clone(), workflow))
}

/// Where a type was written, for code that rustc is to show there.
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
            ("demands::Order", "super::demands::Order"),
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
