//! Emission of loops. Each iteration counts toward the budget.

use super::Emitter;
use super::code::JsCode;
use super::jump::{JumpExit, JumpsOut};
use crate::expr::javascript::ir::{Block, Expr, JsLocalId, JumpId, Loop, LoopKind, Pattern};
use crate::expr::javascript::walk::{self, IrNode};
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

    /// Emits `while test`, or `loop` if there is no test or it always holds.
    fn head(&mut self, test: Option<&Expr>) -> TokenStream {
        match test {
            None | Some(Expr::Bool(true)) => quote!(loop),
            Some(test) => {
                let test = self.truth(test).tokens;
                quote!(while #test)
            }
        }
    }

    /// Emits the statements of a loop in which `continue` has the meaning of Rust.
    fn turns(&mut self, id: JumpId, body: &Block) -> TokenStream {
        self.exits.push(JumpExit::Loop { id, continues: true });
        let body = self.block(body);
        self.exits.pop();
        body
    }

    /// Emits the statements of a loop with code at the end of each iteration.
    fn turn(&mut self, id: JumpId, body: &Block) -> TokenStream {
        if !JumpsOut::of([body]).continues.contains(&id) {
            self.exits.push(JumpExit::Loop { id, continues: false });
            let body = self.block(body);
            self.exits.pop();
            return body;
        }
        self.exits.extend([JumpExit::Loop { id, continues: false }, JumpExit::Turn(id)]);
        let body = self.block(body);
        self.exits.truncate(self.exits.len() - 2);
        // A `continue` inside a closure becomes a jump, which needs the label as well.
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
        // Each iteration has its own variables, which start with the values of the previous
        // iteration (section 14.7.4.4 of ECMA-262).
        let per_turn: Vec<JsLocalId> = init.declares.iter().copied().filter(|id| self.is_per_turn(*id)).collect();
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

    fn is_per_turn(&self, id: JsLocalId) -> bool {
        use crate::expr::javascript::ir::DeclarationKind;
        let local = &self.locals[id.0];
        local.kind == DeclarationKind::Let && local.is_shared() && !local.hoisted
    }

    fn each(
        &mut self,
        id: JumpId,
        declares: &[JsLocalId],
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
                (quote!(item_), self.bind(target, JsCode::atom(value)))
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
        found |= matches!(node, IrNode::Function);
        true
    });
    found
}
