//! The second pass: paths with their steps, slots of parents, tail calls.

mod ancestry;
mod part;
mod path;
mod tail;

use std::ops::Range;
use std::sync::Arc;

use ancestry::Ancestry;
use part::{Part, PartKind};

use crate::ast::{Call, Condition, Lambda, Node, NodeKind, Transform};
use crate::error::SyntaxError;
use crate::raw::{Operation, Raw, RawKind, RawLambda};

/// Returns the tree of an expression.
pub(crate) fn expression(raw: Raw) -> Result<Node, Box<SyntaxError>> {
    let part = Builder::default().part(raw)?;
    if part.slot().is_some() || !part.seeking.is_empty() {
        return Err(ancestry::no_parent(part.at));
    }
    Ok(part.finish())
}

/// The state of the pass.
#[derive(Default)]
struct Builder {
    ancestry: Ancestry,
}

impl Builder {
    /// Returns a part, to which more may be added.
    fn part(&mut self, raw: Raw) -> Result<Box<Part>, Box<SyntaxError>> {
        let keeps_array = raw.keeps_array;
        let mut part = match raw.kind {
            RawKind::Operation(operation) => self.operation(raw.at, operation)?,
            kind => self.kind(raw.at, kind, keeps_array)?,
        };
        part.keeps_array |= keeps_array;
        Ok(part)
    }

    /// Returns a part without the mark of `[]`. Each kind has a function of its own, so that a
    /// level of the tree takes little of the stack.
    fn kind(&mut self, at: Range<usize>, kind: RawKind, keeps_array: bool) -> Result<Box<Part>, Box<SyntaxError>> {
        match kind {
            RawKind::Name(name) => Ok(Part::name(at, name, keeps_array)),
            RawKind::Dot(steps) => self.dot(at, steps),
            RawKind::Filter(base, predicate) => self.filter(at, *base, *predicate),
            RawKind::Group(base, members) => self.group(at, *base, members),
            RawKind::Sort(base, terms) => self.sort(at, *base, terms),
            RawKind::Focus(base, name) => self.focus(at, *base, name, keeps_array),
            RawKind::Index(base, name) => self.index(at, *base, name),
            RawKind::Negate(operand) => self.negate(at, *operand),
            RawKind::Apply(left, right) => self.apply(at, *left, *right),
            RawKind::Block(parts) => self.block(at, parts),
            RawKind::Lambda(lambda) => self.lambda(at, *lambda),
            RawKind::Transform(parts, delete) => self.transform(at, *parts, delete),
            RawKind::End => Err(SyntaxError::new("S0207", "Unexpected end of expression", at)),
            leaf => Ok(Part::new(at, self.leaf(leaf))),
        }
    }

    /// Returns a part whose operands may have slots that seek an ancestor outside of it.
    fn operation(&mut self, at: Range<usize>, operation: Operation) -> Result<Box<Part>, Box<SyntaxError>> {
        let mut part = Part::new(at, NodeKind::Null);
        let seeking = &mut part.seeking;
        part.kind = PartKind::Plain(match operation {
            Operation::Array(items) => NodeKind::Array(self.nodes(items, seeking)?),
            Operation::Object(members) => NodeKind::Object(self.members(members, seeking)?),
            Operation::Bind(name, value) => NodeKind::Bind(name, self.boxed(*value, seeking)?),
            Operation::Binary(operator, left, right) => {
                let left = self.boxed(*left, seeking)?;
                NodeKind::Binary(operator, left, self.boxed(*right, seeking)?)
            }
            Operation::Call(callee, args) => NodeKind::Call(self.call(*callee, args, seeking)?),
            Operation::Partial(callee, args) => NodeKind::Partial(self.call(*callee, args, seeking)?),
            Operation::Condition(branches, otherwise) => {
                NodeKind::Condition(self.condition(*branches, otherwise, seeking)?)
            }
        });
        Ok(part)
    }

    /// Returns the kind of a part without operands.
    fn leaf(&mut self, kind: RawKind) -> NodeKind {
        match kind {
            RawKind::Bool(value) => NodeKind::Bool(value),
            RawKind::Number(number) => NodeKind::Number(number),
            RawKind::String(value) => NodeKind::String(value),
            RawKind::Regex(pattern) => NodeKind::Regex(pattern),
            RawKind::Variable(name) => match &*name {
                "" => NodeKind::Context,
                "$" => NodeKind::Root,
                _ => NodeKind::Variable(name),
            },
            RawKind::Wildcard => NodeKind::Wildcard,
            RawKind::Descendants => NodeKind::Descendants,
            RawKind::Placeholder => NodeKind::Placeholder,
            RawKind::Parent => NodeKind::Parent(self.ancestry.add()),
            _ => NodeKind::Null,
        }
    }

