//! Parser of intrinsic functions, which lowers to [`Expr`] (ASL, "Intrinsic Functions").

use super::arguments::{self, ParsedArgument};
use super::functions::{INTRINSICS, Intrinsic, WRONG_ARGUMENTS};
use super::{MAX_NESTING, MAX_SHOWN_BYTES};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::suggest::likely;
use crate::expr::cursor::Cursor;
use crate::expr::error::ExprError;
use crate::expr::intrinsics::codes::{WF0310, WF0311, WF0312, WF0315, WF0353, WF0354};
use crate::expr::jsonpath::{self, Roots};
use crate::expr::{Arg, Expr, Literal};
use crate::syntax::Text;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Names for intrinsic functions in other languages.
const OTHER_NAMES: &[(&[&str], &str)] = &[
    (&["JsonParse", "ParseJson", "FromJson", "StringToObject"], "States.StringToJson"),
    (&["JsonStringify", "Stringify", "ToJson", "ToString", "ObjectToString"], "States.JsonToString"),
    (&["Concat", "StringConcat", "Join", "StringJoin", "StringFormat", "Sprintf"], "States.Format"),
    (&["Random", "RandomInt", "Rand"], "States.MathRandom"),
    (&["Add", "Sum", "Subtract", "MathSubtract", "MathSub", "MathSum"], "States.MathAdd"),
    (&["Length", "Len", "Size", "Count", "ArraySize", "ArrayCount"], "States.ArrayLength"),
    (&["Contains", "Includes", "ArrayIncludes"], "States.ArrayContains"),
    (&["GetItem", "ArrayGet", "ArrayItem", "ArrayAt"], "States.ArrayGetItem"),
    (&["Partition", "Chunk", "ArrayChunk"], "States.ArrayPartition"),
    (&["Range"], "States.ArrayRange"),
    (&["Unique", "Distinct", "ArrayDistinct"], "States.ArrayUnique"),
    (&["Merge", "ObjectMerge", "Assign"], "States.JsonMerge"),
    (&["Split"], "States.StringSplit"),
    (&["Guid", "NewGuid", "UuidV4"], "States.UUID"),
    (&["Md5", "Sha1", "Sha256", "Sha512"], "States.Hash"),
    (&["EncodeBase64", "ToBase64"], "States.Base64Encode"),
    (&["DecodeBase64", "FromBase64"], "States.Base64Decode"),
];

/// Parses a text that consists of a single call.
pub(super) fn parse_call(text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let mut parser = Parser { text, cursor: Cursor::new(&text.value, 0), roots, diagnostics, depth: 0 };
    let argument = parser.call()?;
    parser.cursor.skip_blanks();
    if !parser.cursor.is_at_end() {
        let at = parser.cursor.here();
        return parser.refuse(
            ExprError::new(&WF0310, at, "unexpected text after the intrinsic function")
                .help("remove the text, or join strings with `States.Format`"),
        );
    }
    Some(argument.expr)
}

struct Parser<'a> {
    text: &'a Text,
    cursor: Cursor<'a>,
    roots: &'a dyn Roots,
    diagnostics: &'a mut Diagnostics,
    depth: usize,
}

