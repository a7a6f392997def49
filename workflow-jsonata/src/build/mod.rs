//! The second pass: paths with their steps, slots of parents, tail calls.

mod ancestry;
mod part;
mod path;
mod tail;

use std::sync::Arc;

use ancestry::Ancestry;
use part::{Part, PartKind};

use crate::ast::{Call, Condition, Lambda, Node, NodeKind, Transform};
use crate::error::SyntaxError;
use crate::parse::{Raw, RawKind};

/// Returns the tree of an expression.
pub(crate) fn expression(raw: Raw) -> Result<Node, SyntaxError> {
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
    fn part(&mut self, raw: Raw) -> Result<Part, SyntaxError> {
        let keeps_array = raw.keeps_array;
        let mut part = self.kind(raw)?;
        part.keeps_array |= keeps_array;
        Ok(part)
    }

    fn kind(&mut self, raw: Raw) -> Result<Part, SyntaxError> {
        let at = raw.at;
        let kind = match raw.kind {
            RawKind::End => return Err(SyntaxError::new("S0207", "Unexpected end of expression", at)),
            RawKind::Null => NodeKind::Null,
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
            RawKind::Name(name) => return Ok(Part::name(at, name, raw.keeps_array)),
            RawKind::Dot(steps) => return self.dot(at, steps),
            RawKind::Filter(base, predicate) => return self.filter(at, *base, *predicate),
            RawKind::Group(base, members) => return self.group(at, *base, members),
            RawKind::Sort(base, terms) => return self.sort(at, *base, terms),
            RawKind::Focus(base, name) => return self.focus(at, *base, name, raw.keeps_array),
            RawKind::Index(base, name) => return self.index(at, *base, name),
            RawKind::Negate(operand) => return self.negate(at, *operand),
            RawKind::Block(parts) => return self.block(at, parts),
            other => return self.operation(at, other),
        };
        Ok(Part::new(at, kind))
    }

    /// Returns a part whose operands are evaluated for themselves.
    fn operation(&mut self, at: std::ops::Range<usize>, kind: RawKind) -> Result<Part, SyntaxError> {
        let mut seeking = Vec::new();
        let mut keeps_array = false;
        let kind = match kind {
            RawKind::Array(items) => NodeKind::Array(self.nodes(items, &mut seeking)?),
            RawKind::Object(members) => NodeKind::Object(self.members(members, &mut seeking)?),
            RawKind::Bind(name, value) => NodeKind::Bind(name, Box::new(self.node(*value, &mut seeking)?)),
            RawKind::Binary(operator, left, right) => {
                let left = Box::new(self.node(*left, &mut seeking)?);
                NodeKind::Binary(operator, left, Box::new(self.node(*right, &mut seeking)?))
            }
            RawKind::Apply(left, right) => {
                let (left, right) = (self.part(*left)?, self.part(*right)?);
                keeps_array = left.keeps_array || right.keeps_array;
                NodeKind::Apply(Box::new(left.finish()), Box::new(right.finish()))
            }
            RawKind::Call(callee, args) => NodeKind::Call(self.call(*callee, args, &mut seeking)?),
            RawKind::Partial(callee, args) => NodeKind::Partial(self.call(*callee, args, &mut seeking)?),
            RawKind::Condition(branches, otherwise) => {
                let (test, then) = *branches;
                let test = self.node(test, &mut seeking)?;
                let then = self.node(then, &mut seeking)?;
                let otherwise = otherwise.map(|otherwise| self.node(*otherwise, &mut seeking)).transpose()?;
                NodeKind::Condition(Box::new(Condition { test, then, otherwise }))
            }
            RawKind::Lambda(raw) => {
                let body = tail::optimize(self.part(raw.body)?.finish());
                let (params, signature) = (raw.params, raw.signature);
                NodeKind::Lambda(Arc::new(Lambda { params, signature, body, is_thunk: false }))
            }
            RawKind::Transform(parts, delete) => {
                let (pattern, update) = *parts;
                let pattern = self.part(pattern)?.finish();
                let update = self.part(update)?.finish();
                let delete = delete.map(|delete| self.part(*delete)).transpose()?.map(Part::finish);
                NodeKind::Transform(Arc::new(Transform { pattern, update, delete }))
            }
            _ => NodeKind::Null,
        };
        let mut part = Part::new(at, kind);
        part.seeking = seeking;
        part.keeps_array = keeps_array;
        Ok(part)
    }

    /// Returns a node, and adds the slots that it seeks an ancestor for to those of its parent.
    fn node(&mut self, raw: Raw, seeking: &mut Vec<usize>) -> Result<Node, SyntaxError> {
        let mut part = self.part(raw)?;
        part.pass_slots(seeking);
        Ok(part.finish())
    }

    fn nodes(&mut self, parts: Vec<Raw>, seeking: &mut Vec<usize>) -> Result<Vec<Node>, SyntaxError> {
        parts.into_iter().map(|part| self.node(part, seeking)).collect()
    }

    fn members(
        &mut self,
        members: Vec<(Raw, Raw)>,
        seeking: &mut Vec<usize>,
    ) -> Result<Vec<(Node, Node)>, SyntaxError> {
        members.into_iter().map(|(key, value)| Ok((self.node(key, seeking)?, self.node(value, seeking)?))).collect()
    }

    fn call(&mut self, callee: Raw, args: Vec<Raw>, seeking: &mut Vec<usize>) -> Result<Box<Call>, SyntaxError> {
        let args = self.nodes(args, seeking)?;
        let callee = self.part(callee)?.finish();
        Ok(Box::new(Call { callee, args }))
    }

    fn negate(&mut self, at: std::ops::Range<usize>, operand: Raw) -> Result<Part, SyntaxError> {
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

    fn block(&mut self, at: std::ops::Range<usize>, parts: Vec<Raw>) -> Result<Part, SyntaxError> {
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
