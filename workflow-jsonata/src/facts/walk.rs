//! The walk over an expression in the order of evaluation.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::{Facts, FreeVariable, STATES_MEMBERS};
use crate::ast::{BinaryOperator, Call, Group, Lambda, Node, NodeKind, Path, Stage, Step, StepKind, Suffixed};
use crate::check::states_member;
use crate::scope::{Binding, Scope};

/// Returns what an expression reads.
pub(super) fn facts(expression: &Node) -> Facts {
    let mut walk = Walk::default();
    walk.node(expression);
    let mut facts = Facts { variables: walk.variables, ..Facts::default() };
    for variable in &mut facts.variables {
        let is_late = walk.late.get(&variable.name).is_some_and(|is_late| *is_late);
        variable.may_be_bound |= is_late && walk.bound.contains(&variable.name);
    }
    facts.reads_whole_states = walk.reads_whole_states;
    let is_read = |name: &&&str| walk.reads_whole_states || walk.states.contains(**name);
    facts.states = STATES_MEMBERS.iter().filter(is_read).copied().collect();
    // A path can go back to the context object by `%`.
    let has_parent = walk.has_parent && !walk.context.is_empty();
    facts.reads_whole_context = walk.reads_whole_states || walk.reads_whole_context || has_parent;
    facts.context = walk.context.into_iter().collect();
    facts
}

/// How a variable is used.
#[derive(Clone, Copy, PartialEq)]
enum Use {
    Read,
    Call,
}

/// The state of the walk.
#[derive(Default)]
struct Walk {
    scope: Scope,
    variables: Vec<FreeVariable>,
    /// The places of the names in the variables.
    places: HashMap<Arc<str>, usize>,
    /// The free names, with `true` if all uses are in functions, which may run after a binding.
    late: HashMap<Arc<str>, bool>,
    /// All names that the expression binds somewhere.
    bound: HashSet<Arc<str>>,
    states: HashSet<Arc<str>>,
    reads_whole_states: bool,
    /// The members of `$states.context` that are read.
    context: BTreeSet<Arc<str>>,
    reads_whole_context: bool,
    /// `true` if the expression has the operator `%`.
    has_parent: bool,
    /// The parts around this one that may not be evaluated.
    conditions: usize,
    /// The functions around this part.
    functions: usize,
}