impl Parser<'_> {
    fn refuse<T>(&mut self, error: ExprError) -> Option<T> {
        self.diagnostics.push(error.in_text(self.text));
        None
    }

    fn call(&mut self) -> Option<ParsedArgument> {
        let start = self.cursor.at();
        let name = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_')).to_owned();
        let name_at = start..self.cursor.at();
        if name.is_empty() {
            return self.refuse_start();
        }
        if self.cursor.peek() != Some('(') {
            let at = self.cursor.here();
            let (message, help) = if name.starts_with("States.") {
                (
                    "missing `(` after the name of the intrinsic function",
                    "write the arguments in parentheses right after the name".to_owned(),
                )
            } else if self.depth == 0 {
                (
                    "this is not an intrinsic function",
                    "start an intrinsic function with `States.`, and a path with `$`".to_owned(),
                )
            } else {
                ("expected an argument", format!("write a string in single quotes: `'{name}'`"))
            };
            return self.refuse(ExprError::new(&WF0310, start..at.end, message).help(help));
        }
        let Some(intrinsic) = INTRINSICS.iter().find(|intrinsic| intrinsic.name == name) else {
            return self.refuse(unknown_function(&name, name_at));
        };
        if self.depth == MAX_NESTING {
            let message = format!("intrinsic functions are nested more than {MAX_NESTING} levels deep");
            return self.refuse(
                ExprError::new(&WF0310, name_at, message).help("compute the inner values in an earlier state"),
            );
        }
        self.depth += 1;
        let mut arguments = self.arguments(start)?;
        self.depth -= 1;
        let at = start..self.cursor.at();
        if intrinsic.ignores_arguments && !arguments.is_empty() {
            self.warn_of_ignored(intrinsic, &arguments);
            arguments.clear();
        }
        // Faults of paths in arguments show the whole call, whose text is complete only now.
        let call = &Arc::from(truncated(self.cursor.since(start)));
        let expr = match wrong_number(intrinsic, arguments.len(), at.clone()) {
            Some(error) => {
                self.refuse_unless_allowed(error)?;
                Expr::call(&WRONG_ARGUMENTS, vec![Arg::Str(Arc::clone(call))])
            }
            None => {
                if let Err(error) = arguments::check(intrinsic, &arguments, at.clone()) {
                    self.refuse_unless_allowed(*error)?;
                }
                arguments::lower(intrinsic, arguments, call, &self.roots.document())
            }
        };
        Some(ParsedArgument { expr, kind: intrinsic.returns, at, path: None, raw: None })
    }

    /// Reports a call that fails in every run. Returns `None` unless the options allow the error
    /// ([A37](docs/amazon-states-language.md#a37)).
    fn refuse_unless_allowed(&mut self, error: ExprError) -> Option<()> {
        let is_allowed = self.diagnostics.allows(error.code);
        self.diagnostics.push(error.in_text(self.text));
        is_allowed.then_some(())
    }

    /// Warns of arguments that a function ignores ([A36](docs/amazon-states-language.md#a36)).
    fn warn_of_ignored(&mut self, intrinsic: &Intrinsic, arguments: &[ParsedArgument]) {
        let [Some(first), Some(last)] = [arguments.first(), arguments.last()] else { return };
        let are_ignored = if arguments.len() == 1 { "this one is" } else { "these are" };
        let message = format!("`{}` takes no arguments: {are_ignored} ignored", intrinsic.name);
        let error = ExprError::new(&WF0354, first.at.start..last.at.end, message);
        self.diagnostics.push(error.help(format!("write `{}()`", intrinsic.name)).replace_by("").in_text(self.text));
    }

    fn refuse_start<T>(&mut self) -> Option<T> {
        let at = self.cursor.here();
        let error = match self.cursor.peek() {
            None => ExprError::new(&WF0310, at, "expected an intrinsic function"),
            Some('"') => ExprError::new(&WF0310, at, "a string must be in single quotes").help("replace `\"` with `'`"),
            Some(c) if c.is_whitespace() => {
                ExprError::new(&WF0310, at, "unexpected white space before the intrinsic function")
                    .help("remove the white space")
            }
            Some(c) => ExprError::new(&WF0310, at, format!("unexpected `{c}`"))
                .help("arguments are paths, strings in single quotes, numbers, `true`, `false`, `null` and calls"),
        };
        self.refuse(error)
    }

    /// Parses the arguments, including both parentheses.
    fn arguments(&mut self, start: usize) -> Option<Vec<ParsedArgument>> {
        let open = self.cursor.here();
        self.cursor.eat("(");
        let mut arguments = Vec::new();
        self.cursor.skip_blanks();
        if self.cursor.eat(")") {
            return Some(arguments);
        }
        loop {
            self.cursor.skip_blanks();
            if arguments.is_empty() || !matches!(self.cursor.peek(), None | Some(')')) {
                arguments.push(self.argument()?);
            } else {
                let at = self.cursor.here();
                return self.refuse(ExprError::new(&WF0310, at, "missing argument after the comma"));
            }
            let end = self.cursor.here();
            self.cursor.skip_blanks();
            if self.cursor.eat(")") {
                return Some(arguments);
            }
            // AWS's editor accepts blanks between arguments in place of a comma.
            let is_separated = self.cursor.here().start > end.start;
            if is_separated && matches!(self.cursor.peek(), Some('$' | '\'' | 'S')) {
                let error =
                    ExprError::new(&WF0353, end.start..self.cursor.here().start, "missing comma between arguments");
                self.diagnostics.push(error.help("write `, `").replace_by(", ").in_text(self.text));
            } else if !self.cursor.eat(",") {
                let error = match self.cursor.peek() {
                    None => ExprError::new(&WF0310, open, "unclosed parenthesis").help("close it with `)`"),
                    Some(_) => {
                        let at = start..self.cursor.here().end;
                        ExprError::new(&WF0310, at, "expected `,` or `)` after an argument")
                    }
                };
                return self.refuse(error);
            }
        }
    }

    fn argument(&mut self) -> Option<ParsedArgument> {
        let start = self.cursor.at();
        match self.cursor.peek() {
            Some('$') => {
                let path = jsonpath::parse_argument(&mut self.cursor, self.text, self.roots, self.diagnostics)?;
                Some(ParsedArgument::path(path, start..self.cursor.at()))
            }
            Some('\'') => self.string(),
            Some(c) if c == '-' || c.is_ascii_digit() => self.number(),
            _ => match self.word() {
                Some(value) => Some(ParsedArgument::literal(value, start..self.cursor.at())),
                None => self.call(),
            },
        }
    }

    fn word(&mut self) -> Option<Literal> {
        let mut ahead = self.cursor.clone();
        let value = match ahead.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_')) {
            "true" => Literal::Bool(true),
            "false" => Literal::Bool(false),
            "null" => Literal::Null,
            _ => return None,
        };
        self.cursor = ahead;
        Some(value)
    }

    fn number(&mut self) -> Option<ParsedArgument> {
        let start = self.cursor.at();
        let rest = self.cursor.rest();
        let Some((value, len)) = jsonpath::number(rest) else {
            let at = self.cursor.here();
            return self.refuse(ExprError::new(&WF0310, at, "invalid number").help("write the number as in JSON"));
        };
        self.cursor.eat(&rest[..len]);
        Some(ParsedArgument::literal(value, start..self.cursor.at()))
    }

    /// Parses a string in single quotes. The raw text is kept because the template of
    /// `States.Format` has its own escapes.
    fn string(&mut self) -> Option<ParsedArgument> {
        let start = self.cursor.at();
        self.cursor.bump();
        let inside = self.cursor.at();
        let mut value = String::new();
        loop {
            let here = self.cursor.here();
            match self.cursor.bump() {
                None => {
                    let error = ExprError::new(&WF0310, start..start + 1, "unclosed string");
                    return self.refuse(error.help("close it with `'`"));
                }
                Some('\'') => break,
                Some('\\') => match self.cursor.peek() {
                    Some(c @ ('\'' | '{' | '}' | '\\')) => {
                        value.push(c);
                        self.cursor.bump();
                    }
                    Some(c) => {
                        let at = here.start..self.cursor.here().end;
                        return self.refuse(ExprError::new(&WF0315, at, format!("unknown escape `\\{c}`")));
                    }
                    None => {
                        return self.refuse(ExprError::new(&WF0315, here, "unexpected end of the string after `\\`"));
                    }
                },
                Some(c) => value.push(c),
            }
        }
        let raw = inside..self.cursor.at() - 1;
        let mut argument = ParsedArgument::literal(Literal::String(value), start..self.cursor.at());
        argument.raw = Some((self.text.value[raw.clone()].to_owned(), raw.start));
        Some(argument)
    }
}

