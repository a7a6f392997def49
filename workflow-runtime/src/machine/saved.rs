//! Serialisation of the parts of a snapshot that are not values.

use std::time::Duration;

use super::call::{Call, Target};
use super::command::{CallId, Invocation};
use super::definition::{Definition, Task};
use super::events::Reception;
use super::retry::{BlockRetries, Retries};
use crate::fault::{Fault, Origin, TraceEntry};
use crate::time::Timestamp;
use crate::value::codec::{Load, LoadError, Reader, Save, Writer};

impl Save for Timestamp {
    fn save(&self, w: &mut Writer) {
        w.i64(self.as_micros());
    }
}

impl Load for Timestamp {
    fn load(r: &mut Reader<'_>) -> Result<Timestamp, LoadError> {
        Ok(Timestamp::from_micros(r.i64()?))
    }
}

impl Save for Retries {
    fn save(&self, w: &mut Writer) {
        w.put(self.counts());
    }
}

impl Load for Retries {
    fn load(r: &mut Reader<'_>) -> Result<Retries, LoadError> {
        Ok(Retries::restored(r.take()?))
    }
}

impl Save for BlockRetries {
    fn save(&self, w: &mut Writer) {
        w.put(&self.retries);
        w.put(&self.calls);
    }
}

impl Load for BlockRetries {
    fn load(r: &mut Reader<'_>) -> Result<BlockRetries, LoadError> {
        Ok(BlockRetries { retries: r.take()?, calls: r.take()? })
    }
}

impl Save for Fault {
    fn save(&self, w: &mut Writer) {
        w.put(&self.name());
        w.put(&self.cause());
        w.u8(self.origin() as u8);
        w.put(&self.is_uncatchable());
    }
}

impl Load for Fault {
    fn load(r: &mut Reader<'_>) -> Result<Fault, LoadError> {
        let (error, cause) = (r.take()?, r.take()?);
        let origin = match r.u8()? {
            0 => Origin::Raised,
            1 => Origin::Task,
            2 => Origin::Evaluation,
            3 => Origin::Termination,
            4 => Origin::Silence,
            other => return Err(r.error(format!("invalid origin {other} of a fault"))),
        };
        Ok(Fault::restored(error, cause, origin, r.take()?))
    }
}

impl Fault {
    /// Writes the trace, which [`Save`] leaves out. A batch or child execution in another process
    /// hands it over with its fault.
    pub fn save_trace(&self, w: &mut Writer) {
        w.count(self.trace().len());
        for place in self.trace() {
            let (is_task, name) = match *place {
                TraceEntry::Task(key) => (true, key),
                TraceEntry::State(name) => (false, name),
            };
            w.put(&is_task);
            w.str(name);
        }
    }

    /// Reads the trace that [`Fault::save_trace`] wrote, and adds it to the fault.
    pub fn load_trace(self, r: &mut Reader<'_>, definition: &Definition) -> Result<Fault, LoadError> {
        (0..r.count()?).try_fold(self, |fault, _| {
            let (is_task, name) = (r.take::<bool>()?, r.str()?);
            let task = || definition.tasks.iter().find(|task| task.key == name).map(|task| TraceEntry::Task(task.key));
            let state =
                || definition.states.iter().find(|state| state.name == name).map(|state| TraceEntry::State(state.name));
            match if is_task { task() } else { state() } {
                Some(place) => Ok(fault.traced_through(place)),
                None => Err(r.error(format!("the definition does not contain `{name}`"))),
            }
        })
    }
}

impl Save for CallId {
    fn save(&self, w: &mut Writer) {
        w.put(&self.visit);
        w.put(&self.path[..]);
        w.put(&self.action);
    }
}

impl Load for CallId {
    fn load(r: &mut Reader<'_>) -> Result<CallId, LoadError> {
        Ok(CallId { visit: r.take()?, path: r.take::<Vec<u32>>()?.into(), action: r.take()? })
    }
}

