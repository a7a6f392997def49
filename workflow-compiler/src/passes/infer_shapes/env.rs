//! Shapes of the locals at a place.

use crate::expr::LocalId;
use crate::shapes::Shape;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The shapes of the locals at a place. Of a local that is not listed nothing is known. A clone
/// shares the shapes until it changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LocalShapes(Arc<BTreeMap<LocalId, Shape>>);

impl LocalShapes {
    /// Returns what is known of a local.
    pub fn get(&self, local: LocalId) -> Shape {
        self.0.get(&local).cloned().unwrap_or_else(Shape::any)
    }

    /// Returns `true` if anything is known of a local.
    pub fn has(&self, local: LocalId) -> bool {
        self.0.contains_key(&local)
    }

    /// Sets what is known of a local.
    pub fn set(&mut self, local: LocalId, shape: Shape) {
        let shapes = Arc::make_mut(&mut self.0);
        match shape.is_unknown() {
            true => shapes.remove(&local),
            false => shapes.insert(local, shape),
        };
    }

    /// Forgets the locals for which `keep` returns `false`.
    pub fn retain(&mut self, keep: impl Fn(LocalId) -> bool) {
        Arc::make_mut(&mut self.0).retain(|local, _| keep(*local));
    }

    /// Iterates over the known locals.
    pub fn iter(&self) -> impl Iterator<Item = (LocalId, &Shape)> {
        self.0.iter().map(|(local, shape)| (*local, shape))
    }

    /// Returns the number of known locals.
    pub fn len(&self) -> usize {
        self.0.len()
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
        if Arc::ptr_eq(&self.0, &other.0) {
            return self.clone();
        }
        let both = self.0.iter().filter_map(|(local, own)| Some((*local, merge(own, other.0.get(local)?))));
        LocalShapes(Arc::new(both.filter(|(_, shape)| !shape.is_unknown()).collect()))
    }

    /// Returns the locals without single constants.
    pub fn generalised(&self) -> LocalShapes {
        let shapes = self.0.iter().map(|(local, shape)| (*local, shape.generalised()));
        LocalShapes(Arc::new(shapes.filter(|(_, shape)| !shape.is_unknown()).collect()))
    }

    /// Adds another way to a place that may have been without one.
    pub fn add(place: &mut Option<LocalShapes>, other: &LocalShapes) {
        *place = Some(match place.take() {
            Some(own) => own.join(other),
            None => other.clone(),
        });
    }
}
