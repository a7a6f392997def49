//! Names of actions: what programs bind them by, and the methods of the `Tasks` trait that stand for them.

use super::ast::{Composition, Kind};
use crate::passes::names::{Scope, snake_case};
use std::collections::{BTreeMap, BTreeSet};

/// What an action is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionName {
    /// What programs bind it by: its name without the default namespace.
    pub key: String,
    /// The method that stands for it.
    pub method: String,
}

/// The actions of a composition.
#[derive(Debug)]
pub struct Actions(BTreeMap<String, String>);

impl Actions {
    /// Names the actions of a composition, apart from each other.
    pub fn of(composition: &Composition) -> Actions {
        let (mut keys, mut seen) = (Vec::new(), BTreeSet::new());
        for state in &composition.states {
            if let Kind::Action(action) = &state.kind {
                let key = key(&action.value);
                if seen.insert(key.clone()) {
                    keys.push(key);
                }
            }
        }
        Actions(methods(&keys))
    }

    /// The names of an action, as it is written in a state.
    pub fn name(&self, action: &str) -> ActionName {
        let key = key(action);
        let method = self.0.get(&key).cloned().unwrap_or_else(|| snake_case(&key));
        ActionName { key, method }
    }
}

/// `/_/echo` and `echo` are the same action: `_` is the namespace of whoever asks.
fn key(action: &str) -> String {
    action.strip_prefix("/_/").unwrap_or(action).to_owned()
}

/// Package and name, without the namespace; where two actions would have the same, the whole; and where even that is the
/// same, a number.
fn methods(keys: &[String]) -> BTreeMap<String, String> {
    let short = |key: &str| match key.strip_prefix('/').and_then(|path| path.split_once('/')) {
        Some((_, rest)) => snake_case(rest),
        None => snake_case(key),
    };
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    keys.iter().for_each(|key| *count.entry(short(key)).or_default() += 1);
    let is_told_by_short = |key: &String| count[&short(key)] == 1;
    // A name that needs no more is not taken by one that does.
    let mut scope = Scope::default();
    let (told, untold): (Vec<&String>, Vec<&String>) = keys.iter().partition(|key| is_told_by_short(key));
    let told = told.into_iter().map(|key| (key, short(key)));
    let untold = untold.into_iter().map(|key| (key, snake_case(key)));
    told.chain(untold).map(|(key, wanted)| (key.clone(), scope.give_apart(&wanted))).collect()
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
    fn the_namespace_is_left_out_where_it_tells_nothing() {
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
