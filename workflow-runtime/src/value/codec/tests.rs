//! Tests of the codec.

use std::fmt::Debug;

use super::*;
use crate::machine::FunctionLimits;
use crate::value;
use crate::value::{Str, Value};

fn saved<T: Save + ?Sized>(part: &T) -> Vec<u8> {
    let mut w = Writer::new();
    w.put(part);
    w.finish()
}

fn loaded<T: Load>(bytes: &[u8]) -> Result<T, LoadError> {
    let mut r = Reader::new(bytes);
    let part = r.take()?;
    r.finish()?;
    Ok(part)
}

fn there_and_back<T: Save + Load + PartialEq + Debug>(part: T) {
    assert_eq!(loaded::<T>(&saved(&part)).as_ref(), Ok(&part));
}

fn document() -> Value {
    value!({
        "null": null, "truths": [true, false], "ints": [0, 1, -1, 63, -64, 64, i64::MAX, i64::MIN],
        "doubles": [0.1, -0.0, f64::MAX, f64::MIN_POSITIVE], "text": "ä\0😀", "": {"": ""}, "empty": [[], {}],
        "wide": (0..100).map(|n| value!({(format!("k{n}")): n})).collect::<Vec<_>>(),
    })
}

#[test]
fn saved_data_is_loaded() {
    there_and_back(document());
    there_and_back(FunctionLimits { time: std::time::Duration::MAX, ..FunctionLimits::default() });
    for number in [0, 1, -1, 127, 128, -129, i64::MAX, i64::MIN] {
        there_and_back(number);
        there_and_back(number as u64);
        there_and_back(number as u32);
        there_and_back(Value::from(number));
    }
    there_and_back(-0.5_f64);
    there_and_back(vec![Some(true), None, Some(false)]);
    there_and_back(vec![String::new(), "x".repeat(300)]);
    there_and_back(Str::from_static("x"));
    assert_eq!(saved(&value!(-3)).len(), 2);
    // Compared as text, because equality ignores the sign of zero and the representation of a
    // number.
    for value in [value!(-0.0), value!(3.0), value!(3), document()] {
        assert_eq!(loaded::<Value>(&saved(&value)).unwrap().to_string(), value.to_string());
    }
    assert_eq!(loaded::<Value>(&saved(&Value::Float(f64::NAN))), Ok(Value::Null));
}

#[test]
fn shared_values_are_written_once() {
    let long = Value::from("long ".repeat(100));
    let shared = value!({"document": document(), "long": (long.clone()), "again": long});
    let frames: Vec<Value> = (0..1000).map(|n| value!([n, shared.clone()])).collect();
    let bytes = saved(&frames);
    assert!(bytes.len() < saved(&shared).len() + 1000 * 10, "{} bytes", bytes.len());
    let loaded: Vec<Value> = loaded(&bytes).unwrap();
    assert_eq!(loaded, frames);
    let member = |n: usize, key: &str| loaded[n].get(1).and_then(|shared| shared.get(key)).unwrap();
    assert!(std::ptr::eq(member(0, "document"), member(999, "document")));
    assert!(std::ptr::eq(member(0, "long").as_str().unwrap(), member(0, "again").as_str().unwrap()));
}

/// A value that doubles on every level takes as many bytes as it has levels.
#[test]
fn sharing_on_every_level_costs_nothing() {
    let value = (0..60).fold(value!([1]), |inner, _| value!([inner.clone(), inner]));
    let loaded: Value = loaded(&saved(&value)).unwrap();
    assert_eq!(saved(&loaded), saved(&value));
}

/// A value is not mistaken for a dropped value at the same address.
#[test]
fn places_are_not_reused_while_writing() {
    let mut w = Writer::new();
    for n in 0..100 {
        let value = value!([n]);
        let also = value.clone();
        w.put(&value);
        w.put(&also);
    }
    let bytes = w.finish();
    let mut r = Reader::new(&bytes);
    for n in 0..100 {
        assert_eq!(r.take::<Value>(), Ok(value!([n])));
        assert_eq!(r.take::<Value>(), Ok(value!([n])));
    }
}

