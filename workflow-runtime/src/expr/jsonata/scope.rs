//! Scopes of variables.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use super::error::Result;
use super::item::Item;
use super::release;
use super::run::Evaluation;

/// The size of a variable in a scope, in bytes.
pub(super) const BINDING: usize = size_of::<Binding>();
/// The size of a scope without its variables, in bytes.
const SCOPE: usize = size_of::<VariableScope>() + 2 * size_of::<usize>();

/// The number of variables whose comparison costs a step.
pub(super) const SEARCHED: usize = 8;

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
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn bind(&self, run: &mut Evaluation, key: BindingKey, value: Option<Item>) -> Result<()> {
        self.count_search(run)?;
        run.reserve(1, BINDING)?;
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
        Ok(())
    }

    /// Returns the value of a variable in the innermost scope that binds it.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn variable(&self, run: &mut Evaluation, name: &str) -> Result<Option<Option<Item>>> {
        self.find(run, |binding| is_name(binding, name), |binding| binding.value.clone())
    }

    /// Returns `true` if a scope binds the variable.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn binds(&self, run: &mut Evaluation, name: &str) -> Result<bool> {
        Ok(self.find(run, |binding| is_name(binding, name), |_| ())?.is_some())
    }

    /// Returns the value of a slot.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn slot(&self, run: &mut Evaluation, slot: usize) -> Result<Option<Item>> {
        let is_slot = |binding: &Binding| binding.key == BindingKey::Slot(slot);
        Ok(self.find(run, is_slot, |binding| binding.value.clone())?.flatten())
    }

    /// Returns what `read` takes from the innermost variable that is wanted.
    fn find<T>(
        &self,
        run: &mut Evaluation,
        is_wanted: impl Fn(&Binding) -> bool,
        read: impl Fn(&Binding) -> T,
    ) -> Result<Option<T>> {
        let mut next = Some(self);
        while let Some(scope) = next {
            scope.count_search(run)?;
            if let Some(binding) = scope.bindings.borrow().iter().find(|binding| is_wanted(binding)) {
                return Ok(Some(read(binding)));
            }
            next = scope.parent.as_deref();
        }
        Ok(None)
    }

    /// Counts the steps of a search in this scope. Few variables cost none.
    fn count_search(&self, run: &mut Evaluation) -> Result<()> {
        let count = self.bindings.borrow().len();
        run.steps((count / SEARCHED) as u64)
    }

    /// Takes the variables of the scope.
    pub(super) fn clear(&self) {
        let mut bindings = std::mem::take(&mut *self.bindings.borrow_mut());
        release::bindings(&mut bindings);
    }
}

/// Returns `true` for the variable of a name.
fn is_name(binding: &Binding, name: &str) -> bool {
    matches!(&binding.key, BindingKey::Name(bound) if **bound == *name)
}

impl Drop for VariableScope {
    fn drop(&mut self) {
        release::bindings(self.bindings.get_mut());
        // A chain of scopes is as long as the text is nested.
        let mut parent = self.parent.take();
        while let Some(scope) = parent {
            match Rc::try_unwrap(scope) {
                Ok(mut scope) => parent = scope.parent.take(),
                Err(_) => break,
            }
        }
    }
}
