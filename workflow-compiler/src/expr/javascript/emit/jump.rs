//! Emission of `return`, `break` and `continue`, also out of the bodies of `try`, which are
//! closures in Rust.

use super::Emitter;
use crate::expr::javascript::ir::{Block, JumpId, Statement};
use crate::expr::javascript::walk::{self, IrNode};
use proc_macro2::{Literal, Punct, Spacing, TokenStream};
use quote::{TokenStreamExt, quote};
use std::collections::BTreeSet;

/// An enclosing construct that jumps can leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JumpExit {
    /// A Rust loop, with the same meaning of `break` and, if `continues` is set, of `continue`.
    Loop { id: JumpId, continues: bool },
    /// The body of a loop, as a labelled block before the code at the end of each iteration.
    Turn(JumpId),
    /// A labelled block.
    Block(JumpId),
    /// A closure whose result states how it was left.
    Closure(ClosureExit),
}

/// The ways in which a closure can be left, by its result type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClosureExit {
    /// At its end only: `()`.
    End,
    /// At its end, or by a `return`: `Option<Js>`.
    Return,
    /// By jumps: `Flow`.
    Any,
}

/// The jumps that leave a block.
#[derive(Debug, Clone, Default)]
pub(super) struct JumpsOut {
    pub returns: bool,
    pub breaks: BTreeSet<JumpId>,
    pub continues: BTreeSet<JumpId>,
}

impl JumpsOut {
    /// Returns the jumps that leave any of the blocks.
    pub fn of<'b>(blocks: impl IntoIterator<Item = &'b Block>) -> JumpsOut {
        let mut ways = JumpsOut::default();
        let mut inside = BTreeSet::new();
        for block in blocks {
            walk::block(block, &mut |node| {
                match node {
                    IrNode::Function => return false,
                    IrNode::Statement(Statement::Return(_)) => ways.returns = true,
                    IrNode::Statement(Statement::Break(id)) => _ = ways.breaks.insert(*id),
                    IrNode::Statement(Statement::Continue(id)) => _ = ways.continues.insert(*id),
                    IrNode::Statement(Statement::Loop(inner)) => _ = inside.insert(inner.id),
                    IrNode::Statement(Statement::Switch(inner)) => _ = inside.insert(inner.id),
                    IrNode::Statement(Statement::Labelled(id, _)) => _ = inside.insert(*id),
                    _ => {}
                }
                true
            });
        }
        ways.breaks.retain(|id| !inside.contains(id));
        ways.continues.retain(|id| !inside.contains(id));
        ways
    }

    /// Returns the simplest result type of a closure that represents these jumps.
    pub fn least(&self) -> ClosureExit {
        match (self.returns, self.breaks.is_empty() && self.continues.is_empty()) {
            (_, false) => ClosureExit::Any,
            (true, true) => ClosureExit::Return,
            (false, true) => ClosureExit::End,
        }
    }
}

impl Emitter<'_> {
    /// Emits `return value`.
    pub(super) fn return_code(&mut self, value: TokenStream) -> TokenStream {
        match self.closure_around() {
            None => {
                let result = super::statement::result_of(value);
                quote!(return #result;)
            }
            Some(ClosureExit::Return) => quote!(return Ok(Some(#value));),
            Some(_) => quote!(return Ok(js::Flow::Return(#value));),
        }
    }

    /// Returns the result type of the innermost closure.
    pub(super) fn closure_around(&self) -> Option<ClosureExit> {
        self.exits.iter().rev().find_map(|exit| match exit {
            JumpExit::Closure(way) => Some(*way),
            _ => None,
        })
    }

    pub(super) fn break_code(&mut self, id: JumpId) -> TokenStream {
        let mut is_innermost = true;
        for exit in self.exits.clone().into_iter().rev() {
            match exit {
                JumpExit::Closure(_) => {
                    let number = jump_number(id, false);
                    return quote!(return Ok(js::Flow::Jump(#number)););
                }
                JumpExit::Loop { id: here, .. } if here == id && is_innermost => return quote!(break;),
                JumpExit::Loop { id: here, .. } | JumpExit::Block(here) if here == id => {
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
                JumpExit::Closure(_) => {
                    let number = jump_number(id, true);
                    return quote!(return Ok(js::Flow::Jump(#number)););
                }
                JumpExit::Loop { id: here, continues: true } if here == id && is_innermost => return quote!(continue;),
                JumpExit::Loop { id: here, continues: true } if here == id => {
                    let label = self.label("out", id);
                    return quote!(continue #label;);
                }
                JumpExit::Turn(here) if here == id => {
                    let label = self.label("turn", id);
                    return quote!(break #label;);
                }
                _ => {}
            }
            is_innermost = false;
        }
        TokenStream::new()
    }

    /// Emits the match arms that continue the jumps of a closure's `Flow`.
    pub(super) fn flow_arms(&mut self, ways: &JumpsOut) -> TokenStream {
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

    /// Returns the label of a construct, and marks it as needed.
    fn label(&mut self, what: &str, id: JumpId) -> TokenStream {
        let name = format!("{what}_{}", id.0);
        let label = lifetime(&name);
        self.labels.insert(name);
        label
    }

    /// Returns the label before a loop or a block, if it is needed.
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
