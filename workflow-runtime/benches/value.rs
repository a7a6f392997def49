//! The cost of the operations of the value type: `cargo bench -p workflow-runtime --bench value`.

use std::collections::HashMap;

use divan::{Bencher, black_box};
use workflow_runtime::value;
use workflow_runtime::value::codec::{Reader, Writer};
use workflow_runtime::value::{Get, object};
use workflow_runtime::{Object, Str, Value};

fn main() {
    divan::main();
}

/// A document of about 90 KB: a header, and orders that all have the same keys.
fn document() -> Value {
    let order = |n: i32| {
        value!({
            "orderId": format!("order-{n:06}"), "total": f64::from(n) * 1.25, "quantity": n % 7,
            "customer": {"name": format!("Customer {n}"), "vip": n % 10 == 0}, "tags": ["new", "web"],
        })
    };
    value!({
        "meta": {"source": "import", "version": 3, "traceId": "4bf92f3577b34da6a3ce929d0e0e4736"},
        "orders": (0..630).map(order).collect::<Vec<_>>(),
        "status": null,
    })
}

fn wide(width: usize) -> Vec<(Str, Value)> {
    (0..width).map(|n| (Str::from(format!("memberName{n}")), Value::from(n))).collect()
}

#[divan::bench]
fn clone_90_kb(bencher: Bencher) {
    let document = document();
    bencher.bench_local(|| black_box(&document).clone());
}

#[divan::bench]
fn get_at_depth_2(bencher: Bencher) {
    let document = document();
    bencher.bench_local(|| black_box(&document).get("meta").get(black_box("source")).is_some());
}

#[divan::bench]
fn put_into_shared_90_kb(bencher: Bencher) {
    let document = document();
    bencher.bench_local(|| {
        let mut changed = black_box(&document).clone();
        changed.as_object_mut().map(|members| members.insert(Str::from_static("result"), 1));
        changed
    });
}

#[divan::bench]
fn put_at_depth_2_into_shared_90_kb(bencher: Bencher) {
    let document = document();
    bencher.bench_local(|| {
        let mut changed = black_box(&document).clone();
        if let Some(members) = changed.get_mut("meta").and_then(Value::as_object_mut) {
            members.insert(Str::from_static("source"), 1);
        }
        changed
    });
}

#[divan::bench]
fn put_into_unshared_90_kb(bencher: Bencher) {
    let mut document = document();
    bencher.bench_local(|| {
        black_box(&mut document).as_object_mut().map(|members| members.insert(Str::from_static("status"), 1))
    });
}

#[divan::bench]
fn make_object_of_4(bencher: Bencher) {
    bencher.bench_local(|| {
        object([("id", black_box(1).into()), ("total", 2.5.into()), ("status", true.into()), ("next", Value::Null)])
    });
}

#[divan::bench]
fn make_object_of_10(bencher: Bencher) {
    let n = || Value::from(black_box(1));
    bencher.bench_local(|| {
        object([
            ("orderId", n()),
            ("total", n()),
            ("status", n()),
            ("customer", n()),
            ("address", n()),
            ("payment", n()),
            ("items", n()),
            ("discount", n()),
            ("createdAt", n()),
            ("updatedAt", n()),
        ])
    });
}

#[divan::bench]
fn drop_90_kb(bencher: Bencher) {
    bencher.with_inputs(document).bench_local_values(drop);
}

/// The same amount of data as plain vectors of vectors, which drop by recursion: a comparison for
/// the cost of dropping.
#[divan::bench]
fn drop_90_kb_serde_json(bencher: Bencher) {
    let document = document();
    bencher.with_inputs(|| serde_json::Value::try_from(&document).ok()).bench_local_values(drop);
}

#[divan::bench]
fn compare_90_kb(bencher: Bencher) {
    let (left, right) = (document(), document());
    bencher.bench_local(|| black_box(&left) == black_box(&right));
}

#[divan::bench]
fn parse_and_drop_90_kb(bencher: Bencher) {
    let text = document().to_string();
    bencher.bench_local(|| Value::from_json(black_box(&text)).is_ok());
}

#[divan::bench]
fn parse_and_drop_90_kb_serde_json(bencher: Bencher) {
    let text = document().to_string();
    bencher.bench_local(|| serde_json::from_str::<serde_json::Value>(black_box(&text)).is_ok());
}

#[divan::bench]
fn print_90_kb(bencher: Bencher) {
    let document = document();
    bencher.bench_local(|| black_box(&document).to_string());
}

#[divan::bench]
fn print_90_kb_serde_json(bencher: Bencher) {
    let document = document();
    bencher.bench_local(|| serde_json::to_string(black_box(&document)));
}

#[divan::bench]
fn save_90_kb(bencher: Bencher) {
    let document = document();
    bencher.bench_local(|| {
        let mut w = Writer::new();
        w.put(black_box(&document));
        w.finish()
    });
}

#[divan::bench]
fn load_and_drop_90_kb(bencher: Bencher) {
    let mut w = Writer::new();
    w.put(&document());
    let bytes = w.finish();
    bencher.bench_local(|| Reader::new(black_box(&bytes)).take::<Value>().is_ok());
}

const WIDTHS: [usize; 8] = [4, 8, 12, 16, 24, 32, 48, 64];

/// Looks up each member of an object once, one after the other. The threshold of the index is
/// based on this.
mod each_member {
    use super::*;

    #[divan::bench(args = WIDTHS)]
    fn object(bencher: Bencher, width: usize) {
        let (members, keys) = (wide(width), wide(width));
        let object: Object = members.into_iter().collect();
        bencher.bench_local(|| keys.iter().filter(|(key, _)| black_box(&object).contains_key(key)).count());
    }

    #[divan::bench(args = WIDTHS)]
    fn one_by_one(bencher: Bencher, width: usize) {
        let (members, keys) = (wide(width), wide(width));
        let find = |key: &str| black_box(&members).iter().position(|(name, _)| name.as_str() == key);
        bencher.bench_local(|| keys.iter().filter(|(key, _)| find(key).is_some()).count());
    }

    #[divan::bench(args = WIDTHS)]
    fn by_index(bencher: Bencher, width: usize) {
        let keys = wide(width);
        let index: HashMap<Str, usize> = wide(width).into_iter().enumerate().map(|(n, (key, _))| (key, n)).collect();
        bencher.bench_local(|| keys.iter().filter(|(key, _)| black_box(&index).contains_key(key.as_str())).count());
    }
}

/// Copies an object: the cost of the index when a shared object is changed.
mod copy {
    use super::*;

    #[divan::bench(args = WIDTHS)]
    fn object(bencher: Bencher, width: usize) {
        let object: Object = wide(width).into_iter().collect();
        bencher.bench_local(|| black_box(&object).clone());
    }

    #[divan::bench(args = WIDTHS)]
    fn build(bencher: Bencher, width: usize) {
        let members = wide(width);
        bencher.bench_local(|| black_box(&members).iter().cloned().collect::<Object>());
    }
}
