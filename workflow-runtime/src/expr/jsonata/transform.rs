//! Transformations of objects: `|pattern|update, delete|`.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use workflow_jsonata::{Node, Transform};

use super::convert;
use super::error::{JsonataError, Result};
use super::item::Item;
use super::message::quoted;
use super::path::Input;
use super::run::{Evaluation, JsonataFunction};
use super::scope::VariableScope;
use super::view::View;
use crate::value::{Array, Object, Str, Value};

/// The objects that have changed, by the address that they had before. The copy of the document
/// keeps the addresses in use.
type Changes = HashMap<*const Object, Object>;

/// The size of a part of an array or object, in bytes.
const PART: usize = 48;
/// The size of an array or object without its parts.
const LEVEL: usize = 128;

/// The parts of a transformation. Each is evaluated for an item.
pub(super) struct TransformParts<'a> {
    /// The objects that change.
    pub pattern: &'a TransformPart<'a>,
    /// The object that is merged into each of them.
    pub update: &'a TransformPart<'a>,
    /// The names that are removed from each of them.
    pub delete: Option<&'a TransformPart<'a>>,
}

/// A part of a transformation.
pub(super) type TransformPart<'a> = dyn Fn(&mut Evaluation<'_>, &Item) -> Result<Option<Item>> + 'a;

impl Evaluation<'_> {
    /// Returns a changed copy of a value.
    pub(super) fn transform(
        &mut self,
        transform: &Transform,
        value: Option<Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let Some(value) = value else { return Ok(None) };
        let Some(Item::Function(clone)) = self.variable("clone", scope)? else {
            let message = "The transform expression clones the input object using the $clone() function.  This has \
                           been overridden in the current scope by a non-function.";
            return Err(JsonataError::new("T2013", message));
        };
        let delete = transform.delete.as_ref().map(|delete| part(delete, scope));
        let parts = TransformParts {
            pattern: &part(&transform.pattern, scope),
            update: &part(&transform.update, scope),
            delete: delete.as_ref().map(|delete| delete as &TransformPart<'_>),
        };
        self.transformed(value, &clone, &parts)
    }

    /// Returns a copy of a value that a function makes, changed by a transformation.
    pub(super) fn transformed(
        &mut self,
        value: Item,
        clone: &JsonataFunction,
        parts: &TransformParts<'_>,
    ) -> Result<Option<Item>> {
        let Some(copy) = self.apply(clone, &[Some(value)])? else { return Ok(None) };
        let copy = convert::without_functions(self, &copy)?;
        // Each object has an address of its own.
        let copy = self.separated(&copy)?;
        let matches = (parts.pattern)(self, &Item::Value(copy.clone()))?;
        let mut changes = Changes::new();
        if matches.is_some() {
            let matches = Input::of(matches);
            for at in 0..matches.len() {
                self.steps(1)?;
                let Some(item) = matches.get(at) else { continue };
                self.change(parts, &item, &mut changes)?;
            }
        }
        Ok(Some(Item::Value(self.changed(&copy, &changes)?)))
    }

    /// Applies the update and the deletion to one match.
    fn change(&mut self, parts: &TransformParts<'_>, item: &Item, changes: &mut Changes) -> Result<()> {
        let target = match item {
            Item::Value(Value::Object(object)) => Some(Arc::as_ptr(object)),
            _ => None,
        };
        let before = match item {
            // The update can put the object into itself, which must not make a circle.
            Item::Value(value) => Item::Value(unshared(self.changed(value, changes)?)),
            item => item.clone(),
        };
        let update = (parts.update)(self, &before)?;
        let mut after = match &before {
            Item::Value(Value::Object(object)) => (**object).clone(),
            _ => Object::new(),
        };
        if let Some(update) = &update {
            let View::Object(members) = View::from(update) else {
                let update = quoted(self, Some(update))?;
                let message = format!(
                    "The insert/update clause of the transform expression must evaluate to an object: {update}"
                );
                return Err(JsonataError::new("T2011", message));
            };
            self.charge(members.len())?;
            for (name, value) in members.items() {
                let value = match convert::to_value(self, value.clone())? {
                    Some(value) => value,
                    // A copy of the document holds no functions.
                    None => convert::without_functions(self, &value)?,
                };
                after.insert(name, value);
            }
        }
        if let Some(delete) = parts.delete {
            let current = match target {
                Some(_) => Item::Value(Value::from(after.clone())),
                None => before,
            };
            if let Some(names) = delete(self, &current)? {
                for name in self.names(&names)? {
                    after.remove(&name);
                }
            }
        }
        if let Some(target) = target {
            changes.insert(target, after);
        }
        Ok(())
    }

    /// Returns the names that a deletion yields.
    fn names(&mut self, names: &Item) -> Result<Vec<Str>> {
        let input = Input::of(Some(names.clone()));
        self.charge(input.len())?;
        let texts: Option<Vec<Str>> =
            (0..input.len()).map(|at| input.get(at).and_then(|item| item.as_text().cloned())).collect();
        match texts {
            Some(texts) => Ok(texts),
            None => {
                let names = quoted(self, Some(names))?;
                let message = format!(
                    "The delete clause of the transform expression must evaluate to a string or array of strings: {names}"
                );
                Err(JsonataError::new("T2012", message))
            }
        }
    }

    /// Returns a copy whose arrays and objects are shared with nothing.
    fn separated(&mut self, value: &Value) -> Result<Value> {
        self.rebuilt(value, &Changes::new(), true)
    }

    /// Returns a value with the objects inside of it that have changed.
    fn changed(&mut self, value: &Value, changes: &Changes) -> Result<Value> {
        if changes.is_empty() {
            return Ok(value.clone());
        }
        self.rebuilt(value, changes, false)
    }

    /// Rebuilds a value of any depth. `copies` rebuilds what has not changed, too.
    fn rebuilt(&mut self, value: &Value, changes: &Changes, copies: bool) -> Result<Value> {
        let mut open: Vec<Level> = Vec::new();
        let mut next = value.clone();
        loop {
            self.reserve(1, PART)?;
            let mut done = match Level::of(next, changes) {
                Ok(level) => {
                    self.reserve(1, LEVEL)?;
                    open.push(level);
                    None
                }
                Err(scalar) => Some(scalar),
            };
            next = loop {
                let Some(level) = open.last_mut() else { return Ok(done.unwrap_or_default()) };
                if let Some(value) = done.take() {
                    level.set(value, copies);
                }
                match level.next() {
                    Some(part) => break part,
                    None => done = open.pop().map(|level| level.finish(copies)),
                }
            };
        }
    }
}

