//! Tests of whole numbers as texts.

use super::check;

#[test]
fn whole_numbers_are_written_in_digits() {
    check(&[
        ("$formatInteger(123, '0000')", r#""0123""#),
        ("$formatInteger(-3.5, '000')", r#""-004""#),
        ("$formatInteger(1234567, '#,##0')", r#""1,234,567""#),
        ("$formatInteger(1234567, '#,##,##0')", r#""12,34,567""#),
        ("$formatInteger(12, '#,##,##0')", r#""12""#),
        ("$formatInteger(12340, '###０')", r#""１２３４０""#),
        ("$formatInteger(1e21, '0')", r#""1000000000000000000000""#),
        ("$formatInteger(11, '0;o')", r#""11th""#),
        ("$formatInteger(101, '#,##0;o')", r#""101st""#),
        ("$formatInteger(22, '0;o')", r#""22nd""#),
        ("$formatInteger(3, '0;o')", r#""3rd""#),
        ("$formatInteger($none, '0')", "nothing"),
        (
            "$formatInteger(1, 'α')",
            "D3130: Formatting or parsing an integer as a sequence starting with \"α\" is not supported by this \
             implementation",
        ),
        (
            "$formatInteger(1, '0١')",
            "D3131: In a decimal digit pattern, all digits must be from the same decimal group",
        ),
    ]);
}

#[test]
fn whole_numbers_are_written_in_letters_and_numerals() {
    check(&[
        ("$formatInteger(702, 'a')", r#""zz""#),
        ("$formatInteger(703, 'A')", r#""AAA""#),
        ("$formatInteger(0, 'a')", r#""""#),
        ("$formatInteger(1999, 'I')", r#""MCMXCIX""#),
        ("$formatInteger(-4, 'i')", r#""-iv""#),
    ]);
}

#[test]
fn whole_numbers_are_written_in_words() {
    check(&[
        ("$formatInteger(0, 'w')", r#""zero""#),
        ("$formatInteger(42, 'Ww')", r#""Forty-Two""#),
        ("$formatInteger(100, 'W')", r#""ONE HUNDRED""#),
        ("$formatInteger(1001, 'w')", r#""one thousand and one""#),
        (
            "$formatInteger(1234567, 'w')",
            r#""one million, two hundred and thirty-four thousand, five hundred and sixty-seven""#,
        ),
        ("$formatInteger(1e15, 'w')", r#""one thousand trillion""#),
        ("$formatInteger(20, 'w;o')", r#""twentieth""#),
        ("$formatInteger(121, 'w;o')", r#""one hundred and twenty-first""#),
        ("$formatInteger(1000, 'Ww;o')", r#""One Thousandth""#),
    ]);
}

#[test]
fn texts_are_read_as_whole_numbers() {
    check(&[
        ("$parseInteger('1,234', '#,##0')", "1234"),
        ("$parseInteger('1.234', '#.##0')", "1234"),
        ("$parseInteger('12345,67,890', '##,##,##0')", "1234567890"),
        ("$parseInteger('-5', '0')", "-5"),
        ("$parseInteger('12abc', '0')", "12"),
        ("$parseInteger('21st', '0;o')", "21"),
        ("$parseInteger('１２', '０')", "12"),
        ("$parseInteger('abc', '0')", r#""NaN""#),
        ("$parseInteger('', 'I')", "0"),
        ("$parseInteger('x', 'I')", r#""NaN""#),
        ("$parseInteger('x', 'i')", "10"),
        ("$parseInteger('MCMXC', 'I')", "1990"),
        ("$parseInteger('mcmxc', 'i')", "1990"),
        ("$parseInteger('KN', 'A')", "300"),
        ("$parseInteger('two million, three thousand and five', 'w')", "2003005"),
        ("$parseInteger('ONE HUNDRED AND TWENTY-FIRST', 'W;o')", "121"),
        ("$parseInteger('one thousand trillion', 'w')", "1000000000000000"),
        ("$parseInteger('fiftieth', 'w;o')", "50"),
        ("$parseInteger('bogus', 'w')", r#""NaN""#),
        ("$parseInteger($none, '0')", "nothing"),
    ]);
}
