//! The shapes of expressions.

#[cfg(feature = "cel")]
mod cel;
#[cfg(feature = "jq")]
mod jq;
#[cfg(feature = "asl")]
mod jsonata;
mod nullable;

use super::condition::{suppose, suppose_that};
use super::env::LocalShapes;
use super::fits::FitTest;
use super::path_checks::{self, CheckPlace};
use super::report::{self, Certainty, ExprPlace, MOST_DIAGNOSTICS};
use crate::diagnostics::Diagnostic;
#[cfg(any(feature = "asl", feature = "cel", feature = "jq"))]
use crate::expr::Program;
use crate::expr::{Apply, Arg, Call, Expr, LocalId, Path, PathStep, Segment, Selector};
use crate::hir::Workflow;
use crate::model::LocalKind;
use crate::shapes::codes::{WF1901, WF1951};
use crate::shapes::functions::{FunctionRule, rule};
#[cfg(any(feature = "cel", feature = "composer"))]
use crate::shapes::remark::Remark;
use crate::shapes::{Access, KindSet, PathCheck, PathCount, RustRead, Shape};
use std::sync::LazyLock;

/// The evaluation of an expression on shapes.
pub struct Eval<'w, 'e> {
    workflow: &'w Workflow,
    env: &'e LocalShapes,
    place: ExprPlace<'w>,
    /// The diagnostics, if they are wanted.
    found: Option<Vec<Diagnostic>>,
    /// The work of programs, beside what their texts cost.
    pub work: usize,
    /// The number of paths.
    pub paths: PathCount,
    /// The paths into values of the program's types, if diagnostics are wanted.
    pub checks: Vec<PathCheck>,
    /// The reads of values of the program's types, if diagnostics are wanted.
    pub reads: Vec<RustRead>,
}

/// The value that an expression finds, and the path to it.
pub struct Found {
    /// The value.
    pub access: Access,
    /// The path.
    pub path: Option<Trace>,
}

/// A path through a value.
#[derive(Debug, Clone)]
pub struct Trace {
    /// The local where the path starts.
    pub base: Option<LocalId>,
    /// Its steps.
    pub steps: Vec<PathStep>,
    /// The first step that never finds a value, with the value that it is applied to.
    pub failed: Option<(usize, Shape)>,
    /// The first of the last steps that only rustc can check.
    pub checked: Option<usize>,
    /// The first step to a member that its object is not known to have, with the object.
    pub unlisted: Option<(usize, Shape)>,
}

impl Trace {
    /// Creates a path that begins at a local, if it begins at one.
    fn from_base(base: Option<LocalId>) -> Trace {
        Trace { base, steps: Vec::new(), failed: None, checked: None, unlisted: None }
    }
}

impl Found {
    fn present(shape: Shape) -> Found {
        Found { access: Access::present(shape), path: None }
    }

    fn unknown() -> Found {
        Found { access: Access::unknown(), path: None }
    }
}

impl<'w, 'e> Eval<'w, 'e> {
    /// Creates an evaluation with these locals.
    pub fn new(workflow: &'w Workflow, env: &'e LocalShapes, place: ExprPlace<'w>, reports: bool) -> Eval<'w, 'e> {
        let (paths, checks, reads) = (PathCount::default(), Vec::new(), Vec::new());
        Eval { workflow, env, place, found: reports.then(Vec::new), work: 0, paths, checks, reads }
    }

    /// Returns the diagnostics.
    pub fn finish(self) -> Vec<Diagnostic> {
        self.found.unwrap_or_default()
    }

