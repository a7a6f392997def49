//! Rust expressions with their precedence.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::quote;

/// A Rust expression.
#[derive(Debug, Clone)]
pub(super) struct JsCode {
    pub tokens: TokenStream,
    pub level: Level,
}

/// The precedence of the outermost operator, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Labelled blocks. They cannot follow `&` either, because the label would be read as a
    /// lifetime.
    Labelled,
    /// Blocks, `if` and `match`, which cannot be operands.
    Block,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Add,
    Multiply,
    Unary,
    /// Names, literals, calls.
    Atom,
}

impl Level {
    /// Returns the next tighter level.
    pub fn above(self) -> Level {
        match self {
            Level::Labelled => Level::Block,
            Level::Block => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Compare,
            Level::Compare => Level::BitOr,
            Level::BitOr => Level::BitXor,
            Level::BitXor => Level::BitAnd,
            Level::BitAnd => Level::Shift,
            Level::Shift => Level::Add,
            Level::Add => Level::Multiply,
            Level::Multiply => Level::Unary,
            Level::Unary | Level::Atom => Level::Atom,
        }
    }
}

impl JsCode {
    pub fn atom(tokens: TokenStream) -> JsCode {
        JsCode { tokens, level: Level::Atom }
    }

    pub fn block(tokens: TokenStream) -> JsCode {
        JsCode { tokens, level: Level::Block }
    }

    pub fn unary(tokens: TokenStream) -> JsCode {
        JsCode { tokens, level: Level::Unary }
    }

    /// Returns the expression in a position that requires at least this level.
    pub fn at(self, level: Level) -> TokenStream {
        let tokens = self.tokens;
        if self.level < level { quote!((#tokens)) } else { tokens }
    }

    /// Returns the identifier if the expression is one.
    pub fn name(&self) -> Option<Ident> {
        let mut tokens = self.tokens.clone().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Ident(name)), None) => Some(name),
            _ => None,
        }
    }

    /// Returns the expression inside existing braces.
    pub fn inner(self) -> TokenStream {
        let mut tokens = self.tokens.clone().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Group(only)), None) if only.delimiter() == Delimiter::Brace => only.stream(),
            _ => self.tokens,
        }
    }

    /// Returns `left op right`.
    pub fn infix(left: JsCode, op: TokenStream, right: JsCode, level: Level) -> JsCode {
        // Rust comparisons are not associative.
        let left = left.at(if level == Level::Compare { level.above() } else { level });
        let right = right.at(level.above());
        JsCode { tokens: quote!(#left #op #right), level }
    }
}
