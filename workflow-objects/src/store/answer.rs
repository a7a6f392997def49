//! The answers of servers that refuse a request, as errors show them.

use std::error::Error;

/// The longest text in characters.
const LENGTH: usize = 500;

/// The text before the body of an answer in the errors of the crate `object_store`.
const STATUS: &str = "Server returned non-2xx status code: ";
const RESPONSE: &str = "Server returned error response: ";

/// Returns the text of an error and its sources. Of the server's answer it has the status, the
/// code and the message: a server may repeat the request, with its keys.
pub(super) fn shown(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        // An answer is in the texts of all errors above it.
        let beneath = error.to_string();
        if !text.contains(&beneath) {
            text.push_str(": ");
            text.push_str(&beneath);
        }
        source = error.source();
    }
    without_answer(&text).chars().take(LENGTH).collect()
}

fn without_answer(text: &str) -> String {
    let (before, status, body) = if let Some((before, answer)) = text.split_once(STATUS) {
        let (status, body) = answer.split_once(": ").unwrap_or((answer, ""));
        (before, status, body)
    } else if let Some((before, body)) = text.split_once(RESPONSE) {
        (before, "", body)
    } else {
        return text.to_owned();
    };
    let parts = [Some(status), element(body, "Code"), element(body, "Message")];
    let parts: Vec<&str> = parts.into_iter().flatten().filter(|part| !part.is_empty()).collect();
    format!("{before}the server answers {}", if parts.is_empty() { "an error".to_owned() } else { parts.join(": ") })
}

/// Returns the text of the first element of this name.
fn element<'a>(body: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = body.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once('<')?;
    Some(text.trim())
}

#[cfg(test)]
mod tests {
    use std::io::Error;

    use super::*;

    const BODY: &str = "<?xml version=\"1.0\"?><Error><Code>SignatureDoesNotMatch</Code><Message>The signature \
        does not match.</Message><AWSAccessKeyId>some-key</AWSAccessKeyId><CanonicalRequest>GET\n/\n\
        x-amz-security-token:a-token</CanonicalRequest></Error>";

    #[test]
    fn of_an_answer_the_status_code_and_message_are_shown() {
        let shown = |text: String| shown(&Error::other(text));
        let head = "Generic S3 error: Error performing GET http://host/b in 1ms - ";
        for (answer, expected) in [
            (
                format!("{STATUS}403 Forbidden: {BODY}"),
                "403 Forbidden: SignatureDoesNotMatch: The signature does not match.",
            ),
            (format!("{RESPONSE}{BODY}"), "SignatureDoesNotMatch: The signature does not match."),
            (format!("{STATUS}500 Internal Server Error: a-token"), "500 Internal Server Error"),
            (format!("{STATUS}500 Internal Server Error"), "500 Internal Server Error"),
            (format!("{RESPONSE}a-token"), "an error"),
        ] {
            assert_eq!(shown(format!("{head}{answer}")), format!("{head}the server answers {expected}"));
        }
        assert_eq!(shown("connection refused".to_owned()), "connection refused");
        assert_eq!(shown("ä".repeat(1000)).chars().count(), LENGTH);
    }
}
