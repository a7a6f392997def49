//! Diagnostics of expressions in JSONata.

use super::{ExprPlace, members_help, never_equal, program_span, similar_member, span_is_name, with_origin};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::nearest;
use crate::escape::shown;
use crate::hir::Workflow;
use crate::passes::infer_shapes::jsonata::{JsonataRemark, JsonataRemarkKind};
use crate::shapes::codes::{WF1901, WF1902};
use crate::shapes::{KindSet, Shape};

/// Reports a remark on an expression in JSONata.
pub fn jsonata(workflow: &Workflow, place: &ExprPlace<'_>, source: &str, remark: &JsonataRemark) -> Option<Diagnostic> {
    let span = || program_span(workflow, place, source, Some(&remark.at));
    match &remark.kind {
        // A handler can catch the fault, which then may be what the author wants.
        JsonataRemarkKind::NoMember { .. } | JsonataRemarkKind::WrongKind { .. } if place.is_caught => None,
        JsonataRemarkKind::NoMember { written, name, of } => {
            let (object, span) = (of.as_object(), span());
            let names: Vec<&str> = object.iter().flat_map(|object| object.names()).collect();
            let near = nearest(name, names.iter().copied());
            let (message, help) = match of.set().meets(KindSet::OBJECT) {
                true => (format!("`{written}` has no member `{}`", shown(name)), members_help(written, near, &names)),
                false => {
                    let message = format!("`{written}` is {} and has no member `{}`", of.set().name(), shown(name));
                    (message, format!("end the path at `{written}`"))
                }
            };
            let diagnostic = Diagnostic::new(&WF1901, span, message).label("always undefined").help(help);
            let diagnostic = match near {
                Some(near) if span_is_name(span, name) => diagnostic.fix(span, near),
                _ => diagnostic,
            };
            Some(with_origin(diagnostic, &format!("`{written}`"), of))
        }
        JsonataRemarkKind::WrongKind { what, found, wanted } => {
            let message = format!("{what} must be {}, found {}", wanted.name(), found.set().name());
            let diagnostic = Diagnostic::new(&WF1902, span(), message);
            Some(with_origin(diagnostic.help(format!("use {}", wanted.name())), "the value", found))
        }
        JsonataRemarkKind::NeverEqual { left, right } => never_equal(span(), left, right),
        JsonataRemarkKind::Unlisted { written, name, of } => {
            similar_member(place, name, of, || (span(), written.clone()))
        }
    }
}

/// Reports an expression whose value is of a kind that its field never takes.
pub fn field_kind(
    workflow: &Workflow,
    place: &ExprPlace<'_>,
    source: &str,
    found: &Shape,
    wanted: KindSet,
) -> Option<Diagnostic> {
    if place.is_caught {
        return None;
    }
    let span = program_span(workflow, place, source, None);
    let message = format!("this field must be {}, found {}", wanted.name(), found.set().name());
    let diagnostic =
        Diagnostic::new(&WF1902, span, message).help(format!("write an expression that yields {}", wanted.name()));
    Some(with_origin(diagnostic, "the value", found))
}

/// Reports an input of a Map without `Items` that has no items. A handler can catch the fault.
pub fn map_input(place: &ExprPlace<'_>, found: &Shape, wanted: KindSet) -> Option<Diagnostic> {
    if place.is_caught {
        return None;
    }
    let message = format!("the input of the Map must be {}, found {}", wanted.name(), found.set().name());
    let diagnostic = Diagnostic::new(&WF1902, place.span, message);
    let help = format!("add `Items` with an expression that yields {}", wanted.name());
    Some(with_origin(diagnostic.help(help), "the input", found))
}
