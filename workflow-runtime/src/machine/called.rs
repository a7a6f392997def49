//! Which of several definitions an execution means that starts another one.

use std::cmp::Ordering;

use super::Definition;
use crate::fault::{Fault, names};

/// What others call a workflow, where its dialect has them start it by an id and a version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Called {
    /// Its id.
    pub id: &'static str,
    /// Its version, if it has one.
    pub version: Option<&'static str>,
    /// Whether others may start it.
    pub is_child: bool,
}

/// Names that are longer have no nearest ones.
const LONGEST: usize = 64;

/// The definition that `target` means: the one of this name; else of those of this id, or of this id and version, written
/// `id@version`, the one of the highest version. One that has this id and this name is of the latter. Versions of numbers
/// between dots are compared as numbers, and are higher than others, which are compared as texts; of equal ones the first is meant.
///
/// One that others may not start is never meant. Where none is, the fault says why.
pub fn called(
    target: &str,
    definitions: impl IntoIterator<Item = &'static Definition>,
) -> Result<&'static Definition, Fault> {
    let definitions: Vec<&'static Definition> = definitions.into_iter().collect();
    let (callable, others): (Vec<&'static Definition>, Vec<_>) =
        definitions.iter().copied().partition(|definition| definition.called.is_none_or(|called| called.is_child));
    let has_id = |definition: &Definition| definition.called.is_some_and(|called| called.is_meant_by(target));
    let named = callable.iter().copied().find(|definition| definition.name == target && !has_id(definition));
    let highest =
        callable.iter().copied().filter(|definition| has_id(definition)).reduce(|highest, other| {
            match compare(version(highest), version(other)) {
                Ordering::Less => other,
                Ordering::Equal | Ordering::Greater => highest,
            }
        });
    named.or(highest).ok_or_else(|| {
        let is_meant = |definition: &Definition| definition.name == target || has_id(definition);
        let why = match others.into_iter().find(|definition| is_meant(definition)) {
            Some(other) => format!("`{target}` is not a child: add `\"isChild\": true` to {}", other.source),
            None => of_another_version(target, &callable)
                .or_else(|| of_another_version(target, &definitions))
                .unwrap_or_else(|| unknown(target, &callable)),
        };
        Fault::named(names::UNKNOWN_WORKFLOW, why)
    })
}

impl Called {
    /// Whether `target` is its id, or its id and version.
    fn is_meant_by(&self, target: &str) -> bool {
        target == self.id || self.version_in(target).is_some_and(|version| Some(version) == self.version)
    }

    /// The version that `target` asks for, if it has this id.
    fn version_in<'t>(&self, target: &'t str) -> Option<&'t str> {
        target.strip_prefix(self.id)?.strip_prefix('@')
    }
}

fn version(definition: &Definition) -> Option<&'static str> {
    definition.called.and_then(|called| called.version)
}

