//! The checks of AWS Step Functions: an expression has no input document.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use crate::ast::{Group, Node, NodeKind, Path, Stage, Step, StepKind, Suffixed};
use crate::pattern::{PatternProblem, translate_or_classify};
use crate::scope::Scope;

/// A problem of an expression in a state of Step Functions. See the example of [`check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The place in the text, in bytes.
    pub at: Range<usize>,
    /// The kind of the problem. Its text is the one of AWS, except for a regular expression.
    pub kind: ProblemKind,
}

/// The kinds of problems. See the example of [`check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// A name, `$`, `*`, `**` or `%` where there is no context item.
    TopLevel(Arc<str>),
    /// `$$`, for which there is no document.
    Root,
    /// A member that `$states` does not have in the field of the expression.
    NoField(Arc<str>),
    /// A regular expression that is refused.
    Pattern {
        /// The message about it.
        message: String,
        /// The kind of the reason.
        kind: PatternProblem,
    },
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TopLevel(name) => write!(formatter, "Reference to '{name}' at the top level is not supported."),
            Self::Root => formatter.write_str("Reference to '$$' is not supported."),
            Self::NoField(name) => write!(formatter, "Field '$states.{name}' does not exist."),
            Self::Pattern { message, .. } => formatter.write_str(message),
        }
    }
}

/// Returns the problems of an expression in the order of their places. The members are those
/// that `$states` has in the field of the expression.
///
/// ```
/// use workflow_jsonata::{check, parse};
///
/// let expression = parse("$states.result.id + phone")?;
/// let problems = check(&expression, &["input", "context"]);
/// assert_eq!(problems[0].kind.to_string(), "Field '$states.result' does not exist.");
/// assert_eq!(problems[1].at, 20..25);
/// # Ok::<(), workflow_jsonata::SyntaxError>(())
/// ```
#[must_use]
pub fn check(expression: &Node, members: &[&str]) -> Vec<Problem> {
    let mut checker = Checker { members, problems: Vec::new(), scope: Scope::default() };
    checker.node(expression, false);
    checker.problems.sort_by_key(|problem| problem.at.start);
    checker.problems
}

/// The state of the checks.
struct Checker<'a> {
    members: &'a [&'a str],
    problems: Vec<Problem>,
    /// The variables that the expression binds itself: its own `$states` is not checked.
    scope: Scope,
}

impl Checker<'_> {
    /// Checks a part, which has a context item or has none.
    fn node(&mut self, node: &Node, has_item: bool) {
        match &node.kind {
            NodeKind::Name(name) => self.reference(node, name, has_item),
            NodeKind::Context => self.reference(node, "$", has_item),
            NodeKind::Wildcard => self.reference(node, "*", has_item),
            NodeKind::Descendants => self.reference(node, "**", has_item),
            NodeKind::Parent(_) => self.reference(node, "%", has_item),
            NodeKind::Root => self.report(node, ProblemKind::Root),
            NodeKind::Path(path) => self.path(path, has_item),
            NodeKind::Suffixed(suffixed) => self.suffixed(suffixed, has_item),
            NodeKind::Negate(operand) => self.node(operand, has_item),
            NodeKind::Bind(name, value) => {
                self.node(value, has_item);
                self.scope.bind(name, true);
            }
            NodeKind::Binary(_, left, right) | NodeKind::Apply(left, right) => {
                self.node(left, has_item);
                self.node(right, has_item);
            }
            NodeKind::Array(items) => self.nodes(items, has_item),
            NodeKind::Block(parts) => {
                self.scope.enter();
                self.nodes(parts, has_item);
                self.scope.leave();
            }
            NodeKind::Object(members) => self.members(members, has_item),
            NodeKind::Condition(condition) => {
                self.node(&condition.test, has_item);
                self.node(&condition.then, has_item);
                if let Some(otherwise) = &condition.otherwise {
                    self.node(otherwise, has_item);
                }
            }
            NodeKind::Lambda(lambda) => {
                self.scope.enter();
                for param in &lambda.params {
                    self.scope.bind(param, true);
                }
                self.node(&lambda.body, has_item);
                self.scope.leave();
            }
            NodeKind::Call(call) | NodeKind::Partial(call) => {
                self.node(&call.callee, has_item);
                self.nodes(&call.args, has_item);
            }
            NodeKind::Transform(transform) => {
                self.node(&transform.pattern, true);
                self.node(&transform.update, true);
                if let Some(delete) = &transform.delete {
                    self.node(delete, true);
                }
            }
            NodeKind::Regex(pattern) => {
                // The flag `i` does not change whether a pattern is valid, so no similar letters
                // are added.
                if let Err((message, kind)) = translate_or_classify(pattern, &|first, last| vec![(first, last)]) {
                    self.report(node, ProblemKind::Pattern { message, kind });
                }
            }
            NodeKind::Null
            | NodeKind::Bool(_)
            | NodeKind::Number(_)
            | NodeKind::String(_)
            | NodeKind::Variable(_)
            | NodeKind::Placeholder => {}
        }
    }

    fn nodes(&mut self, nodes: &[Node], has_item: bool) {
        for node in nodes {
            self.node(node, has_item);
        }
    }

    fn members(&mut self, members: &[(Node, Node)], has_item: bool) {
        for (key, value) in members {
            self.node(key, has_item);
            self.node(value, has_item);
        }
    }

    fn suffixed(&mut self, suffixed: &Suffixed, has_item: bool) {
        self.node(&suffixed.base, has_item);
        self.nodes(&suffixed.predicates, true);
        self.group(suffixed.group.as_ref());
    }

    fn group(&mut self, group: Option<&Group>) {
        if let Some(group) = group {
            self.members(&group.members, true);
        }
    }

    fn path(&mut self, path: &Path, has_item: bool) {
        if let Some((node, name)) = states_member(path)
            && !self.members.contains(&&**name)
            && !self.scope.binds("states")
        {
            self.report(node, ProblemKind::NoField(name.clone()));
        }
        let mut has_item = has_item;
        for step in &path.steps {
            self.step(step, has_item);
            has_item = true;
        }
        self.group(path.group.as_ref());
    }

    fn step(&mut self, step: &Step, has_item: bool) {
        match &step.kind {
            StepKind::Node(node) => self.node(node, has_item),
            StepKind::Sort(terms) => {
                for term in terms {
                    self.node(&term.by, true);
                }
            }
        }
        for stage in &step.stages {
            if let Stage::Filter(predicate) = stage {
                self.node(predicate, true);
            }
        }
    }

    fn reference(&mut self, node: &Node, name: &str, has_item: bool) {
        if !has_item {
            self.report(node, ProblemKind::TopLevel(name.into()));
        }
    }

    fn report(&mut self, node: &Node, kind: ProblemKind) {
        self.problems.push(Problem { at: node.at.clone(), kind });
    }
}

/// Returns the member of a path `$states.member`.
pub(crate) fn states_member(path: &Path) -> Option<(&Node, &Arc<str>)> {
    let [first, second, ..] = &*path.steps else {
        return None;
    };
    let (StepKind::Node(first_node), StepKind::Node(second_node)) = (&first.kind, &second.kind) else {
        return None;
    };
    let is_plain = first.stages.is_empty() && first.focus.is_none() && first.index.is_none();
    match (&first_node.kind, &second_node.kind) {
        (NodeKind::Variable(variable), NodeKind::Name(name)) if is_plain && &**variable == "states" => {
            Some((second_node, name))
        }
        _ => None,
    }
}
