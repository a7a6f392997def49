//! Comparison of the natives with jq's results for the same inputs (`recorded.txt`, written by
//! `record.py`).

use super::natives::call;
use crate::expr::jq;
use crate::value::{Value, object};

const TABLE: &str = include_str!("recorded.txt");

/// Known differences, as the native and the beginning of the line.
const DIFFERENT: &[(&str, &str)] = &[
    // In C, the year overflows.
    ("todate", "[1e12]"),
];

/// Functions whose last bits differ between C libraries.
const APPROXIMATE: &str = " exp exp2 exp10 expm1 log log2 log10 log1p cbrt sin cos tan atan tanh pow atan2 hypot gamma lgamma \
                           lgamma_r tgamma ";

/// Parses a JSON text with stand-ins for numbers that JSON does not have.
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

/// Returns the outputs of the native in the format of the table.
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

/// Returns `true` if two JSON texts are equal except for the last digits of numbers.
fn alike(left: &str, right: &str) -> bool {
    let close = |left: &Value, right: &Value| match (left.as_f64(), right.as_f64()) {
        (Some(left), Some(right)) => (left - right).abs() <= 1e-14 * right.abs(),
        _ => left == right,
    };
    let leaves = |text: &str| {
        let mut leaves = Vec::new();
        let value = jq::fromjson(&text.into()).expect("a value");
        let collected = jq::each_path(&value, &mut |_, leaf| {
            leaves.extend((leaf.as_array().is_none() && leaf.as_object().is_none()).then(|| leaf.clone()));
            Ok(())
        });
        collected.map(|()| leaves).expect("leaves")
    };
    let (left, right) = (leaves(left), leaves(right));
    left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| close(left, right))
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
        let known = DIFFERENT.iter().any(|(name, start)| *name == native && line.starts_with(start));
        let approximate = APPROXIMATE.contains(&format!(" {native} ")) && alike(&outcome, expected);
        if (outcome != expected) != known && !approximate {
            different.push(format!("{native} {input} {arguments:?}\n    jq:   {expected}\n    ours: {outcome}"));
        }
    }
    assert!(different.is_empty(), "{} of {cases} cases differ:\n{}", different.len(), different.join("\n"));
}
