//! An estimate of the work of `typify`, which has no limits of its own.
//!
//! `typify` merges the parts of an `allOf`, also the schemas that they give for one member. It
//! distributes alternatives over the other parts and merges anew for each definition, so that time
//! and memory can be exponential in the length of a schema.

use super::types::target;
use crate::literal::Literal;
use std::collections::BTreeMap;

/// The maximum number of schemas and of members of enumerations. `typify` takes up to a
/// millisecond for each without optimisation.
const MAX_PARTS: usize = 2_000;
/// The maximum estimate of the work of merging and comparing.
const MAX_WORK: usize = 100_000;
/// The work of merging a part or a member of it, compared to the comparison of two alternatives.
const MERGE: usize = 20;
/// The maximum depth of merges of members of merged schemas. Merges of recursive schemas may have
/// no end.
const MAX_LEVELS: usize = 16;

const TOO_DEEP: &str = "its `allOf` combine too many schemas";
const ALTERNATIVES: &str = "an `allOf` combines several `anyOf` or `oneOf`";

/// Schemas of one place that are merged, without combinators.
#[derive(Default)]
struct Merged<'a> {
    /// The number of schemas, combinators included.
    schemas: usize,
    bodies: Vec<&'a [(String, Literal)]>,
    /// The number of `anyOf` and `oneOf` that have a choice.
    choices: usize,
    /// Set if the schemas are merged, and not only compared.
    is_merge: bool,
}

struct Estimate<'a> {
    definitions: BTreeMap<&'a str, &'a Literal>,
    root: &'a str,
    work: usize,
}

/// Returns the reason why types for these definitions could take too much time or memory, if they
/// could. The first definition is the schema itself, and none consists of itself.
pub fn find_obstacle(definitions: &[(String, Literal)]) -> Option<&'static str> {
    let root = definitions.first()?.0.as_str();
    let by_name = definitions.iter().map(|(name, schema)| (name.as_str(), schema)).collect();
    let mut estimate = Estimate { definitions: by_name, root, work: 0 };
    definitions.iter().find_map(|(_, schema)| estimate.visit(schema).err())
}

/// Returns `true` if these definitions have too many parts for types.
pub fn is_too_large(definitions: &[(String, Literal)]) -> bool {
    let mut parts = 0;
    definitions.iter().any(|(_, schema)| !count(schema, &mut parts))
}

/// Adds the parts of a schema. Returns `false` if there are too many.
fn count(schema: &Literal, parts: &mut usize) -> bool {
    *parts += 1;
    let Literal::Object(members) = schema else { return true };
    if let Some(Literal::Array(values)) = member(members, "enum") {
        *parts += values.len();
    }
    *parts <= MAX_PARTS && parts_of(members).into_iter().all(|part| count(part, parts))
}

impl<'a> Estimate<'a> {
    /// Estimates the work for a schema and everything in it.
    fn visit(&mut self, schema: &'a Literal) -> Result<(), &'static str> {
        self.merge(vec![schema], 0)?;
        let Literal::Object(members) = schema else { return Ok(()) };
        parts_of(members).into_iter().try_for_each(|part| self.visit(part))
    }

    /// Estimates the work for schemas of one place.
    fn merge(&mut self, schemas: Vec<&'a Literal>, level: usize) -> Result<(), &'static str> {
        if level > MAX_LEVELS {
            return Err(TOO_DEEP);
        }
        let merged = self.expand(schemas)?;
        if merged.choices > 0 {
            self.spend(merged.schemas.saturating_mul(merged.schemas))?;
        }
        if !merged.is_merge {
            return Ok(());
        }
        if merged.choices > 1 {
            return Err(ALTERNATIVES);
        }
        let (mut members, mut others, mut elements) =
            (BTreeMap::<&str, Vec<&'a Literal>>::new(), Vec::new(), Vec::new());
        for body in merged.bodies.iter().copied() {
            if let Some(Literal::Object(entries)) = member(body, "properties") {
                self.spend(MERGE * entries.len())?;
                entries.iter().for_each(|(name, schema)| members.entry(name).or_default().push(schema));
            }
            others.extend(member(body, "additionalProperties").filter(|schema| matches!(schema, Literal::Object(_))));
            elements.extend(member(body, "items").filter(|schema| matches!(schema, Literal::Object(_))));
        }
        // The schema for other members applies to the members that another part names.
        for own in members.values_mut() {
            own.extend(&others);
        }
        for of_one_place in members.into_values().chain([others, elements]).filter(|schemas| schemas.len() > 1) {
            self.merge(of_one_place, level + 1)?;
        }
        Ok(())
    }

    /// Follows references and combinators.
    fn expand(&mut self, schemas: Vec<&'a Literal>) -> Result<Merged<'a>, &'static str> {
        let mut merged = Merged { is_merge: schemas.len() > 1, ..Merged::default() };
        let mut open = schemas;
        while let Some(schema) = open.pop() {
            self.spend(MERGE)?;
            merged.schemas += 1;
            let Literal::Object(members) = schema else { continue };
            let mut is_body = false;
            for (key, value) in members {
                match (key.as_str(), value) {
                    ("$ref", Literal::String(reference)) => {
                        let name = target(reference, self.root);
                        let name = name.rsplit('/').next().unwrap_or_default();
                        open.extend(self.definitions.get(name));
                    }
                    ("allOf", Literal::Array(parts)) => {
                        merged.is_merge |= parts.len() > 1;
                        open.extend(parts);
                    }
                    ("anyOf" | "oneOf", Literal::Array(parts)) => {
                        merged.choices += usize::from(parts.len() > 1);
                        open.extend(parts);
                    }
                    ("type" | "required" | "enum" | "const" | "properties" | "additionalProperties" | "items", _) => {
                        is_body = true;
                    }
                    _ => {}
                }
            }
            if is_body {
                // A combinator beside other keywords is merged with them.
                merged.is_merge |= members.iter().any(|(key, _)| COMBINATORS.contains(&key.as_str()));
                merged.bodies.push(members);
            }
        }
        Ok(merged)
    }

    fn spend(&mut self, work: usize) -> Result<(), &'static str> {
        self.work = self.work.saturating_add(work);
        if self.work > MAX_WORK { Err(TOO_DEEP) } else { Ok(()) }
    }
}

/// Keywords that apply schemas to the value itself.
const COMBINATORS: [&str; 4] = ["$ref", "allOf", "anyOf", "oneOf"];

fn member<'a>(members: &'a [(String, Literal)], key: &str) -> Option<&'a Literal> {
    members.iter().find(|(name, _)| name == key).map(|(_, value)| value)
}

/// Returns the schemas in a schema that may become types.
fn parts_of(members: &[(String, Literal)]) -> Vec<&Literal> {
    let mut parts = Vec::new();
    for (key, value) in members {
        match (key.as_str(), value) {
            ("allOf" | "anyOf" | "oneOf", Literal::Array(schemas)) => parts.extend(schemas),
            ("properties", Literal::Object(entries)) => parts.extend(entries.iter().map(|(_, schema)| schema)),
            ("additionalProperties" | "items", schema) => parts.push(schema),
            _ => {}
        }
    }
    parts
}
