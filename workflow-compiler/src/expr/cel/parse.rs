//! Text → the tree of the crate `cel`, in bounded stack and time, and what is wrong with the text in our words.

use crate::diagnostics::codes::cel::E1601;
use crate::diagnostics::render::floor_char_boundary;
use crate::expr::flaw::Flaw;
use crate::syntax::shown;
use cel::common::ast::{EntryExpr, Expr, IdedExpr, SourceInfo};
use cel::parser::Parser;
use std::ops::Range;

/// How deep the parts of an expression nest, and how many steps or sums follow each other.
const MAX_NESTING: usize = 64;
/// How long an expression may be, in bytes.
const LONGEST: usize = 8 << 10;
/// How much native stack the parser may take, which recurses: many kilobytes for each bracket. It is reserved, and taken as it is
/// needed.
const STACK: usize = 128 << 20;

/// An expression that has been read.
#[derive(Debug)]
pub(super) struct Program {
    pub root: IdedExpr,
    /// Where its parts are.
    pub places: SourceInfo,
}

/// What the parser says: a line and a column, both from 1, and its words.
struct Said {
    line: isize,
    column: isize,
    words: String,
}

/// Reads an expression.
pub(super) fn parse(text: &str) -> Result<Program, Flaw> {
    if text.len() > LONGEST {
        let flaw = Flaw::new(&E1601, 0..text.len(), format!("an expression has at most {LONGEST} bytes"));
        return Err(flaw.help("work a part of it out in a task"));
    }
    if let Some(at) = too_deep(text) {
        return Err(nested(at..at + 1));
    }
    // What nests deeply is dropped there, too.
    let read = || {
        let parser = Parser::new().enable_ident_escape_syntax(true);
        let read = parser.parse_with_source_info(text).map_err(|errors| {
            let said = errors.errors.into_iter().map(|error| Said {
                line: error.pos.0,
                column: error.pos.1,
                words: error.msg,
            });
            said.collect::<Vec<_>>()
        });
        read.map(|(root, places)| (depth(&root) <= MAX_NESTING).then_some(Program { root, places }))
    };
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("cel".to_owned()).stack_size(STACK);
        thread.spawn_scoped(scope, read).ok()?.join().ok()
    });
    match ended {
        Some(Ok(Some(program))) => Ok(program),
        Some(Ok(None)) => Err(nested(0..text.len())),
        Some(Err(said)) => Err(in_our_words(text, &said)),
        None => Err(Flaw::new(&E1601, 0..text.len(), "this cannot be read").help(USUAL)),
    }
}

const USUAL: &str =
    "an expression is made of values and operators, such as `order.status == 'done' && size(order.items) > 0`";

fn nested(at: Range<usize>) -> Flaw {
    let flaw = Flaw::new(&E1601, at, format!("parts of an expression nest at most {MAX_NESTING} levels deep"));
    flaw.help("steps and sums that follow each other nest, too; work a part of it out in a task")
}

/// The bracket, outside of texts, that is nested too deeply.
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
            // What is taken for a text and is none is refused later: a bracket too many is counted rather than one too few.
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

/// The last byte of the text that begins with the quote at `start`, if it ends.
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

/// How deep the parts of an expression nest.
fn depth(of: &IdedExpr) -> usize {
    let mut deepest = 0;
    parts(of, &mut |part| deepest = deepest.max(depth(part)));
    deepest + 1
}

/// Calls `visit` with each part that an expression is made of.
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

/// The first thing that the parser says: what follows is often due to it.
fn in_our_words(text: &str, said: &[Said]) -> Flaw {
    if said.iter().any(|said| said.words.contains("Recursion limit") || said.words == "UNKNOWN") {
        return nested(0..text.len());
    }
    let unread = || Flaw::new(&E1601, 0..text.len(), "this is no expression of CEL").help(USUAL);
    let Some(first) = said.iter().min_by_key(|said| (said.line, said.column)) else { return unread() };
    let at = offset(text, first);
    let words = first.words.strip_prefix("Syntax error: ").unwrap_or(&first.words);
    if let Some(rest) = words.strip_prefix("token recognition error at: '") {
        return unknown_sign(text, at, rest.strip_suffix('\'').unwrap_or(rest));
    }
    let found = ["mismatched input '", "extraneous input '", "no viable alternative at input '"];
    let token = found.iter().find_map(|start| words.strip_prefix(start)).map(|rest| {
        let end = rest.find("' expecting").unwrap_or_else(|| rest.trim_end_matches('\'').len());
        &rest[..end]
    });
    match token {
        Some("<EOF>") => {
            let here = text.trim_end().len();
            Flaw::new(&E1601, here..here, "the expression ends where something is missing").help(USUAL)
        }
        Some(token) => unexpected(text, at, token),
        None => match words.strip_prefix("missing '").and_then(|rest| rest.split_once("' at ")) {
            Some((missing, _)) => {
                let flaw = Flaw::new(&E1601, at..end_of_word(text, at), format!("`{missing}` is missing"));
                flaw.help("each bracket is closed by one of its kind")
            }
            None => other(text, at, words),
        },
    }
}

