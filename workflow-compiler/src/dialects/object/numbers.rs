//! Readers of numbers with limits.

use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::source::Spanned;
use crate::syntax::wrong_type;
use crate::syntax::{Node, Tree};
use std::ops::RangeInclusive;

/// Limits of a number.
#[derive(Clone, Debug)]
pub enum NumberRange {
    /// Integer within inclusive limits. A float without a fraction counts as an integer.
    Whole(RangeInclusive<u32>),
    /// Integer of at least this, without a maximum.
    AtLeast(u32),
    /// Number within inclusive limits.
    Real(f64, f64),
}

/// Returns the number that `node` is, or reports an error for the member `name`.
pub fn number(node: &Node, name: &str, range: NumberRange, diagnostics: &mut Diagnostics) -> Option<Spanned<f64>> {
    let value = match node.tree {
        Tree::Int(value) => value as f64,
        Tree::Float(value) => value,
        _ => {
            let wanted = if matches!(range, NumberRange::Real(..)) { "a number" } else { "a whole number" };
            wrong_type(node, name, wanted, diagnostics);
            return None;
        }
    };
    in_range(node, name, value, range, diagnostics)
}

/// Returns the number `value`, which `node` denotes, or reports that it is outside of the range.
pub fn in_range(
    node: &Node,
    name: &str,
    value: f64,
    range: NumberRange,
    diagnostics: &mut Diagnostics,
) -> Option<Spanned<f64>> {
    let (limits, sort) = match &range {
        NumberRange::Whole(range) => (f64::from(*range.start())..=f64::from(*range.end()), "a whole number"),
        NumberRange::AtLeast(least) => (f64::from(*least)..=f64::INFINITY, "a whole number"),
        NumberRange::Real(least, most) => (*least..=*most, "a number"),
    };
    if limits.contains(&value) && (matches!(range, NumberRange::Real(..)) || value.fract() == 0.0) {
        return Some(Spanned::new(value, node.span));
    }
    let wanted = match (limits.start(), limits.end()) {
        (least, &f64::INFINITY) => format!("{sort} of at least {least}"),
        (least, most) => format!("{sort} from {least} to {most}"),
    };
    out_of_range(node, name, &wanted, value, limits, diagnostics);
    None
}

/// Reports a number that is outside of `range`, or has a fraction. `limits` describes the range.
pub fn out_of_range(
    node: &Node,
    name: &str,
    limits: &str,
    value: f64,
    range: RangeInclusive<f64>,
    diagnostics: &mut Diagnostics,
) {
    let message = format!("`{name}` must be {limits}");
    let help = match value {
        value if value < *range.start() => format!("the minimum is {}", range.start()),
        value if value > *range.end() => format!("the maximum is {}", range.end()),
        value => format!("use a whole number, such as {}", value.round()),
    };
    diagnostics.push(Diagnostic::new(&codes::WF0404, node.span, message).help(help));
}
