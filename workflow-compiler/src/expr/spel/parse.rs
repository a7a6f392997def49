//! Parser of SpEL, with the precedences of Spring: `? :` and `?:`, `or`, `and`, comparisons, sums,
//! products, `not` and `-`, steps.

mod primary;

use super::ast::{NodeKind, Operator, OperatorKind, SpelNode};
use super::lex::{is_name_start, word};
use super::{MAX_NESTING, functions};
use crate::expr::Function;
use crate::expr::cursor::Cursor;
use crate::expr::error::ExprError;
use crate::expr::spel::codes::{WF1301, WF1302};
use std::ops::Range;

/// A parse result. The first error ends parsing.
pub(super) type SpelParsed<T> = Result<T, Box<ExprError>>;

/// The notation of an operator, its kind and its function.
type OperatorRow = (&'static str, OperatorKind, &'static Function);

const COMPARISONS: &[OperatorRow] = &[
    ("==", OperatorKind::Equal, &functions::EQUALS),
    ("!=", OperatorKind::NotEqual, &functions::EQUALS),
    ("<=", OperatorKind::Order, &functions::LESS_THAN_EQUALS),
    (">=", OperatorKind::Order, &functions::GREATER_THAN_EQUALS),
    ("<", OperatorKind::Order, &functions::LESS_THAN),
    (">", OperatorKind::Order, &functions::GREATER_THAN),
    ("eq", OperatorKind::Equal, &functions::EQUALS),
    ("ne", OperatorKind::NotEqual, &functions::EQUALS),
    ("le", OperatorKind::Order, &functions::LESS_THAN_EQUALS),
    ("ge", OperatorKind::Order, &functions::GREATER_THAN_EQUALS),
    ("lt", OperatorKind::Order, &functions::LESS_THAN),
    ("gt", OperatorKind::Order, &functions::GREATER_THAN),
    ("matches", OperatorKind::Matches, &functions::MATCHES_VALUE),
];

const SUMS: &[OperatorRow] =
    &[("+", OperatorKind::Add, &functions::ADD), ("-", OperatorKind::Arithmetic, &functions::SUBTRACT)];

const PRODUCTS: &[OperatorRow] = &[
    ("*", OperatorKind::Arithmetic, &functions::MULTIPLY),
    ("/", OperatorKind::Arithmetic, &functions::DIVIDE),
    ("div", OperatorKind::Arithmetic, &functions::DIVIDE),
    ("%", OperatorKind::Arithmetic, &functions::REMAINDER),
    ("mod", OperatorKind::Arithmetic, &functions::REMAINDER),
];

/// A parser of one expression.
pub(super) struct SpelParser<'a> {
    pub cursor: Cursor<'a>,
    /// The number of open constructs.
    depth: usize,
    pub warnings: Vec<ExprError>,
}

/// Parses a text that consists of a single expression.
pub(super) fn parse(text: &str) -> (SpelParsed<SpelNode>, Vec<ExprError>) {
    let mut parser = SpelParser { cursor: Cursor::new(text, 0), depth: 0, warnings: Vec::new() };
    let node = parser.whole_expression();
    (node, parser.warnings)
}

/// Returns a syntax error.
pub(super) fn syntax(at: Range<usize>, message: impl Into<String>) -> ExprError {
    ExprError::new(&WF1301, at, message)
}

/// Returns an error for an unsupported construct of SpEL.
pub(super) fn unsupported(at: Range<usize>, message: impl Into<String>) -> ExprError {
    ExprError::new(&WF1302, at, message)
}

