//! Diagnostics of shapes.

#[cfg(feature = "jq")]
mod jq;
#[cfg(feature = "asl")]
mod jsonata;
#[cfg(any(feature = "cel", feature = "composer"))]
mod remark;

use super::condition::suppose_that;
use super::env::LocalShapes;
use super::eval::{Eval, Trace};
use super::names::WrittenNames;
use crate::diagnostics::suggest::{listed, nearest};
use crate::diagnostics::{Diagnostic, MAX_ERRORS, Severity};
use crate::escape::shown;
use crate::expr::{Arg, Expr, LocalId, PathStep, ProgramText};
use crate::hir::{Arm, Body, Next, PathRead, Scope, State, StepKind, Workflow};
use crate::model::LocalKind;
use crate::shapes::codes::{WF1901, WF1902, WF1903, WF1951, WF1952, WF1953, WF1954, WF1955, WF1956, WF1957};
use crate::shapes::functions::{FunctionRule, rule};
use crate::shapes::{Access, KindSet, Shape};
use crate::source::Span;
use std::ops::Range;

#[cfg(feature = "jq")]
pub use jq::jq;
#[cfg(feature = "asl")]
pub use jsonata::{field_kind, jsonata, map_input};
#[cfg(any(feature = "cel", feature = "composer"))]
pub use remark::remark;

/// The number of diagnostics after which no more are collected, of an expression and of all, since
/// each is looked up in the notes of all paths.
pub const MOST_DIAGNOSTICS: usize = 10 * MAX_ERRORS;

/// The longest shape in a message, in characters.
const LONGEST_SHAPE: usize = 120;

/// The length of constants, in characters, that are too short to look misspelt.
const SHORT_CONSTANT: usize = 3;

/// The place of an expression.
#[derive(Debug, Clone, Copy)]
pub struct ExprPlace<'w> {
    /// The state.
    pub state: Option<&'w State>,
    /// The span of the step or of the rule.
    pub span: Span,
    /// `true` in an attempt, whose handlers may catch a fault.
    pub is_caught: bool,
    /// `true` in the steps of a catcher, which run only after a fault.
    pub is_catcher: bool,
    /// The certainty that a run evaluates the expression.
    pub certainty: Certainty,
    /// The names that the workflow writes, if names that are read are compared with them.
    pub names: Option<&'w WrittenNames>,
}

/// The certainty that a run evaluates an expression, if no task fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Certainty {
    /// Each run does.
    Always,
    /// Some runs may not come to the step.
    Reached,
    /// Some runs may not come to this part of a condition.
    Tested,
}