/// Returns the intrinsic function that corresponds to a function of another language.
fn equivalent(bare: &str) -> Option<&'static str> {
    let entry = OTHER_NAMES.iter().find(|(names, _)| names.iter().any(|name| name.eq_ignore_ascii_case(bare)));
    entry.map(|(_, intrinsic)| *intrinsic)
}

fn unknown_function(name: &str, at: Range<usize>) -> ExprError {
    let error = ExprError::new(&WF0311, at, format!("unknown intrinsic function `{name}`"));
    let names = || INTRINSICS.iter().map(|intrinsic| intrinsic.name);
    let bare = name.strip_prefix("States.");
    let near = match bare {
        // The shared prefix would make all names look similar.
        Some(bare) => equivalent(bare).or_else(|| {
            let bare_names: Vec<&str> = names().filter_map(|known| known.strip_prefix("States.")).collect();
            let near = likely(bare, bare_names)?;
            names().find(|known| known.strip_prefix("States.") == Some(near))
        }),
        None => names().find(|known| known.strip_prefix("States.").is_some_and(|bare| bare.eq_ignore_ascii_case(name))),
    };
    match near {
        Some(near) => error.help(format!("did you mean `{near}`?")).replace_by(near),
        None => error.help("run `cargo workflow explain WF0311` for a list"),
    }
}

fn wrong_number(intrinsic: &Intrinsic, found: usize, at: Range<usize>) -> Option<ExprError> {
    let most = intrinsic.arguments.len();
    let least = most - intrinsic.optional;
    if found >= least && (found <= most || intrinsic.variadic) {
        return None;
    }
    let wanted = match (intrinsic.variadic, least == most) {
        (true, _) => format!("at least {}", count(least)),
        (false, true) if least == 0 => "no arguments".to_owned(),
        (false, true) => count(least),
        (false, false) => format!("{least} or {}", count(most)),
    };
    let error = ExprError::new(&WF0312, at, format!("`{}` takes {wanted}, found {found}", intrinsic.name));
    Some(error.help(format!("call it as `{}`", signature(intrinsic))))
}

/// Returns the signature for messages: `States.MathRandom(number, number[, number])`.
fn signature(intrinsic: &Intrinsic) -> String {
    let least = intrinsic.arguments.len() - intrinsic.optional;
    let mut text = format!("{}(", intrinsic.name);
    for (at, kind) in intrinsic.arguments.iter().enumerate() {
        let name = kind.name().trim_start_matches("an ").trim_start_matches("a ");
        let comma = if at > 0 { ", " } else { "" };
        text.push_str(&if at < least { format!("{comma}{name}") } else { format!("[{comma}{name}]") });
    }
    text.push_str(if intrinsic.variadic { ", …)" } else { ")" });
    text
}

fn count(arguments: usize) -> String {
    if arguments == 1 { "1 argument".to_owned() } else { format!("{arguments} arguments") }
}

/// Returns a call as faults show it, truncated if it is very long.
fn truncated(call: &str) -> Cow<'_, str> {
    if call.len() <= MAX_SHOWN_BYTES {
        return Cow::Borrowed(call);
    }
    let end = (0..=MAX_SHOWN_BYTES).rev().find(|at| call.is_char_boundary(*at)).unwrap_or(0);
    Cow::Owned(format!("{}…", &call[..end]))
}
