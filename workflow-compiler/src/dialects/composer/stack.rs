//! Stack during lowering: a local per level, or one checked stack at run time
//! ([Q13](docs/composer.md#q13)).

use super::ast::{Composition, State, StateKind};
use super::functions::stack as checked;
use super::shapes::{ShapeId, Shapes, StackEntry};
use crate::expr::{Arg, Expr, Literal, LocalId};
use crate::hir::{Arm, Body, Next, Step, StepKind, Workflow};
use crate::model::LocalKind;
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Representation of the stack.
pub enum Stack<'a> {
    /// Local per level.
    Levels {
        shapes: &'a Shapes,
        /// Local of the level at a depth that holds a variable of this name. Parameters have no
        /// name.
        locals: BTreeMap<(usize, Option<Arc<str>>), LocalId>,
    },
    /// One local for the whole stack.
    Checked {
        stack: LocalId,
        /// Handlers of the composition.
        handlers: Vec<Spanned<Arc<str>>>,
        /// Variables of the composition, with the local of each while a function runs.
        variables: BTreeMap<Arc<str>, LocalId>,
    },
}

impl<'a> Stack<'a> {
    /// Creates the locals.
    pub fn new(composition: &Composition, shapes: &'a Shapes, workflow: &mut Workflow) -> Stack<'a> {
        if shapes.is_ambiguous {
            return Stack::checked(composition, workflow);
        }
        let mut levels = BTreeMap::new();
        for (at, state) in composition.states.iter().enumerate() {
            let [shape] = shapes.of(at) else { continue };
            let (symbol, name) = match &state.kind {
                StateKind::Push => (None, "saved"),
                StateKind::Let { symbol, .. } => (Some(Arc::from(symbol.value.as_str())), symbol.value.as_str()),
                _ => continue,
            };
            levels.entry((shapes.depth(*shape), symbol)).or_insert((name, state.name.span));
        }
        // Locals are created in the order of depth instead of source order, because the suffixes
        // of equal names follow that order.
        let make = |(level, (name, span))| (level, workflow.add_local(name, LocalKind::Value, span));
        let locals = levels.into_iter().map(make).collect();
        Stack::Levels { shapes, locals }
    }

    fn checked(composition: &Composition, workflow: &mut Workflow) -> Stack<'a> {
        let stack = workflow.add_local("stack", LocalKind::Value, composition.span);
        let (mut handlers, mut variables) = (Vec::<Spanned<Arc<str>>>::new(), BTreeMap::new());
        for state in &composition.states {
            match &state.kind {
                StateKind::Try { handler } if handlers.iter().all(|known| known.value != handler.value) => {
                    handlers.push(handler.clone());
                }
                StateKind::Let { symbol, .. } => {
                    let name = symbol.value.as_str();
                    let make = || workflow.add_local(name, LocalKind::Value, symbol.span);
                    variables.entry(Arc::from(name)).or_insert_with(make);
                }
                _ => {}
            }
        }
        Stack::Checked { stack, handlers, variables }
    }

    /// Adds the steps before the first state.
    pub fn start(&self, span: Span, steps: &mut Vec<Step>) {
        if let Stack::Checked { stack, .. } = self {
            set(*stack, Expr::Literal(Literal::Array(Vec::new())), span, steps);
        }
    }

    /// Adds the steps that push an entry; `shape` is the shape before.
    pub fn push(&self, shape: ShapeId, entry: StackEntry, value: Expr, span: Span, steps: &mut Vec<Step>) {
        match self {
            Stack::Levels { shapes, locals } => {
                let depth = shapes.depth(shape);
                if let Some(local) = local_of(locals, depth, &entry) {
                    set(local, value, span, steps);
                }
            }
            Stack::Checked { stack, .. } => {
                let edit = Arg::Edit(*stack);
                let call = match entry {
                    StackEntry::Params => Expr::call(&checked::PUSH_PARAMS, vec![edit, Arg::Owned(value)]),
                    StackEntry::Handler(name) => Expr::call(&checked::PUSH_HANDLER, vec![edit, Arg::Str(name)]),
                    StackEntry::Variable(name) => {
                        Expr::call(&checked::PUSH_VARIABLE, vec![edit, Arg::Str(name), Arg::Owned(value)])
                    }
                };
                set(*stack, call, span, steps);
            }
        }
    }

    /// Adds the steps that pop the entry which the state takes. Returns its value.
    pub fn pop(&self, state: &State, shape: ShapeId, workflow: &mut Workflow, steps: &mut Vec<Step>) -> Expr {
        match self {
            Stack::Levels { shapes, locals } => shapes
                .levels(shape)
                .next()
                .and_then(|level| local_of(locals, level.depth, &level.entry))
                .map_or(Expr::NULL, Expr::Local),
            Stack::Checked { stack, .. } => {
                let function = match &state.kind {
                    StateKind::Catch => &checked::HANDLER,
                    StateKind::End => &checked::VARIABLE,
                    _ => &checked::PARAMS,
                };
                let name = state.name.value.to_string();
                let top = Expr::call(function, vec![Arg::Value(Expr::Local(*stack)), Arg::Str(name.into())]);
                let taken = workflow.add_local("taken", LocalKind::Value, state.span);
                set(taken, top, state.span, steps);
                set(*stack, Expr::call(&checked::POP, vec![Arg::Edit(*stack)]), state.span, steps);
                Expr::Local(taken)
            }
        }
    }

