//! The syntax tree of a jq program.

use std::ops::Range;

/// A filter with its byte range.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    pub at: Range<usize>,
    pub kind: TermKind,
    /// The nesting depth of the term.
    pub depth: usize,
}

/// The kind of a filter.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TermKind {
    /// `.`
    Identity,
    /// `..`
    Descend,
    /// A number as written.
    Number(String),
    /// A string with interpolations. A format, if given, applies to the interpolated values (`@uri
    /// "…"`).
    Text(Option<String>, Vec<StringPiece>),
    /// A format as a function: `@base64`.
    Format(String),
    /// `[f]`, `[]`
    Array(Option<Box<Term>>),
    /// `{…}`
    Object(Vec<Member>),
    /// `-f`
    Negate(Box<Term>),
    /// `f | g | h`
    Pipe(Vec<Term>),
    /// `f, g, h`
    Comma(Vec<Term>),
    /// A binary operator.
    Binary(Binary, Box<Term>, Box<Term>),
    /// An update of the places that a path leads to.
    Update(Update, Box<Term>, Box<Term>),
    /// `f as PATTERN | g`. With several patterns (`?//`), the first that matches applies.
    Bind(Box<Term>, Vec<Pattern>, Box<Term>),
    /// `reduce f as PATTERN (init; update)`
    Reduce(Box<Term>, Vec<Pattern>, Box<Term>, Box<Term>),
    /// `foreach f as PATTERN (init; update; extract)`
    Foreach(Box<Term>, Vec<Pattern>, Box<Term>, Box<Term>, Option<Box<Term>>),
    /// `if f then g else h end`
    If(Box<Term>, Box<Term>, Option<Box<Term>>),
    /// `try f catch g`, `f?`
    Try(Box<Term>, Option<Box<Term>>),
    /// `label $name | f`
    Label(String, Box<Term>),
    /// `break $name`
    Break(String),
    /// `def …; f`
    Define(Box<FunctionDef>, Box<Term>),
    /// `name(f; g)`
    Call(String, Vec<Term>),
    /// `$name`
    Variable(String),
    /// `f.key`, `f[g]`, with `?` if the flag is set.
    Index(Box<Term>, Box<Term>, bool),
    /// `f[g:h]`, with `?` if the flag is set.
    Slice(Box<Term>, Option<Box<Term>>, Option<Box<Term>>, bool),
    /// `f[]`, with `?` if the flag is set.
    Iterate(Box<Term>, bool),
}

/// A piece of a string.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum StringPiece {
    /// Characters, without escapes.
    Text(String),
    /// `\(f)`
    Term(Term),
}

/// A member of an object construction. Without a value, the member of the same name of the input,
/// or the variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub key: Term,
    pub value: Option<Term>,
}

/// A binary operator that yields a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    /// `//`
    Alternative,
    Or,
    And,
    /// A comparison or an arithmetic operator. jq evaluates both operands, the right one first.
    Values(&'static ValueOperator),
}

/// An operator on two values.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ValueOperator {
    pub sign: &'static str,
    /// The function of the runtime.
    pub function: &'static str,
    /// The precedence of the operator. Operators of a higher one bind tighter.
    pub precedence: u8,
}

/// The precedence of comparisons. That of arithmetic operators is higher.
pub(super) const COMPARISON: u8 = 4;

/// The operators on two values.
pub(super) static OPERATORS: [ValueOperator; 11] = [
    ValueOperator { sign: "==", function: "jq::eq", precedence: COMPARISON },
    ValueOperator { sign: "!=", function: "jq::ne", precedence: COMPARISON },
    ValueOperator { sign: "<", function: "jq::lt", precedence: COMPARISON },
    ValueOperator { sign: "<=", function: "jq::le", precedence: COMPARISON },
    ValueOperator { sign: ">", function: "jq::gt", precedence: COMPARISON },
    ValueOperator { sign: ">=", function: "jq::ge", precedence: COMPARISON },
    ValueOperator { sign: "+", function: "jq::add", precedence: 5 },
    ValueOperator { sign: "-", function: "jq::sub", precedence: 5 },
    ValueOperator { sign: "*", function: "jq::mul", precedence: 6 },
    ValueOperator { sign: "/", function: "jq::div", precedence: 6 },
    ValueOperator { sign: "%", function: "jq::rem", precedence: 6 },
];

impl ValueOperator {
    /// Returns `true` if the operator computes a number or another value, rather than a test.
    pub fn is_arithmetic(&self) -> bool {
        self.precedence > COMPARISON
    }
}

impl Binary {
    /// Returns the operator as written.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::Alternative => "//",
            Binary::Or => "or",
            Binary::And => "and",
            Binary::Values(operator) => operator.sign,
        }
    }

    /// Returns `true` if the operator yields a boolean.
    pub fn is_test(self) -> bool {
        match self {
            Binary::Alternative => false,
            Binary::Or | Binary::And => true,
            Binary::Values(operator) => !operator.is_arithmetic(),
        }
    }
}

