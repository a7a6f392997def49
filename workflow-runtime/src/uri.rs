//! Percent-encoding of text in URIs (RFC 3986 §2.1).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// Characters that RFC 3986 §2.3 does not list as unreserved. Bytes beyond ASCII are always
/// encoded.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Percent-encodes all characters but the unreserved ones, so that the text is one segment of a
/// path or one parameter of a query.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Undoes percent-encoding. Returns `None` if two hexadecimal digits do not follow a `%`, or if
/// the result is not UTF-8.
pub fn decode(text: &str) -> Option<String> {
    let is_encoded = |after: &[u8]| after.get(..2).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit));
    let is_valid = text.as_bytes().split(|byte| *byte == b'%').skip(1).all(is_encoded);
    is_valid.then(|| percent_decode_str(text).decode_utf8().ok()).flatten().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoded_text_is_one_segment() {
        assert_eq!(encode("order-7_a.b~"), "order-7_a.b~");
        assert_eq!(encode("a/b?c é"), "a%2Fb%3Fc%20%C3%A9");
    }

    #[test]
    fn decoding_undoes_encoding() {
        for text in ["", "a", "a/b c", "Bestellung Nr. 7 für Ada?&=%+#", "\u{0}\n"] {
            assert_eq!(decode(&encode(text)).as_deref(), Some(text), "{text}");
        }
        for wrong in ["%", "%4", "%%41", "%zz", "%ff", "%+1", "%4é"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
