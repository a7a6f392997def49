//! Lowering of [`SpelNode`] to [`Expr`].

use super::ast::{Method, NodeKind, Operator, OperatorKind, PathText, SpelNode};
use super::types::{Evident, check_method, check_negated, check_operator, check_test};
use super::{MAX_PARTS, SpelMode, SpelPath, SpelScope, functions};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::expressions::WF0304;
use crate::diagnostics::suggest::nearest;
use crate::expr::error::{ExprError, impossible_path};
use crate::expr::jsonpath::{self, JsonPath, Roots};
use crate::expr::pattern::{self, Flavour};
use crate::expr::spel::codes::{WF1301, WF1303};
use crate::expr::{Arg, Expr, If, Literal, Path, PathStep, Segment, Selector};
use crate::source::Span;
use crate::syntax::Text;
use std::cell::RefCell;

/// Lowers a whole expression.
pub(super) fn lower(
    node: &SpelNode,
    text: &Text,
    scope: &SpelScope<'_>,
    mode: SpelMode,
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    let mut lowering = Lowering { text, scope, diagnostics, parts: 0, is_prefix: false };
    match mode {
        SpelMode::Value => lowering.value(node),
        SpelMode::Test => lowering.test(node),
    }
}

/// The steps of a path, with their places.
type SpannedSteps = Vec<(PathStep, Span)>;

struct Lowering<'a> {
    text: &'a Text,
    scope: &'a SpelScope<'a>,
    diagnostics: &'a mut Diagnostics,
    /// The number of lowered nodes.
    parts: usize,
    /// `true` if the next node to lower is the beginning of a longer path.
    is_prefix: bool,
}

/// The roots of paths that start from a value.
struct From<'a> {
    value: Expr,
    paths: &'a RefCell<Vec<SpelPath>>,
}

impl Roots for From<'_> {
    fn document(&self) -> Expr {
        self.value.clone()
    }

    fn note_path(&self, base: &Expr, steps: Vec<(PathStep, Span)>, names: Vec<(String, Span)>, span: Span) {
        if let Some(base) = base.as_local() {
            self.paths.borrow_mut().push(SpelPath { base, steps, names, span });
        }
    }

    // The parser does not accept variables in these paths.
    fn variable(&self, _: &str, _: Span, _: &mut Diagnostics) -> Option<Expr> {
        None
    }
}

impl<'a> Lowering<'a> {
    fn report(&mut self, error: ExprError) {
        self.diagnostics.push(error.in_text(self.text));
    }

    fn checked(&mut self, found: Result<(), ExprError>) -> Option<()> {
        found.map_err(|error| self.report(error)).ok()
    }

    fn count(&mut self, node: &SpelNode) -> Option<()> {
        self.parts += 1;
        if self.parts <= MAX_PARTS {
            return Some(());
        }
        if self.parts == MAX_PARTS + 1 {
            let error =
                ExprError::new(&WF1301, node.at.clone(), format!("the expression has more than {MAX_PARTS} parts"));
            self.report(
                error.help("compute a part of the expression in a task (the operand before `?:` counts twice)"),
            );
        }
        None
    }

    /// Lowers a node to an expression of type `bool`.
    fn test(&mut self, node: &SpelNode) -> Option<Expr> {
        self.count(node)?;
        self.checked(check_test(node))?;
        match &node.kind {
            NodeKind::Literal(Literal::Bool(true)) => Some(Expr::And(Vec::new())),
            NodeKind::Literal(Literal::Bool(false)) => Some(Expr::Or(Vec::new())),
            NodeKind::Choose { test, then, otherwise } => {
                let (test, then, otherwise) = (self.test(test), self.test(then), self.test(otherwise));
                Some(choice(test?, then?, otherwise?))
            }
            // A test on null with `?.` does not hold.
            NodeKind::Call { of, method, arguments, safe: true } if method.returns == Evident::Boolean => {
                let is_present = Expr::call(&functions::IS_GIVEN, vec![Arg::Maybe(self.value(of)?)]);
                Some(Expr::And(vec![is_present, self.call(of, method, arguments)?]))
            }
            _ => {
                let value = self.value(node)?;
                let is_bool = value.ty() == crate::expr::Type::Bool;
                Some(if is_bool { value } else { Expr::call(&functions::IS_TRUE, vec![Arg::Maybe(value)]) })
            }
        }
    }

