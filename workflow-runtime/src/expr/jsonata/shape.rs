//! The arguments that a signature takes as they are. This is decided without the signature.

use super::item::Item;
use super::run::Evaluation;
use super::view::View;

/// The most parameters of a function of the language.
const MOST: usize = 4;
/// The letters of types. The bit of a type is its place here.
const LETTERS: &[u8] = b"lbnsaof";
/// The bit of a missing argument.
const MISSING: u8 = 1 << 7;

/// The parameters of a function.
pub(crate) struct Shape {
    params: [Parameter; MOST],
    len: usize,
    /// The number of arguments without which the parameters cannot be filled in order.
    needed: usize,
    /// `false` if a parameter takes several arguments.
    is_fixed: bool,
}

/// A parameter.
#[derive(Clone, Copy)]
struct Parameter {
    /// The bits of the types that it takes.
    types: u8,
    /// The bits of the types of the elements of an array.
    items: u8,
}

impl Shape {
    /// Returns the shape of a signature, such as `<s-nn?:s>`.
    pub(crate) const fn of(signature: &str) -> Shape {
        let text = signature.as_bytes();
        let mut shape =
            Shape { params: [Parameter { types: 0, items: u8::MAX }; MOST], len: 0, needed: 0, is_fixed: true };
        let mut at = 1;
        while at < text.len() && text[at] != b':' && text[at] != b'>' {
            match text[at] {
                b'?' => shape.needed -= 1,
                b'-' => {}
                b'+' => shape.is_fixed = false,
                b'<' => {
                    // The types of elements or, after `f`, a signature, which is not checked.
                    let end = end_of(text, at);
                    let param = &mut shape.params[shape.len - 1];
                    if param.types & bit(b'a') != 0 {
                        param.items = bit(text[at + 1]);
                    }
                    at = end;
                }
                b'(' => {
                    let mut types = MISSING;
                    while text[at + 1] != b')' {
                        at += 1;
                        types |= bit(text[at]);
                    }
                    at += 1;
                    shape.add(types);
                }
                b'x' => shape.add(u8::MAX),
                b'j' => shape.add(u8::MAX ^ bit(b'f')),
                b'f' => shape.add(bit(b'f')),
                letter => shape.add(bit(letter) | MISSING),
            }
            at += 1;
        }
        shape
    }

    const fn add(&mut self, types: u8) {
        self.params[self.len].types = types;
        self.len += 1;
        // All parameters before an argument that is given have one.
        self.needed += 1;
    }

    /// Returns `true` if a function gets exactly these arguments, each for the parameter at its
    /// place. `false` says nothing.
    #[inline]
    pub(super) fn takes(&self, run: &mut Evaluation, args: &[Option<Item>]) -> bool {
        if !self.is_fixed || args.len() > self.len || args.len() < self.needed {
            return false;
        }
        args.iter().zip(&self.params).all(|(arg, param)| {
            let Some(item) = arg else { return param.types & MISSING != 0 };
            let view = View::from(item);
            let is_taken = param.types & bit_of(view) != 0;
            match view {
                View::Array(elements) if is_taken && param.items != u8::MAX => {
                    // A limit that is exceeded here is exceeded by the function, too.
                    run.steps(elements.len() as u64).is_ok()
                        && elements.iter().all(|element| param.items & bit_of(element) != 0)
                }
                _ => is_taken,
            }
        })
    }
}

/// Returns the place of the `>` that belongs to a `<`.
const fn end_of(text: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 1);
    while depth > 0 {
        at += 1;
        match text[at] {
            b'<' => depth += 1,
            b'>' => depth -= 1,
            _ => {}
        }
    }
    at
}

/// Returns the bit of a letter.
const fn bit(letter: u8) -> u8 {
    let mut place = 0;
    while LETTERS[place] != letter {
        place += 1;
    }
    1 << place
}

/// Returns the bit of the type of a value.
#[inline]
fn bit_of(view: View<'_>) -> u8 {
    const { assert!(LETTERS.len() == 7) };
    match view {
        View::Null => const { bit(b'l') },
        View::Bool(_) => const { bit(b'b') },
        View::Int(_) | View::Float(_) => const { bit(b'n') },
        View::String(_) => const { bit(b's') },
        View::Array(_) => const { bit(b'a') },
        View::Object(_) => const { bit(b'o') },
        View::Function(_) => const { bit(b'f') },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::jsonata::compiled::{evaluate_translated, native};
    use crate::expr::jsonata::environment::{JsonataEnvironment, JsonataLimits, States};
    use crate::expr::jsonata::tests::Counter;
    use crate::expr::jsonata::{functions, natives, signature};
    use crate::value::Value;

    #[test]
    fn arguments_that_fit_are_what_the_signature_makes_of_them() {
        let environment = JsonataEnvironment {
            states: States::default(),
            values: &[],
            now: 0,
            random: &mut Counter(0),
            limits: JsonataLimits::default(),
        };
        let outcome = evaluate_translated(environment, |run| {
            let mut values: Vec<Option<Item>> = vec![None, native("sum", run)?];
            for json in ["null", "true", "1", "2.5", r#""x""#, "[]", "[1]", r#"["x", "y"]"#, r#"[1, {}]"#, "[{}]", "{}"]
            {
                values.push(Value::from_json(json).ok().map(Item::Value));
            }
            let mut taken = 0;
            for native in functions::NATIVES {
                let Some(signature) = natives::signature_of(native) else { continue };
                let mut combinations: Vec<Vec<Option<Item>>> = vec![Vec::new()];
                for _ in 0..3 {
                    let longer: Vec<_> = combinations
                        .iter()
                        .flat_map(|args| {
                            values.iter().map(move |value| [&args[..], std::slice::from_ref(value)].concat())
                        })
                        .collect();
                    for args in &longer {
                        if !native.shape.takes(run, args) {
                            continue;
                        }
                        taken += 1;
                        let mut valid = signature::validated(run, signature, args, None, None)?;
                        // Arguments that are missing at the end.
                        assert!(valid.drain(args.len()..).all(|arg| arg.is_none()), "{}", native.name);
                        assert!(args.iter().zip(&valid).all(|(arg, valid)| is_same(arg, valid)), "{}", native.name);
                    }
                    combinations = longer;
                }
            }
            assert!(taken > 500, "{taken}");
            Ok(None)
        });
        assert!(outcome.is_ok(), "{outcome:?}");
    }

    fn is_same(left: &Option<Item>, right: &Option<Item>) -> bool {
        match (left, right) {
            (None, None) | (Some(Item::Function(_)), Some(Item::Function(_))) => true,
            (Some(Item::Value(left)), Some(Item::Value(right))) => left == right,
            _ => false,
        }
    }
}
