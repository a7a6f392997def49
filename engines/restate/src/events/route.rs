//! Objects that an event concerns.

use std::collections::BTreeSet;

use workflow_runtime::machine::{Definition, TriggerMatch};
use workflow_runtime::{CloudEvent, Str, Value, value};

use super::number_in;
use super::trie::Trie;

/// Objects that an event concerns.
#[derive(Debug, PartialEq)]
pub(super) struct Route {
    /// Correlation keys of the executions that the event is for.
    pub keys: BTreeSet<Str>,
    /// Trie of the executions that it is for without a correlation.
    pub trie: Option<Trie>,
    /// Object that decides whether it starts an execution.
    pub home: Option<Home>,
}

/// Object that decides whether an event starts an execution.
#[derive(Debug, PartialEq)]
pub(super) enum Home {
    /// That of a correlation key: no other execution can accept the event in its start state.
    Key(Str),
    /// The object that sends the event to all executions, one event after the other.
    All,
}

impl Route {
    pub fn of(definition: &'static Definition, event: &CloudEvent) -> Route {
        let (mut keys, mut trie) = (BTreeSet::new(), None);
        for (kind, number) in definition.events.iter().zip(0..).filter(|(kind, _)| kind.matches(event)) {
            match kind.correlation_of(event) {
                Some(value) => drop(keys.insert(value)),
                None => trie = trie.max(Some(Trie::of(definition, number))),
            }
        }
        if trie == Some(Trie::Later) {
            // It contains all executions.
            keys.clear();
        }
        let home = TriggerMatch::of(definition, event).map(|trigger| match trigger.only_correlation(event) {
            Some(key) if trie != Some(Trie::Later) => Home::Key(key),
            _ => Home::All,
        });
        Route { keys, trie, home }
    }

    /// Returns the keys of the objects to which the event is published, and `None` for all
    /// executions. If the object `all` decides about such events, it has to see each of them.
    pub fn recipients(&self) -> Vec<Option<Str>> {
        if self.home == Some(Home::All) {
            return vec![None];
        }
        self.keys.iter().cloned().map(Some).chain(self.trie.map(|_| None)).collect()
    }
}

/// Returns the objects of a service to which an execution publishes an event: their keys, and
/// `null` for all executions.
pub(crate) fn recipients(definition: &'static Definition, event: &CloudEvent) -> Vec<Value> {
    let recipients = Route::of(definition, event).recipients().into_iter();
    recipients.map(|key| key.map_or(Value::Null, Value::from)).collect()
}

/// Counts of the executions that an event has reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// Executions that have it.
    pub executions: u64,
    /// Executions that it has started.
    pub started: u64,
    /// Objects of correlation keys whose executions accepted it now in their start states.
    pub holders: u64,
    /// Objects that have not decided who takes it, because an execution with a full inbox would
    /// accept it in its start state.
    pub blocked: u64,
    /// Key of such an execution. Objects of earlier versions do not name it.
    pub blocked_by: Option<String>,
    /// Executions that do not receive it because their inboxes are full.
    pub full: u64,
    /// Objects of correlation keys with executions that have accepted it in their start states, or
    /// were started by it, now or before.
    pub taken: u64,
}

impl Reach {
    pub fn add(&mut self, answer: &Value) {
        self.executions += number_in(answer, "executions").unwrap_or_default();
        self.started += number_in(answer, "started").unwrap_or_default();
        self.holders += number_in(answer, "holders").unwrap_or_default();
        self.blocked += number_in(answer, "blocked").unwrap_or_default();
        let blocked_by = || answer.get("blocked_by").and_then(Value::as_str).map(str::to_owned);
        self.blocked_by = self.blocked_by.take().or_else(blocked_by);
        self.full += number_in(answer, "full").unwrap_or_default();
        self.taken += number_in(answer, "taken").unwrap_or_default();
    }

    pub fn to_value(&self) -> Value {
        let Reach { executions, started, holders, blocked, ref blocked_by, full, taken } = *self;
        let [executions, started, holders, blocked, full, taken] =
            [executions, started, holders, blocked, full, taken].map(|number| number as i64);
        value!({
            "executions": executions,
            "started": started,
            "holders": holders,
            "blocked": blocked,
            "blocked_by": blocked_by.clone(),
            "full": full,
            "taken": taken,
        })
    }
}

#[cfg(test)]
mod tests {
    use workflow_runtime::machine::{EventInfo, StartsOn};

    use super::*;

    const KINDS: &[EventInfo] = &[
        EventInfo::new("placed").kind("placed").correlation("order"),
        EventInfo::new("paid").kind("paid").correlation("order"),
        EventInfo::new("opened").kind("opened"),
        EventInfo::new("closed").kind("closed"),
        EventInfo::new("payer").kind("paid").correlation("payer"),
    ];

    static SHOP: Definition = Definition {
        name: "shop",
        events: KINDS,
        starts_on: Some(StartsOn::new("Begin", &[0, 2])),
        ..Definition::VERSION_0_1_0
    };

    #[test]
    fn an_event_goes_to_the_objects_of_its_values_or_to_all() {
        let event = |kind: &str| CloudEvent::new("1", "/shop", kind).extension("order", "17").extension("payer", "ada");
        let route = |keys: &[&str], trie, home| {
            let keys = keys.iter().map(|key| Str::from(*key)).collect();
            Route { keys, trie, home }
        };
        for (kind, expected) in [
            ("placed", route(&["17"], None, Some(Home::Key("17".into())))),
            ("paid", route(&["17", "ada"], None, None)),
            ("opened", route(&[], Some(Trie::Start), Some(Home::All))),
            ("closed", route(&[], Some(Trie::Later), None)),
            ("other", route(&[], None, None)),
        ] {
            assert_eq!(Route::of(&SHOP, &event(kind)), expected, "{kind}");
        }
        assert_eq!(recipients(&SHOP, &event("paid")), [Value::from("17"), Value::from("ada")]);
        assert_eq!(recipients(&SHOP, &event("closed")), [Value::Null]);
    }
}
