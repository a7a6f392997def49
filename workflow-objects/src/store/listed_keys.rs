//! The keys in answers to listings, in a form that the crate `object_store` takes.
//!
//! The crate refuses a whole page if one key in it is not a plain path, such as `a//b.csv`, and
//! takes the slash off the marker of a folder. So the keys are replaced before the crate reads
//! the answer, each by a single segment, and translated back afterwards.

use std::borrow::Cow;
use std::future::Future;
use std::pin::Pin;

use futures_util::StreamExt;
use object_store::client::{HttpError, HttpErrorKind, HttpRequest, HttpResponse, HttpResponseBody, HttpService};

use super::{StoreError, StoreErrorKind};

/// The largest answer in bytes. A page has 1000 keys of at most 1024 bytes.
const MAX_PAGE: usize = 32 * 1024 * 1024;

/// The beginning of a replaced key.
const MARK: &str = "listed-";

/// The elements with the keys: those of S3 and Google Cloud Storage, and those of Azure.
const ELEMENTS: [&[u8]; 2] = [b"<Key", b"<Name"];

/// An HTTP client that replaces the keys in listings.
#[derive(Debug)]
pub(super) struct ListedKeys(pub(super) reqwest::Client);

type Answer<'a> = Pin<Box<dyn Future<Output = Result<HttpResponse, HttpError>> + Send + 'a>>;

impl HttpService for ListedKeys {
    fn call<'a, 'b>(&'a self, request: HttpRequest) -> Answer<'b>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            let is_listing = request.uri().query().is_some_and(is_listing);
            let answer = HttpService::call(&self.0, request).await?;
            if !is_listing || !answer.status().is_success() {
                return Ok(answer);
            }
            let (mut head, body) = answer.into_parts();
            let replaced = replaced(&whole(body).await?);
            head.headers.remove("content-length");
            Ok(HttpResponse::from_parts(head, replaced.into()))
        })
    }
}

/// Returns `true` for the query of a listing.
fn is_listing(query: &str) -> bool {
    query.split('&').any(|part| matches!(part, "list-type=2" | "comp=list"))
}

/// Reads an answer.
async fn whole(body: HttpResponseBody) -> Result<Vec<u8>, HttpError> {
    let mut whole = Vec::new();
    let mut parts = body.bytes_stream();
    while let Some(part) = parts.next().await {
        let part = part?;
        if whole.len() + part.len() > MAX_PAGE {
            let message = format!("a page of the listing is longer than {MAX_PAGE} bytes");
            return Err(HttpError::new(HttpErrorKind::Decode, std::io::Error::other(message)));
        }
        whole.extend_from_slice(&part);
    }
    Ok(whole)
}

/// Returns an answer with replaced keys.
fn replaced(answer: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(answer.len() * 2);
    let mut rest = answer;
    while let Some(at) = rest.iter().position(|byte| *byte == b'<') {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let tag = rest.iter().position(|byte| *byte == b'>').map_or(rest.len(), |end| end + 1);
        let (tag, behind) = rest.split_at(tag);
        text.extend_from_slice(tag);
        rest = behind;
        if !is_element(tag) {
            continue;
        }
        let end = rest.iter().position(|byte| *byte == b'<').unwrap_or(rest.len());
        text.extend_from_slice(MARK.as_bytes());
        // Azure encodes the names that XML cannot have.
        let is_encoded = tag.ends_with(b" Encoded=\"true\">");
        let key = if is_encoded { percent_decoded(&rest[..end]) } else { Cow::Borrowed(&rest[..end]) };
        key.iter().for_each(|byte| put(*byte, &mut text));
        rest = &rest[end..];
    }
    text.extend_from_slice(rest);
    text
}

fn is_element(tag: &[u8]) -> bool {
    ELEMENTS.iter().any(|name| tag.strip_prefix(*name).is_some_and(|rest| rest == b">" || rest.starts_with(b" ")))
}

/// Writes a byte of a key. References to characters are hidden from the crate, too.
fn put(byte: u8, text: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    match byte {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => text.push(byte),
        _ => text.extend_from_slice(&[b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]),
    }
}

fn percent_decoded(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'%') {
        return Cow::Borrowed(text);
    }
    let digit = |at: usize| text.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut bytes = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).expect("two digits are a byte"));
                at += 3;
            }
            _ => {
                bytes.push(*byte);
                at += 1;
            }
        }
    }
    Cow::Owned(bytes)
}

/// Returns the key in place of which the crate has a path.
///
/// # Errors
/// The key is not text.
pub(super) fn key_of(path: &str) -> Result<String, StoreError> {
    let Some(replaced) = path.strip_prefix(MARK) else { return Ok(path.to_owned()) };
    let bytes = percent_decoded(replaced.as_bytes());
    let text = str::from_utf8(&bytes).ok().and_then(unescaped);
    text.ok_or_else(|| {
        let key = String::from_utf8_lossy(&bytes).into_owned();
        StoreError::new(StoreErrorKind::Other, format!("the listing has the key {key:?}, which is not text"))
    })
}

/// Returns the text of XML whose references to characters stand for these.
fn unescaped(xml: &str) -> Option<String> {
    let mut parts = xml.split('&');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';')?;
        let number = |digits: &str, radix| u32::from_str_radix(digits, radix).ok().and_then(char::from_u32);
        text.push(match (name, name.strip_prefix("#x"), name.strip_prefix('#')) {
            ("amp", ..) => '&',
            ("lt", ..) => '<',
            ("gt", ..) => '>',
            ("quot", ..) => '"',
            ("apos", ..) => '\'',
            (_, Some(digits), _) => number(digits, 16)?,
            (_, _, Some(digits)) => number(digits, 10)?,
            _ => return None,
        });
        text.push_str(rest);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the key that an element of a listing has, from the answer to the object.
    fn check(element: &str, expected: Option<&str>) {
        let answer = format!("<?xml version=\"1.0\"?><L><Name>b</Name><C>{element}<Size>1</Size></C></L>");
        let text = String::from_utf8(replaced(answer.as_bytes())).expect("text");
        let at = text.rfind(MARK).expect("a replaced key");
        let path = text[at..].split('<').next().unwrap_or_default();
        assert!(object_store::path::Path::parse(path).is_ok_and(|parsed| parsed.as_ref() == path), "{path}");
        assert_eq!(key_of(path).ok().as_deref(), expected, "{element}");
        assert!(text.ends_with("<Size>1</Size></C></L>"), "{text}");
    }

    #[test]
    fn every_key_is_taken_as_it_is() {
        for key in ["a.csv", "a//b.csv", "/a", "a/", "./..", "%2F", "listed-a", "ä/ö", "", "a b\u{7f}"] {
            check(&format!("<Key>{key}</Key>"), Some(key));
            check(&format!("<Name>{key}</Name>"), Some(key));
        }
        check("<Key>a&amp;b&lt;&gt;&quot;&apos;&#xD;&#10;</Key>", Some("a&b<>\"'\r\n"));
        check("<Name Encoded=\"true\">a%0Bb%2fc%</Name>", Some("a\u{b}b/c%"));
        for broken in ["a&b", "a&no;", "&#x110000;", "&#;"] {
            check(&format!("<Key>{broken}</Key>"), None);
        }
        assert_eq!(key_of("a//b").ok().as_deref(), Some("a//b"));
        assert_eq!(replaced(b"<Keys>a/b</Keys><Key"), b"<Keys>a/b</Keys><Key");
        assert!(is_listing("list-type=2&prefix=a") && is_listing("a&comp=list") && !is_listing("prefix=list-type=2"));
    }
}
