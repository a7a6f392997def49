//! Tries of correlation keys: the recipients of events that are for all executions.
//!
//! A node is a virtual object. A leaf holds correlation keys. A leaf that becomes too large
//! divides them among nodes below it, by the next bits of a hash of the key, and from then on only
//! forwards. So the state of a node is bounded, and requests to different leaves do not wait for
//! each other. Nodes are not united again.
//!
//! `join` and `visit` are handled concurrently, and only `change` alone. A visit waits for objects
//! of correlation keys, which wait for `join`. Nothing waits upwards, so nothing waits in a
//! circle.

use std::collections::BTreeMap;

use restate_sdk_shared_core::{Error, Input, Target, VM};
use workflow_runtime::machine::Definition;
use workflow_runtime::{Array, Value, value};

use super::route::Reach;
use super::{EventHandler, call, call_all, keyed_target, set_state, state, target};
use crate::connection::Connection;
use crate::endpoint::Service;
use crate::handlers::read_json;

/// Largest number of correlation keys in a leaf.
const LEAF: usize = 256;

/// Bits of the hash by which a node divides its keys.
const BITS: usize = 3;

/// Largest depth of a node. Leaves there can exceed their size.
const DEPTH: usize = 64 / BITS;

/// State entry of a node: its correlation keys, or `true` if it forwards.
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

    /// Returns the key of the root.
    fn root(self) -> &'static str {
        match self {
            Trie::Start => "start/",
            Trie::Later => "later/",
        }
    }

    /// Adds a correlation key to the trie, or removes it.
    pub async fn join(
        self,
        service: &Service,
        connection: &mut Connection,
        correlation: &str,
        is_in: bool,
    ) -> Result<(), Error> {
        let root = target(&service.name, EventHandler::Join, self.root());
        // Only an operator can make it fail.
        let _joined = call(connection, root, &value!({ "keys": [correlation], "in": is_in })).await?;
        Ok(())
    }

    /// Offers an event to the executions of all correlation keys.
    pub async fn visit(self, service: &Service, connection: &mut Connection, offer: &Value) -> Result<Reach, Error> {
        let root = target(&service.name, EventHandler::Visit, self.root());
        call_all(connection, std::iter::once(root), offer).await
    }
}

pub(super) async fn on_join(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let Some((keys, is_in)) = read_change(&input) else { return connection.fail(400, EXPECTED) };
    match forwards(state(connection, NODE).await?.as_ref()) {
        true => forward(service, connection, &input.key, EventHandler::Join, &keys, is_in).await?,
        false => {
            let here = target(&service.name, EventHandler::Change, &input.key);
            let _changed = call(connection, here, &change_json(&keys, is_in)).await?;
        }
    }
    connection.succeed(&Value::Null)
}

/// Message for a request that is not one of this service.
const EXPECTED: &str = "expected `keys` and whether they are `in`";

pub(super) async fn on_change(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let Some((changed, is_in)) = read_change(&input) else { return connection.fail(400, EXPECTED) };
    let node = state(connection, NODE).await?;
    if forwards(node.as_ref()) {
        forward(service, connection, &input.key, EventHandler::Join, &changed, is_in).await?;
        return connection.succeed(&Value::Null);
    }
    let mut keys = texts(node.as_ref());
    keys.retain(|key| !changed.contains(key));
    if is_in {
        keys.extend(changed);
    }
    if keys.len() > LEAF && depth(&input.key) < DEPTH {
        // A visit meanwhile finds all keys in here. A later one finds them below.
        forward(service, connection, &input.key, EventHandler::Change, &keys, true).await?;
        set_state(connection, NODE, &true.into())?;
    } else if keys.is_empty() {
        connection.vm.sys_state_clear(NODE.to_owned(), None)?;
    } else {
        set_state(connection, NODE, &list(&keys))?;
    }
    connection.succeed(&Value::Null)
}

pub(super) async fn on_visit(service: &Service, connection: &mut Connection, input: Input) -> Result<(), Error> {
    let offer = match read_json(&input.input) {
        Ok(offer) => offer,
        Err(problem) => return connection.fail(400, problem),
    };
    let node = state(connection, NODE).await?;
    let reached = match forwards(node.as_ref()) {
        true => {
            let below = (0..1 << BITS).map(|digit| child(service, EventHandler::Visit, &input.key, digit));
            call_all(connection, below, &offer).await?
        }
        false => {
            let keys = texts(node.as_ref());
            let objects = keys.iter().map(|key| keyed_target(service, EventHandler::Offer, key));
            call_all(connection, objects, &offer).await?
        }
    };
    connection.succeed(&reached.to_value())
}

/// Sends keys to the nodes below, and waits until they are there.
async fn forward(
    service: &Service,
    connection: &mut Connection,
    node: &str,
    handler: EventHandler,
    keys: &[String],
    is_in: bool,
) -> Result<(), Error> {
    let mut below: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for key in keys {
        below.entry(digit(key, depth(node))).or_default().push(key.clone());
    }
    for (digit, keys) in below {
        let _changed = call(connection, child(service, handler, node, digit), &change_json(&keys, is_in)).await?;
    }
    Ok(())
}

fn child(service: &Service, handler: EventHandler, node: &str, digit: usize) -> Target {
    target(&service.name, handler, &format!("{node}{digit}"))
}

fn change_json(keys: &[String], is_in: bool) -> Value {
    value!({ "keys": list(keys), "in": is_in })
}

fn read_change(input: &Input) -> Option<(Vec<String>, bool)> {
    let request = read_json(&input.input).ok()?;
    Some((texts(request.get("keys")), request.get("in")?.as_bool()?))
}

fn forwards(node: Option<&Value>) -> bool {
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
        assert_eq!(leaves.len(), 64);
        assert!(leaves.values().all(|count| (100..LEAF).contains(count)), "{leaves:?}");
        assert_eq!([depth("later/"), depth("later/07")], [0, 2]);
        assert!((0..DEPTH).all(|depth| digit("one", depth) < 8));
    }
}
