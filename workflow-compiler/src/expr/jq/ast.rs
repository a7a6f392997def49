//! The tree of a jq program, as it was written.

use std::ops::Range;

/// A filter, and the bytes of the text that it is made of.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Term {
    pub at: Range<usize>,
    pub kind: Kind,
    /// How many terms lie inside each other here, at most.
    pub depth: usize,
}

/// What a filter is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Kind {
    /// `.`
    Identity,
    /// `..`
    Descend,
    /// A number, as it is written.
    Number(String),
    /// A string, with what is put into it, through a format if one is named (`@uri "…"`).
    Text(Option<String>, Vec<Piece>),
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
    /// Two operands.
    Binary(Binary, Box<Term>, Box<Term>),
    /// A change of what a path leads to.
    Update(Update, Box<Term>, Box<Term>),
    /// `f as PATTERN | g`; with several patterns (`?//`) the first that fits.
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
    Define(Box<Definition>, Box<Term>),
    /// `name(f; g)`
    Call(String, Vec<Term>),
    /// `$name`
    Variable(String),
    /// `f.key`, `f[g]`; with `?` if the last is set.
    Index(Box<Term>, Box<Term>, bool),
    /// `f[g:h]`; with `?` if the last is set.
    Slice(Box<Term>, Option<Box<Term>>, Option<Box<Term>>, bool),
    /// `f[]`; with `?` if the last is set.
    Iterate(Box<Term>, bool),
}

/// A part of a string.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    /// Characters, without escapes.
    Text(String),
    /// `\(f)`
    Term(Term),
}

/// A member of an object that is made. Without a value it is the member of that name of the input, or the variable.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub key: Term,
    pub value: Option<Term>,
}

/// Operators that make a value of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    And,
    Or,
    /// `//`
    Alternative,
}

/// Operators that change what a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Update {
    /// `=`
    Assign,
    /// `|=`
    Modify,
    /// `//=`
    Default,
    /// `+=` and the like.
    Math(Binary),
}

/// What a value is taken apart by.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pattern {
    /// `$name`
    Variable(String),
    /// `[p, q]`
    Array(Vec<Pattern>),
    /// `{…}`
    Object(Vec<PatternMember>),
}

/// A member of a pattern: `$name`, `key: pattern`, `$name: pattern`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PatternMember {
    /// The variable that the whole member is bound to.
    pub variable: Option<String>,
    pub key: Term,
    pub value: Option<Pattern>,
}

/// `def name(a; $b): body;`
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Definition {
    pub name: String,
    /// The bytes of the name.
    pub at: Range<usize>,
    /// The parameters; those that are values begin with `$`.
    pub params: Vec<String>,
    pub body: Term,
}

impl Term {
    /// A string without anything put into it.
    pub fn string(text: &str, at: Range<usize>) -> Term {
        let pieces = if text.is_empty() { Vec::new() } else { vec![Piece::Text(text.to_owned())] };
        Term { at, kind: Kind::Text(None, pieces), depth: 1 }
    }

    /// The text, where it is a string that is always the same.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(_, pieces) => match &pieces[..] {
                [] => Some(""),
                [Piece::Text(text)] => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// Calls `visit` with the terms that it is directly made of.
    pub fn children<'a>(&'a self, visit: &mut dyn FnMut(&'a Term)) {
        let patterns = |patterns: &'a [Pattern], visit: &mut dyn FnMut(&'a Term)| {
            patterns.iter().for_each(|pattern| pattern.terms(visit));
        };
        match &self.kind {
            Kind::Identity
            | Kind::Descend
            | Kind::Number(_)
            | Kind::Format(_)
            | Kind::Array(None)
            | Kind::Break(_)
            | Kind::Variable(_) => {}
            Kind::Text(_, pieces) => pieces.iter().for_each(|piece| {
                if let Piece::Term(inner) = piece {
                    visit(inner);
                }
            }),
            Kind::Object(members) => members.iter().for_each(|member| {
                visit(&member.key);
                member.value.iter().for_each(&mut *visit);
            }),
            Kind::Pipe(parts) | Kind::Comma(parts) | Kind::Call(_, parts) => parts.iter().for_each(visit),
            Kind::Array(Some(inner)) | Kind::Negate(inner) | Kind::Label(_, inner) | Kind::Iterate(inner, _) => {
                visit(inner)
            }
            Kind::Binary(_, left, right) | Kind::Update(_, left, right) | Kind::Index(left, right, _) => {
                visit(left);
                visit(right);
            }
            Kind::Bind(source, shapes, body) => {
                visit(source);
                patterns(shapes, visit);
                visit(body);
            }
            Kind::Reduce(source, shapes, init, update) => {
                visit(source);
                patterns(shapes, visit);
                visit(init);
                visit(update);
            }
            Kind::Foreach(source, shapes, init, update, extract) => {
                visit(source);
                patterns(shapes, visit);
                visit(init);
                visit(update);
                extract.iter().for_each(|extract| visit(extract));
            }
            Kind::If(test, then, otherwise) => {
                visit(test);
                visit(then);
                otherwise.iter().for_each(|otherwise| visit(otherwise));
            }
            Kind::Try(body, handler) => {
                visit(body);
                handler.iter().for_each(|handler| visit(handler));
            }
            Kind::Define(definition, body) => {
                visit(&definition.body);
                visit(body);
            }
            Kind::Slice(base, from, to, _) => {
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
            Pattern::Array(items) => items.iter().for_each(|item| item.terms(visit)),
            Pattern::Object(members) => members.iter().for_each(|member| {
                visit(&member.key);
                member.value.iter().for_each(|value| value.terms(visit));
            }),
        }
    }

    /// The names of the variables, in the order in which they are bound.
    pub fn variables(&self) -> Vec<&str> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found
    }

    fn collect<'a>(&'a self, found: &mut Vec<&'a str>) {
        match self {
            Pattern::Variable(name) => found.push(name),
            Pattern::Array(items) => items.iter().for_each(|item| item.collect(found)),
            Pattern::Object(members) => members.iter().for_each(|member| {
                found.extend(member.variable.as_deref());
                member.value.iter().for_each(|value| value.collect(found));
            }),
        }
    }
}
