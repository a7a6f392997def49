//! The letters that are alike for a regular expression of JavaScript with the flag `i`.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

/// Returns the characters of a range and all that are alike to one of them.
///
/// JavaScript compares capital letters, where Unicode folds letters: a letter of ASCII is like no
/// other character, and one whose capital form has several characters is like itself only.
pub(super) fn with_alike(first: char, last: char) -> ClassUnicode {
    let range = ClassUnicode::new([ClassUnicodeRange::new(first, last)]);
    let mut alike = folded(range.clone());
    alike.difference(&range);
    let is_alike = |c: &char| {
        let mut others = folded(ClassUnicode::new([ClassUnicodeRange::new(*c, *c)]));
        others.intersect(&range);
        characters(&others).any(|other| capital(other) == capital(*c))
    };
    let mut all = ClassUnicode::new(characters(&alike).filter(is_alike).map(|c| ClassUnicodeRange::new(c, c)));
    all.union(&range);
    all
}

/// Returns a class with all characters that Unicode folds like its own.
fn folded(mut class: ClassUnicode) -> ClassUnicode {
    class.try_case_fold_simple().expect("the tables of letters are part of the program");
    class
}

fn characters(class: &ClassUnicode) -> impl Iterator<Item = char> {
    class.ranges().iter().flat_map(|range| range.start()..=range.end())
}

/// Returns the capital letter that JavaScript compares.
fn capital(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        // A character above the basic plane is two halves, which have no capital form.
        (Some(upper), None) if u32::from(c) <= 0xffff && (c.is_ascii() || !upper.is_ascii()) => upper,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_alike_if_their_capitals_are() {
        for (first, last, all) in [
            ('s', 's', "Ss"),
            ('K', 'K', "Kk"),
            ('\u{17f}', '\u{17f}', "\u{17f}"),
            ('\u{212a}', '\u{212a}', "\u{212a}"),
            ('i', 'i', "Ii"),
            ('é', 'é', "Éé"),
            ('ß', 'ß', "ß"),
            ('σ', 'σ', "Σςσ"),
            ('µ', 'µ', "µΜμ"),
            ('\u{10400}', '\u{10400}', "\u{10400}"),
            ('x', 'z', "XYZxyz"),
            ('1', '2', "12"),
        ] {
            assert_eq!(characters(&with_alike(first, last)).collect::<String>(), all);
        }
    }
}
