//! Arguments of functions with a signature: `function($x)<n:n>{…}`.

use super::hint::of_name;
use super::lambda::LambdaCall;
use super::scope::Bound;
use super::{Lowering, Res, callees, untranslated};
use crate::expr::core::{Atom, CoreArgument, CoreType};
use workflow_jsonata::Signature;

impl<'n> Lowering<'n> {
    /// Lowers the check of the arguments of a call. Returns the values of so many parameters: the
    /// context item can stand for a missing one, and a value can become an array.
    pub(super) fn checked(
        &mut self,
        signature: &'n Signature,
        args: Vec<Bound<'n>>,
        params: usize,
        how: &LambdaCall<'_>,
    ) -> Res<Vec<Bound<'n>>> {
        self.count(args.len().saturating_add(params))?;
        self.count_text(&signature.text)?;
        let takes_context = signature.params.iter().any(|param| param.takes_context);
        if takes_context && how.is_tail && self.recursions.is_in_tail {
            return untranslated("the context item of the caller of a function that calls itself");
        }
        let context = how.context.item().filter(|_| takes_context).cloned();
        let args = self.flat_values(args)?;
        let values = self.values(args);
        let mut arguments = vec![CoreArgument::Atom(values)];
        let callee = if context.is_some() { callees::CHECKED_IN } else { callees::CHECKED };
        arguments.extend(context.map(CoreArgument::Atom));
        arguments.push(CoreArgument::Signature(signature.text.clone()));
        // Messages have another word where a function has no name.
        arguments.push(CoreArgument::Text(how.name.unwrap_or_default().to_owned()));
        let checked = self.builder.call_of(callee, arguments);
        let checked = Atom::Local(self.builder.bind("checked", CoreType::Items, checked));
        Ok((0..params).map(|at| Bound::Value(self.argument(&checked, at, "argument"))).collect())
    }

    /// Returns arguments as values, none of which has a sequence inside of it.
    pub(super) fn flat_values(&mut self, args: Vec<Bound<'n>>) -> Res<Vec<Atom>> {
        args.into_iter()
            .map(|arg| match arg {
                Bound::Value(value) => self.check_flat(&value).map(|()| value),
                Bound::Function(_) => untranslated("a function as a value"),
            })
            .collect()
    }

    /// Lowers the value of an argument in a list.
    pub(super) fn argument(&mut self, list: &Atom, at: usize, hint: &str) -> Atom {
        // A parameter list has less than 2^63 parts.
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        self.builder.call(&of_name(hint), callees::ARGUMENT, vec![list.into(), CoreArgument::Int(at)])
    }
}
