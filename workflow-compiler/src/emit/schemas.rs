//! Emission of the types of the input and output of the workflow, and of their use.

use crate::machine::Module;
use crate::schema::Types;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Emits the module of the types, if there are any.
pub fn emit_schemas(module: &Module<'_>) -> Option<TokenStream> {
    let Types { input, output } = &module.types;
    if input.is_none() && output.is_none() {
        return None;
    }
    let input = input.as_ref().map(|items| {
        quote! {
            pub use input::Input;

            /// The type of the input, and its parts.
            #[allow(missing_docs, reason = "a member need not have a description")]
            pub mod input {
                #items

                impl ::core::convert::From<Input> for ::workflow_runtime::Value {
                    fn from(input: Input) -> Self {
                        ::workflow_runtime::__private::write(input).unwrap_or_default()
                    }
                }
            }
        }
    });
    let output = output.as_ref().map(|items| {
        quote! {
            pub use output::Output;

            /// The type of the output, and its parts.
            #[allow(missing_docs, reason = "a member need not have a description")]
            pub mod output {
                #items

                impl ::core::convert::TryFrom<::workflow_runtime::Value> for Output {
                    type Error = ::workflow_runtime::ValueError;

                    fn try_from(output: ::workflow_runtime::Value) -> ::core::result::Result<Self, Self::Error> {
                        ::workflow_runtime::__private::read(output)
                    }
                }
            }
        }
    });
    Some(quote! {
        /// The types of the input and the output, from schemas and from the definition.
        pub mod schemas {
            #input
            #output
        }
    })
}

/// Emits the function that runs the workflow with these types.
pub fn emit_run(module: &Module<'_>, bound: &TokenStream, name: &Ident) -> Option<TokenStream> {
    let (input, write) = match &module.types.input {
        Some(_) => (quote!(schemas::Input), quote!(rt::write)),
        None => (quote!(Value), quote!(Ok)),
    };
    let (output, read) = match &module.types.output {
        Some(_) => (quote!(schemas::Output), quote!(rt::read)),
        None => (quote!(Value), quote!(Ok)),
    };
    (module.types.input.is_some() || module.types.output.is_some()).then(|| {
        quote! {
            /// Runs an execution in memory to its end, with the types of its input and output.
            pub async fn run_typed<T: #bound>(tasks: &T, input: #input) -> Result<#output, Fault> {
                rt::Builder::<#name>::new().tasks(Bound(tasks)).types::<#input, #output>(#write, #read).run(input).await
            }
        }
    })
}
