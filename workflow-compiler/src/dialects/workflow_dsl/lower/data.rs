//! Filters and values.

use super::super::ast::{Filter, Piece, Templated};
use super::super::functions::{ADDRESS, MEMBER, MERGED, TEXT};
use super::Cx;
use crate::expr::{Arg, Expr, Literal, LocalId, jq};

impl Cx<'_> {
    /// What a filter makes of data; nothing where that is the data themselves, or where the filter is wrong.
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
            Filter::Jq(expression) => self.jq(expression, what, jq::Mode::Value, data, response),
        }
    }

    /// A value with what its expressions yield.
    pub(super) fn value(&mut self, value: &Templated, what: &str, data: LocalId) -> Option<Expr> {
        Some(match value {
            Templated::Constant(node) => Expr::Literal(Literal::from(node)),
            Templated::Expression(expression) => self.jq(expression, what, jq::Mode::Value, data, None)?,
            Templated::Text(pieces) => Expr::call(&TEXT, vec![Arg::List(self.pieces(pieces, what, data)?)]),
            Templated::Array(items) => {
                // All are looked at, also where one is wrong.
                let items: Vec<Option<Expr>> = items.iter().map(|item| self.value(item, what, data)).collect();
                Expr::Array(items.into_iter().collect::<Option<_>>()?)
            }
            Templated::Object(members) => self.members(members, what, data)?,
        })
    }

    /// An object with what the expressions in its values yield.
    pub(super) fn members(&mut self, members: &[(String, Templated)], what: &str, data: LocalId) -> Option<Expr> {
        let member = |(name, value): &(String, Templated)| Some((name.clone(), self.value(value, what, data)?));
        let members: Vec<Option<(String, Expr)>> = members.iter().map(member).collect();
        Some(Expr::Object(members.into_iter().collect::<Option<_>>()?))
    }

    /// An address: what expressions yield stays the part of it that they stand in, except at its beginning.
    pub(super) fn address(&mut self, pieces: &[Piece], data: LocalId) -> Option<Expr> {
        if let [Piece::Text(text)] = pieces {
            return Some(Expr::Literal(Literal::String(text.clone())));
        }
        let kinds = pieces.iter().enumerate().map(|(at, piece)| match piece {
            Piece::Expression(_) if at > 0 => 'v',
            Piece::Expression(_) => 's',
            Piece::Text(_) => 't',
        });
        let kinds: String = kinds.collect();
        Some(Expr::call(&ADDRESS, vec![Arg::List(self.pieces(pieces, "address", data)?), Arg::Str(kinds.into())]))
    }

    fn pieces(&mut self, pieces: &[Piece], what: &str, data: LocalId) -> Option<Vec<Expr>> {
        let piece = |piece: &Piece| match piece {
            Piece::Text(text) => Some(Expr::Literal(Literal::String(text.clone()))),
            Piece::Expression(expression) => self.jq(expression, what, jq::Mode::Value, data, None),
        };
        let pieces: Vec<Option<Expr>> = pieces.iter().map(piece).collect();
        pieces.into_iter().collect()
    }
}
