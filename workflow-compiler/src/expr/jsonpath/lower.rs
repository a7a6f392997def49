//! Lowering of [`Query`] to [`Expr`].

use super::ast::{
    Comparison, ComparisonForm, Condition, Operand, PathMethod, Query, QueryRoot, RegexOperator, RegexTest, Segment,
    Selector, ValueFunction,
};
use super::functions;
use super::{JsonPath, Mode, Roots};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::expressions::WF0304;
use crate::expr::error::ExprError;
use crate::expr::jsonpath::codes::WF0305;
use crate::expr::pattern;
use crate::expr::{self, Arg, Expr, Function, Literal, Path, PathStep};
use crate::syntax::Text;
use std::ops::Range;

/// Lowers a whole path.
pub(super) fn lower(
    query: &Query,
    text: &Text,
    mode: Mode,
    roots: &dyn Roots,
    diagnostics: &mut Diagnostics,
) -> Option<JsonPath> {
    if query.root == QueryRoot::Context {
        let steps = definite_steps(query).map(|(step, at)| (step, text.span_of(at.start, at.end)));
        roots.check_context(&steps.collect::<Vec<_>>(), diagnostics);
    }
    let mut lowering = Lowering { text, mode, roots, diagnostics, outer: None };
    let base = lowering.root(&query.root, query.at.clone())?;
    lowering.outer = Some(base.clone());
    let expr = lowering.query_from(base.clone(), query, mode.is_strict())?;
    let definite = query.segments.iter().take_while(|segment| segment.is_definite());
    let whole = definite.clone().count() == query.segments.len();
    let steps = (whole || is_maybe(&expr)).then(|| definite.filter_map(step).collect());
    let root = match &query.root {
        QueryRoot::Document | QueryRoot::Current => super::Root::Document,
        QueryRoot::Context => super::Root::Context,
        QueryRoot::Variable { name, .. } => super::Root::Variable(name.clone()),
    };
    let span = text.span_of(query.at.start, query.at.end);
    let behind_dot = |at: Range<usize>| {
        let dot = usize::from(text.value[at.clone()].starts_with('.'));
        text.span_of(at.start + dot, at.end)
    };
    let steps_noted: Vec<_> = definite_steps(query).map(|(step, at)| (step, behind_dot(at))).collect();
    let names = query.segments.iter().skip(steps_noted.len()).filter_map(|segment| match step(segment)? {
        PathStep::Key(name) => Some((name, behind_dot(segment.at.clone()))),
        PathStep::Index(_) => None,
    });
    roots.note_path(&base, steps_noted, names.collect(), span);
    Some(JsonPath { text: text.value[query.at.clone()].to_owned(), span, root, base, expr, steps })
}

/// Returns the definite steps at the beginning of a path, with their places in the text.
fn definite_steps(query: &Query) -> impl Iterator<Item = (PathStep, Range<usize>)> {
    let definite = query.segments.iter().take_while(|segment| segment.is_definite());
    definite.filter_map(|segment| Some((step(segment)?, segment.at.clone())))
}

fn is_maybe(expr: &Expr) -> bool {
    matches!(expr.ty(), expr::Type::Maybe | expr::Type::MaybeValue)
}

/// Returns the step of a definite segment.
pub(super) fn step(segment: &Segment) -> Option<PathStep> {
    match &segment.selectors[..] {
        [Selector::Name(name)] => Some(PathStep::Key(name.clone())),
        [Selector::Index(index)] => Some(PathStep::Index(*index)),
        _ => None,
    }
}

struct Lowering<'a> {
    text: &'a Text,
    mode: Mode,
    roots: &'a dyn Roots,
    diagnostics: &'a mut Diagnostics,
    /// The base of the outermost path, which `$` in its filters refers to.
    outer: Option<Expr>,
}

