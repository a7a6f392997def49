//! Messages for errors of the event parser, with a correction.

use saphyr_parser::ScanError;

use super::super::expressions::{OPEN, length_on_line};
use super::super::report::Report;
use crate::diagnostics::codes::syntax as codes;
use crate::diagnostics::{Code, Diagnostic, suggest};
use crate::escape::shown;

/// A part of a parser message that identifies an error, and our message for it.
struct KnownError {
    words: &'static str,
    code: &'static Code,
    message: &'static str,
    help: &'static str,
}

/// The first matching entry decides.
static KNOWN: &[KnownError] = &[
    KnownError {
        words: "tab",
        code: &codes::WF0120,
        message: "tabs are not allowed for indentation",
        help: "indent with spaces",
    },
    KnownError {
        words: "mapping values are not allowed",
        code: &codes::WF0120,
        message: "unexpected colon: a key is not allowed here",
        help: "put a value that contains `: ` in quotes, and each key on its own line",
    },
    KnownError {
        words: "block mapping, did not find expected key",
        code: &codes::WF0120,
        message: "expected a key",
        help: "indent the line like its sibling keys, or put the value before it in quotes",
    },
    KnownError {
        words: "simple key expect",
        code: &codes::WF0120,
        message: "missing colon after a key",
        help: "write `: ` after the key, or indent the line deeper than the key of its value",
    },
    KnownError {
        words: "unexpected character",
        code: &codes::WF0120,
        message: "an unquoted value cannot start with this character",
        help: "put the value in quotes",
    },
    KnownError {
        words: "expected ',' or '}'",
        code: &codes::WF0120,
        message: "expected `,` or `}`",
        help: "write the missing character, or put a value that starts with `{` in quotes",
    },
    KnownError {
        words: "expected ',' or ']'",
        code: &codes::WF0120,
        message: "expected `,` or `]`",
        help: "write the missing character, or put a value that starts with `[` in quotes",
    },
    KnownError {
        words: "quoted scalar, found unexpected",
        code: &codes::WF0108,
        message: "the string has no closing quote",
        help: "write the same quote at its end",
    },
    KnownError {
        words: "invalid indentation in quoted scalar",
        code: &codes::WF0120,
        message: "a line of this string is not indented deeper than its key",
        help: "indent the lines of the string, or add the missing closing quote",
    },
    KnownError {
        words: "invalid trailing content",
        code: &codes::WF0108,
        message: "unexpected text after the closing quote",
        help: "put the whole value in quotes, with `\\\"` inside double quotes and `''` inside single quotes",
    },
    KnownError {
        words: "did not find expected node content",
        code: &codes::WF0120,
        message: "expected a value",
        help: "write the value, or put a value that starts with a YAML indicator in quotes",
    },
    KnownError {
        words: "unexpected end of plain scalar",
        code: &codes::WF0120,
        message: "expected a value",
        help: "write the value, or put a value that starts with a YAML indicator in quotes",
    },
    KnownError {
        words: "misplaced bracket",
        code: &codes::WF0102,
        message: "unmatched closing bracket",
        help: "remove it, or put a value that contains it in quotes",
    },
    KnownError {
        words: "recursion limit",
        code: &codes::WF0113,
        message: "values are nested more than 128 levels deep",
        help: "move inner workflows into definitions of their own",
    },
    KnownError {
        words: "block sequence entries are not allowed",
        code: &codes::WF0120,
        message: "an item of a list is not allowed here",
        help: "start the list on its own line",
    },
    KnownError {
        words: "is only valid inside a block",
        code: &codes::WF0120,
        message: "an item with `-` is not allowed in brackets",
        help: "separate the values with commas",
    },
    KnownError {
        words: "block collection, did not find expected '-'",
        code: &codes::WF0120,
        message: "expected an item",
        help: "start it with `- `, indented like the items before it",
    },
    KnownError {
        words: "indent",
        code: &codes::WF0120,
        message: "the line is not indented like the lines before it",
        help: "correct the indentation",
    },
    KnownError {
        words: "anchor or alias",
        code: &codes::WF0120,
        message: "an unquoted value cannot start with this character",
        help: "put the value in quotes; `&name` anchors a value, and `*name` repeats it",
    },
    KnownError {
        words: "handle wasn't declared",
        code: &codes::WF0121,
        message: "the prefix of the tag is not declared",
        help: "remove the tag, or put a value that starts with `!` in quotes",
    },
    KnownError {
        words: "a tag",
        code: &codes::WF0121,
        message: "invalid tag",
        help: "remove the tag, or put a value that starts with `!` in quotes",
    },
    KnownError {
        words: "comment",
        code: &codes::WF0120,
        message: "a comment is not allowed here",
        help: "write a space before `#`, move the comment out of the value, or put the value in quotes",
    },
    KnownError {
        words: "unprintable character",
        code: &codes::WF0110,
        message: "unexpected control character",
        help: "remove it",
    },
];

