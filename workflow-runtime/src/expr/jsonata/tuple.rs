//! Paths whose items carry variables: `@$name`, `#$name` and `%`.

use std::rc::Rc;

use workflow_jsonata::{Node, NodeKind, Path, Stage, Step, StepKind};

use super::convert;
use super::error::Result;
use super::evaluate::kept;
use super::filter::{literal, place};
use super::item::Item;
use super::path::{Input, elements, first_input};
use super::run::Evaluation;
use super::scope::{BINDING, Binding, BindingKey, SEARCHED, VariableScope};

/// The size of an item without its variables, in bytes.
pub(super) const TUPLE: usize = 64;

/// An item with its variables.
#[derive(Clone)]
pub(super) struct Tuple {
    /// The item.
    pub item: Option<Item>,
    /// The variables. Their names are distinct.
    pub bindings: Vec<Binding>,
}

impl Tuple {
    /// Creates an item without variables.
    fn new(item: Option<Item>) -> Tuple {
        Tuple { item, bindings: Vec::new() }
    }

    /// Binds a variable.
    pub(super) fn bind(&mut self, key: BindingKey, value: Option<Item>) {
        match self.bindings.iter_mut().find(|binding| binding.key == key) {
            Some(binding) => binding.value = value,
            None => self.bindings.push(Binding { key, value }),
        }
    }

    /// Returns the scope of the variables.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn scope(&self, run: &mut Evaluation, scope: &Rc<VariableScope>) -> Result<Rc<VariableScope>> {
        run.steps((self.bindings.len() / SEARCHED) as u64)?;
        Ok(VariableScope::inside(scope, self.bindings.clone()))
    }

    /// Returns the scope of the variables, which is the one around it if there are none.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn scope_if_bound(&self, run: &mut Evaluation, scope: &Rc<VariableScope>) -> Result<Rc<VariableScope>> {
        if self.bindings.is_empty() { Ok(Rc::clone(scope)) } else { self.scope(run, scope) }
    }
}

/// The value of a part, or the items with their variables.
pub(super) enum Yield {
    /// The value.
    Value(Option<Item>),
    /// The items.
    Tuples(Vec<Tuple>),
}