    fn tests(&mut self, nodes: &[SpelNode]) -> Option<Vec<Expr>> {
        all(nodes.iter().map(|node| self.test(node)).collect())
    }

    fn value(&mut self, node: &SpelNode) -> Option<Expr> {
        self.count(node)?;
        if !std::mem::take(&mut self.is_prefix) {
            self.check_steps(node);
        }
        match &node.kind {
            NodeKind::Literal(literal) => Some(Expr::Literal(literal.clone())),
            NodeKind::List(items) => all(items.iter().map(|item| self.value(item)).collect()).map(Expr::Array),
            NodeKind::Name(name) => Some(match self.find_variable(name) {
                Some(value) => value,
                None => step(self.scope.root.clone(), Selector::NameThroughSingleton(name.clone())),
            }),
            NodeKind::Variable(name) => self.variable(name, node),
            NodeKind::Root => Some(self.scope.root.clone()),
            NodeKind::Path(path) => {
                let roots = self.from(self.scope.root.clone());
                let path = path.lower(self.text, &roots, self.diagnostics)?;
                if let (Some(steps), false) = (&path.steps, path.is_indefinite()) {
                    self.check_path(steps, node);
                }
                Some(path.expr)
            }
            NodeKind::JsonPath { of, path } => {
                let of = self.value(of)?;
                self.json_path(of, path)
            }
            NodeKind::Member { of, name } => {
                Some(step(self.beginning(of)?, Selector::NameThroughSingleton(name.clone())))
            }
            NodeKind::Index { of, index } => Some(step(self.beginning(of)?, Selector::Index(*index))),
            NodeKind::Call { of, method, arguments, safe } => {
                let call = self.call(of, method, arguments)?;
                if !safe {
                    return Some(call);
                }
                let is_present = Expr::call(&functions::IS_GIVEN, vec![Arg::Maybe(self.value(of)?)]);
                Some(choice(is_present, call, Expr::NULL))
            }
            NodeKind::Not(inner) => Some(not(self.test(inner)?)),
            NodeKind::Negate(inner) => {
                self.checked(check_negated(inner))?;
                Some(Expr::call(&functions::NEGATE, vec![Arg::Maybe(self.value(inner)?)]))
            }
            NodeKind::And(terms) => self.tests(terms).map(Expr::And),
            NodeKind::Or(terms) => self.tests(terms).map(Expr::Or),
            NodeKind::Binary { operator, left, right } => self.binary(*operator, left, right),
            NodeKind::Choose { test, then, otherwise } => {
                let (test, then, otherwise) = (self.test(test), self.value(then), self.value(otherwise));
                Some(choice(test?, then?, otherwise?))
            }
            NodeKind::Elvis { left, right } => {
                let filled = Expr::call(&functions::IS_FILLED, vec![Arg::Maybe(self.value(left)?)]);
                let (left, right) = (self.value(left), self.value(right));
                Some(choice(filled, left?, right?))
            }
        }
    }

    /// Lowers the beginning of a longer path.
    fn beginning(&mut self, of: &SpelNode) -> Option<Expr> {
        self.is_prefix = true;
        self.value(of)
    }

