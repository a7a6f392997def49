//! Paths: steps that are applied one after the other to all items.

use std::ops::Range;
use std::rc::Rc;

use workflow_jsonata::{Node, NodeKind, Path, Stage, Step, StepKind};

use super::convert;
use super::error::Result;
use super::evaluate::{collapsed, kept};
use super::item::{Item, List};
use super::run::Evaluation;
use super::scope::VariableScope;
use super::tuple::Yield;
use super::view::{ElementsView, View};
use super::walk;
use crate::value::Value;

/// The items that a step is applied to.
pub(super) enum Input {
    /// The elements of an array.
    Elements(Item),
    /// One item, or nothing.
    One(Option<Item>),
}

impl Input {
    /// Returns the elements of an array, or the value alone.
    pub(super) fn of(value: Option<Item>) -> Input {
        match value {
            Some(item) if item.is_array() => Input::Elements(item),
            value => Input::One(value),
        }
    }

    /// Returns the number of items.
    pub(super) fn len(&self) -> usize {
        match self {
            Input::Elements(item) => elements(item).map_or(0, ElementsView::len),
            Input::One(_) => 1,
        }
    }

    /// Returns a copy of the item at a position.
    pub(super) fn get(&self, at: usize) -> Option<Item> {
        match self {
            Input::Elements(item) => elements(item)?.item(at),
            Input::One(item) => item.clone().filter(|_| at == 0),
        }
    }
}

/// Returns the elements of an array.
pub(super) fn elements(item: &Item) -> Option<ElementsView<'_>> {
    match View::from(item) {
        View::Array(elements) => Some(elements),
        _ => None,
    }
}

