//! Cardinality of filters: the number of values they yield.

use super::Lowering;
use super::call::{JqFunction, resolve};
use super::scope::JqScope;
use crate::expr::jq::ast::{Binary, FunctionDef, Term, TermKind, Update};
use crate::expr::jq::builtins::Returns;

/// The number of values that a filter yields if it does not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cardinality {
    /// Exactly one.
    One,
    /// One or none.
    Maybe,
    /// Any number.
    Many,
}

use Cardinality::{Many, Maybe, One};

/// The most filters of one program whose values may be counted, including those of functions and
/// their arguments at each call.
const MAX_COUNTED: usize = 100_000;

impl<'p> Lowering<'p> {
    /// Returns the number of values that a filter yields. It depends on the functions in scope,
    /// not on the variables. If too many filters have been counted, the answer is
    /// [`Cardinality::Many`], and the program is rejected when the next term is lowered.
    pub(super) fn cardinality(&mut self, term: &'p Term, scope: &JqScope<'p>) -> Cardinality {
        let key = (std::ptr::from_ref(term) as usize, scope.functions());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        if self.counts_too_many() {
            return Many;
        }
        // A term that is too deep is rejected when it is lowered.
        self.counted += 1;
        self.depth += 1;
        let found = if self.depth > super::MAX_NESTING { Many } else { self.count(term, scope) };
        self.depth -= 1;
        self.known.insert(key, found);
        found
    }

    /// Returns `true` if the budget of counted filters is used up.
    pub(super) fn counts_too_many(&self) -> bool {
        self.counted > MAX_COUNTED
    }

    pub(super) fn is_one(&mut self, term: &'p Term, scope: &JqScope<'p>) -> bool {
        self.cardinality(term, scope) == One
    }

    fn most(&mut self, terms: impl IntoIterator<Item = &'p Term>, scope: &JqScope<'p>) -> Cardinality {
        terms.into_iter().map(|term| self.cardinality(term, scope)).max().unwrap_or(One)
    }

    fn count(&mut self, term: &'p Term, scope: &JqScope<'p>) -> Cardinality {
        match &term.kind {
            TermKind::Identity
            | TermKind::Number(_)
            | TermKind::Format(_)
            | TermKind::Array(_)
            | TermKind::Variable(_) => One,
            TermKind::Descend | TermKind::Iterate(..) => Many,
            TermKind::Break(_) => Maybe,
            TermKind::Comma(_) => Many,
            TermKind::Binary(Binary::Alternative, left, right) => {
                let right = self.cardinality(right, scope);
                match self.cardinality(left, scope) {
                    Many => Many,
                    // The right side replaces a missing left value.
                    One | Maybe => right,
                }
            }
            TermKind::Update(Update::Modify, ..) => One,
            TermKind::Update(_, _, right) => self.cardinality(right, scope),
            TermKind::Bind(_, patterns, _) => {
                if patterns.len() > 1 {
                    Many
                } else {
                    self.most(term.parts(), scope)
                }
            }
            TermKind::Reduce(_, _, init, _) => self.cardinality(init, scope),
            TermKind::Foreach(..) => Many,
            TermKind::If(test, then, otherwise) => {
                let branches = self.most(std::iter::once(&**then).chain(otherwise.as_deref()), scope);
                match self.cardinality(test, scope) {
                    Many => Many,
                    test => test.max(branches),
                }
            }
            TermKind::Try(body, handler) => {
                let body = self.cardinality(body, scope);
                match handler {
                    None => body.max(Maybe),
                    Some(handler) => match (body, self.cardinality(handler, scope)) {
                        (Many, _) => Many,
                        (body, handler) => body.max(handler),
                    },
                }
            }
            TermKind::Label(name, body) => {
                let found = self.cardinality(body, scope);
                if breaks(body, name) { found.max(Maybe) } else { found }
            }
            TermKind::Define(definition, body) => {
                let inner = scope.function(definition, &mut self.sets);
                self.cardinality(body, &inner)
            }
            TermKind::Index(.., true) | TermKind::Slice(.., true) => self.most(term.parts(), scope).max(Maybe),
            TermKind::Call(name, arguments) => self.call_cardinality(name, arguments, scope),
            // A combination of all values of the parts.
            TermKind::Text(..)
            | TermKind::Object(_)
            | TermKind::Negate(_)
            | TermKind::Pipe(_)
            | TermKind::Binary(Binary::And | Binary::Or | Binary::Values(_), ..)
            | TermKind::Index(..)
            | TermKind::Slice(..) => self.most(term.parts(), scope),
        }
    }

    fn call_cardinality(&mut self, name: &str, arguments: &'p [Term], scope: &JqScope<'p>) -> Cardinality {
        match resolve(name, arguments.len(), scope) {
            Ok(JqFunction::Argument(term, scope)) => self.cardinality(term, &scope),
            Ok(JqFunction::Defined(definition, outer)) => self.defined(definition, arguments, &outer, scope),
            Ok(JqFunction::Native(native)) if native.returns == Returns::Many => Many,
            Ok(JqFunction::Native(_)) => self.most(arguments, scope),
            Ok(JqFunction::Special) | Err(_) => self.special_cardinality(name, arguments, scope),
        }
    }

    fn defined(
        &mut self,
        definition: &'p FunctionDef,
        arguments: &'p [Term],
        outer: &JqScope<'p>,
        scope: &JqScope<'p>,
    ) -> Cardinality {
        let values = definition.params.iter().zip(arguments).filter(|(param, _)| param.starts_with('$'));
        let of_values = self.most(values.map(|(_, argument)| argument), scope);
        let inner = self.calling(definition, arguments, outer, scope);
        of_values.max(self.cardinality(&definition.body, &inner))
    }

    fn special_cardinality(&mut self, name: &str, arguments: &'p [Term], scope: &JqScope<'p>) -> Cardinality {
        match (name, arguments.len()) {
            ("empty", 0) => Maybe,
            ("first" | "last", 1) => self.cardinality(&arguments[0], scope).min(Maybe),
            ("select", 1) => self.cardinality(&arguments[0], scope).max(Maybe),
            ("error", 1) => self.cardinality(&arguments[0], scope),
            // A filter yields one path for each value.
            ("path", 1) => self.cardinality(&arguments[0], scope),
            ("range" | "recurse" | "repeat" | "while" | "limit" | "skip", _) => Many,
            ("setpath" | "delpaths", _) => self.most(arguments, scope),
            ("until", 2) => self.most(arguments, scope),
            ("walk", 1) => self.several(&arguments[0], scope),
            ("sub" | "gsub", _) => arguments.iter().map(|argument| self.several(argument, scope)).max().unwrap_or(One),
            _ => One,
        }
    }

    /// One value, or any number.
    fn several(&mut self, term: &'p Term, scope: &JqScope<'p>) -> Cardinality {
        if self.is_one(term, scope) { One } else { Many }
    }
}

/// Returns `true` if a filter may leave the label.
fn breaks(term: &Term, label: &str) -> bool {
    let mut found = matches!(&term.kind, TermKind::Break(name) if name == label);
    term.children(&mut |child| found |= breaks(child, label));
    found
}
