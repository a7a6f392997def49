//! The form of the context object, `$$` (ASL §The Context Object, and what AWS adds).

use crate::diagnostics::codes::expressions::WF0307;
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::expr::PathStep;
use crate::source::Span;
use crate::syntax::shown;

/// What a path can find at a place of the context object.
enum Form {
    /// An object with these members.
    Object(&'static [(&'static str, Form)]),
    /// A string or a number.
    Scalar,
    /// A member that AWS has and the runtime does not have, with the reason.
    Missing(&'static str),
    /// Data of the execution, whose form is not known.
    Data,
}

static CONTEXT: Form = Form::Object(&[
    (
        "Execution",
        Form::Object(&[
            ("Id", Form::Scalar),
            ("Input", Form::Data),
            ("Name", Form::Scalar),
            ("RoleArn", Form::Scalar),
            ("StartTime", Form::Scalar),
            ("RedriveCount", Form::Scalar),
            ("RedriveTime", Form::Missing("the time of a redrive is not part of the context object here")),
        ]),
    ),
    ("State", Form::Object(&[("EnteredTime", Form::Scalar), ("Name", Form::Scalar), ("RetryCount", Form::Scalar)])),
    ("StateMachine", Form::Object(&[("Id", Form::Scalar), ("Name", Form::Scalar)])),
    ("Task", Form::Object(&[("Token", Form::Scalar)])),
    ("Map", Form::Object(&[("Item", Form::Object(ITEM))])),
]);

const ITEM: &[(&str, Form)] =
    &[("Index", Form::Scalar), ("Value", Form::Data), ("Key", DISTRIBUTED), ("Source", DISTRIBUTED)];
const DISTRIBUTED: Form = Form::Missing("only items of a distributed Map have it, which is not supported yet");

/// Reports the first step that selects an unknown member of the context object. The path starts at
/// `$$`.
pub fn check(steps: &[(PathStep, Span)], diagnostics: &mut Diagnostics) {
    let mut form = &CONTEXT;
    let mut place = "$$".to_owned();
    for (step, span) in steps {
        let members = match form {
            Form::Data | Form::Missing(_) => return,
            Form::Object(members) => *members,
            Form::Scalar => {
                let message = format!("`{place}` is neither an object nor an array");
                diagnostics.push(Diagnostic::new(&WF0307, *span, message).help(format!("end the path at `{place}`")));
                return;
            }
        };
        let name = match step {
            PathStep::Key(name) => name.as_str(),
            PathStep::Index(_) => "",
        };
        let Some((name, inner)) = members.iter().find(|(member, _)| *member == name) else {
            return report_unknown(step, *span, &place, members, diagnostics);
        };
        place = format!("{place}.{name}");
        form = inner;
        if let Form::Missing(why) = form {
            let message = format!("`{place}` is not available");
            diagnostics.push(Diagnostic::new(&WF0307, *span, message).help(*why));
            return;
        }
    }
}

fn report_unknown(
    step: &PathStep,
    span: Span,
    place: &str,
    members: &[(&'static str, Form)],
    diagnostics: &mut Diagnostics,
) {
    let names = || members.iter().map(|(name, _)| *name);
    let listed = names().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let known = match &listed[..] {
        [only] => format!("its only member is {only}"),
        [others @ .., last] => format!("its members are {} and {last}", others.join(", ")),
        [] => String::new(),
    };
    let diagnostic = match step {
        PathStep::Key(name) => Diagnostic::new(&WF0307, span, format!("`{place}` has no member `{}`", shown(name)))
            .maybe_help(did_you_mean(name, names()).or_else(|| longer(name, names())).or(Some(known))),
        PathStep::Index(_) => {
            Diagnostic::new(&WF0307, span, format!("`{place}` is an object, which has no elements")).help(known)
        }
    };
    diagnostics.push(diagnostic);
}

/// Suggests the member that a name abbreviates.
fn longer(name: &str, mut members: impl Iterator<Item = &'static str>) -> Option<String> {
    let member = members.find(|member| !name.is_empty() && member.starts_with(name))?;
    Some(format!("did you mean `{member}`?"))
}
