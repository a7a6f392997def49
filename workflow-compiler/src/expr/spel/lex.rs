//! Lexical elements of SpEL: words, strings and numbers.

use super::parse::{SpelParsed, syntax};
use crate::expr::Literal;
use crate::expr::cursor::Cursor;

/// Returns `true` if a name can begin with the character.
pub(super) fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_'
}

/// Returns `true` if a name can contain the character after its first.
pub(super) fn is_name_part(c: char) -> bool {
    is_name_start(c) || c.is_alphanumeric() || c == '$'
}

/// Returns the word that comes next, or an empty text.
pub(super) fn word<'a>(cursor: &Cursor<'a>) -> &'a str {
    let rest = cursor.rest();
    if !rest.starts_with(is_name_start) {
        return "";
    }
    &rest[..rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len())]
}

/// Parses a string in quotes. A doubled quote stands for a quote. The cursor is before the opening
/// quote.
pub(super) fn string(cursor: &mut Cursor<'_>) -> SpelParsed<String> {
    let start = cursor.at();
    let quote = cursor.bump().unwrap_or('\'');
    let mut value = String::new();
    loop {
        match cursor.bump() {
            None => {
                let error = syntax(start..start + 1, "unclosed string");
                return Err(error
                    .help(format!("close it with `{quote}`, and double this quote inside the string"))
                    .into());
            }
            Some(c) if c == quote => match cursor.peek() {
                Some(next) if next == quote => {
                    cursor.bump();
                    value.push(quote);
                }
                _ => return Ok(value),
            },
            Some(c) => value.push(c),
        }
    }
}

/// Parses a number. The cursor is before its digits, and `negative` states that a `-` precedes
/// them.
pub(super) fn number(cursor: &mut Cursor<'_>, negative: bool) -> SpelParsed<Literal> {
    let start = cursor.at();
    let value = if cursor.eat("0x") || cursor.eat("0X") {
        let digits = cursor.take_while(|c| c.is_ascii_hexdigit());
        cursor.take_while(|c| matches!(c, 'l' | 'L'));
        i64::from_str_radix(digits, 16).ok().map(|value| if negative { -value } else { value }).map(Literal::Int)
    } else {
        decimal(cursor, negative)
    };
    let ends = !cursor.peek().is_some_and(is_name_part);
    cursor.take_while(is_name_part);
    value.filter(|_| ends).ok_or_else(|| {
        let error = syntax(start..cursor.at(), "invalid or out-of-range number");
        error.help("write a number as `7`, `0.5`, `1.5e3` or `0xFF`, and a string in quotes").into()
    })
}

fn decimal(cursor: &mut Cursor<'_>, negative: bool) -> Option<Literal> {
    let start = cursor.at();
    let is_digit = |c: char| c.is_ascii_digit();
    cursor.take_while(is_digit);
    let mut is_whole = true;
    let mut ahead = cursor.clone();
    if ahead.eat(".") && !ahead.take_while(is_digit).is_empty() {
        *cursor = ahead;
        is_whole = false;
    }
    let mut ahead = cursor.clone();
    if ahead.eat("e") || ahead.eat("E") {
        let _ = ahead.eat("+") || ahead.eat("-");
        if !ahead.take_while(is_digit).is_empty() {
            *cursor = ahead;
            is_whole = false;
        }
    }
    let written = cursor.since(start);
    let sign = if negative { "-" } else { "" };
    // The suffixes of Java's long, float and double literals.
    let is_whole = is_whole && !["f", "F", "d", "D"].into_iter().any(|suffix| cursor.eat(suffix));
    if is_whole {
        let _ = cursor.eat("L") || cursor.eat("l");
        return format!("{sign}{written}").parse().ok().map(Literal::Int);
    }
    let _ = ["f", "F", "d", "D"].into_iter().any(|suffix| cursor.eat(suffix));
    format!("{sign}{written}").parse::<f64>().ok().filter(|value| value.is_finite()).map(Literal::Float)
}
