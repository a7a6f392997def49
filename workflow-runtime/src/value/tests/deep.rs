//! Tests with values nested far deeper than the stack.

use serde::Deserialize;

use crate::value;
use crate::value::codec::{Reader, Writer};
use crate::value::{MAX_DEPTH, Value};

const LEVELS: usize = 200_000;

fn arrays(levels: usize) -> Value {
    (0..levels).fold(value!(1), |inner, _| value!([inner]))
}

fn mixed(levels: usize) -> Value {
    (0..levels).fold(value!(1), |inner, level| match level % 3 {
        0 => value!([null, inner]),
        1 => value!({"before": [], "inner": inner}),
        _ => value!([inner, "after"]),
    })
}

/// Runs with a stack that has less than two bytes for each level.
fn with_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(256 * 1024).spawn(test).unwrap().join().unwrap();
}

#[test]
fn drops_clones_and_compares() {
    with_small_stack(|| {
        let (value, same) = (mixed(LEVELS), mixed(LEVELS));
        assert!(value == value.clone());
        assert!(value == same);
        let other = value.clone();
        drop(value);
        assert!(other != arrays(LEVELS));
        drop(arrays(1_000_000));
        // The contents of an array, taken out of it.
        let Value::Array(items) = value!([mixed(LEVELS)]) else { panic!("an array") };
        drop(std::sync::Arc::unwrap_or_clone(items).into_vec());
    });
}

#[test]
fn changes_at_the_root() {
    with_small_stack(|| {
        let before = value!([mixed(LEVELS), 1]);
        let mut after = before.clone();
        *after.get_mut(-1).unwrap() = value!(null);
        assert!(before != after);
    });
}

#[test]
fn prints() {
    with_small_stack(|| {
        assert_eq!(arrays(LEVELS).to_string(), format!("{}1{}", "[".repeat(LEVELS), "]".repeat(LEVELS)));
        assert!(mixed(LEVELS).to_string().len() > LEVELS);
        // Without a limit of the indentation, the text would have a gigabyte.
        assert!(mixed(LEVELS / 10).to_string_pretty().len() < 1000 * LEVELS / 10);
    });
}

#[test]
fn saves_and_loads() {
    with_small_stack(|| {
        let value = mixed(LEVELS);
        let mut w = Writer::new();
        w.put(&value);
        let bytes = w.finish();
        let mut r = Reader::new(&bytes);
        assert!(r.take::<Value>().unwrap() == value);
        r.finish().unwrap();
        // A snapshot that ends inside of nested values.
        assert!(Reader::new(&bytes[..bytes.len() / 2]).take::<Value>().is_err());
    });
}

#[test]
fn comes_from_other_values() {
    with_small_stack(|| {
        let json = (0..LEVELS).fold(serde_json::json!(1), |inner, level| match level % 2 {
            0 => serde_json::Value::Array(vec![inner]),
            _ => serde_json::Value::Object([("k".to_owned(), inner)].into_iter().collect()),
        });
        let value = Value::from(json);
        assert_eq!(value.to_string().len(), 1 + LEVELS / 2 * "[]".len() + LEVELS / 2 * r#"{"k":}"#.len());
    });
}

/// Recursion on the other side ends at a depth that no document has.
#[test]
fn serde_is_stopped() {
    #[derive(Debug, Deserialize)]
    struct Nest(#[expect(dead_code, reason = "only its depth counts")] Vec<Nest>);

    let message = "arrays and objects are nested more than 127 levels deep";
    for (value, deep) in [(arrays(MAX_DEPTH), false), (arrays(MAX_DEPTH + 1), true), (mixed(LEVELS), true)] {
        let errors = [
            serde_json::to_string(&value).map(|_| ()).map_err(|error| error.to_string()),
            Value::serialize_from(&value).map(|_| ()).map_err(|error| error.message().to_owned()),
            serde_json::Value::try_from(&value).map(|_| ()).map_err(|error| error.message().to_owned()),
        ];
        for error in errors {
            assert_eq!(error, if deep { Err(message.to_owned()) } else { Ok(()) });
        }
    }
    let nest = (0..LEVELS).fold(value!([]), |inner, _| value!([inner]));
    assert_eq!(nest.deserialize_into::<Nest>().unwrap_err().message(), message);
}
