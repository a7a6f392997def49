//! Numbers in English words.

const CARDINALS: [&str; 20] = [
    "Zero",
    "One",
    "Two",
    "Three",
    "Four",
    "Five",
    "Six",
    "Seven",
    "Eight",
    "Nine",
    "Ten",
    "Eleven",
    "Twelve",
    "Thirteen",
    "Fourteen",
    "Fifteen",
    "Sixteen",
    "Seventeen",
    "Eighteen",
    "Nineteen",
];
const ORDINALS: [&str; 20] = [
    "Zeroth",
    "First",
    "Second",
    "Third",
    "Fourth",
    "Fifth",
    "Sixth",
    "Seventh",
    "Eighth",
    "Ninth",
    "Tenth",
    "Eleventh",
    "Twelfth",
    "Thirteenth",
    "Fourteenth",
    "Fifteenth",
    "Sixteenth",
    "Seventeenth",
    "Eighteenth",
    "Nineteenth",
];
const TENS: [&str; 8] = ["Twenty", "Thirty", "Forty", "Fifty", "Sixty", "Seventy", "Eighty", "Ninety"];
const MAGNITUDES: [(f64, &str); 4] = [(1e12, "Trillion"), (1e9, "Billion"), (1e6, "Million"), (1e3, "Thousand")];

/// Returns a whole number that is finite and not negative in words that begin with capital
/// letters.
pub(super) fn to_words(number: f64, is_ordinal: bool) -> String {
    let mut out = String::new();
    write(number, false, is_ordinal, &mut out);
    out
}

/// Writes a number. A number that others precede begins with `and` or a comma. The recursion is
/// bounded: each level has three digits less.
fn write(number: f64, follows: bool, is_ordinal: bool, out: &mut String) {
    if number < 100.0 {
        if follows {
            out.push_str(" and ");
        }
        // The number has two digits.
        small(number as usize, is_ordinal, out);
        return;
    }
    if follows {
        out.push_str(", ");
    }
    let (size, name) = MAGNITUDES.into_iter().find(|(size, _)| number >= *size).unwrap_or((1e2, "Hundred"));
    let count = (number / size).floor();
    write(count, false, false, out);
    out.push(' ');
    out.push_str(name);
    let rest = number - count * size;
    if rest > 0.0 {
        write(rest, true, is_ordinal, out);
    } else if is_ordinal {
        out.push_str("th");
    }
}

/// Writes a number below a hundred.
fn small(number: usize, is_ordinal: bool, out: &mut String) {
    let names = if is_ordinal { ORDINALS } else { CARDINALS };
    if let Some(name) = names.get(number) {
        out.push_str(name);
        return;
    }
    let (tens, ones) = (TENS[number / 10 - 2], number % 10);
    match (ones, is_ordinal) {
        (0, false) => out.push_str(tens),
        (0, true) => {
            out.push_str(&tens[..tens.len() - 1]);
            out.push_str("ieth");
        }
        _ => {
            out.push_str(tens);
            out.push('-');
            out.push_str(names[ones]);
        }
    }
}

/// Returns the value of a word in small letters.
fn value(word: &str) -> Option<f64> {
    let place = |names: &[&str]| names.iter().position(|name| name.eq_ignore_ascii_case(word));
    // The casts are exact: the lists are short.
    if let Some(at) = place(&CARDINALS).or_else(|| place(&ORDINALS)) {
        return Some(at as f64);
    }
    let stem = word.strip_suffix("ieth").map(|stem| format!("{stem}y"));
    if let Some(at) = place(&TENS).or_else(|| TENS.iter().position(|name| Some(name.to_lowercase()) == stem)) {
        return Some((at + 2) as f64 * 10.0);
    }
    let cardinal = word.strip_suffix("th").unwrap_or(word);
    if cardinal == "hundred" {
        return Some(100.0);
    }
    MAGNITUDES.into_iter().find(|(_, name)| name.eq_ignore_ascii_case(cardinal)).map(|(size, _)| size)
}

/// Returns the number that words in small letters stand for, or NaN for other text.
pub(super) fn from_words(text: &str) -> f64 {
    let mut parts = vec![0.0];
    for word in words(text) {
        let Some(value) = value(word) else { return f64::NAN };
        let last = parts.pop().unwrap_or(0.0);
        if value >= 100.0 {
            parts.push(last * value);
        } else if last >= 1000.0 {
            parts.extend([last, value]);
        } else {
            parts.push(last + value);
        }
    }
    parts.into_iter().sum()
}

/// Returns the words between commas, `and`, hyphens and white space.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let separator = text.char_indices().find_map(|(at, _)| separator(&text[at..]).map(|length| (at, length)));
        rest = separator.map(|(at, length)| &text[at + length..]);
        Some(separator.map_or(text, |(at, _)| &text[..at]))
    })
}

/// Returns the length of the separator at the start of a text.
fn separator(text: &str) -> Option<usize> {
    let first = text.chars().next()?;
    let after = &text[first.len_utf8()..];
    let blank = |text: &str| text.chars().next().filter(|c| c.is_whitespace()).map(char::len_utf8);
    if first == ',' {
        return blank(after).map(|length| 1 + length);
    }
    if first.is_whitespace() {
        let and = after.strip_prefix("and").and_then(blank);
        return Some(first.len_utf8() + and.map_or(0, |length| 3 + length));
    }
    matches!(first, '-' | '\\').then_some(1)
}

/// Returns the pattern of a text of words, in the syntax of the crate `regex`.
pub(super) fn pattern() -> String {
    let mut words: Vec<String> =
        CARDINALS.iter().chain(&ORDINALS).chain(&TENS).map(|word| word.to_lowercase()).collect();
    words.extend(TENS.iter().map(|word| format!("{}ieth", word[..word.len() - 1].to_lowercase())));
    words.extend(["hundred".to_owned(), "hundredth".to_owned()]);
    words.extend(MAGNITUDES.iter().flat_map(|(_, name)| [name.to_lowercase(), format!("{}th", name.to_lowercase())]));
    format!("(?:{}|and|[-, ])+", words.join("|"))
}
