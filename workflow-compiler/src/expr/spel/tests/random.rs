//! Tests of mutated expressions. Any text is either parsed or rejected with a span, and a parsed
//! text can be evaluated.

use super::{OUTPUT, SpelMode, run, try_read, value};
use crate::diagnostics::Severity;
use crate::expr::tests::shape::{admits, exact, views};
use crate::passes::shape_of;
use crate::shapes::Shape;

const SEEDS: &[&str] = &[
    "$.error ne null",
    "#jsonPath(stateOutputData,'$..user[?(@.a == ''b'')].title') eq 'MANAGER'",
    "$.items[?(@.price > 10)].size() ge 1 and not (open or name matches '[a-z]+')",
    "a?.b['c d'][0].toUpperCase().contains(\"x\"\"y\") ? {1, -2.5e3, null} : 0xFF ?: #root.count div 2",
    "T(a).b + new X() ++ @c ^ 2 = items.?[a].![b] between instanceof",
    "ä.ö('ü€𐀀') eq $.ß-é[\"𐀀\"]",
];

/// The data.
const DATA: &str = r#"{"a": [{"b": {"c d": ["x"]}}], "items": [{"price": 11}], "open": true, "count": 3}"#;

const PIECES: &[&str] = &[
    " ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    "?.",
    "?",
    ":",
    "?:",
    "$",
    "$.",
    "$..",
    "@",
    "#",
    "'",
    "\"",
    "''",
    "-",
    "+",
    "*",
    "/",
    "%",
    "=",
    "==",
    "!",
    "!=",
    "<",
    ">=",
    "&&",
    "||",
    ",",
    "\\",
    "not ",
    " eq ",
    " and ",
    " or ",
    " matches ",
    "null",
    "true",
    "1",
    "0x",
    "1e",
    "size()",
    "#jsonPath(",
    "?[",
    "![",
    "ß",
    "𐀀",
];

/// A small random number generator with a seed.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }
}

#[test]
fn mangled_expressions_are_read_or_refused() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    let (mut accepted, mut ran) = (0, 0);
    for _ in 0..20_000 {
        let mut text: Vec<char> = SEEDS[dice.roll(SEEDS.len())].chars().collect();
        for _ in 0..=dice.roll(4) {
            let at = dice.roll(text.len() + 1);
            let piece: Vec<char> = PIECES[dice.roll(PIECES.len())].chars().collect();
            let end = (at + dice.roll(6)).min(text.len());
            match dice.roll(3) {
                0 => drop(text.drain(at..end)),
                1 => drop(text.splice(at..at, piece)),
                _ => drop(text.splice(at..end, piece)),
            }
        }
        let source: String = text.into_iter().collect();
        for mode in [SpelMode::Value, SpelMode::Test] {
            let (read, found) = try_read(&source, mode);
            let errors = found.iter().filter(|found| found.severity() == Severity::Error).count();
            assert_eq!(read.is_some(), errors == 0, "{source}: {found:?}");
            for found in &found {
                let marked = source.get(found.span.start as usize..found.span.end as usize);
                assert!(marked.is_some(), "{source}: {found:?}");
            }
            if let Some(expr) = read {
                accepted += 1;
                let Ok(result) = run(&expr, DATA) else { continue };
                for data in views(&value(DATA), &[]) {
                    let shape = shape_of(&expr, &[data, exact(&value(OUTPUT)), Shape::text("OrderError")]);
                    assert!(admits(&shape, &result), "{source} yields {result}, which is not {shape}");
                }
                ran += 1;
            }
        }
    }
    assert!(accepted > 500 && ran > 300, "{accepted} were accepted, and {ran} had a result");
}

/// Parts of conditions on the data of [`KNOWN`].
const OPERANDS: &[&str] = &[
    "count",
    "price",
    "name",
    "$.status",
    "open",
    "nothing",
    "user",
    "user.title",
    "user.titel",
    "items",
    "items[0].id",
    "items[1].price",
    "items[9].id",
    "items.id",
    "one.id",
    "$.one.price",
    "tags",
    "tags[1]",
    "empty",
    "missing",
    "missing.more",
    "count.more",
    "1",
    "-2.5",
    "'done'",
    "''",
    "'7'",
    "null",
    "true",
    "false",
    "{1, 2}",
    "{}",
    "stateOutputData.users",
    "$.items[*].price",
    "$.items[?(@.price > 10)]",
    "#jsonPath(items, '$[*].id')",
    "#jsonPath(one, '$[*].id')",
];

const OPERATORS: &[&str] =
    &["eq", "ne", "lt", "le", "gt", "ge", "+", "-", "*", "/", "%", "and", "or", "matches", "?:", "=="];

const METHODS: &[&str] =
    &["size()", "isEmpty()", "toLowerCase()", "toUpperCase()", "contains('a')", "startsWith('d')", "contains(count)"];

/// The data of random conditions.
const KNOWN: &str = r#"{
    "status": "done", "count": 7, "price": 2.5, "open": true, "nothing": null, "user": {"title": "MANAGER"},
    "items": [{"id": "a-1", "price": 8}, {"id": "b-2", "price": 12}], "one": [{"id": "c", "price": 3}],
    "tags": ["x", "y"], "empty": []
}"#;

/// Other data, with other members and other kinds of values.
const OTHER: &str = r#"{
    "status": 1, "count": "x", "price": null, "open": true, "user": {"name": "a"}, "items": [{"price": "8"}], "one": 5,
    "tags": {}, "empty": [{"id": 1}], "more": true
}"#;

fn random(dice: &mut Dice, depth: usize) -> String {
    let operand = |dice: &mut Dice| OPERANDS[dice.roll(OPERANDS.len())].to_owned();
    match dice.roll(if depth == 0 { 1 } else { 7 }) {
        0 | 1 => operand(dice),
        2 => format!("not ({})", random(dice, depth - 1)),
        3 => format!("{}.{}", operand(dice), METHODS[dice.roll(METHODS.len())]),
        4 => format!("{}?.{}", operand(dice), METHODS[dice.roll(METHODS.len())]),
        5 => {
            let [test, then, other] = [0; 3].map(|_| random(dice, depth - 1));
            format!("(({test}) ? ({then}) : ({other}))")
        }
        _ => {
            let [left, right] = [0; 2].map(|_| random(dice, depth - 1));
            format!("({left}) {} ({right})", OPERATORS[dice.roll(OPERATORS.len())])
        }
    }
}

#[test]
fn shapes_admit_the_results_of_random_expressions() {
    let mut dice = Dice(0x2545_F491_4F6C_DD1D);
    let (mut ran, mut known, mut failing) = (0, 0, 0);
    for _ in 0..6_000 {
        let source = random(&mut dice, 3);
        for mode in [SpelMode::Value, SpelMode::Test] {
            let (Some(expr), _) = try_read(&source, mode) else { continue };
            let result = run(&expr, KNOWN);
            for data in views(&value(KNOWN), &[value(OTHER)]) {
                let shape = shape_of(&expr, &[data, exact(&value(OUTPUT)), Shape::text("OrderError")]);
                known += usize::from(!shape.is_any());
                match &result {
                    Ok(result) => {
                        ran += 1;
                        assert!(admits(&shape, result), "{source} yields {result}, which is not {shape}");
                    }
                    Err(_) => failing += usize::from(shape.is_never()),
                }
            }
        }
    }
    println!("{ran} had a result, {known} shapes were known, {failing} failures were foreseen");
    assert!(ran > 2_000 && known > 4_000 && failing > 500, "{ran}, {known}, {failing}");
}
