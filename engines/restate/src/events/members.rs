//! Records of the object of a correlation key: its executions, and what they have received.

use workflow_runtime::machine::{Definition, INBOX_CAPACITY, StartCondition};
use workflow_runtime::{Array, Str, Timestamp, Value, value};

use super::{number_in, number_of};

/// An execution of the correlation key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    /// Identity of the subscription. Another execution with this key has another one.
    pub id: u64,
    /// Key of the execution. Empty while it is to be started.
    pub key: String,
    /// Number of its next event.
    pub next: u64,
    /// Number of the first event that it had not seen when it reported last.
    pub seen: u64,
    /// Number of its reports.
    pub reports: u64,
    /// Unmatched kinds of its start condition. Empty outside of its start state.
    pub unmatched: Vec<u32>,
    /// Time-out of its start state, if it is known.
    pub until: Option<Timestamp>,
    /// Set once it has subscribed. Before that, an event has started it.
    pub has_begun: bool,
    /// Names of the events that it awaits, if its inbox is full.
    pub full: Option<Vec<String>>,
    /// Number of events that its inbox holds.
    pub capacity: u32,
}

impl Member {
    /// Returns an execution that has received nothing.
    pub fn new(id: u64, key: &str, condition: Option<&StartCondition>) -> Member {
        Member {
            id,
            key: key.to_owned(),
            next: 0,
            seen: 0,
            reports: 0,
            unmatched: condition.map(|condition| condition.unmatched().to_vec()).unwrap_or_default(),
            until: None,
            has_begun: false,
            full: None,
            capacity: INBOX_CAPACITY as u32,
        }
    }

    /// Returns its pending start condition, if it is in its start state.
    pub fn condition(&self, definition: &'static Definition, correlation: &Str) -> Option<StartCondition> {
        if self.unmatched.is_empty() {
            return None;
        }
        let mut condition =
            StartCondition::new(definition, correlation.clone())?.with_unmatched(self.unmatched.clone());
        condition.set_until(self.until);
        Some(condition)
    }

    fn save(&self) -> Value {
        let mut saved = value!({
            "id": self.id as i64,
            "key": self.key.as_str(),
            "next": self.next as i64,
            "seen": self.seen as i64,
            "reports": self.reports as i64,
            "start": kinds_to_value(&self.unmatched),
            "capacity": self.capacity,
        });
        if let Some(saved) = saved.as_object_mut() {
            if let Some(until) = self.until {
                saved.insert("until", until.as_micros());
            }
            if let Some(names) = &self.full {
                saved
                    .insert("full", Array::from(names.iter().map(|name| name.as_str().into()).collect::<Vec<Value>>()));
            }
            if !self.has_begun {
                saved.insert("begins", true);
            }
        }
        saved
    }

    fn load(saved: &Value) -> Option<Member> {
        Some(Member {
            id: number_in(saved, "id")?,
            key: saved.get("key")?.as_str()?.to_owned(),
            next: number_in(saved, "next")?,
            seen: number_in(saved, "seen")?,
            reports: number_in(saved, "reports")?,
            unmatched: kinds_from_value(saved.get("start")),
            until: time_in(saved, "until"),
            has_begun: saved.get("begins").is_none(),
            full: names_from_value(saved.get("full")),
            capacity: capacity_in(saved),
        })
    }
}

/// Executions of a correlation key, older ones first.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Members {
    pub all: Vec<Member>,
    /// Set if the correlation key is in the [trie](super::trie) of all executions.
    pub in_later: bool,
    /// Set if it is in that of executions in their start states.
    pub in_start: bool,
}

impl Members {
    pub fn save(&self) -> Value {
        let all = Array::from(self.all.iter().map(Member::save).collect::<Vec<_>>());
        value!({ "all": all, "later": self.in_later, "first": self.in_start })
    }

    pub fn load(saved: Option<&Value>) -> Members {
        let Some(saved) = saved else { return Members::default() };
        let all = saved.get("all").and_then(Value::as_array).into_iter().flat_map(|all| all.iter());
        let is_set = |name: &str| saved.get(name).and_then(Value::as_bool) == Some(true);
        Members { all: all.filter_map(Member::load).collect(), in_later: is_set("later"), in_start: is_set("first") }
    }

