//! Shapes of the locals at a place.

use crate::expr::{Expr, LocalId};
use crate::shapes::{AnyReason, Shape};
use std::sync::Arc;

/// The shapes of the locals at a place. Of a local that is not listed nothing is known. A clone
/// shares the shapes until it changes. Comparisons ignore the reasons.
#[derive(Debug, Clone, Default)]
pub struct LocalShapes {
    shapes: Arc<LocalMap<Shape>>,
    /// The reasons why nothing is known of the others.
    reasons: Arc<LocalMap<AnyReason>>,
}

/// Values of locals, in the order of the locals. Few locals are alive at a place.
type LocalMap<T> = Vec<(LocalId, T)>;

fn find<T>(map: &LocalMap<T>, local: LocalId) -> Option<&T> {
    place(map, local).ok().map(|at| &map[at].1)
}

fn place<T>(map: &LocalMap<T>, local: LocalId) -> Result<usize, usize> {
    map.binary_search_by_key(&local.0, |(local, _)| local.0)
}

fn insert<T>(map: &mut LocalMap<T>, local: LocalId, value: T) {
    match place(map, local) {
        Ok(at) => map[at].1 = value,
        Err(at) => map.insert(at, (local, value)),
    }
}

impl PartialEq for LocalShapes {
    fn eq(&self, other: &LocalShapes) -> bool {
        Arc::ptr_eq(&self.shapes, &other.shapes) || self.shapes == other.shapes
    }
}

impl LocalShapes {
    /// Returns what is known of a local.
    pub fn get(&self, local: LocalId) -> Shape {
        find(&self.shapes, local).cloned().unwrap_or_else(Shape::any)
    }

    /// Returns `true` if anything is known of a local.
    pub fn has(&self, local: LocalId) -> bool {
        find(&self.shapes, local).is_some()
    }

    /// Returns the reason why nothing is known of a local.
    pub fn reason(&self, local: LocalId) -> AnyReason {
        find(&self.reasons, local).copied().unwrap_or(AnyReason::Joined)
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
        if find(&self.reasons, local) != Some(&reason) {
            insert(Arc::make_mut(&mut self.reasons), local, reason);
        }
    }

    /// Sets what is known of a local.
    pub fn set(&mut self, local: LocalId, shape: Shape) {
        match (shape.is_unknown(), place(&self.shapes, local)) {
            (true, Err(_)) => {}
            (true, Ok(at)) => _ = Arc::make_mut(&mut self.shapes).remove(at),
            (false, Ok(at)) if self.shapes[at].1.is_same(&shape) => {}
            (false, _) => insert(Arc::make_mut(&mut self.shapes), local, shape),
        }
    }

    /// Forgets the locals for which `keep` returns `false`.
    pub fn retain(&mut self, keep: impl Fn(LocalId) -> bool) {
        if !self.shapes.iter().all(|(local, _)| keep(*local)) {
            Arc::make_mut(&mut self.shapes).retain(|(local, _)| keep(*local));
        }
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
        let is_same = Arc::ptr_eq(&self.shapes, &other.shapes);
        if is_same && Arc::ptr_eq(&self.reasons, &other.reasons) {
            return self.clone();
        }
        let mut shapes = LocalMap::with_capacity(self.shapes.len());
        for (local, own) in &*self.shapes {
            let Some(other) = find(&other.shapes, *local) else { continue };
            let merged = merge(own, other);
            if !merged.is_unknown() {
                shapes.push((*local, merged));
            }
        }
        // A local that is known on one way has another reason than before.
        let mut reasons = LocalMap::with_capacity(self.reasons.len());
        for (local, own) in &*self.reasons {
            if find(&other.reasons, *local) == Some(own) && !other.has(*local) && !self.has(*local) {
                reasons.push((*local, *own));
            }
        }
        LocalShapes { shapes: Arc::new(shapes), reasons: Arc::new(reasons) }
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
