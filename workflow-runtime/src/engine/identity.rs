//! Identity of a start request, which shows whether two requests with one key or id are the same.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use crate::{Str, Value};

/// SHA-256 hash.
pub type RequestIdentity = [u8; 32];

/// Returns the identity of a request: a SHA-256 hash of its input in canonical form and of its
/// correlation key, if any. A nested array or object enters as its own hash, so that a shared
/// value is hashed once.
///
/// Equal inputs have the same canonical JSON: the order of members does not count, and `1.0` is
/// `1`. Settings and limits are not part of the identity. They are those of the program, which may
/// differ when the request is repeated.
pub fn of(input: &Value, correlation: Option<&str>) -> RequestIdentity {
    let mut hash = Sha256::new();
    hash.update(of_value(input));
    if let Some(correlation) = correlation {
        hash.update(b":");
        hash.update(correlation);
    }
    hash.finalize().into()
}

/// Returns an identity as text.
pub fn hex(identity: &RequestIdentity) -> String {
    identity.iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string does not fail.
        let _written = write!(text, "{byte:02x}");
        text
    })
}

/// Array or object being hashed.
struct Open<'a> {
    hash: Sha256,
    rest: Rest<'a>,
    end: &'static [u8],
    is_first: bool,
    /// Address, if other values may share it.
    shared: Option<usize>,
}

enum Rest<'a> {
    Array(std::slice::Iter<'a, Value>),
    /// Members, ordered by name.
    Object(std::vec::IntoIter<(&'a Str, &'a Value)>),
}

/// Hashes a value: members in the order of the bytes of their names, numbers as they compare, no
/// white space. A nested array or object is represented by `#` and its own hash, so that a shared
/// value is read once. Stack use is bounded.
fn of_value(value: &Value) -> RequestIdentity {
    let mut known: HashMap<usize, RequestIdentity> = HashMap::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = value;
    loop {
        let address = shared_at(next);
        let mut done = match address.and_then(|at| known.get(&at)) {
            Some(hash) => Element::Hash(*hash),
            None => match begin(next, address) {
                Ok(begun) => {
                    open.push(begun);
                    Element::None
                }
                Err(scalar) => Element::Scalar(scalar),
            },
        };
        // Closes completed values, and finds the next element.
        next = loop {
            let Some(innermost) = open.last_mut() else {
                return match done {
                    Element::Hash(hash) => hash,
                    Element::Scalar(value) => {
                        let mut hash = Sha256::new();
                        write_scalar(value, &mut hash);
                        hash.finalize().into()
                    }
                    Element::None => RequestIdentity::default(),
                };
            };
            match std::mem::replace(&mut done, Element::None) {
                Element::Hash(hash) => {
                    innermost.hash.update(b"#");
                    innermost.hash.update(hash);
                }
                Element::Scalar(value) => write_scalar(value, &mut innermost.hash),
                Element::None => {}
            }
            if let Some(part) = innermost.next() {
                break part;
            }
            if let Some(Open { mut hash, end, shared, .. }) = open.pop() {
                hash.update(end);
                let hash = hash.finalize().into();
                known.extend(shared.map(|at| (at, hash)));
                done = Element::Hash(hash);
            }
        };
    }
}

/// Hashed element of an array or object.
enum Element<'a> {
    Hash(RequestIdentity),
    Scalar(&'a Value),
    None,
}

impl<'a> Open<'a> {
    /// Begins the next element.
    fn next(&mut self) -> Option<&'a Value> {
        let (name, value) = match &mut self.rest {
            Rest::Array(rest) => (None, rest.next()?),
            Rest::Object(rest) => rest.next().map(|(name, value)| (Some(name), value))?,
        };
        if !std::mem::take(&mut self.is_first) {
            self.hash.update(b",");
        }
        if let Some(name) = name {
            write_scalar(&Value::String(name.clone()), &mut self.hash);
            self.hash.update(b":");
        }
        Some(value)
    }
}

/// Returns the address of an array or object that other values may share.
fn shared_at(value: &Value) -> Option<usize> {
    match value {
        Value::Array(array) if Arc::strong_count(array) > 1 => Some(Arc::as_ptr(array).addr()),
        Value::Object(object) if Arc::strong_count(object) > 1 => Some(Arc::as_ptr(object).addr()),
        _ => None,
    }
}

