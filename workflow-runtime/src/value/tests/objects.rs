//! Tests of objects.

use crate::value;
use crate::value::{Object, Str, Value};

/// Under all operations, an object behaves as a list of its members, below and above the size with
/// an index.
#[test]
fn an_object_is_an_ordered_map() {
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % below
    };
    let mut object = Object::new();
    let mut model: Vec<(String, i64)> = Vec::new();
    for step in 0..20_000_i64 {
        // The size crosses the threshold of the index in both directions.
        let key = format!("k{}", random(if step % 2000 < 1000 { 60 } else { 8 }));
        let place = model.iter().position(|(known, _)| *known == key);
        match random(5) {
            0 | 1 => {
                let old = object.insert(key.as_str(), step);
                assert_eq!(old, place.map(|place| model[place].1.into()));
                match place {
                    Some(place) => model[place].1 = step,
                    None => model.push((key, step)),
                }
            }
            2 => assert_eq!(object.remove(&key), place.map(|place| model.remove(place).1.into())),
            3 => {
                *object.entry(key.as_str()) = step.into();
                match place {
                    Some(place) => model[place].1 = step,
                    None => model.push((key, step)),
                }
            }
            _ if step % 50 == 0 => {
                object.retain(|key, _| key.as_bytes()[1] % 3 != 0);
                model.retain(|(key, _)| key.as_bytes()[1] % 3 != 0);
            }
            _ => assert_eq!(object.get(&key), place.map(|place| Value::from(model[place].1)).as_ref()),
        }
        assert!(
            object
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_i64()))
                .eq(model.iter().map(|(key, value)| (key.as_str(), Some(*value))))
        );
        for (place, (key, _)) in model.iter().enumerate() {
            assert_eq!(object.position(key), Some(place));
        }
    }
}

#[test]
fn of_equal_keys_the_last_counts_in_the_place_of_the_first() {
    for width in [0, 40] {
        let others = (0..width).map(|n| (Str::from(format!("k{n}")), n.into()));
        let members = [("a", 1), ("b", 2), ("a", 3)].map(|(key, n)| (Str::from_static(key), Value::from(n)));
        let object: Object = others.chain(members).collect();
        assert_eq!(object.len(), width as usize + 2);
        assert_eq!(object.get_index(width as usize), Some((&Str::from_static("a"), &value!(3))));
    }
}

#[test]
fn the_order_of_members_does_not_count() {
    assert_eq!(value!({"a": 1, "b": [2]}), value!({"b": [2.0], "a": 1}));
    assert_ne!(value!({"a": 1}), value!({"a": 1, "b": null}));
    assert_ne!(value!({"a": 1, "c": null}), value!({"a": 1, "b": null}));
    assert_ne!(value!([1, 2]), value!([2, 1]));
}

#[test]
fn keys_of_any_length_are_distinguished() {
    for length in 0..40 {
        let key = "k".repeat(length);
        let mut object = Object::new();
        object.insert(key.as_str(), 1);
        for at in 0..length {
            let mut other = key.clone();
            other.replace_range(at..=at, "x");
            assert_eq!((object.get(&other), object.position(&other)), (None, None), "{other}");
        }
        assert_eq!((object.get(&key), object.position(&key)), (Some(&1.into()), Some(0)), "{key}");
        assert_eq!(object.get(&format!("{key}k")), None, "{key}");
    }
}
