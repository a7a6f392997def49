//! Lowering of `sub` and `gsub`: the replacement is evaluated for each match.

use super::scope::JqEnv;
use super::{Lowering, Res, Then, callees};
use crate::expr::Literal;
use crate::expr::core::Atom;
use crate::expr::jq::ast::Term;

/// The pattern, the replacement, and the flags.
type Parts<'p> = (&'p Term, &'p Term, Option<&'p Term>);

impl<'p> Lowering<'p> {
    pub(super) fn replaced(
        &mut self,
        name: &str,
        (pattern, replacement, flags): Parts<'p>,
        env: JqEnv<'_, 'p>,
    ) -> Res<Atom> {
        let pattern = self.one(pattern, env)?;
        let flags = match flags {
            Some(flags) => self.one(flags, env)?,
            None => Atom::Literal(Literal::Null),
        };
        let closure = self.filter_closure("found", replacement, env.scope)?;
        self.loops = true;
        let callee = if name == "gsub" { callees::GSUB_WITH } else { callees::SUB_WITH };
        Ok(self.builder.call("text", callee, vec![env.input.into(), (&pattern).into(), (&flags).into(), closure]))
    }

    pub(super) fn each_replaced(
        &mut self,
        name: &str,
        (pattern, replacement, flags): Parts<'p>,
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        self.each(pattern, env, &mut |lowering, pattern| {
            lowering.each_bound(flags, env, &mut |lowering, flags| {
                let flags = match name {
                    "gsub" => {
                        let all = Atom::Literal(Literal::String("g".to_owned()));
                        lowering.call("flags", callees::ADD, &[&flags, &all])
                    }
                    _ => flags,
                };
                let closure = lowering.many_closure(replacement, env.scope)?;
                let args = vec![env.input.into(), (&pattern).into(), (&flags).into(), closure];
                lowering.each_from_closure(callees::SUB_MANY, args, "text", then)
            })
        })
    }
}
