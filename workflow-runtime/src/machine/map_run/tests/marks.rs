//! Chunks with positions within: what is before the position of a stored run may be gone.

use super::{READ, RELOADS, Reload, Run, ok};
use crate::objects::ItemChunk;
use crate::value;
use crate::value::{Str, Value};

/// Returns items of which each is marked, as the objects of a listing are.
fn listed(items: &[i64]) -> ItemChunk {
    let mut chunk = ItemChunk { position: "end".into(), is_last: true, ..ItemChunk::default() };
    for item in items {
        chunk.mark(format!("before {item}").into());
        chunk.push((*item).into(), None, &Str::from("s3://b"));
    }
    chunk
}

#[test]
fn objects_that_vanish_behind_the_cursor_are_not_counted() {
    for reload in RELOADS {
        let mut left: Vec<i64> = (0..10).collect();
        let mut run = Run::begin(READ, value!({ "reader": {}, "concurrency": 2 }), reload);
        run.read(listed(&left));
        let mut processed = Vec::new();
        while run.result().is_none() {
            if let Some(position) = run.position() {
                // Each item that was processed is gone, and so is all before the position.
                let first = position.as_str().and_then(|text| text.strip_prefix("before ")?.parse().ok());
                let first: i64 = first.expect("a position within the chunk");
                run.read(listed(&left.iter().copied().filter(|item| *item >= first).collect::<Vec<_>>()));
                continue;
            }
            let (op, call) = run.calls().remove(0);
            let item = call.input.as_i64().expect("a number");
            processed.push(item);
            left.retain(|other| *other != item);
            run.complete(op, Ok(call.input.clone()));
        }
        assert_eq!((processed, run.result()), ((0..10).collect(), ok("[0,1,2,3,4,5,6,7,8,9]")), "{reload:?}");
    }
}

/// Returns the rows of objects of three rows, each object with a mark. Row 31 is in object 3.
fn flattened(objects: &[i64]) -> ItemChunk {
    let mut chunk = ItemChunk { position: "end".into(), is_last: true, ..ItemChunk::default() };
    for object in objects {
        chunk.mark(format!("before {object}").into());
        (0..3).for_each(|row| chunk.push((object * 10 + row).into(), None, &Str::from("s3://b/k")));
    }
    chunk
}

#[test]
fn a_run_continues_within_the_object_that_it_reads() {
    for reload in [Reload::Whole, Reload::Rows] {
        let mut run = Run::begin(READ, value!({ "reader": {}, "concurrency": 1 }), reload);
        run.read(flattened(&[1, 2, 3]));
        for row in [10, 11, 12, 20, 21, 22, 30, 31, 32] {
            // An object stays while one of its rows has not started.
            let next = row + if row % 10 == 2 { 8 } else { 1 };
            assert_eq!(run.inputs(), [row.to_string()], "{reload:?}");
            run.child(0, Ok(Value::from(row)));
            if row == 32 {
                break;
            }
            let object = next / 10;
            assert_eq!(run.position(), Some(format!("before {object}").into()), "{row}");
            run.read(flattened(&(object..=3).collect::<Vec<_>>()));
        }
        assert_eq!(run.result(), ok("[10,11,12,20,21,22,30,31,32]"), "{reload:?}");
    }
}
