//! [`Node`] → [`Expr`].

use super::ast::{Kind, Method, Node, Operator, PathText};
use super::types::{check_method, check_negated, check_operator, check_test};
use super::{MAX_PARTS, Mode, Scope, functions};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::spel::{E1301, E1303, E1305};
use crate::diagnostics::suggest::nearest;
use crate::expr::flaw::{Flaw, ruled_out};
use crate::expr::jsonpath::{self, JsonPath, Roots};
use crate::expr::pattern::{self, Flavour};
use crate::expr::{Arg, Expr, Function, If, Literal, Path, Segment, Selector, Step};
use crate::source::Span;
use crate::syntax::Text;

/// Lowers a whole expression.
pub(super) fn lower(
    node: &Node,
    text: &Text,
    scope: &Scope<'_>,
    mode: Mode,
    diagnostics: &mut Diagnostics,
) -> Option<Expr> {
    let mut lowering = Lowering { text, scope, diagnostics, parts: 0, goes_on: false };
    match mode {
        Mode::Value => lowering.value(node),
        Mode::Test => lowering.test(node),
    }
}

struct Lowering<'a> {
    text: &'a Text,
    scope: &'a Scope<'a>,
    diagnostics: &'a mut Diagnostics,
    /// How many parts have been lowered.
    parts: usize,
    /// Whether the part that is lowered next is the beginning of a longer path.
    goes_on: bool,
}

/// Where paths of an expression start: from one value.
struct From(Expr);

impl Roots for From {
    fn document(&self) -> Expr {
        self.0.clone()
    }

    // The parser of these paths has refused it.
    fn variable(&self, _: &str, _: Span, _: &mut Diagnostics) -> Option<Expr> {
        None
    }
}

