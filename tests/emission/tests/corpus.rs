//! Tests of every hostile text in every place of every template.

use workflow_emission::{Family, HOSTILE, Input, Verdict, check, errors};

#[track_caller]
fn check_family(family: Family) {
    let (mut refused, mut sound, mut same) = (0, 0, 0);
    let mut problems = Vec::new();
    for program in family.programs() {
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
fn jsonata() {
    check_family(Family::Jsonata);
}

#[test]
fn openapi() {
    check_family(Family::OpenApi);
}

#[test]
fn schemas() {
    check_family(Family::JsonSchema);
}

/// Checks that the rules accept sound code that a fuzz target has found.
#[test]
fn sound_code_keeps_the_rules() {
    // A text that is the plain word of another place.
    let names = b"\x02h\x8d\xb2\xd7\xfc!Fk\x90\xb5\xda\xff$In\x93\xb8\xddOt\x99\xbe\x08\xe3-Rw\x9c\xc1\xe6\x0b\
        \x1e\xe2\x81\xa6\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e\xc3\xb5\xa9\x1e\x1e\x1e\x1e\x1e\x1e\x1ezqxqz\x7f\xc2\x9b\
        \x1e\x1e\x1e\x1e\x1e\x1e\x1e\x00";
    assert_eq!(check(Family::Names, &Input::from_bytes(names)), Ok(Verdict::Same));
    // A task whose resource has no usable character.
    let tasks = b"\x05\x30\x6c\x75\x4d\x72\x97\xbc\xe1\x06\x2b\x50\x01\0\0\0\0\0\0\0\x53\xe7\x9d\
        \x1eB\xc2lP\x01\x00$.a\x1e\x1e\x1e^\x1e\x1e\x1ea text of more\x9a\xbf\xe4\t\xc2x.S\xe7\x9d\x1eB\xc2\xb7c\
        \x1e\x1e\x1e?\x1e\x1e\x1e\xb7c\x1e\x1e\x1e?\x1e\x1e\x1er#fn\x1e0\x1e\x1e";
    assert_eq!(check(Family::Names, &Input::from_bytes(tasks)), Ok(Verdict::Same));
    // Two variables of different blocks that have one name in the code.
    let mut program = b"\x06\x06+,Pu\x9a\xbf\xe4\t.Sx\x01Af\x8b\xb0\xd5\xfa\x1fDi\x8e\xb3\xd8\xfd\"Gl@\xb6\xdb\x00%Jo\
        \x94\xb9\xdebreak\x03(Mr\x97\xbc\xe1"
        .to_vec();
    program.extend([0xdf; 55]);
    program.extend(b"~\xed\x98\xca\xa3");
    program.extend([0x98; 9]);
    program.extend(b"\x16\x98\x98\x98\x98\x98\x98\x127\\\x81\xa6\xcb\xf0\x15:_\x84\xa9");
    let texts = ["", "", "", "", "", "", "\\\"", "", "_2", "", "\u{fffd}", "incl5\u{fffd}\u{fffd}!(\"/etc/passwd\")"];
    let input = Input { program, texts: texts.map(str::to_owned).to_vec() };
    assert_eq!(check(Family::JavaScript, &input), Ok(Verdict::Same));
    // The items of two loops, one after the other, that have one name.
    let expression = b"\x02,Qv\x9b\xc0\xe5\x0a/\x00\x00\x00\x00\x1dBg\x8c\xb1\xd6\xfb Ej\x8f\xb4\xd9\xfe\x1e\x1e\x1eSo\
        me\x1e\xa4\xc9\xee\x138]\x82\xa7\xcc\xf1\x16\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
        \x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\
        \x00\x00\x00\x00\x00\x10\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00;`\
        \x85\xaa\xcf\x90\x90\x90\x90}\x1e\x1e\x1e\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\
        \x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\
        \x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\x02\
        \x02\x02\x02\x02\x02\x02\x02\x02\x02\x02";
    assert_eq!(check(Family::Jsonata, &Input::from_bytes(expression)), Ok(Verdict::Same));
    // A plural names its items.
    let expression = b"\x01\x82\xa7\xcc\xf1\x16;`\x85\xaa\xcf\xe1\x19>_2c\x88\xad\xd2\xf7\x1cAf\x8b\xb0\xd5\xfa\x1fDi\
        \x8e\xb3\xd8\xfd\"Gl\x91\xb6\xdb\x00%\x1e\x1e\x1e\x1e\x1e\x1e\x1e\x1e{#\x1e${}\x1e\x1e\x1e\x1e\
        \x1e\x1e\x1e\x1eTasks\x1e\x1e\x1e\x1e\x1e\x1e";
    assert_eq!(check(Family::Jsonata, &Input::from_bytes(expression)), Ok(Verdict::Same));
}
