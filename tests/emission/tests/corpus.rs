//! Tests of every hostile text in every place of every template.

use workflow_emission::{Family, HOSTILE, Input, Verdict, check, errors};

/// Returns programs: one byte for each shape, and a few bytes for the rest.
fn programs(family: Family) -> impl Iterator<Item = Vec<u8>> {
    let rest = |seed: u8| (0..60u8).map(move |at| at.wrapping_mul(seed).wrapping_mul(37).wrapping_add(seed));
    (0..family.shapes()).map(move |shape| std::iter::once(shape).chain(rest(5 + 6 * shape)).collect())
}

#[track_caller]
fn check_family(family: Family) {
    let (mut refused, mut sound, mut same) = (0, 0, 0);
    let mut problems = Vec::new();
    for program in programs(family) {
        let plain = Input { program: program.clone(), texts: Vec::new() };
        assert_eq!(check(family, &plain), Ok(Verdict::Same), "{program:?}: {:?}", errors(family, &plain));
        let before = same;
        // Each text comes first in one of the shapes, and further on in the others.
        for at in (usize::from(program[0])..HOSTILE.len()).step_by(usize::from(family.shapes())) {
            // Each text fills every fourth place once, and all texts fill the places in turn.
            let turned = HOSTILE.iter().cycle().skip(at).take(24).map(|text| (*text).to_owned());
            let apart = (0..24).map(|place| if place % 4 == at % 4 { HOSTILE[at].to_owned() } else { String::new() });
            let alone = (0..24).map(|place| if place == at % 24 { HOSTILE[at].to_owned() } else { String::new() });
            for texts in [turned.collect(), apart.collect(), alone.collect()] {
                match check(family, &Input { program: program.clone(), texts }) {
                    Ok(Verdict::Refused) => refused += 1,
                    Ok(Verdict::Sound) => sound += 1,
                    Ok(Verdict::Same) => same += 1,
                    Err(problem) if problems.len() < 20 => problems.push(problem),
                    Err(_) => break,
                }
            }
        }
        // Some texts must be accepted and reach the code.
        assert!(same > before || !problems.is_empty(), "nothing is accepted of {program:?}");
    }
    println!("{}: {refused} refused, {sound} sound, {same} the same, {} problems", family.name(), problems.len());
    problems.sort_by_key(String::len);
    assert!(
        problems.is_empty(),
        "{} problems:\n{}",
        problems.len(),
        problems.iter().take(3).map(String::as_str).collect::<Vec<_>>().join("\n\n")
    );
    assert!(same > 100, "only {same} are compared");
}

#[test]
fn names() {
    check_family(Family::Names);
}

#[test]
fn javascript() {
    check_family(Family::JavaScript);
}

#[test]
fn jq() {
    check_family(Family::Jq);
}

#[test]
fn openapi() {
    check_family(Family::OpenApi);
}

#[test]
fn schemas() {
    check_family(Family::JsonSchema);
}