    pub fn find(&mut self, id: u64) -> Option<&mut Member> {
        self.all.iter_mut().find(|member| member.id == id)
    }
}

/// Record of an event: who has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Receipt {
    /// Executions that have received it, by the identities of their subscriptions.
    pub to: Vec<u64>,
    /// Those among them that have it for their start states, and have not declined it.
    pub claims: Vec<u64>,
    /// Number of other objects whose executions have it for their start states.
    pub holders: u64,
    /// Set if it has started an execution, or is for one in its start state: it starts nothing
    /// more.
    pub is_taken: bool,
    /// End of the deduplication window.
    pub until: Timestamp,
}

impl Receipt {
    pub fn save(&self) -> Value {
        let ids = |ids: &[u64]| Array::from(ids.iter().map(|id| (*id as i64).into()).collect::<Vec<Value>>());
        value!({
            "to": ids(&self.to),
            "claims": ids(&self.claims),
            "holders": self.holders as i64,
            "taken": self.is_taken,
            "until": self.until.as_micros(),
        })
    }

    /// Reads a record that has not expired.
    pub fn load(saved: Option<&Value>, now: Timestamp) -> Option<Receipt> {
        let saved = saved?;
        let ids = |name: &str| {
            let ids = saved.get(name).and_then(Value::as_array).into_iter().flat_map(|ids| ids.iter());
            ids.filter_map(number_of).collect()
        };
        let receipt = Receipt {
            to: ids("to"),
            claims: ids("claims"),
            holders: number_in(saved, "holders").unwrap_or_default(),
            is_taken: saved.get("taken").and_then(Value::as_bool) == Some(true),
            until: time_in(saved, "until")?,
        };
        (now < receipt.until).then_some(receipt)
    }
}

/// Returns kinds of events, as indexes into the definition's events, as JSON.
pub(crate) fn kinds_to_value(kinds: &[u32]) -> Value {
    Array::from(kinds.iter().map(|kind| Value::from(*kind)).collect::<Vec<_>>()).into()
}

/// Reads kinds of events.
pub(crate) fn kinds_from_value(kinds: Option<&Value>) -> Vec<u32> {
    let kinds = kinds.and_then(Value::as_array).into_iter().flat_map(|kinds| kinds.iter());
    kinds.filter_map(|kind| kind.as_i64().and_then(|kind| u32::try_from(kind).ok())).collect()
}

/// Reads names of events, if they are a list.
pub(super) fn names_from_value(names: Option<&Value>) -> Option<Vec<String>> {
    let names = names?.as_array()?.iter();
    Some(names.filter_map(|name| name.as_str().map(str::to_owned)).collect())
}

/// Reads the capacity of an inbox.
pub(super) fn capacity_in(object: &Value) -> u32 {
    let capacity = number_in(object, "capacity").and_then(|capacity| u32::try_from(capacity).ok());
    capacity.unwrap_or(INBOX_CAPACITY as u32)
}

/// Reads a member that is a time.
pub(super) fn time_in(object: &Value, name: &str) -> Option<Timestamp> {
    object.get(name).and_then(Value::as_i64).map(Timestamp::from_micros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_round_trip() {
        let member = Member {
            next: 7,
            seen: 3,
            reports: 2,
            unmatched: vec![0, 2],
            until: Some(Timestamp::from_seconds(60)),
            full: Some(vec!["paid".to_owned()]),
            capacity: 5,
            ..Member::new(u64::MAX >> 1, "one", None)
        };
        let other = Member { has_begun: true, ..Member::new(1, "other \"1\"", None) };
        let members = Members { all: vec![member, other], in_later: true, in_start: false };
        assert_eq!(Members::load(Some(&members.save())), members);
        assert_eq!(Members::load(None), Members::default());
        let until = Timestamp::from_seconds(9);
        let receipt = Receipt { to: vec![1, u64::MAX >> 1], claims: vec![1], holders: 2, is_taken: true, until };
        assert_eq!(Receipt::load(Some(&receipt.save()), Timestamp::from_seconds(8)), Some(receipt.clone()));
        assert_eq!(Receipt::load(Some(&receipt.save()), until), None);
    }
}
