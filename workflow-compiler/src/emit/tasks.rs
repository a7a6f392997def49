//! Prints the `Tasks` trait and what connects it to the runtime.

use super::header::{Header, TaskNames};
use super::statics::Statics;
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;
use std::collections::BTreeMap;

/// One method: the tasks that share it, by key.
struct Method<'a> {
    names: &'a TaskNames,
    doc: String,
    keys: Vec<&'a str>,
    /// The tasks, by their place in the definition.
    tasks: Vec<u32>,
}

/// The trait, and the adapter that the engines call.
pub fn emit_tasks(header: &Header<'_>, statics: &Statics) -> TokenStream {
    let methods = methods(header);
    let signatures = methods.iter().map(|method| emit_signature(method, statics));
    let calls = methods.iter().map(|method| emit_call(method, statics));
    let name = &header.workflow.name;
    let doc = match methods.is_empty() {
        true => format!(" The tasks of `{name}`: it has none."),
        false => format!(" The tasks of `{name}`: one method for every task key."),
    };
    quote! {
        #[doc = #doc]
        pub trait Tasks: Send + Sync { #(#signatures)* }

        #[doc(hidden)]
        pub struct Bound<'t, T>(pub &'t T);

        impl<T: Tasks> rt::Invoke for Bound<'_, T> {
            fn invoke(&self, task: &'static rt::Task, input: Value, cx: TaskContext) -> rt::TaskFuture<'_> {
                match task.index { #(#calls)* _ => rt::unknown_task(task), }
            }
        }
    }
}

fn methods<'a>(header: &'a Header<'a>) -> Vec<Method<'a>> {
    let mut index: BTreeMap<&str, usize> = BTreeMap::new();
    let mut methods: Vec<Method<'a>> = Vec::new();
    for (at, (task, names)) in header.workflow.tasks.iter().zip(&header.tasks).enumerate() {
        let task_index = at as u32;
        let at = *index.entry(&names.method).or_insert_with(|| {
            methods.push(Method { names, doc: String::new(), keys: Vec::new(), tasks: Vec::new() });
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
    }
    methods
}

fn emit_signature(method: &Method<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&method.names.method);
    let doc = format!("{}.", method.doc);
    let input = emit_type(method.names.input.as_deref());
    let output = match &method.names.output {
        None => quote!(Outcome),
        Some(written) => {
            let output = emit_type(Some(written));
            quote!(Result<#output, Fault>)
        }
    };
    quote! {
        #[doc = #doc]
        fn #name(&self, input: #input, cx: TaskContext) -> impl Future<Output = #output> + Send;
    }
}

fn emit_call(method: &Method<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&method.names.method);
    let tasks = method.tasks.iter().map(|task| Token::u32_unsuffixed(*task));
    let call = match method.names.input.is_none() && method.names.output.is_none() {
        true => quote!(rt::task_future(self.0.#name(input, cx))),
        false => quote!(rt::typed_task(input, cx, |input, cx| self.0.#name(input, cx))),
    };
    quote!(#(#tasks)|* => #call,)
}

/// A user's type, written in the macro or the build script; it was parsed there, so it reads as tokens.
pub fn emit_type(written: Option<&str>) -> TokenStream {
    written.and_then(|written| written.parse().ok()).unwrap_or_else(|| quote!(Value))
}
