//! Operands: constants and locals.

use super::Printer;
use super::code::{Fragment, Precedence, Want, ident};
use super::values::Values;
use crate::expr::Literal;
use crate::expr::core::ownership::Holds;
use crate::expr::core::{Atom, CoreType};
use proc_macro2::Ident;
use quote::quote;

impl Printer<'_> {
    /// Emits an operand.
    pub(super) fn atom(&mut self, atom: &Atom, want: Want) -> Fragment {
        match atom {
            Atom::Constant(constant) => self.values.constant(*constant, want),
            Atom::Literal(literal) => self.literal(literal, want),
            Atom::Inlined(computation) => self.computation(computation, want),
            Atom::Local(local) | Atom::Last(local) => {
                let name = self.name(*local);
                let tokens = quote!(#name);
                let is_last = matches!(atom, Atom::Last(_));
                let form = match (self.function.locals[*local].ty, &self.ownership.holds[*local]) {
                    (CoreType::Value, Holds::Borrowed(_)) | (CoreType::Place | CoreType::Context, _) => Want::Ref,
                    (CoreType::Value, Holds::Owned) if is_last => Want::Value,
                    (CoreType::Value, Holds::Owned) => Want::Local,
                    (ty, _) => Want::of(ty),
                };
                self.wanted(Fragment::new(tokens, form, Precedence::Primary), want)
            }
        }
    }

    fn literal(&mut self, constant: &Literal, want: Want) -> Fragment {
        if self.values == Values::JavaScript {
            return self.values.literal(constant, want);
        }
        let fragment = match (constant, self.values.scalar(constant)) {
            (Literal::Null, _) if want == Want::Ref && self.values == Values::Json => {
                return Fragment::new(quote!(&rt::NULL), want, Precedence::Unary);
            }
            (Literal::Bool(value), _) => Fragment::new(quote!(#value), Want::Bool, Precedence::Primary),
            (_, Some(tokens)) => Fragment::new(tokens, Want::Value, Precedence::Primary),
            (_, None) => {
                let name = self.constant(constant);
                Fragment::new(quote!(#name.value()), Want::Ref, Precedence::Primary)
            }
        };
        self.wanted(fragment, want)
    }

    /// Returns an expression in the form that is wanted.
    pub(super) fn wanted(&self, fragment: Fragment, want: Want) -> Fragment {
        fragment.wanted(want, self.values)
    }

    /// Returns the constant that holds an array or object.
    fn constant(&mut self, literal: &Literal) -> Ident {
        let number = self.statics.len() + 1;
        self.statics.entry(literal.to_string()).or_insert_with(|| ident(&format!("VALUE_{number}"))).clone()
    }
}
