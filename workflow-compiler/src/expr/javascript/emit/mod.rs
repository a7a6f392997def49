//! Prints a function as Rust over the values of the runtime.
//!
//! What is known to be a number, a truth value or a text is one in Rust as well, and becomes a `Js` where one is needed.
//! Operands are evaluated in the order of JavaScript, which is that of Rust; a local that a later operand assigns is
//! copied before. Temporaries end in `_`, which names of locals do not.

mod assign;
mod call;
mod code;
mod expr;
mod function;
mod jump;
mod loops;
mod names;
mod operator;
mod pattern;
mod statement;

use super::ir::{Expr, Local, LocalId, Type, Unit};
use super::walk;
use crate::passes::names::Scope;
use jump::Exit;
use names::Names;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Prints a function of a definition, whose locals are called as none of the module's constants is.
pub(super) fn emit(unit: &Unit, variables: &[String], name: &Ident, constants: &Arc<Scope>) -> TokenStream {
    let mut cx = Emitter {
        locals: &unit.locals,
        names: Names::of(unit, variables, constants),
        assigned_later: Vec::new(),
        exits: Vec::new(),
        labels: BTreeSet::new(),
        rebound: BTreeSet::new(),
        captured: Vec::new(),
        this_is_owned: false,
        temporaries: 0,
        chains: 0,
    };
    cx.unit(unit, name)
}

/// What emitting knows at a place.
struct Emitter<'a> {
    locals: &'a [Local],
    names: Names,
    /// The locals that operands assign which are evaluated later than what is emitted.
    assigned_later: Vec<LocalId>,
    /// What can be left, within the function around the place.
    exits: Vec<Exit>,
    /// The labels that were used.
    labels: BTreeSet<String>,
    /// The shared locals that are another variable in each turn of a loop.
    rebound: BTreeSet<LocalId>,
    /// The locals of functions around the innermost one, which it must keep.
    captured: Vec<LocalId>,
    /// Whether `this` is a `Js` that was captured, not a reference.
    this_is_owned: bool,
    /// How many temporaries of patterns are in use.
    temporaries: usize,
    /// How many chains of `||`, `&&` or `??` the place is within.
    chains: usize,
}

impl Emitter<'_> {
    fn ty(&self, value: &Expr) -> Type {
        value.ty(self.locals)
    }

    fn is_shared(&self, id: LocalId) -> bool {
        self.locals[id.0].is_shared()
    }

    /// Whether a local is a `Js` of its own.
    fn is_plain(&self, id: LocalId) -> bool {
        !self.is_shared(id) && self.locals[id.0].ty == Type::Any
    }

    fn name(&self, id: LocalId) -> Ident {
        ident(&self.names.locals[id.0])
    }

    fn variable(&self, variable: usize) -> Ident {
        ident(&self.names.variables[variable])
    }

    /// Emits something that is evaluated before `later`.
    fn before<'e, T>(&mut self, later: impl IntoIterator<Item = &'e Expr>, emit: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.assigned_later.len();
        for value in later {
            walk::assigned_in(value, &mut self.assigned_later);
        }
        let emitted = emit(self);
        self.assigned_later.truncate(known);
        emitted
    }
}

fn ident(name: &str) -> Ident {
    Ident::new(name, Span::call_site())
}

/// A number as a literal.
fn number(value: f64) -> TokenStream {
    if value.is_nan() {
        quote!(f64::NAN)
    } else if value.is_infinite() {
        if value > 0.0 { quote!(f64::INFINITY) } else { quote!(f64::NEG_INFINITY) }
    } else {
        let literal = Literal::f64_unsuffixed(value.abs());
        if value.is_sign_negative() { quote!(-#literal) } else { quote!(#literal) }
    }
}
