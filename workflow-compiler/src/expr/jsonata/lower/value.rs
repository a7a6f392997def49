//! Lowering of parts to values.

use super::hint::hint;
use super::scope::{Bound, JsonataEnv, Meaning};
use super::{Lowering, Res, Yield, callees, operator, untranslated};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreArgument, CoreType};
use std::sync::Arc;
use workflow_jsonata::{Node, NodeKind, Pattern};

impl<'n> Lowering<'n> {
    /// Lowers a part to its value.
    pub(super) fn value(&mut self, node: &'n Node, env: &JsonataEnv) -> Res<Atom> {
        self.nest(|lowering| {
            let value = lowering.reduced(node, false, env)?;
            Ok(lowering.collapsed(value, &hint(node)))
        })
    }

    /// Lowers a part to its value, without reducing a sequence to its element.
    pub(super) fn sequence(&mut self, node: &'n Node, env: &JsonataEnv) -> Res<Yield> {
        self.reduced(node, true, env)
    }

    /// Lowers a part to its value. A function of the language returns its sequence as it is if
    /// `is_raw` holds.
    fn reduced(&mut self, node: &'n Node, is_raw: bool, env: &JsonataEnv) -> Res<Yield> {
        match &node.kind {
            NodeKind::Suffixed(suffixed) => self.suffixed(suffixed, env),
            NodeKind::Path(path) => self.path(path, env),
            NodeKind::Call(call) => self.call(call, None, is_raw, env),
            NodeKind::Apply(left, right) => self.application(left, right, is_raw, env),
            // A call in tail position.
            NodeKind::Lambda(lambda) if lambda.is_thunk => self.tail(&lambda.body, env),
            _ => self.single(node, env).map(Yield::value),
        }
    }

    fn single(&mut self, node: &'n Node, env: &JsonataEnv) -> Res<Atom> {
        match &node.kind {
            NodeKind::Null => Ok(Atom::Literal(Literal::Null)),
            NodeKind::Bool(value) => Ok(Atom::Literal(Literal::Bool(*value))),
            NodeKind::Number(number) => Ok(Atom::Literal(operator::number(*number))),
            NodeKind::String(text) => {
                self.count_text(text)?;
                Ok(Atom::Literal(Literal::String(text.to_string())))
            }
            NodeKind::Regex(pattern) => self.regex(pattern),
            NodeKind::Variable(name) => self.variable(name, env),
            NodeKind::Context => Ok(match env.context.item() {
                Some(item) => item.clone(),
                None => self.nothing(),
            }),
            NodeKind::Root => Ok(match self.document.clone() {
                Some(document) => document,
                None => self.nothing(),
            }),
            NodeKind::Wildcard => Ok(match env.context.item() {
                Some(item) => self.call_of("members", callees::WILDCARD, &[item]),
                None => self.nothing(),
            }),
            NodeKind::Descendants => Ok(match env.context.input() {
                Some(item) => self.call_of("descendants", callees::DESCENDANTS, &[item]),
                None => self.nothing(),
            }),
            NodeKind::Negate(operand) => self.negate(operand, env),
            NodeKind::Array(parts) => self.array(parts, env),
            NodeKind::Object(members) => self.object(members, env),
            NodeKind::Binary(operator, left, right) => self.binary(*operator, (left, right), env),
            NodeKind::Bind(name, value) => self.bind(name, value, env),
            NodeKind::Block(parts) => self.block(parts, env, Self::settled),
            NodeKind::Condition(condition) => self.condition(condition, Some(&hint(node)), env, Self::settled),
            NodeKind::Lambda(_) => untranslated("a function as a value"),
            NodeKind::Partial(_) => untranslated("a partial application"),
            NodeKind::Transform(_) => untranslated("a transformation"),
            NodeKind::Parent(_) => untranslated("the parent operator `%`"),
            _ => untranslated("a part of an unknown kind"),
        }
    }

