//! Diagnostics of programs in other languages.

// Without a language, some of the imports and arguments are not used.
#![cfg_attr(
    not(all(feature = "asl", feature = "cel", feature = "composer", feature = "jq")),
    allow(unused_imports, unused_variables)
)]

use super::{ExprPlace, members_help, never_equal, span_is_name, with_origin};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::nearest;
use crate::escape::shown;
use crate::expr::ProgramText;
#[cfg(feature = "jq")]
use crate::expr::jq::shapes as jq;
use crate::hir::Workflow;
#[cfg(feature = "asl")]
use crate::passes::infer_shapes::jsonata::{JsonataRemark, JsonataRemarkKind};
use crate::shapes::codes::{WF1901, WF1902, WF1955};
#[cfg(any(feature = "cel", feature = "composer"))]
use crate::shapes::remark::{Remark, RemarkKind};
use crate::shapes::{KindSet, Shape};
use crate::source::Span;
use std::ops::Range;

/// Reports a finding in an expression in JSONata.
#[cfg(feature = "asl")]
pub fn jsonata(workflow: &Workflow, place: &ExprPlace<'_>, source: &str, remark: &JsonataRemark) -> Option<Diagnostic> {
    let span = program_span(workflow, place, source, Some(&remark.at));
    match &remark.kind {
        // A handler can catch the fault, which then may be what the author wants.
        JsonataRemarkKind::NoMember { .. } | JsonataRemarkKind::WrongKind { .. } if place.is_caught => None,
        JsonataRemarkKind::NoMember { written, name, of } => {
            let object = of.as_object();
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
            let diagnostic = Diagnostic::new(&WF1902, span, message);
            Some(with_origin(diagnostic.help(format!("use {}", wanted.name())), "the value", found))
        }
        JsonataRemarkKind::NeverEqual { left, right } => never_equal(span, left, right),
    }
}

/// Reports an expression whose value is of a kind that its field never takes.
#[cfg(feature = "asl")]
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

/// Reports a finding in a jq program.
#[cfg(feature = "jq")]
pub fn jq(workflow: &Workflow, place: &ExprPlace<'_>, source: &str, remark: &jq::JqRemark) -> Option<Diagnostic> {
    let span = program_span(workflow, place, source, Some(&remark.at));
    let (name, of) = (shown(&remark.what), &remark.of);
    let diagnostic = match &remark.kind {
        jq::JqRemarkKind::NoMembers | jq::JqRemarkKind::WrongInput { .. } | jq::JqRemarkKind::WrongOperands { .. }
            if place.is_caught =>
        {
            return None;
        }
        // rustc decides.
        jq::JqRemarkKind::InRust { .. } => return None,
        jq::JqRemarkKind::NoMembers => {
            let message = format!("the value is {} and has no member `{name}`", of.set().name());
            Diagnostic::new(&WF1901, span, message).help("remove the last step of the path")
        }
        jq::JqRemarkKind::AlwaysNull => {
            let object = of.as_object()?;
            // A member that is not there is null, which is often intended.
            let near = nearest(&remark.what, object.names())?;
            let message = format!("the member `{name}` is always null: the value has no such member");
            Diagnostic::new(&WF1955, span, message).help(format!("did you mean `{near}`?"))
        }
        jq::JqRemarkKind::NeverEqual { right } => return never_equal(span, of, right),
        jq::JqRemarkKind::WrongInput { wanted } => {
            let message = format!("the input of `{name}` must be {}, found {}", wanted.name(), of.set().name());
            Diagnostic::new(&WF1902, span, message).help(format!("apply it to {}", wanted.name()))
        }
        jq::JqRemarkKind::WrongOperands { right } => {
            let message = format!("`{name}` cannot be applied to {} and {}", of.set().name(), right.set().name());
            Diagnostic::new(&WF1902, span, message).help("convert one of the operands")
        }
    };
    Some(with_origin(diagnostic, "the value", of))
}

/// Reports a finding in a program in CEL or JavaScript.
#[cfg(any(feature = "cel", feature = "composer"))]
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
#[cfg(any(feature = "cel", feature = "composer"))]
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

/// Returns the span of a part of a program, or of the whole program.
pub fn program_span(workflow: &Workflow, place: &ExprPlace<'_>, source: &str, at: Option<&Range<usize>>) -> Span {
    let state = place.state.map_or(place.span, |state| state.span);
    let within =
        |outer: Span, span: Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
    let is_same = |program: &&ProgramText| {
        program.text.value.get(program.start..).is_some_and(|text| text.starts_with(source))
            && within(state, program.text.span)
    };
    let mut programs = workflow.programs.iter().filter(is_same);
    let program = programs.clone().find(|program| within(place.span, program.text.span)).or_else(|| programs.next());
    match (program, at) {
        (Some(program), Some(at)) => program.text.span_of(program.start + at.start, program.start + at.end),
        (Some(program), None) => program.text.span,
        (None, _) => place.span,
    }
}
