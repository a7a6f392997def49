//! Application of fixes to a definition.

use std::collections::HashSet;
use std::sync::Arc;
use workflow_compiler::codes;
use workflow_compiler::diagnostics::fixes;
use workflow_compiler::{Diagnostic, FileId, Options, Output, Position, Severity, Source, check_only};

/// The maximum number of rounds. A round finds at most a hundred errors and a hundred warnings.
const MOST_PASSES: usize = 100;

/// The definition is the first file.
const DEFINITION: FileId = FileId(0);

/// The result of fixing a definition.
///
/// See the example of [`fix`].
#[derive(Debug)]
pub struct FixedSource {
    /// The fixed text. It is the original if there is nothing to fix, or if fixing increases the
    /// number of errors.
    pub text: Arc<str>,
    /// The applied fixes, in the order of their places.
    pub changes: Vec<AppliedFix>,
    /// `true` if the text is unchanged because the fixed text has more errors.
    pub made_worse: bool,
    /// The result of checking `text`.
    pub output: Output,
}

/// A fix that was applied.
///
/// See the example of [`fix`].
#[derive(Debug, Clone, PartialEq)]
pub struct AppliedFix {
    /// The position in the original text.
    pub at: Position,
    /// The diagnostic. Its spans refer to the text of its round.
    pub diagnostic: Diagnostic,
}

/// Applies all certain fixes, and repeats with the result until none is left or one has no effect.
/// The fixes of a round with an ineffective fix are dropped. Warnings that the options allow are
/// fixed, too.
///
/// ```
/// use workflow_compiler::{Options, Source};
/// use workflow_tools::fix::fix;
///
/// let text = r#"{ "StartAt": "Done" "States": { "Done": { "Type": "Succeed" } } }"#;
/// let fixed = fix(Source::new("done.asl.json", text), &Options::default());
/// assert_eq!(&*fixed.text, text.replace("\"Done\" ", "\"Done\", "));
/// assert_eq!((fixed.changes[0].at.line, fixed.changes[0].at.column), (1, 20));
/// ```
pub fn fix(source: Source, options: &Options) -> FixedSource {
    // An allowed error lets the compiler read on, and find what is behind it.
    let mut everything = options.clone();
    everything.allow.retain(|name| codes::lookup(name).is_ok_and(|code| code.severity == Severity::Error));
    let mut fixed = fix_all(source.clone(), &everything);
    if !options.allow.is_empty() {
        fixed.output = check_only(Source { text: fixed.text.clone(), ..source }, options);
    }
    fixed
}

fn fix_all(source: Source, options: &Options) -> FixedSource {
    let original = source.text.clone();
    let first = check_only(source.clone(), options);
    let before = errors(&first);
    let mut output = None;
    let mut text = original.clone();
    let mut passes: Vec<Pass> = Vec::new();
    let mut changes = Vec::new();
    let mut is_stuck = false;
    while passes.len() < MOST_PASSES {
        let diagnostics = &output.as_ref().unwrap_or(&first).diagnostics;
        let Some((fixed, applied)) = fixes::apply(&text, DEFINITION, diagnostics) else { break };
        let kept = changes.len();
        for diagnostic in &applied {
            let at = passes.iter().rev().fold(diagnostic.span.start, |at, pass| pass.place_before(at));
            changes
                .push(AppliedFix { at: first.sources.position_of(DEFINITION, at), diagnostic: (*diagnostic).clone() });
        }
        let (pass, fixed) = (Pass::of(&applied), Arc::from(fixed));
        let checked = check_only(Source { text: Arc::clone(&fixed), ..source.clone() }, options);
        if pass.is_ineffective(&applied, &checked.diagnostics) {
            changes.truncate(kept);
            is_stuck = true;
            break;
        }
        passes.push(pass);
        text = fixed;
        output = Some(checked);
    }
    changes.sort_by_key(|change| change.at);
    let kept = |mut output: Output| {
        let ineffective = output.diagnostics.iter_mut().filter(|found| is_stuck && fixes::is_certain(found));
        ineffective.for_each(|found| found.fix = None);
        output
    };
    match output {
        None => FixedSource { text, changes, made_worse: false, output: kept(first) },
        Some(output) if errors(&output) <= before => {
            FixedSource { text, changes, made_worse: false, output: kept(output) }
        }
        Some(_) => FixedSource { text: original, changes: Vec::new(), made_worse: true, output: first },
    }
}

