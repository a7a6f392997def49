//! Directory of the workflows of an endpoint: targets of calls by name, and subscribers of events.

use workflow_runtime::machine::{Definition, Outcome, resolve_workflow};
use workflow_runtime::{Array, CloudEvent, Value};

/// Served workflows with their services. Another program may serve others, so callers journal what
/// they look up here.
#[derive(Debug, Default)]
pub(crate) struct Directory(pub Vec<(&'static Definition, String)>);

impl Directory {
    /// Returns the service of the workflow that a call names, the last one of several with one
    /// name, or the fault if there is none.
    pub fn service_of(&self, target: &str) -> Outcome {
        let found = resolve_workflow(target, self.0.iter().rev().map(|(definition, _)| *definition))?;
        let found = self.0.iter().rev().find(|(definition, _)| std::ptr::eq(*definition, found));
        Ok(found.map_or(Value::Null, |(_, service)| service.as_str().into()))
    }

    /// Returns the services whose executions wait for such an event.
    pub fn subscribed_services(&self, event: &CloudEvent) -> Value {
        let wait = self.0.iter().filter(|(definition, _)| waits_for(definition, event));
        Array::from(wait.map(|(_, service)| Value::from(service.as_str())).collect::<Vec<_>>()).into()
    }
}

/// Returns `true` if executions of this definition wait for such events, now or later.
pub(crate) fn waits_for(definition: &Definition, event: &CloudEvent) -> bool {
    definition.events.iter().any(|kind| kind.matches(event))
}
