//! Parsing with the crate `cel`, in bounded stack and time, and translation of its errors.

use crate::diagnostics::render::floor_char_boundary;
use crate::expr::cel::codes::WF1601;
use crate::expr::error::ExprError;
use crate::syntax::shown;
use cel::common::ast::{EntryExpr, Expr, IdedExpr, SourceInfo};
use cel::parser::Parser;
use std::ops::Range;

/// The greatest nesting of expressions, and the most consecutive steps or operators.
const MAX_NESTING: usize = 64;
/// The greatest length of an expression, in bytes.
const MAX_BYTES: usize = 8 << 10;
/// The stack of the parser, in bytes. The parser recurses and takes many kilobytes for each
/// bracket. The memory is reserved and committed on demand.
const STACK: usize = 128 << 20;

/// A parsed expression.
#[derive(Debug)]
pub(super) struct ParsedExpression {
    pub root: IdedExpr,
    /// The locations of the nodes.
    pub places: SourceInfo,
}

/// An error of the parser, with its line and column, both from 1.
struct ParserError {
    line: isize,
    column: isize,
    words: String,
}

/// Parses an expression.
pub(super) fn parse(text: &str) -> Result<ParsedExpression, ExprError> {
    if text.len() > MAX_BYTES {
        let error = ExprError::new(&WF1601, 0..text.len(), format!("the expression is longer than {MAX_BYTES} bytes"));
        return Err(error.help("compute a part of the expression in a task"));
    }
    if let Some(at) = too_deep(text) {
        return Err(nesting_error(at..at + 1));
    }
    // Dropping a deep tree recurses as well, so it happens on this thread.
    let read = || {
        let parser = Parser::new().enable_ident_escape_syntax(true);
        let read = parser.parse_with_source_info(text).map_err(|errors| {
            let reported = errors.errors.into_iter().map(|error| ParserError {
                line: error.pos.0,
                column: error.pos.1,
                words: error.msg,
            });
            reported.collect::<Vec<_>>()
        });
        read.map(|(root, places)| (depth(&root) <= MAX_NESTING).then_some(ParsedExpression { root, places }))
    };
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("cel".to_owned()).stack_size(STACK);
        thread.spawn_scoped(scope, read).ok()?.join().ok()
    });
    match ended {
        Some(Ok(Some(program))) => Ok(program),
        Some(Ok(None)) => Err(nesting_error(0..text.len())),
        Some(Err(reported)) => Err(translate_error(text, &reported)),
        None => Err(ExprError::new(&WF1601, 0..text.len(), "cannot parse the expression").help(USUAL)),
    }
}

const USUAL: &str = "write values and operators, such as `order.status == 'done' && size(order.items) > 0`";

fn nesting_error(at: Range<usize>) -> ExprError {
    let error = ExprError::new(&WF1601, at, format!("the expression is nested more than {MAX_NESTING} levels deep"));
    error.help("compute a part of the expression in a task")
}

