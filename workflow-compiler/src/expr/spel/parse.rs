//! Text → [`Node`], with the precedences of Spring: `? :` and `?:`, `or`, `and`, comparisons, sums, products, `not` and `-`, steps.

mod primary;

use super::MAX_NESTING;
use super::ast::{Kind, Node, Operator};
use super::lex::word;
use crate::diagnostics::codes::spel::{E1301, E1302};
use crate::expr::cursor::Cursor;
use crate::expr::flaw::Flaw;
use std::ops::Range;

/// A result of parsing; the first error ends it.
pub(super) type Parsed<T> = Result<T, Box<Flaw>>;

/// Reads one expression.
pub(super) struct Parser<'a> {
    pub cursor: Cursor<'a>,
    /// How many parts are open.
    depth: usize,
    pub warnings: Vec<Flaw>,
}

/// Reads a text that is one expression and nothing else.
pub(super) fn parse(text: &str) -> (Parsed<Node>, Vec<Flaw>) {
    let mut parser = Parser { cursor: Cursor::new(text, 0), depth: 0, warnings: Vec::new() };
    let node = parser.whole();
    (node, parser.warnings)
}

/// Something that the grammar does not have.
pub(super) fn syntax(at: Range<usize>, message: impl Into<String>) -> Flaw {
    Flaw::new(&E1301, at, message)
}

/// Something of SpEL that there is not.
pub(super) fn unsupported(at: Range<usize>, message: impl Into<String>) -> Flaw {
    Flaw::new(&E1302, at, message)
}

