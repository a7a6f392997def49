//! Directory of the workflows of an endpoint: targets of calls by name, and subscribers of events.

use workflow_runtime::machine::{Definition, Outcome, resolve_workflow};
use workflow_runtime::{CloudEvent, Value, value};

use crate::events;

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

    /// Returns the objects that receive an event: pairs of a service and a correlation key, or
    /// null for all executions of the service.
    pub fn recipients(&self, event: &CloudEvent) -> Vec<Value> {
        let of = |definition, service: &String| {
            let keys = events::recipients(definition, event).into_iter();
            keys.map(|key| value!([service.as_str(), key])).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(|(definition, service)| of(definition, service)).collect()
    }
}
