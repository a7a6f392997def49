//! Diagnostics of values that never fit the schemas that describe them.

use super::flow::StateFlow;
use super::report::{ExprPlace, shortened};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::{listed, nearest};
use crate::escape::shown;
use crate::expr::PathStep;
use crate::hir::OnTimeout;
use crate::model::{InputTemplate, Invoke, ScopeId, Task};
use crate::shapes::codes::{WF1904, WF1905, WF1906};
use crate::shapes::{Misfit, MisfitReason, Shape};
use crate::source::Span;

/// A value that must fit a schema.
pub struct FitTest<'a> {
    /// The value in words: "the input of `ChargeCard`".
    pub what: String,
    /// The template that makes it, if there is one.
    pub template: Option<&'a InputTemplate>,
}

impl StateFlow<'_, '_> {
    /// Checks the input of a task. Returns the shape of its result.
    pub fn task_result(&mut self, invoke: &Invoke, input: &Shape, span: Span) -> Shape {
        let Some(Task { key, shapes, .. }) = self.analysis.workflow.tasks.find(invoke.task) else {
            return Shape::any();
        };
        let what = format!("the input of `{}`", shown(key));
        self.fits(input, shapes.wanted(input), &FitTest { what, template: Some(&invoke.template) }, span);
        // A description that allows no result is wrong: nothing is known then.
        match shapes.output.is_any() || shapes.output.is_never() {
            true => self.analysis.result(invoke),
            false => shapes.output.clone(),
        }
    }

    /// Returns `true` if the output of the scope is that of the workflow.
    pub fn ends_workflow(&self) -> bool {
        match self.analysis.workflow.on_timeout {
            OnTimeout::Continue { scope, .. } if scope == self.scope => true,
            _ => self.scope == ScopeId(0),
        }
    }

    /// Returns the part of the workflow's output that its schema allows.
    pub fn workflow_output(&mut self, output: Shape, span: Span) -> Shape {
        let Some(schema) = &self.analysis.workflow.output_schema else { return output };
        let (wanted, what) = (schema.described(), "the output of the workflow".to_owned());
        self.fits(&output, &wanted, &FitTest { what, template: None }, span);
        wanted.meet(&output)
    }

    /// Reports a value that never fits the shape that it must have.
    fn fits(&mut self, found: &Shape, wanted: &Shape, checked: &FitTest<'_>, span: Span) {
        if self.reports() && !wanted.is_any() {
            self.analysis.spend(found.size() + wanted.size());
            let diagnostics = checked.misfits(&self.place(span), found, wanted);
            self.push(diagnostics);
        }
    }
}

