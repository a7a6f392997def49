//! What an execution is to others: those that it has started and waits for, and the events that reach it.

use restate_sdk_shared_core::Header;
use workflow_runtime::machine::{Call, Target};
use workflow_runtime::{Array, Object, Str, Value, value};

use std::collections::BTreeMap;

/// The header by which an execution says which part of its workflow the one that it starts is to run.
const ENTRY: &str = "workflow-entry";

/// What the next invocation that goes on with an execution has to know of others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Beyond {
    /// The executions that this one waits for, by the numbers of the operations that do.
    pub children: BTreeMap<u64, Child>,
    /// The number of the next event that is sent to this execution alone.
    pub next_sent: u32,
    /// The number of the next event that is published to all of its service, if it hears of those.
    pub next_published: Option<u64>,
}

/// An execution that another one has started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Child {
    pub service: String,
    pub key: String,
}

impl Child {
    /// The one that a call starts, by an execution of this service and id.
    ///
    /// Keys are of a service, and the ids of executions that wait for each other may meet: those of another service are told
    /// apart by the caller's.
    pub fn of(call: &Call, caller: Caller<'_>, service: &str) -> Child {
        Child { service: service.to_owned(), key: Child::key(call, caller) }
    }

    /// The key of the one that a call starts.
    pub fn key(call: &Call, caller: Caller<'_>) -> String {
        let id = call.execution_id(caller.id);
        match caller.is_meant_by(call) {
            true => id,
            false => format!("{}/{id}", caller.service),
        }
    }
}

/// An execution that starts another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    pub service: &'a str,
    pub workflow: &'a str,
    pub id: &'a Str,
}

impl Caller<'_> {
    /// Whether its own workflow is to be started.
    pub fn is_meant_by(&self, call: &Call) -> bool {
        call.workflow(self.workflow) == self.workflow
    }
}

/// The headers that tell which part of the workflow is to be run.
pub(crate) fn headers_of(target: &Target) -> Option<Header> {
    match target {
        Target::Entry(entry) => Some(Header { key: ENTRY.into(), value: entry.to_string().into() }),
        Target::Workflow(_) => None,
    }
}

/// The part of the workflow that is to be run, if not the whole.
pub(crate) fn entry_in(headers: &[Header]) -> Result<Option<u32>, String> {
    let Some(header) = headers.iter().find(|header| header.key.eq_ignore_ascii_case(ENTRY)) else { return Ok(None) };
    let entry =
        header.value.parse().map_err(|_| format!("the header `{ENTRY}` is a number, and not `{}`", header.value));
    entry.map(Some)
}

impl Beyond {
    /// Writes it to the header of what is saved.
    pub fn save(&self, header: &mut Object) {
        let children = self
            .children
            .iter()
            .map(|(op, Child { service, key })| value!([*op as i64, service.as_str(), key.as_str()]));
        let children = children.collect::<Vec<_>>();
        if !children.is_empty() {
            header.insert("children", Array::from(children));
        }
        if let Some(published) = self.next_published {
            header.insert("events", value!([self.next_sent, published as i64]));
        }
    }

    /// Reads it.
    pub fn load(header: &Value) -> Beyond {
        let number = |of: Option<&Value>| of.and_then(Value::as_i64).and_then(|number| u64::try_from(number).ok());
        let events = header.get("events");
        let sent = number(events.and_then(|events| events.get(0))).and_then(|sent| u32::try_from(sent).ok());
        let children = header.get("children").and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        let child = |child: &Value| {
            let text = |at: i64| child.get(at).and_then(Value::as_str).map(str::to_owned);
            Some((number(child.get(0))?, Child { service: text(1)?, key: text(2)? }))
        };
        Beyond {
            children: children.filter_map(child).collect(),
            next_sent: sent.unwrap_or_default(),
            next_published: number(events.and_then(|events| events.get(1))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_of_others_is_read_as_it_was_written() {
        let child = Child { service: "order-1".to_owned(), key: "errand-2/one \"1\".2-0".to_owned() };
        let beyond = Beyond { children: [(7, child)].into(), next_sent: 3, next_published: Some(9) };
        for beyond in [beyond, Beyond::default()] {
            let mut header = Object::new();
            beyond.save(&mut header);
            assert_eq!(Beyond::load(&header.into()), beyond);
        }
    }

    #[test]
    fn a_header_that_names_no_part_is_refused() {
        let entry = |value: &'static str| entry_in(&[Header { key: "Workflow-Entry".into(), value: value.into() }]);
        assert_eq!(entry("3"), Ok(Some(3)));
        assert!(entry("first").is_err());
        assert_eq!(entry_in(&[]), Ok(None));
    }
}
