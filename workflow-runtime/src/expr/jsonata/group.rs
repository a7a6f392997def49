//! Objects, and the grouping of items to an object: `items{key: value}`.

use std::collections::HashMap;
use std::rc::Rc;

use workflow_jsonata::{Node, NodeKind};

use super::convert;
use super::error::{JsonataError, Result};
use super::item::Item;
use super::message::quoted;
use super::path::Input;
use super::run::Evaluation;
use super::scope::{BINDING, Binding, VariableScope};
use super::tuple::{TUPLE, Tuple};
use crate::value::Str;

/// The number of groups or keys that are compared one after the other.
const FEW: usize = 8;

/// The items of one key.
pub(super) struct Group {
    /// The key.
    pub key: Str,
    /// The pair of the key.
    pub pair: usize,
    first: Tuple,
    others: Vec<Tuple>,
}

/// The groups in the order of their keys.
#[derive(Default)]
pub(super) struct TupleGroups {
    /// The groups.
    pub list: Vec<Group>,
    /// The places of the keys, if there are many.
    places: HashMap<Str, usize>,
}

impl TupleGroups {
    fn place(&mut self, key: &Str) -> Option<usize> {
        if self.list.len() < FEW {
            return self.list.iter().position(|group| group.key == *key);
        }
        if self.places.is_empty() {
            self.places = self.list.iter().enumerate().map(|(at, group)| (group.key.clone(), at)).collect();
        }
        self.places.get(key).copied()
    }

    fn add(&mut self, group: Group) {
        if !self.places.is_empty() {
            self.places.insert(group.key.clone(), self.list.len());
        }
        self.list.push(group);
    }
}

impl Evaluation<'_> {
    /// Evaluates an object for the context item.
    pub(super) fn object(
        &mut self,
        members: &[(Node, Node)],
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        if context.is_some_and(Item::is_array) || !has_few_constant_keys(members) {
            return self.group(members, context, scope);
        }
        let mut result = Vec::with_capacity(members.len());
        for (key, value) in members {
            // The key is a level deeper, as the value is.
            self.enter()?;
            self.leave();
            self.charge(1)?;
            if let (NodeKind::String(key), Some(value)) = (&key.kind, self.evaluate(value, context, scope)?) {
                result.push((Str::from(key.clone()), value));
            }
        }
        Ok(Some(convert::object(result)))
    }

    /// Groups the elements of an array, or evaluates an object for a single item.
    pub(super) fn group(
        &mut self,
        members: &[(Node, Node)],
        value: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let input = Input::of(value.cloned());
        let mut groups = TupleGroups::default();
        if input.len() == 0 {
            // An object is made of nothing, too.
            self.sort_into(&mut groups, members, Tuple { item: None, bindings: Vec::new() }, scope)?;
        }
        for at in 0..input.len() {
            self.sort_into(&mut groups, members, Tuple { item: input.get(at), bindings: Vec::new() }, scope)?;
        }
        self.values(groups, members, scope)
    }

    /// Groups items with their variables.
    pub(super) fn group_tuples(
        &mut self,
        members: &[(Node, Node)],
        tuples: Vec<Tuple>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        if tuples.is_empty() {
            return self.group(members, None, scope);
        }
        let mut groups = TupleGroups::default();
        for tuple in tuples {
            self.sort_into(&mut groups, members, tuple, scope)?;
        }
        self.values(groups, members, scope)
    }

    /// Adds an item to the groups of its keys.
    fn sort_into(
        &mut self,
        groups: &mut TupleGroups,
        members: &[(Node, Node)],
        tuple: Tuple,
        scope: &Rc<VariableScope>,
    ) -> Result<()> {
        let scope = tuple.scope_if_bound(self, scope)?;
        for (pair, (key, _)) in members.iter().enumerate() {
            let Some(key) = self.evaluate(key, tuple.item.as_ref(), &scope)? else { continue };
            self.add_to_group(groups, pair, &key, &tuple)?;
        }
        Ok(())
    }

    /// Adds an item to the group of a key.
    pub(super) fn add_to_group(
        &mut self,
        groups: &mut TupleGroups,
        pair: usize,
        key: &Item,
        tuple: &Tuple,
    ) -> Result<()> {
        let Some(key) = key.as_text() else {
            let key = quoted(self, Some(key))?;
            let message = format!("Key in object structure must evaluate to a string; got: {key}");
            return Err(JsonataError::new("T1003", message));
        };
        self.charge(1)?;
        self.reserve(1, TUPLE + BINDING * tuple.bindings.len())?;
        match groups.place(key) {
            None => groups.add(Group { key: key.clone(), pair, first: tuple.clone(), others: Vec::new() }),
            Some(place) if groups.list[place].pair == pair => groups.list[place].others.push(tuple.clone()),
            Some(_) => {
                let key = quoted(self, Some(&Item::Value(key.clone().into())))?;
                return Err(JsonataError::new(
                    "D1009",
                    format!("Multiple key definitions evaluate to same key: {key}"),
                ));
            }
        }
        Ok(())
    }

    /// Evaluates the values of groups.
    fn values(
        &mut self,
        groups: TupleGroups,
        members: &[(Node, Node)],
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let mut result = Vec::with_capacity(groups.list.len());
        for group in groups.list {
            let (key, pair) = (group.key.clone(), group.pair);
            let tuple = group.merged(self)?;
            let scope = tuple.scope_if_bound(self, scope)?;
            let value = self.evaluate(&members[pair].1, tuple.item.as_ref(), &scope)?;
            if let Some(value) = value {
                result.push((key, value));
            }
        }
        Ok(Some(convert::object(result)))
    }
}

