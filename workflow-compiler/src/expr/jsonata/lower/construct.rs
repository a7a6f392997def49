//! Constructors of arrays and objects, and grouping.

use super::scope::{ContextItem, JsonataEnv};
use super::{Lowering, Res, callees, untranslated};
use crate::expr::core::{Atom, Computation, CoreArgument, CoreStatement, CoreType, Primitive};
use std::collections::HashSet;
use workflow_jsonata::{Node, NodeKind};

/// The most pairs of a grouping. Each one nests the code of those after it.
const MAX_PAIRS: usize = 50;

impl<'n> Lowering<'n> {
    /// Lowers an array. Its parts that are arrays are flattened, unless they are constructors.
    pub(super) fn array(&mut self, parts: &'n [Node], env: &JsonataEnv) -> Res<Atom> {
        let callee = match parts.iter().filter(|part| is_constructor(part)).count() {
            0 => callees::ARRAY,
            count if count == parts.len() => callees::LIST,
            _ => return self.elements(parts, callees::ALL_ELEMENTS, env),
        };
        let values = parts.iter().map(|part| self.value(part, env)).collect::<Res<_>>()?;
        let values = self.values(values);
        Ok(self.call_of("array", callee, &[&values]))
    }

    /// Lowers an array that a path does not flatten.
    pub(super) fn constructed(&mut self, parts: &'n [Node], env: &JsonataEnv) -> Res<Atom> {
        self.has_constructed = true;
        self.elements(parts, callees::CONSTRUCTED, env)
    }

    fn elements(&mut self, parts: &'n [Node], end: Primitive, env: &JsonataEnv) -> Res<Atom> {
        let elements = self.list("elements", callees::ELEMENTS);
        for part in parts {
            let callee = if is_constructor(part) { callees::ADD_ELEMENT } else { callees::ADD_ELEMENTS };
            let value = self.value(part, env)?;
            self.add(elements, callee, &[&value]);
        }
        Ok(self.finish("array", end, elements))
    }

    /// Lowers an object for the context item.
    pub(super) fn object(&mut self, members: &'n [(Node, Node)], env: &JsonataEnv) -> Res<Atom> {
        let mut names = HashSet::new();
        let are_constant = members.iter().all(|(key, _)| match &key.kind {
            NodeKind::String(name) => names.insert(name),
            _ => false,
        });
        match (are_constant, &env.context) {
            (false, context) => self.grouped(members, context.input(), env),
            (true, ContextItem::Nothing) => self.constant_object(members, env),
            (true, ContextItem::Document { root, .. }) => self.constant_object(members, &env.on(root)),
            (true, ContextItem::Item(item)) => self.object_of_item(members, item, env),
        }
    }

    /// Lowers an object whose keys are constant. The evaluator sorts the elements of a context
    /// item that is an array into one group for each key.
    fn object_of_item(&mut self, members: &'n [(Node, Node)], item: &Atom, env: &JsonataEnv) -> Res<Atom> {
        let name = item.local().map_or_else(|| "item".to_owned(), |local| self.builder.hint(local).to_owned());
        let grouped = self.builder.local(&name, CoreType::Value);
        self.builder.begin();
        let object = self.constant_object(members, &env.on(&Atom::Local(grouped)))?;
        let block = self.builder.end(None);
        if block.reads(grouped) {
            let group = self.builder.call_of(callees::GROUPED, vec![item.into()]);
            self.builder.push(CoreStatement::Let(grouped, group));
        }
        block.statements.into_iter().for_each(|statement| self.builder.push(statement));
        Ok(object)
    }

    fn constant_object(&mut self, members: &'n [(Node, Node)], env: &JsonataEnv) -> Res<Atom> {
        let mut values = Vec::with_capacity(members.len());
        for (key, value) in members {
            let NodeKind::String(name) = &key.kind else { continue };
            self.count_text(name)?;
            values.push((name.to_string(), self.value(value, env)?));
        }
        let is_nested = values.iter().any(|(_, value)| self.is_nested(value));
        let object = Atom::Local(self.builder.bind("object", CoreType::Value, Computation::Object(values)));
        if is_nested {
            self.mark_nested(&object);
        }
        Ok(object)
    }

    /// Lowers the grouping of the elements of a value.
    pub(super) fn grouped(&mut self, members: &'n [(Node, Node)], value: Option<&Atom>, env: &JsonataEnv) -> Res<Atom> {
        if members.len() > MAX_PAIRS {
            return untranslated("a grouping by so many pairs");
        }
        let input = match value {
            Some(value) => value.clone(),
            None => self.nothing(),
        };
        self.check_flat(&input)?;
        let groups = self.list_for(&input, "groups", callees::GROUPS);
        self.for_items(callees::GROUP_ITEMS, &input, "item", |lowering, item| {
            for (pair, (key, _)) in members.iter().enumerate() {
                let key = lowering.value(key, &env.on(&item))?;
                let args = vec![
                    CoreArgument::Changed(groups),
                    CoreArgument::Int(i64::try_from(pair).unwrap_or(i64::MAX)),
                    (&key).into(),
                    (&item).into(),
                ];
                lowering.builder.run(callees::ADD_TO_GROUP, args);
            }
            Ok(())
        })?;
        let object = self.list("members", callees::MEMBERS);
        let over = self.builder.call_of(callees::MERGED_GROUPS, vec![(&Atom::Local(groups)).into()]);
        let items = [("pair", CoreType::Count), ("key", CoreType::Value), ("item", CoreType::Value)];
        self.for_each(over, items, |lowering, [pair, key, item]| {
            let env = env.on(&Atom::Local(item));
            let value = lowering.group_value(members, 0, &Atom::Local(pair), &env)?;
            lowering.add(object, callees::INSERT, &[&Atom::Local(key), &value]);
            Ok(())
        })?;
        Ok(self.finish("object", callees::OBJECT, object))
    }

    /// Lowers the value of a group, which belongs to one of the pairs from a position on.
    fn group_value(&mut self, members: &'n [(Node, Node)], from: usize, pair: &Atom, env: &JsonataEnv) -> Res<Atom> {
        let Some((_, value)) = members.get(from) else { return Ok(self.nothing()) };
        if from + 1 == members.len() {
            return self.value(value, env);
        }
        let position = CoreArgument::Int(i64::try_from(from).unwrap_or(i64::MAX));
        let test = self.builder.call("is_pair", callees::EQUALS, vec![pair.into(), position]);
        self.choose(test, "chosen", |lowering, holds| match holds {
            true => lowering.value(value, env),
            false => lowering.group_value(members, from + 1, pair, env),
        })
    }
}

/// Returns `true` for a constructor of an array, with what follows it.
fn is_constructor(part: &Node) -> bool {
    matches!(part.base().kind, NodeKind::Array(_))
}
