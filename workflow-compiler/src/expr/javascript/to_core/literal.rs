//! Lowering of objects, arrays, and texts.

use super::expr::Key;
use super::{ToCore, callees};
use crate::expr::Literal;
use crate::expr::core::{Atom, Computation, CoreType};
use crate::expr::javascript::ir::{Expr, Item, Member, MemberKey, TextPiece, Unary};

impl ToCore<'_> {
    pub(super) fn object(&mut self, members: &[Member]) -> Atom {
        let values: Vec<&Expr> = members.iter().flat_map(Member::values).collect();
        let mut later = &values[..];
        let mut pairs = Vec::new();
        for member in members {
            let Member::Value(MemberKey::Name(name, _), value) = member else { break };
            later = &later[1..];
            pairs.push((name.clone(), self.operand(value, later.iter().copied())));
        }
        let rest = &members[pairs.len()..];
        let object = Atom::Local(self.core.bind("object", CoreType::Value, Computation::Object(pairs)));
        for member in rest {
            match member {
                Member::Value(MemberKey::Name(name, _), value) => {
                    let value = self.atom(value);
                    self.set(&object, &Key::Name(name.clone()), &value);
                }
                Member::Value(key, value) => {
                    let key = self.key(key, Some(value));
                    let value = self.atom(value);
                    self.set(&object, &key, &value);
                }
                Member::Spread(value) => {
                    let value = self.atom(value);
                    self.run(callees::SPREAD_OBJECT, &[&object, &value]);
                }
            }
        }
        object
    }

    pub(super) fn array(&mut self, items: &[Item]) -> Atom {
        let first = items.iter().take_while(|item| matches!(item, Item::Value(_))).count();
        let values = self.items(&items[..first]);
        let array = Atom::Local(self.core.bind("items", CoreType::Value, Computation::Array(values)));
        for item in &items[first..] {
            let value = self.atom(item.value());
            let added = match item {
                Item::Value(_) => {
                    let one = Computation::Array(vec![value]);
                    Atom::Local(self.core.bind("added", CoreType::Value, one))
                }
                Item::Spread(_) => value,
            };
            self.run(callees::SPREAD_ARRAY, &[&array, &added]);
        }
        array
    }

    /// Lowers values in order.
    pub(super) fn items(&mut self, items: &[Item]) -> Vec<Atom> {
        let mut values = Vec::new();
        for (at, item) in items.iter().enumerate() {
            values.push(self.operand(item.value(), items[at + 1..].iter().map(Item::value)));
        }
        values
    }

    /// Lowers a concatenation to a text that is no value yet.
    pub(super) fn template(&mut self, pieces: &[TextPiece]) -> Atom {
        let pieces = pieces.iter().map(|piece| self.piece(piece)).collect();
        let pieces = Atom::Local(self.core.bind("pieces", CoreType::Items, Computation::Texts(pieces)));
        self.call("text", callees::CONCAT, &[&pieces])
    }

    fn piece(&mut self, piece: &TextPiece) -> Atom {
        let (value, is_added) = match piece {
            TextPiece::Text(text) => return Atom::Literal(Literal::String(text.clone())),
            TextPiece::Value(value) => (value, false),
            TextPiece::Added(value) => (value, true),
        };
        match value {
            Expr::String(text) => Atom::Literal(Literal::String(text.clone())),
            Expr::Template(pieces) => self.template(pieces),
            Expr::Unary(Unary::TypeOf, inner) => self.type_of(inner),
            _ => {
                let value = self.atom(value);
                match self.core.ty(&value) {
                    CoreType::Number => self.call("text", callees::NUMBER_TEXT, &[&value]),
                    _ if is_added => self.call("text", callees::ADDED, &[&value]),
                    _ => self.call("text", callees::STRING, &[&value]),
                }
            }
        }
    }
}
