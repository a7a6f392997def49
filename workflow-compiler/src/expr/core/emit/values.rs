//! The representations of values in Rust.

use super::code::{Fragment, Precedence, Want};
use crate::expr::Literal;
use crate::expr::core::{Constant, CoreStatement};
use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;

/// The representation of the values of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    /// `Value`: JSON.
    Json,
    /// `Js`: the values of JavaScript.
    JavaScript,
    /// `jsonata::Maybe`: a value of JSONata, or nothing.
    Jsonata,
}

impl Values {
    /// Returns the value of a `bool` or a number.
    pub fn of_scalar(self, scalar: &TokenStream) -> TokenStream {
        match self {
            Values::Json => quote!(Value::Bool(#scalar)),
            Values::JavaScript => quote!(Js::from(#scalar)),
            Values::Jsonata => quote!(jsonata::bool(#scalar)),
        }
    }

    /// Returns an array of these values.
    pub fn array(self, items: &[TokenStream]) -> TokenStream {
        match self {
            Values::JavaScript => quote!(js::array([#(#items),*])),
            // JSONata has functions for its arrays.
            Values::Json | Values::Jsonata => quote!(rt::array([#(#items),*])),
        }
    }

    /// Returns an object of these pairs: in JSONata, a `Result`.
    pub fn object(self, members: &[TokenStream]) -> TokenStream {
        match self {
            Values::Json => quote!(rt::object([#(#members),*])),
            Values::JavaScript => quote!(js::object([#(#members),*])),
            Values::Jsonata => quote!(jsonata::object([#(#members),*], run)),
        }
    }

    /// Returns `true` if the names of locals inside a statement are free again after it.
    pub fn reuses_names(self, statement: &CoreStatement) -> bool {
        self == Values::Jsonata
            && matches!(statement, CoreStatement::For { .. } | CoreStatement::Loop { .. } | CoreStatement::Do(_))
    }

    /// Returns a constant of JSON that is no array and no object.
    pub fn scalar(self, constant: &Literal) -> Option<TokenStream> {
        if self != Values::Jsonata {
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

    /// Returns a constant that JSON does not have.
    pub fn constant(self, constant: Constant, want: Want) -> Fragment {
        let value = |tokens| Fragment::new(tokens, Want::Value, Precedence::Primary);
        let is_value = matches!(want, Want::Value | Want::Ref);
        let fragment = match constant {
            Constant::Undefined => value(quote!(Js::Undefined)),
            Constant::Null => value(quote!(Js::Null)),
            Constant::Number(number) => {
                let (tokens, precedence) = number_tokens(number);
                match is_value {
                    true => value(quote!(Js::Number(#tokens))),
                    false => Fragment::new(tokens, Want::Number, precedence),
                }
            }
            Constant::Count(count) => {
                let count = Token::usize_unsuffixed(count);
                Fragment::new(quote!(#count), Want::Raw, Precedence::Primary)
            }
        };
        fragment.wanted(want, self)
    }

    /// Returns a `bool` or a text of JavaScript.
    pub fn literal(self, literal: &Literal, want: Want) -> Fragment {
        let is_value = matches!(want, Want::Value | Want::Ref);
        let fragment = match literal {
            Literal::Bool(value) if is_value => {
                Fragment::new(quote!(Js::Bool(#value)), Want::Value, Precedence::Primary)
            }
            Literal::Bool(value) => Fragment::new(quote!(#value), Want::Bool, Precedence::Primary),
            Literal::String(text) => Fragment::new(quote!(Js::text(#text)), Want::Value, Precedence::Primary),
            // The lowering has other constants for all other values.
            _ => Fragment::new(quote!(Js::Null), Want::Value, Precedence::Primary),
        };
        fragment.wanted(want, self)
    }
}

/// Returns a number, with its precedence.
fn number_tokens(value: f64) -> (TokenStream, Precedence) {
    if value.is_nan() {
        return (quote!(f64::NAN), Precedence::Primary);
    }
    if value.is_infinite() {
        let tokens = if value > 0.0 { quote!(f64::INFINITY) } else { quote!(f64::NEG_INFINITY) };
        return (tokens, Precedence::Primary);
    }
    let literal = Token::f64_unsuffixed(value.abs());
    match value.is_sign_negative() {
        true => (quote!(-#literal), Precedence::Unary),
        false => (quote!(#literal), Precedence::Primary),
    }
}
