//! Application of fixes to the text of a file.

use super::{Diagnostic, Severity};
use crate::source::{FileId, Span};

/// Syntax errors with exactly one possible fix: blanks and colons, commas, quotes, control
/// characters, and YAML values without quotes. Other syntax errors are not listed, because their
/// fixes are less certain. The fix of a bracket, the end of a string or an escape is likely at
/// best. A number that is not JSON can have other values in other languages. The fix of a
/// comment would lose it.
const CERTAIN: [&str; 7] = ["WF0101", "WF0103", "WF0104", "WF0105", "WF0106", "WF0110", "WF0120"];

/// Returns `true` if the diagnostic has a fix that can be applied without a review. That is the
/// case for every warning, because its fix states how the compiler reads the text, and for the
/// errors in `CERTAIN`. An error that is allowed is no such warning.
/// Other fixes of errors are guesses, such as names near to a misspelled one.
pub fn is_certain(found: &Diagnostic) -> bool {
    found.fix.is_some() && (found.code.severity < Severity::Error || CERTAIN.contains(&found.code.id))
}

/// Applies the certain fixes of `found` to the `text` of `file`. Returns the new text and the
/// diagnostics whose fixes were applied, in source order, or `None` if there are none. Of
/// overlapping fixes the shortest are applied: the next compilation reports the enclosing
/// diagnostic again, with the changed text.
pub fn apply<'d>(text: &str, file: FileId, found: &'d [Diagnostic]) -> Option<(String, Vec<&'d Diagnostic>)> {
    let fixes = found.iter().filter(|found| is_certain(found));
    let fixes = fixes.filter_map(|found| Some((found, found.fix.as_ref()?)));
    let is_in_text = |span: Span| span.file == file && text.get(span.start as usize..span.end as usize).is_some();
    let mut fixes: Vec<_> = fixes.filter(|(_, (span, _))| is_in_text(*span)).collect();
    fixes.sort_by_key(|(_, (span, _))| (span.end - span.start, span.start));
    let mut chosen: Vec<(&Diagnostic, &(Span, String))> = Vec::new();
    for fix in fixes {
        if chosen.iter().all(|(_, (other, _))| are_disjoint(fix.1.0, *other)) {
            chosen.push(fix);
        }
    }
    if chosen.is_empty() {
        return None;
    }
    chosen.sort_by_key(|(_, (span, _))| (span.start, span.end));
    let mut mended = String::with_capacity(text.len());
    let mut end = 0;
    for (_, (span, replacement)) in &chosen {
        mended.push_str(&text[end..span.start as usize]);
        mended.push_str(replacement);
        end = span.end as usize;
    }
    mended.push_str(&text[end..]);
    Some((mended, chosen.into_iter().map(|(found, _)| found).collect()))
}

/// Returns `true` if both spans can be replaced, with the same result in either order.
fn are_disjoint(left: Span, right: Span) -> bool {
    left != right && (left.end <= right.start || right.end <= left.start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::codes::syntax::{WF0102, WF0103, WF0106, WF0152};
    use crate::diagnostics::{Code, Diagnostic};

    fn found(code: &'static Code, start: usize, end: usize, replacement: &str) -> Diagnostic {
        let span = Span::new(FileId(0), start, end);
        Diagnostic::new(code, span, replacement).fix(span, replacement)
    }

    fn applied(text: &str, all: &[Diagnostic]) -> Option<(String, Vec<String>)> {
        let (mended, of) = apply(text, FileId(0), all)?;
        Some((mended, of.into_iter().map(|found| found.message.clone()).collect()))
    }

    #[test]
    fn the_shortest_of_overlapping_fixes_are_applied() {
        for (fixes, mended, of) in [
            (vec![found(&WF0152, 0, 6, "(all)"), found(&WF0152, 2, 3, "X")], "abXdef", vec!["X"]),
            (vec![found(&WF0152, 4, 6, "Y"), found(&WF0152, 0, 2, "X")], "XcdY", vec!["X", "Y"]),
            // Insertions at the ends of a replaced span.
            (
                vec![found(&WF0152, 2, 4, "X"), found(&WF0103, 4, 4, ","), found(&WF0103, 2, 2, ";")],
                "ab;X,ef",
                vec![";", "X", ","],
            ),
            // Two insertions at one place: the result would depend on their order.
            (vec![found(&WF0152, 3, 3, "X"), found(&WF0106, 3, 3, "Y")], "abcXdef", vec!["X"]),
            // An insertion inside of a replaced span.
            (vec![found(&WF0152, 2, 4, "X"), found(&WF0103, 3, 3, ",")], "abc,def", vec![","]),
        ] {
            let of = of.into_iter().map(str::to_owned).collect();
            assert_eq!(applied("abcdef", &fixes), Some((mended.to_owned(), of)));
        }
    }

    #[test]
    fn guesses_and_fixes_of_other_files_or_places_are_left_out() {
        let mut elsewhere = found(&WF0152, 0, 1, "X");
        elsewhere.fix = Some((Span::new(FileId(1), 0, 1), "X".to_owned()));
        let none = Diagnostic::new(&WF0152, Span::new(FileId(0), 0, 1), "no fix");
        let within = found(&WF0152, 1, 2, "X");
        let all = [found(&WF0102, 0, 1, "]"), elsewhere, none, within, found(&WF0152, 3, 9, "X")];
        assert_eq!(applied("é", &all), None);
        assert_eq!(applied("", &[]), None);
    }

    #[test]
    fn codes_that_are_certain_exist() {
        for id in CERTAIN {
            assert!(crate::codes::find(id).is_some(), "{id}");
        }
    }
}
