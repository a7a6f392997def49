//! Shapes of the locals at a place.

use crate::expr::{Expr, LocalId};
use crate::shapes::{AnyReason, Shape};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The shapes of the locals at a place. Of a local that is not listed nothing is known. A clone
/// shares the shapes until it changes. Comparisons ignore the reasons.
#[derive(Debug, Clone, Default)]
pub struct LocalShapes {
    shapes: Arc<BTreeMap<LocalId, Shape>>,
    /// The reasons why nothing is known of the others.
    reasons: Arc<BTreeMap<LocalId, AnyReason>>,
}

impl PartialEq for LocalShapes {
    fn eq(&self, other: &LocalShapes) -> bool {
        Arc::ptr_eq(&self.shapes, &other.shapes) || self.shapes == other.shapes
    }
}

impl LocalShapes {
    /// Returns what is known of a local.
    pub fn get(&self, local: LocalId) -> Shape {
        self.shapes.get(&local).cloned().unwrap_or_else(Shape::any)
    }

    /// Returns `true` if anything is known of a local.
    pub fn has(&self, local: LocalId) -> bool {
        self.shapes.contains_key(&local)
    }

    /// Returns the reason why nothing is known of a local.
    pub fn reason(&self, local: LocalId) -> AnyReason {
        self.reasons.get(&local).copied().unwrap_or(AnyReason::Joined)
    }

    /// Returns the reason why nothing is known of values, if nothing is.
    pub fn reason_of<'x>(&self, values: impl IntoIterator<Item = &'x Expr>) -> AnyReason {
        // A value put into unknown data, or selected from unknown data, is unknown.
        let unknown = values.into_iter().flat_map(Expr::locals).find(|local| !self.has(*local));
        unknown.map_or(AnyReason::Computed, |local| self.reason(local))
    }

    /// Notes the reason why nothing is known of a local, if nothing is.
    pub fn note_reason(&mut self, local: LocalId, reason: AnyReason) {
        if !self.has(local) {
            self.forget_for(local, reason);
        }
    }

    /// Forgets a local, for a reason.
    pub fn forget_for(&mut self, local: LocalId, reason: AnyReason) {
        self.set(local, Shape::any());
        if self.reasons.get(&local) != Some(&reason) {
            Arc::make_mut(&mut self.reasons).insert(local, reason);
        }
    }

    /// Sets what is known of a local.
    pub fn set(&mut self, local: LocalId, shape: Shape) {
        let shapes = Arc::make_mut(&mut self.shapes);
        match shape.is_unknown() {
            true => shapes.remove(&local),
            false => shapes.insert(local, shape),
        };
    }

    /// Forgets the locals for which `keep` returns `false`.
    pub fn retain(&mut self, keep: impl Fn(LocalId) -> bool) {
        Arc::make_mut(&mut self.shapes).retain(|local, _| keep(*local));
    }

    /// Iterates over the known locals.
    pub fn iter(&self) -> impl Iterator<Item = (LocalId, &Shape)> {
        self.shapes.iter().map(|(local, shape)| (*local, shape))
    }

    /// Returns the number of known locals.
    pub fn len(&self) -> usize {
        self.shapes.len()
    }

    /// Returns what is known at a place that either of two ways leads to.
    pub fn join(&self, other: &LocalShapes) -> LocalShapes {
        self.merge(other, |own, other| own.join(other))
    }

    /// Returns what [`LocalShapes::join`] does, without the details that grow.
    pub fn widen(&self, next: &LocalShapes) -> LocalShapes {
        self.merge(next, |own, next| own.widen(next))
    }

    /// Returns what [`LocalShapes::join`] does, without the locals that change.
    pub fn forget(&self, next: &LocalShapes) -> LocalShapes {
        self.merge(next, |own, next| if next.is_within(own) { own.clone() } else { Shape::any() })
    }

    fn merge(&self, other: &LocalShapes, merge: impl Fn(&Shape, &Shape) -> Shape) -> LocalShapes {
        if Arc::ptr_eq(&self.shapes, &other.shapes) {
            return self.clone();
        }
        let both = self.shapes.iter().filter_map(|(local, own)| Some((*local, merge(own, other.shapes.get(local)?))));
        let shapes = Arc::new(both.filter(|(_, shape)| !shape.is_unknown()).collect());
        // A local that is known on one way has another reason than before.
        let reason = |(local, own): (&LocalId, &AnyReason)| {
            let is_same = other.reasons.get(local) == Some(own) && !other.has(*local) && !self.has(*local);
            is_same.then_some((*local, *own))
        };
        LocalShapes { shapes, reasons: Arc::new(self.reasons.iter().filter_map(reason).collect()) }
    }

    /// Returns the locals without single constants.
    pub fn generalised(&self) -> LocalShapes {
        let shapes = self.shapes.iter().map(|(local, shape)| (*local, shape.generalised()));
        let shapes = Arc::new(shapes.filter(|(_, shape)| !shape.is_unknown()).collect());
        LocalShapes { shapes, reasons: Arc::clone(&self.reasons) }
    }

    /// Adds another way to a place that may have been without one.
    pub fn add(place: &mut Option<LocalShapes>, other: &LocalShapes) {
        *place = Some(match place.take() {
            Some(own) => own.join(other),
            None => other.clone(),
        });
    }
}