/// Returns the number of syntax errors, which hide all others, and the number of other errors.
fn errors(output: &Output) -> (usize, usize) {
    let errors = output.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    let (syntax, others): (Vec<_>, Vec<_>) = errors.partition(|found| ("WF0100".."WF0130").contains(&found.code.id));
    (syntax.len(), others.len())
}

/// The replacements of one round, in the order of their places: start, end and length of the
/// replacement in bytes.
struct Pass(Vec<(u32, u32, u32)>);

impl Pass {
    fn of(applied: &[&Diagnostic]) -> Pass {
        let fixes = applied.iter().filter_map(|found| found.fix.as_ref());
        Pass(fixes.map(|(span, replacement)| (span.start, span.end, replacement.len() as u32)).collect())
    }

    /// Returns `true` if a fixed diagnostic occurs again at the same place. The fix has no effect,
    /// and would be applied again.
    fn is_ineffective(&self, applied: &[&Diagnostic], found: &[Diagnostic]) -> bool {
        let again = found.iter().filter(|again| again.span.file == DEFINITION && fixes::is_certain(again));
        let again: HashSet<_> =
            again.map(|again| (self.place_before(again.span.start), again.code.id, again.message.as_str())).collect();
        applied
            .iter()
            .any(|diagnostic| again.contains(&(diagnostic.span.start, diagnostic.code.id, diagnostic.message.as_str())))
    }

