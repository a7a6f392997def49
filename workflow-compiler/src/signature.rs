//! Signatures of tasks, as `tasks` of the macro and `task` of build scripts take them:
//! `charge(Charge) -> Receipt`.

use crate::options::{RustCode, TaskBinding};
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use std::fmt;

/// A mistake in a signature.
#[derive(Debug, Clone)]
pub struct SignatureError {
    /// The span of the wrong token.
    pub span: Span,
    /// The mistake.
    pub message: String,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SignatureError {}

/// Words before which a type can go on without punctuation, as in `dyn Error` or `&mut T`.
const KEYWORDS: [&str; 8] = ["const", "dyn", "extern", "for", "impl", "mut", "unsafe", "fn"];

impl TaskBinding {
    /// Parses `method(Input) -> Output`. Both types are optional, and `Value` by default.
    ///
    /// The outlines of the types are checked, for precise messages. All else is up to rustc.
    pub fn parse(task: impl Into<String>, signature: TokenStream) -> Result<TaskBinding, SignatureError> {
        let mut tokens = Tokens { rest: signature.into_iter().collect::<Vec<_>>().into_iter().peekable(), last: None };
        let method = match tokens.next() {
            Some(TokenTree::Ident(method)) => method.to_string(),
            found => return Err(tokens.unexpected(found, "the name of a method, as in `charge(Charge) -> Receipt`")),
        };
        let mut binding = TaskBinding { task: task.into(), method, input: None, output: None };
        match tokens.rest.peek() {
            Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                let inside = group.stream();
                let end = group.span_close();
                tokens.next();
                if !inside.is_empty() {
                    binding.input = Some(read_type(inside, end)?);
                }
            }
            _ => {}
        }
        match tokens.next() {
            None => return Ok(binding),
            Some(TokenTree::Punct(dash)) if dash.as_char() == '-' => {}
            found if binding.input.is_some() => return Err(tokens.unexpected(found, "`->` and the type of the output")),
            found => {
                return Err(tokens.unexpected(found, "`(` and the type of the input, or `->` and that of the output"));
            }
        }
        match tokens.next() {
            Some(TokenTree::Punct(arrow)) if arrow.as_char() == '>' => {}
            found => return Err(tokens.unexpected(found, "`->` and the type of the output")),
        }
        let end = tokens.last.unwrap_or_else(Span::call_site);
        binding.output = Some(read_type(tokens.rest.collect(), end)?);
        Ok(binding)
    }
}

/// The tokens that are left, and the span of the last one that was taken.
struct Tokens {
    rest: std::iter::Peekable<std::vec::IntoIter<TokenTree>>,
    last: Option<Span>,
}

impl Tokens {
    fn next(&mut self) -> Option<TokenTree> {
        let next = self.rest.next();
        self.last = next.as_ref().map(TokenTree::span).or(self.last);
        next
    }

    /// Returns the error for a token that is something else. `None` is the end.
    fn unexpected(&self, found: Option<TokenTree>, expected: &str) -> SignatureError {
        let span = self.last.unwrap_or_else(Span::call_site);
        let message = match found {
            Some(token) => format!("expected {expected}, found `{}`", shown(&token)),
            None => format!("expected {expected}, found the end of the signature"),
        };
        SignatureError { span, message }
    }
}

fn shown(token: &TokenTree) -> String {
    match token {
        TokenTree::Group(group) => match group.delimiter() {
            Delimiter::Parenthesis => "(".to_owned(),
            Delimiter::Brace => "{".to_owned(),
            Delimiter::Bracket => "[".to_owned(),
            Delimiter::None => group.to_string(),
        },
        token => token.to_string(),
    }
}

