//! Helpers of the tests of both readers.

use serde_json::Value;

use super::{Entry, Node, Text, Tree};
use crate::diagnostics::Diagnostic;

/// Returns `true` if the tree equals `value`. Numbers are compared by value, as doubles if they
/// exceed 64 bits.
pub fn is_same(node: &Node, value: &Value) -> bool {
    match (&node.tree, value) {
        (Tree::Null, Value::Null) => true,
        (Tree::Bool(left), Value::Bool(right)) => left == right,
        (Tree::Int(left), Value::Number(right)) => {
            right.as_i64().map_or(right.as_f64() == Some(0.0), |right| *left == right)
        }
        (Tree::Float(left), Value::Number(right)) => right.as_f64() == Some(*left),
        (Tree::String(left), Value::String(right)) => left.value == *right,
        (Tree::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_same(left, right))
        }
        (Tree::Object(left), Value::Object(right)) => {
            let same = |(left, right): (&Entry, (&String, &Value))| {
                left.key.value == *right.0 && is_same(&left.value, right.1)
            };
            left.len() == right.len() && left.iter().zip(right).all(same)
        }
        _ => false,
    }
}

/// Asserts that all spans lie within the text and at character boundaries.
pub fn check_spans(node: &Node, text: &str) {
    assert!(text.get(node.span.start as usize..node.span.end as usize).is_some(), "{node:?} in {text:?}");
    match &node.tree {
        Tree::String(string) => check_text(string, text),
        Tree::Array(items) => items.iter().for_each(|item| check_spans(item, text)),
        Tree::Object(entries) => entries.iter().for_each(|entry| {
            check_text(&entry.key, text);
            check_spans(&entry.value, text);
        }),
        Tree::Null | Tree::Bool(_) | Tree::Int(_) | Tree::Float(_) => {}
    }
}

fn check_text(string: &Text, text: &str) {
    for (at, c) in string.value.char_indices() {
        let span = string.span_of(at, at + c.len_utf8());
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{string:?} at {at} in {text:?}");
    }
}

/// Returns the text with every fix applied.
pub fn apply_fixes(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut fixes: Vec<_> = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.clone()).collect();
    fixes.sort_by_key(|(span, _)| std::cmp::Reverse((span.start, span.end)));
    let mut text = text.to_owned();
    for (span, replacement) in fixes {
        text.replace_range(span.start as usize..span.end as usize, &replacement);
    }
    text
}

/// Returns the sample with a few characters replaced, removed, doubled or swapped. The seed
/// determines the changes.
pub fn flip_bytes(sample: &str, seed: u64) -> String {
    const POOL: &[u8] = b"{}[]:,\"'\\ \n\t\r#&*!|>-?%@`~<0123456789eE.+-xutrfn\0\x1b/=;";
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut bytes = sample.as_bytes().to_vec();
    for _ in 0..=random(4) {
        let at = random(bytes.len());
        match random(5) {
            0 => bytes[at] = POOL[random(POOL.len())],
            1 => bytes.insert(at, POOL[random(POOL.len())]),
            2 => drop(bytes.remove(at)),
            3 => bytes[at] ^= 1 << random(8),
            _ => {
                let other = random(bytes.len());
                bytes.swap(at, other);
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
