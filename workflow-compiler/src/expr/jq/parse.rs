//! Reads the text of a jq program, as the grammar of jq 1.8 has it.

use super::ast::{Binary, Definition, Kind, Member, Pattern, PatternMember, Piece, Term, Update};
use super::lex::{Token, TokenKind, token};
use crate::diagnostics::codes::expressions::E0340;
use crate::expr::flaw::Flaw;
use std::ops::Range;

/// The longest text of a program.
const LONGEST: usize = 16 << 10;
/// How many terms may lie inside each other.
pub(super) const DEEPEST: usize = 80;

const KEYWORDS: &[&str] = &[
    "and", "as", "break", "catch", "def", "elif", "else", "end", "foreach", "if", "import", "include", "label",
    "module", "or", "reduce", "then", "try", "__loc__",
];

type Parsed<T> = Result<T, Flaw>;

/// Reads a whole program.
pub(super) fn parse(text: &str) -> Parsed<Term> {
    if text.len() > LONGEST {
        return Err(Flaw::new(&E0340, 0..text.len(), "this jq expression is longer than 16 KiB"));
    }
    let mut parser = Parser { text, next: token(text, 0), end: 0, nested: 0 };
    if parser.next.kind == TokenKind::End {
        return Err(
            Flaw::new(&E0340, 0..text.len(), "there is no jq expression").help("write `.` for the value itself")
        );
    }
    if let TokenKind::Word(word @ ("import" | "include" | "module")) = parser.next.kind {
        let flaw =
            Flaw::new(&E0340, parser.next.at, format!("`{word}` is not supported: an expression has no modules"));
        return Err(flaw.help("define what is needed in the expression: `def name: …; …`"));
    }
    let term = parser.query()?;
    match parser.next.kind {
        TokenKind::End => Ok(term),
        _ => Err(parser.unexpected("the end of the expression")),
    }
}

