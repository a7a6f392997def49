//! Text of an intrinsic function → [`Expr`] (ASL, "Intrinsic Functions").

use super::arguments::{self, Argument};
use super::functions::{INTRINSICS, Intrinsic};
use super::{LONGEST_SHOWN, MAX_NESTING};
use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::expressions::{E0310, E0311, E0312, E0315, W0303};
use crate::diagnostics::suggest::nearest;
use crate::expr::cursor::Cursor;
use crate::expr::flaw::Flaw;
use crate::expr::jsonpath::{self, Roots};
use crate::expr::{Expr, Literal};
use crate::syntax::Text;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// What the intrinsic functions are called elsewhere.
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

/// Reads a text that is one call and nothing else.
pub(super) fn whole(text: &Text, roots: &dyn Roots, diagnostics: &mut Diagnostics) -> Option<Expr> {
    let mut parser = Parser { text, cursor: Cursor::new(&text.value, 0), roots, diagnostics, depth: 0 };
    let argument = parser.call()?;
    parser.cursor.skip_blanks();
    if !parser.cursor.is_at_end() {
        let at = parser.cursor.here();
        return parser.refuse(
            Flaw::new(&E0310, at, "nothing may follow the intrinsic function")
                .help("remove what follows, or join texts with `States.Format`"),
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
    fn refuse<T>(&mut self, flaw: Flaw) -> Option<T> {
        self.diagnostics.push(flaw.in_text(self.text));
        None
    }

    fn call(&mut self) -> Option<Argument> {
        let start = self.cursor.at();
        let name = self.cursor.take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_')).to_owned();
        let name_at = start..self.cursor.at();
        if name.is_empty() {
            return self.refuse_start();
        }
        if self.cursor.peek() != Some('(') {
            let at = self.cursor.here();
            let (message, help) = if name.starts_with("States.") {
                ("an intrinsic function has its arguments in parentheses", "they follow the name at once".to_owned())
            } else if self.depth == 0 {
                ("this is not an intrinsic function", "it starts with `States.`; a path starts with `$`".to_owned())
            } else {
                ("this is not an argument", format!("write a string in single quotes: `'{name}'`"))
            };
            return self.refuse(Flaw::new(&E0310, start..at.end, message).help(help));
        }
        let Some(intrinsic) = INTRINSICS.iter().find(|intrinsic| intrinsic.name == name) else {
            return self.refuse(unknown(&name, name_at));
        };
        if self.depth == MAX_NESTING {
            let message = format!("intrinsic functions nest at most {MAX_NESTING} deep");
            return self.refuse(Flaw::new(&E0310, name_at, message).help("compute the inner values in a state before"));
        }
        self.depth += 1;
        let arguments = self.arguments(start)?;
        self.depth -= 1;
        let at = start..self.cursor.at();
        if let Some(flaw) = wrong_number(intrinsic, arguments.len(), at.clone()) {
            return self.refuse(flaw);
        }
        // Paths inside show the call they stand in, which is known only now.
        let call = &Arc::from(shown(self.cursor.since(start)));
        let document = self.roots.document();
        match arguments::lower(intrinsic, arguments, call, &document, at.clone()) {
            Ok(expr) => Some(Argument { expr, kind: intrinsic.returns, at, path: None, raw: None }),
            Err(flaw) => self.refuse(*flaw),
        }
    }

    fn refuse_start<T>(&mut self) -> Option<T> {
        let at = self.cursor.here();
        let flaw = match self.cursor.peek() {
            None => Flaw::new(&E0310, at, "an intrinsic function is expected here"),
            Some('"') => Flaw::new(&E0310, at, "strings are written in single quotes here").help("replace `\"` by `'`"),
            Some(c) if c.is_whitespace() => {
                Flaw::new(&E0310, at, "an intrinsic function starts without blanks").help("leave the blanks out")
            }
            Some(c) => Flaw::new(&E0310, at, format!("`{c}` is not expected here"))
                .help("arguments are paths, strings in single quotes, numbers, `true`, `false`, `null` and calls"),
        };
        self.refuse(flaw)
    }

    /// From the parenthesis that opens to the one that closes.
    fn arguments(&mut self, start: usize) -> Option<Vec<Argument>> {
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
                return self.refuse(Flaw::new(&E0310, at, "an argument is missing after the comma"));
            }
            let end = self.cursor.here();
            self.cursor.skip_blanks();
            if self.cursor.eat(")") {
                return Some(arguments);
            }
            // AWS's editor accepts blanks between arguments in place of a comma.
            let apart = self.cursor.here().start > end.start;
            if apart && matches!(self.cursor.peek(), Some('$' | '\'' | 'S')) {
                let flaw =
                    Flaw::new(&W0303, end.start..self.cursor.here().start, "a comma is missing between arguments");
                self.diagnostics.push(flaw.help("write `, `").replace_by(", ").in_text(self.text));
            } else if !self.cursor.eat(",") {
                let flaw = match self.cursor.peek() {
                    None => Flaw::new(&E0310, open, "this parenthesis is not closed").help("close it with `)`"),
                    Some(_) => {
                        let at = start..self.cursor.here().end;
                        Flaw::new(&E0310, at, "`,` or `)` is expected after an argument")
                    }
                };
                return self.refuse(flaw);
            }
        }
    }

    fn argument(&mut self) -> Option<Argument> {
        let start = self.cursor.at();
        match self.cursor.peek() {
            Some('$') => {
                let path = jsonpath::parse_argument(&mut self.cursor, self.text, self.roots, self.diagnostics)?;
                Some(Argument::path(path, start..self.cursor.at()))
            }
            Some('\'') => self.string(),
            Some(c) if c == '-' || c.is_ascii_digit() => self.number(),
            _ => match self.word() {
                Some(value) => Some(Argument::literal(value, start..self.cursor.at())),
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

    fn number(&mut self) -> Option<Argument> {
        let start = self.cursor.at();
        let rest = self.cursor.rest();
        let Some((value, len)) = jsonpath::number(rest) else {
            let at = self.cursor.here();
            return self.refuse(Flaw::new(&E0310, at, "this is not a number").help("numbers are written as in JSON"));
        };
        self.cursor.eat(&rest[..len]);
        Some(Argument::literal(value, start..self.cursor.at()))
    }

    /// A string in single quotes; kept as written too, because the template of `States.Format` has escapes of its own.
    fn string(&mut self) -> Option<Argument> {
        let start = self.cursor.at();
        self.cursor.bump();
        let inside = self.cursor.at();
        let mut value = String::new();
        loop {
            let here = self.cursor.here();
            match self.cursor.bump() {
                None => {
                    let flaw = Flaw::new(&E0310, start..start + 1, "this string is not closed");
                    return self.refuse(flaw.help("close it with `'`"));
                }
                Some('\'') => break,
                Some('\\') => match self.cursor.peek() {
                    Some(c @ ('\'' | '{' | '}' | '\\')) => {
                        value.push(c);
                        self.cursor.bump();
                    }
                    Some(c) => {
                        let at = here.start..self.cursor.here().end;
                        return self.refuse(Flaw::new(&E0315, at, format!("the escape `\\{c}` is not known")));
                    }
                    None => return self.refuse(Flaw::new(&E0315, here, "nothing follows the backslash")),
                },
                Some(c) => value.push(c),
            }
        }
        let raw = inside..self.cursor.at() - 1;
        let mut argument = Argument::literal(Literal::String(value), start..self.cursor.at());
        argument.raw = Some((self.text.value[raw.clone()].to_owned(), raw.start));
        Some(argument)
    }
}

/// The intrinsic function that does what functions of this name do in other languages.
fn other_name(bare: &str) -> Option<&'static str> {
    let known = OTHER_NAMES.iter().find(|(names, _)| names.iter().any(|name| name.eq_ignore_ascii_case(bare)));
    known.map(|(_, intrinsic)| *intrinsic)
}

fn unknown(name: &str, at: Range<usize>) -> Flaw {
    let flaw = Flaw::new(&E0311, at, format!("there is no intrinsic function `{name}`"));
    let names = || INTRINSICS.iter().map(|intrinsic| intrinsic.name);
    let bare = name.strip_prefix("States.");
    let near = match bare {
        // The prefix that all names share says nothing of how near they are.
        Some(bare) => other_name(bare).or_else(|| {
            let near = nearest(bare, names().filter_map(|known| known.strip_prefix("States.")))?;
            names().find(|known| known.strip_prefix("States.") == Some(near))
        }),
        None => names().find(|known| known.strip_prefix("States.").is_some_and(|bare| bare.eq_ignore_ascii_case(name))),
    };
    match near {
        Some(near) => flaw.help(format!("did you mean `{near}`?")).replace_by(near),
        None => flaw.help("`cargo workflow explain E0311` lists them"),
    }
}

fn wrong_number(intrinsic: &Intrinsic, given: usize, at: Range<usize>) -> Option<Flaw> {
    let most = intrinsic.arguments.len();
    let least = most - intrinsic.optional;
    if given >= least && (given <= most || intrinsic.variadic) {
        return None;
    }
    let wanted = match (intrinsic.variadic, least == most) {
        (true, _) => format!("at least {}", count(least)),
        (false, true) if least == 0 => "no arguments".to_owned(),
        (false, true) => count(least),
        (false, false) => format!("{least} or {}", count(most)),
    };
    let flaw = Flaw::new(&E0312, at, format!("`{}` takes {wanted}, and is given {given}", intrinsic.name));
    Some(flaw.help(format!("it is called as `{}`", signature(intrinsic))))
}

/// `States.MathRandom(number, number[, number])`.
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

/// A call as its faults show it: cut where it is very long.
fn shown(call: &str) -> Cow<'_, str> {
    if call.len() <= LONGEST_SHOWN {
        return Cow::Borrowed(call);
    }
    let end = (0..=LONGEST_SHOWN).rev().find(|at| call.is_char_boundary(*at)).unwrap_or(0);
    Cow::Owned(format!("{}…", &call[..end]))
}
