//! Parser of paths: roots, segments and selectors (RFC 9535 §2.1–2.5, with the additions of Jayway
//! and ASL).

use super::ast::{PathMethod, Query, QueryRoot, Segment, Selector};
use super::strings;
use super::{MAX_NESTING, MAX_SEGMENTS, Mode};
use crate::expr::cursor::Cursor;
use crate::expr::error::ExprError;
use crate::expr::jsonpath::codes::{WF0301, WF0305, WF0306, WF0352};

/// The longest text, in bytes, for which a message suggests the path with a leading `$`.
const MAX_SUGGESTION_BYTES: usize = 100;

/// A parse result. The first error ends parsing.
pub(super) type PathParsed<T> = Result<T, Box<ExprError>>;

/// A parser of one path.
pub(super) struct PathParser<'a> {
    pub cursor: Cursor<'a>,
    pub mode: Mode,
    pub within: Surroundings,
    /// The number of open filters, parentheses and calls.
    pub depth: usize,
    pub warnings: Vec<ExprError>,
}

/// The surroundings of a path, which determine its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Surroundings {
    /// The text consists of the path alone.
    Nothing,
    /// The arguments of an intrinsic function.
    #[cfg(feature = "asl")]
    Arguments,
    /// A SpEL expression, in which operators and methods can follow.
    #[cfg(feature = "serverless-workflow")]
    Spel,
}

/// Parses a text that consists of a single path.
pub(super) fn parse_path(text: &str, mode: Mode) -> (PathParsed<Query>, Vec<ExprError>) {
    let mut parser = PathParser::new(Cursor::new(text, 0), mode, Surroundings::Nothing);
    let query = parser.path().and_then(|query| parser.end().map(|()| query));
    (query, parser.warnings)
}

impl<'a> PathParser<'a> {
    /// Creates a parser at the position of the cursor.
    pub fn new(cursor: Cursor<'a>, mode: Mode, within: Surroundings) -> Self {
        PathParser { cursor, mode, within, depth: 0, warnings: Vec::new() }
    }
}

