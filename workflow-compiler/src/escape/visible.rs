//! Foreign text on terminals, for the compiler and for the programs that run workflows. The file
//! is part of both crates: `workflow-runner` has a symbolic link to it.

use std::borrow::Cow;

/// Characters without a glyph of their own: format characters, line and paragraph separators, and
/// default ignorable characters (categories Cf, Zl and Zp, and `Default_Ignorable_Code_Point`).
const INVISIBLE: &[(u32, u32)] = &[
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x0600, 0x0605),
    (0x061C, 0x061C),
    (0x06DD, 0x06DD),
    (0x070F, 0x070F),
    (0x0890, 0x0891),
    (0x08E2, 0x08E2),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x110BD, 0x110BD),
    (0x110CD, 0x110CD),
    (0x13430, 0x1343F),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
];

fn is_invisible(c: char) -> bool {
    let code = u32::from(c);
    let after = INVISIBLE.partition_point(|(first, _)| *first <= code);
    after > 0 && code <= INVISIBLE[after - 1].1
}

/// Returns the character that a message shows for `c`: a space for a line break or tab, and U+FFFD
/// for characters that would disturb a terminal or are invisible.
pub fn visible_char(c: char) -> char {
    match c {
        '\n' | '\r' | '\t' => ' ',
        c if c.is_control() || is_invisible(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    }
}

/// Returns a text for a message, on one line.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.chars().all(|c| visible_char(c) == c) {
        true => Cow::Borrowed(text),
        false => text.chars().map(visible_char).collect(),
    }
}

/// Returns a text for a message of several lines. Line breaks stay.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    let shown = |c| if c == '\n' { c } else { visible_char(c) };
    match text.chars().all(|c| shown(c) == c) {
        true => Cow::Borrowed(text),
        false => text.chars().map(shown).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(INVISIBLE.iter().all(|(first, last)| first <= last));
        assert!(INVISIBLE.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn invisible_characters_become_visible() {
        let invisible = "\u{0}\u{1b}\u{7f}\u{85}\u{ad}\u{34f}\u{61c}\u{180e}\u{200b}\u{200d}\u{200e}\u{2028}\u{2029}\u{202e}\u{2060}\u{2066}\u{3164}\u{fe0f}\u{feff}\u{e0041}\u{e0101}";
        assert!(visible(invisible).chars().all(|c| c == char::REPLACEMENT_CHARACTER));
        assert_eq!(visible("a\tb\r\nc"), "a b  c");
        assert_eq!(visible_lines("a\u{1b}[2J\nb\r"), "a\u{fffd}[2J\nb ");
        let plain = "ä 漢 한 😀 é";
        assert!(matches!(visible(plain), Cow::Borrowed(shown) if shown == plain));
    }
}
