//! Sizes in the notation of people: `64KB`, `1MB`.

const UNITS: [(&str, usize); 4] = [("B", 1), ("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30)];

/// Reads a number of bytes, with or without a unit. Units are powers of 1024. Returns `None` for
/// any other text.
pub fn parse(text: &str) -> Option<usize> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number: usize = text[..end].parse().ok()?;
    match text[end..].trim_start() {
        "" => Some(number),
        unit => {
            let (_, bytes) = UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit))?;
            number.checked_mul(*bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn sizes_are_read() {
        for (text, bytes) in [("0", 0), ("17", 17), ("64KB", 65_536), ("1 mb", 1_048_576), ("2B", 2)] {
            assert_eq!(parse(text), Some(bytes), "{text}");
        }
        for text in ["", "MB", "-1", "1.5MB", "1XB", "99999999999999999999", "99999999999999GB"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
