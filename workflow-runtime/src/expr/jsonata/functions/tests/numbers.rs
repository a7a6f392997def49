//! Tests of the functions of numbers.

use super::check;

#[test]
fn numbers_are_rounded_to_whole_numbers_and_to_decimal_places() {
    check(&[
        ("$abs(-2.5)", "2.5"),
        ("$floor(-2.5)", "-3"),
        ("$ceil(-2.5)", "-2"),
        ("$floor(big)", "9007199254740993"),
        ("$round(2.5)", "2"),
        ("$round(3.5)", "4"),
        ("$round(-0.3)", "0"),
        ("$round(2.675, 2)", "2.68"),
        ("$round(4.525, 2)", "4.52"),
        ("$round(25, -1)", "20"),
        ("$round(12350, -2)", "12400"),
        ("$round(1.5, 1e300)", "1.5"),
        ("$round(big)", "9007199254740993"),
        ("$round(1/0)", r#""Infinity""#),
        ("[$abs($none), $floor($none), $ceil($none), $round($none)]", "[]"),
    ]);
}

#[test]
fn powers_and_roots_are_finite() {
    check(&[
        ("$power(2, 10)", "1024"),
        ("$power(2, 0.5) = $sqrt(2)", "true"),
        (
            "$power(-8, 1/3)",
            "D3061: The power function has resulted in a value that cannot be represented as a JSON number: base=-8, \
             exponent=0.3333333333333333",
        ),
        ("$sqrt(-1)", "D3060: The sqrt function cannot be applied to a negative number: -1"),
        ("$sqrt($none)", "nothing"),
    ]);
}

#[test]
fn numbers_of_an_array_are_summed_and_compared() {
    check(&[
        ("$sum([1, 2.5, 3])", "6.5"),
        ("$sum([])", "0"),
        ("$sum(5)", "5"),
        ("$sum($none)", "nothing"),
        ("$average([1, 2, 4.5])", "2.5"),
        ("$average([])", "nothing"),
        ("$max([1, 5, 3])", "5"),
        ("$min([1, -5, 3])", "-5"),
        ("$max([big, 1])", "9007199254740993"),
        ("$max([1, 0/0, 2])", r#""NaN""#),
        ("$max([])", "nothing"),
        ("$sum([1, 'a'])", "T0412: Argument 1 of function \"sum\" must be an array of \"numbers\""),
    ]);
}

#[test]
fn texts_are_read_as_numbers() {
    check(&[
        ("$number('-1.5e3')", "-1500"),
        ("$number('007')", "7"),
        ("$number('0x1F')", "31"),
        ("$number('0b101')", "5"),
        ("$number('0O17')", "15"),
        ("$number('0x20000000000001')", "9007199254740992"),
        ("$number('0x20000000000003')", "9007199254740996"),
        ("$number(true)", "1"),
        ("$number(big)", "9007199254740993"),
        ("$number($none)", "nothing"),
        ("$number('')", "D3030: Unable to cast value to a number: \"\""),
        ("$number('1.')", "D3030: Unable to cast value to a number: \"1.\""),
        ("$number('1e400')", "D3030: Unable to cast value to a number: \"1e400\""),
        ("$number('0x')", "D3030: Unable to cast value to a number: \"0x\""),
        ("$number(null)", "T0410: Argument 1 of function \"number\" does not match function signature"),
    ]);
}

#[test]
fn whole_numbers_are_written_in_any_base() {
    check(&[
        ("$formatBase(100, 2)", r#""1100100""#),
        ("$formatBase(-255, 16)", r#""-ff""#),
        ("$formatBase(99.5, 2.5)", r#""1100100""#),
        ("$formatBase(0, 36)", r#""0""#),
        ("$formatBase(100)", r#""100""#),
        ("$formatBase(9007199254740994, 16)", r#""20000000000002""#),
        ("$formatBase($power(2, 100), 32)", r#""100000000000000000000""#),
        (
            "$formatBase(1, 37)",
            "D3100: The radix of the formatBase function must be between 2 and 36.  It was given 37",
        ),
        ("$formatBase($none)", "nothing"),
    ]);
}
