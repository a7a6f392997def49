//! The evaluation of the parts of an expression.

use std::rc::Rc;

use workflow_jsonata::{BinaryOperator, Condition, Node, NodeKind, Number, Suffixed};

use super::convert;
use super::error::Result;
use super::function::{Closure, CreationSite, JsonataFunction};
use super::item::Item;
use super::run::{Evaluation, Sees};
use super::scope::{BindingKey, SEARCHED, VariableScope};
use super::truth;
use super::view::View;
use super::{natives, operators, walk};
use crate::value::{Object, Str, Value};

/// The size of a function as a value, in bytes.
const FUNCTION: usize = size_of::<JsonataFunction>() + 2 * size_of::<usize>();

impl Evaluation<'_> {
    /// Evaluates a part of an expression.
    pub(super) fn evaluate(
        &mut self,
        node: &Node,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        self.enter()?;
        let value = match &node.kind {
            NodeKind::Suffixed(suffixed) => self.suffixed(suffixed, context, scope),
            _ => self.base(node, context, scope),
        };
        self.leave();
        Ok(collapsed(value?))
    }

    /// Evaluates a part without counting a level, and without reducing a sequence to its element.
    fn base(&mut self, node: &Node, context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Option<Item>> {
        match &node.kind {
            NodeKind::Path(path) => self.path(path, context, scope),
            NodeKind::Variable(name) => self.variable(name, scope),
            NodeKind::Binary(BinaryOperator::And | BinaryOperator::Or, ..) => self.logic(node, context, scope),
            NodeKind::Binary(operator, left, right) => {
                let left = self.evaluate(left, context, scope)?;
                let right = self.evaluate(right, context, scope)?;
                operators::binary(self, *operator, &left, &right)
            }
            NodeKind::Condition(condition) => self.condition(condition, context, scope),
            NodeKind::Block(parts) => self.block(parts, context, scope),
            NodeKind::Call(call) => self.call(call, context, scope),
            NodeKind::Array(parts) => self.array(parts, context, scope).map(|items| Some(convert::array(items))),
            NodeKind::Object(members) => self.object(members, context, scope),
            NodeKind::Negate(operand) => {
                let operand = self.evaluate(operand, context, scope)?;
                operators::negate(&operand, self)
            }
            NodeKind::Bind(name, value) => {
                let value = self.evaluate(value, context, scope)?;
                scope.bind(self, BindingKey::Name(name.clone()), value.clone())?;
                Ok(value)
            }
            NodeKind::Partial(call) => self.partial(call, context, scope),
            NodeKind::Apply(left, right) => self.application(left, right, context, scope),
            _ => self.leaf(node, context, scope),
        }
    }

    /// Evaluates a part whose evaluation does not evaluate others.
    fn leaf(&mut self, node: &Node, context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Option<Item>> {
        Ok(match &node.kind {
            NodeKind::Null => Some(Item::Value(Value::Null)),
            NodeKind::Bool(value) => Some(Item::Value(Value::Bool(*value))),
            NodeKind::Number(Number::Int(number)) => Some(Item::Value(Value::Int(*number))),
            NodeKind::Number(Number::Float(number)) => Some(convert::number(*number)),
            NodeKind::String(text) => Some(Item::Value(Value::String(Str::from(text.clone())))),
            NodeKind::Context => self.unwrapped(context),
            NodeKind::Root => self.root.clone(),
            NodeKind::Name(name) => walk::lookup(self, context.map(View::from), name)?,
            NodeKind::Wildcard => {
                let context = self.unwrapped(context);
                walk::members(self, context.as_ref())?
            }
            NodeKind::Descendants => walk::descendants(self, context)?,
            NodeKind::Parent(slot) => scope.slot(self, *slot)?,
            NodeKind::Regex(pattern) => {
                let regex = self.regex(pattern)?;
                Some(self.function(JsonataFunction::Regex(regex))?)
            }
            NodeKind::Lambda(lambda) => {
                self.capture(scope)?;
                let site = CreationSite { context: context.cloned(), scope: Rc::clone(scope) };
                Some(self.function(JsonataFunction::Lambda(Closure { lambda: lambda.clone(), site }))?)
            }
            NodeKind::Transform(transform) => {
                self.capture(scope)?;
                let site = CreationSite { context: None, scope: Rc::clone(scope) };
                Some(self.function(JsonataFunction::Transform(transform.clone(), site))?)
            }
            // The parser makes no other part a part of its own.
            _ => None,
        })
    }

    /// Returns the context item, without the array that stands for an input that is an array.
    pub(super) fn unwrapped(&self, context: Option<&Item>) -> Option<Item> {
        match (context, &self.wrapper) {
            (Some(Item::List(list)), Some(wrapper)) if Rc::ptr_eq(list, wrapper) => list.items.first().cloned(),
            _ => context.cloned(),
        }
    }

    /// Returns the value of a variable: of a scope, of the workflow, `$states`, or a function of
    /// the language.
    pub(super) fn variable(&mut self, name: &str, scope: &VariableScope) -> Result<Option<Item>> {
        if let Some(value) = scope.variable(self, name)? {
            return Ok(value);
        }
        if let Some(value) = self.workflow_variable(name)? {
            return Ok(value);
        }
        natives::native(name).map(|native| self.function(JsonataFunction::Native(native))).transpose()
    }

    /// Returns the value of a variable of the workflow, or `$states`. A variable without a value
    /// is undefined: it hides the function of its name as one with a value does.
    fn workflow_variable(&mut self, name: &str) -> Result<Option<Option<Item>>> {
        let Sees { names, values, .. } = self.sees;
        self.steps((names.len() / SEARCHED) as u64)?;
        if let Some(place) = names.iter().position(|known| *known == name) {
            return Ok(Some(values.get(place).cloned().flatten().map(Item::Value)));
        }
        Ok((name == "states").then(|| Some(Item::Value(states(&self.sees.states.members())))))
    }

    /// Returns the function of the language that a name refers to, if nothing hides it.
    pub(super) fn unhidden(&mut self, name: &str, scope: &VariableScope) -> Result<Option<&'static natives::Known>> {
        if scope.binds(self, name)? || self.workflow_variable(name)?.is_some() {
            return Ok(None);
        }
        Ok(natives::known(name))
    }

    /// Returns a function as a value.
    pub(super) fn function(&mut self, function: JsonataFunction) -> Result<Item> {
        self.reserve(1, FUNCTION)?;
        Ok(Item::Function(Rc::new(function)))
    }

    /// Evaluates a part with its predicates, its grouping and `[]`.
    pub(super) fn suffixed(
        &mut self,
        suffixed: &Suffixed,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let mut value = self.base(&suffixed.base, context, scope)?;
        for predicate in &suffixed.predicates {
            value = self.filter(predicate, value, scope)?;
        }
        if let Some(group) = &suffixed.group {
            value = self.group(&group.members, value.as_ref(), scope)?;
        }
        Ok(if suffixed.keeps_array { value.map(kept) } else { value })
    }

    fn logic(&mut self, node: &Node, context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Option<Item>> {
        let NodeKind::Binary(operator, left, right) = &node.kind else { return Ok(None) };
        let left = self.test(left, context, scope)?;
        let decides = left == (*operator == BinaryOperator::Or);
        let value = if decides { left } else { self.test(right, context, scope)? };
        Ok(Some(Item::Value(Value::Bool(value))))
    }

    /// Evaluates a part and returns its truth. Nothing is not true.
    fn test(&mut self, node: &Node, context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<bool> {
        let value = self.evaluate(node, context, scope)?;
        self.truth(value.as_ref())
    }

    /// Returns the truth of a value. Nothing is not true.
    pub(super) fn truth(&mut self, value: Option<&Item>) -> Result<bool> {
        match value {
            None => Ok(false),
            Some(Item::Value(Value::Bool(value))) => Ok(*value),
            Some(item) => truth::boolean(self, item),
        }
    }

    fn condition(
        &mut self,
        condition: &Condition,
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        if self.test(&condition.test, context, scope)? {
            return self.evaluate(&condition.then, context, scope);
        }
        match &condition.otherwise {
            Some(otherwise) => self.evaluate(otherwise, context, scope),
            None => Ok(None),
        }
    }

    fn block(&mut self, parts: &[Node], context: Option<&Item>, scope: &Rc<VariableScope>) -> Result<Option<Item>> {
        let scope = VariableScope::inside(scope, Vec::new());
        let mut value = None;
        for part in parts {
            value = self.evaluate(part, context, &scope)?;
        }
        Ok(value)
    }

    /// Evaluates the elements of an array.
    pub(super) fn array(
        &mut self,
        parts: &[Node],
        context: Option<&Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Vec<Item>> {
        let mut items = Vec::with_capacity(parts.len());
        for part in parts {
            let Some(value) = self.evaluate(part, context, scope)? else { continue };
            match value.is_array() && !matches!(part.base().kind, NodeKind::Array(_)) {
                true => self.extend(&mut items, &value)?,
                false => {
                    self.charge(1)?;
                    items.push(value);
                }
            }
        }
        Ok(items)
    }
}

/// Returns `$states` as a value.
fn states(members: &[(&'static str, Option<&Value>)]) -> Value {
    let present = |(name, value): &(&'static str, Option<&Value>)| Some((Str::from_static(name), (*value)?.clone()));
    members.iter().filter_map(present).collect::<Object>().into()
}

/// Marks a sequence to stay an array when it has one element.
pub(super) fn kept(item: Item) -> Item {
    match item {
        Item::List(mut list) if list.is_sequence && !list.keeps_singleton => {
            Rc::make_mut(&mut list).keeps_singleton = true;
            Item::List(list)
        }
        item => item,
    }
}

/// Reduces a sequence of one element to the element, and one of none to nothing.
#[inline]
pub(super) fn collapsed(value: Option<Item>) -> Option<Item> {
    match value {
        Some(Item::List(list)) if list.is_sequence && list.items.len() < 2 && !list.keeps_singleton => {
            list.items.first().cloned()
        }
        Some(Item::List(list)) if list.is_sequence && list.items.is_empty() => None,
        value => value,
    }
}
