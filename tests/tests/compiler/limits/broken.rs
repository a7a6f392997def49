//! Definitions that are damaged at random: cut off, with bytes changed, with pieces moved. Each is
//! compiled or refused, its diagnostics are rendered, and nothing panics.

use std::panic::{AssertUnwindSafe, catch_unwind};
use workflow_compiler::diagnostics::{json, render};
use workflow_compiler::dialects::DIALECTS;
use workflow_compiler::source::{Source, Span};
use workflow_compiler::{Options, compile};
use workflow_tests::{definitions, errors, package};

/// The number of damaged versions of each text.
const TIMES: u64 = 24;

/// Replacements for bytes, which have a meaning in the syntax.
const PIECES: &[&str] = &[
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "$",
    "$$",
    "$.",
    ".$",
    "'",
    "(",
    ")",
    "States.",
    "null",
    "true",
    "-1",
    "1e9",
    "9999999999999999999999",
    "\\ud800",
    "\\u0000",
    "\u{feff}",
    "\u{202e}",
    "é",
    "🎉",
    "\n",
    "\t",
    "\r",
    "*",
    "&a ",
    "*a ",
    "<<: ",
    "- ",
    "? ",
    "${X}",
    "..",
    "[?(@",
    "{}",
    "#",
    "//",
    "\u{0}",
    " ",
];

#[test]
fn damaged_definitions_are_refused_in_peace() {
    let mut random = Random(7);
    let mut count = 0;
    for (name, text) in texts() {
        for _ in 0..TIMES {
            let damaged = damage(&text, &mut random);
            count += 1;
            let tried = catch_unwind(AssertUnwindSafe(|| check(&name, &damaged)));
            assert!(tried.is_ok(), "{name}, damaged to:\n{damaged}");
        }
    }
    assert!(count > 2_000, "only {count} texts");
}

#[test]
fn definitions_that_are_cut_off_are_refused() {
    let text = definitions::read(&package().join("cases/asl/order/flow.asl.json"))
        .unwrap_or_else(|message| panic!("{message}"));
    let end = text.trim_end().len();
    for at in (0..end).filter(|at| text.is_char_boundary(*at)) {
        assert!(check("flow.asl.json", &text[..at]), "cut off at {at}");
    }
}

#[test]
fn objects_that_begin_with_any_character_are_marked() {
    // An object in YAML has no opening brace. An error about a missing member marks its first
    // character.
    for dialect in DIALECTS {
        let name = format!("flow.{}.yaml", dialect.name);
        for text in ["ä: 1\n", "id: a\nname: a\nversion: '1'\nstates:\n- ü: 1\n", "Ж:\n  \u{1f600}: {}\n"] {
            assert!(check(&name, text), "{name}: {text}");
        }
    }
}

/// Returns the definitions of all cases, wrong ones included.
fn texts() -> Vec<(String, String)> {
    let cases = definitions::cases(package()).unwrap_or_else(|message| panic!("{message}"));
    let wrong = errors::all().unwrap_or_else(|message| panic!("{message}"));
    let files = cases.into_iter().filter(|case| case.name != "chain").map(|case| case.folder.join(case.definition));
    let files = files.chain(wrong.into_iter().map(|wrong| wrong.file));
    let text = |file: std::path::PathBuf| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        definitions::read(&file).map(|text| (name, text))
    };
    files.map(text).collect::<Result<_, _>>().unwrap_or_else(|message: String| panic!("{message}"))
}

/// Compiles a text and renders its diagnostics. Returns `true` if it is refused.
fn check(name: &str, text: &str) -> bool {
    let output = compile(Source::new(name, text), &Options::default());
    for found in &output.diagnostics {
        let inside = |span: Span| text.get(span.start as usize..span.end as usize).is_some();
        assert!(inside(found.span) && found.related.iter().all(|(span, _)| inside(*span)), "{found:?}");
        let shown = render::render(found, &output.sources, true);
        assert!(shown.contains(found.code.id) && !shown.contains('\u{202e}'), "{shown}");
        json::line(found, &output.sources);
    }
    if let Some(tokens) = &output.tokens {
        assert!(!tokens.is_empty());
        assert!(workflow_compiler::pretty(&output).is_some_and(|code| code.contains("pub mod ")));
    }
    output.is_refused()
}

fn damage(text: &str, random: &mut Random) -> String {
    let mut damaged = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(damaged.len() as u64 + 1) as usize;
        let length = (random.below(12) as usize).min(damaged.len() - at);
        match random.below(5) {
            0 => damaged.truncate(at),
            1 => _ = damaged.drain(at..at + length),
            2 => {
                let piece = PIECES[random.below(PIECES.len() as u64) as usize];
                damaged.splice(at..at + length, piece.bytes());
            }
            3 => {
                let piece = damaged[at..at + length].to_vec();
                let to = random.below(damaged.len() as u64 + 1) as usize;
                damaged.splice(to..to, piece);
            }
            _ => {
                if let Some(byte) = damaged.get_mut(at) {
                    *byte ^= 1 << random.below(7);
                }
            }
        }
    }
    String::from_utf8_lossy(&damaged).into_owned()
}

/// Pseudorandom numbers, the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}