/// Returns the byte offset of the first bracket beyond the nesting limit. Brackets in strings do
/// not count.
fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut open) = (0, 0_usize);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'(' | b'[' | b'{' => {
                open += 1;
                if open > MAX_NESTING {
                    return Some(at);
                }
            }
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            // A malformed string is rejected later. Counting its brackets errs on the safe side.
            b'\'' | b'"' => at = text_end(bytes, at).unwrap_or(at),
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |length| at + length);
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the last byte of the string whose opening quote is at `start`, or `None` if the string
/// does not end.
fn text_end(bytes: &[u8], start: usize) -> Option<usize> {
    let quote = bytes[start];
    let raw = start.checked_sub(1).is_some_and(|before| matches!(bytes[before], b'r' | b'R'));
    let triple = bytes[start..].starts_with(&[quote; 3]);
    let mut at = start + if triple { 3 } else { 1 };
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if !raw => at += 1,
            b'\n' | b'\r' if !triple => return None,
            byte if *byte == quote && !triple => return Some(at),
            byte if *byte == quote && bytes[at..].starts_with(&[quote; 3]) => return Some(at + 2),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the nesting depth of an expression.
fn depth(of: &IdedExpr) -> usize {
    let mut deepest = 0;
    parts(of, &mut |part| deepest = deepest.max(depth(part)));
    deepest + 1
}

/// Calls `visit` with each subexpression.
pub(super) fn parts<'a>(of: &'a IdedExpr, visit: &mut dyn FnMut(&'a IdedExpr)) {
    match &of.expr {
        Expr::Call(call) => call.target.iter().map(|target| &**target).chain(&call.args).for_each(visit),
        Expr::Comprehension(of) => {
            let parts = [&of.iter_range, &of.accu_init, &of.loop_cond, &of.loop_step, &of.result];
            parts.into_iter().for_each(visit);
        }
        Expr::List(list) => list.elements.iter().for_each(visit),
        Expr::Map(map) => map.entries.iter().for_each(|entry| entry_parts(&entry.expr, visit)),
        Expr::Struct(of) => of.entries.iter().for_each(|entry| entry_parts(&entry.expr, visit)),
        Expr::Select(select) => visit(&select.operand),
        Expr::Ident(_) | Expr::Literal(_) | Expr::Unspecified => {}
    }
}

fn entry_parts<'a>(entry: &'a EntryExpr, visit: &mut dyn FnMut(&'a IdedExpr)) {
    match entry {
        EntryExpr::StructField(field) => visit(&field.value),
        EntryExpr::MapEntry(entry) => [&entry.key, &entry.value].into_iter().for_each(visit),
    }
}

/// Translates the first error of the parser. Later errors are often consequences of the first.
fn translate_error(text: &str, reported: &[ParserError]) -> ExprError {
    if reported.iter().any(|reported| reported.words.contains("Recursion limit") || reported.words == "UNKNOWN") {
        return nesting_error(0..text.len());
    }
    let unread = || ExprError::new(&WF1601, 0..text.len(), "this is not a CEL expression").help(USUAL);
    let Some(first) = reported.iter().min_by_key(|reported| (reported.line, reported.column)) else { return unread() };
    let at = offset(text, first);
    let words = first.words.strip_prefix("Syntax error: ").unwrap_or(&first.words);
    if let Some(rest) = words.strip_prefix("token recognition error at: '") {
        return unknown_sign(text, at, rest.strip_suffix('\'').unwrap_or(rest));
    }
    let prefixes = ["mismatched input '", "extraneous input '", "no viable alternative at input '"];
    let token = prefixes.iter().find_map(|start| words.strip_prefix(start)).map(|rest| {
        let end = rest.find("' expecting").unwrap_or_else(|| rest.trim_end_matches('\'').len());
        &rest[..end]
    });
    match token {
        Some("<EOF>") => {
            let here = text.trim_end().len();
            ExprError::new(&WF1601, here..here, "unexpected end of the expression").help(USUAL)
        }
        Some(token) => unexpected_token(text, at, token),
        None => match words.strip_prefix("missing '").and_then(|rest| rest.split_once("' at ")) {
            Some((missing, _)) => {
                let error = ExprError::new(&WF1601, at..end_of_word(text, at), format!("missing `{missing}`"));
                error.help("close each bracket with one of its kind")
            }
            None => literal_or_macro_error(text, at, words),
        },
    }
}

/// Returns the error for a character that CEL does not have.
fn unknown_sign(text: &str, at: usize, sign: &str) -> ExprError {
    let first = sign.chars().next().unwrap_or(' ');
    let one = at..at + first.len_utf8().min(text.len() - at);
    let error = |message: &str| ExprError::new(&WF1601, one.clone(), message);
    match first {
        '$' => error("CEL has no `$`").help("refer to a member of the data by its name: `order.total > 100`"),
        '#' => error("CEL has no `#`").help("refer to a variable by its name: `workflowInput.id`"),
        '=' => error("a single `=` is not an operator").help("write `==` to compare").replace_by("=="),
        '&' => error("a single `&` is not an operator").help("write `&&`").replace_by("&&"),
        '|' => error("a single `|` is not an operator").help("write `||`").replace_by("||"),
        '\'' | '"' => ExprError::new(&WF1601, at..text.len(), "unclosed string or unknown escape")
            .help("close it with its opening quote, and write `\\\\` for a backslash"),
        first => error(&format!("CEL has no `{}`", shown(&first.to_string()))).help(USUAL),
    }
}

/// Returns the error for a token in a wrong position.
fn unexpected_token(text: &str, at: usize, token: &str) -> ExprError {
    let end = if text[at..].starts_with(token) { at + token.len() } else { end_of_word(text, at) };
    let error = ExprError::new(&WF1601, at..end, format!("unexpected `{}`", shown(token)));
    let instead = match token {
        "and" => "&&",
        "or" => "||",
        "not" => "!",
        "eq" => "==",
        "ne" => "!=",
        "lt" => "<",
        "le" => "<=",
        "gt" => ">",
        "ge" => ">=",
        _ => {
            // `not a` parses as the name `not` followed by a superfluous name.
            let before = text[..at].trim_end();
            if before == "not" || before.ends_with(" not") || before.ends_with("(not") {
                let start = before.len() - 3;
                let error = ExprError::new(&WF1601, start..before.len(), "CEL has no `not`");
                return error.help("write `!`").replace_by("!");
            }
            return error.help(USUAL);
        }
    };
    error.help(format!("write `{instead}`")).replace_by(instead)
}

/// Translates an error in a literal or a macro.
fn literal_or_macro_error(text: &str, at: usize, words: &str) -> ExprError {
    let error = |message: String| ExprError::new(&WF1601, at..end_of_word(text, at), message);
    if let Some(name) = words.strip_prefix("reserved identifier: ") {
        let name = name.trim_start_matches('.');
        let help = format!("for a member of this name, write `stateOutputData[\"{name}\"]`");
        return error(format!("`{}` is a reserved word of CEL", shown(name))).help(help);
    }
    if words.contains("has() macro") {
        return error("the argument of `has` must be a member".to_owned())
            .help("write `has(order.total)`, `has(stateOutputData.order)` for a member of the data, or `has(error.name)` for an error");
    }
    if words == "argument must be a simple name" {
        return error("the first argument of a macro must be a simple name".to_owned())
            .help("write `list.all(x, x > 0)`");
    }
    let kind = words.strip_prefix("invalid ").and_then(|rest| rest.split_once(" literal")).map(|(kind, _)| kind);
    match kind {
        Some(kind @ ("int" | "uint" | "double")) => {
            error(format!("this number is out of range for the type `{kind}`")).help("integers have 64 bits")
        }
        Some(kind) => {
            let error = ExprError::new(&WF1601, at..text.len(), format!("invalid {kind} literal"));
            error.help("write the code point of a character as `\\u00e9`")
        }
        None => error("this is not a CEL expression".to_owned()).help(USUAL),
    }
}

/// Returns the byte offset of an error. Lines and columns count from 1. Columns count bytes in
/// errors of macros and characters in other errors.
fn offset(text: &str, reported: &ParserError) -> usize {
    let skip = usize::try_from(reported.line - 1).unwrap_or(0);
    let start: usize = text.split_inclusive('\n').take(skip).map(str::len).sum();
    let before = usize::try_from(reported.column - 1).unwrap_or(0);
    match is_of_macro(&reported.words) {
        true => floor_char_boundary(text, start + before),
        false => text[start..].char_indices().nth(before).map_or(text.len(), |(at, _)| start + at),
    }
}

fn is_of_macro(words: &str) -> bool {
    words.contains("has() macro") || words == "argument must be a simple name"
}

/// Returns the end of the word at a byte, or of the character if there is no word.
fn end_of_word(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    match rest.chars().next() {
        Some(first) => at + length.max(first.len_utf8()),
        None => at,
    }
}