impl<'w> ExprPlace<'w> {
    /// Returns the place of an expression of which nothing is reported.
    pub fn unknown(workflow: &'w Workflow) -> ExprPlace<'w> {
        let certainty = Certainty::Reached;
        ExprPlace { state: None, span: workflow.span, is_caught: false, is_catcher: false, certainty, names: None }
    }

    /// Turns an error into a warning where not each run fails.
    pub fn weighed(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let label = match self.certainty {
            _ if diagnostic.severity() != Severity::Error => return diagnostic,
            Certainty::Always => return diagnostic,
            Certainty::Reached => "fails whenever this is reached",
            Certainty::Tested => "fails whenever this is evaluated",
        };
        diagnostic.is_allowed = true;
        diagnostic.label(label)
    }
}

/// Reports a path to a member that cannot exist.
pub fn no_member(workflow: &Workflow, place: &ExprPlace<'_>, path: &Trace) -> Diagnostic {
    let (failed, of) = path.failed.clone().unwrap_or((0, Shape::any()));
    let written = written(workflow, path.base, &path.steps[..failed.min(path.steps.len())]);
    let span = step_span(workflow, place, path, failed);
    let set = of.set();
    let diagnostic = match path.steps.get(failed) {
        Some(PathStep::Key(name)) if set.meets(KindSet::OBJECT) => {
            let object = of.as_object();
            let names: Vec<&str> = object.iter().flat_map(|object| object.names()).collect();
            let message = format!("`{written}` has no member `{}`", shown(name));
            let near = nearest(name, names.iter().copied());
            let diagnostic = Diagnostic::new(&WF1901, span, message).help(members_help(&written, near, &names));
            match near {
                Some(near) if span_is_name(span, name) => diagnostic.fix(span, near),
                _ => diagnostic,
            }
        }
        Some(PathStep::Key(name)) => {
            let message = format!("`{written}` is {} and has no member `{}`", set.name(), shown(name));
            Diagnostic::new(&WF1901, span, message).help(format!("end the path at `{written}`"))
        }
        Some(PathStep::Index(index)) if set.meets(KindSet::ARRAY) => {
            let message = format!("`{written}` has no element {index}");
            let most = of.as_array().and_then(|array| array.most());
            let help = match most {
                Some(0) => "the array is empty".to_owned(),
                Some(1) => "the array has one element, with the index 0".to_owned(),
                Some(most) => format!("the array has {most} elements, with the indexes 0 to {}", most - 1),
                None => "use a smaller index".to_owned(),
            };
            Diagnostic::new(&WF1901, span, message).help(help)
        }
        Some(PathStep::Index(_)) => {
            let message = format!("`{written}` is {} and has no elements", set.name());
            Diagnostic::new(&WF1901, span, message).help(format!("end the path at `{written}`"))
        }
        None => Diagnostic::new(&WF1901, span, format!("`{written}` has no value")),
    };
    with_origin(diagnostic, &format!("`{written}`"), &of)
}

/// Reports a value of a kind that a function or a field never takes.
pub fn wrong_kind(
    workflow: &Workflow,
    place: &ExprPlace<'_>,
    path: Option<&Trace>,
    found: &Shape,
    wanted: KindSet,
) -> Diagnostic {
    let what =
        path.map_or_else(|| "the value".to_owned(), |path| format!("`{}`", written(workflow, path.base, &path.steps)));
    let message = format!("{what} must be {}, found {}", wanted.name(), found.set().name());
    let span = path.map_or(place.span, |path| path_span(workflow, place, path));
    let diagnostic = Diagnostic::new(&WF1902, span, message).help(format!("use a path to {}", wanted.name()));
    with_origin(diagnostic, &what, found)
}

/// Reports a `ResultPath` through a value that is no object.
pub fn cannot_put(workflow: &Workflow, place: &ExprPlace<'_>, steps: &[PathStep], into: &Shape) -> Diagnostic {
    let (mut at, mut value) = (0, into.clone());
    for (number, step) in steps.iter().enumerate() {
        at = number;
        let wanted = if matches!(step, PathStep::Key(_)) { KindSet::OBJECT } else { KindSet::ARRAY };
        let next = Access::present(value.clone()).step(step);
        if !value.set().meets(wanted) || next.shape.is_never() {
            break;
        }
        value = next.shape;
    }
    let [path, before] = [steps, &steps[..at]].map(|steps| written(workflow, Some(workflow.input), steps));
    let message = format!("the result cannot be put at `{path}`: `{before}` is {}", value.set().name());
    let code = if place.is_catcher { &WF1956 } else { &WF1903 };
    let diagnostic = Diagnostic::new(code, place.span, message).help("put the result at a member of an object");
    with_origin(diagnostic, &format!("`{before}`"), &value)
}

/// Reports a path that selects nothing, since the values that it reaches lack a member. `path` has
/// the definite steps at its beginning.
pub fn selects_nothing(
    workflow: &Workflow,
    place: &ExprPlace<'_>,
    path: Option<&Trace>,
    name: &str,
    of: &Shape,
) -> Diagnostic {
    let names: Vec<String> = of.as_object().iter().flat_map(|object| object.names()).map(str::to_owned).collect();
    let message = format!("the path selects nothing: no value before it has a member `{}`", shown(name));
    let near = nearest(name, names.iter().map(String::as_str));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.is_empty() => format!("the values are {}", of.set().name()),
        None => format!("the values have the members {}", listed(names.iter().map(String::as_str))),
    };
    let span_of = |read: &PathRead| read.names.iter().find(|(read, _)| read == name).map(|(_, span)| *span);
    let mut reads = path.into_iter().flat_map(|path| reads(workflow, place, path));
    let span = reads.find_map(span_of);
    let mut diagnostic = Diagnostic::new(&WF1951, span.unwrap_or(place.span), message).help(help);
    if let (Some(span), Some(near)) = (span.filter(|span| span_is_name(*span, name)), near) {
        diagnostic = diagnostic.fix(span, near);
    }
    with_origin(diagnostic, "the value", of)
}

