//! Ids of executions.

use std::fmt;

/// The largest length of an id, in bytes of UTF-8.
pub const MAX_LEN: usize = 255;

/// The prefix of ids that engines derive from a start event.
pub(crate) const EVENT_PREFIX: &str = "event ";

/// Returns the UUID of version 4 with these random bits (RFC 9562, section 5.4).
#[doc(hidden)]
pub fn uuid_v4([high, low]: [u64; 2]) -> String {
    let (high, low) = (high & !0xf000 | 0x4000, low & !(0b11 << 62) | 0b10 << 62);
    let (first, second, third) = (high >> 32, high >> 16 & 0xffff, high & 0xffff);
    format!("{first:08x}-{second:04x}-{third:04x}-{:04x}-{:012x}", low >> 48, low & 0xffff_ffff_ffff)
}

/// Checks an id that a caller chooses for an execution.
///
/// Ids occur in paths of URLs, in headers and in terminal output. An id has 1 to [`MAX_LEN`]
/// bytes, which may be letters of any script. It is not `.` or `..`. It has no white space at its
/// ends, no control characters, no characters that change the direction or end the line of a text,
/// and none of `/`, `\`, `?`, `#` and `%`. It does not begin with `event `, which is reserved for
/// executions that events start.
///
/// Engines check the ids of new executions. They do not check ids that they generate, or ids in
/// their store: executions of earlier versions continue.
///
/// ```
/// use workflow_runtime::id;
///
/// assert_eq!(id::check("order-17"), Ok(()));
/// assert!(id::check("orders/17").unwrap_err().to_string().contains("orders/17"));
/// ```
pub fn check(id: &str) -> Result<(), InvalidId> {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=MAX_LEN).contains(&id.len()) && id.bytes().all(is_plain) {
        return Ok(());
    }
    let problem = if id.is_empty() {
        Problem::Empty
    } else if id.len() > MAX_LEN {
        Problem::TooLong
    } else if id.starts_with(EVENT_PREFIX) {
        Problem::OfEvent
    } else if let Some(character) = id.chars().find(|character| is_refused(*character)) {
        Problem::Character(character)
    } else if id.starts_with(char::is_whitespace) || id.ends_with(char::is_whitespace) {
        Problem::WhiteSpace
    } else if matches!(id, "." | "..") {
        Problem::Dots
    } else {
        return Ok(());
    };
    Err(InvalidId { id: id.to_owned(), problem })
}

fn is_refused(character: char) -> bool {
    let directs =
        matches!(character, '\u{61c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control()
        || directs
        || matches!(character, '/' | '\\' | '?' | '#' | '%' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// An id that executions cannot have.
///
/// See the example of [`check`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidId {
    id: String,
    problem: Problem,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Problem {
    Empty,
    TooLong,
    Character(char),
    WhiteSpace,
    Dots,
    OfEvent,
}

impl fmt::Display for InvalidId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = self.id.escape_debug();
        match self.problem {
            Problem::Empty => f.write_str("the id of an execution is empty"),
            Problem::TooLong => {
                write!(f, "the id of an execution has {} bytes; the maximum is {MAX_LEN}", self.id.len())
            }
            Problem::OfEvent => {
                write!(f, "the id `{id}` starts with `event `, which is reserved for executions that events start")
            }
            Problem::Character(character) => write!(
                f,
                "the id `{id}` contains `{}`: control characters, `/`, `\\`, `?`, `#` and `%` are not allowed",
                character.escape_debug()
            ),
            Problem::WhiteSpace => write!(f, "the id `{id}` starts or ends with white space"),
            Problem::Dots => write!(f, "the id `{id}` is a relative path"),
        }
    }
}

impl std::error::Error for InvalidId {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uuid_has_its_version_and_its_variant() {
        assert_eq!(uuid_v4([0, 0]), "00000000-0000-4000-8000-000000000000");
        assert_eq!(uuid_v4([u64::MAX, u64::MAX]), "ffffffff-ffff-4fff-bfff-ffffffffffff");
    }

    #[test]
    fn ids_are_safe_in_paths() {
        let longest = "x".repeat(MAX_LEN);
        for id in [
            "7",
            "order-ü7",
            "Bestellung Nr. 7 für Ada",
            "заказ 7",
            "注文-7",
            "a.b",
            "...",
            "events 1",
            "a:b@c;d=e",
            &longest,
        ] {
            assert_eq!(check(id), Ok(()), "{id}");
        }
    }

    #[test]
    fn other_ids_are_refused_with_the_reason() {
        let too_long = "ü".repeat(128);
        for (id, reason) in [
            ("", "is empty"),
            (&*too_long, "has 256 bytes; the maximum is 255"),
            (".", "is a relative path"),
            ("..", "is a relative path"),
            (" ", "starts or ends with white space"),
            (" a", "starts or ends with white space"),
            ("a\u{3000}", "starts or ends with white space"),
            ("train/7", "the id `train/7` contains `/`"),
            ("a\\b", "contains `\\\\`"),
            ("a?b", "contains `?`"),
            ("a#b", "contains `#`"),
            ("a%2fb", "contains `%`"),
            ("a\nb", "the id `a\\nb` contains `\\n`"),
            ("a\u{202e}b", "contains `\\u{202e}`"),
            ("event urn:x 7", "starts with `event `"),
            ("event /ward 777", "starts with `event `"),
        ] {
            let refused = check(id).expect_err(id).to_string();
            assert!(refused.contains(reason), "{refused}");
        }
    }
}
