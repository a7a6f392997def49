//! The form of the context object, `$$` (ASL §The Context Object, and what AWS adds).

use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialects::asl::codes::{WF0307, WF0355};
use crate::expr::PathStep;
use crate::source::Span;
use crate::syntax::shown;

/// The place of a path in the definition. Some members of the context object exist at some places
/// only.
#[derive(Debug, Clone, Copy)]
pub struct ExpressionPlace {
    /// The Map state whose items the path can read.
    pub iteration: Iteration,
    /// The state that the path belongs to.
    pub state: Owner,
}

/// The Map state whose items a path can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Iteration {
    /// None: the path is not in a Map state, or in an execution of a distributed one.
    None,
    /// An inline Map: the path is in its `ItemSelector` or in its item processor.
    Inline,
    /// A distributed Map: the path is in its `ItemSelector`.
    Selector,
}

/// The state that a path belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// A Task state. `has_token` is `true` if its outcome arrives by token, or may: the `Resource`
    /// has a placeholder.
    Task { has_token: bool },
    /// Another state that can have retriers: Parallel or Map.
    Retried,
    /// A state of any other type.
    Other,
}

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
            ("RedriveTime", Form::Missing("the context object has no redrive time")),
        ]),
    ),
    ("State", Form::Object(&[("EnteredTime", Form::Scalar), ("Name", Form::Scalar), ("RetryCount", Form::Scalar)])),
    ("StateMachine", Form::Object(&[("Id", Form::Scalar), ("Name", Form::Scalar)])),
    ("Task", Form::Object(&[("Token", Form::Scalar)])),
    ("Map", Form::Object(&[("Item", Form::Object(ITEM))])),
]);

const ITEM: &[(&str, Form)] =
    &[("Index", Form::Scalar), ("Value", Form::Data), ("Key", Form::Scalar), ("Source", Form::Scalar)];

/// Returns the reason for which the context object lacks a member at a place.
fn absence(member: &str, form: &Form, place: ExpressionPlace) -> Option<&'static str> {
    match (member, form) {
        (_, Form::Missing(why)) => Some(why),
        ("$$.Map", _) if place.iteration == Iteration::None => {
            Some("only the `ItemSelector` of a Map state and the states of an inline `ItemProcessor` have it")
        }
        ("$$.Map.Item.Key" | "$$.Map.Item.Source", _) if place.iteration != Iteration::Selector => {
            Some("only the `ItemSelector` of a distributed Map has it")
        }
        ("$$.Task", _) if !matches!(place.state, Owner::Task { has_token: true }) => {
            Some("only tasks whose `Resource` ends in `.waitForTaskToken` or `.sync` have it")
        }
        ("$$.State.RetryCount", _) if place.state == Owner::Other => Some("only Task, Parallel and Map states have it"),
        _ => None,
    }
}

/// Reports the first step that selects a member that the context object does not have at this
/// place. The path starts at `$$`.
pub fn check(steps: &[(PathStep, Span)], here: ExpressionPlace, diagnostics: &mut Diagnostics) {
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
            let members =
                members.iter().filter(|(name, form)| absence(&format!("{place}.{name}"), form, here).is_none());
            let names: Vec<&str> = members.map(|(name, _)| *name).collect();
            return report_unknown(step, *span, &place, &names, diagnostics);
        };
        place = format!("{place}.{name}");
        form = inner;
        if let Some(why) = absence(&place, form, here) {
            // A published definition of AWS has a token in a task that does not wait for one.
            let is_task = place == "$$.Task" && matches!(here.state, Owner::Task { .. });
            let code = if is_task { &WF0355 } else { &WF0307 };
            let here = if matches!(form, Form::Missing(_)) { "" } else { " here" };
            let message = format!("`{place}` is not available{here}");
            diagnostics.push(Diagnostic::new(code, *span, message).help(why));
            return;
        }
    }
}

/// Reports a step to a member that is not among `members`.
fn report_unknown(step: &PathStep, span: Span, place: &str, members: &[&str], diagnostics: &mut Diagnostics) {
    let listed = members.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>();
    let known = match &listed[..] {
        [only] => format!("its only member is {only}"),
        [others @ .., last] => format!("its members are {} and {last}", others.join(", ")),
        [] => String::new(),
    };
    let diagnostic = match step {
        PathStep::Key(name) => Diagnostic::new(&WF0307, span, format!("`{place}` has no member `{}`", shown(name)))
            .maybe_help(did_you_mean(name, members.iter().copied()).or_else(|| longer(name, members)).or(Some(known))),
        PathStep::Index(_) => {
            Diagnostic::new(&WF0307, span, format!("`{place}` is an object and cannot be indexed by a number"))
                .help(known)
        }
    };
    diagnostics.push(diagnostic);
}

/// Suggests the member that a name abbreviates.
fn longer(name: &str, members: &[&str]) -> Option<String> {
    let member = members.iter().find(|member| !name.is_empty() && member.starts_with(name))?;
    Some(format!("did you mean `{member}`?"))
}