/// An update operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Update {
    /// `=`
    Assign,
    /// `|=`
    Modify,
    /// `//=`
    Default,
    /// `+=` and the other arithmetic updates.
    Math(&'static ValueOperator),
}

/// A destructuring pattern.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pattern {
    /// `$name`
    Variable(String),
    /// `[p, q]`, with the positions as keys.
    Array(Vec<PatternMember>),
    /// `{…}`
    Object(Vec<PatternMember>),
}

/// A member of a pattern: `$name`, `key: pattern`, `$name: pattern`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PatternMember {
    /// The variable that is bound to the whole member.
    pub variable: Option<String>,
    pub key: Term,
    pub value: Option<Pattern>,
}

/// `def name(a; $b): body;`
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FunctionDef {
    pub name: String,
    /// The byte range of the name.
    pub at: Range<usize>,
    /// The parameters. Names of value parameters begin with `$`.
    pub params: Vec<String>,
    pub body: Term,
}

impl Term {
    /// Returns a string without interpolations.
    pub fn string(text: &str, at: Range<usize>) -> Term {
        let pieces = if text.is_empty() { Vec::new() } else { vec![StringPiece::Text(text.to_owned())] };
        Term { at, kind: TermKind::Text(None, pieces), depth: 1 }
    }

    /// Returns the text of a string without interpolations.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            TermKind::Text(_, pieces) => match &pieces[..] {
                [] => Some(""),
                [StringPiece::Text(text)] => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the direct subterms.
    pub fn parts(&self) -> Vec<&Term> {
        let mut parts = Vec::new();
        self.children(&mut |part| parts.push(part));
        parts
    }

    /// Calls `visit` with each direct subterm.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Term)) {
        let patterns = |patterns: &'a [Pattern], visit: &mut dyn FnMut(&'a Term)| {
            patterns.iter().for_each(|pattern| pattern.terms(visit));
        };
        match &self.kind {
            TermKind::Identity
            | TermKind::Descend
            | TermKind::Number(_)
            | TermKind::Format(_)
            | TermKind::Array(None)
            | TermKind::Break(_)
            | TermKind::Variable(_) => {}
            TermKind::Text(_, pieces) => pieces.iter().for_each(|piece| {
                if let StringPiece::Term(inner) = piece {
                    visit(inner);
                }
            }),
            TermKind::Object(members) => members.iter().for_each(|member| {
                visit(&member.key);
                member.value.iter().for_each(&mut *visit);
            }),
            TermKind::Pipe(parts) | TermKind::Comma(parts) | TermKind::Call(_, parts) => parts.iter().for_each(visit),
            TermKind::Array(Some(inner))
            | TermKind::Negate(inner)
            | TermKind::Label(_, inner)
            | TermKind::Iterate(inner, _) => visit(inner),
            TermKind::Binary(_, left, right) | TermKind::Update(_, left, right) | TermKind::Index(left, right, _) => {
                visit(left);
                visit(right);
            }
            TermKind::Bind(source, shapes, body) => {
                visit(source);
                patterns(shapes, visit);
                visit(body);
            }
            TermKind::Reduce(source, shapes, init, update) => {
                visit(source);
                patterns(shapes, visit);
                visit(init);
                visit(update);
            }
            TermKind::Foreach(source, shapes, init, update, extract) => {
                visit(source);
                patterns(shapes, visit);
                visit(init);
                visit(update);
                extract.iter().for_each(|extract| visit(extract));
            }
            TermKind::If(test, then, otherwise) => {
                visit(test);
                visit(then);
                otherwise.iter().for_each(|otherwise| visit(otherwise));
            }
            TermKind::Try(body, handler) => {
                visit(body);
                handler.iter().for_each(|handler| visit(handler));
            }
            TermKind::Define(definition, body) => {
                visit(&definition.body);
                visit(body);
            }
            TermKind::Slice(base, from, to, _) => {
                visit(base);
                from.iter().chain(to).for_each(|bound| visit(bound));
            }
        }
    }
}

impl Pattern {
    /// Calls `visit` with the keys that have to be evaluated.
    pub fn terms<'a>(&'a self, visit: &mut dyn FnMut(&'a Term)) {
        match self {
            Pattern::Variable(_) => {}
            Pattern::Array(members) | Pattern::Object(members) => members.iter().for_each(|member| {
                visit(&member.key);
                member.value.iter().for_each(|value| value.terms(visit));
            }),
        }
    }

    /// Returns the names of the variables, in binding order.
    pub fn variables(&self) -> Vec<&str> {
        let mut variables = Vec::new();
        self.collect(&mut variables);
        variables
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a str>) {
        match self {
            Pattern::Variable(name) => found.push(name),
            Pattern::Array(members) | Pattern::Object(members) => members.iter().for_each(|member| {
                found.extend(member.variable.as_deref());
                member.value.iter().for_each(|value| value.collect(found));
            }),
        }
    }
}
