//! Finds the locals that hold numbers only, or truth values only: they are `f64` and `bool` in Rust.

use super::ir::{Binary, Expr, Kind, Local, LocalId, Pattern, Place, Statement, Type, Unit, join};
use super::walk::{self, Node};
use std::collections::BTreeMap;

/// What a local is given.
enum Given {
    Value(Expr),
    /// What an operator makes of it and a value.
    Operation(Binary, Expr),
    Number,
    /// Anything.
    Any,
}

/// Sets the types of the locals.
pub(super) fn infer(unit: &mut Unit) {
    let mut given: BTreeMap<LocalId, Vec<Given>> = BTreeMap::new();
    walk::function(&unit.function, &mut |node| {
        collect(node, &mut given);
        true
    });
    given.retain(|id, _| is_candidate(&unit.locals[id.0]));
    // Each is taken to be what it is declared with, until something else is found.
    for (id, values) in &given {
        unit.locals[id.0].ty = match values.first() {
            Some(Given::Value(value)) => first_guess(value, &unit.locals),
            _ => Type::Any,
        };
    }
    loop {
        let mut changed = false;
        for (id, values) in &given {
            let known = unit.locals[id.0].ty;
            let ty = values.iter().fold(known, |ty, value| join(ty, value.ty(*id, &unit.locals)));
            if ty != known {
                unit.locals[id.0].ty = ty;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    // Texts are held as values: most of what is done to them takes one.
    for local in &mut unit.locals {
        if local.ty == Type::String {
            local.ty = Type::Any;
        }
    }
}

impl Given {
    fn ty(&self, id: LocalId, locals: &[Local]) -> Type {
        match self {
            Given::Value(value) => value.ty(locals),
            Given::Operation(op, value) => op.ty(locals[id.0].ty, value.ty(locals)),
            Given::Number => Type::Number,
            Given::Any => Type::Any,
        }
    }
}

fn is_candidate(local: &Local) -> bool {
    matches!(local.kind, Kind::Let | Kind::Const | Kind::Var) && !local.hoisted && !local.is_shared()
}

/// The type of what a local is declared with, others being numbers for now.
fn first_guess(value: &Expr, locals: &[Local]) -> Type {
    match value {
        Expr::Local(id) if is_candidate(&locals[id.0]) && locals[id.0].ty == Type::Any => Type::Any,
        other => other.ty(locals),
    }
}

fn collect(node: Node<'_>, given: &mut BTreeMap<LocalId, Vec<Given>>) {
    let mut give = |id: &LocalId, value: Given| given.entry(*id).or_default().push(value);
    match node {
        Node::Statement(Statement::Declare(Pattern::Declare(id), Some(value))) => give(id, Given::Value(value.clone())),
        Node::Statement(Statement::Declare(Pattern::Declare(id), None)) => give(id, Given::Any),
        Node::Expr(Expr::Assign(Place::Local(id), value)) => give(id, Given::Value((**value).clone())),
        Node::Expr(Expr::Compound(Place::Local(id), op, value)) => give(id, Given::Operation(*op, (**value).clone())),
        Node::Expr(Expr::LogicalAssign(Place::Local(id), ..)) => give(id, Given::Any),
        Node::Expr(Expr::Update { place: Place::Local(id), .. }) => give(id, Given::Number),
        // The whole of a declaration was met before: what is met here is a part, but for that.
        Node::Pattern(Pattern::Declare(id)) => _ = given.entry(*id).or_insert_with(|| vec![Given::Any]),
        Node::Pattern(Pattern::Assign(Place::Local(id))) => give(id, Given::Any),
        _ => {}
    }
}
