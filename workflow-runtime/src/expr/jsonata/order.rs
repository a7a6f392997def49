//! The order of items: `^(>a, b)` and the comparison of values.

use std::cmp::Ordering;
use std::rc::Rc;

use workflow_jsonata::SortTerm;

use super::convert;
use super::equality::{compare_numbers, compare_text};
use super::error::{JsonataError, Result};
use super::item::Item;
use super::merge;
use super::message::quoted;
use super::path::Input;
use super::run::Evaluation;
use super::scope::VariableScope;
use super::tuple::Tuple;
use super::view::View;

impl Evaluation<'_> {
    /// Sorts items. An array of fewer than two elements stays what it is.
    pub(super) fn sorted(&mut self, terms: &[SortTerm], input: &Input, scope: &Rc<VariableScope>) -> Result<Item> {
        let length = input.len();
        if length < 2 {
            return Ok(match input {
                Input::Elements(array) => array.clone(),
                Input::One(item) => convert::sequence(item.iter().cloned().collect()),
            });
        }
        self.charge(length)?;
        let items: Vec<Tuple> = (0..length).map(|at| Tuple { item: input.get(at), bindings: Vec::new() }).collect();
        let order = self.order(terms, &items, scope)?;
        Ok(convert::array(order.into_iter().filter_map(|at| items[at].item.clone()).collect()))
    }

    /// Sorts items with their variables.
    pub(super) fn sorted_tuples(
        &mut self,
        terms: &[SortTerm],
        tuples: Vec<Tuple>,
        scope: &Rc<VariableScope>,
    ) -> Result<Vec<Tuple>> {
        if tuples.len() < 2 {
            return Ok(tuples);
        }
        self.charge(tuples.len())?;
        let order = self.order(terms, &tuples, scope)?;
        Ok(order.into_iter().map(|at| tuples[at].clone()).collect())
    }

    /// Returns the places of the items in their order.
    fn order(&mut self, terms: &[SortTerm], items: &[Tuple], scope: &Rc<VariableScope>) -> Result<Vec<usize>> {
        self.charge(items.len().saturating_mul(terms.len()))?;
        let keys = vec![None; items.len().saturating_mul(terms.len())];
        let mut sorting = Sorting { terms, items, scope, keys };
        let places: Vec<usize> = (0..items.len()).collect();
        merge::sorted(&places, &mut |left, right| Ok(sorting.compare(self, *left, *right)? == Ordering::Greater))
    }
}

/// The state of a sort.
struct Sorting<'s> {
    terms: &'s [SortTerm],
    items: &'s [Tuple],
    scope: &'s Rc<VariableScope>,
    /// The values of the terms for the items, as far as they are evaluated.
    keys: Vec<Option<Option<Item>>>,
}

impl Sorting<'_> {
    fn compare(&mut self, run: &mut Evaluation, left: usize, right: usize) -> Result<Ordering> {
        run.steps(1)?;
        for (place, term) in self.terms.iter().enumerate() {
            let left = self.key(run, place, left)?;
            let right = self.key(run, place, right)?;
            let order = keys_order(run, left.as_ref(), right.as_ref(), term.descending)?;
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    /// Returns the value of a term for an item.
    fn key(&mut self, run: &mut Evaluation, term: usize, item: usize) -> Result<Option<Item>> {
        let place = item * self.terms.len() + term;
        if let Some(key) = &self.keys[place] {
            return Ok(key.clone());
        }
        let tuple = &self.items[item];
        let scope = tuple.scope_if_bound(run, self.scope)?;
        let key = run.evaluate(&self.terms[term].by, tuple.item.as_ref(), &scope)?;
        self.keys[place] = Some(key.clone());
        Ok(key)
    }
}

/// Returns the places of items in the order of their keys: for each item, a key for each term.
///
/// # Errors
/// Fails if two keys cannot be compared, and if a limit is exceeded.
pub(super) fn order_by_keys(
    keys: &[Option<Item>],
    descending: &[bool],
    length: usize,
    run: &mut Evaluation,
) -> Result<Vec<usize>> {
    let terms = descending.len();
    let places: Vec<usize> = (0..length).collect();
    merge::sorted(&places, &mut |left, right| {
        run.steps(1)?;
        for (term, descending) in descending.iter().enumerate() {
            let key = |item: usize| keys.get(item * terms + term).and_then(Option::as_ref);
            let order = keys_order(run, key(*left), key(*right), *descending)?;
            if order != Ordering::Equal {
                return Ok(order == Ordering::Greater);
            }
        }
        Ok(false)
    })
}

/// Compares the values of a term in its direction.
fn keys_order(
    run: &mut Evaluation,
    left: Option<&Item>,
    right: Option<&Item>,
    is_descending: bool,
) -> Result<Ordering> {
    match (left, right) {
        (None, None) => Ok(Ordering::Equal),
        // An undefined value comes last, in any direction.
        (None, Some(_)) => Ok(Ordering::Greater),
        (Some(_), None) => Ok(Ordering::Less),
        (Some(left), Some(right)) => {
            count_texts(run, left, right)?;
            let order = terms_order(run, left, right)?;
            Ok(if is_descending { order.reverse() } else { order })
        }
    }
}

/// Compares the values of a term.
fn terms_order(run: &mut Evaluation, left: &Item, right: &Item) -> Result<Ordering> {
    match compare(left, right) {
        Some(Some(order)) => Ok(order),
        Some(None) => {
            let (left, right) = (quoted(run, Some(left))?, quoted(run, Some(right))?);
            let message = format!("Type mismatch when comparing values {left} and {right} in order-by clause");
            Err(JsonataError::new("T2007", message))
        }
        None => {
            let message = "The expressions within an order-by clause must evaluate to numeric or string values";
            Err(JsonataError::new("T2008", message))
        }
    }
}

/// Compares two values: strings by their UTF-16 code units, numbers with NaN as the greatest.
/// Returns nothing inside if one is a string and the other one a number, and nothing at all if one
/// is neither.
pub(super) fn compare(left: &Item, right: &Item) -> Option<Option<Ordering>> {
    let (left, right) = (View::from(left), View::from(right));
    let comparable = |view: View<'_>| view.text().is_some() || view.number().is_some();
    if !comparable(left) || !comparable(right) {
        return None;
    }
    Some(match (left.text(), right.text()) {
        (Some(left), Some(right)) => Some(compare_text(left, right)),
        (None, None) => Some(numbers_order(left, right)),
        _ => None,
    })
}

/// Counts the work of comparing two values that are texts.
pub(super) fn count_texts(run: &mut Evaluation, left: &Item, right: &Item) -> Result<()> {
    match (left.as_text(), right.as_text()) {
        (Some(left), Some(right)) => run.count_text(left.len().min(right.len())),
        _ => Ok(()),
    }
}

fn numbers_order(left: View<'_>, right: View<'_>) -> Ordering {
    let is_nan = |view: View<'_>| view.number().is_some_and(f64::is_nan);
    compare_numbers(left, right).unwrap_or_else(|| is_nan(left).cmp(&is_nan(right)))
}
