//! Transformations of objects: `|pattern|update, delete|`.

use super::lambda::LambdaCall;
use super::scope::{Bound, JsonataEnv};
use super::{Lowering, Res, Yield, callees, untranslated};
use crate::expr::core::{Atom, Closure, CoreArgument, CoreType};
use workflow_jsonata::{Node, Transform};

impl<'n> Lowering<'n> {
    /// Lowers a call of a transformation. Its parts are closures.
    pub(super) fn transformed(
        &mut self,
        transform: &'n Transform,
        env: &JsonataEnv,
        args: Vec<Bound<'n>>,
        how: &LambdaCall<'_>,
    ) -> Res<Yield> {
        if !self.is_native("clone", env) {
            return untranslated("a transformation where `$clone` is hidden");
        }
        let args = self.flat_values(args)?;
        let values = self.values(args);
        // Messages have another word where a function has no name.
        let name = how.name.unwrap_or_default().to_owned();
        let mut args = vec![CoreArgument::Atom(values), CoreArgument::Text(name)];
        args.push(CoreArgument::Closure(self.part(&transform.pattern, env)?));
        args.push(CoreArgument::Closure(self.part(&transform.update, env)?));
        let callee = match &transform.delete {
            None => callees::TRANSFORMED,
            Some(delete) => {
                args.push(CoreArgument::Closure(self.part(delete, env)?));
                callees::TRANSFORMED_WITHOUT
            }
        };
        Ok(Yield::value(self.builder.call("changed", callee, args)))
    }

    fn part(&mut self, node: &'n Node, env: &JsonataEnv) -> Res<Closure> {
        let item = self.builder.local("item", CoreType::Value);
        let outside = self.builder.begin_closure();
        let value = self.guarded(|lowering| lowering.value(node, &env.on(&Atom::Local(item))))?;
        self.check_flat(&value)?;
        Ok(self.builder.end_closure(outside, vec![item], CoreType::Value, Some(value)))
    }
}
