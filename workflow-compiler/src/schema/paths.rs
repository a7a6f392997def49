//! Paths that a schema rules out. The search is conservative: an uncertain path is not ruled out.

use super::Schema;
use crate::diagnostics::suggest::did_you_mean;
use crate::literal::{Literal, PathStep};
use crate::syntax::shown;

/// The greatest nesting of schemas that the search descends to.
const MAX_DEPTH: usize = 64;
/// The number of schemas that one search visits. The limit ends the search in recursive schemas.
const MAX_VISITS: usize = 4096;

/// A search for the reason why a path is impossible.
struct Search<'a> {
    schema: &'a Schema,
    steps: &'a [PathStep],
    unwrap_singletons: bool,
    /// The number of schemas that may still be visited.
    remaining: usize,
}

impl Schema {
    /// Returns the reason why no valid value has anything at this path: `order.total` is a number,
    /// and has no members. `unwrap_singletons` means that names are read through arrays of one
    /// element, so that an array has the members of its elements.
    pub fn rules_out(&self, steps: &[PathStep], unwrap_singletons: bool) -> Option<String> {
        let mut search = Search { schema: self, steps, unwrap_singletons, remaining: MAX_VISITS };
        search.rules_out(self.tree(), 0, MAX_DEPTH)
    }
}

impl<'a> Search<'a> {
    /// Returns the reason why `schema`, which describes the value after the first `at` steps,
    /// rules out the whole path.
    fn rules_out(&mut self, schema: &Literal, at: usize, depth: usize) -> Option<String> {
        if depth == 0 || self.remaining == 0 {
            return None;
        }
        self.remaining -= 1;
        let members = match schema {
            Literal::Bool(false) => return Some(format!("the schema of {} forbids every value", self.shown(at))),
            Literal::Object(members) => members,
            _ => return None,
        };
        let get = |key: &str| members.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        if let Some(Literal::String(reference)) = get("$ref") {
            let target = self.schema.target(reference)?;
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
            && !values.iter().any(|value| has_value_at(value, &self.steps[at..], self.unwrap_singletons))
        {
            return Some(format!("the schema of {} lists no value with this member or element", self.shown(at)));
        }
        match step {
            // An array of one element passes the step on to its element.
            PathStep::Key(_) if self.unwrap_singletons && allows_arrays(get("type"), at > 0) => None,
            PathStep::Key(key) => {
                self.types(get("type"), "object", "members", at).or_else(|| self.member(members, key, at, depth))
            }
            PathStep::Index(index) => {
                self.types(get("type"), "array", "elements", at).or_else(|| self.element(members, *index, at, depth))
            }
        }
    }

    /// Returns the reason why a step does not apply to values of these types.
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
        Some(format!("{} is {}, and has no {parts}", self.shown(at), type_list(&types)))
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
                Some(format!("{} cannot have a member `{}`{meant}", self.shown(at), shown(key)))
            }
            Some(schema) if !is_described => self.rules_out(schema, at + 1, depth - 1),
            _ => None,
        }
    }

    fn element(&mut self, members: &[(String, Literal)], index: i64, at: usize, depth: usize) -> Option<String> {
        let get = |key: &str| members.iter().find(|(name, _)| name == key).map(|(_, value)| value);
        // The last element is -1.
        let needed = if index < 0 { index.unsigned_abs() } else { index.unsigned_abs().saturating_add(1) };
        if let Some(Literal::Int(most)) = get("maxItems")
            && u64::try_from(*most).is_ok_and(|most| most < needed)
        {
            return Some(format!("{} has at most {most} elements", self.shown(at)));
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

    /// Formats the first steps for a message.
    fn shown(&self, steps: usize) -> String {
        let mut path = String::new();
        for step in &self.steps[..steps] {
            match step {
                PathStep::Key(key) if path.is_empty() => path = shown(key),
                PathStep::Key(key) => path = format!("{path}.{}", shown(key)),
                PathStep::Index(index) => path = format!("{path}[{index}]"),
            }
        }
        if path.is_empty() { "the value".to_owned() } else { format!("`{path}`") }
    }
}

/// Returns `true` if the types include arrays. Without types every value is allowed, except that
/// the document itself is always an object ([R26](docs/serverless-workflow.md#r26)).
fn allows_arrays(types: Option<&Literal>, is_within: bool) -> bool {
    let is_array = |name: &Literal| matches!(name, Literal::String(name) if name == "array");
    match types {
        Some(Literal::Array(names)) => names.iter().any(is_array),
        Some(name) => is_array(name),
        None => is_within,
    }
}

/// Returns `true` if a path leads to something in a constant value.
fn has_value_at(value: &Literal, steps: &[PathStep], unwrap_singletons: bool) -> bool {
    let Some((first, rest)) = steps.split_first() else { return true };
    let next = match (first, value) {
        (PathStep::Key(_), Literal::Array(items)) if unwrap_singletons => {
            return matches!(&items[..], [only] if has_value_at(only, steps, unwrap_singletons));
        }
        (PathStep::Key(key), Literal::Object(members)) => {
            members.iter().find(|(name, _)| name == key).map(|(_, next)| next)
        }
        (PathStep::Index(index), Literal::Array(items)) => {
            let from_end = || items.len().checked_sub(usize::try_from(index.unsigned_abs()).ok()?);
            let at = if *index < 0 { from_end() } else { usize::try_from(*index).ok() };
            at.and_then(|at| items.get(at))
        }
        _ => None,
    };
    next.is_some_and(|next| has_value_at(next, rest, unwrap_singletons))
}

#[cfg(feature = "json-schema")]
fn matches(pattern: &str, key: &str) -> Option<bool> {
    super::valid::matches(pattern, key)
}

#[cfg(not(feature = "json-schema"))]
fn matches(_pattern: &str, _key: &str) -> Option<bool> {
    None
}

fn type_list(types: &[&str]) -> String {
    let word = |name: &&str| match *name {
        "null" => "null".to_owned(),
        "integer" => "a whole number".to_owned(),
        "array" | "object" => format!("an {name}"),
        name => format!("a {name}"),
    };
    types.iter().map(word).collect::<Vec<_>>().join(" or ")
}
