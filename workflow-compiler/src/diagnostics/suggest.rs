//! Suggestions of names that an author probably meant.

use crate::escape::shown;

/// Maximum length of a name, in characters, for an edit distance. Longer names must be equal
/// except for case.
const LONGEST: usize = 128;
/// Maximum number of candidates. The rest are ignored.
const MOST: usize = 1000;
/// Minimum length of a common beginning, in bytes, for a suggestion.
const SHORTEST_PREFIX: usize = 4;
/// Minimum length of a name, in characters, that looks misspelt because of one edit.
const SHORTEST_MISSPELT: usize = 5;
/// Maximum number of names in a list.
const MOST_LISTED: usize = 8;

/// Returns the candidate nearest to `name`. A candidate that differs in case only is nearest. Any
/// other candidate has an edit distance of at most a third of the letters of `name`, and at least
/// one letter is allowed. Of equally near candidates one that begins with `name` is returned, or
/// else the alphabetically first.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(LONGEST + 1).count();
    let most = length.max(3) / 3;
    let mut best: Option<(usize, bool, &str)> = None;
    for candidate in candidates.into_iter().take(MOST).filter(|candidate| *candidate != name) {
        let limit = best.map_or(most, |(distance, ..)| distance);
        let distance = if differs_in_case_only(name, candidate) {
            Some(0)
        } else if length > LONGEST {
            None
        } else {
            distance_within(name, length, candidate, limit)
        };
        let found = distance.map(|distance| (distance, !begins_with(candidate, name), candidate));
        best = [best, found].into_iter().flatten().min();
    }
    best.map(|(_, _, candidate)| candidate)
}

/// Returns the first of the candidates, in their order, from which `name` differs by one edit or
/// in case only. Short names are often similar by chance and have none.
pub fn one_edit<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().take(LONGEST + 1).count();
    if !(SHORTEST_MISSPELT..=LONGEST).contains(&length) {
        return None;
    }
    candidates.into_iter().take(MOST).filter(|candidate| *candidate != name).find(|candidate| {
        differs_in_case_only(name, candidate) || distance_within(name, length, candidate, 1).is_some()
    })
}

/// Returns the [nearest] candidate. If none is near, returns the shortest that begins with `name`,
/// or else the shortest that begins `name`. For names that are certainly wrong: a prefix alone is
/// no sign of a mistake.
pub fn likely<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().take(MOST).filter(|candidate| *candidate != name).collect();
    nearest(name, candidates.iter().copied()).or_else(|| {
        let begins = |candidate: &&str| same_beginning(name, candidate);
        let order = |candidate: &&'a str| (!begins_with(candidate, name), candidate.len(), *candidate);
        candidates.into_iter().filter(begins).min_by_key(order)
    })
}

/// Returns the help line that suggests the likely candidate, if there is one.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    likely(name, candidates).map(|likely| format!("did you mean `{likely}`?"))
}

/// Lists the first eight names in backquotes, and the number of the others.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter();
    let mut list: Vec<String> = names.by_ref().take(MOST_LISTED).map(|name| format!("`{}`", shown(name))).collect();
    match names.count() {
        0 => {}
        others => list.push(format!("{others} more")),
    }
    match list.pop() {
        Some(last) if list.is_empty() => last,
        Some(last) => format!("{} and {last}", list.join(", ")),
        None => String::new(),
    }
}

/// Returns `true` if one of the names begins with the other, except for case, and that is not
/// very short.
fn same_beginning(left: &str, right: &str) -> bool {
    left.len().min(right.len()) >= SHORTEST_PREFIX && (begins_with(left, right) || begins_with(right, left))
}

/// Returns `true` if a name begins with `start`, except for case.
fn begins_with(name: &str, start: &str) -> bool {
    name.get(..start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start))
}

fn differs_in_case_only(left: &str, right: &str) -> bool {
    left.eq_ignore_ascii_case(right)
        || left.chars().flat_map(char::to_lowercase).eq(right.chars().flat_map(char::to_lowercase))
}

