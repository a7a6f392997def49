//! Predicates: positions and conditions.

use std::rc::Rc;

use workflow_jsonata::{Node, NodeKind, Number};

use super::convert;
use super::error::Result;
use super::item::Item;
use super::path::{Input, elements};
use super::run::Evaluation;
use super::scope::VariableScope;
use super::truth::out_of_range;
use super::view::View;

impl Evaluation<'_> {
    /// Returns the elements of a value for which a predicate holds, or the element at a position.
    pub(super) fn filter(
        &mut self,
        predicate: &Node,
        value: Option<Item>,
        scope: &Rc<VariableScope>,
    ) -> Result<Option<Item>> {
        let input = Input::of(value);
        if let Some(position) = literal(predicate) {
            let item = place(position, input.len()).and_then(|at| input.get(at));
            return Ok(Some(match item {
                Some(item) if item.is_array() => item,
                item => convert::sequence(item.into_iter().collect()),
            }));
        }
        let mut results = Vec::new();
        for at in 0..input.len() {
            let item = input.get(at);
            let verdict = self.evaluate(predicate, item.as_ref(), scope)?;
            let times = self.verdict(verdict.as_ref(), at, input.len())?;
            if let Some(item) = item {
                self.charge(times)?;
                results.extend(std::iter::repeat_n(item, times));
            }
        }
        Ok(Some(convert::sequence(results)))
    }

    /// Returns how often an item is selected by the value of a predicate: a position, an array of
    /// positions, or a condition.
    pub(super) fn verdict(&mut self, value: Option<&Item>, at: usize, length: usize) -> Result<usize> {
        let Some(item) = value else { return Ok(0) };
        let is_at = |position: f64| usize::from(place(position, length) == Some(at));
        if let Some(position) = position(View::from(item))? {
            return Ok(is_at(position));
        }
        if let Some(elements) = elements(item) {
            self.steps(elements.len() as u64)?;
            let mut times = 0;
            let mut are_positions = true;
            for element in elements.iter() {
                match position(element)? {
                    Some(position) => times += is_at(position),
                    None => {
                        are_positions = false;
                        break;
                    }
                }
            }
            if are_positions {
                return Ok(times);
            }
        }
        Ok(usize::from(self.truth(value)?))
    }
}

/// Returns the position that a predicate is, if it is a number as written.
pub(super) fn literal(predicate: &Node) -> Option<f64> {
    match predicate.kind {
        // A position beyond 2^53 is outside of every array.
        NodeKind::Number(Number::Int(number)) => Some(number as f64),
        NodeKind::Number(Number::Float(number)) => Some(number),
        _ => None,
    }
}

/// Returns the place in an array of this length. Negative positions count from the end.
pub(super) fn place(position: f64, length: usize) -> Option<usize> {
    let position = position.floor();
    // Arrays are shorter than 2^53.
    let place = if position < 0.0 { position + length as f64 } else { position };
    (place >= 0.0 && place < length as f64).then_some(place as usize)
}

/// Returns the number. Fails with D1001 if it is an infinity. NaN is no position.
fn position(view: View<'_>) -> Result<Option<f64>> {
    match view.number() {
        Some(number) if number.is_infinite() => Err(out_of_range()),
        number => Ok(number.filter(|number| !number.is_nan())),
    }
}
