//! Tries of correlation keys: the recipients of events that are for all executions.
//!
//! A node is a virtual object. A trie begins with 16 nodes, so that executions that subscribe do
//! not wait for each other at one object. A leaf holds correlation keys. One that becomes too
//! large divides them among 16 nodes below it, by the next bits of a hash of the key, and from
//! then on holds none. So the state of a node is bounded. Nodes are not united again: a trie has
//! as many as the largest number of correlation keys at one time needed.
//!
//! `visit` is handled concurrently, and `change` alone. A visit waits for objects of correlation
//! keys, which wait for `change`. A change waits for nodes below only, so nothing waits in a
//! circle.

use std::collections::BTreeMap;

use restate_sdk_shared_core::{Error, Input, VM};
use workflow_runtime::machine::Definition;
use workflow_runtime::{Array, Value, value};

use super::route::Reach;
use super::{Answer, EventHandler, call, call_all, encode, keyed_target, set_state, state, target};
use crate::connection::Connection;
use crate::endpoint::Service;
use crate::handlers::read_json;

/// Largest number of correlation keys in a leaf.
const LEAF: usize = 256;

/// Bits of the hash by which a node divides its keys.
const BITS: usize = 4;

/// Largest depth of a node. Leaves there can exceed their size.
const DEPTH: usize = 64 / BITS;

/// State entry of a node: its correlation keys, or `true` if nodes below have them.
const NODE: &str = "node";

/// A trie of a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trie {
    /// Correlation keys with executions in their start states.
    Start,
    /// All correlation keys: events of these kinds are for executions in any state.
    Later,
}

impl Trie {
    /// Returns the trie for events of a kind that does not correlate.
    pub fn of(definition: &Definition, kind: u32) -> Trie {
        let starts = definition.starts_on;
        match starts.is_some_and(|rule| rule.events.contains(&kind) && !rule.also_awaited_later.contains(&kind)) {
            true => Trie::Start,
            false => Trie::Later,
        }
    }

    /// Returns `true` if events of a definition go through this trie.
    pub fn is_needed(self, definition: &Definition) -> bool {
        let mut kinds = definition.events.iter().zip(0..);
        kinds.any(|(kind, number)| kind.correlation.is_none() && Trie::of(definition, number) == self)
    }

    /// Returns its name, which the keys of its nodes begin with.
    fn name(self) -> &'static str {
        match self {
            Trie::Start => "start/",
            Trie::Later => "later/",
        }
    }

    /// Adds a correlation key to the trie, or removes it: asks node after node downwards for the
    /// leaf.
    pub async fn change(
        self,
        service: &Service,
        connection: &mut Connection,
        correlation: &str,
        is_in: bool,
    ) -> Result<(), Error> {
        let request = value!({ "keys": [correlation], "in": is_in });
        let mut node = self.name().to_owned();
        loop {
            node = child(&node, digit(correlation, depth(&node)));
            let changed = call(connection, target(&service.name, EventHandler::Change, &node), &request).await?;
            // Only an operator can make it fail.
            if !changed.is_ok_and(|changed| is_divided(Some(&changed))) {
                return Ok(());
            }
        }
    }

    /// Offers an event to the executions of all correlation keys.
    pub async fn visit(self, service: &Service, connection: &mut Connection, offer: &Value) -> Result<Reach, Error> {
        visit_below(service, connection, self.name(), offer).await
    }
}

/// Changes a leaf. Answers `true` if the nodes below have its keys.
pub(super) async fn on_change(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let change = read_json(&input.input)?;
    let (changed, is_in) = (texts(change.get("keys")), change.get("in").and_then(Value::as_bool) == Some(true));
    let node = state(connection, NODE).await?;
    if is_divided(node.as_ref()) {
        return Ok(true.into());
    }
    let mut keys = texts(node.as_ref());
    keys.retain(|key| !changed.contains(key));
    if is_in {
        keys.extend(changed);
    }
    if keys.len() > LEAF && depth(&input.key) < DEPTH {
        // A visit meanwhile finds all keys in here. A later one finds them below.
        divide(service, connection, &input.key, keys).await?;
        set_state(connection, NODE, &true.into())?;
    } else if keys.is_empty() {
        connection.vm.sys_state_clear(NODE.to_owned(), None)?;
    } else {
        set_state(connection, NODE, &list(&keys))?;
    }
    Ok(false.into())
}

pub(super) async fn on_visit(service: &Service, connection: &mut Connection, input: Input) -> Answer {
    let offer = read_json(&input.input)?;
    let node = state(connection, NODE).await?;
    let reached = match is_divided(node.as_ref()) {
        true => visit_below(service, connection, &input.key, &offer).await?,
        false => {
            let (keys, offer) = (texts(node.as_ref()), encode(&offer));
            let objects = keys.iter().map(|key| keyed_target(service, EventHandler::Offer, key));
            call_all(connection, objects.map(|object| (object, offer.clone()))).await?
        }
    };
    Ok(reached.to_value())
}

/// Visits all nodes below a node.
async fn visit_below(
    service: &Service,
    connection: &mut Connection,
    node: &str,
    offer: &Value,
) -> Result<Reach, Error> {
    let offer = encode(offer);
    let below = (0..1 << BITS).map(|digit| target(&service.name, EventHandler::Visit, &child(node, digit)));
    call_all(connection, below.map(|node| (node, offer.clone()))).await
}

/// Sends the keys of a leaf to the nodes below, and waits until they are there.
async fn divide(service: &Service, connection: &mut Connection, node: &str, keys: Vec<String>) -> Result<(), Error> {
    let mut below: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for key in keys {
        below.entry(digit(&key, depth(node))).or_default().push(key);
    }
    let changes = below.iter().map(|(digit, keys)| {
        let change = encode(&value!({ "keys": list(keys), "in": true }));
        (target(&service.name, EventHandler::Change, &child(node, *digit)), change)
    });
    call_all(connection, changes).await?;
    Ok(())
}

fn child(node: &str, digit: usize) -> String {
    format!("{node}{digit:x}")
}

/// Returns `true` if the nodes below a node have its keys, as the node says.
fn is_divided(node: Option<&Value>) -> bool {
    node.and_then(Value::as_bool) == Some(true)
}

fn list(keys: &[String]) -> Value {
    Array::from(keys.iter().map(|key| Value::from(key.as_str())).collect::<Vec<_>>()).into()
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flat_map(|list| list.iter());
    list.filter_map(|key| key.as_str().map(str::to_owned)).collect()
}

/// Returns the depth of a node: the number of digits of its key after the name of the trie.
fn depth(node: &str) -> usize {
    node.split_once('/').map_or(0, |(_, digits)| digits.len())
}

/// Returns the digit of a correlation key at a depth.
fn digit(correlation: &str, depth: usize) -> usize {
    // FNV-1a, and a step that spreads the difference of one byte over all bits.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in correlation.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash = (hash ^ (hash >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^= hash >> 32;
    // The mask leaves few bits.
    ((hash >> (depth * BITS)) as usize) & ((1 << BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_divided_evenly_at_each_depth() {
        let mut leaves: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for number in 0..10_000 {
            let key = format!("order-{number}");
            *leaves.entry((digit(&key, 0), digit(&key, 1))).or_default() += 1;
        }
        assert_eq!(leaves.len(), 256);
        assert!(leaves.values().all(|count| (10..80).contains(count)), "{leaves:?}");
        assert_eq!([depth("later/"), depth(&child("later/0", 15))], [0, 2]);
        assert!((0..DEPTH).all(|depth| digit("one", depth) < 16));
    }
}
