//! The natives against what jq yielded for the same inputs (`recorded.txt`, which `record.py` writes).

use super::natives::call;
use crate::expr::jq;
use crate::value::{Value, object};

const TABLE: &str = include_str!("recorded.txt");

/// What differs, by native and as a part of the line, and why.
const DIFFERENT: &[(&str, &str, &str)] = &[];

/// Stands for numbers that JSON has not.
fn decode(text: &str) -> Value {
    let value = jq::fromjson(&text.into()).expect("a value");
    let decoded = jq::walk(value, |value| {
        Ok(match value.as_str() {
            Some("@nan") => jq::nan(),
            Some("@infinite") => jq::infinite(),
            Some("@-infinite") => jq::neg(jq::infinite())?,
            _ => value,
        })
    });
    decoded.expect("a value")
}

/// What the native yields, as the table has it.
fn outcome(native: &str, input: &Value, arguments: &[Value]) -> String {
    let mut outputs = Vec::new();
    let called = call(native, input, arguments, &mut |value| {
        outputs.push(value);
        if outputs.len() == 200 { Err(jq::Error::break_to(200)) } else { Ok(()) }
    });
    let outcome = match called {
        Err(error) if !error.is_break_to(200) => {
            object([("e", error.caught().unwrap_or_else(|exceeded| exceeded.to_string().into()))])
        }
        _ => object([("o", outputs.into())]),
    };
    jq::tojson(&outcome).expect("a text").as_str().unwrap_or_default().to_owned()
}

#[test]
fn natives_yield_what_jq_does() {
    let (mut native, mut cases) = ("", 0);
    let mut different = Vec::new();
    for line in TABLE.lines() {
        if let Some(heading) = line.strip_prefix("= ") {
            native = heading.split_once(": ").expect("a heading").0;
            continue;
        }
        let [input, arguments, expected] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        cases += 1;
        let arguments = decode(arguments);
        let arguments = arguments.as_array().expect("arguments");
        let outcome = outcome(native, &decode(input), arguments);
        let known = DIFFERENT.iter().any(|(name, part, _)| *name == native && line.contains(part));
        if (outcome != expected) != known {
            different.push(format!("{native} {input} {arguments:?}\n    jq:   {expected}\n    ours: {outcome}"));
        }
    }
    assert!(different.is_empty(), "{} of {cases} cases differ:\n{}", different.len(), different.join("\n"));
}
