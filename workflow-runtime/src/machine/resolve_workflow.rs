//! Resolution of the workflow that a child execution runs: by name, or by id and version.

use std::cmp::Ordering;

use super::{Definition, WorkflowId};
use crate::fault::{Fault, names};

/// The longest name that suggestions are made for.
const MAX_SUGGESTED_LEN: usize = 64;

/// Resolves `target` to a definition: first by name, then by id, or by id and version
/// (`id@version`). Of several definitions of an id, the highest version wins. A definition whose
/// id and name are both `target` competes by its id.
///
/// Versions that are numbers between dots compare as numbers. They are higher than all others,
/// which compare as text. Of equal versions the first wins.
///
/// A definition that other workflows may not start is never returned. The fault says why no
/// definition was found.
pub fn resolve_workflow(
    target: &str,
    definitions: impl IntoIterator<Item = &'static Definition>,
) -> Result<&'static Definition, Fault> {
    let definitions: Vec<&'static Definition> = definitions.into_iter().collect();
    let (callable, others): (Vec<&'static Definition>, Vec<_>) =
        definitions.iter().copied().partition(|definition| definition.workflow_id.is_none_or(|id| id.is_child));
    let has_id = |definition: &Definition| definition.workflow_id.is_some_and(|id| id.is_matched_by(target));
    let named = callable.iter().copied().find(|definition| definition.name == target && !has_id(definition));
    let highest =
        callable.iter().copied().filter(|definition| has_id(definition)).reduce(|highest, other| {
            match compare(version(highest), version(other)) {
                Ordering::Less => other,
                Ordering::Equal | Ordering::Greater => highest,
            }
        });
    named.or(highest).ok_or_else(|| {
        let matches = |definition: &Definition| definition.name == target || has_id(definition);
        let why = match others.into_iter().find(|definition| matches(definition)) {
            Some(other) => format!("`{target}` is not a child: add `\"isChild\": true` to {}", other.source),
            None => unknown_version(target, &callable)
                .or_else(|| unknown_version(target, &definitions))
                .unwrap_or_else(|| unknown_workflow(target, &callable)),
        };
        Fault::named(names::UNKNOWN_WORKFLOW, why)
    })
}

fn version(definition: &Definition) -> Option<&'static str> {
    definition.workflow_id.and_then(|id| id.version)
}

