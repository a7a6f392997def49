//! The identity of a request: by it two requests of one key, or of one id, are known to ask for
//! the same.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use workflow_runtime::{Str, Value};

/// A SHA-256.
pub type Identity = [u8; 32];

/// Returns the identity of a request: a SHA-256 of its input in canonical form and of the
/// correlation key that was given with it, if one was. An array or object inside of another one
/// enters as its own hash, so that a shared part is hashed once.
///
/// Two inputs have the same canonical JSON if they are equal: the order of members does not count,
/// and `1.0` is `1`. Settings and limits are those of the program, which may be another one when
/// the request is made again, and are no part of it.
pub fn of(input: &Value, correlation: Option<&str>) -> Identity {
    let mut hash = Sha256::new();
    hash.update(of_value(input));
    if let Some(correlation) = correlation {
        hash.update(b":");
        hash.update(correlation);
    }
    hash.finalize().into()
}

/// An array or an object that is being read.
struct Open<'a> {
    hash: Sha256,
    rest: Rest<'a>,
    end: &'static [u8],
    is_first: bool,
    /// Where it is, if other values may hold it, too.
    shared: Option<usize>,
}

enum Rest<'a> {
    Array(std::slice::Iter<'a, Value>),
    /// The members, in the order of their names.
    Object(std::vec::IntoIter<(&'a Str, &'a Value)>),
}

/// Hashes a value: members in the order of the bytes of their names, numbers as they compare, no
/// white space. An array or an object within another one is represented there by `#` and its own
/// hash, so that a part that occurs many times is read once: inputs of programs share what is
/// equal. The stack is bounded.
fn of_value(value: &Value) -> Identity {
    let mut known: HashMap<usize, Identity> = HashMap::new();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut next = value;
    loop {
        let address = shared_at(next);
        let mut done = match address.and_then(|at| known.get(&at)) {
            Some(hash) => Part::Hash(*hash),
            None => match begin(next, address) {
                Ok(begun) => {
                    open.push(begun);
                    Part::None
                }
                Err(scalar) => Part::Scalar(scalar),
            },
        };
        // Ends what has no more parts, and finds the next part.
        next = loop {
            let Some(innermost) = open.last_mut() else {
                return match done {
                    Part::Hash(hash) => hash,
                    Part::Scalar(value) => {
                        let mut hash = Sha256::new();
                        write_scalar(value, &mut hash);
                        hash.finalize().into()
                    }
                    Part::None => Identity::default(),
                };
            };
            match std::mem::replace(&mut done, Part::None) {
                Part::Hash(hash) => {
                    innermost.hash.update(b"#");
                    innermost.hash.update(hash);
                }
                Part::Scalar(value) => write_scalar(value, &mut innermost.hash),
                Part::None => {}
            }
            if let Some(part) = innermost.next() {
                break part;
            }
            if let Some(Open { mut hash, end, shared, .. }) = open.pop() {
                hash.update(end);
                let hash = hash.finalize().into();
                known.extend(shared.map(|at| (at, hash)));
                done = Part::Hash(hash);
            }
        };
    }
}

/// A part that was read, and is to be written to what holds it.
enum Part<'a> {
    Hash(Identity),
    Scalar(&'a Value),
    None,
}

impl<'a> Open<'a> {
    /// Begins the next part.
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

/// Where an array or object is that other values may hold, too.
fn shared_at(value: &Value) -> Option<usize> {
    match value {
        Value::Array(array) if Arc::strong_count(array) > 1 => Some(Arc::as_ptr(array).addr()),
        Value::Object(object) if Arc::strong_count(object) > 1 => Some(Arc::as_ptr(object).addr()),
        _ => None,
    }
}

/// Begins an array or an object; yields anything else.
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

/// Writes what is neither an array nor an object, as JSON.
fn write_scalar(value: &Value, hash: &mut Sha256) {
    struct Hashed<'a>(&'a mut Sha256);
    impl fmt::Write for Hashed<'_> {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text);
            Ok(())
        }
    }
    // Nothing that is written to a hash fails.
    let _never = match value.as_i64() {
        // A whole number is the same as an integer and as a double.
        Some(number) => write!(Hashed(hash), "{number}"),
        None => write!(Hashed(hash), "{value}"),
    };
}

#[cfg(test)]
mod tests {
    use workflow_runtime::value;

    use super::*;

    fn sha256(text: &str) -> Identity {
        Sha256::digest(text).into()
    }

    #[test]
    fn what_is_equal_is_the_same() {
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
    fn what_is_not_equal_is_not() {
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
    fn it_is_a_hash_of_canonical_json() {
        assert_eq!(of_value(&value!({ "b": [1.0, "ü\n"], "a": true }).get("b").cloned().unwrap_or_default()), {
            sha256("[1,\"ü\\n\"]")
        });
        assert_eq!(of_value(&value!({ "b": 1.0, "a": "x" })), sha256(r#"{"a":"x","b":1}"#));
        let mut text = b"[1,#".to_vec();
        text.extend(sha256("[2]"));
        text.extend(b",3]");
        assert_eq!(of_value(&value!([1, [2], 3])), <Identity>::from(Sha256::digest(&text)));
    }

    #[test]
    fn what_is_shared_is_read_once_and_depth_does_not_matter() {
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
