//! Regular expressions of an expression: compiled once for a thread, and called as functions.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use workflow_jsonata::Pattern;

use super::error::Result;
use super::item::Item;
use super::regex::{JsonataRegex, NextMatch};
use super::run::Evaluation;
use super::text;
use crate::budget;

/// The number of compiled patterns that a thread keeps.
const KEPT: usize = 64;
/// The cost of compiling a pattern, in units of the budget of the turn.
const COMPILING: usize = 1_000;

thread_local! {
    /// The compiled patterns, the oldest one first. The pattern is that of the tree, whose address
    /// is in use as long as it is here.
    static COMPILED: RefCell<Vec<(Arc<Pattern>, Rc<JsonataRegex>)>> = const { RefCell::new(Vec::new()) };
}

impl Evaluation<'_> {
    /// Returns a compiled pattern.
    pub(super) fn regex(&mut self, pattern: &Arc<Pattern>) -> Result<Rc<JsonataRegex>> {
        let is_this = |(kept, _): &&(Arc<Pattern>, Rc<JsonataRegex>)| Arc::ptr_eq(kept, pattern);
        let kept = COMPILED.with_borrow(|compiled| compiled.iter().find(is_this).map(|(_, regex)| Rc::clone(regex)));
        if let Some(regex) = kept {
            return Ok(regex);
        }
        // No steps: what a thread keeps must not change where an evaluation ends.
        budget::spend(COMPILING + pattern.text.len());
        let regex = Rc::new(JsonataRegex::new(pattern)?);
        COMPILED.with_borrow_mut(|compiled| {
            if compiled.len() >= KEPT {
                compiled.remove(0);
            }
            compiled.push((Arc::clone(pattern), Rc::clone(&regex)));
        });
        Ok(regex)
    }

    /// Calls a regular expression: returns the first match in a text, as an object.
    pub(super) fn first_match(
        &mut self,
        regex: &Rc<JsonataRegex>,
        value: Option<&Option<Item>>,
    ) -> Result<Option<Item>> {
        let Some(Some(value)) = value else { return Ok(None) };
        let text = text::string(self, value, false)?;
        NextMatch::first(Rc::clone(regex), text).call(self)
    }
}
