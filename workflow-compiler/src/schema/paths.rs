//! Which paths a schema rules out. What is not certain is not ruled out.

use super::Schema;
use crate::diagnostics::suggest::did_you_mean;
use crate::expr::{Literal, Step};
use crate::syntax::shown;

/// How deep schemas are looked into.
const DEEPEST: usize = 64;
/// How many schemas are looked at for one path: those that refer to themselves have no end.
const MOST: usize = 4096;

/// What is looked for, and in what.
struct Search<'a> {
    schema: &'a Schema,
    steps: &'a [Step],
    through: bool,
    /// How many more schemas are looked at.
    left: usize,
}

impl Schema {
    /// Why nothing can be at this path in a value that fits, if that is so: `order.total` is a number, and has no members. `through`:
    /// names are read through arrays of one element, so that arrays have what their elements have.
    pub fn rules_out(&self, steps: &[Step], through: bool) -> Option<String> {
        let mut search = Search { schema: self, steps, through, left: MOST };
        search.rules_out(self.tree(), 0, DEEPEST)
    }
}

impl<'a> Search<'a> {
    /// Why a schema, of what is at the end of so many steps, leaves nothing at the end of all.
    fn rules_out(&mut self, schema: &Literal, at: usize, depth: usize) -> Option<String> {
        if depth == 0 || self.left == 0 {
            return None;
        }
        self.left -= 1;
        let members = match schema {
            Literal::Bool(false) => return Some(format!("no value fits the schema of {}", self.shown(at))),
            Literal::Object(members) => members,
            _ => return None,
        };
        let get = |key: &str| members.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        if let Some(Literal::String(reference)) = get("$ref") {
            let target = self.target(reference)?;
            let reason = self.rules_out(target, at, depth - 1);
            if reason.is_some() || self.schema.draft().refs_stand_alone() {
                return reason;
            }
        }
        if let Some(Literal::Array(parts)) = get("allOf") {
            let reason = parts.iter().find_map(|part| self.rules_out(part, at, depth - 1));
            if reason.is_some() {
                return reason;
            }
        }
        for key in ["anyOf", "oneOf"] {
            if let Some(Literal::Array(parts)) = get(key) {
                let reasons: Option<Vec<String>> =
                    parts.iter().map(|part| self.rules_out(part, at, depth - 1)).collect();
                if let Some(reason) = reasons.and_then(|reasons| reasons.into_iter().next()) {
                    return Some(reason);
                }
            }
        }
        if let (Some(_), Some(then), Some(otherwise)) = (get("if"), get("then"), get("else"))
            && let (Some(reason), Some(_)) =
                (self.rules_out(then, at, depth - 1), self.rules_out(otherwise, at, depth - 1))
        {
            return Some(reason);
        }
        let step = self.steps.get(at)?;
        let values = match (get("const"), get("enum")) {
            (Some(value), _) => Some(std::slice::from_ref(value)),
            (None, Some(Literal::Array(values))) => Some(&values[..]),
            _ => None,
        };
        if let Some(values) = values
            && !values.iter().any(|value| leads(value, &self.steps[at..], self.through))
        {
            return Some(format!("none of the values that {} can be has it", self.shown(at)));
        }
        match step {
            // What may be an array may have it in its element.
            Step::Key(_) if self.through && allows_arrays(get("type"), at > 0) => None,
            Step::Key(key) => {
                self.types(get("type"), "object", "members", at).or_else(|| self.member(members, key, at, depth))
            }
            Step::Index(index) => {
                self.types(get("type"), "array", "elements", at).or_else(|| self.element(members, *index, at, depth))
            }
        }
    }

    /// Why a step cannot be taken from values of these types.
    fn types(&self, types: Option<&Literal>, wanted: &str, parts: &str, at: usize) -> Option<String> {
        let types: Vec<&str> = match types? {
            Literal::String(name) => vec![name],
            Literal::Array(names) => names
                .iter()
                .filter_map(|name| if let Literal::String(name) = name { Some(name.as_str()) } else { None })
                .collect(),
            _ => return None,
        };
        if types.is_empty() || types.contains(&wanted) {
            return None;
        }
        Some(format!("{} is {}, and has no {parts}", self.shown(at), in_words(&types)))
    }