/// Begins an array or an object; returns any other value as the error.
fn begin(value: &Value, shared: Option<usize>) -> Result<Open<'_>, &Value> {
    let (begin, end, rest): (&[u8], &'static [u8], Rest<'_>) = match value {
        Value::Array(array) => (b"[", b"]", Rest::Array(array.iter())),
        Value::Object(object) => {
            let mut members: Vec<_> = object.iter().collect();
            members.sort_unstable_by(|(one, _), (other, _)| one.as_str().cmp(other.as_str()));
            (b"{", b"}", Rest::Object(members.into_iter()))
        }
        scalar => return Err(scalar),
    };
    let mut hash = Sha256::new();
    hash.update(begin);
    Ok(Open { hash, rest, end, is_first: true, shared })
}

/// Writes a scalar as JSON.
fn write_scalar(value: &Value, hash: &mut Sha256) {
    struct Hashed<'a>(&'a mut Sha256);
    impl fmt::Write for Hashed<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text);
            Ok(())
        }
    }
    // Writing to a hash cannot fail.
    let _never = match value.as_i64() {
        // A whole number hashes the same as an integer and as a double.
        Some(number) => write!(Hashed(hash), "{number}"),
        None => write!(Hashed(hash), "{value}"),
    };
}

#[cfg(test)]
mod tests {
    use crate::value;

    use super::*;

    fn sha256(text: &str) -> RequestIdentity {
        Sha256::digest(text).into()
    }

    #[test]
    fn equal_values_have_equal_identities() {
        for (one, other) in [
            (value!({ "a": 1, "b": [true, null] }), value!({ "b": [true, null], "a": 1 })),
            (value!({ "of": { "x": 1, "y": "z" } }), value!({ "of": { "y": "z", "x": 1 } })),
            (value!([1, -7, 0]), value!([1.0, -7.0, -0.0])),
            (value!(9007199254740993i64), value!(9007199254740993i64)),
            (value!([[], {}, "", 1.5]), value!([[], {}, "", 1.5])),
        ] {
            assert_eq!(one, other);
            assert_eq!(of(&one, None), of(&other, None), "{one}");
        }
    }

    #[test]
    fn different_values_have_different_identities() {
        let all = [
            value!(null),
            value!({}),
            value!([]),
            value!([[]]),
            value!([[], []]),
            value!([[[]]]),
            value!(""),
            value!("null"),
            value!("{}"),
            value!(0),
            value!(0.5),
            value!(9007199254740992i64),
            value!(9007199254740993i64),
            value!(1e300),
            value!(["a", "b"]),
            value!(["a,b"]),
            value!(["a\",\"b"]),
            value!({ "a": "b" }),
            value!({ "a:": "b" }),
            value!({ "a": { "b": 1 } }),
            value!({ "a": {}, "b": 1 }),
            value!({ "a": [1], "b": [2] }),
            value!({ "a": [2], "b": [1] }),
        ];
        for (at, one) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                assert_ne!(of(one, None), of(other, None), "{one} {other}");
            }
            assert_ne!(of(one, None), of(one, Some("")), "{one}");
            assert_ne!(of(one, Some("a")), of(one, Some("b")), "{one}");
        }
    }

    #[test]
    fn identities_hash_canonical_json() {
        assert_eq!(of_value(&value!({ "b": [1.0, "ü\n"], "a": true }).get("b").cloned().unwrap_or_default()), {
            sha256("[1,\"ü\\n\"]")
        });
        assert_eq!(of_value(&value!({ "b": 1.0, "a": "x" })), sha256(r#"{"a":"x","b":1}"#));
        let mut text = b"[1,#".to_vec();
        text.extend(sha256("[2]"));
        text.extend(b",3]");
        assert_eq!(of_value(&value!([1, [2], 3])), <RequestIdentity>::from(Sha256::digest(&text)));
    }

    #[test]
    fn shared_values_are_hashed_once_and_depth_is_unlimited() {
        // Written as JSON, this has 2^60 leaves.
        let mut shared = value!({ "leaf": [1] });
        for _ in 0..60 {
            shared = value!([shared.clone(), shared.clone()]);
        }
        assert_ne!(of(&shared, None), of(&value!([shared.clone()]), None));
        // Shared or not, it is the same.
        let part = value!([1, { "a": 2 }]);
        assert_eq!(
            of(&value!([part.clone(), part.clone()]), None),
            of(&value!([[1, { "a": 2 }], [1, { "a": 2 }]]), None)
        );
        let mut deep = value!(7);
        for _ in 0..100_000 {
            deep = value!([deep]);
        }
        assert_ne!(of(&deep, None), of(&value!(7), None));
    }
}