/// Returns the evaluation of a part.
fn part<'a>(
    node: &'a Node,
    scope: &'a Rc<VariableScope>,
) -> impl Fn(&mut Evaluation<'_>, &Item) -> Result<Option<Item>> + use<'a> {
    move |run, item| run.evaluate(node, Some(item), scope)
}

/// Returns an object with an address of its own.
fn unshared(value: Value) -> Value {
    match value {
        Value::Object(object) => Value::Object(Arc::new((*object).clone())),
        value => value,
    }
}

/// An array or object that is being rebuilt.
struct Level {
    /// The array or object so far.
    value: Value,
    /// The place of the part that comes next.
    at: usize,
    /// `true` if it differs from what it was.
    differs: bool,
    /// The parts that have been rebuilt.
    parts: Vec<Value>,
}

impl Level {
    /// Begins with an array or object. Returns any other value.
    fn of(value: Value, changes: &Changes) -> std::result::Result<Level, Value> {
        let (value, differs) = match value {
            Value::Object(object) => match changes.get(&Arc::as_ptr(&object)) {
                Some(changed) => (Value::from(changed.clone()), true),
                None => (Value::Object(object), false),
            },
            Value::Array(items) => (Value::Array(items), false),
            scalar => return Err(scalar),
        };
        Ok(Level { value, at: 0, differs, parts: Vec::new() })
    }

    fn next(&mut self) -> Option<Value> {
        let part = match &self.value {
            Value::Array(items) => items.get(self.at).cloned(),
            Value::Object(members) => members.get_index(self.at).map(|(_, value)| value.clone()),
            _ => None,
        };
        self.at += usize::from(part.is_some());
        part
    }

    fn set(&mut self, part: Value, copies: bool) {
        let before = match &self.value {
            Value::Array(items) => items.get(self.parts.len()),
            Value::Object(members) => members.get_index(self.parts.len()).map(|(_, value)| value),
            _ => None,
        };
        self.differs |= copies || !before.is_some_and(|before| is_same(before, &part));
        self.parts.push(part);
    }

    fn finish(self, copies: bool) -> Value {
        if !self.differs && !copies {
            return self.value;
        }
        match &self.value {
            Value::Object(members) => members.keys().cloned().zip(self.parts).collect::<Object>().into(),
            _ => Value::Array(Arc::new(Array::from(self.parts))),
        }
    }
}

/// Returns `true` for an array or object that is the other one, and for any two other values.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => Arc::ptr_eq(left, right),
        (Value::Object(left), Value::Object(right)) => Arc::ptr_eq(left, right),
        (left, right) => std::mem::discriminant(left) == std::mem::discriminant(right),
    }
}