/// Reports a member or an element that is always null, since its value never has it. A member that
/// an object lacks is often intended, and reported only if another name is near.
pub fn always_null(workflow: &Workflow, place: &ExprPlace<'_>, path: &Trace) -> Option<Diagnostic> {
    let (failed, of) = path.failed.as_ref()?;
    let span = step_span(workflow, place, path, *failed);
    let PathStep::Key(name) = path.steps.get(*failed)? else { return None };
    let object = of.as_object();
    let near = object.as_ref().and_then(|object| nearest(name, object.names()));
    let why = match (object.is_some(), near) {
        (true, None) => return None,
        (true, Some(_)) => "has no such member".to_owned(),
        (false, _) if of.set() == KindSet::NULL => return None,
        (false, _) => format!("is {}", of.set().name()),
    };
    let message = format!("the member `{}` is always null: the value {why}", shown(name));
    let diagnostic = Diagnostic::new(&WF1955, span, message);
    let diagnostic = match near {
        Some(near) if span_is_name(span, name) => diagnostic.help(format!("did you mean `{near}`?")).fix(span, near),
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help("remove the last step of the path"),
    };
    Some(with_origin(diagnostic, "the value", of))
}

/// Reports a member that is not known of its object, if it is probably misspelt. `read` returns
/// the span of the name, which takes a search, and the path to the object.
fn similar_member(
    place: &ExprPlace<'_>,
    name: &str,
    of: &Shape,
    read: impl FnOnce() -> (Span, String),
) -> Option<Diagnostic> {
    let object = of.kinds()?.object.as_ref()?;
    let near = place.names?.meant(name, object)?;
    let (span, written) = read();
    let message = format!("`{written}` is not known to have a member `{}`", shown(name));
    let diagnostic = Diagnostic::new(&WF1957, span, message).help(format!("did you mean `{}`?", shown(near)));
    let diagnostic = if span_is_name(span, name) { diagnostic.fix(span, near) } else { diagnostic };
    Some(with_origin(diagnostic, &format!("`{written}`"), of))
}

/// Reports the first member on a path that is not known of its object, if it is probably misspelt.
pub fn similar_on_path(workflow: &Workflow, place: &ExprPlace<'_>, path: &Trace) -> Option<Diagnostic> {
    let (at, of) = path.unlisted.as_ref()?;
    let Some(PathStep::Key(name)) = path.steps.get(*at) else { return None };
    similar_member(place, name, of, || {
        (step_span(workflow, place, path, *at), written(workflow, path.base, &path.steps[..*at]))
    })
}

/// Reports two values that are never equal.
fn never_equal(span: Span, left: &Shape, right: &Shape) -> Option<Diagnostic> {
    let message = format!("the two values are never equal: {} and {}", shortened(left), shortened(right));
    let mut diagnostic = Diagnostic::new(&WF1953, span, message);
    // A literal has no origin, and is more likely the mistake than the data.
    let (data, literal) = match (left.origin(), right.origin()) {
        (None, Some(_)) => (right, left),
        _ => (left, right),
    };
    if let (Some(known), Some(written)) = (data.known_texts(), literal.known_texts()) {
        let near = written.iter().find_map(|text| nearest(text, known.iter().map(|known| &**known)));
        if let ([known], [written]) = (&Vec::from_iter(known)[..], &Vec::from_iter(written)[..])
            && (near.is_none() || !is_misspelt(written, known))
        {
            return None;
        }
        if literal.origin().is_none() {
            diagnostic = diagnostic.maybe_help(near.map(|near| format!("did you mean `{}`?", shown(near))));
        }
    }
    Some(with_origin(diagnostic, "the value", data))
}

/// Returns `true` if a text that is near another one is more likely misspelt than another value.
/// One constant stands for data that is still to come in many examples, and constants that are
/// short or differ in digits are often siblings: sizes, versions, regions.
fn is_misspelt(text: &str, known: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    [text, known].iter().all(|text| text.chars().nth(SHORT_CONSTANT).is_some()) && letters(text) != letters(known)
}

fn members_help(written: &str, near: Option<&str>, names: &[&str]) -> String {
    match (near, names) {
        (Some(near), _) => format!("did you mean `{near}`?"),
        (None, []) => format!("`{written}` is an object without members"),
        (None, names) => format!("`{written}` has the members {}", listed(names.iter().copied())),
    }
}

/// Returns `true` for the test for an error object, which each Task of a composition has.
pub fn is_error_test(condition: &Expr) -> bool {
    matches!(condition, Expr::Call(call) if matches!(rule(call.function.path), FunctionRule::HasMember(_)))
}