    fn from(&self, value: Expr) -> From<'a> {
        From { value, paths: self.scope.paths }
    }

    /// Notes a path of names and indexes, and reports one that the schema rules out.
    fn check_steps(&mut self, node: &SpelNode) {
        let Some((variable, steps)) = self.steps(node).filter(|(_, steps)| !steps.is_empty()) else { return };
        if variable.is_none() {
            let of_data: Vec<PathStep> = steps.iter().map(|(step, _)| step.clone()).collect();
            self.check_path(&of_data, node);
        }
        if let Some(base) = variable.as_ref().unwrap_or(&self.scope.root).as_local() {
            let span = self.text.span_of(node.at.start, node.at.end);
            self.scope.paths.borrow_mut().push(SpelPath { base, steps, names: Vec::new(), span });
        }
    }

    fn check_path(&mut self, steps: &[PathStep], node: &SpelNode) {
        let written = &self.text.value[node.at.clone()];
        if let Some(error) = impossible_path(self.scope.schema, steps, true, written, node.at.clone()) {
            self.report(error);
        }
    }

    /// Returns the variable at the beginning of a path, or `None` for the data, and the steps with
    /// their spans.
    fn steps(&self, node: &SpelNode) -> Option<(Option<Expr>, SpannedSteps)> {
        let (of, step) = match &node.kind {
            NodeKind::Root => return Some((None, Vec::new())),
            NodeKind::Variable(name) => return Some((Some(self.find_variable(name)?), Vec::new())),
            NodeKind::Name(name) => {
                let variable = self.find_variable(name);
                let step = (PathStep::Key(name.clone()), self.text.span_of(node.at.start, node.at.end));
                let steps = if variable.is_none() { vec![step] } else { Vec::new() };
                return Some((variable, steps));
            }
            NodeKind::Member { of, name } => (of, PathStep::Key(name.clone())),
            NodeKind::Index { of, index } => (of, PathStep::Index(*index)),
            _ => return None,
        };
        let (base, mut steps) = self.steps(of)?;
        let written = self.text.value.get(of.at.end..node.at.end).unwrap_or_default();
        let before = match &step {
            PathStep::Key(name) => written.find(name.as_str()).map(|before| (before, name.len())),
            PathStep::Index(_) => None,
        };
        let (start, end) = match before {
            Some((before, length)) => (of.at.end + before, of.at.end + before + length),
            None => (of.at.end, node.at.end),
        };
        steps.push((step, self.text.span_of(start, end)));
        Some((base, steps))
    }

    fn find_variable(&self, name: &str) -> Option<Expr> {
        self.scope.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }

    fn variable(&mut self, name: &str, node: &SpelNode) -> Option<Expr> {
        if let Some(value) = self.find_variable(name) {
            return Some(value);
        }
        let names: Vec<&str> = self.scope.variables.iter().map(|(known, _)| *known).chain(["root"]).collect();
        let error = ExprError::new(&WF1303, node.at.clone(), format!("unknown variable `#{name}`"));
        let error = match nearest(name, names.iter().copied()) {
            Some(near) => error.help(format!("did you mean `#{near}`?")).replace_by(format!("#{near}")),
            None => {
                let names: Vec<String> = names.iter().map(|known| format!("`#{known}`")).collect();
                error.help(format!("the variables are {}: write a member of the data without `#`", names.join(", ")))
            }
        };
        self.report(error);
        None
    }

    fn json_path(&mut self, of: Expr, path: &PathText) -> Option<Expr> {
        let text = self.path_text(path);
        let roots = self.from(of);
        let path: JsonPath = jsonpath::parse(&text, jsonpath::Mode::ServerlessWorkflow, &roots, self.diagnostics)?;
        let selects = path.is_indefinite();
        Some(match path.expr {
            expr if selects => Expr::call(&functions::ONLY, vec![Arg::Maybe(expr)]),
            expr => merged(expr),
        })
    }

    /// Returns the path as a text with spans in the definition.
    fn path_text(&self, path: &PathText) -> Text {
        let mut text = self.text.slice(path.at.start, path.at.end);
        if text.value == path.value {
            return text;
        }
        // The text contains each quote twice.
        let mut at = path.at.start;
        text.breaks.clear();
        for (value_at, c) in path.value.char_indices() {
            text.breaks.push((value_at as u32, self.text.span_of(at, at).start));
            let doubled =
                self.text.value[at..path.at.end].chars().take(2).all(|next| next == c && matches!(c, '\'' | '"'));
            let quote = self.text.value[..path.at.start].chars().next_back();
            at += c.len_utf8() * if doubled && quote == Some(c) { 2 } else { 1 };
        }
        text.breaks.push((path.value.len() as u32, self.text.span_of(at, at).start));
        text.value.clone_from(&path.value);
        text
    }

    fn call(&mut self, of: &SpelNode, method: &Method, arguments: &[SpelNode]) -> Option<Expr> {
        self.checked(check_method(method, of, arguments))?;
        let mut args = vec![Arg::Maybe(self.value(of)?)];
        for argument in arguments {
            args.push(Arg::Maybe(self.value(argument)?));
        }
        if method.passes_name {
            args.push(Arg::Str(method.name.into()));
        }
        Some(Expr::call(method.function, args))
    }

    fn binary(&mut self, operator: Operator, left: &SpelNode, right: &SpelNode) -> Option<Expr> {
        self.checked(check_operator(operator.kind, left, right, &self.text.value))?;
        if operator.kind == OperatorKind::Matches {
            return self.matches(left, right);
        }
        if matches!(operator.kind, OperatorKind::Equal | OperatorKind::NotEqual) {
            let is_null = |node: &SpelNode| node.kind == NodeKind::Literal(Literal::Null);
            let tested = [(left, right), (right, left)].into_iter().find(|(_, null)| is_null(null));
            if let Some((tested, _)) = tested {
                let is_present = Expr::call(&functions::IS_GIVEN, vec![Arg::Maybe(self.value(tested)?)]);
                return Some(if operator.kind == OperatorKind::Equal { not(is_present) } else { is_present });
            }
        }
        let (left, right) = (self.value(left), self.value(right));
        let result = Expr::call(operator.function, vec![Arg::Maybe(left?), Arg::Maybe(right?)]);
        Some(if operator.kind == OperatorKind::NotEqual { not(result) } else { result })
    }

    fn matches(&mut self, left: &SpelNode, right: &SpelNode) -> Option<Expr> {
        let subject = self.value(left)?;
        let NodeKind::Literal(Literal::String(pattern)) = &right.kind else {
            let pattern = self.value(right)?;
            return Some(Expr::call(&functions::MATCHES_VALUE, vec![Arg::Maybe(subject), Arg::Maybe(pattern)]));
        };
        if let Err(problem) = pattern::check(pattern, Flavour::Whole) {
            let error = ExprError::new(&WF0304, right.at.clone(), format!("the regular expression {problem}"));
            self.report(error.help(pattern::HELP));
            return None;
        }
        Some(Expr::call(&functions::MATCHES, vec![Arg::Maybe(subject), Arg::Str(pattern.as_str().into())]))
    }
}

/// Returns all expressions, or `None` if one is missing.
fn all(parts: Vec<Option<Expr>>) -> Option<Vec<Expr>> {
    parts.into_iter().collect()
}

fn not(test: Expr) -> Expr {
    Expr::Not(Box::new(test))
}

fn choice(test: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::If(Box::new(If { test, then, otherwise }))
}

/// Appends a step to a value.
fn step(of: Expr, selector: Selector) -> Expr {
    let segment = Segment { descend: false, selectors: vec![selector] };
    match of {
        Expr::Find(mut path) => {
            path.segments.push(segment);
            Expr::Find(path)
        }
        of => Expr::Find(Path { base: Box::new(of), segments: vec![segment], strict: false }),
    }
}

/// Merges a definite path with the definite path that is its base.
fn merged(expr: Expr) -> Expr {
    match expr {
        Expr::Find(Path { base, segments, strict }) => match *base {
            Expr::Find(mut first) => {
                first.segments.extend(segments);
                Expr::Find(first)
            }
            base => Expr::Find(Path { base: Box::new(base), segments, strict }),
        },
        other => other,
    }
}
