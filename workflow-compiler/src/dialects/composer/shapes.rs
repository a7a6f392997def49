//! Stack shape inference: finds the levels of the stack on entry to each state.
//!
//! A well-formed composition has one shape per state. Then each level is a local, and the current
//! handler and the visible variables are known statically, so that no stack is needed at run time.
//! A state that can be entered with two shapes makes the composition
//! [ambiguous](Shapes::is_ambiguous). An ambiguous composition has a checked stack at run time
//! ([Q13](docs/composer.md#q13)).

use super::ast::{Composition, Name, State, StateKind};
use crate::diagnostics::codes::syntax::WF0113;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::composer::codes::{WF0701, WF0702, WF0703, WF0751};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Number of states of a path, and of levels of a shape, that a diagnostic shows at most.
const MAX_SHOWN: usize = 8;
/// Number of shapes of a state that the inference follows. Without a bound, a loop that pushes
/// would not end.
const MAX_SHAPES: usize = 8;
/// Largest total of the levels of all states, or of the transitions from errors to handlers.
const MAX_CARRIED: usize = 100_000;

/// Shape of the stack, as an index into [`Shapes::tops`]. Equal shapes have equal indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShapeId(u32);

/// Empty stack.
pub const EMPTY: ShapeId = ShapeId(0);

/// Content of a level.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum StackEntry {
    /// Parameters that a Push state saved.
    Params,
    /// Handler that a Try state installed.
    Handler(Arc<str>),
    /// Variable that a Let state declared.
    Variable(Arc<str>),
}

/// Level of the stack, with the levels below it.
#[derive(Debug, Clone)]
pub struct StackLevel {
    /// Content of the level.
    pub entry: StackEntry,
    /// Number of levels below.
    pub depth: usize,
    below: ShapeId,
}

/// Shapes of a composition.
#[derive(Debug)]
pub struct Shapes {
    /// Top level of each shape. The first shape is the empty stack, which has none.
    tops: Vec<Option<StackLevel>>,
    ids: HashMap<(ShapeId, StackEntry), ShapeId>,
    /// Shapes on entry to each state. A state that is never entered has none.
    of: Vec<Vec<ShapeId>>,
    /// `true` if a state is entered with several shapes.
    pub is_ambiguous: bool,
}

impl Shapes {
    /// Returns the shapes on entry to a state. There is at most one, unless the composition is
    /// ambiguous.
    pub fn of(&self, state: usize) -> &[ShapeId] {
        &self.of[state]
    }

    /// Returns the levels of a shape, from the top.
    pub fn levels(&self, mut shape: ShapeId) -> impl Iterator<Item = &StackLevel> {
        std::iter::from_fn(move || {
            let level = self.tops[shape.0 as usize].as_ref()?;
            shape = level.below;
            Some(level)
        })
    }

    /// Returns the number of levels of a shape.
    pub fn depth(&self, shape: ShapeId) -> usize {
        self.tops[shape.0 as usize].as_ref().map_or(0, |level| level.depth + 1)
    }

    /// Returns the current handler, and the shape with which it is entered.
    pub fn handler(&self, shape: ShapeId) -> Option<(&Arc<str>, ShapeId)> {
        self.levels(shape).find_map(|level| match &level.entry {
            StackEntry::Handler(name) => Some((name, level.below)),
            _ => None,
        })
    }

    fn push(&mut self, below: ShapeId, entry: StackEntry) -> ShapeId {
        let depth = self.depth(below);
        let tops = &mut self.tops;
        *self.ids.entry((below, entry.clone())).or_insert_with(|| {
            tops.push(Some(StackLevel { entry, depth, below }));
            ShapeId(tops.len() as u32 - 1)
        })
    }
}

