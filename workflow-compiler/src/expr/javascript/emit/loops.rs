//! Loops. Each turn counts for the budget.

use super::Emitter;
use super::code::Code;
use super::jump::{Exit, Ways};
use crate::expr::javascript::ir::{Block, Expr, JumpId, LocalId, Loop, LoopKind, Pattern};
use crate::expr::javascript::walk::{self, Node};
use proc_macro2::TokenStream;
use quote::quote;

impl Emitter<'_> {
    pub(super) fn loop_code(&mut self, inner: &Loop) -> TokenStream {
        let id = inner.id;
        match &inner.kind {
            LoopKind::While(test) => {
                let test = self.head(Some(test));
                let body = self.turns(id, &inner.body);
                let label = self.used_label("out", id);
                quote!(#label #test { run.tick()?; #body })
            }
            LoopKind::DoWhile(test) => {
                let body = self.turn(id, &inner.body);
                let test = self.untruth(test).tokens;
                let label = self.used_label("out", id);
                quote!(#label loop { run.tick()?; #body if #test { break; } })
            }
            LoopKind::For { init, test, update } => {
                self.for_code(id, init, test.as_ref(), update.as_ref(), &inner.body)
            }
            LoopKind::Of { declares, target, value } => {
                let value = self.reference(value);
                self.each(id, declares, target, quote!(js::each(#value)?), false, &inner.body)
            }
            LoopKind::In { declares, target, value } => {
                let value = self.reference(value);
                self.each(id, declares, target, quote!(js::each_key(#value)), true, &inner.body)
            }
        }
    }

    /// `while test`, or `loop` where there is none or it always holds.
    fn head(&mut self, test: Option<&Expr>) -> TokenStream {
        match test {
            None | Some(Expr::Bool(true)) => quote!(loop),
            Some(test) => {
                let test = self.truth(test).tokens;
                quote!(while #test)
            }
        }
    }

    /// The statements of a loop in which `continue` means the same as in Rust.
    fn turns(&mut self, id: JumpId, body: &Block) -> TokenStream {
        self.exits.push(Exit::Loop { id, continues: true });
        let body = self.block(body);
        self.exits.pop();
        body
    }

    /// The statements of a loop that go on with what is done at the end of each turn.
    fn turn(&mut self, id: JumpId, body: &Block) -> TokenStream {
        if !Ways::of([body]).continues.contains(&id) {
            self.exits.push(Exit::Loop { id, continues: false });
            let body = self.block(body);
            self.exits.pop();
            return body;
        }
        self.exits.extend([Exit::Loop { id, continues: false }, Exit::Turn(id)]);
        let body = self.block(body);
        self.exits.truncate(self.exits.len() - 2);
        // A `continue` within a closure comes back as a jump, and needs the label too.
        let label = self.used_label("turn", id);
        quote!(#label { #body })
    }

    fn for_code(
        &mut self,
        id: JumpId,
        init: &Block,
        test: Option<&Expr>,
        update: Option<&Expr>,
        body: &Block,
    ) -> TokenStream {
        // Each turn has variables of its own, which start with what those of the turn before had (ECMA-262 §14.7.4.4).
        let per_turn: Vec<LocalId> = init.declares.iter().copied().filter(|id| self.is_per_turn(*id)).collect();
        self.rebound.extend(&per_turn);
        let renew: TokenStream = per_turn
            .iter()
            .map(|id| {
                let name = self.name(*id);
                quote!(#name = js::Var::new(#name.get());)
            })
            .collect();
        let hoisted = self.hoisted(&init.declares);
        let mut before = self.statements(&init.statements);
        if has_function(init) {
            before.extend(renew.clone());
        }
        let head = self.head(test);
        let body = match update.is_some() || !per_turn.is_empty() {
            true => self.turn(id, body),
            false => self.turns(id, body),
        };
        let update = update.map(|update| self.discard(update));
        let label = self.used_label("out", id);
        quote!(#hoisted #before #label #head { run.tick()?; #body #renew #update })
    }

    fn is_per_turn(&self, id: LocalId) -> bool {
        use crate::expr::javascript::ir::Kind;
        let local = &self.locals[id.0];
        local.kind == Kind::Let && local.is_shared() && !local.hoisted
    }

    fn each(
        &mut self,
        id: JumpId,
        declares: &[LocalId],
        target: &Pattern,
        list: TokenStream,
        are_keys: bool,
        body: &Block,
    ) -> TokenStream {
        let hoisted = self.hoisted(declares);
        let (item, bound) = match target {
            Pattern::Declare(local) if self.is_plain(*local) && !self.locals[local.0].hoisted && !are_keys => {
                let name = self.name(*local);
                let item = if self.locals[local.0].assigned { quote!(mut #name) } else { quote!(#name) };
                (item, TokenStream::new())
            }
            _ => {
                let value = if are_keys { quote!(Js::from(item_)) } else { quote!(item_) };
                (quote!(item_), self.bind(target, Code::atom(value)))
            }
        };
        let body = self.turns(id, body);
        let label = self.used_label("out", id);
        quote!(#label for #item in #list { run.tick()?; #hoisted #bound #body })
    }
}

fn has_function(block: &Block) -> bool {
    let mut found = false;
    walk::block(block, &mut |node| {
        found |= matches!(node, Node::Function);
        true
    });
    found
}
