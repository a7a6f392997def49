//! The parts of a tree.

use crate::ast::{Group, Node, NodeKind, Stage, Step, StepKind};

impl Node {
    /// Calls `visit` with the node and with all nodes inside of it.
    ///
    /// ```
    /// let mut numbers = 0;
    /// workflow_jsonata::parse("$sum([1, x[2]]) > 3")?.walk(&mut |node| {
    ///     numbers += usize::from(matches!(node.kind, workflow_jsonata::NodeKind::Number(_)));
    /// });
    /// assert_eq!(numbers, 3);
    /// # Ok::<(), workflow_jsonata::SyntaxError>(())
    /// ```
    pub fn walk<'n>(&'n self, visit: &mut dyn FnMut(&'n Self)) {
        visit(self);
        self.parts(&mut |part| part.walk(visit));
    }

    /// Calls `visit` with the nodes that are parts of this one.
    fn parts<'n>(&'n self, visit: &mut dyn FnMut(&'n Self)) {
        match &self.kind {
            NodeKind::Null
            | NodeKind::Bool(_)
            | NodeKind::Number(_)
            | NodeKind::String(_)
            | NodeKind::Regex(_)
            | NodeKind::Variable(_)
            | NodeKind::Context
            | NodeKind::Root
            | NodeKind::Name(_)
            | NodeKind::Wildcard
            | NodeKind::Descendants
            | NodeKind::Parent(_)
            | NodeKind::Placeholder => {}
            NodeKind::Path(path) => {
                path.steps.iter().for_each(|step| step.parts(visit));
                path.group.iter().for_each(|group| group.parts(visit));
            }
            NodeKind::Suffixed(suffixed) => {
                visit(&suffixed.base);
                suffixed.predicates.iter().for_each(&mut *visit);
                suffixed.group.iter().for_each(|group| group.parts(visit));
            }
            NodeKind::Negate(inner) | NodeKind::Bind(_, inner) => visit(inner),
            NodeKind::Array(parts) | NodeKind::Block(parts) => parts.iter().for_each(visit),
            NodeKind::Object(members) => members.iter().flat_map(|(key, value)| [key, value]).for_each(visit),
            NodeKind::Binary(_, left, right) | NodeKind::Apply(left, right) => {
                visit(left);
                visit(right);
            }
            NodeKind::Condition(condition) => {
                [&condition.test, &condition.then].into_iter().chain(&condition.otherwise).for_each(visit);
            }
            NodeKind::Lambda(lambda) => visit(&lambda.body),
            NodeKind::Call(call) | NodeKind::Partial(call) => {
                visit(&call.callee);
                call.args.iter().for_each(visit);
            }
            NodeKind::Transform(transform) => {
                [&transform.pattern, &transform.update].into_iter().chain(&transform.delete).for_each(visit);
            }
        }
    }
}

impl Step {
    fn parts<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        match &self.kind {
            StepKind::Node(node) => visit(node),
            StepKind::Sort(terms) => terms.iter().for_each(|term| visit(&term.by)),
        }
        for stage in &self.stages {
            if let Stage::Filter(predicate) = stage {
                visit(predicate);
            }
        }
    }
}

impl Group {
    fn parts<'n>(&'n self, visit: &mut dyn FnMut(&'n Node)) {
        self.members.iter().flat_map(|(key, value)| [key, value]).for_each(visit);
    }
}