    fn report(&mut self, diagnostic: impl FnOnce(&Workflow, &ExprPlace<'w>) -> Diagnostic) {
        if let Some(found) = &mut self.found
            && found.len() < MOST_DIAGNOSTICS
        {
            found.push(self.place.weighed(diagnostic(self.workflow, &self.place)));
        }
    }

    /// Notes a path into a value of a type of the program, if each run that comes to the
    /// expression fails without a value at the path.
    fn check_path(&mut self, shape: &Shape, checked: impl FnOnce(&Workflow, &ExprPlace<'w>) -> CheckPlace) {
        if self.found.is_some()
            && !self.place.is_caught
            && self.place.certainty != Certainty::Tested
            && let Some(place) = shape.rust()
        {
            let checked = checked(self.workflow, &self.place);
            if checked.code == &WF1901 && self.place.certainty == Certainty::Always {
                self.reads.extend(shape.rust_read(true, KindSet::ALL));
            }
            self.checks.extend(path_checks::path_check(place, shape.origin(), checked));
        }
    }

    /// Notes a read of a value of a type of the program, which need not be there.
    fn note_read(&mut self, shape: &Shape, kinds: KindSet) {
        if self.found.is_some() {
            self.reads.extend(shape.rust_read(false, kinds));
        }
    }

    /// Returns the shape of an expression's value: [`Shape::never`] if it fails in every run.
    pub fn value(&mut self, expr: &Expr) -> Shape {
        let found = self.find(expr);
        match found.access.may_be_absent {
            // An absent value becomes null or no member, as the language has it.
            true => Shape::any(),
            false => found.access.shape,
        }
    }

    /// Returns what an expression finds.
    pub fn find(&mut self, expr: &Expr) -> Found {
        match expr {
            Expr::Literal(literal) => Found::present(Shape::from(literal)),
            Expr::Local(local) => Found { access: self.local(*local), path: Some(Trace::from_base(Some(*local))) },
            Expr::Current | Expr::Context => Found::present(Shape::any()),
            Expr::Find(path) => self.path(path),
            Expr::Select(path) => Found { access: self.select(path), path: None },
            Expr::Object(members) => {
                let mut shapes = Vec::with_capacity(members.len());
                for (name, member) in members {
                    shapes.push((name.as_str(), self.value(member)));
                }
                Found::present(Shape::record(shapes))
            }
            Expr::Array(items) => Found::present(Shape::tuple(items.iter().map(|item| self.value(item)).collect())),
            Expr::Call(call) => self.call(call),
            Expr::Apply(apply) => self.apply(apply),
            Expr::And(terms) | Expr::Or(terms) => self.logic(terms, matches!(expr, Expr::And(_))),
            Expr::Not(inner) => match self.value(inner).is_never() {
                true => Found::present(Shape::never()),
                false => Found::present(Shape::boolean()),
            },
            Expr::If(choice) => {
                if self.value(&choice.test).is_never() {
                    return Found::present(Shape::never());
                }
                let outcomes = suppose(self.workflow, &choice.test, self.env);
                let branches = [(&choice.then, outcomes.holds), (&choice.otherwise, outcomes.fails)];
                let (workflow, place, work) = (self.workflow, self.place, &mut self.work);
                let values = branches.into_iter().filter_map(|(branch, env)| {
                    // A branch may never be evaluated, so that nothing is reported of it.
                    let env = env?;
                    let mut eval = Eval::new(workflow, &env, place, false);
                    let access = eval.find(branch).access;
                    *work = work.saturating_add(eval.work);
                    Some(access)
                });
                let access = values.reduce(|all, one| all.join(&one)).unwrap_or_else(Access::unknown);
                Found { access, path: None }
            }
        }
    }

    /// Evaluates a program in another language.
    fn apply(&mut self, apply: &Apply) -> Found {
        match *apply.program {
            #[cfg(feature = "cel")]
            Program::Cel(ref condition) => self.cel(apply, condition),
            #[cfg(feature = "jq")]
            Program::Jq(ref filter) => self.jq(apply, filter),
            #[cfg(feature = "asl")]
            Program::Jsonata(ref expression) => self.jsonata(apply, expression),
        }
    }

    /// Reports the remarks on the text of a program.
    #[cfg(any(feature = "cel", feature = "composer"))]
    pub fn remarks(&mut self, source: &str, remarks: &[Remark]) {
        let certainty = self.place.certainty;
        for remark in remarks {
            self.place.certainty = match remark.is_certain {
                true => certainty,
                false => Certainty::Tested,
            };
            self.report_if(|workflow, place| report::remark(workflow, place, source, remark));
        }
        self.place.certainty = certainty;
    }

    /// Reports a value that never fits the shape that it must have.
    fn fits(&mut self, found: &Shape, wanted: &Shape, checked: &FitTest<'_>) {
        if let Some(list) = &mut self.found
            && list.len() < MOST_DIAGNOSTICS
        {
            list.extend(checked.misfits(&self.place, found, wanted));
        }
    }

    fn report_if(&mut self, diagnostic: impl FnOnce(&Workflow, &ExprPlace<'w>) -> Option<Diagnostic>) {
        if let Some(found) = &mut self.found
            && found.len() < MOST_DIAGNOSTICS
        {
            let diagnostic = diagnostic(self.workflow, &self.place);
            found.extend(diagnostic.map(|diagnostic| self.place.weighed(diagnostic)));
        }
    }

    /// Evaluates the terms of a condition, each with what the terms before it have shown.
    fn logic(&mut self, terms: &[Expr], holds: bool) -> Found {
        let mut env = self.env.clone();
        for (at, term) in terms.iter().enumerate() {
            let (workflow, mut place, found) = (self.workflow, self.place, self.found.take());
            let (work, paths) = (self.work, self.paths);
            let (checks, reads) = (std::mem::take(&mut self.checks), std::mem::take(&mut self.reads));
            if at > 0 {
                place.certainty = Certainty::Tested;
            }
            let mut inner = Eval { workflow, env: &env, place, found, work, paths, checks, reads };
            let shape = inner.value(term);
            (self.found, self.work, self.paths) = (inner.found, inner.work, inner.paths);
            (self.checks, self.reads) = (inner.checks, inner.reads);
            if shape.is_never() {
                // A later term may never be evaluated.
                return Found::present(if at == 0 { shape } else { Shape::boolean() });
            }
            if at + 1 == terms.len() {
                break;
            }
            match suppose_that(self.workflow, term, holds, &env) {
                Some(next) => env = next,
                None => break,
            }
        }
        Found::present(Shape::boolean())
    }

    fn local(&self, local: LocalId) -> Access {
        match self.workflow.local(local).kind {
            LocalKind::Fault => Access::present(ERROR_OUTPUT.clone()),
            LocalKind::Variable if !self.env.has(local) => Access::unknown(),
            LocalKind::Value | LocalKind::Variable => Access::present(self.env.get(local)),
            LocalKind::Retries | LocalKind::BlockRetries => Access::present(Shape::any()),
        }
    }

    fn path(&mut self, path: &Path) -> Found {
        let mut found = self.root(&path.base);
        for segment in &path.segments {
            found = match (&segment.selectors[..], segment.descend) {
                ([Selector::Name(name)], false) => advance(found, PathStep::Key(name.clone()), false),
                ([Selector::NameThroughSingleton(name)], false) => advance(found, PathStep::Key(name.clone()), true),
                ([Selector::Index(index)], false) => advance(found, PathStep::Index(*index), false),
                _ => {
                    self.similar(&found);
                    return Found::unknown();
                }
            };
        }
        self.similar(&found);
        self.note_read(&found.access.shape, KindSet::ALL);
        found
    }

    /// Reports a member that is probably misspelt.
    fn similar(&mut self, found: &Found) {
        if let Some(path) = found.path.as_ref().filter(|path| path.unlisted.is_some()) {
            self.report_if(|workflow, place| report::similar_on_path(workflow, place, path));
        }
    }

    /// Returns the value at which a path begins.
    fn root(&mut self, base: &Expr) -> Found {
        let found = self.find(base);
        if let Expr::Local(local) = base {
            self.paths.note(!found.access.shape.is_unknown(), self.env.reason(*local));
        }
        found
    }

    /// Returns the array of what a path selects.
    fn select(&mut self, path: &Path) -> Access {
        let base = self.root(&path.base);
        if base.access.shape.is_never() {
            return base.access;
        }
        let trace = base.path.map(|mut trace| {
            trace.steps.extend(path.segments.iter().map_while(definite_step));
            trace
        });
        let mut reached = base.access.shape;
        let mut missing = None;
        let mut selection = path_checks::SelectionTrace::of(self.workflow, trace.as_ref());
        for segment in &path.segments {
            let next = self.segment(segment, &reached);
            selection.follow(segment, &reached, &next);
            if let ([Selector::Name(name)], true, false) = (&segment.selectors[..], next.is_never(), reached.is_never())
                && !segment.descend
            {
                missing = Some((name.clone(), reached));
                reached = next;
                break;
            }
            reached = next;
        }
        if let Some((name, of)) = missing {
            self.report(|workflow, place| report::selects_nothing(workflow, place, trace.as_ref(), &name, &of));
        }
        self.note_read(&reached, KindSet::ALL);
        if let Some((base, steps)) = selection.checked() {
            self.check_path(&reached, |workflow, place| {
                let span = trace.as_ref().map_or(place.span, |trace| report::path_span(workflow, place, trace));
                CheckPlace { code: &WF1951, span, base, steps }
            });
        }
        Access { shape: Shape::list(reached), may_be_absent: path.strict || base.access.may_be_absent }
    }

    /// Returns the union of the values that a segment selects from a value.
    fn segment(&mut self, segment: &Segment, from: &Shape) -> Shape {
        if segment.descend || from.is_unknown() {
            return Shape::any();
        }
        let selected = segment.selectors.iter().map(|selector| match selector {
            Selector::Name(name) => from.member(name).shape,
            Selector::NameThroughSingleton(_) => Shape::any(),
            Selector::Index(index) => from.element(*index).shape,
            Selector::Slice { .. } => from.elements(),
            Selector::Wildcard | Selector::Filter(_) => from.children(),
            Selector::JaywayFilter(_) => from.elements().join(&from.only(KindSet::OBJECT)),
        });
        let selected: Vec<Shape> = selected.collect();
        Shape::union(&selected)
    }

    fn call(&mut self, call: &Call) -> Found {
        match rule(call.function.path) {
            FunctionRule::Unknown => {
                let mut fails = false;
                for arg in &call.args {
                    match arg {
                        Arg::Value(inner) | Arg::Owned(inner) => fails |= self.value(inner).is_never(),
                        Arg::Maybe(inner) => _ = self.find(inner),
                        Arg::List(items) => items.iter().for_each(|item| fails |= self.value(item).is_never()),
                        _ => {}
                    }
                }
                match (fails, call.function.returns) {
                    (true, _) => Found::present(Shape::never()),
                    (false, crate::expr::Type::Bool) => Found::present(Shape::boolean()),
                    (false, _) => Found::unknown(),
                }
            }
            FunctionRule::Path => {
                let found = self.selection(call);
                self.required(found)
            }
            FunctionRule::Selection => self.selection(call),
            FunctionRule::Required => {
                let found = self.argument(call, 0);
                self.required(found)
            }
            FunctionRule::Selected => self.argument(call, 0),
            FunctionRule::Checked(kinds) => {
                let found = self.argument(call, 0);
                let found = self.required(found);
                self.of_kind(found, kinds)
            }
            #[cfg(feature = "asl")]
            FunctionRule::MapInput(kinds) => self.map_input(call, kinds),
            FunctionRule::Schema => {
                let found = self.argument(call, 0);
                let Some(Arg::Schema(schema)) = call.args.get(1) else { return found };
                let described = schema.described();
                if found.access.may_be_absent {
                    return Found::present(described);
                }
                let what = match call.args.get(2) {
                    Some(Arg::Str(what)) => what.to_string(),
                    _ => "the value".to_owned(),
                };
                self.fits(&found.access.shape, &described, &FitTest { what, template: None });
                Found::present(described.meet(&found.access.shape))
            }
            FunctionRule::Put => Found::present(self.put(call)),
            FunctionRule::IsPresent | FunctionRule::HasMember(_) | FunctionRule::IsTrue => {
                self.argument(call, 0);
                Found::present(Shape::boolean())
            }
            FunctionRule::IsKind(_) | FunctionRule::IsForm | FunctionRule::Compare(..) => {
                let values = call.args.iter().filter_map(|arg| match arg {
                    Arg::Value(inner) => Some(inner),
                    _ => None,
                });
                let compared = match rule(call.function.path) {
                    FunctionRule::Compare(kind, _) => kind,
                    _ => KindSet::ALL,
                };
                let fails = values.fold(false, |fails, value| {
                    let value = self.value(value);
                    self.note_read(&value, compared);
                    fails | value.is_never()
                });
                Found::present(if fails { Shape::never() } else { Shape::boolean() })
            }
            FunctionRule::Call(kinds, result) => self.function(call, kinds, result),
            FunctionRule::Equality => self.nullable(call, nullable::equality),
            FunctionRule::Nullable(effect) => self.nullable(call, effect),
        }
    }

    fn function(&mut self, call: &Call, kinds: &[KindSet], result: fn(&[Shape]) -> Shape) -> Found {
        let mut shapes = Vec::with_capacity(call.args.len());
        let mut fails = false;
        for (at, arg) in call.args.iter().enumerate() {
            match arg {
                Arg::Value(inner) | Arg::Owned(inner) | Arg::Maybe(inner) => {
                    let mut found = self.find(inner);
                    // The parser has checked constants.
                    let is_constant = matches!(inner, Expr::Literal(_));
                    if let Some(kinds) = kinds.get(at).filter(|_| !found.access.may_be_absent && !is_constant) {
                        found = self.of_kind(found, *kinds);
                    }
                    fails |= found.access.shape.is_never() && !found.access.may_be_absent;
                    shapes.push(if found.access.may_be_absent { Shape::any() } else { found.access.shape });
                }
                Arg::List(items) => items.iter().for_each(|item| fails |= self.value(item).is_never()),
                _ => {}
            }
        }
        Found::present(if fails { Shape::never() } else { result(&shapes) })
    }

    fn argument(&mut self, call: &Call, at: usize) -> Found {
        match call.args.get(at) {
            Some(Arg::Value(inner) | Arg::Owned(inner) | Arg::Maybe(inner)) => self.find(inner),
            _ => Found::unknown(),
        }
    }

    /// Returns what the path of the second argument finds in the first.
    fn selection(&mut self, call: &Call) -> Found {
        let steps = steps_of(call);
        let base = match call.args.first() {
            Some(Arg::Value(base) | Arg::Owned(base) | Arg::Maybe(base)) if !steps.is_empty() => self.root(base),
            _ => self.argument(call, 0),
        };
        let found = follow(base, &steps);
        self.similar(&found);
        self.note_read(&found.access.shape, KindSet::ALL);
        found
    }

    /// Reports a value that is never there. Returns the value where it is.
    fn required(&mut self, found: Found) -> Found {
        if found.access.is_absent()
            && let Some(path) = &found.path
        {
            self.report(|workflow, place| report::no_member(workflow, place, path));
        }
        if found.access.may_be_absent
            && let Some(path) = &found.path
            && let Some(at) = path.checked
        {
            self.check_path(&found.access.shape, |workflow, place| CheckPlace {
                code: &WF1901,
                span: report::step_span(workflow, place, path, at),
                base: report::written(workflow, path.base, &path.steps[..at]),
                steps: path.steps.len() - at,
            });
        }
        Found { access: Access::present(found.access.shape), path: found.path }
    }

    /// Reports a value that is never of some kinds. Returns the values that are.
    fn of_kind(&mut self, found: Found, kinds: KindSet) -> Found {
        self.note_read(&found.access.shape, kinds);
        let shape = found.access.shape.only(kinds);
        if shape.is_never() && !found.access.shape.is_never() {
            let (path, actual) = (found.path.clone(), found.access.shape);
            // A function of another function's result is no mistake in the data.
            let certainty = self.place.certainty;
            if path.is_none() && certainty == Certainty::Always {
                self.place.certainty = Certainty::Reached;
            }
            self.report(|workflow, place| report::wrong_kind(workflow, place, path.as_ref(), &actual, kinds));
            self.place.certainty = certainty;
        }
        Found { access: Access::present(shape), path: found.path }
    }

    fn put(&mut self, call: &Call) -> Shape {
        let Some(Arg::Edit(document)) = call.args.first() else { return Shape::any() };
        let value = match call.args.get(2) {
            Some(Arg::Owned(inner) | Arg::Value(inner)) => self.value(inner),
            _ => Shape::any(),
        };
        if value.is_never() {
            return value;
        }
        let before = self.env.get(*document);
        let steps = steps_of(call);
        before.put(&steps, &value).unwrap_or_else(|| {
            if !self.place.is_caught {
                self.report(|workflow, place| report::cannot_put(workflow, place, &steps, &before));
            }
            Shape::never()
        })
    }
}

/// Returns the steps of a call's second argument.
pub fn steps_of(call: &Call) -> Vec<PathStep> {
    match call.args.get(1) {
        Some(Arg::Strs(names)) => names.iter().map(|name| PathStep::Key(name.clone())).collect(),
        Some(Arg::Steps(steps)) => steps.clone(),
        _ => Vec::new(),
    }
}

/// Follows steps from a value.
pub fn follow(from: Found, steps: &[PathStep]) -> Found {
    steps.iter().fold(from, |found, step| advance(found, step.clone(), false))
}

/// Follows a step from a value. `through` states that a name is looked up in the only element of
/// an array, too.
fn advance(from: Found, step: PathStep, through: bool) -> Found {
    let mut path = from.path.unwrap_or_else(|| Trace::from_base(None));
    let access = match &step {
        PathStep::Key(name) if through => from.access.member_through_singletons(name),
        step => from.access.step(step),
    };
    // A step that finds a value in every run is not checked, nor are those before it.
    let name = if let PathStep::Key(name) = &step { Some(&**name) } else { None };
    let is_checked = access.shape.ends_in(name) && Access::present(from.access.shape.clone()).step(&step).may_be_absent;
    path.checked = is_checked.then(|| path.checked.unwrap_or(path.steps.len()));
    if let (None, Some(name), Some(kinds)) = (&path.unlisted, name, from.access.shape.kinds())
        && kinds.object.as_ref().is_some_and(|object| !object.is_closed() && !object.fields.contains_key(name))
    {
        path.unlisted = Some((path.steps.len(), from.access.shape.clone()));
    }
    if access.is_absent() && !from.access.is_absent() && path.failed.is_none() {
        path.failed = Some((path.steps.len(), from.access.shape));
    }
    path.steps.push(step);
    Found { access, path: Some(path) }
}

/// The shape of the error output of a caught fault.
static ERROR_OUTPUT: LazyLock<Shape> = LazyLock::new(|| {
    let text = || Shape::string().join(&Shape::null());
    Shape::record([("Error", text()), ("Cause", text())])
});

/// Returns the step of a segment that selects at most one value.
fn definite_step(segment: &Segment) -> Option<PathStep> {
    match &segment.selectors[..] {
        [Selector::Name(name)] if !segment.descend => Some(PathStep::Key(name.clone())),
        [Selector::Index(index)] if !segment.descend => Some(PathStep::Index(*index)),
        _ => None,
    }
}

/// Returns the shape of an expression whose locals have these shapes.
#[cfg(all(test, feature = "serverless-workflow"))]
pub fn shape_of(expr: &Expr, locals: &[Shape]) -> Shape {
    use crate::source::{FileId, Span};
    let span = Span::new(FileId(0), 0, 0);
    let mut workflow = Workflow::new("flow", "a dialect", "data", span);
    let mut env = LocalShapes::default();
    for (at, shape) in locals.iter().enumerate() {
        let local = if at == 0 { workflow.input } else { workflow.add_local("local", LocalKind::Value, span) };
        env.set(local, shape.clone());
    }
    Eval::new(&workflow, &env, ExprPlace::unknown(&workflow), false).value(expr)
}
