//! Paths into values of the program's types, which rustc checks.

use super::eval::Trace;
use super::report::written;
use crate::diagnostics::Code;
use crate::escape::shown;
use crate::expr::{Segment, Selector};
use crate::hir::Workflow;
use crate::shapes::{PathCheck, RustPlace, RustStep, Shape, ValueOrigin};
use crate::source::Span;

/// The place of a path in a definition.
pub struct CheckPlace {
    /// The diagnostic if the path does not exist.
    pub code: &'static Code,
    /// The span of the first step that is checked.
    pub span: Span,
    /// The path before this step, as written.
    pub base: String,
    /// The number of steps that are checked.
    pub steps: usize,
}

/// Returns the check of a path. A path is not checked if it has a name that messages cannot show,
/// such as one with control characters.
pub fn path_check(place: &RustPlace, origin: Option<&ValueOrigin>, checked: CheckPlace) -> Option<PathCheck> {
    // Steps begin with the character by which the runtime distinguishes them.
    let written = |step: &RustStep| match step {
        RustStep::Member(name) => (shown(name) == **name).then(|| format!(".{name}")),
        RustStep::Mapped(name) => (shown(name) == **name).then(|| format!("*{name}")),
        RustStep::Elements => Some("[]".to_owned()),
        RustStep::Children => Some("[*]".to_owned()),
        RustStep::NotNull => Some("!".to_owned()),
        RustStep::AnyMember => None,
    };
    let CheckPlace { code, span, base, steps } = checked;
    let checked_from = place.steps.len().checked_sub(steps)?;
    let source = origin.map_or_else(|| "".into(), |origin| origin.phrase.clone());
    let written: Option<Vec<String>> = place.steps.iter().map(written).collect();
    let steps = written.filter(|_| steps > 0)?;
    Some(PathCheck { ty: place.ty, source, code, span, base, checked_from, steps })
}

/// The steps of a path that selects several values.
pub struct SelectionTrace {
    /// The path so far, as written.
    text: String,
    /// The path before the first checked step, and the number of checked steps.
    checked: Option<(String, usize)>,
}

impl SelectionTrace {
    /// Begins a selection from the local of a path.
    pub fn of(workflow: &Workflow, path: Option<&Trace>) -> SelectionTrace {
        SelectionTrace { text: written(workflow, path.and_then(|path| path.base), &[]), checked: None }
    }

    /// Follows a segment from a value to what it selects.
    pub fn follow(&mut self, segment: &Segment, from: &Shape, to: &Shape) {
        let name = match &segment.selectors[..] {
            [Selector::Name(name)] => Some(&**name),
            _ => None,
        };
        match to.ends_in(name) && name.is_none_or(|name| from.member(name).may_be_absent) {
            true => self.checked.get_or_insert_with(|| (self.text.clone(), 0)).1 += 1,
            false => self.checked = None,
        }
        self.text.push_str(&name.map_or_else(|| "[*]".to_owned(), |name| format!(".{}", shown(name))));
    }

    /// Returns the path before the first checked step, and the number of checked steps.
    pub fn checked(self) -> Option<(String, usize)> {
        self.checked
    }
}
