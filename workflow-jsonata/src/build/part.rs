//! A part of the tree to which more may be added.

use std::ops::Range;
use std::sync::Arc;

use crate::ast::{Group, Node, NodeKind, Path, Stage, Step, StepKind, Suffixed};

/// A part with what follows it so far.
pub(super) struct Part {
    /// The place in the text, in bytes.
    pub(super) at: Range<usize>,
    /// The kind of the part.
    pub(super) kind: PartKind,
    /// The predicates of a part that is no path.
    pub(super) predicates: Vec<Node>,
    /// The grouping.
    pub(super) group: Option<Group>,
    /// `true` if `[]` follows the part.
    pub(super) keeps_array: bool,
    /// The variable of `@`, which has a meaning when the part becomes a step.
    pub(super) focus: Option<Arc<str>>,
    /// See [`Step::ancestors`].
    pub(super) ancestors: Vec<usize>,
    /// See [`Step::is_tuple`].
    pub(super) is_tuple: bool,
    /// See [`Step::is_constructor`].
    pub(super) is_constructor: bool,
    /// The slots of the part that seek an ancestor outside of it.
    pub(super) seeking: Vec<usize>,
}

/// The kinds of parts.
pub(super) enum PartKind {
    /// A part that is no path.
    Plain(NodeKind),
    /// A path.
    Path(Steps),
}

/// The steps of a path.
#[derive(Default)]
pub(super) struct Steps {
    /// The steps. There is at least one.
    pub(super) steps: Vec<Step>,
    /// See [`Path::keeps_array`].
    pub(super) keeps_array: bool,
    /// `true` after the first `.`.
    pub(super) is_dotted: bool,
    /// The slots of the last step that seek an ancestor among the steps before it.
    pub(super) seeking: Vec<usize>,
}

impl Part {
    /// Returns a part that nothing follows yet.
    pub(super) fn new(at: Range<usize>, kind: NodeKind) -> Box<Self> {
        Self::of(at, PartKind::Plain(kind))
    }

    fn of(at: Range<usize>, kind: PartKind) -> Box<Self> {
        Box::new(Self {
            at,
            kind,
            predicates: Vec::new(),
            group: None,
            keeps_array: false,
            focus: None,
            ancestors: Vec::new(),
            is_tuple: false,
            is_constructor: false,
            seeking: Vec::new(),
        })
    }

    /// Returns the path of a name.
    pub(super) fn name(at: Range<usize>, name: Arc<str>, keeps_array: bool) -> Box<Self> {
        let mut part = Self::new(at, NodeKind::Name(name));
        part.keeps_array = keeps_array;
        let mut path = part.into_path(false);
        if let PartKind::Path(steps) = &mut path.kind {
            steps.keeps_array = keeps_array;
        }
        path
    }

    /// Returns the slot of the part if it is `%`.
    pub(super) const fn slot(&self) -> Option<usize> {
        match self.kind {
            PartKind::Plain(NodeKind::Parent(slot)) => Some(slot),
            _ => None,
        }
    }

    /// Moves the slots that seek an ancestor to those of the part around this one.
    pub(super) fn pass_slots(&mut self, seeking: &mut Vec<usize>) {
        if seeking.is_empty() {
            std::mem::swap(seeking, &mut self.seeking);
        } else {
            seeking.append(&mut self.seeking);
        }
        seeking.extend(self.slot());
    }

    /// Returns `true` if a block of this part counts as an array that its author wrote.
    pub(super) fn begins_with_constructor(&self) -> bool {
        match &self.kind {
            PartKind::Plain(_) => self.is_constructor,
            PartKind::Path(steps) => steps.steps.first().is_some_and(|step| step.is_constructor),
        }
    }

    /// Returns the part as a path. Predicates become stages of its step, or stay with the part.
    pub(super) fn into_path(self: Box<Self>, with_stages: bool) -> Box<Self> {
        let PartKind::Plain(kind) = self.kind else {
            return self;
        };
        let slot = if let NodeKind::Parent(slot) = kind { Some(slot) } else { None };
        let (predicates, stages) = if with_stages {
            (Vec::new(), self.predicates.into_iter().map(Stage::Filter).collect())
        } else {
            (self.predicates, Vec::new())
        };
        let node = suffixed(Node { at: self.at.clone(), kind }, predicates, self.group, false);
        let step = Step {
            kind: StepKind::Node(node),
            stages,
            focus: self.focus,
            index: None,
            ancestors: self.ancestors,
            is_tuple: self.is_tuple,
            keeps_array: self.keeps_array,
            is_constructor: self.is_constructor,
        };
        let mut seeking = self.seeking;
        seeking.extend(slot);
        let steps = Steps { steps: vec![step], seeking, ..Steps::default() };
        Self::of(self.at, PartKind::Path(steps))
    }

    /// Returns the part as a node of the tree.
    pub(super) fn finish(self: Box<Self>) -> Node {
        match self.kind {
            PartKind::Plain(kind) => {
                suffixed(Node { at: self.at, kind }, self.predicates, self.group, self.keeps_array)
            }
            PartKind::Path(Steps { steps, keeps_array, .. }) => {
                let path = Path { steps, keeps_array, group: self.group, is_tuple: false };
                let node = Node { at: self.at, kind: NodeKind::Path(Box::new(path)) };
                suffixed(node, Vec::new(), None, self.keeps_array && !keeps_array)
            }
        }
    }
}

/// Returns a node with what follows it.
fn suffixed(base: Node, predicates: Vec<Node>, group: Option<Group>, keeps_array: bool) -> Node {
    if predicates.is_empty() && group.is_none() && !keeps_array {
        return base;
    }
    let at = base.at.clone();
    Node { at, kind: NodeKind::Suffixed(Box::new(Suffixed { base, predicates, group, keeps_array })) }
}
