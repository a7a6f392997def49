//! Tests of the limits of what functions make.

use super::evaluate;
use crate::expr::jsonata::JsonataLimits;
use std::time::{Duration, Instant};

#[test]
fn a_result_that_is_too_large_is_not_made() {
    let start = Instant::now();
    for text in [
        "$pad('a', 1e300)",
        "$pad('a', -8e6, 'xyz')",
        "$range(1, 1e18, 1)",
        "$range(-9223372036854775808, 9223372036854775807, 1)",
        "$formatInteger(1e300, 'i')",
        "($s := $pad('', 4e6, 'x'); $join([$s, $s]))",
        "($s := $pad('', 4e6, 'x'); $string([$s, $s]))",
        "($s := $pad('', 4e6, 'x'); $replace('aa', 'a', $s))",
        "($s := $pad('', 4e6, 'x'); $replace('aa', /a/, $s))",
        "($s := $pad('', 4e6, 'é'); $encodeUrl($s))",
        "($a := [1..500000]; $append($a, $a))",
        "($a := [1..500000]; $zip($a, $a, $a))",
    ] {
        let error = evaluate(text, JsonataLimits::default()).err();
        let expected = "Expression evaluation memory limit exceeded: Check for excessive memory usage";
        assert_eq!(error.map(|error| error.message).as_deref(), Some(expected), "{text}");
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_value_that_shares_its_parts_is_not_walked_without_end() {
    const DOUBLED: &str = "($f := function($x, $n) { $n = 0 ? $x : $f([$x, $x], $n - 1) }; $x := $f([0/0], 60); ";
    let start = Instant::now();
    for call in
        ["$boolean($x)", "$string($x)", "$keys($x)", "$spread($x)", "$clone($x)", "$distinct([$x, $x])", "$x = [$x]"]
    {
        let text = format!("{DOUBLED}{call})");
        // What two values have in common is not compared.
        let _any = evaluate(&text, JsonataLimits::default());
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_time_of_pictures_is_linear_in_their_length() {
    let start = Instant::now();
    for call in [
        "$formatInteger(1, $pad('', 400000, '0,0;'))",
        "$formatInteger(1, $pad('', 400000, ',0-0'))",
        "$parseInteger($pad('', 400000, '1'), $pad('', 400000, ',0-0'))",
        "$formatNumber(1, $pad('', 400000, '0,'))",
        "$formatNumber(1, '0.' & $pad('', 399999, '0,'))",
        "$formatNumber(1, $pad('', 200000, '0,00,'))",
        "$fromMillis(0, $pad('', 200000, '[Y]'))",
        "$toMillis('1', $pad('', 200000, '[Y]'))",
        "$replace($pad('', 200000, 'a'), /a/, $pad('', 200000, '$1'))",
        "$replace($pad('', 200000, 'a'), /(b)?a/, $pad('', 200000, '$1'))",
    ] {
        // Some of the pictures are invalid, or need too many steps.
        let _any = evaluate(call, JsonataLimits::default());
    }
    assert!(start.elapsed() < Duration::from_secs(30));
}