    fn apply(&mut self, at: Range<usize>, left: Raw, right: Raw) -> Result<Box<Part>, Box<SyntaxError>> {
        let (left, right) = (self.part(left)?, self.part(right)?);
        let keeps_array = left.keeps_array || right.keeps_array;
        let mut part = Part::new(at, NodeKind::Apply(Box::new(left.finish()), Box::new(right.finish())));
        part.keeps_array = keeps_array;
        Ok(part)
    }

    fn condition(
        &mut self,
        branches: (Raw, Raw),
        otherwise: Option<Box<Raw>>,
        seeking: &mut Vec<usize>,
    ) -> Result<Box<Condition>, Box<SyntaxError>> {
        let (test, then) = branches;
        let test = self.boxed(test, seeking)?;
        let then = self.boxed(then, seeking)?;
        let otherwise = match otherwise {
            Some(otherwise) => Some(self.node(*otherwise, seeking)?),
            None => None,
        };
        Ok(Box::new(Condition { test: *test, then: *then, otherwise }))
    }

    fn lambda(&mut self, at: Range<usize>, lambda: RawLambda) -> Result<Box<Part>, Box<SyntaxError>> {
        let body = tail::optimize(self.part(lambda.body)?.finish());
        let (params, signature) = (lambda.params, lambda.signature);
        Ok(Part::new(at, NodeKind::Lambda(Arc::new(Lambda { params, signature, body, is_thunk: false }))))
    }

    fn transform(
        &mut self,
        at: Range<usize>,
        parts: (Raw, Raw),
        delete: Option<Box<Raw>>,
    ) -> Result<Box<Part>, Box<SyntaxError>> {
        let (pattern, update) = parts;
        let pattern = self.part(pattern)?;
        let update = self.part(update)?;
        let delete = match delete {
            Some(delete) => Some(self.part(*delete)?.finish()),
            None => None,
        };
        let transform = Transform { pattern: pattern.finish(), update: update.finish(), delete };
        Ok(Part::new(at, NodeKind::Transform(Arc::new(transform))))
    }

    /// Returns a node, and adds the slots that it seeks an ancestor for to those of its parent.
    fn node(&mut self, raw: Raw, seeking: &mut Vec<usize>) -> Result<Node, Box<SyntaxError>> {
        let mut part = self.part(raw)?;
        part.pass_slots(seeking);
        Ok(part.finish())
    }

    fn boxed(&mut self, raw: Raw, seeking: &mut Vec<usize>) -> Result<Box<Node>, Box<SyntaxError>> {
        self.node(raw, seeking).map(Box::new)
    }

    fn nodes(&mut self, parts: Vec<Raw>, seeking: &mut Vec<usize>) -> Result<Vec<Node>, Box<SyntaxError>> {
        let mut nodes = Vec::with_capacity(parts.len());
        for part in parts {
            nodes.push(self.node(part, seeking)?);
        }
        Ok(nodes)
    }

    fn members(
        &mut self,
        members: Vec<(Raw, Raw)>,
        seeking: &mut Vec<usize>,
    ) -> Result<Vec<(Node, Node)>, Box<SyntaxError>> {
        let mut nodes = Vec::with_capacity(members.len());
        for (key, value) in members {
            nodes.push((self.node(key, seeking)?, self.node(value, seeking)?));
        }
        Ok(nodes)
    }

    fn call(&mut self, callee: Raw, args: Vec<Raw>, seeking: &mut Vec<usize>) -> Result<Box<Call>, Box<SyntaxError>> {
        let args = self.nodes(args, seeking)?;
        let callee = self.part(callee)?.finish();
        Ok(Box::new(Call { callee, args }))
    }

    fn negate(&mut self, at: Range<usize>, operand: Raw) -> Result<Box<Part>, Box<SyntaxError>> {
        let mut operand = self.part(operand)?;
        if let PartKind::Plain(NodeKind::Number(number)) = &mut operand.kind {
            *number = number.negated();
            operand.at = at;
            return Ok(operand);
        }
        let mut seeking = Vec::new();
        operand.pass_slots(&mut seeking);
        let mut part = Part::new(at, NodeKind::Negate(Box::new(operand.finish())));
        part.seeking = seeking;
        Ok(part)
    }

    fn block(&mut self, at: Range<usize>, parts: Vec<Raw>) -> Result<Box<Part>, Box<SyntaxError>> {
        let mut seeking = Vec::new();
        let mut is_constructor = false;
        let mut nodes = Vec::with_capacity(parts.len());
        for raw in parts {
            let mut part = self.part(raw)?;
            part.pass_slots(&mut seeking);
            is_constructor |= part.begins_with_constructor();
            nodes.push(part.finish());
        }
        let mut part = Part::new(at, NodeKind::Block(nodes));
        part.seeking = seeking;
        part.is_constructor = is_constructor;
        Ok(part)
    }
}
