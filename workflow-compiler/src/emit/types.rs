//! Prints the types of the program that bindings name, each under a name of its own: inside the module of the workflow
//! they could mean other types, since what a module declares and imports comes before what is around it.

use super::header::TaskNames;
use super::statics::Statics;
use crate::passes::names::Names;
use proc_macro2::TokenStream;
use quote::quote;

/// Collects the types that are referred to.
#[derive(Debug)]
pub struct Types {
    names: Names,
    aliases: Vec<TokenStream>,
}

impl Types {
    /// None so far.
    pub fn new() -> Self {
        Types { names: Names::new(), aliases: Vec::new() }
    }

    /// The input and the output of the workflow; none where it is `Value`.
    pub fn of_workflow(
        &mut self,
        input: Option<&str>,
        output: Option<&str>,
        statics: &Statics,
    ) -> (Option<TokenStream>, Option<TokenStream>) {
        (self.alias("Input", input, statics), self.alias("Output", output, statics))
    }

    /// The input and the result of a method; none where it is `Value`.
    pub fn of_method(&mut self, names: &TaskNames, statics: &Statics) -> (Option<TokenStream>, Option<TokenStream>) {
        let (method, _) = self.names.point(&names.method);
        let input = self.alias(&format!("{method}Input"), names.input.as_deref(), statics);
        (input, self.alias(&format!("{method}Output"), names.output.as_deref(), statics))
    }

    fn alias(&mut self, name: &str, written: Option<&str>, statics: &Statics) -> Option<TokenStream> {
        // What does not read as tokens was reported by the pass `name_tasks`.
        let written: TokenStream = written?.parse().ok()?;
        let name = statics.ident(name);
        self.aliases.push(quote!(pub type #name = #written;));
        Some(quote!(types::#name))
    }

    /// The module of the types, where there are any.
    pub fn emit(self) -> Option<TokenStream> {
        let aliases = self.aliases;
        (!aliases.is_empty()).then(|| {
            quote! {
                /// Types of the program around.
                mod types {
                    use super::super::*;
                    #(#aliases)*
                }
            }
        })
    }
}

/// `Value` where there is no type.
pub fn or_value(ty: Option<TokenStream>) -> TokenStream {
    ty.unwrap_or_else(|| quote!(Value))
}
