//! The values of languages in generated code.

use super::Printer;
use super::code::{Want, ident};
use crate::expr::Literal;
use crate::expr::core::ownership::Ownership;
use crate::expr::core::{CoreFunction, CoreStatement, CoreType};
use crate::names::NameScope;
use proc_macro2::{Ident, Literal as Token, TokenStream};
use quote::quote;

/// The type of the values of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueLanguage {
    /// JSON values: `Value`.
    Json,
    /// Values of JSONata, or nothing: `jsonata::Maybe`.
    Maybe,
}

impl ValueLanguage {
    /// Returns the value of a `bool`.
    pub fn truth(self, tokens: TokenStream) -> TokenStream {
        match self {
            ValueLanguage::Json => quote!(Value::Bool(#tokens)),
            ValueLanguage::Maybe => quote!(jsonata::bool(#tokens)),
        }
    }

    /// Returns an object of members: a `Result` if it fails.
    pub fn object(self, members: &[TokenStream]) -> TokenStream {
        match self {
            ValueLanguage::Json => quote!(rt::object([#(#members),*])),
            ValueLanguage::Maybe => quote!(jsonata::object([#(#members),*], run)),
        }
    }

    /// Returns `true` if the names of locals inside a statement are free again after it.
    pub fn reuses_names(self, statement: &CoreStatement) -> bool {
        self == ValueLanguage::Maybe
            && matches!(statement, CoreStatement::For { .. } | CoreStatement::Loop { .. } | CoreStatement::Do(_))
    }

    /// Returns a constant that is no array and no object.
    pub fn scalar(self, constant: &Literal) -> Option<TokenStream> {
        if self == ValueLanguage::Json {
            return constant.scalar_tokens();
        }
        Some(match constant {
            Literal::Null => quote!(jsonata::null()),
            Literal::Bool(value) => quote!(jsonata::bool(#value)),
            Literal::Int(value) => {
                let value = Token::i64_unsuffixed(*value);
                quote!(jsonata::int(#value))
            }
            Literal::Float(value) => {
                let value = Token::f64_unsuffixed(*value);
                quote!(jsonata::float(#value))
            }
            Literal::String(text) => quote!(jsonata::text(#text)),
            Literal::Array(_) | Literal::Object(_) => return None,
        })
    }
}

/// The parts of a function of [`ValueLanguage::Maybe`].
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
    let mut printer = Printer::new(function, ownership, ValueLanguage::Maybe, "jsonata", scope);
    let names: Vec<_> = function.params.iter().map(|param| printer.bind(*param)).collect();
    let statements = printer.statements(&function.body);
    let want = Want::of(function.returns);
    let result = function.body.value.as_ref().map(|value| printer.result(value, want)).unwrap_or_default();
    let params = function.params.iter().zip(names).map(|(param, name)| {
        debug_assert_eq!(function.locals[*param].ty, CoreType::Variable, "a parameter is a variable");
        match ownership.mentions[*param].reads {
            0 => quote!(_: Option<&Value>),
            _ => quote!(#name: Option<&Value>),
        }
    });
    let params = params.collect();
    Parts { params, statics: printer.statics_of_patterns(), statements, result }
}

impl Printer<'_> {
    /// Returns the constant that holds a regular expression.
    pub(super) fn pattern_name(&mut self, pattern: &str, flags: &'static str) -> Ident {
        let known = self.patterns.iter().position(|(text, other)| text == pattern && *other == flags);
        let position = known.unwrap_or_else(|| {
            self.patterns.push((pattern.to_owned(), flags));
            self.patterns.len() - 1
        });
        pattern_constant(position)
    }

    fn statics_of_patterns(&self) -> TokenStream {
        let patterns = self.patterns.iter().enumerate().map(|(position, (pattern, flags))| {
            let name = pattern_constant(position);
            quote!(static #name: jsonata::JsonataRegex = jsonata::JsonataRegex::new(#pattern, #flags);)
        });
        patterns.collect()
    }
}

fn pattern_constant(position: usize) -> Ident {
    match position {
        0 => ident("PATTERN"),
        _ => ident(&format!("PATTERN_{}", position + 1)),
    }
}