/// Compares two versions. `None` is the lowest.
fn compare(left: Option<&str>, right: Option<&str>) -> Ordering {
    let (Some(left), Some(right)) = (left, right) else { return left.cmp(&right) };
    match (numbers(left), numbers(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (None, None) => left.cmp(right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}

/// Returns the numbers between dots as (digits, text), without leading zeros and trailing zero
/// components: the number with more digits is greater.
fn numbers(version: &str) -> Option<Vec<(usize, &str)>> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let part = |part| is_number(part).then(|| part.trim_start_matches('0')).map(|digits| (digits.len(), digits));
    let mut numbers: Vec<(usize, &str)> = version.split('.').map(part).collect::<Option<_>>()?;
    while numbers.pop_if(|last| last.0 == 0).is_some() {}
    Some(numbers)
}

/// Returns the message for a target whose id has only other versions.
fn unknown_version(target: &str, definitions: &[&'static Definition]) -> Option<String> {
    let requested =
        |definition: &Definition| Some((definition.workflow_id?, definition.workflow_id?.version_in(target)?));
    let mut others: Vec<_> = definitions.iter().filter_map(|definition| requested(definition)).collect();
    let (WorkflowId { id, .. }, requested) = *others.first()?;
    others.retain(|(other, _)| other.id == id);
    others.sort_by(|(left, _), (right, _)| compare(left.version, right.version));
    others.dedup();
    let mut versions: Vec<&str> =
        others.iter().map(|(other, _)| other.version.unwrap_or("one without a version")).collect();
    let last = versions.pop().unwrap_or_default();
    let rest = if versions.is_empty() { String::new() } else { format!("{} and ", versions.join(", ")) };
    Some(format!("unknown version {requested} of `{id}`, found {rest}{last}"))
}

fn unknown_workflow(target: &str, callable: &[&'static Definition]) -> String {
    let id = |definition: &Definition| definition.workflow_id.map(|id| id.id);
    let names = callable.iter().flat_map(|definition| [Some(definition.name), id(definition)]).flatten();
    // A wrong version has its own message, so that only the id is compared.
    let meant = target.split_once('@').map_or(target, |(id, _)| id);
    let near = nearest_name(meant, names).map(|name| format!(": did you mean `{name}`?")).unwrap_or_default();
    format!("unknown workflow `{target}`{near}")
}

/// Returns the most similar name, if one is similar.
pub fn nearest_name<'n>(meant: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let near = names.into_iter().filter_map(|name| Some((distance(meant, name)?, name))).min();
    near.map(|(_, name)| name)
}

/// Returns the edit distance (change, add, remove, swap of neighbours), if it is at most a third
/// of the length.
fn distance(left: &str, right: &str) -> Option<usize> {
    let (length, other) = (left.chars().count(), right.chars().count());
    let most = length.max(3) / 3;
    if length.max(other) > MAX_SUGGESTED_LEN || length.abs_diff(other) > most {
        return None;
    }
    Some(strsim::osa_distance(left, right)).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a definition with a static lifetime.
    fn definition(name: &'static str, workflow_id: Option<WorkflowId>) -> &'static Definition {
        Box::leak(Box::new(Definition {
            name,
            dialect: "none",
            source: "flows/some.json",
            hash: 0,
            workflow_id,
            ..Definition::VERSION_0_1_0
        }))
    }

    fn child(name: &'static str, id: &'static str, version: Option<&'static str>) -> &'static Definition {
        definition(name, Some(WorkflowId { id, version, is_child: true }))
    }

    fn of<'a>(target: &str, definitions: &[&'static Definition]) -> Result<(&'a str, Option<&'a str>), String> {
        match resolve_workflow(target, definitions.iter().copied()) {
            Ok(found) => Ok((found.name, version(found))),
            Err(fault) => {
                assert_eq!(fault.error(), Some(names::UNKNOWN_WORKFLOW));
                Err(fault.cause().and_then(|cause| cause.as_str()).unwrap_or_default().to_owned())
            }
        }
    }

    #[test]
    fn a_workflow_is_resolved_by_name_or_by_id_and_version() {
        let all = [
            definition("order", None),
            child("visa-9", "visa", Some("1.9")),
            child("visa-10", "visa", Some("1.10")),
            child("visa-beta", "visa", Some("beta")),
            child("visa-none", "visa", None),
            child("mail", "post", Some("1")),
            child("old-mail", "mail", Some("7")),
            child("tax", "tax", Some("1")),
            child("taxes", "tax", Some("2")),
            child("at", "a@b", None),
        ];
        for (target, name) in [
            ("order", "order"),
            ("visa", "visa-10"),
            ("visa@1.9", "visa-9"),
            ("visa@beta", "visa-beta"),
            ("visa-none", "visa-none"),
            // By its name, although another definition has the id.
            ("mail", "mail"),
            ("mail@7", "old-mail"),
            ("tax", "taxes"),
            ("tax@1", "tax"),
            ("a@b", "at"),
        ] {
            assert_eq!(of(target, &all).map(|(name, _)| name), Ok(name), "{target}");
        }
        let mut reversed = all;
        reversed.reverse();
        assert_eq!(of("visa", &reversed), Ok(("visa-10", Some("1.10"))));
    }

    #[test]
    fn the_first_of_equal_versions_wins() {
        let all =
            [child("one", "visa", Some("1.0")), child("two", "visa", Some("1")), child("three", "visa", Some("01.0"))];
        assert_eq!(of("visa", &all), Ok(("one", Some("1.0"))));
        assert_eq!(of("visa@1", &all), Ok(("two", Some("1"))));
    }

    #[test]
    fn versions_have_one_order() {
        let order = [
            None,
            Some("1a"),
            Some("beta"),
            Some("0.9"),
            Some("1.0"),
            Some("1.0.1"),
            Some("1.2"),
            Some("1.10"),
            Some("2"),
            Some("99999999999999999999999"),
        ];
        for (at, left) in order.iter().enumerate() {
            for (other, right) in order.iter().enumerate() {
                assert_eq!(compare(*left, *right), at.cmp(&other), "{left:?} {right:?}");
            }
        }
    }

    #[test]
    fn the_fault_says_why_nothing_can_be_started() {
        let stern = definition("stern", Some(WorkflowId { id: "visa", version: Some("2.0"), is_child: false }));
        let (one, two) = (child("visa-1", "visa", Some("1.0")), child("visa-2", "visa", Some("1.1")));
        let bare = child("bare", "post", None);
        let all = [stern, two, one, bare, definition("order", None)];
        assert_eq!(of("visa", &all), Ok(("visa-2", Some("1.1"))), "the other one is never meant");
        for (target, definitions, why) in [
            ("visa@2.0", &all[..], "`visa@2.0` is not a child: add `\"isChild\": true` to flows/some.json"),
            ("stern", &all, "`stern` is not a child: add `\"isChild\": true` to flows/some.json"),
            ("visa@3", &all, "unknown version 3 of `visa`, found 1.0 and 1.1"),
            ("visa@3", &all[..1], "unknown version 3 of `visa`, found 2.0"),
            ("post@1", &all, "unknown version 1 of `post`, found one without a version"),
            ("vsia@1.0", &all, "unknown workflow `vsia@1.0`: did you mean `visa`?"),
            ("vis@1.0", &all, "unknown workflow `vis@1.0`: did you mean `visa`?"),
            ("oder", &all, "unknown workflow `oder`: did you mean `order`?"),
            ("nothing", &all, "unknown workflow `nothing`"),
            ("x", &[], "unknown workflow `x`"),
        ] {
            assert_eq!(of(target, definitions), Err(why.to_owned()), "{target}");
        }
    }
}
