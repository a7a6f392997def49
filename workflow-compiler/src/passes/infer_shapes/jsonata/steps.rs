//! The steps of paths in JSONata, with what follows them.

use super::{CheckedPath, JsonataRemark, JsonataRemarkKind, Run};
use crate::shapes::{Access, AnyReason, KindSet, RustStep, Shape};
use std::sync::Arc;
use workflow_jsonata::{Group, Node, NodeKind, Number, Path, Stage, Step, StepKind, Suffixed};

/// The most steps of a path that are written in a remark.
const MOST_WRITTEN: usize = 16;
/// The longest beginning of a path that is written in a remark, in characters.
const LONGEST_START: usize = 200;

/// The value that the steps of a path have found so far.
struct Reached {
    value: Access,
    /// The last steps that only rustc can check.
    checked: Option<CheckedPath>,
}

/// A path as it is written.
struct WrittenPath<'p> {
    /// The beginning, which is no step. Empty for a path that begins at the context.
    start: String,
    /// The steps after it.
    steps: &'p [Step],
}

impl WrittenPath<'_> {
    /// Returns the text before a step. Of many steps only the last ones are written, so that the
    /// remarks on a long path stay small.
    fn before(&self, at: usize) -> String {
        let mut text = self.start.clone();
        let first = at.saturating_sub(MOST_WRITTEN);
        if first > 0 {
            text.push_str(".…");
        }
        for step in &self.steps[first..at] {
            match &step.kind {
                StepKind::Node(Node { kind: NodeKind::Name(name), .. }) => {
                    text.push('.');
                    text.push_str(name);
                }
                StepKind::Node(_) => text.push_str(".…"),
                StepKind::Sort(_) => {}
            }
            text.push_str(&predicates(step));
        }
        text
    }
}

/// Returns the predicates of a step in a remark.
fn predicates(step: &Step) -> String {
    let count = step.stages.iter().filter(|stage| matches!(stage, Stage::Filter(_))).count();
    "[…]".repeat(count.min(MOST_WRITTEN))
}