    /// Maps an offset in the fixed text to the text before. Offsets inside of a replacement map to
    /// the start of the replaced range.
    fn place_before(&self, at: u32) -> u32 {
        // The end of the last replacement before `at`, in both texts.
        let (mut before, mut after) = (0, 0);
        for (start, end, length) in &self.0 {
            let new_start = after + (start - before);
            if at < new_start {
                break;
            }
            if at < new_start + length {
                return *start;
            }
            (before, after) = (*end, new_start + length);
        }
        before + (at - after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_compiler::Span;

    #[test]
    fn allowed_errors_stay_allowed() {
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true,
            "Parameters": {"x.$": "States.Array(States.MathAdd(1) $.a)"}}}}"#;
        let options = Options { allow: vec!["WF0312".to_owned()], ..Options::default() };
        let fixed = fix(Source::new("flow.asl.json", text), &options);
        assert!(fixed.text.contains("States.Array(States.MathAdd(1), $.a)"), "{}", fixed.text);
        assert_eq!(errors(&fixed.output), (0, 0), "{:?}", fixed.output.diagnostics);
    }

    #[test]
    fn texts_with_values_of_the_program_are_not_edited() {
        let text = r#"{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true, "Parameters": {"x.$": "${LongPlaceholder}"}}}}"#;
        let substitutions = [("LongPlaceholder".to_owned(), "States.UUID('x')".to_owned())].into();
        let options = Options { substitutions, ..Options::default() };
        let fixed = fix(Source::new("flow.asl.json", text), &options);
        assert_eq!((&*fixed.text, fixed.changes.len()), (text, 0));
        assert!(
            fixed.output.diagnostics.iter().any(|found| found.code.id == "WF0354"),
            "{:?}",
            fixed.output.diagnostics
        );
    }

    #[test]
    fn a_fix_is_ineffective_if_its_diagnostic_occurs_again() {
        use workflow_compiler::diagnostics::codes::syntax::{WF0103, WF0106};
        let comma = |file: u16, at: usize, message: &str| {
            let span = Span::new(FileId(file), at, at);
            Diagnostic::new(&WF0103, span, message).fix(span, ",")
        };
        let applied = [comma(0, 2, "missing"), comma(0, 5, "missing")];
        let applied: Vec<&Diagnostic> = applied.iter().collect();
        let pass = Pass::of(&applied);
        // Before the comma, after it, and after the second one.
        for at in [2, 3, 6, 7] {
            assert!(pass.is_ineffective(&applied, &[comma(0, 9, "missing"), comma(0, at, "missing")]), "{at}");
        }
        let mut no_fix = comma(0, 3, "missing");
        no_fix.fix = None;
        let mut other = comma(0, 3, "missing");
        other.code = &WF0106;
        for diagnostic in [comma(0, 4, "missing"), comma(1, 3, "missing"), comma(0, 3, "other"), no_fix, other] {
            assert!(!pass.is_ineffective(&applied, &[diagnostic]));
        }
    }

    #[test]
    fn offsets_map_to_the_text_before() {
        // "abcdefgh" became "aXYZdeQh": three bytes replace `bc`, one byte replaces `fg`.
        let pass = Pass(vec![(1, 3, 3), (5, 7, 1)]);
        let places: Vec<u32> = (0..8).map(|at| pass.place_before(at)).collect();
        assert_eq!(places, [0, 1, 1, 1, 3, 4, 5, 7]);
        // One byte was inserted, and two were removed.
        let pass = Pass(vec![(2, 2, 1), (3, 5, 0)]);
        let places: Vec<u32> = (0..6).map(|at| pass.place_before(at)).collect();
        assert_eq!(places, [0, 1, 2, 2, 5, 6]);
    }

    /// A text that only a lenient reader accepts.
    const SAMPLE: &str = r#"“id”: "ünïcode \u00e9 😀", "n": [1.5e1, null true false],
"activities": [
  { "type": "operation", "filter": { "input": ${ {user : .data, "é": 1} }, "output": ${ .x }, }
    "messageRef": { "sent", [ “a”, ${ {} } ], {"k": {}} }, },
  {},
]
"#;

    /// Returns the sample with a few characters replaced, removed, doubled or swapped. The seed
    /// determines the changes.
    fn flip_bytes(seed: u64) -> String {
        const POOL: &[u8] = b"{}[]:,\"'\\ \n\t\r#&*!|>-?%@`~<0123456789eE.+-xutrfn\0\x1b/=;";
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
        let mut random = move |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let mut bytes = SAMPLE.as_bytes().to_vec();
        for _ in 0..=random(4) {
            let at = random(bytes.len());
            match random(5) {
                0 => bytes[at] = POOL[random(POOL.len())],
                1 => bytes.insert(at, POOL[random(POOL.len())]),
                2 => drop(bytes.remove(at)),
                3 => bytes[at] ^= 1 << random(8),
                _ => {
                    let other = random(bytes.len());
                    bytes.swap(at, other);
                }
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn a_second_fix_changes_nothing() {
        let fixed = |text: &str| fix(Source::new("flow.workflow-dsl.json", text), &Options::default());
        let check = |text: &str| {
            let first = fixed(text);
            let second = fixed(&first.text);
            assert_eq!((&*second.text, second.changes.len()), (&*first.text, 0), "{text:?}");
        };
        // A removed bracket exposes what follows it.
        for (at, _) in SAMPLE.match_indices(['{', '}', '[', ']', ',', ':', '"']) {
            check(&format!("{}{}", &SAMPLE[..at], &SAMPLE[at + 1..]));
        }
        for end in (0..SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)) {
            check(&SAMPLE[..end]);
            check(&SAMPLE[end..]);
        }
        for seed in 0..500 {
            check(&flip_bytes(seed));
        }
    }
}
