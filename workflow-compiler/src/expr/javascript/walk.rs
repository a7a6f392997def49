//! Visitors of functions, and analyses based on them.

use super::ir::{
    Block, Expr, Function, Item, JsLocalId, LoopKind, Member, MemberKey, Pattern, PlaceExpr, Statement, TextPiece,
};

/// A visited node.
#[derive(Debug, Clone, Copy)]
pub(super) enum IrNode<'a> {
    Expr(&'a Expr),
    Statement(&'a Statement),
    Pattern(&'a Pattern),
    Place(&'a PlaceExpr),
    Function,
}

/// A visitor. Returns `true` to descend into the node.
pub(super) type Visit<'v> = &'v mut dyn FnMut(IrNode<'_>) -> bool;

pub(super) fn function(function: &Function, visit: Visit<'_>) {
    if visit(IrNode::Function) {
        function.params.iter().chain(&function.rest).for_each(|pattern| self::pattern(pattern, visit));
        block(&function.body, visit);
    }
}

pub(super) fn block(block: &Block, visit: Visit<'_>) {
    statements(&block.statements, visit);
}

pub(super) fn statements(statements: &[Statement], visit: Visit<'_>) {
    statements.iter().for_each(|inner| statement(inner, visit));
}

pub(super) fn statement(statement: &Statement, visit: Visit<'_>) {
    if !visit(IrNode::Statement(statement)) {
        return;
    }
    match statement {
        Statement::Expr(value) | Statement::Throw(value) => expr(value, visit),
        Statement::Declare(target, value) => {
            value.iter().for_each(|value| expr(value, visit));
            pattern(target, visit);
        }
        Statement::Return(value) => value.iter().for_each(|value| expr(value, visit)),
        Statement::If(test, yes, no) => {
            expr(test, visit);
            block(yes, visit);
            no.iter().for_each(|no| block(no, visit));
        }
        Statement::Block(inner) | Statement::Labelled(_, inner) => block(inner, visit),
        Statement::Loop(inner) => {
            match &inner.kind {
                LoopKind::While(test) | LoopKind::DoWhile(test) => expr(test, visit),
                LoopKind::For { init, test, update } => {
                    block(init, visit);
                    test.iter().chain(update).for_each(|part| expr(part, visit));
                }
                LoopKind::Of { target, value, .. } | LoopKind::In { target, value, .. } => {
                    expr(value, visit);
                    pattern(target, visit);
                }
            }
            block(&inner.body, visit);
        }
        Statement::Switch(switch) => {
            expr(&switch.value, visit);
            for (test, body) in &switch.cases {
                test.iter().for_each(|test| expr(test, visit));
                statements(body, visit);
            }
        }
        Statement::Try(inner) => {
            block(&inner.body, visit);
            if let Some((caught, handler)) = &inner.handler {
                caught.iter().for_each(|caught| pattern(caught, visit));
                block(handler, visit);
            }
            inner.finalizer.iter().for_each(|finalizer| block(finalizer, visit));
        }
        Statement::Break(_) | Statement::Continue(_) => {}
    }
}

pub(super) fn pattern(pattern: &Pattern, visit: Visit<'_>) {
    if !visit(IrNode::Pattern(pattern)) {
        return;
    }
    match pattern {
        Pattern::Declare(_) => {}
        Pattern::Assign(target) => place(target, visit),
        Pattern::Object { members, rest } => {
            for (name, inner) in members {
                key(name, visit);
                self::pattern(inner, visit);
            }
            rest.iter().for_each(|rest| self::pattern(rest, visit));
        }
        Pattern::Array { items, rest } => {
            items.iter().flatten().for_each(|item| self::pattern(item, visit));
            rest.iter().for_each(|rest| self::pattern(rest, visit));
        }
        Pattern::Default(inner, default) => {
            expr(default, visit);
            self::pattern(inner, visit);
        }
    }
}

pub(super) fn expr(value: &Expr, visit: Visit<'_>) {
    if !visit(IrNode::Expr(value)) {
        return;
    }
    match value {
        Expr::Undefined
        | Expr::Null
        | Expr::Bool(_)
        | Expr::Number(_)
        | Expr::String(_)
        | Expr::Local(_)
        | Expr::Variable(_)
        | Expr::Free(_)
        | Expr::TooEarly(_)
        | Expr::This
        | Expr::Builtin(_) => {}
        Expr::Template(pieces) => pieces.iter().for_each(|piece| match piece {
            TextPiece::Text(_) => {}
            TextPiece::Value(inner) | TextPiece::Added(inner) => expr(inner, visit),
        }),
        Expr::Object(members) => members.iter().for_each(|member| match member {
            Member::Value(name, inner) => {
                key(name, visit);
                expr(inner, visit);
            }
            Member::Spread(inner) => expr(inner, visit),
        }),
        Expr::Array(list) | Expr::Static(_, list) | Expr::Construct(_, list) => items(list, visit),
        Expr::Function(inner) | Expr::Named(_, inner) => function(inner, visit),
        Expr::Unary(_, inner)
        | Expr::Chain(inner)
        | Expr::Optional(inner)
        | Expr::InstanceOf(inner, _)
        | Expr::ConstructorName(inner) => expr(inner, visit),
        Expr::Binary(_, left, right) | Expr::Logical(_, left, right) => {
            expr(left, visit);
            expr(right, visit);
        }
        Expr::Conditional(test, yes, no) => {
            expr(test, visit);
            expr(yes, visit);
            expr(no, visit);
        }
        Expr::Member(object, name) | Expr::Delete(object, name) => {
            expr(object, visit);
            key(name, visit);
        }
        Expr::Call { callee, args, .. } => {
            expr(callee, visit);
            items(args, visit);
        }
        Expr::Method { object, key: name, args, .. } | Expr::OptionalMethod { object, key: name, args, .. } => {
            expr(object, visit);
            key(name, visit);
            items(args, visit);
        }
        Expr::Assign(target, inner) | Expr::Compound(target, _, inner) | Expr::LogicalAssign(target, _, inner) => {
            place(target, visit);
            expr(inner, visit);
        }
        Expr::Update { place: target, .. } => place(target, visit),
        Expr::Destructure(target, inner) => {
            expr(inner, visit);
            pattern(target, visit);
        }
        Expr::Sequence(list) => list.iter().for_each(|inner| expr(inner, visit)),
    }
}

fn items(items: &[Item], visit: Visit<'_>) {
    items.iter().for_each(|item| match item {
        Item::Value(value) | Item::Spread(value) => expr(value, visit),
    });
}

fn key(key: &MemberKey, visit: Visit<'_>) {
    if let MemberKey::Computed(value) = key {
        expr(value, visit);
    }
}

fn place(place: &PlaceExpr, visit: Visit<'_>) {
    visit(IrNode::Place(place));
    if let PlaceExpr::Member(object, name) = place {
        expr(object, visit);
        key(name, visit);
    }
}

/// Collects the locals that an expression assigns. Bodies of functions inside it are not included,
/// because they run when called.
pub(super) fn assigned_in(value: &Expr, found: &mut Vec<JsLocalId>) {
    expr(value, &mut |node| {
        match node {
            IrNode::Function => return false,
            IrNode::Place(PlaceExpr::Local(id)) => found.push(*id),
            _ => {}
        }
        true
    });
}

/// Returns `true` if an expression may change members of an object, by an assignment or through a
/// call.
pub(super) fn may_change_members(value: &Expr) -> bool {
    let mut changes = false;
    expr(value, &mut |node| {
        changes |= match node {
            IrNode::Function => return false,
            IrNode::Place(PlaceExpr::Member(..)) => true,
            IrNode::Expr(Expr::Static(builtin, _)) => builtin.name == "Object.assign",
            // A method with the name of a built-in one is assumed to be the built-in one.
            IrNode::Expr(Expr::Method { key: MemberKey::Name(name, _), .. }) => !super::globals::is_quiet_method(name),
            IrNode::Expr(Expr::Method { .. } | Expr::OptionalMethod { .. } | Expr::Call { .. } | Expr::Delete(..)) => {
                true
            }
            _ => false,
        };
        !changes
    });
    changes
}

/// Returns the locals that a pattern declares or assigns.
pub(super) fn bound_by(target: &Pattern) -> Vec<JsLocalId> {
    let mut locals = Vec::new();
    pattern(target, &mut |node| {
        match node {
            IrNode::Pattern(Pattern::Declare(id)) | IrNode::Place(PlaceExpr::Local(id)) => locals.push(*id),
            IrNode::Function => return false,
            _ => {}
        }
        true
    });
    locals
}

/// Returns the indexes of the Let variables that a function uses.
pub(super) fn variables_of(inner: &Function) -> Vec<usize> {
    let mut variables = Vec::new();
    function(inner, &mut |node| {
        let used = match node {
            IrNode::Expr(Expr::Variable(used)) | IrNode::Place(PlaceExpr::Variable(used)) => Some(*used),
            _ => None,
        };
        variables.extend(used.filter(|used| !variables.contains(used)));
        true
    });
    variables.sort_unstable();
    variables
}

/// Returns `true` if a function may read a Let variable before certainly writing to it.
pub(super) fn reads_first(function: &Function, variable: usize) -> bool {
    let mut reads = false;
    for param in function.params.iter().chain(&function.rest) {
        pattern(param, &mut |node| seen_reading(node, variable, &mut reads));
    }
    // An inner function may run at any time.
    block(&function.body, &mut |node| {
        if let IrNode::Expr(Expr::Function(inner) | Expr::Named(_, inner)) = node {
            self::function(inner, &mut |node| seen_reading(node, variable, &mut reads));
        }
        true
    });
    for statement in &function.body.statements {
        if reads {
            break;
        }
        let parts = match statement {
            Statement::Expr(Expr::Sequence(list)) | Statement::Return(Some(Expr::Sequence(list))) => &list[..],
            Statement::Expr(value) | Statement::Return(Some(value)) => std::slice::from_ref(value),
            other => {
                self::statement(other, &mut |node| seen_reading(node, variable, &mut reads));
                continue;
            }
        };
        for part in parts {
            expr(part, &mut |node| seen_reading(node, variable, &mut reads));
            if !reads && matches!(part, Expr::Assign(PlaceExpr::Variable(written), _) if *written == variable) {
                return false;
            }
        }
    }
    reads
}

/// Records a node that reads a Let variable. Returns `true` to descend.
fn seen_reading(node: IrNode<'_>, variable: usize, reads: &mut bool) -> bool {
    *reads |= match node {
        IrNode::Expr(Expr::Variable(used)) => *used == variable,
        IrNode::Expr(
            Expr::Compound(PlaceExpr::Variable(used), ..)
            | Expr::LogicalAssign(PlaceExpr::Variable(used), ..)
            | Expr::Update { place: PlaceExpr::Variable(used), .. },
        ) => *used == variable,
        _ => false,
    };
    !*reads
}