/// Reports `error` at the byte `at` of `text`. `anchors` are the names that aliases may refer to
/// there.
pub fn report(error: &ScanError, text: &str, at: usize, anchors: &[&str], report: &mut Report) {
    let words = error.info();
    let (start, end) = place(words, text, at);
    let span = report.span(start, end);
    let diagnostic = if words.contains("unknown anchor") {
        let name: String =
            text[start..].chars().skip(1).take_while(|c| !c.is_whitespace() && !",[]{}".contains(*c)).collect();
        let message = format!("unknown alias `*{}`", shown(&name));
        let help =
            suggest::nearest(&name, anchors.iter().copied()).map(|nearest| format!("did you mean `*{nearest}`?"));
        Diagnostic::new(&codes::WF0122, report.span(start, start + 1 + name.len()), message)
            .help("anchor the value with `&name` before the alias, or put the text in quotes")
            .maybe_help(help)
    } else if let Some((start, end)) = bad_escape(words, text, at) {
        let found = &text[start..end];
        let message = format!("`{}` is not a YAML escape", shown(found));
        let help = "write `\\\\` for a backslash, or put the text in single quotes";
        Diagnostic::new(&codes::WF0109, report.span(start, end), message).help(help)
    } else if let Some(start) = bare_expression(words, text, at) {
        of_expression(&text[start..], start, report)
    } else if let Some(known) = KNOWN.iter().find(|known| words.contains(known.words)) {
        Diagnostic::new(known.code, span, known.message).help(known.help)
    } else {
        let help = "put the value in quotes, or see the YAML 1.2 specification";
        Diagnostic::new(&codes::WF0120, span, format!("invalid YAML: {words}")).help(help)
    };
    report.push(diagnostic);
}

/// Returns the range that is marked for an error at the byte `at`.
fn place(words: &str, text: &str, at: usize) -> (usize, usize) {
    if words.contains("simple key expect") {
        // The parser has consumed the line without a colon.
        let line = text[..at].trim_end();
        let start = line.rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        return (line.len() - line[start..].trim_start().len(), line.len());
    }
    if words.contains("tab") {
        // The parser reports the text after the tab.
        let start = text[..at].trim_end_matches('\t').len();
        return (start, at.max(start));
    }
    let rest = &text[at..];
    if rest.trim_start().is_empty() {
        let end = text.trim_end().len();
        return (end, end);
    }
    (at, at + rest.chars().next().filter(|c| !c.is_whitespace()).map_or(0, char::len_utf8))
}

/// Returns the start of the unquoted `${ … }` that causes the error at `at`: a value of its own,
/// on the same line.
fn bare_expression(words: &str, text: &str, at: usize) -> Option<usize> {
    let is_about_signs = ["mapping values are not allowed", "expected ',' or"].iter().any(|part| words.contains(part));
    if !is_about_signs {
        return None;
    }
    let line = text[..at].rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
    let end = text[at..].find(['\n', '\r']).map_or(text.len(), |length| at + length);
    let mut places = text[line..end].match_indices(OPEN).map(|(place, _)| line + place);
    places.find(|start| {
        let before = &text[line..*start];
        let is_value = match before.trim_end_matches([' ', '\t']) {
            "" => true,
            before_space if before_space.len() < before.len() => before_space.ends_with([':', '-', ',', '[', '{']),
            joined => joined.ends_with([',', '[', '{']),
        };
        let length = length_on_line(&text[*start..end]).unwrap_or(end - start);
        is_value && (*start..start + length).contains(&at)
    })
}

/// Reports an unquoted expression at the start of `rest`, the text from `start` on, as in `input:
/// ${ {user: .data} }`.
fn of_expression(rest: &str, start: usize, report: &Report) -> Diagnostic {
    let message = "the expression is not in quotes";
    let Some(length) = length_on_line(rest) else {
        let span = report.span(start, start + OPEN.len());
        return Diagnostic::new(&codes::WF0120, span, message)
            .label("the expression starts here")
            .help("write the expression in quotes, on one line");
    };
    let (expression, span) = (&rest[..length], report.span(start, start + length));
    // In single quotes only the quote itself is escaped.
    let quoted = match expression.contains(['"', '\\']) {
        true => format!("'{}'", expression.replace('\'', "''")),
        false => format!("\"{expression}\""),
    };
    Diagnostic::new(&codes::WF0120, span, message)
        .label("braces and `: ` have another meaning in YAML")
        .help(format!("write `{}`", shown(&quoted)))
        .fix(span, quoted)
}

/// Returns the invalid escape in the double-quoted string at `at`, if that is the error. The
/// parser reports the position of the string only.
fn bad_escape(words: &str, text: &str, at: usize) -> Option<(usize, usize)> {
    let is_escape =
        ["unknown escape", "hexadecimal number", "character escape code"].iter().any(|part| words.contains(part));
    if !is_escape {
        return None;
    }
    let mut from = at;
    loop {
        let start = from + text[from..].find('\\')?;
        let letter = text[start + 1..].chars().next()?;
        let digits = match letter {
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => 0,
        };
        let after = start + 1 + letter.len_utf8();
        let count = text[after..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
        let end = after + count;
        let code_point = u32::from_str_radix(&text[after..end], 16).ok();
        let known = match digits {
            0 => "0abtnvfre \"/\\N_LP\t\n\r".contains(letter),
            _ => count == digits && code_point.is_some_and(|code_point| char::from_u32(code_point).is_some()),
        };
        if !known {
            return Some((start, end));
        }
        from = end;
    }
}
