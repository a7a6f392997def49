//! Diagnostics of jq programs.

use super::{ExprPlace, never_equal, program_span, with_origin};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::nearest;
use crate::escape::shown;
use crate::expr::jq::shapes::{JqRemark, JqRemarkKind};
use crate::hir::Workflow;
use crate::shapes::codes::{WF1901, WF1902, WF1955};

/// Reports a remark on a jq program.
pub fn jq(workflow: &Workflow, place: &ExprPlace<'_>, source: &str, remark: &JqRemark) -> Option<Diagnostic> {
    let span = program_span(workflow, place, source, Some(&remark.at));
    let (name, of) = (shown(&remark.what), &remark.of);
    let diagnostic = match &remark.kind {
        JqRemarkKind::NoMembers | JqRemarkKind::WrongInput { .. } | JqRemarkKind::WrongOperands { .. }
            if place.is_caught =>
        {
            return None;
        }
        // rustc decides.
        JqRemarkKind::InRust { .. } => return None,
        JqRemarkKind::NoMembers => {
            let message = format!("the value is {} and has no member `{name}`", of.set().name());
            Diagnostic::new(&WF1901, span, message).help("remove the last step of the path")
        }
        JqRemarkKind::AlwaysNull => {
            let object = of.as_object()?;
            // A member that is not there is null, which is often intended.
            let near = nearest(&remark.what, object.names())?;
            let message = format!("the member `{name}` is always null: the value has no such member");
            Diagnostic::new(&WF1955, span, message).help(format!("did you mean `{near}`?"))
        }
        JqRemarkKind::NeverEqual { right } => return never_equal(span, of, right),
        JqRemarkKind::WrongInput { wanted } => {
            let message = format!("the input of `{name}` must be {}, found {}", wanted.name(), of.set().name());
            Diagnostic::new(&WF1902, span, message).help(format!("apply it to {}", wanted.name()))
        }
        JqRemarkKind::WrongOperands { right } => {
            let message = format!("`{name}` cannot be applied to {} and {}", of.set().name(), right.set().name());
            Diagnostic::new(&WF1902, span, message).help("convert one of the operands")
        }
    };
    Some(with_origin(diagnostic, "the value", of))
}