impl Lowering<'_> {
    fn report(&mut self, flaw: Flaw) {
        self.diagnostics.push(flaw.in_text(self.text));
    }

    fn checked(&mut self, found: Result<(), Flaw>) -> Option<()> {
        found.map_err(|flaw| self.report(flaw)).ok()
    }

    fn count(&mut self, node: &Node) -> Option<()> {
        self.parts += 1;
        if self.parts <= MAX_PARTS {
            return Some(());
        }
        if self.parts == MAX_PARTS + 1 {
            let flaw = Flaw::new(&E1301, node.at.clone(), format!("an expression has at most {MAX_PARTS} parts"));
            self.report(flaw.help("what stands before `?:` counts twice; work a part of it out in a task"));
        }
        None
    }

    /// An expression of type `bool`.
    fn test(&mut self, node: &Node) -> Option<Expr> {
        self.count(node)?;
        let found = check_test(node);
        self.checked(found)?;
        match &node.kind {
            Kind::Literal(Literal::Bool(true)) => Some(Expr::And(Vec::new())),
            Kind::Literal(Literal::Bool(false)) => Some(Expr::Or(Vec::new())),
            Kind::Choose { test, then, otherwise } => {
                let (test, then, otherwise) = (self.test(test), self.test(then), self.test(otherwise));
                Some(choice(test?, then?, otherwise?))
            }
            // Where the value is null, what is asked of it does not hold.
            Kind::Call { of, method, arguments, safe: true } if method.is_test() => {
                let given = Expr::call(&functions::IS_GIVEN, vec![Arg::Maybe(self.value(of)?)]);
                Some(Expr::And(vec![given, self.call(of, *method, arguments)?]))
            }
            _ => {
                let value = self.value(node)?;
                let is_bool = value.ty() == crate::expr::Type::Bool;
                Some(if is_bool { value } else { Expr::call(&functions::IS_TRUE, vec![Arg::Maybe(value)]) })
            }
        }
    }

    fn tests(&mut self, nodes: &[Node]) -> Option<Vec<Expr>> {
        all(nodes.iter().map(|node| self.test(node)).collect())
    }

    fn value(&mut self, node: &Node) -> Option<Expr> {
        self.count(node)?;
        if !std::mem::take(&mut self.goes_on) {
            self.check_steps(node);
        }
        match &node.kind {
            Kind::Literal(literal) => Some(Expr::Literal(literal.clone())),
            Kind::List(items) => all(items.iter().map(|item| self.value(item)).collect()).map(Expr::Array),
            Kind::Name(name) => Some(match self.find_variable(name) {
                Some(value) => value,
                None => step(self.scope.root.clone(), Selector::Through(name.clone())),
            }),
            Kind::Variable(name) => self.variable(name, node),
            Kind::Root => Some(self.scope.root.clone()),
            Kind::Path(path) => {
                let roots = From(self.scope.root.clone());
                let path = path.lower(self.text, &roots, self.diagnostics)?;
                if let (Some(steps), false) = (&path.steps, path.is_indefinite()) {
                    self.check_path(steps, node);
                }
                Some(path.expr)
            }
            Kind::JsonPath { of, path } => {
                let of = self.value(of)?;
                self.json_path(of, path)
            }
            Kind::Member { of, name } => Some(step(self.beginning(of)?, Selector::Through(name.clone()))),
            Kind::Index { of, index } => Some(step(self.beginning(of)?, Selector::Index(*index))),
            Kind::Call { of, method, arguments, safe } => {
                let call = self.call(of, *method, arguments)?;
                if !safe {
                    return Some(call);
                }
                let given = Expr::call(&functions::IS_GIVEN, vec![Arg::Maybe(self.value(of)?)]);
                Some(choice(given, call, Expr::NULL))
            }
            Kind::Not(inner) => Some(not(self.test(inner)?)),
            Kind::Negate(inner) => {
                let found = check_negated(inner);
                self.checked(found)?;
                Some(Expr::call(&functions::NEGATE, vec![Arg::Maybe(self.value(inner)?)]))
            }
            Kind::And(terms) => self.tests(terms).map(Expr::And),
            Kind::Or(terms) => self.tests(terms).map(Expr::Or),
            Kind::Binary { operator, left, right } => self.binary(*operator, left, right),
            Kind::Choose { test, then, otherwise } => {
                let (test, then, otherwise) = (self.test(test), self.value(then), self.value(otherwise));
                Some(choice(test?, then?, otherwise?))
            }
            Kind::Elvis { left, right } => {
                let filled = Expr::call(&functions::IS_FILLED, vec![Arg::Maybe(self.value(left)?)]);
                let (left, right) = (self.value(left), self.value(right));
                Some(choice(filled, left?, right?))
            }
        }
    }

    /// What a longer path begins with.
    fn beginning(&mut self, of: &Node) -> Option<Expr> {
        self.goes_on = true;
        self.value(of)
    }

    /// Whether a schema lets there be what names and indices lead to.
    fn check_steps(&mut self, node: &Node) {
        if let Some(steps) = self.steps(node).filter(|steps| !steps.is_empty()) {
            self.check_path(&steps, node);
        }
    }

    fn check_path(&mut self, steps: &[Step], node: &Node) {
        let written = &self.text.value[node.at.clone()];
        if let Some(flaw) = ruled_out(self.scope.schema, steps, true, written, node.at.clone()) {
            self.report(flaw);
        }
    }

    /// The way from the data, where a part is one.
    fn steps(&self, node: &Node) -> Option<Vec<Step>> {
        let (of, step) = match &node.kind {
            Kind::Root => return Some(Vec::new()),
            Kind::Name(name) if self.find_variable(name).is_none() => return Some(vec![Step::Key(name.clone())]),
            Kind::Member { of, name } => (of, Step::Key(name.clone())),
            Kind::Index { of, index } => (of, Step::Index(*index)),
            _ => return None,
        };
        let mut steps = self.steps(of)?;
        steps.push(step);
        Some(steps)
    }

    fn find_variable(&self, name: &str) -> Option<Expr> {
        self.scope.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }

    fn variable(&mut self, name: &str, node: &Node) -> Option<Expr> {
        if let Some(value) = self.find_variable(name) {
            return Some(value);
        }
        let known: Vec<&str> = self.scope.variables.iter().map(|(known, _)| *known).chain(["root"]).collect();
        let flaw = Flaw::new(&E1303, node.at.clone(), format!("there is no variable `#{name}`"));
        let flaw = match nearest(name, known.iter().copied()) {
            Some(near) => flaw.help(format!("did you mean `#{near}`?")).replace_by(format!("#{near}")),
            None => {
                let known: Vec<String> = known.iter().map(|known| format!("`#{known}`")).collect();
                flaw.help(format!("there are {}; members of the data are written without `#`", known.join(", ")))
            }
        };
        self.report(flaw);
        None
    }

    fn json_path(&mut self, of: Expr, path: &PathText) -> Option<Expr> {
        let text = self.path_text(path);
        let path: JsonPath = jsonpath::parse(&text, jsonpath::Mode::Lenient, &From(of), self.diagnostics)?;
        let selects = path.is_indefinite();
        Some(match path.expr {
            expr if selects => Expr::call(&functions::ONLY, vec![Arg::Maybe(expr)]),
            expr => merged(expr),
        })
    }

    /// The path as a text whose places are those in the definition.
    fn path_text(&self, path: &PathText) -> Text {
        let mut text = self.text.slice(path.at.start, path.at.end);
        if text.value == path.value {
            return text;
        }
        // Each quote in it was written twice.
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

    fn call(&mut self, of: &Node, method: Method, arguments: &[Node]) -> Option<Expr> {
        let found = check_method(method, of, arguments);
        self.checked(found)?;
        let mut args = vec![Arg::Maybe(self.value(of)?)];
        for argument in arguments {
            args.push(Arg::Maybe(self.value(argument)?));
        }
        let function: &'static Function = match method {
            Method::IsEmpty => &functions::IS_EMPTY,
            Method::Size | Method::Length => {
                args.push(Arg::Str(method.name().into()));
                &functions::SIZE
            }
            Method::Contains => &functions::CONTAINS,
            Method::StartsWith => &functions::STARTS_WITH,
            Method::EndsWith => &functions::ENDS_WITH,
            Method::ToLowerCase => &functions::TO_LOWER_CASE,
            Method::ToUpperCase => &functions::TO_UPPER_CASE,
        };
        Some(Expr::call(function, args))
    }

    fn binary(&mut self, operator: Operator, left: &Node, right: &Node) -> Option<Expr> {
        let found = check_operator(operator, left, right, &self.text.value);
        self.checked(found)?;
        if operator == Operator::Matches {
            return self.matches(left, right);
        }
        if matches!(operator, Operator::Equal | Operator::NotEqual) {
            let is_null = |node: &Node| node.kind == Kind::Literal(Literal::Null);
            let asked = [(left, right), (right, left)].into_iter().find(|(_, null)| is_null(null));
            if let Some((asked, _)) = asked {
                let given = Expr::call(&functions::IS_GIVEN, vec![Arg::Maybe(self.value(asked)?)]);
                return Some(if operator == Operator::Equal { not(given) } else { given });
            }
        }
        let (left, right) = (self.value(left), self.value(right));
        let args = vec![Arg::Maybe(left?), Arg::Maybe(right?)];
        Some(match operator {
            Operator::NotEqual => not(Expr::call(&functions::EQUALS, args)),
            Operator::Equal => Expr::call(&functions::EQUALS, args),
            Operator::Less => Expr::call(&functions::LESS_THAN, args),
            Operator::LessOrEqual => Expr::call(&functions::LESS_THAN_EQUALS, args),
            Operator::Greater => Expr::call(&functions::GREATER_THAN, args),
            Operator::GreaterOrEqual => Expr::call(&functions::GREATER_THAN_EQUALS, args),
            Operator::Matches => Expr::call(&functions::MATCHES_VALUE, args),
            Operator::Add => Expr::call(&functions::ADD, args),
            Operator::Subtract => Expr::call(&functions::SUBTRACT, args),
            Operator::Multiply => Expr::call(&functions::MULTIPLY, args),
            Operator::Divide => Expr::call(&functions::DIVIDE, args),
            Operator::Remainder => Expr::call(&functions::REMAINDER, args),
        })
    }

    fn matches(&mut self, left: &Node, right: &Node) -> Option<Expr> {
        let subject = self.value(left)?;
        let Kind::Literal(Literal::String(pattern)) = &right.kind else {
            let pattern = self.value(right)?;
            return Some(Expr::call(&functions::MATCHES_VALUE, vec![Arg::Maybe(subject), Arg::Maybe(pattern)]));
        };
        if let Err(problem) = pattern::check(pattern, Flavour::Whole) {
            let flaw = Flaw::new(&E1305, right.at.clone(), format!("the regular expression {problem}"));
            self.report(flaw.help(pattern::HELP));
            return None;
        }
        Some(Expr::call(&functions::MATCHES, vec![Arg::Maybe(subject), Arg::Str(pattern.as_str().into())]))
    }
}

/// All of them, if each is there.
fn all(parts: Vec<Option<Expr>>) -> Option<Vec<Expr>> {
    parts.into_iter().collect()
}

fn not(test: Expr) -> Expr {
    Expr::Not(Box::new(test))
}

fn choice(test: Expr, then: Expr, otherwise: Expr) -> Expr {
    Expr::If(Box::new(If { test, then, otherwise }))
}

/// A value, and one step more.
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

/// A definite path that starts from another one, as one path.
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
