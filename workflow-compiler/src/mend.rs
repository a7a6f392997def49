//! Mends a definition by the fixes of what is found in it, as far as these are certain.

use crate::compile::{Output, check_only};
use crate::diagnostics::{Diagnostic, Severity, fixes};
use crate::options::Options;
use crate::source::{FileId, Position, Source};
use std::collections::HashSet;
use std::sync::Arc;

/// How often a text is read again. Each time a hundred errors and a hundred warnings are found at most.
const MOST_PASSES: usize = 100;

/// The definition is the first file.
const DEFINITION: FileId = FileId(0);

/// What came of mending a definition.
#[derive(Debug)]
pub struct Mended {
    /// The text, mended; as it was where there is nothing to mend, or where mending makes it worse.
    pub text: Arc<str>,
    /// What was mended, in the order of its places.
    pub changes: Vec<Change>,
    /// Whether the text is left as it is because there were more errors in the mended one.
    pub made_worse: bool,
    /// What the compiler finds in `text`.
    pub output: Output,
}

/// Something that was mended.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// Its place in the text as it was.
    pub at: Position,
    /// What was found there. Its spans are of the text as it was by then.
    pub found: Diagnostic,
}

/// Applies the fixes that are certain, and again to what comes of it, until there are none, or one of them does not help: they
/// are then left out, with all that would be applied together with it. Warnings that the options allow are mended, too.
pub fn mend(source: Source, options: &Options) -> Mended {
    let everything = Options { allow: Vec::new(), ..options.clone() };
    let mut mended = mend_all(source.clone(), &everything);
    if !options.allow.is_empty() {
        mended.output = check_only(Source { text: mended.text.clone(), ..source }, options);
    }
    mended
}

fn mend_all(source: Source, options: &Options) -> Mended {
    let original = source.text.clone();
    let first = check_only(source.clone(), options);
    let before = errors(&first);
    let mut output = None;
    let mut text = original.clone();
    let mut passes: Vec<Pass> = Vec::new();
    let mut changes = Vec::new();
    let mut is_stuck = false;
    while passes.len() < MOST_PASSES {
        let found = &output.as_ref().unwrap_or(&first).diagnostics;
        let Some((mended, applied)) = fixes::apply(&text, DEFINITION, found) else { break };
        let kept = changes.len();
        for found in &applied {
            let at = passes.iter().rev().fold(found.span.start, |at, pass| pass.place_before(at));
            changes.push(Change { at: first.sources.position_of(DEFINITION, at), found: (*found).clone() });
        }
        let (pass, mended) = (Pass::of(&applied), Arc::from(mended));
        let checked = check_only(Source { text: Arc::clone(&mended), ..source.clone() }, options);
        if pass.is_in_vain(&applied, &checked.diagnostics) {
            changes.truncate(kept);
            is_stuck = true;
            break;
        }
        passes.push(pass);
        text = mended;
        output = Some(checked);
    }
    changes.sort_by_key(|change| change.at);
    let kept = |mut output: Output| {
        let in_vain = output.diagnostics.iter_mut().filter(|found| is_stuck && fixes::is_certain(found));
        in_vain.for_each(|found| found.fix = None);
        output
    };
    match output {
        None => Mended { text, changes, made_worse: false, output: kept(first) },
        Some(output) if errors(&output) <= before => Mended { text, changes, made_worse: false, output: kept(output) },
        Some(_) => Mended { text: original, changes: Vec::new(), made_worse: true, output: first },
    }
}

/// Errors of syntax, which hide all others, and how many others there are.
fn errors(output: &Output) -> (usize, usize) {
    let errors = output.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    let (syntax, others): (Vec<_>, Vec<_>) = errors.partition(|found| ("E0100".."E0130").contains(&found.code.id));
    (syntax.len(), others.len())
}

/// What was replaced in a text at one time: from where to where, and by how many bytes, in the order of the places.
struct Pass(Vec<(u32, u32, u32)>);

impl Pass {
    fn of(applied: &[&Diagnostic]) -> Pass {
        let fixes = applied.iter().filter_map(|found| found.fix.as_ref());
        Pass(fixes.map(|(span, replacement)| (span.start, span.end, replacement.len() as u32)).collect())
    }

    /// Whether the same is found again where it was mended: what was written does not help, and would be written again.
    fn is_in_vain(&self, applied: &[&Diagnostic], found: &[Diagnostic]) -> bool {
        let again = found.iter().filter(|again| again.span.file == DEFINITION && fixes::is_certain(again));
        let again: HashSet<_> =
            again.map(|again| (self.place_before(again.span.start), again.code.id, again.message.as_str())).collect();
        applied.iter().any(|found| again.contains(&(found.span.start, found.code.id, found.message.as_str())))
    }

    /// Where the byte `at` was before; the start of what was replaced, for bytes of what it was replaced by.
    fn place_before(&self, at: u32) -> u32 {
        // The end of the last replacement that is passed, before and after.
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

    #[test]
    fn what_is_found_again_where_it_was_mended_was_mended_in_vain() {
        use crate::diagnostics::codes::syntax::{E0103, E0106};
        let comma = |file: u16, at: usize, message: &str| {
            let span = crate::source::Span::new(FileId(file), at, at);
            Diagnostic::new(&E0103, span, message).fix(span, ",")
        };
        let applied = [comma(0, 2, "missing"), comma(0, 5, "missing")];
        let applied: Vec<&Diagnostic> = applied.iter().collect();
        let pass = Pass::of(&applied);
        // Before the comma, after it, and after the second one.
        for at in [2, 3, 6, 7] {
            assert!(pass.is_in_vain(&applied, &[comma(0, 9, "missing"), comma(0, at, "missing")]), "{at}");
        }
        let mut no_fix = comma(0, 3, "missing");
        no_fix.fix = None;
        let mut other = comma(0, 3, "missing");
        other.code = &E0106;
        for found in [comma(0, 4, "missing"), comma(1, 3, "missing"), comma(0, 3, "other"), no_fix, other] {
            assert!(!pass.is_in_vain(&applied, &[found]));
        }
    }

    #[test]
    fn places_are_those_of_the_text_as_it_was() {
        // "abcdefgh" became "aXYZdeQh": `bc` by three bytes, `fg` by one.
        let pass = Pass(vec![(1, 3, 3), (5, 7, 1)]);
        let places: Vec<u32> = (0..8).map(|at| pass.place_before(at)).collect();
        assert_eq!(places, [0, 1, 1, 1, 3, 4, 5, 7]);
        // A byte was put in, and two taken out.
        let pass = Pass(vec![(2, 2, 1), (3, 5, 0)]);
        let places: Vec<u32> = (0..6).map(|at| pass.place_before(at)).collect();
        assert_eq!(places, [0, 1, 2, 2, 5, 6]);
    }
}
