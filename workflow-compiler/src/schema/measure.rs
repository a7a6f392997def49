//! Limits of bundled schemas, which bound the time and the stack of validation.
//!
//! References and combinators (`allOf`, `anyOf`, `oneOf`, `not`, `if`, …) apply a schema to the
//! same value as the schema that contains them. A definition that is reachable in several ways is
//! applied as many times, so that a short text can stand for any number of steps.

use super::keywords::{KeywordContent, keyword};
use crate::literal::Literal;
use std::collections::BTreeMap;

/// The maximum number of steps that the check of a single value takes, without the checks of its
/// members and elements. A step is the application of a schema, or the comparison with one entry
/// of a keyword such as `properties`.
pub const MAX_STEPS: usize = 10_000;
/// The maximum number of references that lead from one schema to another without a step to a
/// member or an element.
pub const MAX_CHAIN: usize = 128;

/// A limit that a definition of a bundle exceeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    /// See [`MAX_STEPS`].
    Steps,
    /// See [`MAX_CHAIN`].
    Chain,
}

/// The schemas of a definition that apply to one value.
#[derive(Default)]
struct Unit {
    /// The number of steps without those of the references.
    steps: usize,
    /// The indexes of the definitions that the references lead to.
    references: Vec<usize>,
}

/// The state of a definition in the search.
#[derive(Clone, Copy)]
enum Known {
    /// A definition that is being measured. A reference back to it counts nothing: validation ends
    /// when a schema is applied to one value again. Within a cycle of references, the steps are
    /// therefore a lower bound. The program counts its steps and ends a validation that takes too
    /// long.
    Open,
    Measured {
        steps: usize,
        chain: usize,
    },
}

struct Search<'a> {
    units: &'a [Unit],
    known: Vec<Option<Known>>,
}

/// Returns the index of a definition that exceeds a limit, if one does. The definitions have the
/// names that references give them, and the first is the schema itself.
pub fn find_excess(definitions: &[(String, &Literal)]) -> Option<(usize, Excess)> {
    let names = definitions.iter().enumerate().map(|(at, (name, _))| (name.as_str(), at)).collect();
    let reader = Reader { names };
    let mut inner = Vec::new();
    let mut units = Vec::with_capacity(definitions.len());
    for (at, (_, schema)) in definitions.iter().enumerate() {
        let mut unit = Unit::default();
        let mut found = Vec::new();
        reader.read(schema, &mut unit, &mut found);
        units.push(unit);
        inner.extend(found.into_iter().map(|unit| (at, unit)));
    }
    let mut search = Search { units: &units, known: vec![None; units.len()] };
    for at in 0..units.len() {
        if let Err(found) = search.measure(at, 0) {
            return Some(found);
        }
    }
    inner.iter().find_map(|(at, unit)| search.total(*at, unit, 0).err())
}

impl Search<'_> {
    /// Measures a definition, which `depth` references lead to. Returns its steps and the length
    /// of its longest chain, or the definition that exceeds a limit.
    fn measure(&mut self, at: usize, depth: usize) -> Result<(usize, usize), (usize, Excess)> {
        match self.known[at] {
            Some(Known::Open) => return Ok((0, 0)),
            Some(Known::Measured { steps, chain }) => return Ok((steps, chain)),
            None => self.known[at] = Some(Known::Open),
        }
        let units = self.units;
        let (steps, chain) = self.total(at, &units[at], depth)?;
        self.known[at] = Some(Known::Measured { steps, chain });
        Ok((steps, chain))
    }

    /// Adds up a unit of a definition.
    fn total(&mut self, at: usize, unit: &Unit, depth: usize) -> Result<(usize, usize), (usize, Excess)> {
        let (mut steps, mut chain) = (unit.steps, 0);
        for to in &unit.references {
            if depth >= MAX_CHAIN {
                return Err((at, Excess::Chain));
            }
            let of_target = self.measure(*to, depth + 1)?;
            steps = steps.saturating_add(of_target.0);
            chain = chain.max(of_target.1 + 1);
        }
        if steps > MAX_STEPS {
            return Err((at, Excess::Steps));
        }
        if chain > MAX_CHAIN { Err((at, Excess::Chain)) } else { Ok((steps, chain)) }
    }
}

struct Reader<'a> {
    names: BTreeMap<&'a str, usize>,
}

impl Reader<'_> {
    /// Adds a schema to the unit of its value. Collects the units of members and elements.
    fn read(&self, schema: &Literal, unit: &mut Unit, inner: &mut Vec<Unit>) {
        unit.steps += 1;
        let Literal::Object(members) = schema else { return };
        for (key, value) in members {
            match (key.as_str(), keyword(key).map(|(holds, ..)| holds), value) {
                ("$ref", _, Literal::String(reference)) => {
                    unit.references.extend(self.names.get(reference.as_str()));
                }
                // Texts are compared by their hashes.
                ("enum", _, Literal::Array(values)) => {
                    unit.steps += values.iter().filter(|value| !matches!(value, Literal::String(_))).count();
                }
                ("required", _, Literal::Array(names)) => unit.steps += names.len(),
                ("dependentRequired", _, Literal::Object(entries)) => unit.steps += entries.len(),
                ("dependentSchemas" | "dependencies", _, Literal::Object(entries)) => {
                    entries.iter().for_each(|(_, schema)| self.read(schema, unit, inner));
                }
                ("allOf" | "anyOf" | "oneOf", _, Literal::Array(parts)) => {
                    parts.iter().for_each(|part| self.read(part, unit, inner));
                }
                ("not" | "if" | "then" | "else", _, part) => self.read(part, unit, inner),
                (_, Some(KeywordContent::Map), Literal::Object(entries)) => {
                    unit.steps += entries.len();
                    entries.iter().for_each(|(_, schema)| self.read_inner(schema, inner));
                }
                (_, Some(KeywordContent::List | KeywordContent::Either), Literal::Array(parts)) => {
                    unit.steps += parts.len();
                    parts.iter().for_each(|part| self.read_inner(part, inner));
                }
                (_, Some(KeywordContent::Schema | KeywordContent::Either), part) => self.read_inner(part, inner),
                _ => {}
            }
        }
    }

    /// Adds the unit of a schema for a member or an element.
    fn read_inner(&self, schema: &Literal, inner: &mut Vec<Unit>) {
        let mut unit = Unit::default();
        self.read(schema, &mut unit, inner);
        inner.push(unit);
    }
}