/// Checks the outline of a type: balanced angle brackets, punctuation between names, nothing
/// outside. `end` is the span of its end.
fn read_type(tokens: TokenStream, end: Span) -> Result<RustCode, SignatureError> {
    let fail = |span: Span, message: String| Err(SignatureError { span, message });
    // The open angle brackets: their spans, and `true` for those of `for<'a>`.
    let mut open: Vec<(Span, bool)> = Vec::new();
    // Whether a type is complete before the token, so that a name cannot follow.
    let mut complete = false;
    let mut before = String::new();
    let mut list = tokens.clone().into_iter().peekable();
    while let Some(token) = list.next() {
        match &token {
            TokenTree::Punct(punct) => match punct.as_char() {
                '-' if matches!(list.peek(), Some(TokenTree::Punct(next)) if next.as_char() == '>') => {
                    list.next();
                    complete = false;
                }
                '<' => {
                    open.push((token.span(), before == "for"));
                    complete = false;
                }
                '>' => match open.pop() {
                    Some((_, is_for)) => complete = !is_for,
                    None => return fail(token.span(), "unmatched `>`".to_owned()),
                },
                '!' => {
                    // The type `!`, or a macro with its input.
                    list.next_if(|next| matches!(next, TokenTree::Group(_)));
                    complete = true;
                }
                ',' if open.is_empty() => {
                    let message = "expected one type, found `,`: a task has one input and one output";
                    return fail(token.span(), message.to_owned());
                }
                '\'' => {
                    list.next();
                    complete = before != "&";
                }
                _ => complete = false,
            },
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => complete = true,
            TokenTree::Ident(word) if word == "as" => complete = false,
            _ if complete => {
                return fail(token.span(), format!("expected one type, found `{}` after it", shown(&token)));
            }
            TokenTree::Ident(word) => complete = !KEYWORDS.contains(&&*word.to_string()),
            TokenTree::Group(_) => complete = true,
            TokenTree::Literal(_) => complete = before != "extern",
        }
        before = shown(&token);
    }
    match open.pop() {
        Some((span, _)) => fail(span, "unclosed `<`".to_owned()),
        None if !complete => fail(end, "expected a type, as in `charge(Charge) -> Receipt`".to_owned()),
        None => Ok(RustCode::from(tokens)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(signature: &str) -> Result<TaskBinding, String> {
        let tokens = signature.parse().map_err(|_| "not tokens".to_owned())?;
        TaskBinding::parse("Charge", tokens).map_err(|error| error.to_string())
    }

    #[test]
    fn signatures_have_up_to_two_types() {
        for (signature, method, input, output) in [
            ("charge", "charge", None, None),
            ("charge()", "charge", None, None),
            ("charge(Order)", "charge", Some("Order"), None),
            ("charge -> Receipt", "charge", None, Some("Receipt")),
            ("charge() -> ()", "charge", None, Some("()")),
            (
                "charge((String, u8)) -> HashMap<String, Vec<[u8; 4]>>",
                "charge",
                Some("(String , u8)"),
                Some("HashMap < String , Vec < [u8 ; 4] >>"),
            ),
            ("f(&'a mut T) -> !", "f", Some("& 'a mut T"), Some("!")),
            ("f(crate::orders::Order)", "f", Some("crate :: orders :: Order"), None),
            ("f(Box<dyn Fn(A) -> B + Send>)", "f", Some("Box < dyn Fn (A) -> B + Send >"), None),
            ("f(<A as B>::C) -> kind!(x)", "f", Some("< A as B > :: C"), Some("kind ! (x)")),
            ("f(dyn for<'a> Fn(&'a T) + 'static)", "f", Some("dyn for < 'a > Fn (& 'a T) + 'static"), None),
            ("f(extern \"C\" fn(A) -> B) -> kind![x]", "f", Some("extern \"C\" fn (A) -> B"), Some("kind ! [x]")),
            ("r#if(Order<3, '_, -1>)", "r#if", Some("Order < 3 , '_ , - 1 >"), None),
        ] {
            let binding = parsed(signature).unwrap_or_else(|error| panic!("{signature}: {error}"));
            let unspaced = |text: &str| text.replace(' ', "");
            let text = |code: Option<RustCode>| code.map(|code| unspaced(&code.to_string()));
            let found = (&*binding.method, text(binding.input), text(binding.output));
            assert_eq!(found, (method, input.map(unspaced), output.map(unspaced)), "{signature}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (signature, expected) in [
            ("", "expected the name of a method, as in `charge(Charge) -> Receipt`, found the end of the signature"),
            ("(Order)", "expected the name of a method, as in `charge(Charge) -> Receipt`, found `(`"),
            ("charge Order", "expected `(` and the type of the input, or `->` and that of the output, found `Order`"),
            ("charge::it", "expected `(` and the type of the input, or `->` and that of the output, found `:`"),
            ("charge(Order) Receipt", "expected `->` and the type of the output, found `Receipt`"),
            ("charge(Order) - Receipt", "expected `->` and the type of the output, found `Receipt`"),
            ("charge(Order) ->", "expected a type, as in `charge(Charge) -> Receipt`"),
            ("charge(Order, Card)", "expected one type, found `,`: a task has one input and one output"),
            ("charge(Order) -> Receipt, Card", "expected one type, found `,`: a task has one input and one output"),
            ("charge(Order Card)", "expected one type, found `Card` after it"),
            ("charge(Order) -> Receipt { }", "expected one type, found `{` after it"),
            ("charge(Vec<Order)", "unclosed `<`"),
            ("charge(Vec<Order>>)", "unmatched `>`"),
            ("charge(crate::)", "expected a type, as in `charge(Charge) -> Receipt`"),
            ("charge(&mut)", "expected a type, as in `charge(Charge) -> Receipt`"),
        ] {
            assert_eq!(parsed(signature).err().as_deref(), Some(expected), "{signature}");
        }
    }
}
