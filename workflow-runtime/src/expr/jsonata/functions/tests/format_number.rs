//! Tests of `$formatNumber`.

use super::check;

#[test]
fn digits_are_mandatory_or_optional() {
    check(&[
        ("$formatNumber(12345.6, '#,###.00')", r#""12,345.60""#),
        ("$formatNumber(0.5, '.00')", r#"".50""#),
        ("$formatNumber(0.5, '#')", r#""0""#),
        ("$formatNumber(1.5, '#')", r#""2""#),
        ("$formatNumber(2.5, '#')", r#""2""#),
        ("$formatNumber(7, '000')", r#""007""#),
        ("$formatNumber(1.2, '0.0##')", r#""1.2""#),
        ("$formatNumber(1, '0.##')", r#""1""#),
        ("$formatNumber(1e21, '#,##0')", r#""1,000,000,000,000,000,000,000""#),
        ("$formatNumber($none, '0')", "nothing"),
    ]);
}

#[test]
fn signs_have_pictures_of_their_own() {
    check(&[
        ("$formatNumber(-12, '0')", r#""-12""#),
        ("$formatNumber(-12, '0;(0)')", r#""(12)""#),
        ("$formatNumber(12, '0;(0)')", r#""12""#),
        ("$formatNumber(-12, '00000;-0000')", r#""-0012""#),
        ("$formatNumber(0/0, '0.0')", r#""NaN""#),
        ("$formatNumber(-1/0, '$0.0')", r#""-$Infinity""#),
    ]);
}

#[test]
fn groups_have_separators() {
    check(&[
        ("$formatNumber(1234567, '#,##,##0')", r#""12,34,567""#),
        ("$formatNumber(12, '#,##,##0')", r#""12""#),
        ("$formatNumber(12345678, '#,##0')", r#""12,345,678""#),
        ("$formatNumber(1.2345, '0.00,00')", r#""1.23,45""#),
        ("$formatNumber(0.5, '0.0,0,0')", r#""0.5,0,0""#),
    ]);
}

#[test]
fn parts_of_a_hundred_and_exponents_scale_a_number() {
    check(&[
        ("$formatNumber(0.145, '0.0%')", r#""14.5%""#),
        ("$formatNumber(0.0145, '0.0‰')", r#""14.5‰""#),
        ("$formatNumber(1234.5678, '00.000e0')", r#""12.346e2""#),
        ("$formatNumber(0.234, '0.0e00')", r#""2.3e-01""#),
        ("$formatNumber(-1234, '0.0e0')", r#""-1.2e3""#),
        ("$formatNumber(10, '0.0e0')", r#""1.0e1""#),
        ("$formatNumber(0, '0.00e0')", r#""0.00e0""#),
        ("$formatNumber(1234, '$0.0e0 x')", r#""$1.2e3 x""#),
    ]);
}

#[test]
fn options_replace_the_signs() {
    check(&[
        ("$formatNumber(1234.5, '#.##0,00', {'decimal-separator': ',', 'grouping-separator': '.'})", r#""1.234,50""#),
        ("$formatNumber(12, '٠٠٠', {'zero-digit': '٠'})", r#""٠١٢""#),
        ("$formatNumber(0.14, '##pm', {'per-mille': 'pm'})", r#""140pm""#),
        ("$formatNumber(-5, '0', {'minus-sign': '~'})", r#""~5""#),
        ("$formatNumber(1/0, '0', {'infinity': 'oo'})", r#""oo""#),
        ("$formatNumber(5, '0', {'digit': 1})", r#""5""#),
    ]);
}

#[test]
fn invalid_pictures_are_refused() {
    let code = |picture: &str, code: &str| {
        let text = format!("$formatNumber(1, '{picture}')");
        let limits = crate::expr::jsonata::JsonataLimits::default();
        let result = super::evaluate(&text, limits);
        assert_eq!(result.map_err(|error| error.code()).err(), Some(code.to_owned()).as_deref(), "{picture}");
    };
    for (picture, fault) in [
        ("0;0;0", "D3080"),
        ("0.0.0", "D3081"),
        ("0%%", "D3082"),
        ("0‰‰", "D3083"),
        ("0%‰", "D3084"),
        ("", "D3085"),
        (".", "D3085"),
        ("0a0", "D3086"),
        ("---", "D3086"),
        ("0,.0", "D3087"),
        ("0.,0", "D3087"),
        ("0,", "D3088"),
        ("0,,0", "D3089"),
        ("0#", "D3090"),
        ("0.#0", "D3091"),
        ("0e0%", "D3092"),
        ("0e", "D3093"),
        ("0e#", "D3093"),
    ] {
        code(picture, fault);
    }
}
