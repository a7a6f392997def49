//! Names for the locals of lowered programs.

use super::Lowering;
use crate::expr::Literal;
use crate::expr::core::Atom;
use crate::expr::jq::ast::{Binary, Pattern, Term, TermKind};
use crate::names::snake_case;

/// Returns a name for the value of a term.
pub(super) fn hint(term: &Term) -> String {
    match &term.kind {
        TermKind::Index(base, key, _) => match key.as_str() {
            Some(key) if !key.is_empty() => snake_case(key),
            _ => singular(&hint(base)),
        },
        TermKind::Iterate(base, _) => singular(&hint(base)),
        TermKind::Variable(name) => snake_case(name),
        TermKind::Pipe(parts) => parts.last().map_or_else(|| "item".to_owned(), hint),
        TermKind::Call(name, _) => hint_of_call(name),
        TermKind::Array(_) => "items".to_owned(),
        TermKind::Object(_) => "object".to_owned(),
        TermKind::Text(..) | TermKind::Format(_) => "text".to_owned(),
        TermKind::Binary(Binary::Values(operator), ..) if operator.sign == "+" => "sum".to_owned(),
        TermKind::Update(..) => "changed".to_owned(),
        TermKind::Define(_, body) | TermKind::Bind(_, _, body) => hint(body),
        _ => "item".to_owned(),
    }
}

/// Returns a name for the result of a function.
pub(super) fn hint_of_call(name: &str) -> String {
    match name {
        "to_entries" => "entries".to_owned(),
        "map" => "items".to_owned(),
        "select" => "item".to_owned(),
        _ if name.len() < 3 => "item".to_owned(),
        _ => snake_case(name),
    }
}

/// Returns a name for the member with this key.
pub(super) fn hint_of_member(key: &Atom) -> String {
    match key {
        Atom::Literal(Literal::String(name)) if !name.is_empty() => snake_case(name),
        _ => "item".to_owned(),
    }
}

/// Returns a name for the value that a pattern takes apart.
pub(super) fn hint_of_pattern(pattern: &Pattern) -> &str {
    match pattern {
        Pattern::Variable(name) => name,
        Pattern::Array(_) => "items",
        Pattern::Object(_) => "object",
    }
}

/// Returns a name for an array of the values of a filter.
pub(super) fn hint_of_all(inner: &Term) -> String {
    match &*hint(inner) {
        "item" => "items".to_owned(),
        name if name.ends_with('s') => name.to_owned(),
        name => format!("{name}s"),
    }
}

/// Returns a name for the elements of the values of a term.
pub(super) fn hint_of_items(base: &Term) -> String {
    singular(&hint(base))
}

/// Returns the singular of a plural: `order` for `orders`.
fn singular(many: &str) -> String {
    match many.strip_suffix('s') {
        Some(one) if one.len() > 1 && !one.ends_with('s') => match one.strip_suffix("ie") {
            Some(stem) if stem.len() > 1 => format!("{stem}y"),
            _ => one.to_owned(),
        },
        _ => "item".to_owned(),
    }
}

impl Lowering<'_> {
    /// Returns a name for the elements of a value, derived from the name of the value.
    pub(super) fn hint_of_elements(&self, value: &Atom, base: &Term) -> String {
        match (value.local(), &base.kind) {
            (Some(local), TermKind::Identity) => singular(self.builder.hint(local)),
            _ => hint_of_items(base),
        }
    }
}