impl Walk {
    fn node(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Variable(name) => self.variable(name, &node.at, Use::Read),
            NodeKind::Path(path) => self.path(path),
            NodeKind::Suffixed(suffixed) => self.suffixed(suffixed),
            NodeKind::Negate(operand) => self.node(operand),
            NodeKind::Bind(name, value) => self.bind(name, value),
            NodeKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            NodeKind::Apply(left, right) => {
                self.node(left);
                self.callee(right);
            }
            NodeKind::Array(items) => self.nodes(items),
            NodeKind::Block(parts) => {
                // A name that the block binds is bound for the rest of the block.
                let conditions = std::mem::take(&mut self.conditions);
                self.scope.enter();
                self.nodes(parts);
                self.scope.leave();
                self.conditions = conditions;
            }
            NodeKind::Object(members) => self.members(members),
            NodeKind::Condition(condition) => {
                self.node(&condition.test);
                self.maybe(|walk| {
                    walk.node(&condition.then);
                    if let Some(otherwise) = &condition.otherwise {
                        walk.node(otherwise);
                    }
                });
            }
            NodeKind::Lambda(lambda) => self.lambda(lambda),
            NodeKind::Call(call) | NodeKind::Partial(call) => self.call(call),
            NodeKind::Transform(transform) => {
                self.functions += 1;
                self.maybe(|walk| {
                    walk.node(&transform.pattern);
                    walk.node(&transform.update);
                    if let Some(delete) = &transform.delete {
                        walk.node(delete);
                    }
                });
                self.functions -= 1;
            }
            NodeKind::Null
            | NodeKind::Bool(_)
            | NodeKind::Number(_)
            | NodeKind::String(_)
            | NodeKind::Regex(_)
            | NodeKind::Context
            | NodeKind::Root
            | NodeKind::Name(_)
            | NodeKind::Wildcard
            | NodeKind::Descendants
            | NodeKind::Placeholder => {}
            NodeKind::Parent(_) => self.has_parent = true,
        }
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            self.node(node);
        }
    }

    fn members(&mut self, members: &[(Node, Node)]) {
        for (key, value) in members {
            self.node(key);
            self.node(value);
        }
    }

    /// Walks parts that may not be evaluated.
    fn maybe(&mut self, walk: impl FnOnce(&mut Self)) {
        self.conditions += 1;
        walk(self);
        self.conditions -= 1;
    }

    fn binary(&mut self, operator: BinaryOperator, left: &Node, right: &Node) {
        self.node(left);
        if matches!(operator, BinaryOperator::And | BinaryOperator::Or) {
            self.maybe(|walk| walk.node(right));
        } else {
            self.node(right);
        }
    }

    fn bind(&mut self, name: &Arc<str>, value: &Node) {
        // A function runs after its own name is bound.
        let is_function = matches!(value.kind, NodeKind::Lambda(_));
        if is_function {
            self.declare(name);
        }
        self.node(value);
        if !is_function {
            self.declare(name);
        }
    }

    fn declare(&mut self, name: &Arc<str>) {
        self.bound.insert(name.clone());
        self.scope.bind(name, self.conditions == 0);
    }

    fn lambda(&mut self, lambda: &Lambda) {
        if lambda.is_thunk {
            return self.node(&lambda.body);
        }
        self.scope.enter();
        for param in &lambda.params {
            self.scope.bind(param, true);
        }
        // A name that the body binds is bound whenever the body runs.
        let conditions = std::mem::take(&mut self.conditions);
        self.functions += 1;
        self.node(&lambda.body);
        self.functions -= 1;
        self.conditions = conditions;
        self.scope.leave();
    }

    fn call(&mut self, call: &Call) {
        // The arguments are evaluated after the function.
        self.callee(&call.callee);
        self.nodes(&call.args);
    }

    fn callee(&mut self, callee: &Node) {
        match &callee.kind {
            NodeKind::Variable(name) => self.variable(name, &callee.at, Use::Call),
            _ => self.node(callee),
        }
    }

    fn suffixed(&mut self, suffixed: &Suffixed) {
        self.node(&suffixed.base);
        self.maybe(|walk| {
            walk.nodes(&suffixed.predicates);
            walk.group(suffixed.group.as_ref());
        });
    }

    fn group(&mut self, group: Option<&Group>) {
        if let Some(group) = group {
            self.members(&group.members);
        }
    }

    fn path(&mut self, path: &Path) {
        let mut steps = path.steps.iter();
        if let Some((_, name)) = states_member(path) {
            if self.scope.find("states") != Binding::Bound {
                self.states.insert(name.clone());
                if &**name == "context" {
                    self.context(path);
                }
            }
            steps.next();
        }
        self.scope.enter();
        for (place, step) in steps.enumerate() {
            if place == 0 {
                self.step(step);
            } else {
                self.maybe(|walk| walk.step(step));
            }
        }
        self.maybe(|walk| walk.group(path.group.as_ref()));
        self.scope.leave();
    }

    /// Walks a path that begins with `$states.context`.
    fn context(&mut self, path: &Path) {
        let [_, context, rest @ ..] = &*path.steps else { return };
        let is_plain = context.stages.is_empty() && context.focus.is_none() && context.index.is_none();
        let member = rest.first().map(|step| &step.kind);
        match member {
            Some(StepKind::Node(Node { kind: NodeKind::Name(name), .. })) if is_plain => {
                self.context.insert(name.clone());
            }
            _ => self.reads_whole_context = true,
        }
    }

    fn step(&mut self, step: &Step) {
        match &step.kind {
            StepKind::Node(node) => self.node(node),
            StepKind::Sort(terms) => {
                for term in terms {
                    self.maybe(|walk| walk.node(&term.by));
                }
            }
        }
        for name in step.focus.iter().chain(&step.index) {
            self.scope.bind(name, true);
        }
        for stage in &step.stages {
            match stage {
                Stage::Filter(predicate) => self.maybe(|walk| walk.node(predicate)),
                Stage::Index(name) => self.scope.bind(name, true),
            }
        }
    }

    fn variable(&mut self, name: &Arc<str>, at: &Range<usize>, how: Use) {
        let binding = self.scope.find(name);
        if binding == Binding::Bound {
            return;
        }
        if &**name == "states" {
            self.reads_whole_states = true;
            return;
        }
        let is_late = self.functions > 0 || binding == Binding::Possible;
        let late = self.late.entry(name.clone()).or_insert(true);
        *late &= is_late;
        let place = *self.places.entry(name.clone()).or_insert_with(|| {
            self.variables.push(FreeVariable {
                name: name.clone(),
                at: at.clone(),
                is_read: false,
                is_callee: false,
                may_be_bound: false,
            });
            self.variables.len() - 1
        });
        let variable = &mut self.variables[place];
        variable.is_read |= how == Use::Read;
        variable.is_callee |= how == Use::Call;
    }
}
