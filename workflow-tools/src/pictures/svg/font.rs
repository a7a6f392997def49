//! Widths of characters: for each the greater one of DejaVu Sans and Liberation Sans. A text that
//! fits in these widths fits in both fonts. Arial and Helvetica have the widths of Liberation
//! Sans. Those of Verdana differ from DejaVu Sans by so little that the padding of a box absorbs
//! it.
//!
//! The tables were made with fontTools 4 from the Debian packages `fonts-dejavu` 2.37 and
//! `fonts-liberation` 1.07: `max(ceil(1000 * hmtx[cmap[c]][0] / head.unitsPerEm))` over the two
//! fonts, for the characters from 32 to 126.

/// The widths from the space to the tilde, in thousandths of the text size.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337,
    637, 637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557,
    1016, 685, 687, 723, 771, 667, 611, 778, 752, 295, 500, 667, 558, 863, 749, 788,
    667, 788, 723, 667, 611, 732, 685, 989, 686, 667, 686, 391, 337, 391, 838, 557,
    500, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612,
    635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838,
];

/// The same widths in bold.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380, 366,
    696, 696, 696, 696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 611,
    1000, 774, 763, 734, 831, 684, 684, 821, 837, 373, 557, 775, 638, 996, 837, 851,
    733, 851, 771, 721, 683, 813, 774, 1104, 771, 725, 726, 458, 366, 458, 838, 557,
    500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666, 343, 1042, 712, 688,
    716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 366, 712, 838,
];

/// Returns the width of a character relative to the text size. Beyond ASCII, the widths are the
/// greatest of whole alphabets.
pub fn advance(c: char, bold: bool) -> f64 {
    let ascii = u32::from(c).checked_sub(32).and_then(|at| if bold { BOLD } else { REGULAR }.get(at as usize).copied());
    match (ascii, c) {
        (Some(width), _) => f64::from(width) / 1000.0,
        (None, '…' | '—' | '→' | '←') => 1.0,
        (None, '×' | '≤' | '≥' | '≠') => 0.84,
        (None, '\u{a0}'..'\u{180}') if !bold => 1.07,
        (None, '\u{a0}'..'\u{180}') => 1.17,
        (None, '\u{180}'..'\u{1100}') => 1.56,
        (None, _) => 1.2,
    }
}