impl Save for Invocation {
    fn save(&self, w: &mut Writer) {
        w.put(self.task.key);
        w.put(self.task.state);
        w.put(&self.input);
        w.put(&self.identity());
        w.put(&self.attempt);
        w.put(&self.call);
        w.put(&self.issued);
        w.put(&self.timeout.map(Saved));
        w.put(&self.heartbeat().map(Saved));
        w.put(&self.callback);
        w.put(&self.token());
        w.put(&self.handed_over);
    }
}

/// Reads an invocation of one of the definition's tasks.
pub(super) fn load_invocation(definition: &Definition, r: &mut Reader<'_>) -> Result<Invocation, LoadError> {
    let (task, input, credentials) = (load_task(definition, r)?, r.take()?, r.take()?);
    let (attempt, call, issued) = (r.take()?, r.take()?, r.take()?);
    let mut invocation = Invocation::new(task, input, attempt, call, issued);
    if let Some(credentials) = credentials {
        invocation.credentials(credentials);
    }
    invocation.timeout = r.take::<Option<Saved>>()?.map(|saved| saved.0);
    if let Some(heartbeat) = r.take::<Option<Saved>>()? {
        invocation.set_heartbeat(heartbeat.0);
    }
    invocation.callback = r.take()?;
    if let Some(token) = r.take()? {
        invocation.set_token(token);
    }
    invocation.handed_over = r.take()?;
    Ok(invocation)
}

fn load_task(definition: &Definition, r: &mut Reader<'_>) -> Result<&'static Task, LoadError> {
    let (key, state) = (r.str()?, r.str()?);
    let task = definition.tasks.iter().copied().find(|task| task.key == key && task.state == state);
    task.ok_or_else(|| r.error(format!("the workflow has no task `{key}` in a state `{state}`")))
}

impl Save for Reception {
    fn save(&self, w: &mut Writer) {
        w.count(self.events.len());
        self.events.iter().for_each(|kind| w.put(kind.name));
        w.put(&self.until);
        w.put(&self.discards_unmatched);
    }
}

/// Reads a wait for some of the definition's events.
pub(super) fn load_reception(definition: &'static Definition, r: &mut Reader<'_>) -> Result<Reception, LoadError> {
    let mut events = Vec::new();
    for _ in 0..r.count()? {
        let name = r.str()?;
        let kind = definition.events.iter().find(|kind| kind.name == name);
        events.push(kind.ok_or_else(|| r.error(format!("the workflow does not wait for the event `{name}`")))?);
    }
    Ok(Reception { events, until: r.take()?, discards_unmatched: r.take()? })
}

impl Save for Call {
    fn save(&self, w: &mut Writer) {
        match &self.target {
            Target::Workflow(name) => {
                w.u8(0);
                w.put(name);
            }
            Target::Entry(entry) => {
                w.u8(1);
                w.put(entry);
            }
        }
        w.put(&self.input);
        w.put(&self.detached);
        w.put(&self.attempt);
        w.put(&self.call);
        w.put(&self.issued);
        w.put(&self.timeout.map(Saved));
    }
}

impl Load for Call {
    fn load(r: &mut Reader<'_>) -> Result<Call, LoadError> {
        Ok(Call {
            target: match r.u8()? {
                0 => Target::Workflow(r.take()?),
                1 => Target::Entry(r.take()?),
                other => return Err(r.error(format!("invalid kind of target {other}"))),
            },
            input: r.take()?,
            detached: r.take()?,
            attempt: r.take()?,
            call: r.take()?,
            issued: r.take()?,
            timeout: r.take::<Option<Saved>>()?.map(|saved| saved.0),
        })
    }
}

/// A duration, in microseconds.
struct Saved(Duration);

impl Save for Saved {
    fn save(&self, w: &mut Writer) {
        w.u64(u64::try_from(self.0.as_micros()).unwrap_or(u64::MAX));
    }
}

impl Load for Saved {
    fn load(r: &mut Reader<'_>) -> Result<Saved, LoadError> {
        Ok(Saved(Duration::from_micros(r.u64()?)))
    }
}
