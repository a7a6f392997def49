//! The reasons why no value of a shape fits another one.

use super::{ArrayShape, KindSet, RecordShape, Shape};
use crate::literal::PathStep;
use std::sync::Arc;

/// A reason why no value of a shape fits another one.
#[derive(Debug, Clone, PartialEq)]
pub struct Misfit {
    /// The path to the part that does not fit.
    pub path: Vec<PathStep>,
    /// The reason.
    pub reason: MisfitReason,
}

/// The reason why a part of a value does not fit.
#[derive(Debug, Clone, PartialEq)]
pub enum MisfitReason {
    /// The object never has a member that each object of the wanted shape has.
    Missing {
        /// The name of the member.
        name: Arc<str>,
        /// The shape of the member.
        wanted: Shape,
        /// The members that the object always has and that the wanted shape does not have.
        others: Vec<Arc<str>>,
    },
    /// The object always has a member that no object of the wanted shape has.
    Excess {
        /// The name of the member.
        name: Arc<str>,
        /// The members that the wanted shape has and the object never has.
        others: Vec<Arc<str>>,
    },
    /// The value never is one of the wanted ones.
    Value {
        /// The shape of the value.
        found: Shape,
        /// The wanted shape.
        wanted: Shape,
    },
    /// The array has too few or too many elements.
    Length {
        /// The least and, if it is known, the largest number of elements.
        found: (usize, Option<usize>),
        /// The same of the wanted arrays.
        wanted: (usize, Option<usize>),
    },
}

impl Shape {
    /// Returns the reasons why no value of this shape is one of the wanted shape. Each alone
    /// suffices. A shape without values has none.
    pub fn misfits(&self, wanted: &Shape) -> Vec<Misfit> {
        let mut found = Misfits { path: Vec::new(), list: Vec::new() };
        found.value(self, wanted);
        found.list
    }
}

struct Misfits {
    path: Vec<PathStep>,
    list: Vec<Misfit>,
}

impl Misfits {
    fn push(&mut self, reason: MisfitReason) {
        self.list.push(Misfit { path: self.path.clone(), reason });
    }

    fn part(&mut self, step: PathStep, found: &Shape, wanted: &Shape) {
        self.path.push(step);
        self.value(found, wanted);
        self.path.pop();
    }

    fn value(&mut self, found: &Shape, wanted: &Shape) {
        let (Some(own), Some(other)) = (found.kinds(), wanted.kinds()) else { return };
        if found.is_never() {
            return;
        }
        // Null, booleans, numbers and strings are compared as sets.
        let scalars = KindSet::OBJECT.or(KindSet::ARRAY).complement();
        let scalars_fit = !found.only(scalars).meet(&wanted.only(scalars)).is_never();
        match (own.object.as_ref().zip(other.object.as_ref()), own.array.as_ref().zip(other.array.as_ref())) {
            _ if scalars_fit => {}
            (Some((found, wanted)), None) => self.object(found, wanted),
            (None, Some((found, wanted))) => self.array(found, wanted),
            (None, None) => {
                self.push(MisfitReason::Value { found: found.clone(), wanted: wanted.clone() });
            }
            // An object or an array.
            (Some(_), Some(_)) => {}
        }
    }

    fn object(&mut self, found: &RecordShape, wanted: &RecordShape) {
        let always = |name: &Arc<str>| found.fields.get(name).is_some_and(|field| field.required);
        for (name, field) in wanted.fields.iter().filter(|(_, field)| field.required) {
            let own = found.field(name);
            if own.shape.is_never() {
                let others = found.fields.keys().filter(|name| always(name) && !wanted.fields.contains_key(name));
                let others = others.cloned().collect();
                self.push(MisfitReason::Missing { name: name.clone(), wanted: field.shape.clone(), others });
            } else {
                self.part(PathStep::Key(name.to_string()), &own.shape, &field.shape);
            }
        }
        for (name, own) in found.fields.iter().filter(|(_, own)| own.required) {
            let field = wanted.field(name);
            if field.shape.is_never() {
                let others = wanted.names().filter(|name| found.field(name).shape.is_never()).map(Arc::from);
                self.push(MisfitReason::Excess { name: name.clone(), others: others.collect() });
            } else if !field.required {
                self.part(PathStep::Key(name.to_string()), &own.shape, &field.shape);
            }
        }
    }

