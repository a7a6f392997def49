//! Timestamps of the language: RFC 3339 with an upper-case `T` and an upper-case `Z` (ASL
//! §Timestamps).

/// Returns `true` if a text is a timestamp of the language.
pub fn is_valid(text: &str) -> bool {
    let bytes = text.as_bytes();
    let has_shape = bytes.len() >= 20
        && bytes.iter().enumerate().take(19).all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            10 => *byte == b'T',
            13 | 16 => *byte == b':',
            _ => byte.is_ascii_digit(),
        });
    has_shape && has_zone(fraction_end(&bytes[19..])) && workflow_model::rfc3339::read(text).is_some()
}

/// Returns the bytes after the fraction of a second, if there is one.
fn fraction_end(rest: &[u8]) -> &[u8] {
    match rest {
        [b'.', digits @ ..] if digits.first().is_some_and(u8::is_ascii_digit) => {
            let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
            &digits[length..]
        }
        _ => rest,
    }
}

fn has_zone(rest: &[u8]) -> bool {
    match rest {
        [b'Z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].iter().all(|byte| byte.is_ascii_digit()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn only_whole_timestamps_are_valid() {
        for (text, expected) in [
            ("2016-03-14T01:59:00Z", true),
            ("2016-03-14T01:59:00.123456Z", true),
            ("2016-03-14T01:59:00+05:30", true),
            ("2016-02-29T23:59:59-08:00", true),
            ("2016-03-14t01:59:00Z", false),
            ("2016-03-14T01:59:00z", false),
            ("2016-03-14 01:59:00Z", false),
            ("2016-03-14T01:59:00", false),
            ("2016-03-14T01:59Z", false),
            ("2016-03-14T25:59:00Z", false),
            ("2015-02-29T01:59:00Z", false),
            ("05-12-2016T21:29:29Z", false),
            ("2016-03-14T01:59:00.Z", false),
            ("{% '2016-03-14T01:59:00Z' %}", false),
            ("", false),
        ] {
            assert_eq!(is_valid(text), expected, "{text}");
        }
    }
}