impl Lowering<'_> {
    fn root(&mut self, root: &QueryRoot, at: Range<usize>) -> Option<Expr> {
        match root {
            QueryRoot::Document => match &self.outer {
                None => Some(self.roots.document()),
                Some(outer) if !outer.can_fail() => Some(outer.clone()),
                Some(_) => {
                    // A condition of a filter must be infallible, but reading a variable can fail.
                    let error = ExprError::new(&WF0305, at, "`$` is not supported in a filter of a variable path");
                    self.diagnostics.push(error.help("start this path with `@`").in_text(self.text));
                    None
                }
            },
            QueryRoot::Context => Some(self.roots.context()),
            QueryRoot::Current => Some(Expr::Current),
            QueryRoot::Variable { name, at } => {
                // The span of a variable includes its `$`.
                let span = self.text.span_of(at.start - 1, at.end);
                self.roots.variable(name, span, self.diagnostics)
            }
        }
    }

    fn query(&mut self, query: &Query) -> Option<Expr> {
        let base = self.root(&query.root, query.at.clone())?;
        self.query_from(base, query, false)
    }

    /// Lowers a path from `base`. `strict` requests a strict path ([`Path::strict`]). Paths in
    /// filters are not strict.
    fn query_from(&mut self, base: Expr, query: &Query, strict: bool) -> Option<Expr> {
        if let Some(picked) = self.picked_members(&base, query, strict)? {
            return Some(picked);
        }
        let value = self.path(base, &query.segments, strict)?;
        Some(match query.method {
            Some(PathMethod::Length) => Expr::call(&functions::JAYWAY_LENGTH, vec![Arg::Maybe(value)]),
            None => value,
        })
    }

    /// Lowers Jayway's `['a','b']` at the end of a path.
    fn picked_members(&mut self, base: &Expr, query: &Query, strict: bool) -> Option<Option<Expr>> {
        let Some((last, before)) = query.segments.split_last() else { return Some(None) };
        let names: Option<Vec<String>> = last
            .selectors
            .iter()
            .map(|selector| match selector {
                Selector::Name(name) => Some(name.clone()),
                _ => None,
            })
            .collect();
        let Some(names) = names.filter(|names| names.len() > 1 && !last.descend && self.mode != Mode::Rfc) else {
            return Some(None);
        };
        let from = self.path(base.clone(), before, strict)?;
        Some(Some(if matches!(from, Expr::Select(_)) {
            Expr::call(&functions::MEMBERS_OF_EACH, vec![Arg::Maybe(from), Arg::Strs(names)])
        } else {
            Expr::call(&functions::MEMBERS, vec![Arg::Maybe(from), Arg::Strs(names)])
        }))
    }

    fn path(&mut self, base: Expr, segments: &[Segment], strict: bool) -> Option<Expr> {
        if segments.is_empty() {
            return Some(base);
        }
        let mut lowered = Vec::with_capacity(segments.len());
        for segment in segments {
            let mut selectors = Vec::with_capacity(segment.selectors.len());
            for selector in &segment.selectors {
                selectors.push(self.selector(selector, segment.descend)?);
            }
            lowered.push(expr::Segment { descend: segment.descend, selectors });
        }
        let mut path = Path { base: Box::new(base), segments: lowered, strict: false };
        if path.is_definite() {
            return Some(Expr::Find(path));
        }
        // If the first segment applies to every value, no later segment is within the definite
        // prefix.
        path.strict = strict && path.segments.first().is_some_and(expr::Segment::is_partial);
        Some(Expr::Select(path))
    }

    fn selector(&mut self, selector: &Selector, descend: bool) -> Option<expr::Selector> {
        Some(match selector {
            // After `..` the path reaches the element itself.
            Selector::Name(name) if self.mode == Mode::ServerlessWorkflow && !descend => {
                expr::Selector::NameThroughSingleton(name.clone())
            }
            Selector::Name(name) => expr::Selector::Name(name.clone()),
            Selector::Index(index) => expr::Selector::Index(*index),
            Selector::Slice { start, end, step } => expr::Selector::Slice { start: *start, end: *end, step: *step },
            Selector::Wildcard => expr::Selector::Wildcard,
            Selector::Filter(condition) => {
                let condition = Box::new(self.condition(condition)?);
                // After `..` both kinds of filter test every object below.
                if self.mode == Mode::Rfc || descend {
                    expr::Selector::Filter(condition)
                } else {
                    expr::Selector::JaywayFilter(condition)
                }
            }
        })
    }

    fn condition(&mut self, condition: &Condition) -> Option<Expr> {
        Some(match condition {
            Condition::Or(terms) => Expr::Or(self.conditions(terms)?),
            Condition::And(terms) => Expr::And(self.conditions(terms)?),
            Condition::Not(inner) => Expr::Not(Box::new(self.condition(inner)?)),
            Condition::Exists(query) => match self.query(query)? {
                found @ Expr::Select(_) => Expr::call(&functions::ANY, vec![Arg::Value(found)]),
                found if self.mode == Mode::ServerlessWorkflow => {
                    Expr::call(&functions::HOLDS, vec![Arg::Maybe(found)])
                }
                found => Expr::call(&functions::EXISTS, vec![Arg::Maybe(found)]),
            },
            Condition::Compare { comparison: Comparison { function, form }, left, right } => {
                let (left, right) = (self.operand(left)?, self.operand(right)?);
                match form {
                    ComparisonForm::Plain => compare(function, left, right),
                    ComparisonForm::Negated => not(compare(function, left, right)),
                    ComparisonForm::Exchanged => compare(function, right, left),
                }
            }
            Condition::Matches(pattern) => self.pattern(pattern)?,
        })
    }

    fn conditions(&mut self, terms: &[Condition]) -> Option<Vec<Expr>> {
        terms.iter().map(|term| self.condition(term)).collect()
    }

    fn operand(&mut self, operand: &Operand) -> Option<Expr> {
        match operand {
            Operand::Literal { value, .. } => Some(Expr::Literal(value.clone())),
            Operand::Query(query) => self.query(query),
            Operand::Call(function, argument) => self.call(*function, argument),
        }
    }

    fn call(&mut self, function: ValueFunction, argument: &Operand) -> Option<Expr> {
        let argument = self.operand(argument)?;
        Some(match (function, &argument) {
            (ValueFunction::Length, _) => Expr::call(&functions::LENGTH, vec![Arg::Maybe(argument)]),
            (ValueFunction::Count, Expr::Select(_)) => Expr::call(&functions::COUNT, vec![Arg::Value(argument)]),
            (ValueFunction::Value, Expr::Select(_)) => Expr::call(&functions::VALUE, vec![Arg::Value(argument)]),
            // A definite path leads to at most one value.
            (ValueFunction::Value, _) => argument,
            (ValueFunction::Count, _) => Expr::call(&functions::COUNT_ONE, vec![Arg::Maybe(argument)]),
        })
    }

    fn pattern(&mut self, pattern: &RegexTest) -> Option<Expr> {
        let subject = self.operand(&pattern.subject)?;
        let (known, from_data) = match pattern.flavour {
            RegexOperator::Match => (&functions::MATCHES, &functions::MATCHES_VALUE),
            RegexOperator::Search => (&functions::SEARCHES, &functions::SEARCHES_VALUE),
            RegexOperator::Jayway => (&functions::JAYWAY_MATCHES, &functions::MATCHES_VALUE),
        };
        if let Operand::Literal { value: Literal::String(written), at } = &pattern.pattern {
            let flavour = match pattern.flavour {
                RegexOperator::Match => pattern::Flavour::NarrowWhole,
                RegexOperator::Search => pattern::Flavour::NarrowPart,
                RegexOperator::Jayway => pattern::Flavour::Whole,
            };
            if let Err(problem) = pattern::check(written, flavour) {
                let error = ExprError::new(&WF0304, at.clone(), format!("the regular expression {problem}"));
                self.diagnostics.push(error.in_text(self.text));
                return None;
            }
            return Some(Expr::call(known, vec![Arg::Maybe(subject), Arg::Str(written.as_str().into())]));
        }
        let pattern = self.operand(&pattern.pattern)?;
        Some(compare(from_data, subject, pattern))
    }
}

fn compare(function: &'static Function, left: Expr, right: Expr) -> Expr {
    Expr::call(function, vec![Arg::Maybe(left), Arg::Maybe(right)])
}

fn not(condition: Expr) -> Expr {
    Expr::Not(Box::new(condition))
}