    fn array(&mut self, found: &ArrayShape, wanted: &ArrayShape) {
        let [own, other] = [found, wanted].map(|array| (array.least, array.most()));
        if own.1.is_some_and(|most| most < other.0) || other.1.is_some_and(|most| own.0 > most) {
            self.push(MisfitReason::Length { found: own, wanted: other });
            return;
        }
        // Of the elements after the known ones, one stands for all.
        let known = found.prefix.len().max(wanted.prefix.len());
        for at in 0..own.0.min(known + 1) {
            self.part(PathStep::Index(at as i64), found.at(at), wanted.at(at));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Field;

    fn closed(members: &[(&str, Shape, bool)]) -> Shape {
        let fields = members
            .iter()
            .map(|(name, shape, required)| (Arc::from(*name), Field { shape: shape.clone(), required: *required }));
        Shape::object(RecordShape { fields: fields.collect(), rest: Shape::never() })
    }

    /// Returns the misfits as text.
    fn misfits(found: &Shape, wanted: &Shape) -> Vec<String> {
        let shown = |misfit: &Misfit| {
            let reason = match &misfit.reason {
                MisfitReason::Missing { name, others, .. } => format!("no {name}, but {others:?}"),
                MisfitReason::Excess { name, others } => format!("{name} in place of {others:?}"),
                MisfitReason::Value { found, wanted } => format!("{found} is not {wanted}"),
                MisfitReason::Length { found, wanted } => format!("{found:?} is not {wanted:?}"),
            };
            format!("{:?} {reason}", misfit.path)
        };
        found.misfits(wanted).iter().map(shown).collect()
    }

    #[test]
    fn only_what_never_fits_is_a_misfit() {
        let receipt = closed(&[("id", Shape::string(), true), ("amount", Shape::number(), false)]);
        let [text, number, null] = [Shape::string(), Shape::number(), Shape::null()];
        let found = |members: &[(&str, Shape, bool)]| misfits(&closed(members), &receipt);
        assert_eq!(found(&[("id", text.clone(), true)]), [""; 0]);
        assert_eq!(found(&[("id", text.clone(), false), ("note", text.clone(), false)]), [""; 0]);
        assert_eq!(found(&[("amount", null.clone(), false), ("id", Shape::any(), true)]), [""; 0]);
        assert_eq!(
            found(&[("idd", text.clone(), true)]),
            ["[] no id, but [\"idd\"]", "[] idd in place of [\"amount\", \"id\"]"]
        );
        assert_eq!(found(&[("id", number.clone(), false)]), ["[Key(\"id\")] number is not string"]);
        assert_eq!(
            found(&[("id", text.clone(), true), ("amount", text.clone(), true)]),
            ["[Key(\"amount\")] string is not number"]
        );
        assert_eq!(misfits(&null, &receipt), ["[] null is not { amount?: number, id: string }"]);
        assert_eq!(misfits(&Shape::any(), &receipt), [""; 0]);
        assert_eq!(misfits(&Shape::any_object(), &receipt), [""; 0]);
        assert_eq!(misfits(&Shape::never(), &receipt), [""; 0]);
        // Null fits, and so does no object.
        assert_eq!(misfits(&null.join(&closed(&[])), &receipt.join(&null)), [""; 0]);
        assert_eq!(misfits(&closed(&[]), &receipt.join(&null)), ["[] no id, but []"]);
    }

    #[test]
    fn arrays_are_compared_element_by_element() {
        let two = Shape::tuple(vec![Shape::string(), Shape::number()]);
        assert_eq!(misfits(&two, &Shape::list(Shape::string())), ["[Index(1)] number is not string"]);
        assert_eq!(misfits(&two, &Shape::tuple(vec![Shape::string()])), ["[] (2, Some(2)) is not (1, Some(1))"]);
        assert_eq!(misfits(&Shape::list(Shape::number()), &Shape::list(Shape::string())), [""; 0]);
        let some = Shape::array(ArrayShape { prefix: Vec::new(), rest: Shape::number(), least: 5 });
        assert_eq!(misfits(&some, &Shape::list(Shape::string())), ["[Index(0)] number is not string"]);
    }

    #[test]
    fn literals_outside_of_an_enumeration_never_fit() {
        let sizes = Shape::text("small").join(&Shape::text("large"));
        assert_eq!(misfits(&Shape::text("tiny"), &sizes), ["[] \"tiny\" is not \"large\" | \"small\""]);
        assert_eq!(misfits(&Shape::whole(7), &Shape::number()), [""; 0]);
        assert_eq!(misfits(&Shape::number(), &Shape::integer()), [""; 0]);
        assert_eq!(misfits(&Shape::flag(true), &Shape::flag(false)), ["[] true is not false"]);
    }
}
