//! The stack as types: what lies on the stack when a state is entered, level by level (section 1.3 of the specification).
//!
//! A well-formed composition has one shape of the stack per state. Then every level is a local, the handler in force and
//! the variables in sight are known, and a stack is not needed any more. A state that can be entered with two shapes makes
//! the composition [ambiguous](Shapes::is_ambiguous): it keeps a stack at run time, which is checked there (ruling Q13).

use super::ast::{Composition, Kind, Name, State};
use crate::diagnostics::codes::stack::{E0701, E0702, E0703, N0701};
use crate::diagnostics::codes::syntax::E0113;
use crate::diagnostics::{Diagnostic, Diagnostics};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Of a long way so many states are told, first and last ones.
const TOLD: usize = 8;
/// Of more shapes of a state the first are followed: a loop can push for ever.
const MOST_SHAPES: usize = 8;
/// The most levels that all states together carry, and ways that lead from errors to handlers.
const MOST_CARRIED: usize = 100_000;

/// A shape of the stack, by its place in [`Shapes::known`]. The same shape has the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ShapeId(u32);

/// The empty stack.
pub const EMPTY: ShapeId = ShapeId(0);

/// What a level of the stack holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Entry {
    /// Parameters that a Push state saved.
    Params,
    /// The handler that a Try state set up.
    Handler(Arc<str>),
    /// A variable that a Let state declared.
    Variable(Arc<str>),
}

/// A level and what lies below.
#[derive(Debug, Clone)]
pub struct Level {
    /// What it holds.
    pub entry: Entry,
    /// How many levels there are below.
    pub depth: usize,
    below: ShapeId,
}

/// The shapes of a composition.
#[derive(Debug)]
pub struct Shapes {
    /// The top level of each shape but the empty one, which is the first.
    known: Vec<Option<Level>>,
    ids: HashMap<(ShapeId, Entry), ShapeId>,
    /// The shapes that each state is entered with; none for a state that is never entered.
    of: Vec<Vec<ShapeId>>,
    /// Whether a state is entered with several shapes.
    pub is_ambiguous: bool,
}

impl Shapes {
    /// The shapes that the state at this place is entered with: one, unless the composition is ambiguous, and then the first
    /// of them.
    pub fn of(&self, state: usize) -> &[ShapeId] {
        &self.of[state]
    }

    /// The levels of a shape, from the top.
    pub fn levels(&self, mut shape: ShapeId) -> impl Iterator<Item = &Level> {
        std::iter::from_fn(move || {
            let level = self.known[shape.0 as usize].as_ref()?;
            shape = level.below;
            Some(level)
        })
    }

    /// How many levels a shape has.
    pub fn depth(&self, shape: ShapeId) -> usize {
        self.known[shape.0 as usize].as_ref().map_or(0, |level| level.depth + 1)
    }

    /// The handler that is in force, and the shape that it is entered with.
    pub fn handler(&self, shape: ShapeId) -> Option<(&Arc<str>, ShapeId)> {
        self.levels(shape).find_map(|level| match &level.entry {
            Entry::Handler(name) => Some((name, level.below)),
            _ => None,
        })
    }

    fn push(&mut self, below: ShapeId, entry: Entry) -> ShapeId {
        let depth = self.depth(below);
        let known = &mut self.known;
        *self.ids.entry((below, entry.clone())).or_insert_with(|| {
            known.push(Some(Level { entry, depth, below }));
            ShapeId(known.len() as u32 - 1)
        })
    }
}

/// Finds the shapes of every state. `None` where a state pops what is not there, which has been reported then.
pub fn infer(composition: &Composition, diagnostics: &mut Diagnostics) -> Option<Shapes> {
    let index = composition.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let count = composition.states.len();
    let shapes = Shapes { known: vec![None], ids: HashMap::new(), of: vec![Vec::new(); count], is_ambiguous: false };
    let mut inference = Inference {
        composition,
        index,
        shapes,
        from: HashMap::new(),
        open: VecDeque::new(),
        faults: vec![Vec::new(); count],
        diagnostics,
    };
    inference.run();
    let Inference { shapes, .. } = inference;
    (!diagnostics.has_errors()).then_some(shapes)
}

/// A state, and a shape it is entered with.
type Visit = (usize, ShapeId);

