//! Emission of functions as Rust over the values of the runtime.
//!
//! Values that are known to be numbers, booleans or texts have such types in Rust as well, and
//! become a `Js` where one is needed. Operands are evaluated in the order of JavaScript, which is
//! also the order of Rust. A local that a later operand assigns is copied before. Names of
//! temporaries end in `_`, names of locals do not.

mod assign;
mod call;
mod code;
mod expr;
mod function;
mod jump;
mod loops;
mod operator;
mod pattern;
mod statement;

use super::ir::{Expr, JsLocalId, Local, Type, Unit};
use super::last_reads::LastReads;
use super::walk;
use crate::names::NameScope;
use jump::JumpExit;
use super::names::LocalNames;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Emits a function of a definition. Its locals avoid the names of the module's constants.
pub(super) fn emit(unit: &Unit, variables: &[String], name: &Ident, constants: &Arc<NameScope>) -> TokenStream {
    let mut cx = Emitter {
        locals: &unit.locals,
        names: LocalNames::of(unit, variables, constants),
        last_reads: LastReads::of(unit),
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

/// The state of emission.
struct Emitter<'a> {
    locals: &'a [Local],
    names: LocalNames,
    /// The reads that move a local.
    last_reads: LastReads,
    /// The locals that operands assign which are evaluated after the emitted one.
    assigned_later: Vec<JsLocalId>,
    /// The constructs of the current function that jumps can leave.
    exits: Vec<JumpExit>,
    /// The labels in use.
    labels: BTreeSet<String>,
    /// The shared locals that are a new variable in each iteration of a loop.
    rebound: BTreeSet<JsLocalId>,
    /// The locals of enclosing functions that the innermost function has to keep.
    captured: Vec<JsLocalId>,
    /// `true` if `this` is a captured `Js` rather than a reference.
    this_is_owned: bool,
    /// The number of pattern temporaries in use.
    temporaries: usize,
    /// The number of enclosing chains of `||`, `&&` or `??`.
    chains: usize,
}

impl Emitter<'_> {
    fn ty(&self, value: &Expr) -> Type {
        value.ty(self.locals)
    }

    fn is_shared(&self, id: JsLocalId) -> bool {
        self.locals[id.0].is_shared()
    }

    /// Returns `true` if a local is an owned `Js`.
    fn is_plain(&self, id: JsLocalId) -> bool {
        !self.is_shared(id) && self.locals[id.0].ty == Type::Any
    }

    fn name(&self, id: JsLocalId) -> Ident {
        ident(&self.names.locals[id.0])
    }

    fn variable(&self, variable: usize) -> Ident {
        ident(&self.names.variables[variable])
    }

    /// Emits code that is evaluated before `later`.
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

/// Returns a number as a literal.
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
