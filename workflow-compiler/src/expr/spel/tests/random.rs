//! Tests of mutated expressions. Any text is either parsed or rejected with a span, and a parsed
//! text can be evaluated.

use super::{SpelMode, run, try_read};
use crate::diagnostics::Severity;

const SEEDS: &[&str] = &[
    "$.error ne null",
    "#jsonPath(stateOutputData,'$..user[?(@.a == ''b'')].title') eq 'MANAGER'",
    "$.items[?(@.price > 10)].size() ge 1 and not (open or name matches '[a-z]+')",
    "a?.b['c d'][0].toUpperCase().contains(\"x\"\"y\") ? {1, -2.5e3, null} : 0xFF ?: #root.count div 2",
    "T(a).b + new X() ++ @c ^ 2 = items.?[a].![b] between instanceof",
    "ä.ö('ü€𐀀') eq $.ß-é[\"𐀀\"]",
];

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
    let mut accepted = 0;
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
                let _ =
                    run(&expr, r#"{"a": [{"b": {"c d": ["x"]}}], "items": [{"price": 11}], "open": true, "count": 3}"#);
            }
        }
    }
    assert!(accepted > 500, "{accepted} were accepted");
}