impl Evaluation<'_> {
    /// Evaluates the steps of a path whose items carry variables. If the steps before the first
    /// variable yield nothing, their value is that of the path.
    pub(super) fn tuple_path(
        &mut self,
        path: &Path,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Yield> {
        let mut input = first_input(path, context);
        let first = path.steps.iter().position(|step| step.is_tuple).unwrap_or(0);
        if first > 0 {
            let yields = self.path_steps(path, 0..first, input, scope)?;
            let is_empty = |item: &Item| elements(item).is_some_and(|items| items.len() == 0);
            match yields {
                Some(item) if !is_empty(&item) => input = Input::of(Some(item)),
                value => return Ok(Yield::Value(value)),
            }
        }
        let mut tuples = None;
        for step in &path.steps[first..] {
            tuples = Some(self.tuple_step(step, &input, tuples, scope)?);
        }
        Ok(Yield::Tuples(tuples.unwrap_or_default()))
    }

    /// Returns the value of a path from its items.
    pub(super) fn tuple_result(
        &mut self,
        path: &Path,
        tuples: Vec<Tuple>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        if let Some(group) = &path.group {
            return self.group_tuples(&group.members, tuples, scope);
        }
        let items = convert::sequence(tuples.into_iter().filter_map(|tuple| tuple.item).collect());
        Ok(Some(if path.keeps_array { kept(items) } else { items }))
    }

    /// Applies a step to all items.
    fn tuple_step(
        &mut self,
        step: &Step,
        input: &Input,
        tuples: Option<Vec<Tuple>>,
        scope: &Rc<VariableScope>,
    ) -> Result<Vec<Tuple>> {
        let mut result = match (&step.kind, tuples) {
            (StepKind::Sort(terms), Some(tuples)) => self.sorted_tuples(terms, tuples, scope)?,
            (StepKind::Sort(terms), None) => {
                let sorted = Input::of(Some(self.sorted(terms, input, scope)?));
                self.charge(sorted.len())?;
                let mut tuples: Vec<Tuple> = (0..sorted.len()).map(|at| Tuple::new(sorted.get(at))).collect();
                if let Some(name) = &step.index {
                    number(&mut tuples, name);
                }
                tuples
            }
            (StepKind::Node(node), tuples) => {
                let tuples = match tuples {
                    Some(tuples) => tuples,
                    None => (0..input.len()).map(|at| Tuple::new(input.get(at))).collect(),
                };
                self.joined(step, node, tuples, scope)?
            }
        };
        for stage in &step.stages {
            match stage {
                Stage::Filter(predicate) => result = self.filter_tuples(predicate, result, scope)?,
                Stage::Index(name) => number(&mut result, name),
            }
        }
        Ok(result)
    }

    /// Evaluates a step for each item, and joins what it yields with the variables of the item.
    fn joined(
        &mut self,
        step: &Step,
        node: &Node,
        tuples: Vec<Tuple>,
        scope: &Rc<VariableScope>,
    ) -> Result<Vec<Tuple>> {
        let mut result = Vec::new();
        for tuple in tuples {
            let scope = tuple.scope(self, scope)?;
            let yields = match stream(node) {
                true => self.stream(node, tuple.item.as_ref(), &scope)?,
                false => Yield::Value(self.step_value(step, tuple.item.as_ref(), &scope)?),
            };
            match yields {
                Yield::Tuples(inner) => {
                    for inner in inner {
                        let size = TUPLE + BINDING * (tuple.bindings.len() + inner.bindings.len());
                        self.reserve(1, size)?;
                        let mut joined = Tuple { item: inner.item, bindings: tuple.bindings.clone() };
                        for binding in inner.bindings {
                            joined.bind(binding.key, binding.value);
                        }
                        result.push(joined);
                    }
                }
                Yield::Value(None) => {}
                Yield::Value(value) => {
                    let values = Input::of(value);
                    let size = TUPLE + BINDING * (tuple.bindings.len() + 1);
                    self.reserve(values.len(), size)?;
                    for at in 0..values.len() {
                        result.push(join(step, &tuple, values.get(at), at));
                    }
                }
            }
        }
        Ok(result)
    }

    /// Evaluates a part that keeps the variables of its items.
    fn stream(&mut self, node: &Node, context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Yield> {
        self.enter()?;
        let yields = self.stream_base(node, context, scope)?;
        self.leave();
        Ok(yields)
    }

    /// Evaluates a part as `stream` does, without counting a level.
    fn stream_base(&mut self, node: &Node, context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Yield> {
        match &node.kind {
            NodeKind::Block(parts) => {
                let scope = VariableScope::inside(scope, Vec::new());
                let Some((last, parts)) = parts.split_last() else { return Ok(Yield::Value(None)) };
                for part in parts {
                    self.evaluate(part, context, &scope)?;
                }
                self.stream(last, context, &scope)
            }
            NodeKind::Path(path) => self.tuple_path(path, context, scope),
            NodeKind::Suffixed(suffixed) => match self.stream_base(&suffixed.base, context, scope)? {
                Yield::Tuples(mut tuples) => {
                    for predicate in &suffixed.predicates {
                        tuples = self.filter_tuples(predicate, tuples, scope)?;
                    }
                    Ok(Yield::Tuples(tuples))
                }
                value => Ok(value),
            },
            // `stream` admits no other part.
            _ => Ok(Yield::Value(None)),
        }
    }

    /// Returns the items for which a predicate holds, or the item at a position.
    fn filter_tuples(&mut self, predicate: &Node, tuples: Vec<Tuple>, scope: &Rc<VariableScope>) -> Result<Vec<Tuple>> {
        if let Some(position) = literal(predicate) {
            let place = place(position, tuples.len());
            return Ok(place.and_then(|place| tuples.into_iter().nth(place)).into_iter().collect());
        }
        let mut results = Vec::new();
        let length = tuples.len();
        for (at, tuple) in tuples.into_iter().enumerate() {
            let scope = tuple.scope(self, scope)?;
            let verdict = self.evaluate(predicate, tuple.item.as_ref(), &scope)?;
            let times = self.verdict(verdict.as_ref(), at, length)?;
            self.reserve(times, TUPLE + BINDING * tuple.bindings.len())?;
            results.extend(std::iter::repeat_n(tuple, times));
        }
        Ok(results)
    }
}

/// Binds the positions of items.
fn number(tuples: &mut [Tuple], name: &std::sync::Arc<str>) {
    for (at, tuple) in tuples.iter_mut().enumerate() {
        tuple.bind(BindingKey::Name(name.clone()), Some(Item::Value(at.into())));
    }
}

/// Joins a value that a step yields with the variables of the item before.
fn join(step: &Step, before: &Tuple, value: Option<Item>, at: usize) -> Tuple {
    let mut tuple = Tuple { item: None, bindings: before.bindings.clone() };
    match &step.focus {
        Some(name) => {
            tuple.bind(BindingKey::Name(name.clone()), value);
            tuple.item.clone_from(&before.item);
        }
        None => tuple.item = value,
    }
    if let Some(name) = &step.index {
        tuple.bind(BindingKey::Name(name.clone()), Some(Item::Value(at.into())));
    }
    for slot in &step.ancestors {
        tuple.bind(BindingKey::Slot(*slot), before.item.clone());
    }
    tuple
}

/// Returns `true` for a path whose items keep their variables, and for a block that ends with one.
fn stream(node: &Node) -> bool {
    match &node.kind {
        NodeKind::Block(parts) => parts.last().is_some_and(stream),
        NodeKind::Suffixed(suffixed) => suffixed.group.is_none() && stream(&suffixed.base),
        NodeKind::Path(path) => path.is_tuple && path.group.is_none() && path.steps.iter().any(|step| step.is_tuple),
        _ => false,
    }
}
