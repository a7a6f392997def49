//! Variables that an expression binds, with what is known of their values.

use crate::shapes::Access;
use std::collections::HashMap;
use std::sync::Arc;

/// The variables that are bound at a place, with an index by name, so that a look-up does not
/// depend on how many there are.
#[derive(Debug, Default)]
pub struct BoundVariables {
    /// The names and the values, innermost last.
    bound: Vec<(Arc<str>, Access)>,
    /// The places of each name that is bound, innermost last.
    places: HashMap<Arc<str>, Vec<usize>>,
}

impl BoundVariables {
    /// Returns the number of bindings.
    pub fn len(&self) -> usize {
        self.bound.len()
    }

    /// Binds a name to a value.
    pub fn bind(&mut self, name: &Arc<str>, value: Access) {
        self.places.entry(Arc::clone(name)).or_default().push(self.bound.len());
        self.bound.push((Arc::clone(name), value));
    }

    /// Returns the value of a name, if it is bound.
    pub fn get(&self, name: &str) -> Option<&Access> {
        let place = self.places.get(name)?.last()?;
        self.bound.get(*place).map(|(_, value)| value)
    }

    /// Removes the bindings after the first `outer`.
    pub fn leave(&mut self, outer: usize) {
        for (name, _) in self.bound.drain(outer.min(self.bound.len())..) {
            if let Some(places) = self.places.get_mut(&name) {
                places.pop();
            }
        }
    }

    /// Forgets the values of the bindings after the first `outer`.
    pub fn forget(&mut self, outer: usize) {
        self.bound.iter_mut().skip(outer).for_each(|(_, value)| *value = Access::unknown());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Shape;

    #[test]
    fn the_innermost_binding_counts_until_its_block_ends() {
        let (x, y): (Arc<str>, Arc<str>) = (Arc::from("x"), Arc::from("y"));
        let value = |number| Access::present(Shape::whole(number));
        let shape = |bindings: &BoundVariables, name: &str| bindings.get(name).map(|value| value.shape.to_string());
        let mut bindings = BoundVariables::default();
        bindings.bind(&x, value(1));
        let outer = bindings.len();
        bindings.bind(&x, value(2));
        bindings.bind(&y, value(3));
        assert_eq!(shape(&bindings, "x").as_deref(), Some("2"));
        bindings.forget(outer);
        assert_eq!(shape(&bindings, "x").as_deref(), Some("any"));
        bindings.leave(outer);
        assert_eq!(shape(&bindings, "x").as_deref(), Some("1"));
        assert_eq!(shape(&bindings, "y"), None);
    }
}
