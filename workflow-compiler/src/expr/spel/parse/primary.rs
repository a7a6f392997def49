//! Parser of operands: constants, names, paths, and the steps from them.

use super::super::ast::{METHODS, Method, NodeKind, PathText, SpelNode};
use super::super::lex::{self, is_name_start, word};
use super::{SpelParsed, SpelParser, syntax, unsupported};
use crate::diagnostics::suggest::nearest;
use crate::expr::Literal;
use crate::expr::error::ExprError;
use crate::expr::jsonpath::Embedded;
use crate::expr::spel::codes::WF1303;

/// The help for unknown methods.
const METHODS_HELP: &str = "the methods are `isEmpty()`, `size()`, `length()`, `contains(…)`, `startsWith(…)`, \
                            `endsWith(…)`, `toLowerCase()` and `toUpperCase()`";

impl SpelParser<'_> {
    /// Parses a value and the steps from it.
    pub fn steps(&mut self) -> SpelParsed<SpelNode> {
        let start = self.cursor.at();
        let mut node = self.primary()?;
        loop {
            let before = self.cursor.clone();
            self.cursor.skip_blanks();
            let at = self.cursor.at();
            let safe = self.cursor.eat("?.");
            if safe || self.cursor.eat(".") {
                node = self.step(start, at, node, safe)?;
            } else if self.cursor.peek() == Some('[') {
                node = self.index(start, node)?;
            } else {
                // Blanks without a following step do not belong to the value.
                self.cursor = before;
                return Ok(node);
            }
        }
    }

    /// Parses the step after the dot at `dot`.
    fn step(&mut self, start: usize, dot: usize, of: SpelNode, safe: bool) -> SpelParsed<SpelNode> {
        self.cursor.skip_blanks();
        let at = self.cursor.at();
        for (sign, what) in [("?[", "selection"), ("^[", "selection"), ("$[", "selection"), ("![", "projection")] {
            if self.cursor.eat(sign) {
                let error = unsupported(dot..self.cursor.at(), format!("the {what} `.{sign}…]` is not supported"));
                let help = match what {
                    "selection" => "write a path with a filter: `$.items[?(@.price > 10)]`",
                    _ => "write a path: `$.items[*].price`",
                };
                return Err(error.help(help).into());
            }
        }
        if safe && self.cursor.peek() == Some('[') {
            return self.index(start, of);
        }
        let name = word(&self.cursor);
        if name.is_empty() {
            let error = syntax(dot..self.cursor.here().end, "expected a name after the dot");
            return Err(error.help("write a name with other characters in brackets and quotes: `['the name']`").into());
        }
        self.cursor.eat(name);
        let name_at = at..self.cursor.at();
        let mut ahead = self.cursor.clone();
        ahead.skip_blanks();
        if ahead.peek() != Some('(') {
            return self.node_from(start, NodeKind::Member { of: Box::new(of), name: name.to_owned() });
        }
        let Some(method) = Method::find(name) else {
            let error = ExprError::new(&WF1303, name_at, format!("unknown method `{name}`"));
            return Err(match (name, nearest(name, METHODS.iter().map(|method| method.name))) {
                ("equals", _) => error.help("write `eq`: `$.name eq 'Ada'`"),
                (_, Some(near)) => error.help(format!("did you mean `{near}`?")).replace_by(near),
                _ => error.help(METHODS_HELP),
            }
            .into());
        };
        let open = self.cursor.at();
        let arguments = self.nested(open, Self::arguments)?;
        let (wanted, found) = (usize::from(method.has_argument), arguments.len());
        if found != wanted {
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("`{name}` takes {wanted} argument{plural}, found {found}");
            return Err(ExprError::new(&WF1303, at..self.cursor.at(), message).help(METHODS_HELP).into());
        }
        self.node_from(start, NodeKind::Call { of: Box::new(of), method, arguments, safe })
    }

    /// Parses arguments in parentheses, separated by commas.
    fn arguments(&mut self) -> SpelParsed<Vec<SpelNode>> {
        self.cursor.skip_blanks();
        let open = self.cursor.at();
        self.cursor.eat("(");
        self.parts(open, ")")
    }

    /// Parses expressions up to `close`, separated by commas.
    fn parts(&mut self, open: usize, close: &str) -> SpelParsed<Vec<SpelNode>> {
        let mut parts = Vec::new();
        self.cursor.skip_blanks();
        if self.cursor.eat(close) {
            return Ok(parts);
        }
        loop {
            parts.push(self.expression()?);
            self.cursor.skip_blanks();
            if self.cursor.eat(close) {
                return Ok(parts);
            }
            if close == "}" && self.cursor.peek() == Some(':') {
                let error = unsupported(open..self.cursor.here().end, "maps are not supported");
                return Err(error.help("use a list: `{1, 2}`").into());
            }
            if !self.cursor.eat(",") {
                return Err(self.unclosed(open, close).into());
            }
        }
    }

    /// Returns the error for a bracket that is not closed here.
    fn unclosed(&self, open: usize, close: &str) -> ExprError {
        if self.cursor.is_at_end() { not_closed(open, close) } else { self.unexpected() }
    }

    /// Parses `[0]` or `['name']`.
    fn index(&mut self, start: usize, of: SpelNode) -> SpelParsed<SpelNode> {
        let open = self.cursor.at();
        self.cursor.eat("[");
        self.cursor.skip_blanks();
        let at = self.cursor.at();
        let kind = match self.cursor.peek() {
            Some('\'' | '"') => NodeKind::Member { of: Box::new(of), name: lex::string(&mut self.cursor)? },
            Some(c) if c.is_ascii_digit() => match lex::number(&mut self.cursor, false)? {
                Literal::Int(index) => NodeKind::Index { of: Box::new(of), index },
                _ => return Err(syntax(at..self.cursor.at(), "an index must be a whole number").into()),
            },
            Some('-') => {
                let error = syntax(at..at + 1, "an index cannot be negative");
                return Err(error.help("use a path to count from the end: `$.items[-1]`").into());
            }
            Some(c) if is_name_start(c) => {
                let name = word(&self.cursor);
                let error = unsupported(at..at + name.len(), "an index must be a number or a name in quotes");
                let error = error.help(format!("write `['{name}']` for the member of this name"));
                return Err(error.replace_by(format!("'{name}'")).into());
            }
            None => return Err(not_closed(open, "]").into()),
            Some(c) => {
                let error = unsupported(self.cursor.here(), "an index must be a number or a name in quotes");
                return Err(error
                    .help(match c {
                        '*' | '?' | '@' | ':' => "use a path that starts with `$`: `$.items[*].price`",
                        _ => "write `[0]` or `['name']`",
                    })
                    .into());
            }
        };
        self.cursor.skip_blanks();
        if !self.cursor.eat("]") {
            return Err(match self.cursor.is_at_end() {
                true => not_closed(open, "]"),
                false => {
                    let error = unsupported(self.cursor.here(), "expected `]` after the index");
                    error.help("write `[0]` or `['name']`")
                }
            }
            .into());
        }
        self.node_from(start, kind)
    }

    fn primary(&mut self) -> SpelParsed<SpelNode> {
        let start = self.cursor.at();
        let kind = match self.cursor.peek() {
            Some('(') => {
                self.cursor.eat("(");
                let inner = self.expression()?;
                self.cursor.skip_blanks();
                if self.cursor.eat(")") {
                    // The byte range includes the parentheses, so that diagnostics mark the text
                    // as written.
                    return Ok(SpelNode { at: start..self.cursor.at(), ..inner });
                }
                return Err(self.unclosed(start, ")").into());
            }
            Some('{') => {
                self.cursor.eat("{");
                let parts = self.nested(start, |parser| parser.parts(start, "}"))?;
                NodeKind::List(parts)
            }
            Some('\'' | '"') => NodeKind::Literal(Literal::String(lex::string(&mut self.cursor)?)),
            Some('$') => NodeKind::Path(Embedded::read(&mut self.cursor, &mut self.warnings)?),
            Some('#') => return self.variable(),
            Some(c) if c.is_ascii_digit() => return self.number(start, false),
            Some(c) if is_name_start(c) => return self.name(),
            Some(c @ ('@' | '&')) => {
                let error = unsupported(start..start + 1, format!("references to beans with `{c}` are not supported"));
                return Err(error
                    .help("refer to a member of the data by its name: `order.total`, `$.order.total`")
                    .into());
            }
            Some('.') => {
                let error = syntax(start..start + 1, "expected a value before the dot");
                return Err(error.help("start a path with `$` or with a name").into());
            }
            other => {
                let found = other.map_or_else(|| "the end of the expression".to_owned(), |c| format!("`{c}`"));
                let error = syntax(self.cursor.here(), format!("expected a value, found {found}"));
                return Err(error
                    .help("write a path, a name, a number, a string in quotes, `true`, `false` or `null`")
                    .into());
            }
        };
        self.node_from(start, kind)
    }

    /// Builds a number. A sign, if any, is at `start`.
    pub fn number(&mut self, start: usize, negative: bool) -> SpelParsed<SpelNode> {
        let value = lex::number(&mut self.cursor, negative)?;
        self.node_from(start, NodeKind::Literal(value))
    }

    /// Parses `#name`, `#root` or `#jsonPath(…)`.
    fn variable(&mut self) -> SpelParsed<SpelNode> {
        let start = self.cursor.at();
        self.cursor.eat("#");
        let name = word(&self.cursor);
        self.cursor.eat(name);
        let at = start..self.cursor.at();
        if name.is_empty() {
            let error = syntax(start..self.cursor.here().end, "expected the name of a variable after `#`");
            return Err(error.help("write `#root` for all of the data").into());
        }
        let mut ahead = self.cursor.clone();
        ahead.skip_blanks();
        if ahead.peek() != Some('(') {
            let kind = match name {
                "root" | "this" => NodeKind::Root,
                _ => NodeKind::Variable(name.to_owned()),
            };
            return self.node_from(start, kind);
        }
        if name != "jsonPath" {
            let error = ExprError::new(&WF1303, at, format!("unknown function `#{name}`"));
            return Err(match nearest(name, ["jsonPath"]) {
                Some(near) => error.help(format!("did you mean `#{near}`?")).replace_by(format!("#{near}")),
                None => error.help("the only function is `#jsonPath(value, 'path')`"),
            }
            .into());
        }
        let mut arguments = self.nested(start, Self::arguments)?;
        let at = start..self.cursor.at();
        let path = arguments.pop();
        let (Some(of), Some(path), true) = (arguments.pop(), path, arguments.is_empty()) else {
            let error = ExprError::new(&WF1303, at, "`#jsonPath` takes a value and a path");
            return Err(error.help("write `#jsonPath(stateOutputData, '$.customer.name')`").into());
        };
        // A literal in parentheses begins with the parenthesis.
        let quoted = self.cursor.since(path.at.start).starts_with(['\'', '"']);
        let (NodeKind::Literal(Literal::String(value)), true) = (path.kind, quoted) else {
            let error = ExprError::new(&WF1303, path.at, "the path of `#jsonPath` must be a string in quotes");
            return Err(error.help("write a constant path: paths from data are not supported").into());
        };
        let path = PathText { value, at: path.at.start + 1..path.at.end - 1 };
        self.node_from(start, NodeKind::JsonPath { of: Box::new(of), path })
    }

    /// Parses a word: a constant or a name.
    fn name(&mut self) -> SpelParsed<SpelNode> {
        let start = self.cursor.at();
        let name = word(&self.cursor);
        self.cursor.eat(name);
        let at = start..self.cursor.at();
        let mut ahead = self.cursor.clone();
        let blanks = ahead.skip_blanks();
        let is_call = ahead.peek() == Some('(');
        let constant = [("true", Literal::Bool(true)), ("false", Literal::Bool(false)), ("null", Literal::Null)];
        if let Some((_, value)) = constant.into_iter().find(|(word, _)| name.eq_ignore_ascii_case(word)) {
            return self.node_from(start, NodeKind::Literal(value));
        }
        const OPERATORS: [&str; 12] =
            ["eq", "ne", "lt", "le", "gt", "ge", "and", "or", "div", "mod", "matches", "instanceof"];
        if OPERATORS.iter().any(|operator| name.eq_ignore_ascii_case(operator)) {
            let error = syntax(at, format!("expected a value before the operator `{name}`"));
            return Err(error.help(format!("write `$.{name}` for the member of this name")).into());
        }
        if name == "T" && is_call {
            let error = unsupported(at, "class references with `T(…)` are not supported");
            return Err(error.help("compute this in a task, and test its result").into());
        }
        if name == "new" && blanks && ahead.peek().is_some_and(is_name_start) {
            let error = unsupported(at, "`new` is not supported");
            return Err(error.help("compute this in a task, and test its result").into());
        }
        if is_call {
            let error = ExprError::new(&WF1303, at, format!("unknown function `{name}`"));
            return Err(match (Method::find(name), name) {
                (Some(_), _) => error.help(format!("call a method on a value: `$.items.{name}(…)`")),
                (_, "jsonPath") => error.help("write `#jsonPath`").replace_by("#jsonPath"),
                _ => error.help("the only function is `#jsonPath(value, 'path')`"),
            }
            .into());
        }
        self.node_from(start, NodeKind::Name(name.to_owned()))
    }
}

fn not_closed(open: usize, close: &str) -> ExprError {
    syntax(open..open + 1, "unclosed bracket").help(format!("close it with `{close}`"))
}