    fn regex(&mut self, pattern: &Arc<Pattern>) -> Res<Atom> {
        self.count_text(&pattern.text)?;
        self.has_functions = true;
        let flags = match (pattern.ignores_case, pattern.is_multiline) {
            (false, false) => "",
            (true, false) => "i",
            (false, true) => "m",
            (true, true) => "im",
        };
        let pattern = CoreArgument::Pattern(pattern.text.clone(), flags);
        Ok(self.builder.call("pattern", callees::REGEX, vec![pattern]))
    }

    /// Counts the parts of a constant that is copied to a use of its variable.
    pub(super) fn count_literal(&mut self, value: &Atom) -> Res<()> {
        match value {
            Atom::Literal(Literal::String(text)) => self.count_text(text),
            _ => Ok(()),
        }
    }

    /// Lowers a variable to its value.
    pub(super) fn variable(&mut self, name: &str, env: &JsonataEnv) -> Res<Atom> {
        match self.meaning(name, env.frame) {
            Meaning::Bound(Bound::Value(value)) => {
                self.count_literal(&value)?;
                Ok(value)
            }
            Meaning::Bound(Bound::Function(_)) => untranslated(format!("the function `${name}` as a value")),
            Meaning::Native(native) => {
                self.has_functions = true;
                let args = vec![CoreArgument::Text(native.name.to_owned())];
                Ok(self.builder.call("function", callees::NATIVE, args))
            }
            Meaning::Variable(local) => {
                Ok(self.call_of(&super::hint::of_name(name), callees::OF, &[&Atom::Local(local)]))
            }
            Meaning::States => Ok(self.states()),
            Meaning::Unknown => Ok(self.nothing()),
        }
    }

    /// Lowers `$states` as a whole.
    pub(super) fn states(&mut self) -> Atom {
        let mut members = Vec::new();
        for name in ["input", "result", "errorOutput", "context"] {
            let known = self.variables.iter().find(|(known, _)| known.strip_prefix("states.") == Some(name));
            if let Some(local) = known.map(|(_, local)| *local) {
                let hint = self.builder.hint(local).to_owned();
                members.push((name.to_owned(), self.call_of(&hint, callees::OF, &[&Atom::Local(local)])));
            }
        }
        Atom::Local(self.builder.bind("states", CoreType::Value, Computation::Object(members)))
    }

    /// Lowers the binding of a variable, and returns its value.
    fn bind(&mut self, name: &Arc<str>, value: &'n Node, env: &JsonataEnv) -> Res<Atom> {
        let first = self.builder.next_local();
        let value = self.settled(value, env)?;
        match value.local() {
            Some(local) if local >= first => self.builder.rename(local, &super::hint::of_name(name)),
            _ => {}
        }
        self.define(env.frame, name, Bound::Value(value.clone()))?;
        Ok(value)
    }

    /// Lowers a part whose value is reduced again where another part passes it on: it must not be
    /// the only element of a sequence, and a sequence itself.
    fn settled(&mut self, node: &'n Node, env: &JsonataEnv) -> Res<Atom> {
        let value = self.value(node, env)?;
        if value.local().is_some_and(|local| self.reduced.contains(&local)) {
            return untranslated("a sequence in the result of a function that is called back");
        }
        Ok(value)
    }

    /// Lowers the parts of a block, the last one as `lower` says.
    pub(super) fn block(
        &mut self,
        parts: &'n [Node],
        env: &JsonataEnv,
        lower: impl Fn(&mut Self, &'n Node, &JsonataEnv) -> Res<Atom>,
    ) -> Res<Atom> {
        let Some((last, first)) = parts.split_last() else { return Ok(self.nothing()) };
        let frame = self.scope(env.frame, Vec::new());
        let env = JsonataEnv { context: env.context.clone(), frame };
        for part in first {
            match &part.kind {
                NodeKind::Bind(name, value) if self.is_function(value, &env) => {
                    self.nest(|lowering| {
                        let function = lowering.nest(|lowering| lowering.function_of(value, &env))?;
                        function.map_or(Ok(()), |function| lowering.define(frame, name, Bound::Function(function)))
                    })?;
                }
                _ => {
                    self.value(part, &env)?;
                }
            }
        }
        lower(self, last, &env)
    }
}
