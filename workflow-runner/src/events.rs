//! Events from outside: CloudEvents 1.0 in the JSON format, with all of its constraints.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use fluent_uri::{Uri, UriRef};
use workflow_runtime::{CloudEvent, Value};

/// Reads an event. The error describes the constraint that it violates.
pub fn read(event: &Value) -> Result<CloudEvent, String> {
    let read = CloudEvent::from_value(event).map_err(|error| error.to_string())?;
    for (name, value) in event.as_object().into_iter().flat_map(|members| members.iter()) {
        match name.as_str() {
            "data" => {}
            _ if value.is_null() => {}
            "data_base64" => {
                let decoded = value.as_str().map(|text| BASE64_STANDARD.decode(text));
                if !matches!(decoded, Some(Ok(_))) {
                    return Err("`data_base64` must be a Base64 string".to_owned());
                }
            }
            name => attribute(name, value)?,
        }
    }
    Ok(read)
}

/// Returns bytes in the encoding of `data_base64`.
pub fn base64(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(bytes)
}

/// Checks a context attribute (CloudEvents 1.0, "Naming Conventions" and "Type System").
fn attribute(name: &str, value: &Value) -> Result<(), String> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
        return Err(format!("`{name}` is not a valid attribute name: use the letters a to z and digits"));
    }
    let text = match value {
        Value::String(text) => text.as_str(),
        Value::Bool(_) => return Ok(()),
        other if other.as_i64().is_some_and(|number| i32::try_from(number).is_ok()) => return Ok(()),
        _ => return Err(format!("`{name}` must be a string, a boolean or a 32-bit integer")),
    };
    if text.chars().any(char::is_control) {
        return Err(format!("`{name}` contains control characters"));
    }
    match name {
        "source" if text.is_empty() || UriRef::parse(text).is_err() => {
            Err(format!("`source` must be a URI reference, found {text}"))
        }
        "dataschema" if Uri::parse(text).is_err() => Err(format!("`dataschema` must be a URI, found {text}")),
        "datacontenttype" if !is_media_type(text) => {
            Err(format!("`datacontenttype` must be a media type such as `application/json`, found {text}"))
        }
        "time" if !is_time(text) => Err(format!("`time` must be an RFC 3339 time, found {text}")),
        _ => Ok(()),
    }
}

/// Returns `true` if a text begins with a media type (RFC 2045 §5.1).
fn is_media_type(text: &str) -> bool {
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    let essence = text.split(';').next().unwrap_or_default().trim();
    essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
}

/// Returns `true` if a text that reads as a time has all parts that RFC 3339 requires (§5.6).
fn is_time(text: &str) -> bool {
    let shape = |at: usize, byte: u8| match at {
        4 | 7 => byte == b'-',
        10 => byte.eq_ignore_ascii_case(&b'T'),
        13 | 16 => byte == b':',
        _ => byte.is_ascii_digit(),
    };
    let bytes = text.as_bytes();
    let Some((start, rest)) = bytes.split_at_checked(19) else { return false };
    let rest = match rest.strip_prefix(b".") {
        Some(fraction) => &fraction[fraction.iter().take_while(|byte| byte.is_ascii_digit()).count()..],
        None => rest,
    };
    let zone = match rest {
        [z] => z.eq_ignore_ascii_case(&b'Z'),
        [b'+' | b'-', a, b, b':', c, d] => [a, b, c, d].into_iter().all(u8::is_ascii_digit),
        _ => false,
    };
    start.iter().enumerate().all(|(at, byte)| shape(at, *byte)) && zone
}

#[cfg(test)]
mod tests {
    use workflow_runtime::value;

    use super::*;

    fn with(name: &str, value: impl Into<Value>) -> Result<CloudEvent, String> {
        let mut event = value!({"specversion": "1.0", "id": "1", "source": "/s", "type": "t"});
        event.as_object_mut().expect("an object").insert(name, value);
        read(&event)
    }

    #[test]
    fn what_the_format_allows_is_read() {
        for (name, value) in [
            ("source", value!("https://example.org/a%20b?c#d")),
            ("source", value!("urn:uuid:6e8bc430-9c3a-11d9-9669-0800200c9a66")),
            ("source", value!("1-555-123-4567")),
            ("source", value!("http://[2001:db8::7]:80/a?b#c")),
            ("source", value!("//host/a")),
            ("source", value!("/ward/a:b")),
            ("source", value!("?ward")),
            ("time", value!("2026-01-02T03:04:05Z")),
            ("time", value!("2026-01-02t03:04:05.123456789+05:30")),
            ("dataschema", value!("https://example.org/schema.json")),
            ("datacontenttype", value!("text/plain; charset=utf-8")),
            ("tenant", value!("Bestellung für Ada")),
            ("sequence", value!(7)),
            ("sampled", value!(true)),
            ("gone", Value::Null),
            ("data", value!({"Any": ["thing", 1.5, null]})),
            ("data_base64", value!("AAEC/w==")),
        ] {
            assert!(with(name, value.clone()).is_ok(), "{name}: {value}");
        }
    }

    #[test]
    fn what_it_does_not_is_refused() {
        for (name, value) in [
            ("source", value!("a b")),
            ("source", value!("/%4")),
            ("source", value!("/für")),
            ("source", value!("http://[")),
            ("source", value!("http://[::1")),
            ("source", value!("http://a:port/")),
            ("source", value!("1:2")),
            ("source", value!("/a[b]")),
            ("source", value!("#a#b")),
            ("time", value!("2026-01-02")),
            ("time", value!("2026-01-02 03:04:05Z")),
            ("time", value!("2026-13-02T03:04:05Z")),
            ("time", value!("2026-01-02T03:04:05Z[UTC]")),
            ("time", value!("2026-01-02T03:04:05")),
            ("dataschema", value!("schema.json")),
            ("dataschema", value!("http://[")),
            ("datacontenttype", value!("json")),
            ("tenant", value!(1.5)),
            ("tenant", value!(2147483648i64)),
            ("tenant", value!(["a"])),
            ("tenant", value!("a\nb")),
            ("tenantId", value!("a")),
            ("tenant-id", value!("a")),
            ("", value!("a")),
            ("data_base64", value!("A")),
            ("data_base64", value!(7)),
        ] {
            let refused = with(name, value.clone());
            let says = refused.as_ref().is_err_and(|error| error.contains(&format!("`{name}` ")));
            assert!(says, "{name}: {value}: {refused:?}");
        }
    }
}
