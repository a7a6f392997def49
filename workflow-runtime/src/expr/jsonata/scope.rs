//! Scopes of variables.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::item::Item;
use super::release;

/// The size of a variable in a scope, in bytes.
pub(super) const BINDING: usize = size_of::<Binding>();
/// The size of a scope without its variables, in bytes.
const SCOPE: usize = size_of::<VariableScope>() + 2 * size_of::<usize>();

/// The name of a binding.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum BindingKey {
    /// A variable, without `$`.
    Name(Arc<str>),
    /// The slot of an ancestor, see [`workflow_jsonata::Step::ancestors`].
    Slot(usize),
}

/// A variable with its value.
#[derive(Clone)]
pub(super) struct Binding {
    /// The name.
    pub key: BindingKey,
    /// The value, or nothing.
    pub value: Option<Item>,
}

/// A scope.
#[derive(Default)]
pub(crate) struct VariableScope {
    /// The scope around it.
    parent: Option<Rc<VariableScope>>,
    /// The variables of the scope.
    bindings: RefCell<Vec<Binding>>,
    /// `true` if a closure holds the scope, which can make it hold itself.
    pub(super) is_captured: Cell<bool>,
}

impl VariableScope {
    /// Creates a scope inside of another one.
    pub(super) fn inside(parent: &Rc<VariableScope>, bindings: Vec<Binding>) -> Rc<VariableScope> {
        Rc::new(VariableScope {
            parent: Some(Rc::clone(parent)),
            bindings: RefCell::new(bindings),
            is_captured: Cell::new(false),
        })
    }

    /// Returns the scope around it.
    pub(super) fn parent(&self) -> Option<&Rc<VariableScope>> {
        self.parent.as_ref()
    }

    /// Returns the size of the scope with its variables, in bytes.
    pub(super) fn size(&self) -> usize {
        self.bindings.borrow().len().saturating_mul(BINDING).saturating_add(SCOPE)
    }

    /// Binds a variable of this scope.
    pub(super) fn bind(&self, key: BindingKey, value: Option<Item>) {
        let mut bindings = self.bindings.borrow_mut();
        let replaced = match bindings.iter_mut().find(|binding| binding.key == key) {
            Some(binding) => std::mem::replace(&mut binding.value, value),
            None => {
                bindings.push(Binding { key, value });
                None
            }
        };
        // The drop of a value can reach this scope.
        drop(bindings);
        drop(replaced);
    }

    /// Returns the value of a variable in the innermost scope that binds it.
    pub(super) fn variable(&self, name: &str) -> Option<Option<Item>> {
        self.find(|key| matches!(key, BindingKey::Name(bound) if **bound == *name))
    }

    /// Returns `true` if a scope binds the variable.
    pub(super) fn binds(&self, name: &str) -> bool {
        let mut next = Some(self);
        while let Some(scope) = next {
            let is_name = |binding: &Binding| matches!(&binding.key, BindingKey::Name(bound) if **bound == *name);
            if scope.bindings.borrow().iter().any(is_name) {
                return true;
            }
            next = scope.parent.as_deref();
        }
        false
    }

    /// Returns the value of a slot.
    pub(super) fn slot(&self, slot: usize) -> Option<Item> {
        self.find(|key| *key == BindingKey::Slot(slot)).flatten()
    }

    fn find(&self, is_wanted: impl Fn(&BindingKey) -> bool) -> Option<Option<Item>> {
        let mut next = Some(self);
        while let Some(scope) = next {
            if let Some(binding) = scope.bindings.borrow().iter().find(|binding| is_wanted(&binding.key)) {
                return Some(binding.value.clone());
            }
            next = scope.parent.as_deref();
        }
        None
    }

    /// Takes the variables of the scope.
    pub(super) fn clear(&self) {
        let mut bindings = std::mem::take(&mut *self.bindings.borrow_mut());
        release::bindings(&mut bindings);
    }
}

impl Drop for VariableScope {
    fn drop(&mut self) {
        release::bindings(self.bindings.get_mut());
        // A chain of scopes is as long as the nesting of the text and of calls, unless calls
        // build it.
        let mut parent = self.parent.take();
        while let Some(scope) = parent {
            match Rc::try_unwrap(scope) {
                Ok(mut scope) => parent = scope.parent.take(),
                Err(_) => break,
            }
        }
    }
}