/// Returns the edit distance of two names if it is at most `limit`. An edit inserts, removes or
/// replaces a letter, or swaps two neighbours. `left` has `length` letters.
fn distance_within(left: &str, length: usize, right: &str, limit: usize) -> Option<usize> {
    let right_length = right.chars().take(length + limit + 1).count();
    if length.abs_diff(right_length) > limit || differing_letters(left, right) as usize > 2 * limit {
        return None;
    }
    Some(strsim::osa_distance(left, right)).filter(|distance| *distance <= limit)
}

/// Returns a lower bound of twice the edit distance: the number of kinds of letters that only one
/// of the names has. The bound costs much less than the distance.
fn differing_letters(left: &str, right: &str) -> u32 {
    let kinds = |name: &str| name.chars().fold(0u64, |kinds, letter| kinds | 1 << (u32::from(letter) % 64));
    (kinds(left) ^ kinds(right)).count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_found() {
        let states = ["Notify", "Charge", "ChargeCard", "Ship", "Refund", "Überweisen", "CheckStock", "A", "B"];
        for (name, expected) in [
            ("Notfiy", Some("Notify")),
            ("notify", Some("Notify")),
            ("NOTIFY", Some("Notify")),
            ("Chargecard", Some("ChargeCard")),
            ("ChrageCard", Some("ChargeCard")),
            ("Charg", Some("Charge")),
            ("Shipp", Some("Ship")),
            ("überweisen", Some("Überweisen")),
            ("Uberweisen", Some("Überweisen")),
            ("CheckStok", Some("CheckStock")),
            ("C", Some("A")),
            ("Notify", None),
            ("Deliver", None),
            ("", Some("A")),
            ("completely different", None),
        ] {
            assert_eq!(nearest(name, states), expected, "{name}");
            assert_eq!(nearest(name, states.into_iter().rev()), expected, "{name}, in another order");
        }
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn a_third_of_the_letters_is_the_limit() {
        assert_eq!(nearest("abcdef", ["abcdXY"]), Some("abcdXY"));
        assert_eq!(nearest("abcdef", ["abcXYZ"]), None);
        assert_eq!(nearest("ab", ["ba"]), Some("ba"));
        assert_eq!(nearest("ab", ["xy"]), None);
    }

    #[test]
    fn very_long_names_cost_little() {
        let long = "a".repeat(100_000);
        let other = format!("{}b", "a".repeat(99_999));
        assert_eq!(nearest(&long, std::iter::repeat_n(other.as_str(), 100)), None);
        assert_eq!(nearest(&long, [long.to_uppercase().as_str()]), Some(long.to_uppercase().as_str()));
    }

    #[test]
    fn a_common_beginning_is_likely() {
        let names = ["ValidateOrder", "ValidateOrders", "Charge", "Übermitteln", "States.Array", "States.ArrayLength"];
        for (name, expected) in [
            ("Validate", Some("ValidateOrder")),
            ("ChargeCustomer", Some("Charge")),
            ("charg", Some("Charge")),
            ("Val", None),
            ("Übermittelnde", Some("Übermitteln")),
            ("Ship", None),
            // An abbreviation is likelier than a name with something added.
            ("States.ArrayLen", Some("States.ArrayLength")),
            ("States.ArraySize", Some("States.Array")),
        ] {
            assert_eq!(likely(name, names), expected, "{name}");
        }
    }

    #[test]
    fn long_lists_say_how_much_they_leave_out() {
        assert_eq!(listed(["a"]), "`a`");
        assert_eq!(listed(["a", "b", "c"]), "`a`, `b` and `c`");
        let names: Vec<String> = (0..10).map(|n| n.to_string()).collect();
        let list = listed(names.iter().map(String::as_str));
        assert_eq!(list, "`0`, `1`, `2`, `3`, `4`, `5`, `6`, `7` and 2 more");
    }

    #[test]
    fn help_names_it() {
        assert_eq!(did_you_mean("Notfiy", ["Notify"]).as_deref(), Some("did you mean `Notify`?"));
    }
}
