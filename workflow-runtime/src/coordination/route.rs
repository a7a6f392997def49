//! The workflows that an event is for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::event::CloudEvent;
use crate::machine::{Definition, TriggerMatch};
use crate::value::Str;

/// An event, with the workflows that wait for it in any version, and their names for it.
#[derive(Debug, Clone)]
pub struct RoutedEvent {
    /// The event.
    pub event: Arc<CloudEvent>,
    /// The kinds that the event is of, by the name of the workflow.
    pub workflows: BTreeMap<&'static str, Vec<RoutedKind>>,
    /// The workflows that the event starts, by their names.
    pub starts: BTreeMap<&'static str, TriggerMatch>,
}

/// The event kind of a definition that matches an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutedKind {
    /// The name in the definition.
    pub name: &'static str,
    /// The correlation key of the executions that the event is for; `None` is all.
    pub correlation: Option<Str>,
}

impl RoutedEvent {
    /// Finds the workflows that wait for an event, and those that it starts. Of several
    /// definitions with one name the first is the current one, which events start. The others are
    /// older or newer versions, of which executions may exist.
    pub fn new(event: Arc<CloudEvent>, definitions: impl IntoIterator<Item = &'static Definition>) -> RoutedEvent {
        let mut workflows = BTreeMap::<&'static str, Vec<RoutedKind>>::new();
        let mut starts = BTreeMap::<&'static str, TriggerMatch>::new();
        let mut seen = BTreeSet::new();
        for definition in definitions {
            for kind in definition.events.iter().filter(|kind| kind.matches(&event)) {
                let kind = RoutedKind { name: kind.name, correlation: kind.correlation_of(&event) };
                let kinds = workflows.entry(definition.name).or_default();
                if !kinds.contains(&kind) {
                    kinds.push(kind);
                }
            }
            if seen.insert(definition.name) {
                starts.extend(TriggerMatch::of(definition, &event).map(|trigger| (definition.name, trigger)));
            } else if let Some(trigger) = starts.get_mut(definition.name) {
                trigger.add_version(definition, &event);
            }
        }
        RoutedEvent { event, workflows, starts }
    }

    /// Returns the kinds that the event is of in a workflow.
    pub fn kinds(&self, workflow: &str) -> &[RoutedKind] {
        self.workflows.get(workflow).map_or(&[], Vec::as_slice)
    }
}

/// Returns the correlation keys of the executions that events of these kinds are for. `None` if
/// one of the kinds is for all executions.
pub fn only_correlations(kinds: &[RoutedKind]) -> Option<BTreeSet<&str>> {
    kinds.iter().map(|kind| kind.correlation.as_deref()).collect()
}