/// Which of two versions is higher. None is the lowest.
fn compare(left: Option<&str>, right: Option<&str>) -> Ordering {
    let (Some(left), Some(right)) = (left, right) else { return left.cmp(&right) };
    match (numbers(left), numbers(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (None, None) => left.cmp(right),
        (left, right) => left.is_some().cmp(&right.is_some()),
    }
}

/// The numbers between dots, without zeros that change nothing: the one with more digits is the greater one.
fn numbers(version: &str) -> Option<Vec<(usize, &str)>> {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let part = |part| is_number(part).then(|| part.trim_start_matches('0')).map(|digits| (digits.len(), digits));
    let mut numbers: Vec<(usize, &str)> = version.split('.').map(part).collect::<Option<_>>()?;
    while numbers.pop_if(|last| last.0 == 0).is_some() {}
    Some(numbers)
}

/// That there are only other versions of the workflow that is meant.
fn of_another_version(target: &str, definitions: &[&'static Definition]) -> Option<String> {
    let asked = |definition: &Definition| Some((definition.called?, definition.called?.version_in(target)?));
    let mut known: Vec<_> = definitions.iter().filter_map(|definition| asked(definition)).collect();
    let (Called { id, .. }, asked) = *known.first()?;
    known.retain(|(called, _)| called.id == id);
    known.sort_by(|(left, _), (right, _)| compare(left.version, right.version));
    known.dedup();
    let mut told: Vec<&str> =
        known.iter().map(|(called, _)| called.version.unwrap_or("one without a version")).collect();
    let last = told.pop().unwrap_or_default();
    let is = if told.is_empty() { "is" } else { "are" };
    let rest = if told.is_empty() { String::new() } else { format!("{} and ", told.join(", ")) };
    Some(format!("there is no version {asked} of `{id}`, there {is} {rest}{last}"))
}

fn unknown(target: &str, callable: &[&'static Definition]) -> String {
    let id = |definition: &Definition| definition.called.map(|called| called.id);
    let names = callable.iter().flat_map(|definition| [Some(definition.name), id(definition)]).flatten();
    // Of a version it is said that there is none when the id is right.
    let meant = target.split_once('@').map_or(target, |(id, _)| id);
    let near = names.filter_map(|name| Some((distance(meant, name)?, name))).min();
    let near = near.map(|(_, name)| format!(": did you mean `{name}`?")).unwrap_or_default();
    format!("no workflow `{target}` can be started here{near}")
}

/// How many letters are to be changed, added, removed, or swapped with their neighbour, if a third of them at most.
fn distance(left: &str, right: &str) -> Option<usize> {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let most = left.len().max(3) / 3;
    if left.len().max(right.len()) > LONGEST || left.len().abs_diff(right.len()) > most {
        return None;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=right.len()).collect();
    for (at, letter) in left.iter().enumerate() {
        let mut row = vec![at + 1];
        for (other, known) in right.iter().enumerate() {
            let replaced = last[other] + usize::from(letter != known);
            let mut least = replaced.min(last[other + 1] + 1).min(row[other] + 1);
            if at > 0 && other > 0 && *letter == right[other - 1] && left[at - 1] == *known {
                least = least.min(before[other - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{OnTimeout, VERSION_0_1_0};

    /// A definition, which lives as long as the tests do.
    fn definition(name: &'static str, called: Option<Called>) -> &'static Definition {
        Box::leak(Box::new(Definition {
            version: VERSION_0_1_0,
            name,
            dialect: "none",
            source: "flows/some.json",
            hash: 0,
            called,
            timeout_seconds: None,
            on_timeout: OnTimeout::Fail,
            data_limit: None,
            context: false,
            longest_task_seconds: None,
            states: &[],
            tasks: &[],
            check_input: None,
            events: &[],
            correlation: None,
            starts_on: None,
            schedule: None,
            points: &[],
            settings: &[],
            graph: "",
        }))
    }

    fn child(name: &'static str, id: &'static str, version: Option<&'static str>) -> &'static Definition {
        definition(name, Some(Called { id, version, is_child: true }))
    }

    fn of<'a>(target: &str, definitions: &[&'static Definition]) -> Result<(&'a str, Option<&'a str>), String> {
        match called(target, definitions.iter().copied()) {
            Ok(found) => Ok((found.name, version(found))),
            Err(fault) => {
                assert_eq!(fault.error(), Some(names::UNKNOWN_WORKFLOW));
                Err(fault.cause().and_then(|cause| cause.as_str()).unwrap_or_default().to_owned())
            }
        }
    }

    #[test]
    fn a_workflow_is_called_by_its_name_or_by_id_and_version() {
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
            // Its name, though another one has that id.
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
    fn the_first_of_equal_versions_is_meant() {
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
    fn what_cannot_be_started_is_told() {
        let stern = definition("stern", Some(Called { id: "visa", version: Some("2.0"), is_child: false }));
        let (one, two) = (child("visa-1", "visa", Some("1.0")), child("visa-2", "visa", Some("1.1")));
        let bare = child("bare", "post", None);
        let all = [stern, two, one, bare, definition("order", None)];
        assert_eq!(of("visa", &all), Ok(("visa-2", Some("1.1"))), "the other one is never meant");
        for (target, definitions, why) in [
            ("visa@2.0", &all[..], "`visa@2.0` is not a child: add `\"isChild\": true` to flows/some.json"),
            ("stern", &all, "`stern` is not a child: add `\"isChild\": true` to flows/some.json"),
            ("visa@3", &all, "there is no version 3 of `visa`, there are 1.0 and 1.1"),
            ("visa@3", &all[..1], "there is no version 3 of `visa`, there is 2.0"),
            ("post@1", &all, "there is no version 1 of `post`, there is one without a version"),
            ("vsia@1.0", &all, "no workflow `vsia@1.0` can be started here: did you mean `visa`?"),
            ("vis@1.0", &all, "no workflow `vis@1.0` can be started here: did you mean `visa`?"),
            ("oder", &all, "no workflow `oder` can be started here: did you mean `order`?"),
            ("nothing", &all, "no workflow `nothing` can be started here"),
            ("x", &[], "no workflow `x` can be started here"),
        ] {
            assert_eq!(of(target, definitions), Err(why.to_owned()), "{target}");
        }
    }
}