impl FitTest<'_> {
    /// Returns the diagnostics of a value that never fits: an error if each run fails, and
    /// otherwise a warning.
    pub fn misfits(&self, place: &ExprPlace<'_>, found: &Shape, wanted: &Shape) -> Vec<Diagnostic> {
        let mut misfits = found.misfits(wanted);
        let renamed: Vec<Misfit> = misfits.iter().filter_map(renamed_by).collect();
        misfits.retain(|misfit| !renamed.iter().any(|other| other.path == misfit.path && other.is_of(misfit)));
        let diagnostics = misfits.iter().map(|misfit| self.misfit(place, misfit));
        let origins = diagnostics.map(|diagnostic| with_origins(diagnostic, found, wanted));
        // A handler can catch the fault, which then may be what the author wants.
        origins.map(|diagnostic| if place.is_caught { caught(diagnostic) } else { place.weighed(diagnostic) }).collect()
    }

    fn misfit(&self, place: &ExprPlace<'_>, Misfit { path, reason }: &Misfit) -> Diagnostic {
        let whole = self.template.and_then(|template| template.span).unwrap_or(place.span);
        let what = self.part(path);
        match reason {
            MisfitReason::Missing { name, wanted, others } => {
                let message = format!("{what} lacks the member `{}`", shown(name));
                let near = nearest(name, others.iter().map(|other| &**other));
                let span = near.and_then(|near| self.name_span(path, near)).or_else(|| self.span_at(path));
                let diagnostic = Diagnostic::new(&WF1904, span.unwrap_or(whole), message);
                match (near, near.and_then(|near| self.name_span(path, near))) {
                    (Some(near), Some(span)) if is_word(name) => {
                        diagnostic.help(format!("rename `{}` to `{}`", shown(near), shown(name))).fix(span, &**name)
                    }
                    (Some(near), _) => diagnostic.help(format!("rename `{}` to `{}`", shown(near), shown(name))),
                    (None, _) => diagnostic.help(format!("add the member `{}`: {}", shown(name), shortened(wanted))),
                }
            }
            MisfitReason::Excess { name, others } => {
                let message = format!("{what} has the member `{}`, which the schema does not allow", shown(name));
                let span = self.name_span(path, name).or_else(|| self.span_at(path)).unwrap_or(whole);
                let diagnostic = Diagnostic::new(&WF1905, span, message);
                match nearest(name, others.iter().map(|other| &**other)) {
                    Some(near) => {
                        let diagnostic = diagnostic.help(format!("did you mean `{}`?", shown(near)));
                        match self.name_span(path, name) {
                            Some(span) if is_word(near) => diagnostic.fix(span, near),
                            _ => diagnostic,
                        }
                    }
                    None if others.is_empty() => diagnostic.help("remove the member"),
                    None => diagnostic.help(format!(
                        "remove the member, or use one of {}",
                        listed(others.iter().map(|other| &**other))
                    )),
                }
            }
            MisfitReason::Value { found, wanted } => {
                let (of, to) = match found.set().meets(wanted.set()) {
                    true => (shortened(found), shortened(wanted)),
                    false => (found.set().name(), wanted.set().name()),
                };
                let message = format!("{what} must be {to}, found {of}");
                let diagnostic = Diagnostic::new(&WF1906, self.span_at(path).unwrap_or(whole), message);
                diagnostic.help(format!("use a value that the schema allows: {}", shortened(wanted)))
            }
            MisfitReason::Length { found, wanted } => {
                let message = format!("{what} must have {} elements, found {}", number(*wanted), number(*found));
                let diagnostic = Diagnostic::new(&WF1906, self.span_at(path).unwrap_or(whole), message);
                diagnostic.help("use an array that the schema allows")
            }
        }
    }

    /// Returns a part of the value in words.
    fn part(&self, path: &[PathStep]) -> String {
        if path.is_empty() {
            return self.what.clone();
        }
        let mut written = String::new();
        for step in path {
            match step {
                PathStep::Key(name) if written.is_empty() => written.push_str(&shown(name).to_string()),
                PathStep::Key(name) => written.extend([".", &shown(name).to_string()]),
                PathStep::Index(index) => written.push_str(&format!("[{index}]")),
            }
        }
        format!("`{written}` of {}", self.what)
    }

    /// Returns the span of a name at the top of the template.
    fn name_span(&self, path: &[PathStep], name: &str) -> Option<Span> {
        let named = self.template.into_iter().flat_map(|template| &template.names);
        path.is_empty().then(|| named.into_iter().find(|(own, _)| own == name).map(|(_, span)| *span))?
    }

    /// Returns the span of the member of the template that a path leads through.
    fn span_at(&self, path: &[PathStep]) -> Option<Span> {
        let Some(PathStep::Key(name)) = path.first() else { return None };
        self.name_span(&[], name)
    }
}

impl Misfit {
    /// Returns `true` for an excess of the same member.
    fn is_of(&self, other: &Misfit) -> bool {
        match (&self.reason, &other.reason) {
            (MisfitReason::Excess { name, .. }, MisfitReason::Excess { name: own, .. }) => name == own,
            _ => false,
        }
    }
}

/// Returns the excess of a member that has the name of a missing one, but for a mistake. The
/// missing member is reported for both.
fn renamed_by(misfit: &Misfit) -> Option<Misfit> {
    let MisfitReason::Missing { name, others, .. } = &misfit.reason else { return None };
    let near = nearest(name, others.iter().map(|other| &**other))?;
    let reason = MisfitReason::Excess { name: near.into(), others: Vec::new() };
    Some(Misfit { path: misfit.path.clone(), reason })
}

/// Adds the places of the schema and of the value.
fn with_origins(mut diagnostic: Diagnostic, found: &Shape, wanted: &Shape) -> Diagnostic {
    if let Some(origin) = wanted.origin() {
        diagnostic = diagnostic.related(origin.span, format!("this is {}", origin.phrase));
    }
    match found.origin() {
        Some(origin) => {
            let label = format!("the value is {}: {}", origin.phrase, shortened(found));
            diagnostic.related(origin.span, label)
        }
        None => diagnostic,
    }
}

/// Returns `true` for a name that every syntax has without quotes and escapes.
fn is_word(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Turns an error into a warning, since a handler can catch the fault.
fn caught(mut diagnostic: Diagnostic) -> Diagnostic {
    diagnostic.is_allowed = true;
    diagnostic
}

/// Returns a number of elements in words.
fn number((least, most): (usize, Option<usize>)) -> String {
    match most {
        Some(most) if most == least => most.to_string(),
        Some(most) => format!("{least} to {most}"),
        None => format!("at least {least}"),
    }
}
