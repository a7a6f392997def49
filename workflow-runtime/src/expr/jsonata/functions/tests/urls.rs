//! Tests of escapes and base64.

use super::check;

#[test]
fn addresses_are_escaped() {
    check(&[
        ("$encodeUrl('https://ä.x/?a=b c&d=[1]')", r#""https://%C3%A4.x/?a=b%20c&d=%5B1%5D""#),
        ("$encodeUrlComponent('a/b?c=é~!*()')", r#""a%2Fb%3Fc%3D%C3%A9~!*()""#),
        ("$encodeUrl($none)", "nothing"),
    ]);
}

#[test]
fn escapes_of_separators_stay_in_an_address() {
    check(&[
        ("$decodeUrl('a%20b%2Fc+d')", r#""a b%2Fc+d""#),
        ("$decodeUrl('%E6%97%A5%2f')", r#""日%2f""#),
        ("$decodeUrl('%E6%97')", "D3140: Malformed URL passed to $decodeUrl(): \"%E6%97\""),
        ("$decodeUrl('%')", "D3140: Malformed URL passed to $decodeUrl(): \"%\""),
        ("$decodeUrl($none)", "nothing"),
    ]);
}

#[test]
fn a_component_has_plus_signs_for_blanks() {
    check(&[
        ("$decodeUrlComponent('a+b%2Bc%20d%2F')", r#""a b+c d/""#),
        ("$decodeUrlComponent('%E6%97%A5')", r#""日""#),
        ("$decodeUrlComponent('%E6%97')", "\"\u{fffd}\""),
        ("$decodeUrlComponent('%zz')", "D3140: Malformed URL passed to $decodeUrlComponent(): \"%zz\""),
        ("$decodeUrlComponent('%4')", "D3140: Malformed URL passed to $decodeUrlComponent(): \"%4\""),
    ]);
}

#[test]
fn base64_is_of_utf_8() {
    check(&[
        ("$base64encode('hello:world')", r#""aGVsbG86d29ybGQ=""#),
        ("$base64encode('é')", r#""w6k=""#),
        ("$base64decode('w6k=')", r#""é""#),
        ("$base64decode('w6k')", r#""é""#),
        ("$base64decode('YWJ')", r#""ab""#),
        ("$base64decode('')", r#""""#),
        ("$base64decode('!!')", "D3137: Invalid base64"),
        ("$base64decode($none)", "nothing"),
    ]);
}