impl PathParser<'_> {
    /// Parses a path from `$`.
    pub fn path(&mut self) -> PathParsed<Query> {
        let start = self.cursor.at();
        if !self.cursor.eat("$") {
            let error = syntax(self.cursor.here(), "a path must start with `$`");
            let rest = self.cursor.rest();
            let is_names =
                rest.split('.').all(|name| name.starts_with(is_variable_start) && name.chars().all(is_variable_part));
            return Err(match is_names && rest.len() <= MAX_SUGGESTION_BYTES {
                true => error.help(format!("write `$.{rest}`")).into(),
                false if rest.is_empty() => error.help("write `$` for all of the data, or `$.name` for a part").into(),
                false => error.help("start it with `$.`").into(),
            });
        }
        let root = self.root_after_dollar()?;
        if self.depth > 0 && root != QueryRoot::Document {
            let at = start..self.cursor.at();
            let error = ExprError::new(&WF0306, at, "a filter can only read the tested value and the document");
            return Err(error.help("start the path with `@` or with a single `$`").into());
        }
        self.query(root, start)
    }

    fn root_after_dollar(&mut self) -> PathParsed<QueryRoot> {
        if self.mode == Mode::Rfc {
            return Ok(QueryRoot::Document);
        }
        let dollar = self.cursor.at() - 1;
        if self.cursor.eat("$") {
            if self.mode == Mode::ServerlessWorkflow {
                let error =
                    ExprError::new(&WF0306, dollar..self.cursor.at(), "`$$` is not supported: paths start at the data");
                return Err(error.help("start the path with a single `$`").replace_by("$").into());
            }
            return Ok(QueryRoot::Context);
        }
        let start = self.cursor.at();
        if !self.cursor.peek().is_some_and(is_variable_start) {
            return Ok(QueryRoot::Document);
        }
        let name = self.cursor.take_while(is_variable_part).to_owned();
        if self.mode == Mode::ServerlessWorkflow {
            let at = dollar..self.cursor.at();
            let error = ExprError::new(&WF0306, at, "variables are not supported: paths start at the data");
            return Err(error.help(format!("write `$.{name}`")).replace_by(format!("$.{name}")).into());
        }
        Ok(QueryRoot::Variable { name, at: start..self.cursor.at() })
    }

    /// Parses the segments after a root.
    pub fn query(&mut self, root: QueryRoot, start: usize) -> PathParsed<Query> {
        let mut segments = Vec::new();
        let mut method = None;
        while method.is_none() {
            let before = self.cursor.clone();
            let blanks = self.cursor.skip_blanks();
            if !matches!(self.cursor.peek(), Some('.' | '[')) || self.continues_spel() {
                // Blanks without a following segment do not belong to the path.
                if blanks {
                    self.cursor = before;
                }
                break;
            }
            // The draft also writes the whole data this way.
            if self.mode == Mode::ServerlessWorkflow
                && self.depth == 0
                && segments.is_empty()
                && self.cursor.rest() == "."
            {
                self.cursor.bump();
                break;
            }
            match self.segment()? {
                Step::Segment(segment) => segments.push(segment),
                Step::PathMethod(name) => method = Some(name),
            }
            if segments.len() > MAX_SEGMENTS {
                let message = format!("the path has more than {MAX_SEGMENTS} steps");
                return Err(syntax(start..self.cursor.at(), message).into());
            }
        }
        let query = Query { root, segments, method, at: start..self.cursor.at() };
        if query.method.is_some() && !query.is_definite() {
            let message = "`.length()` is not supported after a path that can select several values";
            let error = ExprError::new(&WF0305, query.at, message);
            return Err(error
                .help(match self.mode {
                    Mode::ServerlessWorkflow => "use `count(…)` in a filter",
                    _ => "use `States.ArrayLength(…)`, or `count(…)` in a filter",
                })
                .into());
        }
        Ok(query)
    }

    fn segment(&mut self) -> PathParsed<Step> {
        let start = self.cursor.at();
        let descend = self.cursor.eat("..");
        if !descend && !self.cursor.eat(".") {
            let selectors = self.brackets()?;
            return Ok(Step::Segment(Segment { descend, selectors, at: start..self.cursor.at() }));
        }
        let selectors = match self.cursor.peek() {
            Some('*') => {
                self.cursor.bump();
                vec![Selector::Wildcard]
            }
            // Jayway reads `$.[0]` as `$[0]`.
            Some('[') if descend || self.mode != Mode::Rfc => self.brackets()?,
            _ => {
                let name_at = self.cursor.at();
                let name = self.dotted_name(start)?;
                if self.cursor.peek() == Some('(') && self.mode != Mode::Rfc {
                    return self.method(&name, name_at).map(Step::PathMethod);
                }
                vec![Selector::Name(name)]
            }
        };
        Ok(Step::Segment(Segment { descend, selectors, at: start..self.cursor.at() }))
    }

    /// Parses the name after the dots at `start`.
    fn dotted_name(&mut self, start: usize) -> PathParsed<String> {
        let name = match self.mode {
            Mode::Rfc => self.rfc_name(),
            Mode::Reference | Mode::Jayway | Mode::ServerlessWorkflow => self.jayway_name()?,
        };
        if !name.is_empty() {
            return Ok(name);
        }
        let message = match self.cursor.peek() {
            None => "missing name after `.`".to_owned(),
            Some('.') => "a path has at most two dots in a row".to_owned(),
            Some(found) => format!("a name cannot start with `{found}` after `.`"),
        };
        let error = syntax(start..self.cursor.here().end, message);
        Err(match self.cursor.peek() {
            Some(found) if found != '.' => {
                error.help("write other names in brackets and quotes: `['the name']`").into()
            }
            _ => error.into(),
        })
    }

    /// Parses a member name after a dot by RFC 9535 §2.5.1.1.
    fn rfc_name(&mut self) -> String {
        let is_first = |c: char| c.is_ascii_alphabetic() || c == '_' || !c.is_ascii();
        if !self.cursor.peek().is_some_and(is_first) {
            return String::new();
        }
        self.cursor.take_while(|c| is_first(c) || c.is_ascii_digit()).to_owned()
    }

    /// Parses a member name after a dot in Jayway's manner: up to a character that ends names. A
    /// backslash escapes the next character (ASL, "Reference Paths").
    fn jayway_name(&mut self) -> PathParsed<String> {
        let mut name = String::new();
        while let Some(next) = self.cursor.peek() {
            if next == '\\' {
                let escaped = self.cursor.here();
                self.cursor.bump();
                match strings::escaped_in_name(&mut self.cursor) {
                    Some(c) => name.push(c),
                    None => return Err(syntax(escaped, "unexpected end of the path after `\\`").into()),
                }
            } else if self.ends_name(next) {
                break;
            } else {
                name.push(next);
                self.cursor.bump();
            }
        }
        Ok(name)
    }

    fn ends_name(&self, c: char) -> bool {
        match c {
            '.' | '[' | ']' | '(' | ')' | '\'' | '"' | '*' | '?' => true,
            ',' | '<' | '>' | '=' | '!' | '~' | '&' | '|' => self.depth > 0 || self.is_outer_syntax(),
            c => c.is_whitespace() || c.is_control() || self.is_outer_syntax(),
        }
    }

    /// Returns `true` if the next character belongs to the surroundings of the path.
    fn is_outer_syntax(&self) -> bool {
        match self.within {
            Surroundings::Nothing => false,
            #[cfg(feature = "asl")]
            Surroundings::Arguments => self.cursor.peek() == Some(','),
            #[cfg(feature = "serverless-workflow")]
            Surroundings::Spel => self.depth == 0 && !self.is_in_spel_name(),
        }
    }

    /// Returns `true` if a SpEL method or a SpEL operator with a leading dot comes next, rather
    /// than a step of the path.
    #[cfg(feature = "serverless-workflow")]
    fn continues_spel(&self) -> bool {
        if self.within != Surroundings::Spel || self.depth > 0 {
            return false;
        }
        let Some(rest) = self.cursor.rest().strip_prefix('.') else { return false };
        let name = &rest[..rest.find(|c: char| !is_variable_part(c)).unwrap_or(rest.len())];
        let after = rest[name.len()..].trim_start_matches([' ', '\t', '\r', '\n']);
        if name.is_empty() { after.starts_with(['?', '!', '^', '$']) } else { after.starts_with('(') }
    }

    #[cfg(not(feature = "serverless-workflow"))]
    fn continues_spel(&self) -> bool {
        false
    }

    /// Returns `true` if the next character continues a name. Operators end a name, except that a
    /// hyphen before a letter continues it: `$.exit-code` is a name, `$.count-1` is a subtraction.
    #[cfg(feature = "serverless-workflow")]
    fn is_in_spel_name(&self) -> bool {
        let rest = self.cursor.rest();
        rest.starts_with(is_variable_part)
            || rest.strip_prefix('-').is_some_and(|rest| rest.starts_with(is_variable_start))
    }

    /// Parses `()` after a name.
    fn method(&mut self, name: &str, start: usize) -> PathParsed<PathMethod> {
        self.cursor.eat("(");
        self.cursor.skip_blanks();
        if name != "length" {
            let message = format!("the function `{name}` cannot be called in a path");
            let error = ExprError::new(&WF0305, start..self.cursor.at(), message);
            return Err(error
                .help(match self.mode {
                    Mode::ServerlessWorkflow => "only `.length()` can be called",
                    _ => "use `.length()` or an intrinsic function",
                })
                .into());
        }
        if !self.cursor.eat(")") {
            return Err(syntax(self.cursor.here(), "`.length()` takes no argument").into());
        }
        Ok(PathMethod::Length)
    }

    fn brackets(&mut self) -> PathParsed<Vec<Selector>> {
        let start = self.cursor.at();
        self.cursor.eat("[");
        let mut selectors = Vec::new();
        loop {
            self.cursor.skip_blanks();
            selectors.push(self.selector()?);
            self.cursor.skip_blanks();
            if self.cursor.eat("]") {
                return Ok(selectors);
            }
            if self.cursor.is_at_end() {
                let error = syntax(start..start + 1, "unclosed bracket");
                return Err(error.help("close it with `]`").into());
            }
            if !self.cursor.eat(",") {
                let error = syntax(self.cursor.here(), "expected `,` or `]`");
                return Err(error.help("write a name in brackets in quotes: `['the name']`").into());
            }
        }
    }

    fn selector(&mut self) -> PathParsed<Selector> {
        let start = self.cursor.at();
        match self.cursor.peek() {
            Some('\'' | '"') => strings::quoted(&mut self.cursor, self.mode).map(Selector::Name),
            Some('*') => {
                self.cursor.bump();
                Ok(Selector::Wildcard)
            }
            Some('?') => {
                self.cursor.bump();
                self.cursor.skip_blanks();
                if self.cursor.peek() == Some(']') {
                    let error = syntax(start..self.cursor.at(), "the filter has no condition");
                    return Err(error.help("write one, such as `[?(@.price > 10)]`").into());
                }
                self.nested(start, Self::condition).map(Selector::Filter)
            }
            Some('(') if self.mode != Mode::Rfc => self.script(),
            Some(c) if c == '-' || c == ':' || c.is_ascii_digit() => self.index_or_slice(),
            Some(c) if c.is_alphabetic() || c == '_' => {
                let name = self.cursor.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-')).to_owned();
                let at = start..self.cursor.at();
                let error = syntax(at, format!("unquoted name `{name}` in brackets"));
                Err(error.help(format!("write `['{name}']`")).replace_by(format!("'{name}'")).into())
            }
            None => Err(syntax(start..start, "unexpected end of the path inside brackets").into()),
            Some(found) => Err(syntax(self.cursor.here(), format!("unexpected `{found}` in brackets")).into()),
        }
    }

    /// Parses `(@.length-1)`, an index from the end. This is the only supported script.
    fn script(&mut self) -> PathParsed<Selector> {
        let start = self.cursor.at();
        let rest = self.cursor.rest();
        let end = rest.find(')').map_or(rest.len(), |at| at + 1);
        self.cursor.eat(&rest[..end]);
        let script: String = rest[..end].chars().filter(|c| !c.is_whitespace()).collect();
        let from_end = script
            .strip_prefix("(@.length-")
            .or_else(|| script.strip_prefix("(@.length()-"))
            .and_then(|number| number.strip_suffix(')'))
            .and_then(|number| number.parse::<u32>().ok())
            .filter(|number| *number > 0);
        match from_end {
            Some(number) => Ok(Selector::Index(-i64::from(number))),
            None => {
                let error = ExprError::new(&WF0305, start..self.cursor.at(), "scripts in paths are not supported");
                Err(error.help("use a negative index; only scripts such as `[(@.length-1)]` are supported").into())
            }
        }
    }

    fn index_or_slice(&mut self) -> PathParsed<Selector> {
        let start = self.integer()?;
        if !self.eat_after_blanks(":") {
            return match start {
                Some(index) => Ok(Selector::Index(index)),
                None => Err(syntax(self.cursor.here(), "expected a number").into()),
            };
        }
        self.cursor.skip_blanks();
        let end = self.integer()?;
        let mut step = None;
        if self.eat_after_blanks(":") {
            self.cursor.skip_blanks();
            step = self.integer()?;
        }
        Ok(Selector::Slice { start, end, step: step.unwrap_or(1) })
    }

    /// Parses an integer, if one comes next. RFC 9535 §2.1 limits it to integers that a double
    /// represents exactly.
    fn integer(&mut self) -> PathParsed<Option<i64>> {
        const LARGEST: i64 = (1 << 53) - 1;
        let start = self.cursor.at();
        let negative = self.cursor.eat("-");
        let digits = self.cursor.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            if negative {
                return Err(syntax(start..self.cursor.at(), "expected a number after `-`").into());
            }
            return Ok(None);
        }
        let at = start..self.cursor.at();
        if self.mode == Mode::Rfc && ((digits.len() > 1 && digits.starts_with('0')) || (negative && digits == "0")) {
            return Err(syntax(at, "leading zeros and `-0` are not allowed").into());
        }
        match self.cursor.since(start).parse::<i64>() {
            Ok(number) if (-LARGEST..=LARGEST).contains(&number) => Ok(Some(number)),
            _ => Err(syntax(at, "the number is too large").into()),
        }
    }

    /// Parses a construct that opens a level of nesting at `start`.
    pub fn nested<T>(&mut self, start: usize, read: impl FnOnce(&mut Self) -> PathParsed<T>) -> PathParsed<T> {
        if self.depth == MAX_NESTING {
            let message = format!("filters are nested more than {MAX_NESTING} levels deep");
            return Err(syntax(start..self.cursor.at(), message).into());
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Checks that only blanks follow. RFC 9535 does not allow trailing blanks.
    fn end(&mut self) -> PathParsed<()> {
        let start = self.cursor.at();
        let blanks = self.cursor.skip_blanks();
        if self.cursor.is_at_end() {
            if blanks && self.mode == Mode::Rfc {
                return Err(syntax(start..self.cursor.at(), "unexpected white space after the path").into());
            }
            if blanks {
                let error = ExprError::new(&WF0352, start..self.cursor.at(), "unexpected white space after the path");
                self.warnings.push(error.help("remove the white space: it is ignored").replace_by(""));
            }
            return Ok(());
        }
        let found = self.cursor.here();
        Err(if blanks {
            let error = syntax(start..found.end, "unexpected white space in the path");
            error.help("write a name with spaces in brackets and quotes: `['the name']`").into()
        } else {
            let character = self.cursor.peek().unwrap_or_default();
            let error = syntax(found, format!("unexpected `{character}`"));
            error.help("write a name with this character in brackets and quotes: `['the name']`").into()
        })
    }
}

enum Step {
    Segment(Segment),
    PathMethod(PathMethod),
}

/// Returns a syntax error.
pub(super) fn syntax(at: std::ops::Range<usize>, message: impl Into<String>) -> ExprError {
    ExprError::new(&WF0301, at, message)
}

fn is_variable_part(c: char) -> bool {
    is_variable_start(c) || c.is_alphanumeric()
}

fn is_variable_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}
