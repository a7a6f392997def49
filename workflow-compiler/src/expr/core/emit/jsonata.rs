//! Functions of JSONata.

use super::Printer;
use super::code::{Want, ident};
use super::values::Values;
use crate::expr::core::ownership::Ownership;
use crate::expr::core::{CoreBlock, CoreFunction, CoreType};
use crate::names::NameScope;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The parts of a function of JSONata.
pub struct Parts {
    /// The parameters with their types.
    pub params: Vec<TokenStream>,
    /// The constants.
    pub statics: TokenStream,
    /// The statements.
    pub statements: TokenStream,
    /// The result, as a `Result`.
    pub result: TokenStream,
}

/// Emits the parts of a function whose parameters are variables, and whose code finds the run of
/// the expression as `run`. Locals avoid the names of the scope.
pub fn emit_parts(function: &CoreFunction, ownership: &Ownership, scope: NameScope) -> Parts {
    let mut printer = Printer::new(function, ownership, Values::Jsonata, "jsonata", scope);
    let names: Vec<_> = function.params.iter().map(|param| printer.bind(*param)).collect();
    let statements = printer.statements(&function.body);
    let want = Want::of(function.returns);
    let result = function.body.value.as_ref().map(|value| printer.as_result(value, want)).unwrap_or_default();
    let params = function.params.iter().zip(names).map(|(param, name)| {
        debug_assert_eq!(function.locals[*param].ty, CoreType::Variable, "a parameter is a variable");
        match ownership.mentions[*param].reads {
            0 => quote!(_: Option<&Value>),
            _ => quote!(#name: Option<&Value>),
        }
    });
    let params = params.collect();
    Parts { params, statics: printer.statics(), statements, result }
}

impl Printer<'_> {
    /// Returns the constant that holds a regular expression.
    pub(super) fn pattern_name(&mut self, pattern: &str, flags: &'static str) -> Ident {
        let known = self.patterns.iter().position(|(text, other)| text == pattern && *other == flags);
        let position = known.unwrap_or_else(|| {
            self.patterns.push((pattern.to_owned(), flags));
            self.patterns.len() - 1
        });
        numbered_constant("PATTERN", position)
    }

    /// Returns the constant that holds a signature.
    pub(super) fn signature_name(&mut self, signature: &str) -> Ident {
        let known = self.signatures.iter().position(|text| text == signature);
        let position = known.unwrap_or_else(|| {
            self.signatures.push(signature.to_owned());
            self.signatures.len() - 1
        });
        numbered_constant("SIGNATURE", position)
    }

    fn statics(&self) -> TokenStream {
        let patterns = self.patterns.iter().enumerate().map(|(position, (pattern, flags))| {
            let name = numbered_constant("PATTERN", position);
            quote!(static #name: jsonata::JsonataRegex = jsonata::JsonataRegex::new(#pattern, #flags);)
        });
        let signatures = self.signatures.iter().enumerate().map(|(position, signature)| {
            let name = numbered_constant("SIGNATURE", position);
            quote!(static #name: jsonata::JsonataSignature = jsonata::JsonataSignature::new(#signature);)
        });
        patterns.chain(signatures).collect()
    }
}

/// Returns the parameter for the run of the expression: `_` if the code does not mention it.
pub fn run_param(code: &CoreBlock) -> TokenStream {
    if code.takes_run() { quote!(run) } else { quote!(_) }
}

fn numbered_constant(name: &str, position: usize) -> Ident {
    match position {
        0 => ident(name),
        _ => ident(&format!("{name}_{}", position + 1)),
    }
}