impl SpelParser<'_> {
    fn whole_expression(&mut self) -> SpelParsed<SpelNode> {
        self.cursor.skip_blanks();
        if self.cursor.is_at_end() {
            let error = syntax(0..self.cursor.at(), "the expression is empty");
            return Err(error.help("write a condition, such as `$.error ne null`").into());
        }
        if self.cursor.rest().starts_with("#{") || self.cursor.rest().starts_with("${") {
            let at = self.cursor.at();
            let start = &self.cursor.rest()[..2];
            let error = unsupported(at..at + 2, "an expression must not be enclosed in `#{ }` or `${ }`");
            return Err(error.help(format!("remove `{start}` and `}}`")).into());
        }
        let node = self.expression()?;
        self.cursor.skip_blanks();
        if self.cursor.is_at_end() { Ok(node) } else { Err(self.unexpected().into()) }
    }

    /// Returns the error for text after a complete expression.
    pub fn unexpected(&self) -> ExprError {
        let at = self.cursor.at();
        let rest = self.cursor.rest();
        let sign = |len: usize, message: &str| syntax(at..at + len, message);
        if rest.starts_with("=~") {
            return sign(2, "`=~` is not an operator").help("write `matches '…'`").replace_by("matches");
        }
        match self.cursor.peek() {
            Some('=') => unsupported(at..at + 1, "assignment is not supported")
                .help("write `eq` or `==` to compare")
                .replace_by("=="),
            Some('&') => sign(1, "a single `&` is not an operator").help("write `and`").replace_by("and"),
            Some('|') => sign(1, "a single `|` is not an operator").help("write `or`").replace_by("or"),
            Some('^') => {
                unsupported(at..at + 1, "the operator `^` is not supported").help("use `+`, `-`, `*`, `/` or `%`")
            }
            Some(c @ (')' | ']' | '}')) => {
                syntax(self.cursor.here(), format!("unmatched `{c}`")).help("remove it, or add the opening bracket")
            }
            Some(c) => {
                let found = match word(&self.cursor) {
                    "" => c.to_string(),
                    word => word.to_owned(),
                };
                let error = syntax(at..at + found.len(), format!("unexpected `{found}`"));
                error.help(
                    "write an operator between two values: `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `matches`, `and`, `or`, `+`, `-`, \
                     `*`, `/` or `%`",
                )
            }
            None => syntax(at..at, "unexpected end of the expression"),
        }
    }

    /// Parses `a`, `a ? b : c` or `a ?: b`.
    pub fn expression(&mut self) -> SpelParsed<SpelNode> {
        let start = self.cursor.at();
        self.nested(start, Self::choice)
    }

    fn choice(&mut self) -> SpelParsed<SpelNode> {
        let test = self.disjunction()?;
        self.cursor.skip_blanks();
        let question = self.cursor.at();
        if self.cursor.eat("?:") {
            let right = self.expression()?;
            return self.node(NodeKind::Elvis { left: Box::new(test), right: Box::new(right) });
        }
        if !self.cursor.eat("?") {
            return Ok(test);
        }
        let then = self.expression()?;
        self.cursor.skip_blanks();
        if !self.cursor.eat(":") {
            let error = syntax(question..question + 1, "missing `:` after this `?`");
            return Err(error.help("write `condition ? value : other value`").into());
        }
        let otherwise = self.expression()?;
        self.node(NodeKind::Choose { test: Box::new(test), then: Box::new(then), otherwise: Box::new(otherwise) })
    }

    fn disjunction(&mut self) -> SpelParsed<SpelNode> {
        self.joined(["or", "||"], Self::conjunction, NodeKind::Or)
    }

    fn conjunction(&mut self) -> SpelParsed<SpelNode> {
        self.joined(["and", "&&"], Self::comparison, NodeKind::And)
    }

    /// Parses operands joined by an operator, which has two forms.
    fn joined(
        &mut self,
        forms: [&str; 2],
        operand: fn(&mut Self) -> SpelParsed<SpelNode>,
        join: fn(Vec<SpelNode>) -> NodeKind,
    ) -> SpelParsed<SpelNode> {
        let mut terms = vec![operand(self)?];
        while forms.into_iter().any(|form| self.eat_operator(form)) {
            terms.push(operand(self)?);
        }
        if terms.len() == 1 { Ok(terms.remove(0)) } else { self.node(join(terms)) }
    }

    /// Consumes an operator, if it comes next: a sign, or a word in any case.
    fn eat_operator(&mut self, wanted: &str) -> bool {
        self.cursor.skip_blanks();
        if !wanted.starts_with(is_name_start) {
            return self.cursor.eat(wanted);
        }
        let word = word(&self.cursor);
        word.eq_ignore_ascii_case(wanted) && self.cursor.eat(word)
    }

    fn comparison(&mut self) -> SpelParsed<SpelNode> {
        let left = self.sum()?;
        let Some((operator, _)) = self.comparing()? else { return Ok(left) };
        let right = self.sum()?;
        let node = self.binary(operator, left, right)?;
        if let Some((_, at)) = self.comparing()? {
            let error = syntax(at, "comparisons cannot be chained");
            return Err(error.help("join them with `and`, or put one in parentheses").into());
        }
        Ok(node)
    }

    /// Parses a comparison operator, with its byte range.
    fn comparing(&mut self) -> SpelParsed<Option<(Operator, Range<usize>)>> {
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        for (wrong, right) in [("===", "=="), ("!==", "!="), ("<>", "!=")] {
            if self.cursor.eat(wrong) {
                let error = syntax(start..self.cursor.at(), format!("`{wrong}` is not an operator"));
                return Err(error.help(format!("write `{right}`")).replace_by(right).into());
            }
        }
        if let Some(operator) = self.one_of(COMPARISONS) {
            return Ok(Some((operator, start..self.cursor.at())));
        }
        for (name, help) in [
            ("between", "write `value ge 1 and value le 5`"),
            ("instanceof", "use `matches` for a string, or compare with null"),
        ] {
            if self.eat_operator(name) {
                return Err(unsupported(start..self.cursor.at(), format!("`{name}` is not supported"))
                    .help(help)
                    .into());
            }
        }
        Ok(None)
    }

    /// Consumes the operator that comes next, if it is one of these.
    fn one_of(&mut self, operators: &[OperatorRow]) -> Option<Operator> {
        let (_, kind, function) = operators.iter().find(|(form, ..)| self.eat_operator(form))?;
        Some(Operator { kind: *kind, function })
    }

    fn sum(&mut self) -> SpelParsed<SpelNode> {
        self.chained(SUMS, Self::product)
    }

    fn product(&mut self) -> SpelParsed<SpelNode> {
        self.chained(PRODUCTS, Self::unary)
    }

    /// Parses operators of one precedence, from left to right.
    fn chained(
        &mut self,
        operators: &[OperatorRow],
        operand: fn(&mut Self) -> SpelParsed<SpelNode>,
    ) -> SpelParsed<SpelNode> {
        let mut left = operand(self)?;
        loop {
            self.cursor.skip_blanks();
            self.refuse_counting()?;
            let Some(operator) = self.one_of(operators) else { return Ok(left) };
            let right = operand(self)?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn refuse_counting(&self) -> SpelParsed<()> {
        let at = self.cursor.at();
        for sign in ["++", "--"] {
            if self.cursor.rest().starts_with(sign) {
                let error =
                    unsupported(at..at + 2, format!("`{sign}` is not supported: an expression cannot change a value"));
                return Err(error
                    .help(format!("write `{} 1`, or put a space between the two signs", &sign[..1]))
                    .into());
            }
        }
        Ok(())
    }

    fn unary(&mut self) -> SpelParsed<SpelNode> {
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        self.refuse_counting()?;
        if self.eat_operator("!") || self.eat_operator("not") {
            let inner = self.nested(start, Self::unary)?;
            return self.node_from(start, NodeKind::Not(Box::new(inner)));
        }
        if self.cursor.eat("-") {
            if self.cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
                return self.number(start, true);
            }
            let inner = self.nested(start, Self::unary)?;
            return self.node_from(start, NodeKind::Negate(Box::new(inner)));
        }
        if self.cursor.eat("+") {
            return self.nested(start, Self::unary);
        }
        self.steps()
    }

    fn binary(&self, operator: Operator, left: SpelNode, right: SpelNode) -> SpelParsed<SpelNode> {
        self.node(NodeKind::Binary { operator, left: Box::new(left), right: Box::new(right) })
    }

    /// Builds a node that spans its children.
    fn node(&self, kind: NodeKind) -> SpelParsed<SpelNode> {
        let mut node = SpelNode { kind, at: 0..0, height: 0 };
        let (mut start, mut end) = (usize::MAX, 0);
        node.children(&mut |child| {
            start = start.min(child.at.start);
            end = end.max(child.at.end);
        });
        node.at = start..end;
        self.measured(node)
    }

    /// Builds a node from `start` to the cursor, without trailing blanks.
    pub fn node_from(&self, start: usize, kind: NodeKind) -> SpelParsed<SpelNode> {
        let end = start + self.cursor.since(start).trim_end().len();
        self.measured(SpelNode { kind, at: start..end, height: 0 })
    }

    fn measured(&self, mut node: SpelNode) -> SpelParsed<SpelNode> {
        let mut height = 0;
        node.children(&mut |child| height = height.max(child.height + 1));
        node.height = height;
        if height > MAX_NESTING { Err(too_deep(node.at).into()) } else { Ok(node) }
    }

    /// Parses a construct that opens a level of nesting at `start`.
    pub fn nested<T>(&mut self, start: usize, read: impl FnOnce(&mut Self) -> SpelParsed<T>) -> SpelParsed<T> {
        if self.depth == MAX_NESTING {
            return Err(too_deep(start..self.cursor.here().end).into());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

fn too_deep(at: Range<usize>) -> ExprError {
    let error = syntax(at, format!("the expression is nested more than {MAX_NESTING} levels deep"));
    error.help("compute a part of the expression in a task")
}
