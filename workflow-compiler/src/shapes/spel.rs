//! The effects of SpEL's functions on shapes (`expr/spel/functions.rs`). An absent operand is
//! null.

use super::functions::Wanted;
use super::{KindSet, Shape};

const ARRAY: KindSet = KindSet::ARRAY;
const NUMBER: KindSet = KindSet::NUMBER;
const STRING: KindSet = KindSet::STRING;
const SIZED: KindSet = STRING.or(ARRAY).or(KindSet::OBJECT);
const SCALAR: KindSet = NUMBER.or(STRING);

/// An effect on shapes: the result, or the kinds that the operands would have to be of.
type Effect = fn(&[Shape]) -> Result<Shape, Wanted>;

/// Returns the effect of a function, by its name. `None` for `equals`, and for other functions.
pub(super) fn effect(name: &str) -> Option<Effect> {
    Some(match name {
        "is_true" => |args| takes(args, &[KindSet::BOOLEAN]).map(|()| args[0].only(KindSet::BOOLEAN)),
        "is_given" => |args| Ok(test(args, |value| value != KindSet::NULL, |value| !value.meets(KindSet::NULL))),
        "is_filled" => {
            |args| Ok(test(args, |value| value != KindSet::NULL, |value| !value.meets(KindSet::NULL.or(STRING))))
        }
        "less_than" | "less_than_equals" | "greater_than" | "greater_than_equals" => order,
        "add" => add,
        "subtract" | "multiply" | "divide" | "remainder" => {
            |args| takes(args, &[NUMBER, NUMBER]).map(|()| Shape::number())
        }
        "negate" => |args| takes(args, &[NUMBER]).map(|()| Shape::number()),
        "is_empty" => |args| takes(args, &[SIZED]).map(|()| Shape::boolean()),
        "size" => |args| takes(args, &[SIZED]).map(|()| Shape::integer()),
        "contains" => |args| match args {
            [of, _, ..] if !of.set().meets(ARRAY) => takes(args, &[STRING, STRING]).map(|()| Shape::boolean()),
            _ => takes(args, &[STRING | ARRAY]).map(|()| Shape::boolean()),
        },
        "starts_with" | "ends_with" => |args| takes(args, &[STRING, STRING]).map(|()| Shape::boolean()),
        "to_lower_case" | "to_upper_case" => |args| takes(args, &[STRING]).map(|()| Shape::string()),
        "matches" => |args| takes(args, &[TEXTUAL]).map(|()| Shape::boolean()),
        "matches_value" => |args| takes(args, &[TEXTUAL, STRING]).map(|()| Shape::boolean()),
        "only" => |args| Ok(args.first().map_or_else(Shape::any, |all| all.join(&all.elements()))),
        _ => return None,
    })
}

/// The kinds of values that `matches` converts to a text.
const TEXTUAL: KindSet = KindSet::NULL.or(KindSet::BOOLEAN).or(SCALAR);

/// Checks that each operand can be of one of these kinds.
fn takes(args: &[Shape], wanted: &[KindSet]) -> Result<(), Wanted> {
    let fits = args.iter().zip(wanted).all(|(arg, wanted)| arg.set().meets(*wanted)) && args.len() >= wanted.len();
    if fits { Ok(()) } else { Err(Wanted(wanted.to_vec())) }
}

/// Returns the result of a test that may hold for some kinds, and always holds for some.
fn test(args: &[Shape], may_hold: fn(KindSet) -> bool, holds: fn(KindSet) -> bool) -> Shape {
    match args.first().map(Shape::set) {
        Some(set) if holds(set) => Shape::flag(true),
        Some(set) if !may_hold(set) => Shape::flag(false),
        _ => Shape::boolean(),
    }
}

/// Compares two numbers, or two texts.
fn order(args: &[Shape]) -> Result<Shape, Wanted> {
    let [left, right, ..] = args else { return Ok(Shape::boolean()) };
    let both = |kind: KindSet| left.set().meets(kind) && right.set().meets(kind);
    match both(NUMBER) || both(STRING) {
        true => Ok(Shape::boolean()),
        false => Err(Wanted(vec![like(right), like(left)])),
    }
}

/// Returns the kinds that can be compared with a value.
fn like(other: &Shape) -> KindSet {
    let kinds = [NUMBER, STRING].into_iter().filter(|kind| other.set().meets(*kind));
    kinds.reduce(KindSet::or).unwrap_or(SCALAR)
}

/// Adds two numbers, or concatenates a text and any value.
fn add(args: &[Shape]) -> Result<Shape, Wanted> {
    let [left, right, ..] = args else { return Ok(Shape::any()) };
    let numbers = left.set().meets(NUMBER) && right.set().meets(NUMBER);
    let texts = left.set().meets(STRING) || right.set().meets(STRING);
    match (numbers, texts) {
        (true, true) => Ok(Shape::number().join(&Shape::string())),
        (true, false) => Ok(Shape::number()),
        (false, true) => Ok(Shape::string()),
        (false, false) => Err(Wanted(vec![SCALAR, SCALAR])),
    }
}
