//! Jumps out of closures, and the code behind the closures that continues them.

use super::code::Want;
use super::{Enclosing, Printer};
use crate::expr::core::{Atom, Computation, CoreBlock, CoreStatement, LabelId, Try, TryEnd};
use crate::index::Id;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use std::collections::BTreeSet;

/// The ways in which a closure can be left, by its result type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// At its end only: `()`.
    End,
    /// At its end, or by a `return`: `Option<Js>`.
    Return,
    /// By jumps: `Flow`.
    Any,
}

/// The jumps that leave a block.
#[derive(Debug, Default)]
struct Exits {
    returns: bool,
    breaks: BTreeSet<LabelId>,
    continues: BTreeSet<LabelId>,
    /// The labels of loops and blocks inside.
    inside: BTreeSet<LabelId>,
}

impl Exits {
    fn of(block: &CoreBlock) -> Exits {
        let mut exits = Exits::default();
        exits.block(block);
        let Exits { breaks, continues, inside, .. } = &mut exits;
        breaks.retain(|label| !inside.contains(label));
        continues.retain(|label| !inside.contains(label));
        exits
    }

    fn block(&mut self, block: &CoreBlock) {
        for statement in &block.statements {
            match statement {
                CoreStatement::Return(_) => self.returns = true,
                CoreStatement::Break(label, _) => _ = self.breaks.insert(*label),
                CoreStatement::Continue(label) => _ = self.continues.insert(*label),
                CoreStatement::For { label, .. } | CoreStatement::Loop { label, .. } => _ = self.inside.insert(*label),
                _ => {}
            }
            statement.computation().into_iter().for_each(|computation| self.computation(computation));
            statement.operand().into_iter().for_each(|atom| self.atom(atom));
            statement.body().into_iter().for_each(|body| self.block(body));
        }
        block.value.iter().for_each(|value| self.atom(value));
    }

    fn atom(&mut self, atom: &Atom) {
        if let Atom::Inlined(computation) = atom {
            self.computation(computation);
        }
    }

    fn computation(&mut self, computation: &Computation) {
        use crate::expr::core::visit::Part;
        if let Computation::Labelled(label, _) = computation {
            self.inside.insert(*label);
        }
        computation.parts().into_iter().for_each(|part| match part {
            Part::Operand(atom) => self.atom(atom),
            Part::Inner(inner) => self.computation(inner),
            Part::Block(block) => self.block(block),
            // Functions inside have ends of their own.
            Part::Closure(_) | Part::Changed(_) => {}
        });
    }

    /// Returns the simplest result type of a closure that represents these jumps.
    fn way(&self) -> Way {
        match (self.returns, self.breaks.is_empty() && self.continues.is_empty()) {
            (_, false) => Way::Any,
            (true, true) => Way::Return,
            (false, true) => Way::End,
        }
    }
}

impl Printer<'_> {
    /// Emits `return value`.
    pub(super) fn return_atom(&mut self, value: &Atom) -> TokenStream {
        if self.way_around().is_none() {
            let result = self.result(value);
            return quote!(return #result;);
        }
        let value = self.atom(value, Want::Value).into_tokens();
        self.return_code(&value)
    }

    fn return_code(&self, value: &TokenStream) -> TokenStream {
        match self.way_around() {
            None => quote!(return Ok(#value);),
            Some(Way::Return) => quote!(return Ok(Some(#value));),
            Some(_) => quote!(return Ok(js::Flow::Return(#value));),
        }
    }

    /// Returns the result type of the innermost closure of a `try`.
    fn way_around(&self) -> Option<Way> {
        self.enclosing.iter().rev().find_map(|(_, kind)| match kind {
            Enclosing::Try(way) => Some(*way),
            _ => None,
        })
    }

    /// Returns `true` if a jump to a label leaves the closure of a `try`.
    pub(super) fn leaves_try(&self, target: LabelId) -> bool {
        let inside = self.enclosing.iter().rev().take_while(|(label, _)| *label != target);
        inside.into_iter().any(|(_, kind)| matches!(kind, Enclosing::Try(_)))
    }

    /// Emits a jump out of the closure of a `try`.
    pub(super) fn jump_out(&self, target: LabelId, continues: bool) -> TokenStream {
        let number = jump_number(target, continues);
        quote!(return Ok(js::Flow::Jump(#number));)
    }

    /// Emits a `try`.
    pub(super) fn try_statement(&mut self, inner: &Try) -> TokenStream {
        let exits = Exits::of(&inner.body);
        let way = exits.way();
        self.enclosing.push((inner.label, Enclosing::Try(way)));
        let body = self.inner(&inner.body, Want::Unit);
        self.enclosing.pop();
        let ends_early = inner.body.jumps();
        let end = match way {
            _ if ends_early => TokenStream::new(),
            Way::End => quote!(Ok(())),
            Way::Return => quote!(Ok(None)),
            Way::Any => quote!(Ok(js::Flow::Next)),
        };
        // Nothing else determines the type of a block that always throws.
        let kind = (ends_early && way == Way::End).then(|| quote!(::<()>));
        let attempt = quote!(js::attempt #kind (|| { #body #end })?);
        let (error, handler) = match &inner.end {
            TryEnd::Catch(error, handler) => (error, handler),
            TryEnd::Finally(finalizer) => return self.finally(&attempt, &exits, way, finalizer),
        };
        let visible = self.in_scope.len();
        let error = self.pattern(*error);
        let handler = self.inner(handler, Want::Unit);
        self.release(visible);
        match way {
            Way::End if error.to_string() == "_" => quote!(if #attempt.is_err() { #handler }),
            Way::End => quote!(if let Err(#error) = #attempt { #handler }),
            _ => {
                let arms = self.arms(&exits, way);
                quote!(match #attempt { #arms Err(#error) => { #handler } })
            }
        }
    }

    fn finally(&mut self, attempt: &TokenStream, exits: &Exits, way: Way, finalizer: &CoreBlock) -> TokenStream {
        let tried = self.temporary("tried");
        let visible = self.in_scope.len();
        let finalizer = self.inner(finalizer, Want::Unit);
        self.release(visible);
        let after = match way {
            Way::End => quote!(if let Err(thrown_) = #tried { return Err(js::Throw::Value(thrown_)); }),
            _ => {
                let arms = self.arms(exits, way);
                quote!(match #tried { #arms Err(thrown_) => return Err(js::Throw::Value(thrown_)), })
            }
        };
        quote!(let #tried = #attempt; #finalizer #after)
    }

    /// Emits the arms that continue the jumps of a closure.
    fn arms(&mut self, exits: &Exits, way: Way) -> TokenStream {
        let done = self.return_code(&quote!(value_));
        if way == Way::Return {
            return quote!(Ok(Some(value_)) => { #done } Ok(None) => {});
        }
        let mut arms = TokenStream::new();
        if exits.returns {
            arms.extend(quote!(Ok(js::Flow::Return(value_)) => { #done }));
        }
        for label in &exits.breaks {
            let (number, done) = (jump_number(*label, false), self.statement(&CoreStatement::Break(*label, None)));
            arms.extend(quote!(Ok(js::Flow::Jump(#number)) => { #done }));
        }
        for label in &exits.continues {
            let (number, done) = (jump_number(*label, true), self.statement(&CoreStatement::Continue(*label)));
            arms.extend(quote!(Ok(js::Flow::Jump(#number)) => { #done }));
        }
        quote!(#arms Ok(_) => {})
    }
}

fn jump_number(label: LabelId, continues: bool) -> Literal {
    Literal::usize_unsuffixed(2 * label.position() + usize::from(continues))
}
