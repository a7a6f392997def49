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
use crate::parse::{Raw, RawKind, RawLambda};

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
        let mut part = self.kind(raw)?;
        part.keeps_array |= keeps_array;
        Ok(part)
    }

    fn kind(&mut self, raw: Raw) -> Result<Box<Part>, Box<SyntaxError>> {
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
            RawKind::Apply(left, right) => return self.apply(at, *left, *right),
            RawKind::Block(parts) => return self.block(at, parts),
            other => return self.operation(at, other),
        };
        Ok(Part::new(at, kind))
    }

    /// Returns a part whose operands are evaluated for themselves. Each kind has a function of its
    /// own, so that a level of the tree takes little of the stack.
    fn operation(&mut self, at: Range<usize>, kind: RawKind) -> Result<Box<Part>, Box<SyntaxError>> {
        let mut seeking = Vec::new();
        let kind = match kind {
            RawKind::Array(items) => NodeKind::Array(self.nodes(items, &mut seeking)?),
            RawKind::Object(members) => NodeKind::Object(self.members(members, &mut seeking)?),
            RawKind::Bind(name, value) => NodeKind::Bind(name, self.boxed(*value, &mut seeking)?),
            RawKind::Binary(operator, left, right) => {
                let left = self.boxed(*left, &mut seeking)?;
                NodeKind::Binary(operator, left, self.boxed(*right, &mut seeking)?)
            }
            RawKind::Call(callee, args) => NodeKind::Call(self.call(*callee, args, &mut seeking)?),
            RawKind::Partial(callee, args) => NodeKind::Partial(self.call(*callee, args, &mut seeking)?),
            RawKind::Condition(branches, otherwise) => self.condition(*branches, otherwise, &mut seeking)?,
            RawKind::Lambda(lambda) => self.lambda(*lambda)?,
            RawKind::Transform(parts, delete) => self.transform(*parts, delete)?,
            _ => NodeKind::Null,
        };
        let mut part = Part::new(at, kind);
        part.seeking = seeking;
        Ok(part)
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
    ) -> Result<NodeKind, Box<SyntaxError>> {
        let test = self.node(branches.0, seeking)?;
        let then = self.node(branches.1, seeking)?;
        let otherwise = match otherwise {
            Some(otherwise) => Some(self.node(*otherwise, seeking)?),
            None => None,
        };
        Ok(NodeKind::Condition(Box::new(Condition { test, then, otherwise })))
    }

    fn lambda(&mut self, lambda: RawLambda) -> Result<NodeKind, Box<SyntaxError>> {
        let body = tail::optimize(self.part(lambda.body)?.finish());
        let (params, signature) = (lambda.params, lambda.signature);
        Ok(NodeKind::Lambda(Arc::new(Lambda { params, signature, body, is_thunk: false })))
    }

    fn transform(&mut self, parts: (Raw, Raw), delete: Option<Box<Raw>>) -> Result<NodeKind, Box<SyntaxError>> {
        let pattern = self.part(parts.0)?.finish();
        let update = self.part(parts.1)?.finish();
        let delete = match delete {
            Some(delete) => Some(self.part(*delete)?.finish()),
            None => None,
        };
        Ok(NodeKind::Transform(Arc::new(Transform { pattern, update, delete })))
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
