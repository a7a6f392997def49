//! The part of a text that a search for a regular expression reads.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// The bounds of the part of a text that a search reads.
///
/// A match that could become longer is followed to where it cannot. All but some bytes of a long
/// match are those of repetitions without an end, so that it ends where too many others come.
pub(super) struct Reach {
    /// `true` for the bytes that a repetition without an end can match.
    endless: [bool; 256],
    /// The largest number of other bytes in a match.
    others: usize,
}

impl Reach {
    /// Returns the reach of a pattern. One that cannot be parsed reads to the end of a text.
    pub(super) fn of(pattern: &str, ignores_case: bool) -> Reach {
        let mut reach = Reach { endless: [false; 256], others: 0 };
        match ParserBuilder::new().case_insensitive(ignores_case).build().parse(pattern) {
            Ok(hir) => reach.others = reach.add(&hir, false),
            Err(_) => reach.others = usize::MAX,
        }
        reach
    }

    /// Returns the end of what a search reads that finds a match from this position on.
    pub(super) fn end(&self, text: &str, start: usize) -> usize {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let mut others = 0;
        let end = rest.iter().position(|byte| {
            others += usize::from(!self.endless[usize::from(*byte)]);
            others > self.others
        });
        end.map_or(text.len(), |end| start + end)
    }

    /// Adds a part of a pattern, and returns the largest number of bytes in it that no repetition
    /// without an end matches. The parser bounds the nesting.
    fn add(&mut self, part: &Hir, is_endless: bool) -> usize {
        match part.kind() {
            HirKind::Empty | HirKind::Look(_) => 0,
            HirKind::Literal(literal) => {
                if is_endless {
                    literal.0.iter().for_each(|byte| self.endless[usize::from(*byte)] = true);
                    return 0;
                }
                literal.0.len()
            }
            HirKind::Class(class) => {
                if is_endless {
                    self.add_class(class);
                    return 0;
                }
                class.maximum_len().unwrap_or(0)
            }
            HirKind::Repetition(repetition) => match repetition.max {
                None => self.add(&repetition.sub, true),
                Some(most) => self.add(&repetition.sub, is_endless).saturating_mul(most as usize),
            },
            HirKind::Capture(capture) => self.add(&capture.sub, is_endless),
            HirKind::Concat(parts) => {
                parts.iter().map(|part| self.add(part, is_endless)).fold(0, usize::saturating_add)
            }
            HirKind::Alternation(parts) => parts.iter().map(|part| self.add(part, is_endless)).max().unwrap_or(0),
        }
    }

    fn add_class(&mut self, class: &Class) {
        let mut add = |start: u32, end: u32| {
            // Characters outside of ASCII have bytes from 0x80 on, and all of those are added.
            let end = if end > 0x7f { 0xff } else { end };
            (start.min(0x80)..=end).for_each(|byte| self.endless[byte as usize] = true);
        };
        match class {
            Class::Unicode(class) => {
                class.ranges().iter().for_each(|range| add(range.start().into(), range.end().into()));
            }
            Class::Bytes(class) => {
                class.ranges().iter().for_each(|range| add(range.start().into(), range.end().into()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_reads_to_where_no_match_goes_on() {
        for (pattern, text, end) in [
            ("a", "aaaa", 1),
            ("a{1,3}", "aaaaa", 3),
            ("a*b", "aaaac", 5),
            ("a*b", "aaaacd", 5),
            ("[a-z]*!", "abc, def", 4),
            ("[^x]*!", "ab\u{e9}\u{1f600}cxx", 10),
            ("(?:ab|c)+d?", "abcabcd", 7),
            ("\\s*,\\s*", ", abc", 2),
            ("(", "abc", 3),
            ("[\\s\\S]*|b", "abc\n", 4),
        ] {
            assert_eq!(Reach::of(pattern, false).end(text, 0), end, "{pattern} in {text}");
        }
        assert_eq!(Reach::of("a*", true).end("aAaAb", 1), 4);
    }
}
