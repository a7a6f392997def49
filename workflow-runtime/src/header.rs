//! Encoding of text in HTTP header fields: ids, keys, correlation keys and names of states.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters that header fields cannot reliably hold, and `%`, which begins an encoded byte.
/// Bytes beyond ASCII are always encoded.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'%');

/// Returns a text as the value of an HTTP header or of gRPC metadata. Everything but visible ASCII
/// characters, and `%`, is percent-encoded as UTF-8 (RFC 3986 §2.1).
///
/// The encoding is total and injective: the receiver restores the text by percent-decoding once.
pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_a_value_of_its_own() {
        for (text, value) in [
            ("one/order-7/1-0", "one/order-7/1-0"),
            ("one/order-ü7/1-0", "one/order-%C3%BC7/1-0"),
            ("one/order-%C3%BC7/1-0", "one/order-%25C3%25BC7/1-0"),
            (" a b\t", "%20a%20b%09"),
            ("a\r\nHost: b\u{7f}", "a%0D%0AHost:%20b%7F"),
            ("\"😀\"", "\"%F0%9F%98%80\""),
            ("", ""),
        ] {
            assert_eq!(encode(text), value);
            let decoded = percent_encoding::percent_decode_str(value).decode_utf8();
            assert_eq!(decoded.as_deref(), Ok(text));
        }
    }
}
