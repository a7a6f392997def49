//! Fragments of Rust expressions.

use super::language::ValueLanguage;
use crate::expr::core::CoreType;
use proc_macro2::{Ident, Literal as Token, Punct, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

/// A Rust expression.
pub struct Fragment {
    tokens: TokenStream,
    form: Want,
    precedence: Precedence,
}

/// The form of an expression, or the form that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// A `Value` that can be moved.
    Value,
    /// The name of a `Value` that is read again.
    Local,
    /// A `&Value`.
    Ref,
    /// A `bool`.
    Bool,
    /// No value.
    Unit,
    /// The expression as it is.
    Raw,
}

/// The precedence of the outermost operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precedence {
    /// A name, a call, a literal.
    Primary,
    /// `!x`, `&x`
    Unary,
    /// `x && y`
    And,
    /// `x || y`
    Or,
    /// `if`, `match` or a block.
    Block,
}

impl Want {
    /// Returns the form of a result of a type.
    pub fn of(ty: CoreType) -> Want {
        match ty {
            CoreType::Value => Want::Value,
            CoreType::Bool => Want::Bool,
            CoreType::Unit => Want::Unit,
            _ => Want::Raw,
        }
    }
}

impl Fragment {
    /// Creates an expression.
    pub fn new(tokens: TokenStream, form: Want, precedence: Precedence) -> Fragment {
        Fragment { tokens, form, precedence }
    }

    /// Returns the tokens.
    pub fn into_tokens(self) -> TokenStream {
        self.tokens
    }

    /// Returns the expression as an operand, in parentheses if it needs them.
    pub fn operand(self, of: Precedence) -> TokenStream {
        let tokens = self.tokens;
        let is_bare = match self.precedence {
            Precedence::Primary => true,
            Precedence::Unary => of != Precedence::Primary,
            Precedence::And => matches!(of, Precedence::And | Precedence::Or),
            Precedence::Or => of == Precedence::Or,
            Precedence::Block => false,
        };
        if is_bare { tokens } else { quote!((#tokens)) }
    }

    /// Returns the expression in the form that is wanted.
    pub fn wanted(self, want: Want, language: ValueLanguage) -> Fragment {
        match (self.form, want) {
            (form, want) if form == want => self,
            (Want::Raw | Want::Unit, Want::Ref) => {
                let tokens = self.operand(Precedence::Unary);
                Fragment::new(quote!(&#tokens), want, Precedence::Unary)
            }
            (_, Want::Raw | Want::Unit | Want::Local) | (Want::Raw | Want::Unit, _) => self,
            (Want::Value | Want::Local, Want::Ref) => {
                let tokens = self.operand(Precedence::Unary);
                Fragment::new(quote!(&#tokens), want, Precedence::Unary)
            }
            (Want::Local | Want::Ref, Want::Value) => {
                let tokens = self.operand(Precedence::Primary);
                Fragment::new(quote!(#tokens.clone()), want, Precedence::Primary)
            }
            (Want::Bool, Want::Value) => Fragment::new(language.truth(self.tokens), want, Precedence::Primary),
            (Want::Bool, Want::Ref) => {
                let tokens = language.truth(self.tokens);
                Fragment::new(quote!(&#tokens), want, Precedence::Unary)
            }
            // Truth is a call of the language.
            (_, Want::Bool) | (Want::Value, Want::Value) | (Want::Ref, Want::Ref) => self,
        }
    }
}

/// Returns an identifier.
pub fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// Returns a label: `'name`.
pub fn label(name: &Ident) -> TokenStream {
    [TokenTree::Punct(Punct::new('\'', Spacing::Joint)), TokenTree::Ident(name.clone())].into_iter().collect()
}

/// Returns a whole number.
pub fn number(value: i64) -> TokenStream {
    let value = Token::i64_unsuffixed(value);
    quote!(#value)
}
