//! Paths into values of the program's types, which rustc checks.

use super::eval::Trace;
use super::report::written;
use crate::diagnostics::Code;
use crate::escape::shown;
use crate::expr::{Segment, Selector};
use crate::hir::Workflow;
use crate::shapes::{PathClaim, RustPlace, RustStep, Shape, ValueOrigin};
use crate::source::Span;

/// The place of a path in a definition.
pub struct ClaimPlace {
    /// The diagnostic if the path does not exist.
    pub code: &'static Code,
    /// The span of the first step that is checked.
    pub span: Span,
    /// The path before this step, as written.
    pub base: String,
    /// The number of steps that are checked.
    pub steps: usize,
}

/// Returns the claim of a path. Of a path with a name that messages cannot show nothing is
/// claimed.
pub fn claim(place: &RustPlace, origin: Option<&ValueOrigin>, claimed: ClaimPlace) -> Option<PathClaim> {
    let is_shown = |step: &RustStep| match step {
        RustStep::Member(name) | RustStep::Mapped(name) => shown(name).to_string() == **name,
        RustStep::Elements | RustStep::Children => true,
        RustStep::AnyMember => false,
    };
    let ClaimPlace { code, span, base, steps } = claimed;
    let checked_from = place.steps.len().checked_sub(steps)?;
    (steps > 0 && place.steps.iter().all(is_shown)).then(|| PathClaim {
        ty: place.ty,
        source: origin.map_or_else(|| "a value of the program".into(), |origin| origin.phrase.clone()),
        code,
        span,
        base,
        checked_from,
        steps: place.steps.clone(),
    })
}

/// The steps of a path that selects several values.
pub struct SelectionTrace {
    /// The path so far, as written.
    text: String,
    /// The path before the first checked step, and the number of checked steps.
    claimed: Option<(String, usize)>,
}

impl SelectionTrace {
    /// Begins a selection from the local of a path.
    pub fn of(workflow: &Workflow, path: Option<&Trace>) -> SelectionTrace {
        SelectionTrace { text: written(workflow, path.and_then(|path| path.base), &[]), claimed: None }
    }

    /// Follows a segment from a value to what it selects.
    pub fn follow(&mut self, segment: &Segment, from: &Shape, to: &Shape) {
        let name = match &segment.selectors[..] {
            [Selector::Name(name)] => Some(&**name),
            _ => None,
        };
        match to.is_claimed(name) && name.is_none_or(|name| from.member(name).may_be_absent) {
            true => self.claimed.get_or_insert_with(|| (self.text.clone(), 0)).1 += 1,
            false => self.claimed = None,
        }
        self.text.push_str(&name.map_or_else(|| "[*]".to_owned(), |name| format!(".{}", shown(name))));
    }

    /// Returns the path before the first checked step, and the number of checked steps.
    pub fn claimed(self) -> Option<(String, usize)> {
        self.claimed
    }
}
