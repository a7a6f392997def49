//! Parts of shapes: the values that have passed a test.

use super::kind::{Kinds, Numbers, Strings};
use super::{Access, ArrayShape, Field, KindSet, RecordShape, Shape};
use std::collections::BTreeSet;
use std::sync::Arc;

impl Shape {
    /// Returns the values of some kinds.
    pub fn only(&self, kinds: KindSet) -> Shape {
        if kinds == KindSet::ALL || self.kinds.is_some() && !self.set().meets(kinds.complement()) {
            return self.clone();
        }
        let of = self.expanded();
        let has = |kind: KindSet| kinds.meets(kind);
        let part = Kinds {
            null: of.null && has(KindSet::NULL),
            can_be_false: of.can_be_false && has(KindSet::BOOLEAN),
            can_be_true: of.can_be_true && has(KindSet::BOOLEAN),
            numbers: if has(KindSet::NUMBER) { of.numbers.clone() } else { Numbers::default() },
            strings: if has(KindSet::STRING) { of.strings.clone() } else { Strings::default() },
            array: of.array.filter(|_| has(KindSet::ARRAY)),
            object: of.object.filter(|_| has(KindSet::OBJECT)),
            ..Kinds::default()
        };
        Shape { origin: self.origin.clone(), ..part.finish() }
    }

    /// Returns the part of the shape that can equal a text.
    pub fn only_text(&self, text: &str) -> Shape {
        let can = match self.kinds().map(|kinds| &kinds.strings) {
            None | Some(Strings::Any) => true,
            Some(Strings::Known(known)) => known.contains(text),
        };
        if can { Shape { origin: self.origin.clone(), ..Shape::text(text) } } else { Shape::never() }
    }

    /// Returns the part of the shape that can equal a whole number. Numbers with a fraction of
    /// zero equal it, too.
    pub fn only_whole(&self, number: i64) -> Shape {
        let can = match self.kinds().map(|kinds| &kinds.numbers) {
            None | Some(Numbers::Whole | Numbers::Any) => true,
            Some(Numbers::Known(known)) => known.contains(&number),
        };
        if can { self.only(KindSet::NUMBER) } else { Shape::never() }
    }

    /// Returns the shape without a text.
    pub fn without_text(&self, text: &str) -> Shape {
        self.without(|kinds| match &mut kinds.strings {
            Strings::Known(known) => known.remove(text),
            Strings::Any => false,
        })
    }

    /// Returns the shape without a whole number.
    pub fn without_whole(&self, number: i64) -> Shape {
        self.without(|kinds| match &mut kinds.numbers {
            Numbers::Known(known) => known.remove(&number),
            Numbers::Whole | Numbers::Any => false,
        })
    }

    /// Returns the shape without a boolean.
    pub fn without_flag(&self, value: bool) -> Shape {
        self.without(|kinds| std::mem::take(if value { &mut kinds.can_be_true } else { &mut kinds.can_be_false }))
    }

    fn without(&self, remove: impl FnOnce(&mut Kinds) -> bool) -> Shape {
        let mut kinds = self.expanded();
        if !remove(&mut kinds) {
            return self.clone();
        }
        Shape { origin: self.origin.clone(), ..kinds.finish() }
    }

    /// Returns a shape without single constants: in place of one literal all values of its kind,
    /// and in place of null, an empty array and an empty object what may come to be there.
    pub fn generalised(&self) -> Shape {
        let Some(known) = &self.kinds else { return self.clone() };
        if known.set() == KindSet::NULL {
            return Shape::any();
        }
        let mut kinds = Kinds::clone(known);
        if matches!(&kinds.strings, Strings::Known(known) if known.len() == 1) {
            kinds.strings = Strings::Any;
        }
        if matches!(&kinds.numbers, Numbers::Known(known) if known.len() == 1) {
            kinds.numbers = Numbers::Whole;
        }
        if kinds.can_be_false || kinds.can_be_true {
            (kinds.can_be_false, kinds.can_be_true) = (true, true);
        }
        if kinds.array.as_ref().is_some_and(|array| array.most() == Some(0)) {
            kinds.array = Some(ArrayShape::open());
        } else if let Some(array) = &mut kinds.array {
            array.prefix.iter_mut().chain([&mut array.rest]).for_each(|element| *element = element.generalised());
            kinds.array = array.clone().normal();
        }
        if kinds.object.as_ref().is_some_and(|object| object.fields.is_empty() && object.is_closed()) {
            kinds.object = Some(RecordShape::open());
        } else if let Some(object) = &mut kinds.object {
            let general = |_: &str, field: &Field| Field { shape: field.shape.generalised(), ..*field };
            let fields = object.fields.map(general);
            kinds.object = RecordShape { fields, rest: object.rest.generalised() }.normal();
        }
        Shape { origin: self.origin.clone(), ..kinds.finish_like([known, known]) }
    }

    /// Returns the known strings, if there are no other values.
    pub fn known_texts(&self) -> Option<&BTreeSet<Arc<str>>> {
        match self.kinds()? {
            Kinds { strings: Strings::Known(known), .. } if self.set() == KindSet::STRING => Some(known),
            _ => None,
        }
    }

    /// Returns the shape in which a path of names leads to what `refine` makes of its value. With
    /// `exists`, the path leads to a value. The shape is without values if that cannot be.
    pub fn refined(&self, names: &[String], exists: bool, refine: &dyn Fn(Access) -> Access) -> Shape {
        let Some((name, rest)) = names.split_first() else {
            return refine(Access::present(self.clone())).shape;
        };
        let others = match exists {
            true => Shape::never(),
            false => self.only(KindSet::OBJECT.complement()),
        };
        let Some(object) = self.as_object() else { return others };
        let field = object.field(name);
        let before = Access { may_be_absent: !field.required, shape: field.shape.clone() };
        let after = match rest.is_empty() {
            true => refine(before),
            false => {
                let shape = before.shape.refined(rest, exists, refine);
                Access { may_be_absent: before.may_be_absent && !exists, shape }
            }
        };
        let after = Field { shape: after.shape, required: !after.may_be_absent };
        let is_whole = self.kinds.is_some() && (!exists || self.set() == KindSet::OBJECT);
        if is_whole && object.fields.contains_key(name) && after.is_same(&field) {
            return self.clone();
        }
        let objects = Kinds { object: object.with(name, after), ..Kinds::default() }.finish();
        Shape { origin: self.origin.clone(), ..others.join(&objects) }
    }
}