struct Parser<'a> {
    text: &'a str,
    next: Token<'a>,
    /// Where the last word ended.
    end: usize,
    nested: usize,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Token<'a> {
        let next = token(self.text, self.next.at.end);
        let taken = std::mem::replace(&mut self.next, next);
        self.end = taken.at.end;
        taken
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.next.kind, TokenKind::Sign(found) if found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.next.kind, TokenKind::Word(found) if found == word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.advance();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// The bytes of the next word; of the last one at the end of the text.
    fn here(&self) -> Range<usize> {
        match self.next.kind {
            TokenKind::End => {
                let last = self.text[..self.end].chars().next_back().map_or(0, char::len_utf8);
                self.end - last..self.end
            }
            _ => self.next.at.clone(),
        }
    }

    fn unexpected(&self, expected: &str) -> Flaw {
        let found = &self.text[self.next.at.clone()];
        let message = match self.next.kind {
            TokenKind::End => format!("the expression ends where {expected} is expected"),
            _ => format!("expected {expected}, and found `{found}`"),
        };
        let flaw = Flaw::new(&E0340, self.here(), message);
        match self.next.kind {
            TokenKind::Sign("?//") => flaw.help("`?//` stands between patterns; put a blank between `?` and `//`"),
            TokenKind::Sign("=") if self.text[..self.next.at.start].ends_with("==") => {
                flaw.help("write `==` for `===`")
            }
            TokenKind::Sign(
                "==" | "!=" | "<" | "<=" | ">" | ">=" | "=" | "|=" | "+=" | "-=" | "*=" | "/=" | "%=" | "//=",
            ) => flaw.help("comparisons and assignments do not follow each other: put one into parentheses"),
            TokenKind::Unknown('\'') => flaw.help("strings are written in double quotes"),
            TokenKind::Unknown('&') => flaw.help("write `and` for `&&`"),
            TokenKind::Unknown('!') => flaw.help("write `| not` behind what is to be negated"),
            TokenKind::Sign("|") if self.text[..self.next.at.start].ends_with('|') => flaw.help("write `or` for `||`"),
            _ => flaw,
        }
    }

    /// Reads something that can be inside itself.
    fn nest<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.nested += 1;
        if self.nested > DEEPEST {
            return Err(self.too_deep(self.here()));
        }
        let result = read(self);
        self.nested -= 1;
        result
    }

    fn too_deep(&self, at: Range<usize>) -> Flaw {
        let message = format!("this is nested more than {DEEPEST} levels deep");
        Flaw::new(&E0340, at, message).help("give parts a name: `def name: …;`, or `… as $name | …`")
    }

    fn term_from(&self, start: usize, kind: Kind) -> Parsed<Term> {
        let mut term = Term { at: start..self.end, kind, depth: 0 };
        let mut depth = 0;
        term.children(&mut |child| depth = depth.max(child.depth));
        term.depth = depth + 1;
        if term.depth > DEEPEST { Err(self.too_deep(term.at)) } else { Ok(term) }
    }

    /// Definitions, pipes, commas, bindings and labels.
    fn query(&mut self) -> Parsed<Term> {
        self.nest(Self::pipe)
    }

    fn pipe(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut parts = Vec::new();
        loop {
            // What is bound is visible to the end, so that it takes all that follows.
            if let Some(rest) = self.to_the_end()? {
                parts.push(rest);
                break;
            }
            let (part, is_last) = self.comma()?;
            parts.push(part);
            if is_last || !self.eat("|") {
                break;
            }
        }
        self.joined(start, parts, Kind::Pipe)
    }

    fn joined(&self, start: usize, mut parts: Vec<Term>, join: impl FnOnce(Vec<Term>) -> Kind) -> Parsed<Term> {
        match parts.len() {
            1 => Ok(parts.remove(0)),
            _ => self.term_from(start, join(parts)),
        }
    }

    /// Filters with commas between them; whether the last one took all that follows.
    fn comma(&mut self) -> Parsed<(Term, bool)> {
        let start = self.next.at.start;
        let mut parts = Vec::new();
        let mut is_last = false;
        loop {
            if !parts.is_empty()
                && let Some(rest) = self.to_the_end()?
            {
                parts.push(rest);
                is_last = true;
                break;
            }
            let part_start = self.next.at.start;
            let part = self.expression(0)?;
            if self.eat_word("as") {
                let patterns = self.patterns()?;
                self.expect("|")?;
                let body = self.query()?;
                parts.push(self.term_from(part_start, Kind::Bind(Box::new(part), patterns, Box::new(body)))?);
                is_last = true;
                break;
            }
            parts.push(part);
            if !self.eat(",") {
                break;
            }
        }
        Ok((self.joined(start, parts, Kind::Comma)?, is_last))
    }

    /// A definition or a label, with all that follows.
    fn to_the_end(&mut self) -> Parsed<Option<Term>> {
        let start = self.next.at.start;
        if self.eat_word("def") {
            let definition = self.definition()?;
            let body = self.query()?;
            return self.term_from(start, Kind::Define(Box::new(definition), Box::new(body))).map(Some);
        }
        if self.eat_word("label") {
            let name = self.variable()?;
            self.expect("|")?;
            let body = self.query()?;
            return self.term_from(start, Kind::Label(name, Box::new(body))).map(Some);
        }
        Ok(None)
    }

    fn definition(&mut self) -> Parsed<Definition> {
        let (name, at) = match self.next.kind {
            TokenKind::Word(name) if !KEYWORDS.contains(&name) && !name.contains("::") => {
                (name.to_owned(), self.next.at.clone())
            }
            _ => return Err(self.unexpected("the name of the function")),
        };
        self.advance();
        let mut params = Vec::new();
        if self.eat("(") {
            loop {
                match self.next.kind {
                    TokenKind::Word(name) if !name.contains("::") => params.push(name.to_owned()),
                    TokenKind::Variable(name) => params.push(format!("${name}")),
                    _ => return Err(self.unexpected("the name of a parameter")),
                }
                self.advance();
                if !self.eat(";") {
                    break;
                }
            }
            self.expect(")")?;
        }
        self.expect(":")?;
        let body = self.query()?;
        self.expect(";")?;
        Ok(Definition { name, at, params, body })
    }

    fn variable(&mut self) -> Parsed<String> {
        match self.next.kind {
            TokenKind::Variable(name) => {
                self.advance();
                Ok(name.to_owned())
            }
            _ => Err(self.unexpected("a variable")),
        }
    }

    fn patterns(&mut self) -> Parsed<Vec<Pattern>> {
        let mut patterns = vec![self.pattern()?];
        while self.eat("?//") {
            patterns.push(self.pattern()?);
        }
        Ok(patterns)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        self.nest(Self::pattern_here)
    }

    fn pattern_here(&mut self) -> Parsed<Pattern> {
        if self.eat("[") {
            let mut items = vec![self.pattern()?];
            while self.eat(",") {
                items.push(self.pattern()?);
            }
            self.expect("]")?;
            return Ok(Pattern::Array(items));
        }
        if self.eat("{") {
            let mut members = vec![self.pattern_member()?];
            while self.eat(",") {
                members.push(self.pattern_member()?);
            }
            self.expect("}")?;
            return Ok(Pattern::Object(members));
        }
        match self.next.kind {
            TokenKind::Variable(_) => Ok(Pattern::Variable(self.variable()?)),
            _ => Err(self.unexpected("a variable, `[` or `{`")),
        }
    }

    fn pattern_member(&mut self) -> Parsed<PatternMember> {
        let at = self.next.at.clone();
        if let TokenKind::Variable(name) = self.next.kind {
            self.advance();
            let value = if self.eat(":") { Some(self.pattern()?) } else { None };
            return Ok(PatternMember { variable: Some(name.to_owned()), key: Term::string(name, at), value });
        }
        let key = self.key()?;
        self.expect(":")?;
        Ok(PatternMember { variable: None, key, value: Some(self.pattern()?) })
    }

    /// The key of a member: a name, a string, or a filter in parentheses.
    fn key(&mut self) -> Parsed<Term> {
        let at = self.next.at.clone();
        match self.next.kind {
            TokenKind::Word(name) => {
                self.advance();
                Ok(Term::string(name, at))
            }
            TokenKind::Quote => self.string(None),
            TokenKind::Format(format) => {
                self.advance();
                match self.next.kind {
                    TokenKind::Quote => self.string(Some(format)),
                    _ => Err(self.unexpected("a string")),
                }
            }
            TokenKind::Sign("(") => {
                self.advance();
                let key = self.query()?;
                self.expect(")")?;
                Ok(key)
            }
            TokenKind::Number(_) => {
                let found = Flaw::new(&E0340, at, "the keys of an object are strings");
                Err(found.help("put the number into quotes"))
            }
            _ => Err(self.unexpected("a key")),
        }
    }

    /// Operators, from this precedence on.
    fn expression(&mut self, least: u8) -> Parsed<Term> {
        self.nest(|parser| parser.operators(least))
    }

    fn operators(&mut self, least: u8) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut left = self.operand()?;
        let mut lowest = u8::MAX;
        while let Some((operator, precedence, follows)) = self.operator() {
            if precedence < least || (follows == Follows::None && precedence >= lowest) {
                break;
            }
            self.advance();
            let right = self.expression(if follows == Follows::Right { precedence } else { precedence + 1 })?;
            let (left_operand, right) = (Box::new(left), Box::new(right));
            left = self.term_from(
                start,
                match operator {
                    Operator::Binary(binary) => Kind::Binary(binary, left_operand, right),
                    Operator::Update(update) => Kind::Update(update, left_operand, right),
                },
            )?;
            // What does not follow itself does not follow its likes.
            lowest = if follows == Follows::None { precedence } else { u8::MAX };
        }
        Ok(left)
    }

    fn operator(&self) -> Option<(Operator, u8, Follows)> {
        use Binary as B;
        let binary = |operator, precedence, follows| Some((Operator::Binary(operator), precedence, follows));
        let update = |operator| Some((Operator::Update(operator), 1, Follows::None));
        match self.next.kind {
            TokenKind::Sign(sign) => match sign {
                "//" => binary(B::Alternative, 0, Follows::Right),
                "=" => update(Update::Assign),
                "|=" => update(Update::Modify),
                "//=" => update(Update::Default),
                "+=" => update(Update::Math(B::Add)),
                "-=" => update(Update::Math(B::Subtract)),
                "*=" => update(Update::Math(B::Multiply)),
                "/=" => update(Update::Math(B::Divide)),
                "%=" => update(Update::Math(B::Remainder)),
                "==" => binary(B::Equal, 4, Follows::None),
                "!=" => binary(B::NotEqual, 4, Follows::None),
                "<" => binary(B::Less, 4, Follows::None),
                "<=" => binary(B::LessOrEqual, 4, Follows::None),
                ">" => binary(B::Greater, 4, Follows::None),
                ">=" => binary(B::GreaterOrEqual, 4, Follows::None),
                "+" => binary(B::Add, 5, Follows::Left),
                "-" => binary(B::Subtract, 5, Follows::Left),
                "*" => binary(B::Multiply, 6, Follows::Left),
                "/" => binary(B::Divide, 6, Follows::Left),
                "%" => binary(B::Remainder, 6, Follows::Left),
                _ => None,
            },
            TokenKind::Word("or") => binary(B::Or, 2, Follows::Left),
            TokenKind::Word("and") => binary(B::And, 3, Follows::Left),
            _ => None,
        }
    }

    /// What stands beside an operator.
    fn operand(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        if self.eat("-") {
            let inner = self.nest(Self::operand)?;
            return self.term_from(start, Kind::Negate(Box::new(inner)));
        }
        if self.eat_word("try") {
            let body = self.nest(Self::operand)?;
            let handler = if self.eat_word("catch") { Some(Box::new(self.nest(Self::operand)?)) } else { None };
            return self.term_from(start, Kind::Try(Box::new(body), handler));
        }
        self.postfix()
    }

    /// A term with steps behind it: `.a[0].b?`.
    fn postfix(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut term = self.primary()?;
        loop {
            let kind = match self.next.kind {
                TokenKind::Field(_) => {
                    let key = self.field();
                    Kind::Index(Box::new(term), Box::new(key), self.optional())
                }
                TokenKind::Sign(".") => {
                    self.advance();
                    match self.next.kind {
                        TokenKind::Sign("[") => self.brackets(term)?,
                        TokenKind::Quote | TokenKind::Format(_) => {
                            let key = self.key()?;
                            Kind::Index(Box::new(term), Box::new(key), self.optional())
                        }
                        _ => return Err(self.unexpected("a name, a string or `[`")),
                    }
                }
                TokenKind::Sign("[") => self.brackets(term)?,
                TokenKind::Sign("?") => {
                    self.optional();
                    Kind::Try(Box::new(term), None)
                }
                _ => return Ok(term),
            };
            term = self.term_from(start, kind)?;
        }
    }

    /// The key of the field that comes next.
    fn field(&mut self) -> Term {
        let token = self.advance();
        let at = token.at.start + 1..token.at.end;
        Term::string(&self.text[at.clone()], at)
    }

    /// Any number of `?`.
    fn optional(&mut self) -> bool {
        let mut found = false;
        while self.eat("?") {
            found = true;
        }
        found
    }

    /// `[]`, `[f]`, `[f:g]` behind a term.
    fn brackets(&mut self, base: Term) -> Parsed<Kind> {
        self.expect("[")?;
        let base = Box::new(base);
        if self.eat("]") {
            return Ok(Kind::Iterate(base, self.optional()));
        }
        if self.eat(":") {
            let to = self.query()?;
            self.expect("]")?;
            return Ok(Kind::Slice(base, None, Some(Box::new(to)), self.optional()));
        }
        let key = self.query()?;
        if self.eat(":") {
            let to = if self.is("]") { None } else { Some(Box::new(self.query()?)) };
            self.expect("]")?;
            return Ok(Kind::Slice(base, Some(Box::new(key)), to, self.optional()));
        }
        self.expect("]")?;
        Ok(Kind::Index(base, Box::new(key), self.optional()))
    }

    fn primary(&mut self) -> Parsed<Term> {
        let start = self.next.at.start;
        let kind = match self.next.kind {
            TokenKind::Number(digits) => {
                self.advance();
                Kind::Number(digits.to_owned())
            }
            TokenKind::Quote => return self.string(None),
            TokenKind::Format(format) => {
                self.advance();
                match self.next.kind {
                    TokenKind::Quote => return self.string(Some(format)),
                    _ => Kind::Format(format.to_owned()),
                }
            }
            TokenKind::Variable(name) => {
                self.advance();
                Kind::Variable(name.to_owned())
            }
            TokenKind::Field(_) => {
                let identity = Term { at: start..start + 1, kind: Kind::Identity, depth: 1 };
                let key = self.field();
                Kind::Index(Box::new(identity), Box::new(key), self.optional())
            }
            TokenKind::Sign(".") => {
                self.advance();
                let identity = Term { at: start..start + 1, kind: Kind::Identity, depth: 1 };
                match self.next.kind {
                    TokenKind::Quote => {
                        let key = self.key()?;
                        Kind::Index(Box::new(identity), Box::new(key), self.optional())
                    }
                    _ => return Ok(identity),
                }
            }
            TokenKind::Sign("..") => {
                self.advance();
                Kind::Descend
            }
            TokenKind::Sign("(") => {
                self.advance();
                let inner = self.query()?;
                self.expect(")")?;
                return Ok(Term { at: start..self.end, ..inner });
            }
            TokenKind::Sign("[") => {
                self.advance();
                match self.eat("]") {
                    true => Kind::Array(None),
                    false => {
                        let inner = self.query()?;
                        self.expect("]")?;
                        Kind::Array(Some(Box::new(inner)))
                    }
                }
            }
            TokenKind::Sign("{") => self.object()?,
            TokenKind::Word(word) => self.word(word)?,
            _ => return Err(self.unexpected("an expression")),
        };
        self.term_from(start, kind)
    }

    fn word(&mut self, word: &str) -> Parsed<Kind> {
        match word {
            "if" => {
                self.advance();
                self.condition()
            }
            "reduce" | "foreach" => {
                self.advance();
                self.fold(word)
            }
            "break" => {
                self.advance();
                Ok(Kind::Break(self.variable()?))
            }
            _ if KEYWORDS.contains(&word) => Err(self.unexpected("an expression")),
            _ => {
                self.advance();
                let mut arguments = Vec::new();
                if self.eat("(") {
                    loop {
                        arguments.push(self.query()?);
                        if !self.eat(";") {
                            break;
                        }
                    }
                    self.expect(")")?;
                }
                Ok(Kind::Call(word.to_owned(), arguments))
            }
        }
    }

    /// Behind `if` or `elif`.
    fn condition(&mut self) -> Parsed<Kind> {
        let test = self.query()?;
        self.expect_word("then")?;
        let then = self.query()?;
        let start = self.next.at.start;
        let otherwise = if self.eat_word("elif") {
            let kind = self.nest(Self::condition)?;
            Some(Box::new(self.term_from(start, kind)?))
        } else if self.eat_word("else") {
            let otherwise = self.query()?;
            self.expect_word("end")?;
            Some(Box::new(otherwise))
        } else if self.eat_word("end") {
            None
        } else {
            return Err(self.unexpected("`elif`, `else` or `end`"));
        };
        Ok(Kind::If(Box::new(test), Box::new(then), otherwise))
    }

    fn fold(&mut self, word: &str) -> Parsed<Kind> {
        let source = Box::new(self.expression(0)?);
        self.expect_word("as")?;
        let patterns = self.patterns()?;
        self.expect("(")?;
        let init = Box::new(self.query()?);
        self.expect(";")?;
        let update = Box::new(self.query()?);
        if word == "reduce" {
            self.expect(")")?;
            return Ok(Kind::Reduce(source, patterns, init, update));
        }
        let extract = if self.eat(";") { Some(Box::new(self.query()?)) } else { None };
        self.expect(")")?;
        Ok(Kind::Foreach(source, patterns, init, update, extract))
    }

    fn object(&mut self) -> Parsed<Kind> {
        self.expect("{")?;
        let mut members = Vec::new();
        while !self.eat("}") {
            members.push(self.member()?);
            if !self.eat(",") {
                self.expect("}")?;
                break;
            }
        }
        Ok(Kind::Object(members))
    }

    fn member(&mut self) -> Parsed<Member> {
        let at = self.next.at.clone();
        let is_computed = self.is("(");
        let key = match self.next.kind {
            TokenKind::Variable(name) => {
                self.advance();
                let kind = Kind::Variable(name.to_owned());
                return Ok(Member { key: Term { at, kind, depth: 1 }, value: None });
            }
            _ => self.key()?,
        };
        if is_computed && !self.is(":") {
            return Err(self.unexpected("`:`"));
        }
        if !self.eat(":") {
            return match self.next.kind {
                TokenKind::Sign("," | "}") => Ok(Member { key, value: None }),
                _ => Err(self.unexpected("`:`, `,` or `}`")),
            };
        }
        // Values have no commas, and what binds something stands in parentheses.
        let start = self.next.at.start;
        let mut parts = vec![self.expression(0)?];
        while self.eat("|") {
            parts.push(self.expression(0)?);
        }
        if self.is_word("as") {
            return Err(self.unexpected("`,` or `}`").help("put the value of the member into parentheses"));
        }
        Ok(Member { key, value: Some(self.joined(start, parts, Kind::Pipe)?) })
    }

    /// A string; the quote comes next.
    fn string(&mut self, format: Option<&str>) -> Parsed<Term> {
        let start = self.next.at.start;
        let mut at = self.next.at.end;
        let mut pieces = Vec::new();
        let mut text = String::new();
        loop {
            let rest = &self.text[at..];
            let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
            text.push_str(&rest[..plain]);
            at += plain;
            match self.text[at..].bytes().next() {
                Some(b'"') => break,
                Some(_) if self.text[at + 1..].starts_with('(') => {
                    if !text.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut text)));
                    }
                    self.next = token(self.text, at + 2);
                    pieces.push(Piece::Term(self.query()?));
                    if !self.is(")") {
                        return Err(self.unexpected("`)`"));
                    }
                    at = self.next.at.end;
                }
                Some(_) => at = self.escape(at, &mut text)?,
                None => {
                    let found = Flaw::new(&E0340, start..start + 1, "this string does not end");
                    return Err(found.help("strings end in `\"`"));
                }
            }
        }
        if !text.is_empty() {
            pieces.push(Piece::Text(text));
        }
        self.end = at + 1;
        self.next = token(self.text, self.end);
        let format = format.map(str::to_owned);
        self.term_from(start, Kind::Text(format, pieces))
    }

    /// Reads the escape at a byte; returns the byte behind it.
    fn escape(&self, at: usize, text: &mut String) -> Parsed<usize> {
        let rest = &self.text[at + 1..];
        let simple = match rest.chars().next() {
            Some(c @ ('"' | '\\' | '/')) => Some(c),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some('u') => None,
            other => {
                let end = at + 1 + other.map_or(0, char::len_utf8);
                let found = Flaw::new(&E0340, at..end, "this escape is not known");
                return Err(
                    found.help("a backslash stands before `\"`, `\\`, `/`, `b`, `f`, `n`, `r`, `t`, `u` and `(`")
                );
            }
        };
        if let Some(c) = simple {
            text.push(c);
            return Ok(at + 2);
        }
        let unit = |from: usize| {
            let digits = self.text.get(from..from + 4).filter(|digits| digits.bytes().all(|c| c.is_ascii_hexdigit()));
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
        };
        let Some(first) = unit(at + 2) else {
            let end = (at + 2..=self.text.len()).rev().find(|end| *end <= at + 6 && self.text.is_char_boundary(*end));
            let found = Flaw::new(&E0340, at..end.unwrap_or(at + 2), "`\\u` is followed by four hexadecimal digits");
            return Err(found);
        };
        let low = match first {
            0xd800..=0xdbff if self.text[at + 6..].starts_with("\\u") => {
                unit(at + 8).filter(|low| (0xdc00..=0xdfff).contains(low))
            }
            _ => None,
        };
        if let Some(low) = low {
            text.extend(char::from_u32(0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00)));
            return Ok(at + 12);
        }
        // Half of a pair stands for no character.
        text.push(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        Ok(at + 6)
    }
}

enum Operator {
    Binary(Binary),
    Update(Update),
}

/// On which side an operator may follow itself without parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follows {
    Left,
    Right,
    None,
}