impl Parser<'_> {
    fn whole(&mut self) -> Parsed<Node> {
        self.cursor.skip_blanks();
        if self.cursor.is_at_end() {
            let flaw = syntax(0..self.cursor.at(), "the expression is empty");
            return Err(flaw.help("write a condition, such as `$.error ne null`").into());
        }
        if self.cursor.rest().starts_with("#{") || self.cursor.rest().starts_with("${") {
            let at = self.cursor.at();
            let flaw = unsupported(at..at + 2, "the expression stands in braces");
            return Err(flaw.help("write it without `#{` and `}`").into());
        }
        let node = self.expression()?;
        self.cursor.skip_blanks();
        if self.cursor.is_at_end() { Ok(node) } else { Err(self.unexpected().into()) }
    }

    /// What stands after an expression, where nothing can.
    pub fn unexpected(&self) -> Flaw {
        let at = self.cursor.at();
        let rest = self.cursor.rest();
        let sign = |len: usize, message: &str| syntax(at..at + len, message);
        if rest.starts_with("=~") {
            return sign(2, "`=~` is no operator").help("write `matches '…'`").replace_by("matches");
        }
        match self.cursor.peek() {
            Some('=') => unsupported(at..at + 1, "nothing can be assigned to")
                .help("write `eq` or `==` to compare")
                .replace_by("=="),
            Some('&') => sign(1, "a single `&` is no operator").help("write `and`").replace_by("and"),
            Some('|') => sign(1, "a single `|` is no operator").help("write `or`").replace_by("or"),
            Some('^') => unsupported(at..at + 1, "there is no `^`").help("there are `+`, `-`, `*`, `/` and `%`"),
            Some(')' | ']' | '}') => {
                syntax(self.cursor.here(), "this bracket was not opened").help("leave it out, or open it")
            }
            Some(c) => {
                let found = match word(&self.cursor) {
                    "" => c.to_string(),
                    word => word.to_owned(),
                };
                let flaw = syntax(at..at + found.len(), format!("`{found}` is not expected here"));
                flaw.help(
                    "between two values stands an operator: `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `matches`, `and`, `or`, `+`, `-`, `*`, \
                     `/` or `%`",
                )
            }
            None => syntax(at..at, "the expression ends here"),
        }
    }

    /// `a`, `a ? b : c` or `a ?: b`.
    pub fn expression(&mut self) -> Parsed<Node> {
        let start = self.cursor.at();
        self.nested(start, Self::choice)
    }

    fn choice(&mut self) -> Parsed<Node> {
        let test = self.disjunction()?;
        self.cursor.skip_blanks();
        let question = self.cursor.at();
        if self.cursor.eat("?:") {
            let right = self.expression()?;
            return self.node(Kind::Elvis { left: Box::new(test), right: Box::new(right) });
        }
        if !self.cursor.eat("?") {
            return Ok(test);
        }
        let then = self.expression()?;
        self.cursor.skip_blanks();
        if !self.cursor.eat(":") {
            let flaw = syntax(question..question + 1, "`:` does not follow what stands after this `?`");
            return Err(flaw.help("write `condition ? value : other value`").into());
        }
        let otherwise = self.expression()?;
        self.node(Kind::Choose { test: Box::new(test), then: Box::new(then), otherwise: Box::new(otherwise) })
    }

    fn disjunction(&mut self) -> Parsed<Node> {
        let mut terms = vec![self.conjunction()?];
        while self.eat_operator("or", "||") {
            terms.push(self.conjunction()?);
        }
        if terms.len() == 1 { Ok(terms.remove(0)) } else { self.node(Kind::Or(terms)) }
    }

    fn conjunction(&mut self) -> Parsed<Node> {
        let mut terms = vec![self.comparison()?];
        while self.eat_operator("and", "&&") {
            terms.push(self.comparison()?);
        }
        if terms.len() == 1 { Ok(terms.remove(0)) } else { self.node(Kind::And(terms)) }
    }

    fn eat_operator(&mut self, name: &str, sign: &str) -> bool {
        self.cursor.skip_blanks();
        self.eat_word(name) || self.cursor.eat(sign)
    }

    /// Takes a word, in whatever case, if it comes next.
    fn eat_word(&mut self, wanted: &str) -> bool {
        let word = word(&self.cursor);
        word.eq_ignore_ascii_case(wanted) && self.cursor.eat(word)
    }

    fn comparison(&mut self) -> Parsed<Node> {
        let left = self.sum()?;
        let Some((operator, _)) = self.comparing()? else { return Ok(left) };
        let right = self.sum()?;
        let node = self.binary(operator, left, right)?;
        if let Some((_, at)) = self.comparing()? {
            let flaw = syntax(at, "a comparison cannot follow another one");
            return Err(flaw.help("join them with `and`, or put one into parentheses").into());
        }
        Ok(node)
    }

    /// An operator that compares, and its place.
    fn comparing(&mut self) -> Parsed<Option<(Operator, Range<usize>)>> {
        const SIGNS: [(&str, Operator); 6] = [
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        const WORDS: [(&str, Operator); 7] = [
            ("eq", Operator::Equal),
            ("ne", Operator::NotEqual),
            ("le", Operator::LessOrEqual),
            ("ge", Operator::GreaterOrEqual),
            ("lt", Operator::Less),
            ("gt", Operator::Greater),
            ("matches", Operator::Matches),
        ];
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        for (wrong, right) in [("===", "=="), ("!==", "!="), ("<>", "!=")] {
            if self.cursor.eat(wrong) {
                let flaw = syntax(start..self.cursor.at(), format!("`{wrong}` is no operator"));
                return Err(flaw.help(format!("write `{right}`")).replace_by(right).into());
            }
        }
        if let Some((_, operator)) = SIGNS.into_iter().find(|(sign, _)| self.cursor.eat(sign)) {
            return Ok(Some((operator, start..self.cursor.at())));
        }
        if let Some((_, operator)) = WORDS.into_iter().find(|(word, _)| self.eat_word(word)) {
            return Ok(Some((operator, start..self.cursor.at())));
        }
        for (name, help) in [
            ("between", "write `value ge 1 and value le 5`"),
            ("instanceof", "there are no classes; write `matches` for a text, or compare with null"),
        ] {
            if self.eat_word(name) {
                return Err(unsupported(start..self.cursor.at(), format!("there is no `{name}`")).help(help).into());
            }
        }
        Ok(None)
    }

    fn sum(&mut self) -> Parsed<Node> {
        let mut left = self.product()?;
        loop {
            self.cursor.skip_blanks();
            self.refuse_counting()?;
            let operator = if self.cursor.eat("+") {
                Operator::Add
            } else if self.cursor.eat("-") {
                Operator::Subtract
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn product(&mut self) -> Parsed<Node> {
        let mut left = self.unary()?;
        loop {
            self.cursor.skip_blanks();
            let operator = if self.cursor.eat("*") {
                Operator::Multiply
            } else if self.cursor.eat("/") || self.eat_word("div") {
                Operator::Divide
            } else if self.cursor.eat("%") || self.eat_word("mod") {
                Operator::Remainder
            } else {
                return Ok(left);
            };
            let right = self.unary()?;
            left = self.binary(operator, left, right)?;
        }
    }

    fn refuse_counting(&self) -> Parsed<()> {
        let at = self.cursor.at();
        for sign in ["++", "--"] {
            if self.cursor.rest().starts_with(sign) {
                let flaw = unsupported(at..at + 2, format!("there is no `{sign}`: an expression changes nothing"));
                return Err(flaw.help(format!("write `{} 1`, or put a blank between two signs", &sign[..1])).into());
            }
        }
        Ok(())
    }

    fn unary(&mut self) -> Parsed<Node> {
        self.cursor.skip_blanks();
        let start = self.cursor.at();
        self.refuse_counting()?;
        if self.cursor.eat("!") || self.eat_word("not") {
            let inner = self.nested(start, Self::unary)?;
            return self.node_from(start, Kind::Not(Box::new(inner)));
        }
        if self.cursor.eat("-") {
            if self.cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
                return self.number(start, true);
            }
            let inner = self.nested(start, Self::unary)?;
            return self.node_from(start, Kind::Negate(Box::new(inner)));
        }
        if self.cursor.eat("+") {
            return self.nested(start, Self::unary);
        }
        self.steps()
    }

    fn binary(&self, operator: Operator, left: Node, right: Node) -> Parsed<Node> {
        self.node(Kind::Binary { operator, left: Box::new(left), right: Box::new(right) })
    }

    /// A part from where its first part begins to where its last one ends.
    fn node(&self, kind: Kind) -> Parsed<Node> {
        let mut node = Node { kind, at: 0..0, height: 0 };
        let (mut start, mut end) = (usize::MAX, 0);
        node.children(&mut |child| {
            start = start.min(child.at.start);
            end = end.max(child.at.end);
        });
        node.at = start..end;
        self.measured(node)
    }

    /// A part from `start` to here, without the blanks before here.
    pub fn node_from(&self, start: usize, kind: Kind) -> Parsed<Node> {
        let end = start + self.cursor.since(start).trim_end().len();
        self.measured(Node { kind, at: start..end, height: 0 })
    }

    fn measured(&self, mut node: Node) -> Parsed<Node> {
        let mut height = 0;
        node.children(&mut |child| height = height.max(child.height + 1));
        node.height = height;
        if height > MAX_NESTING { Err(too_deep(node.at).into()) } else { Ok(node) }
    }

    /// Reads something that opens a level of nesting at `start`.
    pub fn nested<T>(&mut self, start: usize, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == MAX_NESTING {
            return Err(too_deep(start..self.cursor.here().end).into());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }
}

fn too_deep(at: Range<usize>) -> Flaw {
    let flaw = syntax(at, format!("the parts of an expression nest at most {MAX_NESTING} deep"));
    flaw.help("and no more steps, sums or products follow each other; work a part of it out in a task")
}
