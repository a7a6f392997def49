//! Conversion of a token stream to raw trees: joined operators, whole lifetimes and attributes,
//! and groups for `<…>` and `|…|`.

use super::doc;
use super::parse::{self, LayoutContext};
use super::tree::{self, Attribute, Role};
use proc_macro2::{Delimiter, Punct, Spacing, TokenStream, TokenTree};

/// A token, or an unparsed group.
#[derive(Debug)]
pub enum Raw {
    Word(String),
    Literal(String),
    Op(&'static str),
    /// Parentheses, brackets, braces.
    Group(Delimiter, TokenStream),
    /// `<…>` or `|…|`.
    Folded(Role, Vec<Raw>),
    Attribute(Attribute),
}

/// Operators of more than one character. `<<` and `>>` are not among them, because generics open
/// and close with these characters.
const JOINED: &[&str] = &[
    "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "..", "...", "..=", "+=", "-=", "*=", "/=", "%=", "^=", "&=",
    "|=",
];

/// All operators of one character.
const SINGLE: &[&str] =
    &["=", "<", ">", "!", "~", "+", "-", "*", "/", "%", "^", "&", "|", "@", ".", ",", ";", ":", "#", "$", "?", "'"];

/// Returns the trees of a stream.
pub fn read(stream: TokenStream) -> Vec<Raw> {
    let mut flat = Vec::new();
    splice(stream, &mut flat);
    let mut fold = Fold::default();
    let mut tokens = flat.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let raw = match token {
            TokenTree::Ident(word) => Raw::Word(word.to_string()),
            TokenTree::Literal(literal) => {
                let mut literal = literal.to_string();
                // The `0.` of `self.0.name` is one token in a macro, and two in a file.
                if literal.ends_with('.') && matches!(fold.raws.last(), Some(Raw::Op("."))) {
                    literal.pop();
                    fold.push(Raw::Literal(literal));
                    Raw::Op(".")
                } else {
                    Raw::Literal(literal)
                }
            }
            TokenTree::Group(group) => Raw::Group(group.delimiter(), group.stream()),
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match tokens.next_if(is_ident) {
                Some(name) => Raw::Word(format!("'{name}")),
                None => Raw::Op("'"),
            },
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let inner = tokens.next_if(|next| matches!(next, TokenTree::Punct(punct) if punct.as_char() == '!'));
                match tokens.next_if(is_brackets) {
                    Some(TokenTree::Group(body)) => Raw::Attribute(attribute(inner.is_some(), body.stream())),
                    _ => {
                        fold.push(Raw::Op("#"));
                        if inner.is_none() {
                            continue;
                        }
                        Raw::Op("!")
                    }
                }
            }
            TokenTree::Punct(punct) => Raw::Op(operator(punct, &mut tokens)),
        };
        fold.push(raw);
    }
    fold.raws
}

/// Flattens a stream: opens groups without delimiters.
fn splice(stream: TokenStream, flat: &mut Vec<TokenTree>) {
    for token in stream {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::None => splice(group.stream(), flat),
            token => flat.push(token),
        }
    }
}

fn is_ident(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(_))
}

fn is_brackets(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket)
}

/// Reads an operator, as long as its characters are joined.
fn operator(first: Punct, tokens: &mut std::iter::Peekable<std::vec::IntoIter<TokenTree>>) -> &'static str {
    let mut text = known(SINGLE, &first.as_char().to_string()).unwrap_or("?");
    let mut last = first;
    while last.spacing() == Spacing::Joint {
        let Some(TokenTree::Punct(next)) = tokens.peek() else { break };
        let next = next.clone();
        let Some(longer) = known(JOINED, &format!("{text}{}", next.as_char())) else { break };
        text = longer;
        last = next;
        tokens.next();
    }
    text
}

fn known(operators: &[&'static str], text: &str) -> Option<&'static str> {
    operators.iter().find(|known| **known == text).copied()
}

fn attribute(inner: bool, body: TokenStream) -> Attribute {
    let body = read(body);
    let doc = if inner { None } else { doc::lines(&body) };
    let mut text = String::from(if inner { "#![" } else { "#[" });
    let body = parse::parse(body, LayoutContext::List);
    for entry in &body {
        tree::write_entry(entry, &mut text);
    }
    text.push(']');
    Attribute { text, body, doc }
}

/// Construction of groups of `<…>` and `|…|`.
#[derive(Default)]
struct Fold {
    raws: Vec<Raw>,
    /// Positions at which groups may have been opened.
    open: Vec<usize>,
}

impl Fold {
    fn push(&mut self, raw: Raw) {
        match &raw {
            Raw::Op("<") if self.opens_generics() => self.open.push(self.raws.len()),
            Raw::Op("|") if self.top_is("|") => return self.close(Role::Params),
            Raw::Op("|") if !self.raws.last().is_some_and(ends_operand) => self.open.push(self.raws.len()),
            Raw::Op(">") if self.top_is("<") => return self.close(Role::Generics),
            Raw::Op(";" | "&&" | "||" | "=>") | Raw::Group(Delimiter::Brace, _) => self.open.clear(),
            _ => {}
        }
        self.raws.push(raw);
    }

    fn top_is(&self, op: &str) -> bool {
        let top = self.open.last().and_then(|at| self.raws.get(*at));
        matches!(top, Some(Raw::Op(open)) if *open == op)
    }

    fn close(&mut self, role: Role) {
        if let Some(at) = self.open.pop() {
            let inner = self.raws.split_off(at + 1);
            self.raws.pop();
            self.raws.push(Raw::Folded(role, inner));
        }
    }

    /// Returns `true` if a `<` here opens generics: after a path or a name of a type or function,
    /// or at the start of a type.
    fn opens_generics(&self) -> bool {
        match &self.raws[..] {
            [.., Raw::Word(before), Raw::Word(_)] if before == "fn" => true,
            [.., Raw::Word(word)] => {
                matches!(word.as_str(), "impl" | "for" | "fn") || word.starts_with(char::is_uppercase)
            }
            [.., last] => !ends_operand(last),
            [] => true,
        }
    }
}

/// Returns `true` if an operator after `raw` is binary.
fn ends_operand(raw: &Raw) -> bool {
    match raw {
        Raw::Word(word) => !is_keyword(word),
        Raw::Literal(_) | Raw::Op("?") => true,
        Raw::Group(delimiter, _) => *delimiter != Delimiter::Brace,
        Raw::Folded(role, _) => *role == Role::Generics,
        Raw::Op(_) | Raw::Attribute(_) => false,
    }
}

/// Returns `true` for a keyword that is not an operand itself.
pub fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "as" | "async"
            | "break"
            | "const"
            | "continue"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "fn"
            | "for"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "pub"
            | "ref"
            | "return"
            | "static"
            | "struct"
            | "trait"
            | "type"
            | "unsafe"
            | "use"
            | "where"
            | "while"
    )
}
