//! Made documents for an expression: their members have the names that the expression mentions,
//! so that its paths lead somewhere.

use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The documents for each expression.
const DOCUMENTS: u64 = 6;

/// The most names in a document.
const NAMES: usize = 8;

/// Returns the documents for an expression. Equal texts have equal documents.
pub fn documents(expression: &str) -> impl Iterator<Item = Value> {
    let names = names(expression);
    (1..=DOCUMENTS).map(move |seed| Maker { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) }.object(&names, 0))
}

/// Returns the words of a text that do not follow a dollar sign, without the members of `$states`,
/// whose values the documents are.
fn names(text: &str) -> Vec<String> {
    let text = text.replace("$states.", "$");
    let mut names = BTreeSet::new();
    let (mut word, mut before) = (String::new(), ' ');
    for character in text.chars().chain([' ']) {
        match character.is_alphanumeric() || character == '_' {
            true => word.push(character),
            false => {
                if !word.is_empty() && before != '$' {
                    names.insert(std::mem::take(&mut word));
                }
                word.clear();
                before = character;
            }
        }
    }
    names.into_iter().take(NAMES).collect()
}

/// The maker of a document.
struct Maker {
    state: u64,
}

impl Maker {
    /// Returns a number below a bound.
    fn below(&mut self, bound: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % bound
    }

    /// Returns an object with most of the names.
    fn object(&mut self, names: &[String], depth: u64) -> Value {
        let mut members = Map::new();
        for name in names {
            if self.below(8) > 0 {
                members.insert(name.clone(), self.value(names, depth + 1));
            }
        }
        Value::Object(members)
    }

    /// Returns a value, which is the simpler the deeper it is.
    fn value(&mut self, names: &[String], depth: u64) -> Value {
        match self.below(5 + 2 * depth * depth) {
            0..=2 => self.object(names, depth),
            3 => {
                let length = self.below(4);
                (0..length).map(|_| self.value(names, depth + 1)).collect()
            }
            4 => {
                let length = 1 + self.below(2);
                (0..length).map(|_| self.object(names, depth + 1)).collect()
            }
            _ => self.scalar(),
        }
    }

    fn scalar(&mut self) -> Value {
        match self.below(12) {
            0 => Value::Null,
            1 => json!(true),
            2 => json!(false),
            3 => json!(0),
            4 => json!(7),
            5 => json!(-2.5),
            6 => json!(""),
            7 => json!("12"),
            8 => json!("a-b c"),
            9 => json!("2024-05-17T09:30:00Z"),
            10 => json!([]),
            _ => json!("{\"a\": [1]}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_the_names_of_the_expression_and_are_the_same_each_time() {
        assert_eq!(names("$states.input.order[total > 1].'id' & $b"), ["1", "id", "order", "total"]);
        let made = |text: &str| documents(text).collect::<Vec<_>>();
        assert_eq!(made("$states.input.order.id"), made("$states.input.order.id"));
        assert!(made("$states.input.order.id").iter().any(|document| document["order"].is_object()));
        let size = |text: &str| made(text).iter().map(|document| document.to_string().len()).max();
        assert!(size("a.b.c.d.e.f.g.h.i.j.k.l") < Some(60_000));
    }
}