impl Group {
    /// Merges the items of a group to one, and the values of each variable to an array.
    pub(super) fn merged(self, run: &mut Evaluation) -> Result<Tuple> {
        let Group { first, others, .. } = self;
        if others.is_empty() {
            return Ok(first);
        }
        let mut item = Merge::default();
        let mut bindings: Vec<(Binding, Merge)> = Vec::new();
        for tuple in std::iter::once(first).chain(others) {
            item.add(run, tuple.item)?;
            for mut binding in tuple.bindings {
                let value = binding.value.take();
                match bindings.iter_mut().find(|(bound, _)| bound.key == binding.key) {
                    Some((_, merge)) => merge.add(run, value)?,
                    None => {
                        let mut merge = Merge::default();
                        merge.add(run, value)?;
                        bindings.push((binding, merge));
                    }
                }
            }
        }
        let bindings = bindings.into_iter().map(|(binding, merge)| Binding { value: merge.finish(), ..binding });
        Ok(Tuple { item: item.finish(), bindings: bindings.collect() })
    }
}

/// Returns `true` if the keys of an object are a few strings that differ.
fn has_few_constant_keys(members: &[(Node, Node)]) -> bool {
    let is_new = |(at, (key, _)): (usize, &(Node, Node))| {
        matches!(key.kind, NodeKind::String(_)) && members[..at].iter().all(|(other, _)| other.kind != key.kind)
    };
    members.len() <= FEW && members.iter().enumerate().all(is_new)
}

/// Values that are appended one to the other. A single value stays what it is.
#[derive(Default)]
pub(super) struct Merge {
    first: Option<Item>,
    all: Vec<Item>,
    is_array: bool,
}

impl Merge {
    /// Adds a value, or the elements of an array.
    pub(super) fn add(&mut self, run: &mut Evaluation, value: Option<Item>) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        if let Some(first) = self.first.take() {
            self.is_array = true;
            self.push(run, first)?;
        }
        if self.is_array {
            return self.push(run, value);
        }
        self.first = Some(value);
        Ok(())
    }

    fn push(&mut self, run: &mut Evaluation, value: Item) -> Result<()> {
        if value.is_array() {
            return run.extend(&mut self.all, &value);
        }
        run.charge(1)?;
        self.all.push(value);
        Ok(())
    }

    /// Returns the values.
    pub(super) fn finish(self) -> Option<Item> {
        if self.is_array { Some(convert::array(self.all)) } else { self.first }
    }
}