impl Run<'_> {
    /// Evaluates a path.
    pub(super) fn path(&mut self, path: &Path, context: &Access) -> Access {
        let (mut reached, written) = self.start(path, context);
        let binds = |step: &Step| {
            let is_index = |stage: &Stage| matches!(stage, Stage::Index(_));
            let has_variable = step.focus.is_some() || step.index.is_some() || step.stages.iter().any(is_index);
            has_variable || !step.ancestors.is_empty() || step.is_tuple
        };
        let is_kept = |step: &Step| step.is_constructor && (path.keeps_array || !step.stages.is_empty());
        if path.is_tuple || path.steps.iter().any(|step| binds(step) || is_kept(step)) {
            return Access::unknown();
        }
        // An empty array that begins a path is the value of the path.
        let is_empty_array = |value: &Access| value.shape.as_array().is_some_and(|array| array.least == 0);
        let may_be_empty = path.steps.len() > 1 && path.steps[0].is_constructor && is_empty_array(&reached.value);
        for at in 0..written.steps.len() {
            if self.is_exhausted() {
                return Access::unknown();
            }
            reached = self.step(&written, at, reached);
        }
        if may_be_empty {
            reached.value.shape = reached.value.shape.join(&Shape::tuple(Vec::new()));
        }
        self.checked = reached.checked;
        self.read(&reached.value.shape);
        let value = if path.keeps_array { keeping_array(reached.value) } else { reached.value };
        self.grouped(path.group.as_ref(), value)
    }

    /// Evaluates the beginning of a path. Returns it with the steps that follow.
    fn start<'p>(&mut self, path: &'p Path, context: &Access) -> (Reached, WrittenPath<'p>) {
        let reached = |value| Reached { value, checked: None };
        let at_context = || (reached(context.clone()), WrittenPath { start: String::new(), steps: &path.steps });
        let [Step { kind: StepKind::Node(first), .. }, rest @ ..] = &path.steps[..] else { return at_context() };
        let step = &path.steps[0];
        let after = |step: &Step, mut start: String, steps: &'p [Step]| {
            start.push_str(&predicates(step));
            WrittenPath { start, steps }
        };
        match &first.kind {
            NodeKind::Variable(name) => {
                if let [second, more @ ..] = rest
                    && **name == *"states"
                    && self.scopes.get(name).is_none()
                    && let StepKind::Node(Node { kind: NodeKind::Name(member), .. }) = &second.kind
                    && step.stages.is_empty()
                {
                    let value = self.values.get(&*format!("states.{member}")).cloned();
                    let value = value.unwrap_or_else(Access::unknown);
                    if !more.is_empty() && **member != *"context" {
                        self.paths.note(!value.shape.is_unknown(), AnyReason::Computed);
                    }
                    let value = self.with_stages(second, reached(value));
                    return (value, after(second, format!("$states.{member}"), more));
                }
                let value = self.variable(name);
                if !rest.is_empty() && self.values.contains_key(&**name) {
                    self.paths.note(!value.shape.is_unknown(), AnyReason::Computed);
                }
                (self.with_stages(step, reached(value)), after(step, format!("${name}"), rest))
            }
            NodeKind::Name(_) | NodeKind::Wildcard | NodeKind::Descendants => at_context(),
            NodeKind::Context => (self.with_stages(step, reached(context.clone())), after(step, "$".to_owned(), rest)),
            _ => {
                let text = self.source.get(first.at.clone()).unwrap_or_default();
                let text = match text.char_indices().nth(LONGEST_START) {
                    Some((end, _)) => format!("{}…", &text[..end]),
                    None => text.to_owned(),
                };
                let written = after(step, text, rest);
                if !context.shape.set().meets(KindSet::ARRAY) {
                    let value = self.aside(|run| run.eval(first, context));
                    let value = if step.is_constructor { constructed(value, rest.is_empty()) } else { value };
                    return (self.with_stages(step, reached(value)), written);
                }
                // It is evaluated for each element of a context that is an array, or for all.
                let value = self.aside(|run| run.eval(first, &context.join(&item_of(context))));
                let found = self.with_stages(step, reached(value));
                (Reached { value: sequence_of(&found.value.shape), ..found }, written)
            }
        }
    }

    /// Follows a step.
    fn step(&mut self, written: &WrittenPath<'_>, at: usize, before: Reached) -> Reached {
        let Reached { value, checked } = before;
        let step = &written.steps[at];
        let next = |value| Reached { value, checked: None };
        self.spend_elements(&value.shape);
        let node = match &step.kind {
            StepKind::Node(node) => node,
            StepKind::Sort(terms) => {
                let item = item_of(&value);
                self.aside(|run| terms.iter().for_each(|term| _ = run.quietly(&term.by, &item)));
                return self.with_stages(step, next(sequence(&items(&value.shape))));
            }
        };
        let NodeKind::Name(name) = &node.kind else {
            let item = item_of(&value);
            let found = match &node.kind {
                // Arrays inside of arrays are flattened, too.
                NodeKind::Wildcard if !item.shape.is_any() => sequence(&single(&item.shape.children())),
                // An array that a constructor has built is not flattened.
                kind if step.is_constructor || matches!(kind, NodeKind::Wildcard | NodeKind::Descendants) => {
                    self.aside(|run| _ = run.quietly(node, &item));
                    Access::unknown()
                }
                _ => self.aside(|run| run.quietly(node, &item)),
            };
            // The predicates apply to what the step yields for each item.
            let found = self.with_stages(step, next(found));
            return Reached { value: mapped(&value, found.value), ..found };
        };
        self.unlisted(node, name, written, at, &value);
        if !step.stages.is_empty() && !value.shape.is_any() && value.shape.set().meets(KindSet::ARRAY) {
            // The predicates apply to the member of each element.
            let found = member(&item_of(&value), name);
            let found = self.with_stages(step, next(found));
            return Reached { value: sequence_of(&found.value.shape), ..found };
        }
        let found = member(&value, name);
        if found.is_absent() && !value.is_absent() {
            let text = self.written(written, at);
            let kind = JsonataRemarkKind::NoMember {
                written: if text.is_empty() { "$".to_owned() } else { text },
                name: Arc::clone(name),
                of: value.shape.clone(),
            };
            self.missing = Some(JsonataRemark { at: node.at.clone(), kind });
        }
        // A step that always finds a value is not checked, nor are those before it.
        let is_checked =
            found.shape.ends_in(Some(name)) && member(&Access::present(value.shape.clone()), name).may_be_absent;
        let checked = is_checked.then(|| match checked {
            Some(path) => CheckedPath { steps: path.steps + 1, ..path },
            None => CheckedPath { at: node.at.clone(), base: self.written(written, at), steps: 1 },
        });
        let is_list = !value.shape.is_any() && value.shape.set().meets(KindSet::ARRAY);
        let found = match is_list && !found.is_absent() && !found.shape.is_any() {
            // The step finds the member of each item, and flattens what it finds.
            true => sequence_of(&member(&item_of(&value), name).shape),
            false => found,
        };
        self.with_stages(step, Reached { value: found, checked })
    }

    /// Returns the text of a path before a step.
    fn written(&mut self, path: &WrittenPath<'_>, at: usize) -> String {
        let text = path.before(at);
        self.spend(text.len());
        text
    }

    /// Notes a member that its objects are not known to have.
    fn unlisted(&mut self, node: &Node, name: &Arc<str>, written: &WrittenPath<'_>, at: usize, value: &Access) {
        if value.shape.is_any() || (written.start.is_empty() && at == 0) {
            return;
        }
        let of = single(&value.shape);
        let Some(object) = of.kinds().and_then(|kinds| kinds.object.as_ref()) else { return };
        if !object.is_closed() && !object.fields.contains_key(name) {
            let kind = JsonataRemarkKind::Unlisted { written: self.written(written, at), name: Arc::clone(name), of };
            self.remarks.push(JsonataRemark { at: node.at.clone(), kind });
        }
    }

    /// Notes a value of a type of the program to which a path leads.
    fn read(&mut self, value: &Shape) {
        if value.rust().is_some() {
            self.reads.push(value.clone());
        }
    }

    /// Applies the predicates of a step.
    fn with_stages(&mut self, step: &Step, reached: Reached) -> Reached {
        if !step.stages.is_empty() {
            self.read(&reached.value.shape);
        }
        let predicates = step.stages.iter().filter_map(|stage| match stage {
            Stage::Filter(predicate) => Some(predicate),
            Stage::Index(_) => None,
        });
        let mut reached = predicates.fold(reached, |reached, predicate| Reached {
            value: self.filtered(predicate, &reached.value),
            checked: None,
        });
        if step.keeps_array {
            reached.value = keeping_array(reached.value);
        }
        reached
    }

    /// Evaluates a part with predicates behind it.
    pub(super) fn suffixed(&mut self, suffixed: &Suffixed, context: &Access) -> Access {
        let value = self.eval(&suffixed.base, context);
        let value = suffixed.predicates.iter().fold(value, |value, predicate| self.filtered(predicate, &value));
        let value = if suffixed.keeps_array { keeping_array(value) } else { value };
        self.grouped(suffixed.group.as_ref(), value)
    }

    /// Returns the items for which a predicate holds, or the item at a position.
    fn filtered(&mut self, predicate: &Node, value: &Access) -> Access {
        if value.is_absent() {
            return value.clone();
        }
        self.spend_elements(&value.shape);
        let items = items(&value.shape);
        let item = Access { shape: items.clone(), may_be_absent: true };
        self.aside(|run| _ = run.quietly(predicate, &item));
        let Some(index) = position(predicate).filter(|_| !items.is_any() && !items.is_never()) else {
            return sequence(&items);
        };
        let found = value.shape.element(index);
        match value.shape.set() == KindSet::ARRAY && !found.shape.is_never() {
            true => Access { may_be_absent: found.may_be_absent || value.may_be_absent, shape: found.shape },
            false => Access { shape: items, may_be_absent: true },
        }
    }

    /// Returns the groups of a value: an object whose names are not known.
    fn grouped(&mut self, group: Option<&Group>, value: Access) -> Access {
        let Some(group) = group else { return value };
        let item = Access { may_be_absent: true, ..item_of(&value) };
        self.aside(|run| {
            for part in group.members.iter().flat_map(|(key, value)| [key, value]) {
                run.quietly(part, &item);
            }
        });
        Access { shape: Shape::any_object(), may_be_absent: true }
    }

    /// Evaluates parts whose missing members are not the reason why the whole is undefined.
    fn aside<T>(&mut self, evaluate: impl FnOnce(&mut Self) -> T) -> T {
        let missing = self.missing.take();
        let value = evaluate(self);
        self.missing = missing;
        value
    }
}