#[test]
fn points_are_named_once() {
    let mut w = Writer::new();
    for point in ["Charge", "Ship", "Charge", "Charge", "Ship"] {
        w.point(point);
    }
    let bytes = w.finish();
    assert_eq!(bytes.len(), "Charge".len() + "Ship".len() + 2 * 2 + 3);
    let mut r = Reader::new(&bytes);
    let points: Result<Vec<&str>, LoadError> = (0..5).map(|_| r.point()).collect();
    assert_eq!(points.unwrap(), ["Charge", "Ship", "Charge", "Charge", "Ship"]);
    r.finish().unwrap();
}

#[test]
fn damage_is_named() {
    fn error<T: Load>(bytes: &[u8]) -> String {
        loaded::<T>(bytes).map(|_| ()).unwrap_err().to_string()
    }
    for (error, expected) in [
        (error::<Value>(&[]), "unexpected end of the snapshot (byte 0 of the snapshot)"),
        (error::<Value>(&[0, 0]), "unexpected bytes after the end of the snapshot (byte 1 of the snapshot)"),
        (error::<Value>(&[200]), "invalid kind of value 200 (byte 1 of the snapshot)"),
        (error::<Value>(&[5, 9, b'x']), "the length 9 of a text exceeds the snapshot (byte 2 of the snapshot)"),
        (
            error::<Value>(&[5, 1, 0xff]),
            "the text is not UTF-8: invalid utf-8 sequence of 1 bytes from index 0 (byte 1 of the snapshot)",
        ),
        (
            error::<Value>(&[6, 0xff, 0xff, 0xff, 0xff, 0x0f]),
            "the length 4294967295 of a list exceeds the snapshot (byte 6 of the snapshot)",
        ),
        (error::<Value>(&[7, 2, 1, b'a', 0, 1, b'a', 0]), "duplicate key `a` in an object (byte 7 of the snapshot)"),
        (error::<Value>(&[9, 0]), "undefined reference to the shared value 0 (byte 2 of the snapshot)"),
        (error::<Value>(&[8, 6, 1, 9, 0]), "the shared value 0 contains itself (byte 5 of the snapshot)"),
        (error::<Value>(&[8, 0]), "invalid kind of shared value 0 (byte 2 of the snapshot)"),
        (error::<u64>(&[0xff; 11]), "the number does not fit into 64 bits (byte 10 of the snapshot)"),
        (
            error::<u32>(&saved(&(1_u64 << 32))),
            "the number 4294967296 does not fit into 32 bits (byte 5 of the snapshot)",
        ),
        (error::<bool>(&[2]), "invalid boolean 2 (byte 1 of the snapshot)"),
        (error::<Vec<u64>>(&[3, 1]), "the length 3 of a list exceeds the snapshot (byte 1 of the snapshot)"),
        (LoadError::unknown_point("Charge").to_string(), "the workflow has no suspension point `Charge`"),
    ] {
        assert_eq!(error, expected);
    }
    assert_eq!(
        Reader::new(&[2]).point().unwrap_err().to_string(),
        "undefined reference to the suspension point 2 (byte 1 of the snapshot)"
    );
}

/// Reading ends whatever the bytes, and truncation is an error.
#[test]
fn any_bytes_are_survived() {
    let inner = value!({"list": [1, 2.5, "text"], "b": "x".repeat(40)});
    let bytes = saved(&vec![value!([inner.clone(), inner.clone()]), inner]);
    for end in 0..bytes.len() {
        assert!(loaded::<Vec<Value>>(&bytes[..end]).is_err(), "cut at {end}");
    }
    for at in 0..bytes.len() {
        for byte in 0..=u8::MAX {
            let mut damaged = bytes.clone();
            damaged[at] = byte;
            // Some damage makes another valid snapshot. No damage may cause a panic.
            let _ = loaded::<Vec<Value>>(&damaged).map(|values| values.len());
        }
    }
    let mut seed = 1_u64;
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..40)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                // Mostly tags and small lengths, so that reading continues for a while.
                (seed >> 59) as u8 % 12
            })
            .collect();
        let _ = loaded::<Vec<Value>>(&bytes).map(|values| values.len());
    }
}
