//! The identity of a workflow for other workflows.

use super::{Static, Storage};

/// The id and version by which other workflows start a workflow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkflowId<S: Storage = Static> {
    /// The id.
    pub id: S::Text,
    /// The version, if there is one.
    pub version: Option<S::Text>,
    /// `true` if other workflows may start the workflow.
    pub is_child: bool,
}

impl<S: Storage> WorkflowId<S> {
    /// Returns `true` if `target` is its id, or its id and version.
    pub fn is_matched_by(&self, target: &str) -> bool {
        *target == *self.id || self.version_in(target).is_some_and(|version| Some(version) == self.version.as_deref())
    }

    /// Returns the version that `target` requests, if it has this id.
    pub fn version_in<'t>(&self, target: &'t str) -> Option<&'t str> {
        target.strip_prefix(&*self.id)?.strip_prefix('@')
    }
}