/// A sign that CEL does not have.
fn unknown_sign(text: &str, at: usize, sign: &str) -> Flaw {
    let first = sign.chars().next().unwrap_or(' ');
    let one = at..at + first.len_utf8().min(text.len() - at);
    let flaw = |message: &str| Flaw::new(&E1601, one.clone(), message);
    match first {
        '$' => {
            flaw("there is no `$` in CEL").help("members of the data are written by their names: `order.total > 100`")
        }
        '#' => flaw("there is no `#` in CEL").help("variables are written by their names: `workflowInput.id`"),
        '=' => flaw("a single `=` is no operator").help("write `==` to compare").replace_by("=="),
        '&' => flaw("a single `&` is no operator").help("write `&&`").replace_by("&&"),
        '|' => flaw("a single `|` is no operator").help("write `||`").replace_by("||"),
        '\'' | '"' => Flaw::new(&E1601, at..text.len(), "this text has no end, or an escape that there is not")
            .help("end it with the quote that it begins with; in texts, `\\\\` is a backslash"),
        first => flaw(&format!("there is no `{}` in CEL", shown(&first.to_string()))).help(USUAL),
    }
}

/// A word or a sign that stands where nothing like it can.
fn unexpected(text: &str, at: usize, token: &str) -> Flaw {
    let end = if text[at..].starts_with(token) { at + token.len() } else { end_of_word(text, at) };
    let flaw = Flaw::new(&E1601, at..end, format!("`{}` does not fit here", shown(token)));
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
            // `not a` is the name `not`, and one too many.
            let before = text[..at].trim_end();
            if before == "not" || before.ends_with(" not") || before.ends_with("(not") {
                let start = before.len() - 3;
                let flaw = Flaw::new(&E1601, start..before.len(), "there is no `not` in CEL");
                return flaw.help("write `!`").replace_by("!");
            }
            return flaw.help(USUAL);
        }
    };
    flaw.help(format!("write `{instead}`")).replace_by(instead)
}

/// What is wrong with a literal or a macro.
fn other(text: &str, at: usize, words: &str) -> Flaw {
    let flaw = |message: String| Flaw::new(&E1601, at..end_of_word(text, at), message);
    if let Some(name) = words.strip_prefix("reserved identifier: ") {
        let name = name.trim_start_matches('.');
        let help = format!("it is a member's name all the same: write `stateOutputData[\"{name}\"]`");
        return flaw(format!("`{}` is a word that CEL keeps", shown(name))).help(help);
    }
    if words.contains("has() macro") {
        return flaw("`has` asks for a member of something".to_owned())
            .help("write `has(order.total)`; for a member of the data itself, `has(stateOutputData.order)`, and for an error `has(error.name)`");
    }
    if words == "argument must be a simple name" {
        return flaw("a macro names the element by a name of its own".to_owned()).help("write `list.all(x, x > 0)`");
    }
    let kind = words.strip_prefix("invalid ").and_then(|rest| rest.split_once(" literal")).map(|(kind, _)| kind);
    match kind {
        Some(kind @ ("int" | "uint" | "double")) => {
            flaw(format!("this is no number that the type {kind} has")).help("whole numbers have 64 bits")
        }
        Some(kind) => {
            let flaw = Flaw::new(&E1601, at..text.len(), format!("this is not written as a {kind} is"));
            flaw.help("a character by its number is written `\\u00e9`")
        }
        None => flaw("this is no expression of CEL".to_owned()).help(USUAL),
    }
}

/// The byte that something is said of. Lines and columns count from 1: what is said of macros counts bytes, all else
/// characters.
fn offset(text: &str, said: &Said) -> usize {
    let skip = usize::try_from(said.line - 1).unwrap_or(0);
    let start: usize = text.split_inclusive('\n').take(skip).map(str::len).sum();
    let before = usize::try_from(said.column - 1).unwrap_or(0);
    match is_of_macro(&said.words) {
        true => floor_char_boundary(text, start + before),
        false => text[start..].char_indices().nth(before).map_or(text.len(), |(at, _)| start + at),
    }
}

fn is_of_macro(words: &str) -> bool {
    words.contains("has() macro") || words == "argument must be a simple name"
}

/// The end of the word at a byte, or of the character there.
fn end_of_word(text: &str, at: usize) -> usize {
    let rest = &text[at..];
    let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    match rest.chars().next() {
        Some(first) => at + length.max(first.len_utf8()),
        None => at,
    }
}