/// Narrows the parameters that a test for an error object has tested: they have no other member.
pub fn only_error(condition: &Expr, env: &mut LocalShapes) {
    let Expr::Call(call) = condition else { return };
    if let (FunctionRule::HasMember(name), Some(Arg::Value(Expr::Local(local)))) =
        (rule(call.function.path), call.args.first())
    {
        let error = env.get(*local).member(name).shape;
        env.set(*local, Shape::record([(name, error)]));
    }
}

/// Reports the comparisons of a rule that never hold, or the rule if it never matches.
pub fn conditions(
    workflow: &Workflow,
    condition: &Expr,
    env: &LocalShapes,
    place: &ExprPlace<'_>,
    never_matches: bool,
) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    comparisons(workflow, condition, env, place, &mut found);
    if found.is_empty() && never_matches && !matches!(condition, Expr::Literal(_)) {
        let diagnostic = Diagnostic::new(&WF1952, place.span, "this rule never matches")
            .help("remove the rule, or correct the conditions before it or in it");
        let known = condition.locals().into_iter().find(|local| env.get(*local).origin().is_some());
        found.push(match known {
            Some(local) => {
                let name = written(workflow, Some(local), &[]);
                with_origin(diagnostic, &format!("`{name}`"), &env.get(local))
            }
            None => diagnostic,
        });
    }
    found
}

fn comparisons(
    workflow: &Workflow,
    condition: &Expr,
    env: &LocalShapes,
    place: &ExprPlace<'_>,
    found: &mut Vec<Diagnostic>,
) {
    match condition {
        Expr::And(terms) | Expr::Or(terms) => {
            let holds = matches!(condition, Expr::And(_));
            let mut env = env.clone();
            for (at, term) in terms.iter().enumerate() {
                comparisons(workflow, term, &env, place, found);
                if at + 1 == terms.len() {
                    return;
                }
                match suppose_that(workflow, term, holds, &env) {
                    Some(next) => env = next,
                    None => return,
                }
            }
        }
        Expr::Call(call) => {
            let function = rule(call.function.path);
            if let FunctionRule::Equality = function {
                let operands = Eval::new(workflow, env, *place, false).operands(call);
                let [(left_found, left), (right_found, right)] = &operands[..] else { return };
                // The read of the member reports that it is always null.
                let is_open = |side: &Shape| side.is_never() || side.set() == KindSet::NULL;
                if left.is_distinct(right) && !is_open(left) && !is_open(right) {
                    let path = left_found.path.as_ref().or(right_found.path.as_ref());
                    let span = path.map_or(place.span, |path| path_span(workflow, place, path));
                    found.extend(never_equal(span, left, right));
                }
                return;
            }
            let (FunctionRule::Compare(..) | FunctionRule::IsKind(_) | FunctionRule::IsForm) = function else { return };
            if suppose_that(workflow, condition, true, env).is_some() {
                return;
            }
            let Some(Arg::Value(tested)) = call.args.first() else { return };
            let value = Eval::new(workflow, env, *place, false).find(tested);
            let path = value.path;
            let shape = value.access.shape;
            // That there is no value is reported where it is read. Null stands for data that is
            // still to come.
            if shape.is_never() || shape.set() == KindSet::NULL {
                return;
            }
            let what = path.as_ref().map_or_else(
                || "the value".to_owned(),
                |path| format!("`{}`", written(workflow, path.base, &path.steps)),
            );
            let span = path.as_ref().map_or(place.span, |path| path_span(workflow, place, path));
            let tested = if let FunctionRule::Compare(..) = function { "comparison" } else { "test" };
            let message = format!("the {tested} never holds: {what} is {}", shortened(&shape));
            let mut diagnostic = Diagnostic::new(&WF1953, span, message);
            if let (Some(Arg::Str(text)), Some(known)) = (call.args.get(1), shape.known_texts()) {
                let near = nearest(text, known.iter().map(|known| &**known));
                if let [known] = &Vec::from_iter(known)[..]
                    && (near.is_none() || !is_misspelt(text, known))
                {
                    return;
                }
                let help = near.map(|near| format!("did you mean `StringEquals: \"{}\"`?", shown(near)));
                diagnostic = diagnostic.maybe_help(help);
            } else if let FunctionRule::Compare(kind, _) = function {
                if shape.set().meets(kind) {
                    return;
                }
                diagnostic = diagnostic.help(format!("this operator compares {}", kind.name()));
            } else {
                diagnostic = diagnostic.help(format!("the value is {}", shape.set().name()));
            }
            found.push(with_origin(diagnostic, &what, &shape));
        }
        _ => {}
    }
}

