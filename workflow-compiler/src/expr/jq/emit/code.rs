//! Fragments of Rust that stand for values.

use crate::expr::Literal;
use proc_macro2::{Group, Ident, Literal as Token, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use std::collections::BTreeSet;

/// A Rust expression for a value.
#[derive(Debug, Clone)]
pub(super) struct JqCode {
    pub tokens: TokenStream,
    pub kind: CodeKind,
    /// `true` if evaluation can leave the function, or must keep its position for another reason.
    pub fails: bool,
    /// The value of a constant.
    pub literal: Option<Literal>,
}

/// The Rust form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CodeKind {
    /// An expression of type `Value`.
    Owned,
    /// The name of a local of type `Value`, which is not modified.
    Local,
    /// An expression of type `&Value`.
    Ref,
    /// An expression of type `bool` that can follow `!`.
    Bool,
    /// An expression of type `bool` with `&&` in it.
    And,
    /// An expression of type `bool` with `||` in it.
    Or,
}

impl JqCode {
    pub fn owned(tokens: TokenStream) -> JqCode {
        JqCode { tokens, kind: CodeKind::Owned, fails: false, literal: None }
    }

    pub fn reference(tokens: TokenStream) -> JqCode {
        JqCode { tokens, kind: CodeKind::Ref, fails: false, literal: None }
    }

    pub fn local(name: &Ident) -> JqCode {
        JqCode { tokens: quote!(#name), kind: CodeKind::Local, fails: false, literal: None }
    }

    pub fn bool(tokens: TokenStream) -> JqCode {
        JqCode { tokens, kind: CodeKind::Bool, fails: false, literal: None }
    }

    pub fn failing(mut self, fails: bool) -> JqCode {
        self.fails |= fails;
        self
    }

    /// Returns a constant that is neither array nor object.
    pub fn literal(literal: Literal) -> JqCode {
        let mut code = match &literal {
            Literal::Bool(value) => JqCode::bool(quote!(#value)),
            Literal::Int(value) => {
                let value = Token::i64_unsuffixed(*value);
                JqCode::owned(quote!(Value::Int(#value)))
            }
            Literal::Float(value) => {
                let value = Token::f64_unsuffixed(*value);
                JqCode::owned(quote!(Value::Float(#value)))
            }
            Literal::String(text) => JqCode::owned(quote!(rt::string(#text))),
            _ => JqCode::owned(quote!(Value::Null)),
        };
        code.literal = Some(literal);
        code
    }

    /// Returns the named constant that holds a literal.
    pub fn constant(name: &Ident, literal: Literal) -> JqCode {
        JqCode { tokens: quote!(#name.value()), kind: CodeKind::Ref, fails: false, literal: Some(literal) }
    }

    pub fn is_bool(&self) -> bool {
        matches!(self.kind, CodeKind::Bool | CodeKind::And | CodeKind::Or)
    }

    /// Returns the name of a local.
    pub fn name(&self) -> Option<Ident> {
        let mut tokens = self.tokens.clone().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(name)), None) => Some(name),
            _ => None,
        }
    }

    /// Returns `true` if the expression can be repeated at no cost.
    pub fn is_plain(&self) -> bool {
        self.kind == CodeKind::Local
            || (self.kind == CodeKind::Ref && self.name().is_some())
            || (self.literal.is_some() && !self.fails)
    }

    /// Returns the expression as `&Value`.
    pub fn as_ref(&self) -> TokenStream {
        let tokens = &self.tokens;
        match self.kind {
            CodeKind::Ref => quote!(#tokens),
            CodeKind::Owned if self.literal == Some(Literal::Null) => quote!(&rt::NULL),
            CodeKind::Owned | CodeKind::Local => quote!(&#tokens),
            CodeKind::Bool | CodeKind::And | CodeKind::Or => quote!(&Value::Bool(#tokens)),
        }
    }

    /// Returns the expression as `Value`.
    pub fn into_value(self) -> TokenStream {
        let tokens = self.tokens;
        match self.kind {
            CodeKind::Owned => tokens,
            CodeKind::Ref if needs_parentheses(&tokens) => quote!((#tokens).clone()),
            CodeKind::Ref | CodeKind::Local => quote!(#tokens.clone()),
            CodeKind::Bool | CodeKind::And | CodeKind::Or => quote!(Value::Bool(#tokens)),
        }
    }

    /// Returns a `bool` expression for the truth of the value.
    pub fn into_test(self) -> JqCode {
        match &self.literal {
            Some(Literal::Bool(_)) => self,
            Some(literal) => {
                let value = *literal != Literal::Null;
                JqCode::bool(quote!(#value))
            }
            None if self.is_bool() => self,
            None => {
                let value = self.as_ref();
                JqCode::bool(quote!(jq::truthy(#value))).failing(self.fails)
            }
        }
    }

    /// Returns a `bool` expression for the falsehood of the value (false or null).
    pub fn into_negation(self) -> JqCode {
        let test = self.into_test();
        let (tokens, fails) = (test.operand(false), test.fails);
        JqCode::bool(quote!(!#tokens)).failing(fails)
    }

    /// Returns a `bool` expression as an operand, in parentheses if it contains another operator.
    pub fn operand(&self, beside_or: bool) -> TokenStream {
        let tokens = &self.tokens;
        match self.kind {
            CodeKind::Bool => quote!(#tokens),
            CodeKind::And if beside_or => quote!(#tokens),
            _ => quote!((#tokens)),
        }
    }
}

/// Returns `true` if a method call on the expression needs parentheses.
fn needs_parentheses(tokens: &TokenStream) -> bool {
    match tokens.clone().into_iter().next() {
        Some(TokenTree::Punct(_)) => true,
        Some(TokenTree::Ident(first)) => first == "match" || first == "if",
        _ => false,
    }
}

/// The label of a block or loop: `'name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LabelIdent(pub Ident);

impl quote::ToTokens for LabelIdent {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend([TokenTree::Punct(Punct::new('\'', Spacing::Joint)), TokenTree::Ident(self.0.clone())]);
    }
}

/// Makes the bindings of these locals mutable. Each has one binding.
pub(super) fn with_mutable(code: TokenStream, locals: &BTreeSet<Ident>) -> TokenStream {
    let mut binds = false;
    let tokens = code.into_iter().map(|token| match token {
        TokenTree::Ident(name) => {
            let mutable = (binds && locals.contains(&name)).then(|| quote!(mut));
            binds = name == "let";
            quote!(#mutable #name)
        }
        TokenTree::Group(group) => {
            binds = false;
            let mut inner = Group::new(group.delimiter(), with_mutable(group.stream(), locals));
            inner.set_span(group.span());
            inner.into_token_stream()
        }
        TokenTree::Punct(_) | TokenTree::Literal(_) => {
            binds = false;
            token.into_token_stream()
        }
    });
    tokens.collect()
}

/// An identifier.
pub(super) fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Encloses statements, so that their names are not visible afterwards.
pub(super) fn enclosed(statements: TokenStream) -> TokenStream {
    let binds = |token: TokenTree| matches!(&token, TokenTree::Ident(word) if *word == "let");
    if statements.clone().into_iter().any(binds) { quote!({ #statements }) } else { statements }
}
