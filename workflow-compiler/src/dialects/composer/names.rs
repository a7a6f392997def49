//! Names of actions: their task keys, and their methods in the `Tasks` trait.

use super::ast::{Composition, StateKind};
use crate::names::{NameScope, snake_case};
use std::collections::{BTreeMap, BTreeSet};

/// Names of an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionName {
    /// Task key: the name of the action without the default namespace.
    pub key: String,
    /// Method of the action.
    pub method: String,
}

/// Methods of the actions of a composition, by task key.
#[derive(Debug)]
pub struct ActionNames(BTreeMap<String, String>);

impl ActionNames {
    /// Gives each action of a composition a method of its own.
    pub fn of(composition: &Composition) -> ActionNames {
        let (mut keys, mut seen) = (Vec::new(), BTreeSet::new());
        for state in &composition.states {
            if let StateKind::Action(action) = &state.kind {
                let key = key(&action.value);
                if seen.insert(key.clone()) {
                    keys.push(key);
                }
            }
        }
        ActionNames(methods(&keys))
    }

    /// Returns the names of an action as written in a state.
    pub fn name(&self, action: &str) -> ActionName {
        let key = key(action);
        let method = self.0.get(&key).cloned().unwrap_or_else(|| snake_case(&key));
        ActionName { key, method }
    }
}

/// Returns the task key. `/_/echo` and `echo` are the same action, because `_` is the namespace of
/// the caller.
fn key(action: &str) -> String {
    action.strip_prefix("/_/").unwrap_or(action).to_owned()
}

/// Returns a method per key: package and name without the namespace. Keys that share this form
/// keep the namespace, and equal results are numbered.
fn methods(keys: &[String]) -> BTreeMap<String, String> {
    let short = |key: &str| match key.strip_prefix('/').and_then(|path| path.split_once('/')) {
        Some((_, rest)) => snake_case(rest),
        None => snake_case(key),
    };
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    keys.iter().for_each(|key| *count.entry(short(key)).or_default() += 1);
    let is_unique = |key: &String| count[&short(key)] == 1;
    // Keys with a unique short form come first, so that no numbered name takes it.
    let mut scope = NameScope::default();
    let (unique, clashing): (Vec<&String>, Vec<&String>) = keys.iter().partition(|key| is_unique(key));
    let unique = unique.into_iter().map(|key| (key, short(key)));
    let clashing = clashing.into_iter().map(|key| (key, snake_case(key)));
    unique.chain(clashing).map(|(key, wanted)| (key.clone(), scope.give_with_underscore(&wanted))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(keys: &[&str]) -> Vec<String> {
        let keys: Vec<String> = keys.iter().map(|key| (*key).to_owned()).collect();
        let methods = methods(&keys);
        keys.iter().map(|key| methods[key].clone()).collect()
    }

    #[test]
    fn a_needless_namespace_is_left_out() {
        assert_eq!(named(&["/whisk.system/utils/echo", "foo", "/acme/pay"]), ["utils_echo", "foo", "pay"]);
    }

    #[test]
    fn names_never_clash() {
        assert_eq!(named(&["/a/utils/echo", "/b/utils/echo"]), ["a_utils_echo", "b_utils_echo"]);
        assert_eq!(named(&["a-b", "a_b", "a.b"]), ["a_b", "a_b_2", "a_b_3"]);
        assert_eq!(named(&["a-b", "a_b_2", "a_b"]), ["a_b", "a_b_2", "a_b_3"]);
        assert_eq!(named(&["if", "if.", "if_2", "é", "e\u{301}"]), ["if_", "if_3", "if_2", "é", "é_2"]);
    }
}