impl Evaluation<'_> {
    /// Evaluates a path.
    pub(super) fn path(
        &mut self,
        path: &Path,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let result = if path.steps.iter().any(|step| step.is_tuple) {
            match self.tuple_path(path, context, scope)? {
                Yield::Tuples(tuples) => return self.tuple_result(path, tuples, scope),
                Yield::Value(value) => value,
            }
        } else {
            match self.walked(path, context, scope)? {
                Walked::Done(value) => Some(value),
                Walked::Until(step, input) => self.path_steps(path, step..path.steps.len(), input, scope)?,
                Walked::Nothing => None,
                Walked::NotBegun => self.path_steps(path, 0..path.steps.len(), first_input(path, context), scope)?,
            }
        };
        let result = if path.keeps_array { keep_array(result) } else { result };
        match &path.group {
            Some(group) => self.group(&group.members, result.as_ref(), scope),
            None => Ok(result),
        }
    }

    /// Evaluates these steps of a path.
    pub(super) fn path_steps(
        &mut self,
        path: &Path,
        range: Range<usize>,
        input: Input,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let mut input = input;
        for at in range.clone() {
            let step = &path.steps[at];
            let is_last = at + 1 == path.steps.len();
            let yields = if at == 0 && step.is_constructor {
                match self.constructor_step(step, &input, scope)? {
                    // jsonata-js applies no further step to one element of an array constructor.
                    Some(item) if !is_last && !item.is_array() => None,
                    value => value,
                }
            } else {
                Some(self.apply_step(step, &input, is_last, scope)?)
            };
            let is_empty = yields.as_ref().is_none_or(|item| elements(item).is_some_and(|items| items.len() == 0));
            if is_empty || at + 1 == range.end {
                return Ok(yields);
            }
            input = Input::of(yields);
        }
        Ok(None)
    }

    /// Evaluates an array at the begin of a path: once, with the whole context.
    fn constructor_step(&mut self, step: &Step, input: &Input, scope: &Rc<VariableScope>) -> Result<Option<Item>> {
        let context = match input {
            Input::Elements(item) => Some(item.clone()),
            // jsonata-js takes the sequence of the one item, which stands for the item.
            Input::One(item) => item.clone(),
        };
        self.step_value(step, context.as_ref(), scope)
    }

    /// Applies a step to all items.
    fn apply_step(&mut self, step: &Step, input: &Input, is_last: bool, scope: &Rc<VariableScope>) -> Result<Item> {
        if let StepKind::Sort(terms) = &step.kind {
            let mut result = self.sorted(terms, input, scope)?;
            for stage in &step.stages {
                if let Stage::Filter(predicate) = stage {
                    result = self.filter(predicate, Some(result), scope)?.unwrap_or_else(nothing);
                }
            }
            return Ok(result);
        }
        let mut results = Vec::new();
        for at in 0..input.len() {
            let item = input.get(at);
            let mut value = self.step_value(step, item.as_ref(), scope)?;
            for stage in &step.stages {
                if let Stage::Filter(predicate) = stage {
                    value = self.filter(predicate, value, scope)?;
                }
            }
            results.extend(value);
        }
        self.flattened(results, is_last)
    }

    /// Evaluates a step for one item.
    pub(super) fn step_value(
        &mut self,
        step: &Step,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let StepKind::Node(node) = &step.kind else { return Ok(None) };
        let value = match &node.kind {
            NodeKind::Name(name) => {
                self.enter()?;
                let value = walk::lookup(self, context.map(View::from), name)?;
                self.leave();
                value
            }
            NodeKind::Suffixed(suffixed) if step.keeps_array => {
                self.enter()?;
                let value = self.suffixed(suffixed, context, scope)?;
                self.leave();
                value
            }
            NodeKind::Array(parts) if step.is_constructor => Some(self.constructed(parts, context, scope)?),
            _ => self.evaluate(node, context, scope)?,
        };
        let value = if step.keeps_array { value.map(kept) } else { value };
        Ok(collapsed(value))
    }

    /// Evaluates an array that a path does not flatten.
    fn constructed(&mut self, parts: &[Node], context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Item> {
        self.enter()?;
        let items = self.array(parts, context, scope)?;
        self.leave();
        Ok(Item::List(Rc::new(List { items, is_sequence: false, keeps_singleton: false, is_constructed: true })))
    }

    /// Joins what a step has yielded for each item.
    pub(super) fn flattened(&mut self, results: Vec<Item>, is_last: bool) -> Result<Item> {
        if is_last
            && let [item] = &results[..]
            && item.is_array()
            && !item.is_sequence()
        {
            return Ok(item.clone());
        }
        let is_flat = |item: &Item| match item {
            Item::List(list) => list.is_constructed,
            Item::Value(Value::Array(_)) => false,
            _ => true,
        };
        if results.iter().all(is_flat) {
            self.charge(results.len())?;
            return Ok(convert::sequence(results));
        }
        let mut items = Vec::with_capacity(results.len());
        for result in results {
            if is_flat(&result) {
                self.charge(1)?;
                items.push(result);
            } else {
                self.extend(&mut items, &result)?;
            }
        }
        Ok(convert::sequence(items))
    }

    /// Adds the elements of an array.
    pub(super) fn extend(&mut self, items: &mut Vec<Item>, array: &Item) -> Result<()> {
        if let Some(elements) = elements(array) {
            self.charge(elements.len())?;
            self.fits(items.len().saturating_add(elements.len()))?;
            items.extend(elements.items());
        }
        Ok(())
    }

    /// Follows the names at the begin of a path, from a variable or the context item, as long as
    /// they are names of members of objects.
    fn walked(&mut self, path: &Path, context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Walked> {
        let Some((first, rest)) = path.steps.split_first() else { return Ok(Walked::NotBegun) };
        let name = match (plain(first), context) {
            (Some(NodeKind::Variable(name)), _) => name,
            (Some(NodeKind::Name(_)), Some(Item::Value(value))) if !matches!(value, Value::Array(_)) => {
                return self.follow(path, 0, value);
            }
            _ => return Ok(Walked::NotBegun),
        };
        if **name == *"states" && !scope.binds(self, "states")? && !self.sees.names.contains(&"states") {
            let sees = self.sees;
            let Some(Some(NodeKind::Name(member))) = rest.first().map(plain) else { return Ok(Walked::NotBegun) };
            let states = sees.states.members();
            let found = states.into_iter().find(|(name, _)| **name == **member).and_then(|(_, value)| value);
            let Some(value) = found else { return Ok(Walked::Nothing) };
            return self.follow(path, 2, value);
        }
        match self.variable(name, scope)? {
            Some(Item::Value(value)) => self.follow(path, 1, &value),
            _ => Ok(Walked::NotBegun),
        }
    }

    /// Follows names from a value.
    fn follow(&mut self, path: &Path, from: usize, value: &Value) -> Result<Walked> {
        self.enter()?;
        self.leave();
        let mut value = value;
        for (at, step) in path.steps.iter().enumerate().skip(from) {
            let name = match plain(step) {
                Some(NodeKind::Name(name)) if !matches!(value, Value::Array(_)) => name,
                _ => return Ok(Walked::Until(at, Input::of(Some(yielded(value))))),
            };
            self.steps(1)?;
            match value.as_object().and_then(|members| members.get(name)) {
                Some(member) => value = member,
                None => return Ok(Walked::Nothing),
            }
        }
        let item = Item::Value(value.clone());
        // A sequence of one element that is no array is that element, unless it stays an array.
        let is_sequence = path.keeps_array && !item.is_array();
        Ok(Walked::Done(if is_sequence { convert::sequence(vec![item]) } else { item }))
    }
}

/// The names at the begin of a path.
enum Walked {
    /// The path does not start in this way.
    NotBegun,
    /// There is no member of a name.
    Nothing,
    /// The steps from this one on are left, for these items.
    Until(usize, Input),
    /// The value of the path.
    Done(Item),
}

/// Returns the items that a step has yielded which is not the last one. They are a sequence, which
/// makes a difference for fewer than two.
pub(super) fn yielded(value: &Value) -> Item {
    match value {
        Value::Array(items) if items.len() < 2 => convert::sequence(items.iter().cloned().map(Item::Value).collect()),
        value => Item::Value(value.clone()),
    }
}

/// Returns the part of a step that has nothing else.
fn plain(step: &Step) -> Option<&NodeKind> {
    match &step.kind {
        StepKind::Node(node) if step.stages.is_empty() && !step.is_constructor => Some(&node.kind),
        _ => None,
    }
}

/// Returns the items that the first step of a path is applied to.
pub(super) fn first_input(path: &Path, context: Option<&Item>) -> Input {
    let is_absolute =
        path.steps.first().is_some_and(|step| matches!(&step.kind, StepKind::Node(node) if node.is_variable()));
    match context {
        Some(item) if item.is_array() && !is_absolute => Input::Elements(item.clone()),
        context => Input::One(context.cloned()),
    }
}

/// Makes the result of a path stay an array.
pub(super) fn keep_array(result: Option<Item>) -> Option<Item> {
    match result {
        Some(Item::List(list)) if list.is_constructed && !list.is_sequence => {
            Some(kept(convert::sequence(vec![Item::List(list)])))
        }
        result => result.map(kept),
    }
}

/// Returns a sequence of nothing.
fn nothing() -> Item {
    convert::sequence(Vec::new())
}
