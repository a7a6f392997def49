//! Tests of the functions of dates.

use super::check;

/// Asserts the texts of an instant, by pictures.
fn check_pictures(millis: i64, cases: &[(&str, &str)]) {
    for (picture, text) in cases {
        check(&[(&format!("$fromMillis({millis}, '{picture}')"), &format!("\"{text}\""))]);
    }
}

#[test]
fn an_instant_is_written_as_iso_8601_without_a_picture() {
    check(&[
        ("$fromMillis(0)", r#""1970-01-01T00:00:00.000Z""#),
        ("$fromMillis(1.6)", r#""1970-01-01T00:00:00.001Z""#),
        ("$fromMillis(-1.5)", r#""1969-12-31T23:59:59.999Z""#),
        ("$fromMillis(1521801216617, $none, '-0500')", r#""2018-03-23T05:33:36.617-05:00""#),
        ("$now()", r#""2023-11-14T22:13:20.000Z""#),
        ("$now('[Y]', 'utc')", r#""2023""#),
        ("$millis()", "1700000000000"),
        ("$fromMillis($none)", "nothing"),
        ("$fromMillis(1e17)", "D1001: Number out of range: 100000000000000000"),
    ]);
}

#[test]
fn parts_are_written_as_numbers_names_and_words() {
    check_pictures(
        1_521_801_216_617,
        &[
            ("[Y]-[M]-[D]", "2018-3-23"),
            ("[Y0001]-[M01]-[D01]", "2018-03-23"),
            ("[Y,2-2] [Y01] [Y,*-2]", "18 18 18"),
            ("[YI] [Yw] [YWw]", "MMXVIII two thousand and eighteen Two Thousand and Eighteen"),
            ("[D1o] [Dwo] [DA]", "23rd twenty-third W"),
            ("[MNn] [MN] [Mn] [MNn,3-3] [MNn,*-3]", "March MARCH march Mar Mar"),
            ("[F] [FNn] [FN,3-3] [F1]", "friday Friday FRI 5"),
            ("[d] [d0001]", "82 0082"),
            ("[W] [w] [xNn] [X]", "12 4 March 2018"),
            ("[H]:[m]:[s].[f001] [h] [P] [PN]", "10:33:36.617 10 am AM"),
            ("[C] [E]", "ISO ISO"),
            ("[[x]] a]]b", "[x] a]b"),
            ("[ Y 0001 ]", "2018"),
        ],
    );
}

#[test]
fn weeks_are_those_of_iso_8601() {
    check_pictures(1_104_537_600_000, &[("[X]-W[W01]-[F1] [w] of [xNn]", "2004-W53-6 5 of December")]);
    check_pictures(1_230_768_000_000, &[("[X]-W[W01]-[F1] [w] of [xNn]", "2009-W01-4 1 of January")]);
}

#[test]
fn zones_are_offsets() {
    let zoned = |picture: &str, zone: &str, text: &str| {
        check(&[(&format!("$fromMillis(0, '{picture}', '{zone}')"), &format!("\"{text}\""))]);
    };
    for (picture, zone, text) in [
        ("[H01]:[m01] [Z]", "+0900", "09:00 +09:00"),
        ("[H01]:[m01] [Z]", "-0330", "20:30 -03:30"),
        ("[z]", "+0530", "GMT+05:30"),
        ("[Z0] [Z00] [Z000] [Z0000]", "+0530", "+5:30 +05:30 +530 +0530"),
        ("[Z0] [z00]", "-0800", "-8 GMT-08"),
        ("[Z01:01t]", "0000", "Z"),
        ("[Z01:01t]", "+0100", "+01:00"),
        ("[Z]", "utc", "+00:00"),
    ] {
        zoned(picture, zone, text);
    }
    check(&[
        ("$fromMillis(0, '[Z]', 'Mars')", "D3137: Invalid time zone: \"Mars\""),
        (
            "$fromMillis(0, '[Z00000]')",
            "D3134: The timezone integer format specifier cannot have more than four digits",
        ),
    ]);
}

#[test]
fn invalid_pictures_are_refused() {
    check(&[
        ("$fromMillis(0, '[q]')", "D3132: Unknown component specifier \"q\" in date/time picture string"),
        ("$fromMillis(0, '[]')", "D3132: Unknown component specifier \"\" in date/time picture string"),
        (
            "$fromMillis(0, '[YN]')",
            "D3133: The 'name' modifier can only be applied to months and days in the date/time picture string, not \
             \"Y\"",
        ),
        ("$fromMillis(0, '[Y')", "D3135: No matching closing bracket ']' in date/time picture string"),
    ]);
}

#[test]
fn a_timestamp_is_read_by_a_picture() {
    let read = |text: &str, picture: &str, expected: &str| {
        check(&[(&format!("$fromMillis($toMillis('{text}', '{picture}'))"), &format!("\"{expected}\""))]);
    };
    for (text, picture, expected) in [
        ("20180205", "[Y0001][M01][D01]", "2018-02-05T00:00:00.000Z"),
        ("20240101123849", "[Y0000][M00][D00][H00][m00][s00]", "2024-01-01T12:38:49.000Z"),
        ("9:5", "[H01]:[m01]", "2023-11-14T09:05:00.000Z"),
        ("2nd 12 2012", "[D1o] [M01] [Y0001]", "2012-12-02T00:00:00.000Z"),
        ("27 iii MMXVIII", "[D1] [Mi] [YI]", "2018-03-27T00:00:00.000Z"),
        ("21 August 2017", "[D1] [MNn] [Y0001]", "2017-08-21T00:00:00.000Z"),
        ("Wed, 2 Feb 2012", "[FNn,3-3], [D] [MNn,3-3] [Y]", "2012-02-02T00:00:00.000Z"),
        ("TWENTY-SECOND August two thousand and seventeen", "[DW] [MNn] [Yw]", "2017-08-22T00:00:00.000Z"),
        ("4/4/2018 12:06 am", "[D1]/[M1]/[Y0001] [h]:[m] [P]", "2018-04-04T00:06:00.000Z"),
        ("4/4/2018 11:30 PM", "[D1]/[M1]/[Y0001] [h]:[m] [P]", "2018-04-04T23:30:00.000Z"),
        ("2018-366", "[Y]-[d]", "2019-01-01T00:00:00.000Z"),
        ("13:45", "[H]:[m]", "2023-11-14T13:45:00.000Z"),
        ("01-02", "[M]-[D]", "2023-01-02T00:00:00.000Z"),
        ("11", "[h]", "2023-11-14T11:00:00.000Z"),
        ("99", "[Y01]", "1999-01-01T00:00:00.000Z"),
        ("2018-02-01T10:00:00-05:30", "[Y]-[M]-[D]T[H]:[m]:[s][Z]", "2018-02-01T15:30:00.000Z"),
        ("2020-09-09 12:00:00 GMT-5", "[Y0001]-[M01]-[D01] [H01]:[m01]:[s01] [z01]", "2020-09-09T17:00:00.000Z"),
    ] {
        read(text, picture, expected);
    }
}

#[test]
fn a_timestamp_that_cannot_be_read_is_nothing_or_an_error() {
    const MISSING: &str = "D3136: The date/time picture string is missing specifiers required to parse the timestamp";
    check(&[
        ("$toMillis('abc', '[Y]')", "nothing"),
        ("$toMillis('x', 'x')", "nothing"),
        ("$toMillis('5-22 23:59', '[M]-[D] [m]:[s]')", MISSING),
        ("$toMillis('2018-32-5', '[X]-[W]-[F1]')", MISSING),
        ("$toMillis('2018-3-2-5', '[X]-[x]-[w]-[F1]')", MISSING),
        ("$toMillis('2018-02-01')", "1517443200000"),
        ("$toMillis($none)", "nothing"),
        (
            "$toMillis('01-02-2018')",
            "D3110: The argument of the toMillis function must be an ISO 8601 formatted timestamp. Given \"01-02-2018\"",
        ),
    ]);
}