/// Reports the arms after one that always matches. A default that only fails is careful.
pub fn never_reached(arms: &[Arm], otherwise: &Body, scope: &Scope, place: &ExprPlace<'_>) -> Vec<Diagnostic> {
    let Some((always, others)) = arms.split_first() else { return Vec::new() };
    // A condition without data is meant to hold, and a fault at the end is not authored.
    if matches!(always.condition, Expr::Literal(_)) {
        return Vec::new();
    }
    let target = match &otherwise.next {
        Next::Goto(target) => {
            let state = scope.states.iter().find(|state| state.name.value == target.value);
            let fails = state.is_some_and(|state| matches!(state.body.next, Next::Fail { .. } | Next::FailWith(_)));
            (!fails).then_some(target.span)
        }
        _ => None,
    };
    let spans = others.iter().map(|arm| arm.span).chain(target);
    let spans = spans.filter(|span| *span != place.span);
    spans
        .map(|span| {
            Diagnostic::new(&WF1954, span, "this is never reached: a rule before it always matches")
                .related(always.span, "this rule always matches")
                .help("remove what is never reached, or correct the rule")
        })
        .collect()
}

/// Adds the place that a value comes from. `written` is the path to the value, in backticks, or a
/// phrase.
fn with_origin(diagnostic: Diagnostic, written: &str, of: &Shape) -> Diagnostic {
    match of.origin() {
        Some(origin) => {
            let label = format!("{written} is {}: {}", origin.phrase, shortened(of));
            diagnostic.related(origin.span, label)
        }
        None => diagnostic,
    }
}

/// Returns a shape as text, without the end of a long one.
pub fn shortened(shape: &Shape) -> String {
    let text = shape.to_string();
    match text.char_indices().nth(LONGEST_SHAPE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns a path as its author writes it.
pub fn written(workflow: &Workflow, base: Option<LocalId>, steps: &[PathStep]) -> String {
    let mut text = "$".to_owned();
    if let Some(local) = base.map(|base| workflow.local(base)).filter(|local| local.kind == LocalKind::Variable) {
        text.push_str(&local.name);
    }
    for step in steps {
        match step {
            PathStep::Key(name) => text.extend([".", &shown(name).to_string()]),
            PathStep::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// Returns the notes of the paths inside a step that begin with these steps. Paths inside another
/// step of the state come last.
fn reads<'w>(workflow: &'w Workflow, place: &ExprPlace<'_>, path: &Trace) -> Vec<&'w PathRead> {
    let mut inner = Vec::new();
    if let Some(state) = place.state {
        state.body.walk_steps(&mut |step| {
            let is_narrower = place.span.start <= step.span.start
                && step.span.end <= place.span.end
                && step.span != place.span
                && !matches!(step.kind, StepKind::Try(_) | StepKind::Block(_) | StepKind::Deadline(_));
            if is_narrower {
                inner.push(step.span);
            }
        });
    }
    let within =
        |outer: &Span, span: &Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
    let fits = |read: &&PathRead| {
        Some(read.base) == path.base
            && within(&place.span, &read.span)
            && read.steps.len() >= path.steps.len()
            && read.steps.iter().zip(&path.steps).all(|((step, _), own)| step == own)
    };
    let reads = workflow.paths.iter().filter(fits);
    let (others, mut own): (Vec<_>, Vec<_>) = reads.partition(|read| inner.iter().any(|span| within(span, &read.span)));
    own.extend(others);
    own
}

/// Returns the span of a path.
pub fn path_span(workflow: &Workflow, place: &ExprPlace<'_>, path: &Trace) -> Span {
    reads(workflow, place, path).first().map_or(place.span, |read| read.span)
}

/// Returns the span of a step of a path.
pub fn step_span(workflow: &Workflow, place: &ExprPlace<'_>, path: &Trace, at: usize) -> Span {
    let reads = reads(workflow, place, path);
    let Some(read) = reads.first() else { return place.span };
    read.steps.get(at).map_or(read.span, |(_, span)| *span)
}

/// Returns `true` if a span has the length of a name, so that it is written there as it is.
fn span_is_name(span: Span, name: &str) -> bool {
    (span.end - span.start) as usize == name.len()
}

/// Returns the span of a part of a program, or of the whole program.
#[cfg_attr(
    not(any(feature = "asl", feature = "cel", feature = "composer", feature = "jq")),
    expect(dead_code, reason = "without a language there are no programs")
)]
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

#[cfg(test)]
mod tests;
