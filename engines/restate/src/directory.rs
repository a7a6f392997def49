//! Which workflows an endpoint serves: those that executions can start by name, and that are told of events.

use workflow_runtime::machine::{Definition, Outcome, called};
use workflow_runtime::{Array, CloudEvent, Value};

/// What is served. It may be something else whenever the program is another one: who looks here keeps what was found in its
/// journal.
#[derive(Debug, Default)]
pub(crate) struct Directory(pub Vec<(&'static Definition, String)>);

impl Directory {
    /// The service of the workflow that an execution means which starts another one: the last one, if there are several of
    /// one name. Else why there is none.
    pub fn service_of(&self, target: &str) -> Outcome {
        let found = called(target, self.0.iter().rev().map(|(definition, _)| *definition))?;
        let found = self.0.iter().rev().find(|(definition, _)| std::ptr::eq(*definition, found));
        Ok(found.map_or(Value::Null, |(_, service)| service.as_str().into()))
    }

    /// The services whose executions wait for such events.
    pub fn services_that_wait_for(&self, event: &CloudEvent) -> Value {
        let wait = self.0.iter().filter(|(definition, _)| waits_for(definition, event));
        Array::from(wait.map(|(_, service)| Value::from(service.as_str())).collect::<Vec<_>>()).into()
    }
}

/// Whether executions of this definition wait for such events, now or later.
pub(crate) fn waits_for(definition: &Definition, event: &CloudEvent) -> bool {
    definition.events.iter().any(|kind| kind.matches(event))
}
