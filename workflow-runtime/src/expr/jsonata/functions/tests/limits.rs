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
        assert_eq!(error.map(|error| error.message().to_owned()).as_deref(), Some(MEMORY), "{text}");
    }
    assert!(start.elapsed() < Duration::from_secs(20));
}

const MEMORY: &str = "Expression evaluation memory limit exceeded: Check for excessive memory usage";
const STEPS: &str = "Expression evaluation timeout: Check for infinite loop";

/// Asserts that the evaluation of each text exceeds one of its limits: four million bytes in all,
/// and a million steps.
fn check_limit(message: &str, texts: &[&str]) {
    let limits = JsonataLimits { total_memory: 4_000_000, steps: 1_000_000, ..JsonataLimits::default() };
    for text in texts {
        let error = evaluate(text, limits).err();
        assert_eq!(error.map(|error| error.message().to_owned()).as_deref(), Some(message), "{text}");
    }
}

#[test]
fn the_signs_of_a_formatted_number_are_counted() {
    check_limit(
        MEMORY,
        &[
            "($b := $pad('x', 1e6); $map([1..5], function() { $formatNumber(-1, '0', {'minus-sign': $b}) }))",
            "($b := $pad('x', 1e6); $map([1..5], function() { $formatNumber(0/0, '0', {'NaN': $b}) }))",
            "($b := $pad('x', 1e6); $map([1..5], function() { $formatNumber(1/0, '0', {'infinity': $b}) }))",
            "($b := $pad('0', 1e6, 'x'); $map([1..5], function() { $formatNumber(1, $b) }))",
            "($b := $pad('0', -1e6, 'x'); $map([1..5], function() { $formatNumber(1/0, $b) }))",
        ],
    );
}

#[test]
fn copies_of_texts_and_their_values_are_counted() {
    let with = |call: &str| format!("($b := $pad('', 1e6, 'x'); $map([1..4], function() {{ {call} }}))");
    check_limit(
        MEMORY,
        &[
            "$parse('[' & $pad('', 59999, '[],') & '[]]')",
            "$parse('[' & $pad('', 199999, '1,') & ']')",
            "$map([1..9000], function() { $formatInteger(1.7976931348623157e308, 'w') })",
            "$map([1..20000], function() { $formatInteger(1.7976931348623157e308, 'a') })",
            &with("$base64decode($b)"),
            &with("$substringBefore($b & '!', '!')"),
            &with("$substringAfter($b, 'x')"),
            &with("$split($b, '!')"),
            &with("$split($b, /!/)"),
        ],
    );
    let decoded = evaluate("$length($base64decode($pad('', 4e6, '/')))", JsonataLimits::default()).err();
    assert_eq!(decoded.map(|error| error.message().to_owned()).as_deref(), Some(MEMORY));
}

#[test]
fn a_joined_text_can_be_as_large_as_the_limit() {
    let join = |count: usize| format!("$length($join([$pad('', 3e6), $pad('', {count})], '----'))");
    super::check(&[(&join(3_990_252), "6990256")]);
    let error = evaluate(&join(3_990_253), JsonataLimits::default()).err();
    assert_eq!(error.map(|error| error.message().to_owned()).as_deref(), Some(MEMORY));
}

#[test]
fn what_a_search_reads_again_is_counted() {
    check_limit(
        STEPS,
        &[
            "$match($pad('', 100000, 'a'), /a.*z|a/)",
            "$split($pad('', 20000, 'a'), /a{1,400}z|a/)",
            "$map([1..1000], function() { $toMillis('2', '[Y,1000-1000]') })",
            "$exists($toMillis($pad('', 200000, '1'), '[Y,1000-1000]'))",
        ],
    );
    let ordinary = "($text := $join($map([1..10000], function() { 'word, and' }), ', '); \
                    $count($split($text, /\\s*,\\s*/)) + $count($match($text, /[a-z]+/)))";
    super::check(&[(ordinary, "40000")]);
}

#[test]
fn a_value_that_shares_its_parts_is_not_walked_without_end() {
    const DOUBLED: &str = "($f := function($x, $n) { $n = 0 ? $x : $f([$x, $x], $n - 1) }; $x := $f([0/0], 60); ";
    let start = Instant::now();
    for call in
        ["$boolean($x)", "$string($x)", "$keys($x)", "$spread($x)", "$clone($x)", "$distinct([$x, $x])", "$x = [$x]"]
    {
        let text = format!("{DOUBLED}{call})");
        // The calls end by a limit or with a value, and do not take long.
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
