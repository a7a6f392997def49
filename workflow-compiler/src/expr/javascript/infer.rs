//! Type inference for locals. A local that holds only numbers or only booleans has the Rust type
//! `f64` or `bool`.

use super::ir::{Binary, DeclarationKind, Expr, JsLocalId, Local, Pattern, PlaceExpr, Statement, Type, Unit, join};
use super::walk::{self, IrNode};
use std::collections::BTreeMap;

/// A source of a local's values.
enum ValueSource {
    Value(Expr),
    /// The result of an operator on the local and a value.
    Operation(Binary, Expr),
    Number,
    /// Any value.
    Any,
}

/// Sets the types of the locals.
pub(super) fn infer(unit: &mut Unit) {
    let mut sources: BTreeMap<JsLocalId, Vec<ValueSource>> = BTreeMap::new();
    walk::function(&unit.function, &mut |node| {
        collect(node, &mut sources);
        true
    });
    sources.retain(|id, _| is_candidate(&unit.locals[id.0]));
    // Each local starts with the type of its declaration, and is widened to a fixed point.
    for (id, values) in &sources {
        unit.locals[id.0].ty = match values.first() {
            Some(ValueSource::Value(value)) => first_guess(value, &unit.locals),
            _ => Type::Any,
        };
    }
    loop {
        let mut changed = false;
        for (id, values) in &sources {
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
    // Texts are stored as `Js`, because most operations on them take a `Js`.
    for local in &mut unit.locals {
        if local.ty == Type::String {
            local.ty = Type::Any;
        }
    }
}

impl ValueSource {
    fn ty(&self, id: JsLocalId, locals: &[Local]) -> Type {
        match self {
            ValueSource::Value(value) => value.ty(locals),
            ValueSource::Operation(op, value) => op.ty(locals[id.0].ty, value.ty(locals)),
            ValueSource::Number => Type::Number,
            ValueSource::Any => Type::Any,
        }
    }
}

fn is_candidate(local: &Local) -> bool {
    matches!(local.kind, DeclarationKind::Let | DeclarationKind::Const | DeclarationKind::Var)
        && !local.hoisted
        && !local.is_shared()
}

/// Returns the type of an initial value, under the assumption that other locals are numbers.
fn first_guess(value: &Expr, locals: &[Local]) -> Type {
    match value {
        Expr::Local(id) if is_candidate(&locals[id.0]) && locals[id.0].ty == Type::Any => Type::Any,
        other => other.ty(locals),
    }
}

fn collect(node: IrNode<'_>, sources: &mut BTreeMap<JsLocalId, Vec<ValueSource>>) {
    let mut add = |id: &JsLocalId, value: ValueSource| sources.entry(*id).or_default().push(value);
    match node {
        IrNode::Statement(Statement::Declare(Pattern::Declare(id), Some(value))) => {
            add(id, ValueSource::Value(value.clone()))
        }
        IrNode::Statement(Statement::Declare(Pattern::Declare(id), None)) => add(id, ValueSource::Any),
        IrNode::Expr(Expr::Assign(PlaceExpr::Local(id), value)) => add(id, ValueSource::Value((**value).clone())),
        IrNode::Expr(Expr::Compound(PlaceExpr::Local(id), op, value)) => {
            add(id, ValueSource::Operation(*op, (**value).clone()))
        }
        IrNode::Expr(Expr::LogicalAssign(PlaceExpr::Local(id), ..)) => add(id, ValueSource::Any),
        IrNode::Expr(Expr::Update { place: PlaceExpr::Local(id), .. }) => add(id, ValueSource::Number),
        // A whole declaration has been visited before. A remaining `Declare` is part of a pattern.
        IrNode::Pattern(Pattern::Declare(id)) => _ = sources.entry(*id).or_insert_with(|| vec![ValueSource::Any]),
        IrNode::Pattern(Pattern::Assign(PlaceExpr::Local(id))) => add(id, ValueSource::Any),
        _ => {}
    }
}