/// Returns the position that a predicate is.
fn position(predicate: &Node) -> Option<i64> {
    match &predicate.kind {
        NodeKind::Number(Number::Int(index)) => Some(*index),
        _ => None,
    }
}

/// Returns the value that further steps apply to, if an array begins the path. jsonata-js applies
/// no further step to one of its elements.
fn constructed(value: Access, is_last: bool) -> Access {
    match is_last || value.shape.is_any() {
        true => value,
        false => Access { shape: value.shape.only(KindSet::ARRAY), may_be_absent: true },
    }
}

/// Returns the items of a value: the elements of arrays, and other values.
pub(super) fn items(shape: &Shape) -> Shape {
    if shape.is_any() {
        return Shape::any();
    }
    let others = shape.only(KindSet::ARRAY.complement());
    if shape.set().meets(KindSet::ARRAY) { others.join(&shape.elements()) } else { others }
}

/// Returns the item that a step is applied to.
fn item_of(value: &Access) -> Access {
    Access { shape: items(&value.shape), may_be_absent: value.may_be_absent }
}

/// Returns a sequence of such items: none, one alone, or an array. Nothing is claimed where there
/// are no items, since an empty list often stands for data that is still to come.
pub(super) fn sequence(items: &Shape) -> Access {
    match items.is_any() || items.is_never() {
        true => Access::unknown(),
        false => Access { shape: items.join(&Shape::list(items.clone())), may_be_absent: true },
    }
}