/// Infers the shapes of every state. Returns `None` after reporting an error.
pub fn infer(composition: &Composition, diagnostics: &mut Diagnostics) -> Option<Shapes> {
    let index = composition.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let count = composition.states.len();
    let shapes = Shapes { tops: vec![None], ids: HashMap::new(), of: vec![Vec::new(); count], is_ambiguous: false };
    let mut inference = Inference {
        composition,
        index,
        shapes,
        predecessors: HashMap::new(),
        worklist: VecDeque::new(),
        faults: vec![Vec::new(); count],
        diagnostics,
    };
    inference.run();
    let Inference { shapes, .. } = inference;
    (!diagnostics.has_errors()).then_some(shapes)
}

/// State, and a shape with which it is entered.
type Visit = (usize, ShapeId);

struct Inference<'a> {
    composition: &'a Composition,
    index: HashMap<&'a str, usize>,
    shapes: Shapes,
    /// Predecessor of each state and shape on the first path that reached them.
    predecessors: HashMap<Visit, Visit>,
    worklist: VecDeque<Visit>,
    /// Shapes in which a state cannot pop the entry that it takes.
    faults: Vec<Vec<ShapeId>>,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Inference<'a> {
    fn run(&mut self) {
        let entry = self.index[&*self.composition.entry.value];
        self.shapes.of[entry].push(EMPTY);
        self.worklist.push_back((entry, EMPTY));
        while let Some((at, shape)) = self.worklist.pop_front() {
            let state = &self.composition.states[at];
            if state.kind.can_raise()
                && let Some((handler, below)) = self.shapes.handler(shape)
            {
                let handler = handler.clone();
                self.reach(&handler, below, (at, shape));
            }
            let Some(after) = self.after(at, shape) else {
                self.faults[at].push(shape);
                continue;
            };
            if state.kind.always_raises() {
                continue;
            }
            for target in state.followers() {
                self.reach(&target.value, after, (at, shape));
            }
        }
        self.report();
    }

    /// Records that a state is entered with a shape from another state.
    fn reach(&mut self, target: &str, shape: ShapeId, from: Visit) {
        let at = self.index[target];
        let shapes = &mut self.shapes.of[at];
        if shapes.contains(&shape) || shapes.len() == MAX_SHAPES {
            return;
        }
        self.shapes.is_ambiguous |= !shapes.is_empty();
        shapes.push(shape);
        self.predecessors.insert((at, shape), from);
        self.worklist.push_back((at, shape));
    }

    /// Reports errors in source order, whatever order the inference visited. A state that fails
    /// with only some of its shapes is checked at run time.
    fn report(&mut self) {
        let mut is_reported = false;
        for at in 0..self.composition.states.len() {
            let state = &self.composition.states[at];
            if self.diagnostics.is_exhausted(state.name.span) {
                return;
            }
            let (shapes, faults) = (&self.shapes.of[at], &self.faults[at]);
            if !faults.is_empty() && faults.len() == shapes.len() {
                self.report_pop(at, faults[0]);
            } else if let [first, second, ..] = shapes[..]
                && self.is_source(at, second)
            {
                is_reported = true;
                self.report_ambiguous(at, first, second);
            }
        }
        // In a cycle, every predecessor may have several shapes.
        let several = (0..self.composition.states.len()).find(|at| self.shapes.of[*at].len() > 1);
        if let Some(at) = several.filter(|_| !is_reported && !self.diagnostics.has_errors()) {
            self.report_ambiguous(at, self.shapes.of[at][0], self.shapes.of[at][1]);
        }
        let exit = self.index[&*self.composition.exit.value];
        if self.shapes.of[exit].is_empty() && !self.diagnostics.has_errors() {
            let state = &self.composition.states[exit];
            let message = format!("the final state `{}` is unreachable", state.name.value);
            self.diagnostics.push(
                Diagnostic::new(&WF0703, state.name.span, message)
                    .related(self.composition.exit.span, "`Exit` names it here")
                    .help("add a transition to it, or name the state that ends the composition in `Exit`"),
            );
        }
        self.check_size();
    }

    /// Returns `true` if the predecessor of the second shape has a single shape, so that the
    /// shapes first differ at this state.
    fn is_source(&self, at: usize, second: ShapeId) -> bool {
        self.predecessors.get(&(at, second)).is_none_or(|(from, _)| self.shapes.of[*from].len() == 1)
    }

    /// Reports a composition that is too large: the levels that its states carry, or its
    /// transitions from errors to handlers.
    fn check_size(&mut self) {
        let carried: usize = match self.shapes.is_ambiguous {
            false => self.shapes.of.iter().flatten().map(|shape| self.shapes.depth(*shape)).sum(),
            true => {
                let states = || self.composition.states.iter();
                let handlers = states().filter(|state| matches!(state.kind, StateKind::Try { .. })).count();
                handlers * states().filter(|state| state.kind.can_raise()).count()
            }
        };
        if carried > MAX_CARRIED {
            let message = match self.shapes.is_ambiguous {
                false => format!("the stacks of all states have more than {MAX_CARRIED} levels"),
                true => format!("the composition has more than {MAX_CARRIED} transitions from errors to handlers"),
            };
            let diagnostic = Diagnostic::new(&WF0113, self.composition.span.at_start(), message);
            self.diagnostics.push(diagnostic.help("split it into several compositions"));
        }
    }

    /// Returns the shape after the state, or `None` if the state cannot pop the entry that it
    /// takes.
    fn after(&mut self, at: usize, shape: ShapeId) -> Option<ShapeId> {
        let state = &self.composition.states[at];
        let variable = |symbol: &str| StackEntry::Variable(symbol.into());
        match &state.kind {
            StateKind::Pass | StateKind::Action(_) | StateKind::Function(_) | StateKind::Value(_) => Some(shape),
            StateKind::Push => Some(self.shapes.push(shape, StackEntry::Params)),
            StateKind::Try { handler } => Some(self.shapes.push(shape, StackEntry::Handler(handler.value.clone()))),
            StateKind::Let { symbol, .. } => Some(self.shapes.push(shape, variable(&symbol.value))),
            StateKind::Pop | StateKind::Choice { .. } | StateKind::Catch | StateKind::End => {
                let top = self.shapes.tops[shape.0 as usize].as_ref();
                top.filter(|level| takes(&state.kind, &level.entry)).map(|level| level.below)
            }
        }
    }

    fn report_pop(&mut self, at: usize, shape: ShapeId) {
        let top = self.shapes.tops[shape.0 as usize].as_ref().map(|level| level.entry.clone());
        let state = &self.composition.states[at];
        let (wanted, maker) = match &state.kind {
            StateKind::Catch => ("a handler", "Try"),
            StateKind::End => ("a variable", "Let"),
            _ => ("saved parameters", "Push"),
        };
        let (name, kind) = (&state.name.value, state.kind.name());
        let path = self.path_to((at, shape));
        let way = format!("reached through {}", self.show_path(&path));
        let diagnostic = match top {
            None => {
                let message = format!("state `{name}` pops {wanted}, but the stack is empty");
                Diagnostic::new(&WF0701, state.name.span, message)
                    .help(format!("add a {maker} state before it on this path, or remove the {kind} state"))
            }
            Some(entry) => {
                let message = format!("state `{name}` pops {wanted}, but the top of the stack is {}", describe(&entry));
                let mut diagnostic = Diagnostic::new(&WF0702, state.name.span, message)
                    .help(format!("add a matching {maker} state before this {kind} state"));
                if let Some(pusher) = self.pusher(&path) {
                    diagnostic = diagnostic.related(pusher.name.span, format!("pushed by `{}`", pusher.name.value));
                }
                diagnostic
            }
        };
        self.diagnostics.push(diagnostic.label(way));
    }

    fn report_ambiguous(&mut self, at: usize, first: ShapeId, second: ShapeId) {
        let state = &self.composition.states[at];
        let message = format!(
            "state `{}` is reached with two different stacks: the stack of this composition is checked at run time",
            state.name.value
        );
        let shown = |this: &Self, shape: ShapeId| {
            format!("{} on the stack, through {}", this.show(shape), this.show_path(&this.path_to((at, shape))))
        };
        let mut diagnostic = Diagnostic::new(&WF0751, state.name.span, message)
            .label(shown(self, first))
            .help("make every path to a state leave the same entries on the stack");
        if let Some((from, _)) = self.predecessors.get(&(at, second)) {
            diagnostic = diagnostic.related(self.composition.states[*from].name.span, shown(self, second));
        }
        self.diagnostics.push(diagnostic);
    }

    /// Describes the levels of a shape, from the bottom.
    fn show(&self, shape: ShapeId) -> String {
        let mut levels: Vec<String> = self
            .shapes
            .levels(shape)
            .take(MAX_SHOWN)
            .map(|level| match &level.entry {
                StackEntry::Params => "parameters".to_owned(),
                StackEntry::Handler(name) => format!("handler `{name}`"),
                StackEntry::Variable(name) => format!("variable `{name}`"),
            })
            .collect();
        if self.shapes.levels(shape).count() > MAX_SHOWN {
            levels.push("…".to_owned());
        }
        levels.reverse();
        if levels.is_empty() { "nothing".to_owned() } else { levels.join(", ") }
    }

    /// Returns the path from the entry state to this one.
    fn path_to(&self, visit: Visit) -> Vec<usize> {
        let visits = std::iter::successors(Some(visit), |visit| self.predecessors.get(visit).copied());
        let mut way: Vec<usize> = visits.map(|(at, _)| at).collect();
        way.reverse();
        way
    }

    fn show_path(&self, way: &[usize]) -> String {
        let name = |at: &usize| format!("`{}`", self.composition.states[*at].name.value);
        let names: Vec<String> = match way.len() {
            0..=MAX_SHOWN => way.iter().map(name).collect(),
            count => {
                let (head, tail) = (&way[..MAX_SHOWN / 2], &way[count - MAX_SHOWN / 2..]);
                head.iter().map(name).chain(["…".to_owned()]).chain(tail.iter().map(name)).collect()
            }
        };
        names.join(" → ")
    }

    /// Returns the state that pushed the top of the stack at the end of a path.
    fn pusher(&self, way: &[usize]) -> Option<&'a State> {
        let mut stack: Vec<&State> = Vec::new();
        for pair in way.windows(2) {
            let [at, next] = [pair[0], pair[1]].map(|at| &self.composition.states[at]);
            let leads = at.followers().iter().any(|target: &&Name| target.value == next.name.value);
            match &at.kind {
                StateKind::Push | StateKind::Try { .. } | StateKind::Let { .. } => stack.push(at),
                StateKind::Pop | StateKind::Choice { .. } | StateKind::Catch | StateKind::End => _ = stack.pop(),
                // An error led to a handler, which removed every level down to its Try.
                _ if !leads => while stack.pop().is_some_and(|state| !matches!(state.kind, StateKind::Try { .. })) {},
                _ => {}
            }
        }
        stack.pop()
    }
}

/// Returns `true` if a state of this kind takes an entry of this kind.
fn takes(kind: &StateKind, entry: &StackEntry) -> bool {
    match entry {
        StackEntry::Params => matches!(kind, StateKind::Pop | StateKind::Choice { .. }),
        StackEntry::Handler(_) => matches!(kind, StateKind::Catch),
        StackEntry::Variable(_) => matches!(kind, StateKind::End),
    }
}

fn describe(entry: &StackEntry) -> String {
    match entry {
        StackEntry::Params => "saved parameters".to_owned(),
        StackEntry::Handler(name) => format!("the handler `{name}`"),
        StackEntry::Variable(name) => format!("the variable `{name}`"),
    }
}
