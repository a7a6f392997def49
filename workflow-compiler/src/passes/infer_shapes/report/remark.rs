//! Diagnostics of programs in CEL and JavaScript.

use super::{ExprPlace, members_help, never_equal, program_span, span_is_name, with_origin};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::nearest;
use crate::escape::shown;
use crate::hir::Workflow;
use crate::shapes::KindSet;
use crate::shapes::codes::{WF1901, WF1902, WF1955};
use crate::shapes::remark::{Remark, RemarkKind};
use crate::source::Span;

/// Reports a remark on a program in CEL or JavaScript.
pub fn remark(workflow: &Workflow, place: &ExprPlace<'_>, source: &str, remark: &Remark) -> Option<Diagnostic> {
    let span = program_span(workflow, place, source, Some(&remark.at));
    let (diagnostic, of) = match &remark.kind {
        // A handler can catch the fault, which then may be what the author wants.
        kind if kind.fails() && place.is_caught => return None,
        RemarkKind::NoMember { written, name, of } => {
            let object = of.as_object();
            let names: Vec<&str> = object.iter().flat_map(|object| object.names()).collect();
            let (near, name) = (nearest(name, names.iter().copied()), shown(name));
            let quoted =
                if written.contains(' ') { shown(written).to_string() } else { format!("`{}`", shown(written)) };
            let (message, help) = match of.set() {
                KindSet::NONE => (
                    format!("{quoted} is always undefined, so that `{name}` cannot be read"),
                    "read a member that exists, or use `?.`".to_owned(),
                ),
                set if set.meets(KindSet::OBJECT) => {
                    (format!("{quoted} has no member `{name}`"), members_help(written, near, &names))
                }
                KindSet::ARRAY if name.to_string().parse::<u64>().is_ok() => {
                    (format!("{quoted} has no element {name}"), "use a smaller index".to_owned())
                }
                set => {
                    let message = format!("{quoted} is {} and has no member `{name}`", set.name());
                    (message, format!("end the path at {quoted}"))
                }
            };
            let diagnostic = Diagnostic::new(&WF1901, span, message).help(help);
            (with_near(diagnostic, span, &remark.kind, near), of)
        }
        RemarkKind::Undefined { name, of } => {
            let object = of.as_object();
            let near = object.as_ref().and_then(|object| nearest(name, object.names()));
            let (why, help) = match (&object, near) {
                (Some(object), None) if object.is_closed() && object.names().eq(["error"]) => {
                    ("an error object has only the member `error`".to_owned(), "read the member `error`".to_owned())
                }
                // A member that is not there is undefined, which is often intended.
                (Some(_), None) => return None,
                (Some(_), Some(near)) => ("the value has no such member".to_owned(), format!("did you mean `{near}`?")),
                (None, _) if of.set().meets(KindSet::NULL) => return None,
                (None, _) => {
                    (format!("the value is {}", of.set().name()), "remove the last step of the path".to_owned())
                }
            };
            let message = format!("the member `{}` is always undefined: {why}", shown(name));
            let diagnostic = Diagnostic::new(&WF1955, span, message).help(help);
            (with_near(diagnostic, span, &remark.kind, near), of)
        }
        RemarkKind::WrongKind { what, found, wanted } => {
            let wanted = if *wanted == KindSet::NONE { "a time".to_owned() } else { wanted.name() };
            let message = format!("{what} must be {wanted}, found {}", found.set().name());
            (Diagnostic::new(&WF1902, span, message).help(format!("use {wanted}")), found)
        }
        RemarkKind::WrongOperands { sign, left, right } => {
            let message = format!("`{sign}` cannot be applied to {} and {}", left.set().name(), right.set().name());
            (Diagnostic::new(&WF1902, span, message).help("convert one of the operands"), left)
        }
        RemarkKind::NeverEqual { left, right } => return never_equal(span, left, right),
    };
    Some(with_origin(diagnostic, "the value", of))
}

/// Adds the replacement of a name by one that is near.
fn with_near(diagnostic: Diagnostic, span: Span, kind: &RemarkKind, near: Option<&str>) -> Diagnostic {
    match (kind, near) {
        (RemarkKind::NoMember { name, .. } | RemarkKind::Undefined { name, .. }, Some(near))
            if span_is_name(span, name) =>
        {
            diagnostic.fix(span, near)
        }
        _ => diagnostic,
    }
}
