//! Expressions of Rust, and how tightly they bind.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

/// An expression of Rust.
#[derive(Debug, Clone)]
pub(super) struct Code {
    pub tokens: TokenStream,
    pub level: Level,
}

/// How tightly the outermost operator binds, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Blocks with a label, which cannot stand behind `&` either: it would be the lifetime of a reference.
    Labelled,
    /// Blocks, `if`, `match`: what cannot stand beside an operator.
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
    /// The next tighter level.
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

impl Code {
    pub fn atom(tokens: TokenStream) -> Code {
        Code { tokens, level: Level::Atom }
    }

    pub fn block(tokens: TokenStream) -> Code {
        Code { tokens, level: Level::Block }
    }

    pub fn unary(tokens: TokenStream) -> Code {
        Code { tokens, level: Level::Unary }
    }

    /// The expression where at least this level is needed.
    pub fn at(self, level: Level) -> TokenStream {
        let tokens = self.tokens;
        if self.level < level { quote!((#tokens)) } else { tokens }
    }

    /// The expression within braces that are there already.
    pub fn inner(self) -> TokenStream {
        let mut tokens = self.tokens.clone().into_iter();
        match (tokens.next(), tokens.next()) {
            (Some(TokenTree::Group(only)), None) if only.delimiter() == Delimiter::Brace => only.stream(),
            _ => self.tokens,
        }
    }

    /// `left op right`
    pub fn infix(left: Code, op: TokenStream, right: Code, level: Level) -> Code {
        // Comparisons do not follow each other without parentheses.
        let left = left.at(if level == Level::Compare { level.above() } else { level });
        let right = right.at(level.above());
        Code { tokens: quote!(#left #op #right), level }
    }
}