/// Returns the sequence of the items of values.
fn sequence_of(values: &Shape) -> Access {
    sequence(&items(values))
}

/// Returns what a step yields that finds a value for each item.
fn mapped(before: &Access, found: Access) -> Access {
    match !before.shape.is_any() && !before.shape.set().meets(KindSet::ARRAY) {
        true => Access { may_be_absent: found.may_be_absent || before.may_be_absent, shape: found.shape },
        false => sequence_of(&found.shape),
    }
}

/// Returns a value of which a sequence of one item is kept as an array.
fn keeping_array(value: Access) -> Access {
    let items = items(&value.shape);
    match items.is_any() {
        true => value,
        false => Access { shape: value.shape.join(&Shape::list(items)), ..value },
    }
}

/// Returns the items of a value: the elements of arrays, at any depth, and other values.
fn single(shape: &Shape) -> Shape {
    if shape.is_any() {
        return Shape::any();
    }
    let others = shape.only(KindSet::ARRAY.complement());
    match shape.set().meets(KindSet::ARRAY) {
        true => others.join(&single(&shape.elements())),
        false => others,
    }
}

/// Returns the member of a value. That of an array is the sequence of the members of its elements:
/// one member alone, or an array.
pub(super) fn member(value: &Access, name: &str) -> Access {
    if value.shape.is_any() {
        return value.shape.in_rust(RustStep::Mapped(name.into()));
    }
    let own = value.shape.only(KindSet::ARRAY.complement()).member(name);
    let own = Access { may_be_absent: own.may_be_absent || value.may_be_absent, ..own };
    if !value.shape.set().meets(KindSet::ARRAY) {
        return own;
    }
    let inner = single(&value.shape.elements()).member(name).shape;
    if inner.is_never() {
        return Access { may_be_absent: true, ..own };
    }
    // A single member that is an empty array is kept as one.
    let items = inner.only(KindSet::ARRAY.complement()).join(&inner.elements());
    Access { shape: own.shape.join(&items).join(&Shape::list(items)), may_be_absent: true }
}
