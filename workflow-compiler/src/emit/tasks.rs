//! Prints the `Tasks` trait and what connects it to the runtime.

use super::header::{Header, TaskNames};
use super::statics::Statics;
use proc_macro2::{Group, Literal as Token, TokenStream, TokenTree};
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
    let signatures = methods.iter().map(|method| emit_signature(method, header, statics));
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

fn emit_signature(method: &Method<'_>, header: &Header<'_>, statics: &Statics) -> TokenStream {
    let name = statics.ident(&method.names.method);
    let doc = format!("{}.", method.doc);
    let input = emit_type(method.names.input.as_deref(), &header.name);
    let output = match &method.names.output {
        None => quote!(Outcome),
        Some(written) => {
            let output = emit_type(Some(written), &header.name);
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
        false => quote!(rt::typed_task(task, input, cx, |input, cx| self.0.#name(input, cx))),
    };
    quote!(#(#tasks)|* => #call,)
}

/// A user's type, written in the macro or the build script; it was parsed there, so it reads as tokens. A name that the
/// module declares itself means the program's own: `Order` is not the workflow `order`.
pub fn emit_type(written: Option<&str>, workflow: &str) -> TokenStream {
    let tokens = written.and_then(|written| written.parse().ok());
    tokens.map_or_else(|| quote!(Value), |tokens| seen_from_outside(tokens, workflow))
}

fn seen_from_outside(tokens: TokenStream, workflow: &str) -> TokenStream {
    let mut colons = 0;
    let mut seen = TokenStream::new();
    for token in tokens {
        let in_path = colons == 2;
        colons = if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ':') { colons + 1 } else { 0 };
        match token {
            TokenTree::Ident(name) if !in_path && (name == workflow || OWN_TYPES.iter().any(|own| name == own)) => {
                seen.extend(quote!(super::#name));
            }
            TokenTree::Group(group) => {
                let inside = seen_from_outside(group.stream(), workflow);
                seen.extend([TokenTree::Group(Group::new(group.delimiter(), inside))]);
            }
            token => seen.extend([token]),
        }
    }
    seen
}

/// The types that the module of every workflow declares or imports, besides the workflow's own and `Value`.
const OWN_TYPES: [&str; 11] =
    ["At", "Bound", "Fault", "Future", "Outcome", "Retries", "State", "Step", "TaskContext", "Tasks", "Turn"];

#[cfg(test)]
mod tests {
    use super::emit_type;

    #[test]
    fn types_of_the_program_are_not_taken_for_those_of_the_module() {
        for (written, expected) in [
            ("Order", "super::Order"),
            ("Vec<Order>", "Vec<super::Order>"),
            ("(Order, State)", "(super::Order,super::State)"),
            ("crate::Order", "crate::Order"),
            ("Receipt", "Receipt"),
            ("Option<shop::Order>", "Option<shop::Order>"),
        ] {
            let printed = emit_type(Some(written), "Order").to_string().replace(' ', "");
            assert_eq!(printed, expected.replace(' ', ""), "{written}");
        }
        assert_eq!(emit_type(None, "Order").to_string(), "Value");
    }
}
