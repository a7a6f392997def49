//! `return`, `break` and `continue`, also out of the bodies of `try`, which are closures in Rust.

use super::Emitter;
use crate::expr::javascript::ir::{Block, JumpId, Statement};
use crate::expr::javascript::walk::{self, Node};
use proc_macro2::{Literal, Punct, Spacing, TokenStream};
use quote::{TokenStreamExt, quote};
use std::collections::BTreeSet;

/// What is around a place, and can be left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// A loop of Rust: `break` and, if it says so, `continue` mean the same there.
    Loop { id: JumpId, continues: bool },
    /// The body of a loop, as a labelled block before what is done at the end of each turn.
    Turn(JumpId),
    /// A labelled block.
    Block(JumpId),
    /// A closure that yields whether it was left, and for where.
    Closure(Way),
}

/// How a closure is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// At its end only: `()`.
    End,
    /// At its end, or by a `return`: `Option<Js>`.
    Return,
    /// By jumps: `Flow`.
    Any,
}

/// What leads out of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct Ways {
    pub returns: bool,
    pub breaks: BTreeSet<JumpId>,
    pub continues: BTreeSet<JumpId>,
}

impl Ways {
    /// Those of some blocks.
    pub fn of<'b>(blocks: impl IntoIterator<Item = &'b Block>) -> Ways {
        let mut ways = Ways::default();
        let mut inside = BTreeSet::new();
        for block in blocks {
            walk::block(block, &mut |node| {
                match node {
                    Node::Function => return false,
                    Node::Statement(Statement::Return(_)) => ways.returns = true,
                    Node::Statement(Statement::Break(id)) => _ = ways.breaks.insert(*id),
                    Node::Statement(Statement::Continue(id)) => _ = ways.continues.insert(*id),
                    Node::Statement(Statement::Loop(inner)) => _ = inside.insert(inner.id),
                    Node::Statement(Statement::Switch(inner)) => _ = inside.insert(inner.id),
                    Node::Statement(Statement::Labelled(id, _)) => _ = inside.insert(*id),
                    _ => {}
                }
                true
            });
        }
        ways.breaks.retain(|id| !inside.contains(id));
        ways.continues.retain(|id| !inside.contains(id));
        ways
    }

    /// The least that a closure must tell.
    pub fn least(&self) -> Way {
        match (self.returns, self.breaks.is_empty() && self.continues.is_empty()) {
            (_, false) => Way::Any,
            (true, true) => Way::Return,
            (false, true) => Way::End,
        }
    }
}

impl Emitter<'_> {
    /// `return value`
    pub(super) fn return_code(&mut self, value: TokenStream) -> TokenStream {
        match self.closure_around() {
            None => {
                let result = super::statement::result_of(value);
                quote!(return #result;)
            }
            Some(Way::Return) => quote!(return Ok(Some(#value));),
            Some(_) => quote!(return Ok(js::Flow::Return(#value));),
        }
    }

    /// How the innermost closure around the place is left.
    pub(super) fn closure_around(&self) -> Option<Way> {
        self.exits.iter().rev().find_map(|exit| match exit {
            Exit::Closure(way) => Some(*way),
            _ => None,
        })
    }

    pub(super) fn break_code(&mut self, id: JumpId) -> TokenStream {
        let mut is_innermost = true;
        for exit in self.exits.clone().into_iter().rev() {
            match exit {
                Exit::Closure(_) => {
                    let number = jump_number(id, false);
                    return quote!(return Ok(js::Flow::Jump(#number)););
                }
                Exit::Loop { id: here, .. } if here == id && is_innermost => return quote!(break;),
                Exit::Loop { id: here, .. } | Exit::Block(here) if here == id => {
                    let label = self.label("out", id);
                    return quote!(break #label;);
                }
                _ => {}
            }
            is_innermost = false;
        }
        TokenStream::new()
    }

    pub(super) fn continue_code(&mut self, id: JumpId) -> TokenStream {
        let mut is_innermost = true;
        for exit in self.exits.clone().into_iter().rev() {
            match exit {
                Exit::Closure(_) => {
                    let number = jump_number(id, true);
                    return quote!(return Ok(js::Flow::Jump(#number)););
                }
                Exit::Loop { id: here, continues: true } if here == id && is_innermost => return quote!(continue;),
                Exit::Loop { id: here, continues: true } if here == id => {
                    let label = self.label("out", id);
                    return quote!(continue #label;);
                }
                Exit::Turn(here) if here == id => {
                    let label = self.label("turn", id);
                    return quote!(break #label;);
                }
                _ => {}
            }
            is_innermost = false;
        }
        TokenStream::new()
    }

    /// What follows a closure that yielded a `Flow`: the arms that lead where it was left for.
    pub(super) fn flow_arms(&mut self, ways: &Ways) -> TokenStream {
        let mut arms = TokenStream::new();
        if ways.returns {
            let done = self.return_code(quote!(value_));
            arms.extend(quote!(Ok(js::Flow::Return(value_)) => { #done }));
        }
        for id in &ways.breaks {
            let (number, done) = (jump_number(*id, false), self.break_code(*id));
            arms.extend(quote!(Ok(js::Flow::Jump(#number)) => { #done }));
        }
        for id in &ways.continues {
            let (number, done) = (jump_number(*id, true), self.continue_code(*id));
            arms.extend(quote!(Ok(js::Flow::Jump(#number)) => { #done }));
        }
        arms
    }

    /// The label of what is left; from now on it is needed.
    fn label(&mut self, what: &str, id: JumpId) -> TokenStream {
        let name = format!("{what}_{}", id.0);
        let label = lifetime(&name);
        self.labels.insert(name);
        label
    }

    /// The label before a loop or a block, if it is needed.
    pub(super) fn used_label(&self, what: &str, id: JumpId) -> Option<TokenStream> {
        let name = format!("{what}_{}", id.0);
        self.labels.contains(&name).then(|| {
            let label = lifetime(&name);
            quote!(#label:)
        })
    }
}

pub(super) fn lifetime(name: &str) -> TokenStream {
    let mut tokens = TokenStream::new();
    tokens.append(Punct::new('\'', Spacing::Joint));
    tokens.append(super::ident(name));
    tokens
}

fn jump_number(id: JumpId, continues: bool) -> Literal {
    Literal::usize_unsuffixed(2 * id.0 + usize::from(continues))
}