    fn member(&mut self, members: &[(String, Literal)], key: &str, at: usize, depth: usize) -> Option<String> {
        let entries = |name: &str| match members.iter().find(|(known, _)| known == name) {
            Some((_, Literal::Object(entries))) => &entries[..],
            _ => &[],
        };
        let own = entries("properties").iter().find(|(name, _)| name == key).map(|(_, schema)| schema);
        let mut is_described = own.is_some();
        if let Some(reason) = own.and_then(|schema| self.rules_out(schema, at + 1, depth - 1)) {
            return Some(reason);
        }
        for (pattern, schema) in entries("patternProperties") {
            match matches(pattern, key) {
                Some(false) => {}
                Some(true) => {
                    is_described = true;
                    if let Some(reason) = self.rules_out(schema, at + 1, depth - 1) {
                        return Some(reason);
                    }
                }
                None => is_described = true,
            }
        }
        let others = members.iter().find(|(name, _)| name == "additionalProperties").map(|(_, schema)| schema);
        match others {
            Some(Literal::Bool(false)) if !is_described => {
                let known = entries("properties").iter().map(|(name, _)| name.as_str());
                let meant = did_you_mean(key, known).map(|meant| format!(": {meant}")).unwrap_or_default();
                Some(format!("{} has no member `{}`, and can have no others{meant}", self.shown(at), shown(key)))
            }
            Some(schema) if !is_described => self.rules_out(schema, at + 1, depth - 1),
            _ => None,
        }
    }

    fn element(&mut self, members: &[(String, Literal)], index: i64, at: usize, depth: usize) -> Option<String> {
        let get = |key: &str| members.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        // From the end, the first is -1.
        let needed = if index < 0 { index.unsigned_abs() } else { index.unsigned_abs().saturating_add(1) };
        if let Some(Literal::Int(most)) = get("maxItems")
            && u64::try_from(*most).is_ok_and(|most| most < needed)
        {
            return Some(format!("{} has {most} elements at the most", self.shown(at)));
        }
        let (first, others): (&[Literal], Option<&Literal>) = match (get("prefixItems"), get("items")) {
            (Some(Literal::Array(first)), others) => (first, others),
            (_, Some(Literal::Array(first))) => (first, get("additionalItems")),
            (_, others) => (&[], others),
        };
        if index < 0 && !first.is_empty() {
            return None;
        }
        match usize::try_from(index).ok().and_then(|index| first.get(index)) {
            Some(schema) => self.rules_out(schema, at + 1, depth - 1),
            None => self.rules_out(others?, at + 1, depth - 1),
        }
    }

    /// What a reference in the bundle means.
    fn target(&self, reference: &str) -> Option<&'a Literal> {
        let mut at = self.schema.tree();
        let Some(name) = reference.strip_prefix("#/") else { return Some(at) };
        for part in name.split('/') {
            let Literal::Object(members) = at else { return None };
            at = members.iter().find(|(key, _)| key == part).map(|(_, value)| value)?;
        }
        Some(at)
    }

    /// The first steps in words.
    fn shown(&self, steps: usize) -> String {
        let mut path = String::new();
        for step in &self.steps[..steps] {
            match step {
                Step::Key(key) if path.is_empty() => path = shown(key),
                Step::Key(key) => path = format!("{path}.{}", shown(key)),
                Step::Index(index) => path = format!("{path}[{index}]"),
            }
        }
        if path.is_empty() { "the value".to_owned() } else { format!("`{path}`") }
    }
}

/// Whether arrays are among these types. Where there are none, anything is; but all of the data are an object (ruling R26).
fn allows_arrays(types: Option<&Literal>, is_within: bool) -> bool {
    let is_array = |name: &Literal| matches!(name, Literal::String(name) if name == "array");
    match types {
        Some(Literal::Array(names)) => names.iter().any(is_array),
        Some(name) => is_array(name),
        None => is_within,
    }
}

/// Whether a path leads to something in a value.
fn leads(value: &Literal, steps: &[Step], through: bool) -> bool {
    let Some((first, rest)) = steps.split_first() else { return true };
    let next = match (first, value) {
        (Step::Key(_), Literal::Array(items)) if through => {
            return matches!(&items[..], [only] if leads(only, steps, through));
        }
        (Step::Key(key), Literal::Object(members)) => {
            members.iter().find(|(name, _)| name == key).map(|(_, next)| next)
        }
        (Step::Index(index), Literal::Array(items)) => {
            let from_end = || items.len().checked_sub(usize::try_from(index.unsigned_abs()).ok()?);
            let at = if *index < 0 { from_end() } else { usize::try_from(*index).ok() };
            at.and_then(|at| items.get(at))
        }
        _ => None,
    };
    next.is_some_and(|next| leads(next, rest, through))
}

#[cfg(feature = "json-schema")]
fn matches(pattern: &str, key: &str) -> Option<bool> {
    super::valid::matches(pattern, key)
}

#[cfg(not(feature = "json-schema"))]
fn matches(_pattern: &str, _key: &str) -> Option<bool> {
    None
}

fn in_words(types: &[&str]) -> String {
    let word = |name: &&str| match *name {
        "null" => "null".to_owned(),
        "integer" => "a whole number".to_owned(),
        "array" | "object" => format!("an {name}"),
        name => format!("a {name}"),
    };
    types.iter().map(word).collect::<Vec<_>>().join(" or ")
}