    /// Returns `true` if an error can reach a handler.
    pub fn can_be_caught(&self, shape: ShapeId) -> bool {
        match self {
            Stack::Levels { shapes, .. } => shapes.handler(shape).is_some(),
            Stack::Checked { handlers, .. } => !handlers.is_empty(),
        }
    }

    /// Returns the transition of an error to the current handler, or `failure`.
    pub fn raise(&self, shape: ShapeId, span: Span, failure: Next) -> Body {
        match self {
            Stack::Levels { shapes, .. } => {
                let next = match shapes.handler(shape) {
                    Some((handler, _)) => Next::Goto(Spanned::new(handler.clone(), span)),
                    None => failure,
                };
                Body::to(next)
            }
            Stack::Checked { stack, handlers, .. } => {
                let mut steps = Vec::new();
                set(*stack, Expr::call(&checked::UNWIND, vec![Arg::Edit(*stack)]), span, &mut steps);
                let arms = handlers.iter().map(|handler| {
                    let top = vec![Arg::Value(Expr::Local(*stack)), Arg::Str(handler.value.clone())];
                    let condition = Expr::call(&checked::IS_HANDLER, top);
                    let mut steps = Vec::new();
                    set(*stack, Expr::call(&checked::POP, vec![Arg::Edit(*stack)]), span, &mut steps);
                    let body = Body { steps, next: Next::Goto(handler.clone()) };
                    Arm { condition, body, span: handler.span, on_error: true }
                });
                let otherwise = Box::new(Body::to(failure));
                Body { steps, next: Next::Choose { arms: arms.collect(), otherwise } }
            }
        }
    }

    /// Returns the names of the variables that are visible in one of these shapes, innermost
    /// first.
    pub fn visible(shapes: &Shapes, of: &[ShapeId]) -> Vec<String> {
        let (mut names, mut seen) = (Vec::new(), BTreeSet::new());
        for level in of.iter().flat_map(|shape| shapes.levels(*shape)) {
            if let StackEntry::Variable(name) = &level.entry
                && seen.insert(name.clone())
            {
                names.push(name.to_string());
            }
        }
        names
    }

    /// Returns the locals of the variables of these names.
    pub fn variables(&self, shape: ShapeId, names: &[String]) -> Vec<LocalId> {
        let find = |name: &String| match self {
            Stack::Levels { shapes, locals } => shapes
                .levels(shape)
                .find(|level| matches!(&level.entry, StackEntry::Variable(known) if **known == **name))
                .and_then(|level| local_of(locals, level.depth, &level.entry)),
            Stack::Checked { variables, .. } => variables.get(&**name).copied(),
        };
        names.iter().filter_map(find).collect()
    }

    /// Adds the steps before a function, which load the variables from the stack.
    pub fn load_variables(&self, locals: &[LocalId], names: &[String], span: Span, steps: &mut Vec<Step>) {
        let Stack::Checked { stack, .. } = self else { return };
        for (local, name) in locals.iter().zip(names) {
            let value = vec![Arg::Value(Expr::Local(*stack)), Arg::Str(name.as_str().into())];
            set(*local, Expr::call(&checked::READ, value), span, steps);
        }
    }

    /// Adds the steps after a function, which store the variables on the stack.
    pub fn store_variables(&self, locals: &[LocalId], names: &[String], span: Span, steps: &mut Vec<Step>) {
        let Stack::Checked { stack, .. } = self else { return };
        for (local, name) in locals.iter().zip(names) {
            let value = vec![Arg::Edit(*stack), Arg::Str(name.as_str().into()), Arg::Owned(Expr::Local(*local))];
            set(*stack, Expr::call(&checked::WRITE, value), span, steps);
        }
    }
}

fn local_of(
    locals: &BTreeMap<(usize, Option<Arc<str>>), LocalId>,
    depth: usize,
    entry: &StackEntry,
) -> Option<LocalId> {
    let symbol = match entry {
        StackEntry::Params => None,
        StackEntry::Variable(name) => Some(name.clone()),
        StackEntry::Handler(_) => return None,
    };
    locals.get(&(depth, symbol)).copied()
}

fn set(local: LocalId, value: Expr, span: Span, steps: &mut Vec<Step>) {
    if value != Expr::Local(local) {
        steps.push(Step { kind: StepKind::Let { local, value }, span });
    }
}
