//! The variables that an expression binds itself.

use std::collections::HashMap;
use std::sync::Arc;

/// The scopes around a part, the innermost last.
pub(crate) struct Scope {
    /// The names that each scope binds, with `true` if it has bound them for sure.
    frames: Vec<HashMap<Arc<str>, bool>>,
}

/// The result of looking for the binding of a name in the scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binding {
    /// A scope has bound the name.
    Bound,
    /// A scope may have bound the name.
    Possible,
    /// No scope has bound the name.
    Free,
}

impl Default for Scope {
    fn default() -> Self {
        Self { frames: vec![HashMap::new()] }
    }
}

impl Scope {
    /// Begins a scope.
    pub(crate) fn enter(&mut self) {
        self.frames.push(HashMap::new());
    }

    /// Ends the innermost scope.
    pub(crate) fn leave(&mut self) {
        self.frames.pop();
    }

    /// Binds a name in the innermost scope.
    pub(crate) fn bind(&mut self, name: &Arc<str>, is_certain: bool) {
        if let Some(frame) = self.frames.last_mut() {
            *frame.entry(name.clone()).or_insert(false) |= is_certain;
        }
    }

    /// Returns `true` if a scope may have bound a name.
    pub(crate) fn binds(&self, name: &str) -> bool {
        self.find(name) != Binding::Free
    }

    /// Returns whether the scopes bind a name.
    pub(crate) fn find(&self, name: &str) -> Binding {
        let mut found = Binding::Free;
        for frame in self.frames.iter().rev() {
            match frame.get(name) {
                Some(true) => return Binding::Bound,
                Some(false) => found = Binding::Possible,
                None => {}
            }
        }
        found
    }
}
