//! Pieces of Rust that stand for values.

use crate::expr::Literal;
use proc_macro2::{Ident, Literal as Token, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// A piece of Rust that yields a value.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub tokens: TokenStream,
    pub kind: Kind,
    /// Whether evaluating it can end the function, or has to happen in its place.
    pub fails: bool,
    /// The value, where it is always the same.
    pub literal: Option<Literal>,
}

/// What it is in Rust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An expression of type `Value`.
    Owned,
    /// The name of a local of type `Value`, which stays as it is.
    Local,
    /// An expression of type `&Value`.
    Ref,
    /// An expression of type `bool`, that may stand behind `!`.
    Bool,
    /// An expression of type `bool` with `&&` in it.
    And,
    /// An expression of type `bool` with `||` in it.
    Or,
}

impl Code {
    pub fn owned(tokens: TokenStream) -> Code {
        Code { tokens, kind: Kind::Owned, fails: false, literal: None }
    }

    pub fn reference(tokens: TokenStream) -> Code {
        Code { tokens, kind: Kind::Ref, fails: false, literal: None }
    }

    pub fn local(name: &Ident) -> Code {
        Code { tokens: quote!(#name), kind: Kind::Local, fails: false, literal: None }
    }

    pub fn bool(tokens: TokenStream) -> Code {
        Code { tokens, kind: Kind::Bool, fails: false, literal: None }
    }

    pub fn failing(mut self, fails: bool) -> Code {
        self.fails |= fails;
        self
    }

    /// A constant that is no array and no object.
    pub fn literal(literal: Literal) -> Code {
        let mut code = match &literal {
            Literal::Bool(value) => Code::bool(quote!(#value)),
            Literal::Int(value) => {
                let value = Token::i64_unsuffixed(*value);
                Code::owned(quote!(Value::Int(#value)))
            }
            Literal::Float(value) => {
                let value = Token::f64_unsuffixed(*value);
                Code::owned(quote!(Value::Float(#value)))
            }
            Literal::String(text) => Code::owned(quote!(rt::string(#text))),
            _ => Code::owned(quote!(Value::Null)),
        };
        code.literal = Some(literal);
        code
    }

    /// The constant that holds a literal, by its name.
    pub fn constant(name: &Ident, literal: Literal) -> Code {
        Code { tokens: quote!(#name.value()), kind: Kind::Ref, fails: false, literal: Some(literal) }
    }

    pub fn is_bool(&self) -> bool {
        matches!(self.kind, Kind::Bool | Kind::And | Kind::Or)
    }

    /// The name, where it is one.
    pub fn name(&self) -> Option<Ident> {
        let mut tokens = self.tokens.clone().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(name)), None) => Some(name),
            _ => None,
        }
    }

    /// Whether it can be written twice, and costs nothing either time.
    pub fn is_plain(&self) -> bool {
        self.kind == Kind::Local
            || (self.kind == Kind::Ref && self.name().is_some())
            || (self.literal.is_some() && !self.fails)
    }

    /// As `&Value`, for an argument.
    pub fn as_ref(&self) -> TokenStream {
        let tokens = &self.tokens;
        match self.kind {
            Kind::Ref => quote!(#tokens),
            Kind::Owned if self.literal == Some(Literal::Null) => quote!(&rt::NULL),
            Kind::Owned | Kind::Local => quote!(&#tokens),
            Kind::Bool | Kind::And | Kind::Or => quote!(&Value::Bool(#tokens)),
        }
    }

    /// As `Value`.
    pub fn into_value(self) -> TokenStream {
        let tokens = self.tokens;
        match self.kind {
            Kind::Owned => tokens,
            Kind::Ref if needs_parentheses(&tokens) => quote!((#tokens).clone()),
            Kind::Ref | Kind::Local => quote!(#tokens.clone()),
            Kind::Bool | Kind::And | Kind::Or => quote!(Value::Bool(#tokens)),
        }
    }

    /// Whether it counts as true, as `bool`.
    pub fn into_test(self) -> Code {
        match &self.literal {
            Some(Literal::Bool(_)) => self,
            Some(literal) => {
                let value = *literal != Literal::Null;
                Code::bool(quote!(#value))
            }
            None if self.is_bool() => self,
            None => {
                let value = self.as_ref();
                Code::bool(quote!(jq::truthy(#value))).failing(self.fails)
            }
        }
    }

    /// Whether it is false or null.
    pub fn into_negation(self) -> Code {
        let test = self.into_test();
        let (tokens, fails) = (test.operand(false), test.fails);
        Code::bool(quote!(!#tokens)).failing(fails)
    }

    /// A `bool` beside an operator: in parentheses where it has another one in it.
    pub fn operand(&self, beside_or: bool) -> TokenStream {
        let tokens = &self.tokens;
        match self.kind {
            Kind::Bool => quote!(#tokens),
            Kind::And if beside_or => quote!(#tokens),
            _ => quote!((#tokens)),
        }
    }
}

/// Whether a method cannot be called on an expression as it is.
fn needs_parentheses(tokens: &TokenStream) -> bool {
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Punct(_)) => true,
        Some(TokenTree::Ident(first)) => first == "match" || first == "if",
        _ => false,
    }
}

/// The label of a block or loop: `'name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Label(pub Ident);

impl quote::ToTokens for Label {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend([TokenTree::Punct(Punct::new('\'', Spacing::Joint)), TokenTree::Ident(self.0.clone())]);
    }
}

/// An identifier.
pub(super) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Statements whose names do not reach what comes after them.
pub(super) fn apart(statements: TokenStream) -> TokenStream {
    let binds = |token: TokenTree| matches!(&token, TokenTree::Ident(word) if *word == "let");
    if statements.clone().into_iter().any(binds) { quote!({ #statements }) } else { statements }
}
