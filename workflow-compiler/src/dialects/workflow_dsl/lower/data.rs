//! Lowering of filters and values.

use super::super::ast::{Filter, StringPiece, Templated};
use super::super::functions::{ADDRESS, MEMBER, MERGED, TEXT};
use super::Cx;
use crate::expr::{Arg, Expr, Literal, LocalId, jq};

impl Cx<'_> {
    /// Returns the filtered data. Returns `None` for the identity, and after reporting an error.
    pub(super) fn filtered(
        &mut self,
        filter: &Filter,
        data: LocalId,
        what: &str,
        response: Option<LocalId>,
    ) -> Option<Expr> {
        match filter {
            Filter::All => None,
            Filter::Map(items, _) => {
                let member =
                    |source: &str| Expr::call(&MEMBER, vec![Arg::Value(Expr::Local(data)), Arg::Str(source.into())]);
                let members = items.iter().map(|item| {
                    let value = item.source.as_ref().map_or(Expr::Local(data), |source| member(&source.value));
                    (item.target.value.clone(), value)
                });
                Some(Expr::Object(members.collect()))
            }
            Filter::Merge(names, _) => {
                let names = names.iter().map(|name| name.value.clone()).collect();
                Some(Expr::call(&MERGED, vec![Arg::Value(Expr::Local(data)), Arg::Strs(names)]))
            }
            Filter::Jq(expression) => self.jq(expression, what, jq::ResultMode::Value, data, response),
        }
    }

    /// Returns a value with its expressions evaluated.
    pub(super) fn value(&mut self, value: &Templated, what: &str, data: LocalId) -> Option<Expr> {
        Some(match value {
            Templated::Constant(node) => Expr::Literal(Literal::from(node)),
            Templated::Expression(expression) => self.jq(expression, what, jq::ResultMode::Value, data, None)?,
            Templated::Text(pieces) => Expr::call(&TEXT, vec![Arg::List(self.pieces(pieces, what, data)?)]),
            Templated::Array(items) => {
                // Every part is lowered, so that all errors are reported.
                let items: Vec<Option<Expr>> = items.iter().map(|item| self.value(item, what, data)).collect();
                Expr::Array(items.into_iter().collect::<Option<_>>()?)
            }
            Templated::Object(members) => self.members(members, what, data)?,
        })
    }

    /// Returns an object with the expressions in its values evaluated.
    pub(super) fn members(&mut self, members: &[(String, Templated)], what: &str, data: LocalId) -> Option<Expr> {
        let member = |(name, value): &(String, Templated)| Some((name.clone(), self.value(value, what, data)?));
        let members: Vec<Option<(String, Expr)>> = members.iter().map(member).collect();
        Some(Expr::Object(members.into_iter().collect::<Option<_>>()?))
    }

    /// Returns a URL. The value of an expression cannot leave the part of the URL in which it
    /// stands, unless the URL begins with it.
    pub(super) fn address(&mut self, pieces: &[StringPiece], data: LocalId) -> Option<Expr> {
        if let [StringPiece::Text(text)] = pieces {
            return Some(Expr::Literal(Literal::String(text.clone())));
        }
        let kinds = pieces.iter().enumerate().map(|(at, piece)| match piece {
            StringPiece::Expression(_) if at > 0 => 'v',
            StringPiece::Expression(_) => 's',
            StringPiece::Text(_) => 't',
        });
        let kinds: String = kinds.collect();
        Some(Expr::call(&ADDRESS, vec![Arg::List(self.pieces(pieces, "address", data)?), Arg::Str(kinds.into())]))
    }

    fn pieces(&mut self, pieces: &[StringPiece], what: &str, data: LocalId) -> Option<Vec<Expr>> {
        let piece = |piece: &StringPiece| match piece {
            StringPiece::Text(text) => Some(Expr::Literal(Literal::String(text.clone()))),
            StringPiece::Expression(expression) => self.jq(expression, what, jq::ResultMode::Value, data, None),
        };
        let pieces: Vec<Option<Expr>> = pieces.iter().map(piece).collect();
        pieces.into_iter().collect()
    }
}
