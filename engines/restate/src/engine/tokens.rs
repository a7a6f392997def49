//! Masking of task tokens in texts for others.

use std::collections::BTreeSet;

use workflow_runtime::Value;
use workflow_runtime::engine::{EngineError, tokens};

use super::Engine;
use super::relatives::literals;
use crate::promises;

/// Largest number of tokens in one query.
const AT_ONCE: usize = 200;

impl Engine {
    /// Replaces every registered token in a text with `[token]`.
    pub(super) async fn masked(&self, text: String) -> Result<String, EngineError> {
        let candidates = candidates(&text);
        let mut registered = BTreeSet::new();
        for some in candidates.chunks(AT_ONCE) {
            let keys: Vec<String> = some.iter().map(|token| promises::token_registered(token)).collect();
            let keys = literals(keys.iter().map(String::as_str));
            let rows = self.rows(&format!("SELECT key FROM sys_promise WHERE key IN ({keys})")).await?;
            registered.extend(rows.iter().filter_map(|row| row.get("key").and_then(Value::as_str).map(str::to_owned)));
        }
        match registered.is_empty() {
            true => Ok(text),
            false => Ok(tokens::mask(&text, |uuid| registered.contains(&promises::token_registered(uuid)))),
        }
    }
}

/// Returns what may be tokens: the UUIDs in a text, each once.
fn candidates(text: &str) -> Vec<String> {
    let found = std::cell::RefCell::new(BTreeSet::new());
    tokens::mask(text, |uuid| {
        found.borrow_mut().insert(uuid.to_owned());
        false
    });
    found.into_inner().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_candidate_is_found_once() {
        let token = "01234567-89ab-4cde-8f01-23456789abcd";
        assert_eq!(candidates(&format!("{{\"a\":\"{token}\",\"b\":\"x{token}\"}}")), [token]);
        assert!(candidates("no-token").is_empty());
    }
}