struct Inference<'a> {
    composition: &'a Composition,
    index: HashMap<&'a str, usize>,
    shapes: Shapes,
    /// From where each state was first reached with each shape.
    from: HashMap<Visit, Visit>,
    open: VecDeque<Visit>,
    /// The shapes in which a state does not find what it takes.
    faults: Vec<Vec<ShapeId>>,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Inference<'a> {
    fn run(&mut self) {
        let entry = self.index[&*self.composition.entry.value];
        self.shapes.of[entry].push(EMPTY);
        self.open.push_back((entry, EMPTY));
        while let Some((at, shape)) = self.open.pop_front() {
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

    /// A state is entered with a shape, from another state.
    fn reach(&mut self, target: &str, shape: ShapeId, from: Visit) {
        let at = self.index[target];
        let known = &mut self.shapes.of[at];
        if known.contains(&shape) || known.len() == MOST_SHAPES {
            return;
        }
        self.shapes.is_ambiguous |= !known.is_empty();
        known.push(shape);
        self.from.insert((at, shape), from);
        self.open.push_back((at, shape));
    }

    /// Says what is wrong, whatever the order in which it was found. What a state lacks with some of its shapes only, the
    /// execution finds out.
    fn report(&mut self) {
        let mut is_told = false;
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
                is_told = true;
                self.report_ambiguous(at, first, second);
            }
        }
        // In a circle no state is the first.
        let several = (0..self.composition.states.len()).find(|at| self.shapes.of[*at].len() > 1);
        if let Some(at) = several.filter(|_| !is_told && !self.diagnostics.has_errors()) {
            self.report_ambiguous(at, self.shapes.of[at][0], self.shapes.of[at][1]);
        }
        let exit = self.index[&*self.composition.exit.value];
        if self.shapes.of[exit].is_empty() && !self.diagnostics.has_errors() {
            let state = &self.composition.states[exit];
            let message = format!("the final state `{}` is never reached", state.name.value);
            self.diagnostics.push(
                Diagnostic::new(&E0703, state.name.span, message)
                    .related(self.composition.exit.span, "`Exit` names it here")
                    .help("lead a transition to it, or let `Exit` name the state that ends the composition"),
            );
        }
        self.check_size();
    }

    /// Whether the further shape comes from a state that has one shape: it is this state that the ways differ at.
    fn is_source(&self, at: usize, second: ShapeId) -> bool {
        self.from.get(&(at, second)).is_none_or(|(from, _)| self.shapes.of[*from].len() == 1)
    }

    /// What the program carries from state to state is bounded: levels of the stack, or ways from errors to handlers.
    fn check_size(&mut self) {
        let carried: usize = match self.shapes.is_ambiguous {
            false => self.shapes.of.iter().flatten().map(|shape| self.shapes.depth(*shape)).sum(),
            true => {
                let states = || self.composition.states.iter();
                let handlers = states().filter(|state| matches!(state.kind, Kind::Try { .. })).count();
                handlers * states().filter(|state| state.kind.can_raise()).count()
            }
        };
        if carried > MOST_CARRIED {
            let message = match self.shapes.is_ambiguous {
                false => format!("the states carry more than {MOST_CARRIED} levels of the stack"),
                true => format!("there are more than {MOST_CARRIED} ways from errors to handlers"),
            };
            let found = Diagnostic::new(&E0113, self.composition.span.at_start(), message);
            self.diagnostics.push(found.help("make several compositions of it"));
        }
    }

    /// The shape after the state. `None` where the stack does not have what it takes.
    fn after(&mut self, at: usize, shape: ShapeId) -> Option<ShapeId> {
        let state = &self.composition.states[at];
        let variable = |symbol: &str| Entry::Variable(symbol.into());
        match &state.kind {
            Kind::Pass | Kind::Action(_) | Kind::Function(_) | Kind::Value(_) => Some(shape),
            Kind::Push => Some(self.shapes.push(shape, Entry::Params)),
            Kind::Try { handler } => Some(self.shapes.push(shape, Entry::Handler(handler.value.clone()))),
            Kind::Let { symbol, .. } => Some(self.shapes.push(shape, variable(&symbol.value))),
            Kind::Pop | Kind::Choice { .. } | Kind::Catch | Kind::End => {
                let top = self.shapes.known[shape.0 as usize].as_ref();
                top.filter(|level| takes(&state.kind, &level.entry)).map(|level| level.below)
            }
        }
    }

    fn report_pop(&mut self, at: usize, shape: ShapeId) {
        let found = self.shapes.known[shape.0 as usize].as_ref().map(|level| level.entry.clone());
        let state = &self.composition.states[at];
        let (wanted, maker) = match &state.kind {
            Kind::Catch => ("a handler", "Try"),
            Kind::End => ("a variable", "Let"),
            _ => ("saved parameters", "Push"),
        };
        let (name, kind) = (&state.name.value, state.kind.name());
        let article = if kind == "End" { "an" } else { "a" };
        let path = self.way_to((at, shape));
        let way = format!("it gets there by {}", self.tell(&path));
        let found = match found {
            None => {
                let message = format!("state `{name}` takes {wanted} from the stack, and the stack is empty");
                Diagnostic::new(&E0701, state.name.span, message)
                    .help(format!("put a {maker} state before it on this way, or remove the {kind} state"))
            }
            Some(entry) => {
                let message = format!("state `{name}` takes {wanted} from the stack, and on top there {}", is(&entry));
                let taker = match entry {
                    Entry::Params => "a Pop or a Choice state takes parameters",
                    Entry::Handler(_) => "a Catch state takes a handler",
                    Entry::Variable(_) => "an End state takes a variable",
                };
                let mut found = Diagnostic::new(&E0702, state.name.span, message).help(format!(
                    "{taker}; {article} {kind} state needs a {maker} state before it, with nothing left in between"
                ));
                if let Some(pusher) = self.pusher(&path) {
                    found = found.related(pusher.name.span, format!("`{}` put it there", pusher.name.value));
                }
                found
            }
        };
        self.diagnostics.push(found.label(way));
    }

    fn report_ambiguous(&mut self, at: usize, first: ShapeId, second: ShapeId) {
        let state = &self.composition.states[at];
        let message = format!(
            "state `{}` is entered with two shapes of the stack, so the stack of this composition is checked at run time",
            state.name.value
        );
        let shown = |this: &Self, shape: ShapeId| {
            format!("{} on the stack, by {}", this.show(shape), this.tell(&this.way_to((at, shape))))
        };
        let mut found = Diagnostic::new(&N0701, state.name.span, message)
            .label(shown(self, first))
            .help("let every way to a state leave the same on the stack");
        if let Some((from, _)) = self.from.get(&(at, second)) {
            found = found.related(self.composition.states[*from].name.span, shown(self, second));
        }
        self.diagnostics.push(found);
    }

    /// What a shape holds, from the bottom.
    fn show(&self, shape: ShapeId) -> String {
        let mut levels: Vec<String> = self
            .shapes
            .levels(shape)
            .take(TOLD)
            .map(|level| match &level.entry {
                Entry::Params => "parameters".to_owned(),
                Entry::Handler(name) => format!("handler `{name}`"),
                Entry::Variable(name) => format!("variable `{name}`"),
            })
            .collect();
        if self.shapes.levels(shape).count() > TOLD {
            levels.push("…".to_owned());
        }
        levels.reverse();
        if levels.is_empty() { "nothing".to_owned() } else { levels.join(", ") }
    }

    /// The states from the first one to this one.
    fn way_to(&self, visit: Visit) -> Vec<usize> {
        let visits = std::iter::successors(Some(visit), |visit| self.from.get(visit).copied());
        let mut way: Vec<usize> = visits.map(|(at, _)| at).collect();
        way.reverse();
        way
    }

    fn tell(&self, way: &[usize]) -> String {
        let name = |at: &usize| format!("`{}`", self.composition.states[*at].name.value);
        let names: Vec<String> = match way.len() {
            0..=TOLD => way.iter().map(name).collect(),
            count => {
                let (head, tail) = (&way[..TOLD / 2], &way[count - TOLD / 2..]);
                head.iter().map(name).chain(["…".to_owned()]).chain(tail.iter().map(name)).collect()
            }
        };
        names.join(" → ")
    }

    /// The state on a way that put on the stack what lies on top of it at the end of the way.
    fn pusher(&self, way: &[usize]) -> Option<&'a State> {
        let mut stack: Vec<&State> = Vec::new();
        for pair in way.windows(2) {
            let [at, next] = [pair[0], pair[1]].map(|at| &self.composition.states[at]);
            let leads = at.followers().iter().any(|target: &&Name| target.value == next.name.value);
            match &at.kind {
                Kind::Push | Kind::Try { .. } | Kind::Let { .. } => stack.push(at),
                Kind::Pop | Kind::Choice { .. } | Kind::Catch | Kind::End => _ = stack.pop(),
                // To a handler: everything down to its Try is gone.
                _ if !leads => while stack.pop().is_some_and(|state| !matches!(state.kind, Kind::Try { .. })) {},
                _ => {}
            }
        }
        stack.pop()
    }
}

/// Whether a state that takes something takes this.
fn takes(kind: &Kind, entry: &Entry) -> bool {
    match entry {
        Entry::Params => matches!(kind, Kind::Pop | Kind::Choice { .. }),
        Entry::Handler(_) => matches!(kind, Kind::Catch),
        Entry::Variable(_) => matches!(kind, Kind::End),
    }
}

fn is(entry: &Entry) -> String {
    match entry {
        Entry::Params => "are saved parameters".to_owned(),
        Entry::Handler(name) => format!("is the handler `{name}`"),
        Entry::Variable(name) => format!("is the variable `{name}`"),
    }
}
