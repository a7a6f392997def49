//! The records that the rules of the coordination core read and write.

use std::convert::Infallible;
use std::sync::Arc;

use super::state::{Effects, Record, State};
use super::view::lock;
use super::{NewRecord, Shared};
use crate::coordination::{Recipient, RoutedEvent, RoutedKind, Started, Store, only_correlations};
use crate::engine::driver::Message;
use crate::event::CloudEvent;
use crate::machine::{Definition, StartCondition, TriggerMatch};
use crate::time::Timestamp;
use crate::value::{Object, Str};

/// The records of the engine, under its lock.
pub(super) struct Records<'a> {
    pub shared: &'a Shared,
    pub state: &'a mut State,
    pub effects: &'a mut Effects,
    pub now: Timestamp,
    /// The settings of the executions that events start.
    pub settings: &'a Object,
}

impl Shared {
    /// Finds the workflows that an event is for.
    pub(super) fn route(&self, event: CloudEvent) -> RoutedEvent {
        RoutedEvent::new(Arc::new(event), self.definitions())
    }

    /// Returns the definitions. The first one of a name is the current one.
    pub(super) fn definitions(&self) -> impl Iterator<Item = &'static Definition> {
        self.programs.iter().map(|(program, _)| program.definition)
    }
}

impl Records<'_> {
    fn record(&self, number: u64) -> &Record {
        self.state.records.get(&number).expect("the store returns only executions that it has")
    }
}

impl Store for Records<'_> {
    type Execution = u64;
    type Error = Infallible;

    fn subscribers(&mut self, workflow: &str, kinds: &[RoutedKind]) -> Result<Vec<u64>, Infallible> {
        Ok(self.state.active(workflow, only_correlations(kinds)))
    }

    fn in_start_state(&mut self, trigger: &TriggerMatch, event: &CloudEvent) -> Result<Vec<u64>, Infallible> {
        let correlation = trigger.only_correlation(event);
        let mut found = self.state.active(trigger.definition().name, correlation.as_deref().map(|one| [one].into()));
        found.retain(|number| {
            let record = self.record(*number);
            record.due.is_none_or(|due| due <= self.now || record.started.is_some())
                && !record.is_ending
                && lock(&record.view).start.is_some()
        });
        Ok(found)
    }

    fn correlation(&mut self, of: u64) -> Result<Str, Infallible> {
        Ok(self.record(of).correlation.clone())
    }

    fn start_condition(&mut self, of: u64, _: &TriggerMatch) -> Result<Option<StartCondition>, Infallible> {
        Ok(lock(&self.record(of).view).start.clone())
    }

    fn unseen_events(&mut self, of: u64) -> Result<usize, Infallible> {
        Ok(lock(&self.record(of).view).unseen.len())
    }

    fn kept_events(&mut self, of: u64) -> Result<usize, Infallible> {
        Ok(lock(&self.record(of).view).kept)
    }

    fn awaits(&mut self, of: u64, kinds: &[&str]) -> Result<bool, Infallible> {
        Ok(lock(&self.record(of).view).awaited.iter().any(|awaited| kinds.contains(awaited)))
    }

    fn was_delivered(&mut self, to: Recipient<'_, u64>, event: &CloudEvent) -> Result<bool, Infallible> {
        Ok(match to {
            Recipient::Execution(number) => self.record(number).delivered.contains(event),
            Recipient::Workflow(name) => self.state.consumed.get(name).is_some_and(|events| events.contains(event)),
        })
    }

    fn mark_delivered(&mut self, to: Recipient<'_, u64>, event: &CloudEvent) -> Result<(), Infallible> {
        let most = self.shared.remembered;
        match to {
            Recipient::Execution(number) => {
                if let Some(record) = self.state.records.get_mut(&number) {
                    record.delivered.mark(event, most);
                }
            }
            Recipient::Workflow(name) => {
                if let Some(definition) = self.shared.definitions().find(|one| one.name == name) {
                    self.state.consumed.entry(definition.name).or_default().mark(event, most);
                }
            }
        }
        Ok(())
    }

    fn deliver(&mut self, to: u64, event: &Arc<CloudEvent>) -> Result<(), Infallible> {
        let record = self.record(to);
        let mut view = lock(&record.view);
        view.unseen.push_back(event.clone());
        if let Some(condition) = &mut view.start {
            condition.record(event);
        }
        let message = (record.messages.clone(), Message::Event(event.clone(), 0));
        drop(view);
        self.effects.messages.push(message);
        Ok(())
    }

    fn start(&mut self, trigger: &TriggerMatch, event: &Arc<CloudEvent>) -> Result<Started<u64>, Infallible> {
        let definition = trigger.definition();
        if self.shared.check_schedule(definition, self.now).is_err() {
            return Ok(Started::Declined);
        }
        let Some((program, tasks)) =
            self.shared.programs.iter().find(|(program, _)| std::ptr::eq(program.definition, definition))
        else {
            return Ok(Started::Declined);
        };
        let name = TriggerMatch::execution_name(event);
        // One event can start executions of several workflows.
        let id = if self.state.number(&name).is_some() { self.shared.random_id() } else { name };
        let mut new = NewRecord::new(id, *program, tasks.clone(), Object::new().into(), self.now);
        new.correlation = trigger.correlation(event);
        new.settings = self.settings.clone();
        new.event = Some((event.source.to_string(), event.id.to_string()));
        Ok(Started::New(self.shared.insert(self.state, new, self.effects)))
    }
}
