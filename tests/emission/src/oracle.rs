//! The rules for generated code, and their checks.

mod turns;

use crate::Family;
use crate::input::Texts;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use unicode_normalization::UnicodeNormalization;
use workflow_compiler::names::{camel_case, snake_case};
use workflow_compiler::{Output, pretty};

/// Generated code, as text and as tokens.
#[derive(Debug)]
pub(crate) struct Code {
    text: String,
    tokens: Vec<Token>,
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A token. Brackets of groups are tokens of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Name(String),
    /// An operator's character or a bracket.
    Sign(char),
    Literal(String),
    /// Lines of documentation, joined.
    Doc(String),
}

/// Checks the code by itself: it is Rust, the printed text has the emitted tokens, all its
/// characters are visible as they are, and functions take the turn that they use. Returns `None`
/// if the definition is refused.
pub(crate) fn sound(output: &Output) -> Result<Option<Code>, String> {
    let Some(text) = pretty(output) else { return Ok(None) };
    if let Some(c) = text.chars().find(|c| !matches!(c, '\n' | '\t') && is_misleading(*c)) {
        return Err(format!("the code has U+{:04X} in it:\n{text}", u32::from(c)));
    }
    syn::parse_file(&text).map_err(|error| format!("the code is not Rust: {error}\n{text}"))?;
    let printed: TokenStream = text.parse().map_err(|error| format!("the code is not Rust: {error}\n{text}"))?;
    let tokens = flat(output.tokens.clone().unwrap_or_default());
    let (emitted, printed) = (without_commas(&tokens), without_commas(&flat(printed)));
    if let Some(at) = (0..printed.len().max(emitted.len())).find(|at| printed.get(*at) != emitted.get(*at)) {
        let near =
            |tokens: &[Token]| format!("{:?}", tokens.iter().skip(at.saturating_sub(4)).take(9).collect::<Vec<_>>());
        let (emitted, printed) = (near(&emitted), near(&printed));
        return Err(format!("what is printed is not what was emitted: {emitted} became {printed}\n{text}"));
    }
    turns::check_turns(&tokens).map_err(|problem| format!("{problem}\n{text}"))?;
    Ok(Some(Code { text, tokens: without_statics(tokens) }))
}

/// Returns the tokens with texts in the places of their statics: a long text becomes a static, and
/// a short one does not.
fn without_statics(tokens: Vec<Token>) -> Vec<Token> {
    let mut texts = BTreeMap::new();
    let mut rest = Vec::new();
    let mut head: Vec<Token> = Vec::new();
    let is_static = |token: &Token| matches!(token, Token::Name(name) if name == "static");
    for token in tokens {
        // The tokens before may begin with a static of another type.
        if is_static(&token) {
            rest.append(&mut head);
        }
        head.push(token);
        if let [
            first,
            Token::Name(name),
            Token::Sign(':'),
            Token::Sign('&'),
            Token::Name(ty),
            Token::Sign('='),
            text,
            Token::Sign(';'),
        ] = &head[..]
            && is_static(first)
            && ty == "str"
        {
            texts.insert(name.clone(), text.clone());
            head.clear();
        } else if !is_static(&head[0]) || head.len() >= 8 {
            rest.append(&mut head);
        }
    }
    rest.append(&mut head);
    let replaced = |token: Token| match &token {
        Token::Name(name) => texts.get(name).cloned().unwrap_or(token),
        _ => token,
    };
    rest.into_iter().map(replaced).collect()
}

/// Returns `true` if a character is not visible as itself: it controls, ends a line, or changes
/// the direction of text.
fn is_misleading(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the tokens in a row, without what depends on the layout: commas before closing
/// brackets, brackets around single expressions, and the division of long texts.
fn flat(stream: TokenStream) -> Vec<Token> {
    let mut tokens = Vec::new();
    flatten(stream, &mut tokens);
    join_texts(tokens)
}

/// The tokens before `concat!` in its path.
const PATH: [&str; 5] = [":", ":", "core", ":", ":"];

/// Replaces each `::core::concat!` of literals by one literal.
fn join_texts(tokens: Vec<Token>) -> Vec<Token> {
    let mut joined = Vec::with_capacity(tokens.len());
    let mut rest = &tokens[..];
    while let [first, after @ ..] = rest {
        let concat = matches!(first, Token::Name(name) if name == "concat");
        let text = after.strip_prefix(&[Token::Sign('!'), Token::Sign('(')]).filter(|_| concat).and_then(|parts| {
            let end = parts.iter().position(|token| *token == Token::Sign(')'))?;
            let parts_text = parts[..end].iter().filter(|token| **token != Token::Sign(','));
            let literals: Option<Vec<&str>> = parts_text.map(Token::text).collect();
            Some((literals?.concat(), &parts[end + 1..]))
        });
        match text {
            Some((text, after)) => {
                joined.truncate(joined.len().saturating_sub(PATH.len()));
                joined.push(Token::Literal(format!("\"{text}\"")));
                rest = after;
            }
            None => {
                joined.push(first.clone());
                rest = after;
            }
        }
    }
    joined
}

impl Token {
    /// Returns the text between the quotes of a literal.
    fn text(&self) -> Option<&str> {
        let Token::Literal(literal) = self else { return None };
        literal.strip_prefix('"')?.strip_suffix('"')
    }
}

/// Removes the brackets around the only expression of a closure or an arm, which end at the last
/// token, and the semicolon after it: the layout may add them.
fn unwrap_body(tokens: &mut Vec<Token>, open: usize) {
    let is_body = matches!(tokens[..open], [.., Token::Sign('='), Token::Sign('>')] | [.., Token::Sign('|')]);
    let mut inner = &tokens[open + 1..tokens.len() - 1];
    if let [expression @ .., Token::Sign(';')] = inner {
        inner = expression;
    }
    let mut depth = 0;
    let has_statements = inner.iter().any(|token| {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        depth == 0 && *token == Token::Sign(';')
    });
    if is_body && !has_statements {
        let inner = inner.to_vec();
        tokens.truncate(open);
        tokens.extend(inner);
    }
}

/// Removes commas: the layout leaves out the one after an arm with a block.
fn without_commas(tokens: &[Token]) -> Vec<Token> {
    tokens.iter().filter(|token| **token != Token::Sign(',')).cloned().collect()
}

fn flatten(stream: TokenStream, tokens: &mut Vec<Token>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(name) => tokens.push(Token::Name(name.to_string())),
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                let doc = trees.peek().and_then(documentation);
                match (doc, tokens.last_mut()) {
                    (None, _) => tokens.push(Token::Sign('#')),
                    (Some(doc), Some(Token::Doc(before))) => {
                        trees.next();
                        before.push('\n');
                        before.push_str(&doc);
                    }
                    (Some(doc), _) => {
                        trees.next();
                        tokens.push(Token::Doc(doc));
                    }
                }
            }
            TokenTree::Punct(punct) => tokens.push(Token::Sign(punct.as_char())),
            TokenTree::Literal(literal) => {
                let literal = literal.to_string();
                let number = literal.strip_prefix('-');
                tokens.extend(number.map(|_| Token::Sign('-')));
                tokens.push(Token::Literal(number.unwrap_or(&literal).to_owned()));
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ('(', ')'),
                    Delimiter::Brace => ('{', '}'),
                    Delimiter::Bracket => ('[', ']'),
                    Delimiter::None => {
                        flatten(group.stream(), tokens);
                        continue;
                    }
                };
                let start = tokens.len();
                tokens.push(Token::Sign(open));
                flatten(group.stream(), tokens);
                if tokens.last() == Some(&Token::Sign(',')) {
                    tokens.pop();
                }
                tokens.push(Token::Sign(close));
                if open == '{' {
                    unwrap_body(tokens, start);
                }
            }
        }
    }
}

/// Returns the text in the brackets of a `doc` attribute.
fn documentation(tree: &TokenTree) -> Option<String> {
    let TokenTree::Group(group) = tree else { return None };
    let mut inner = group.stream().into_iter();
    let is_doc = matches!(inner.next(), Some(TokenTree::Ident(name)) if name == "doc");
    let Some(TokenTree::Literal(text)) = inner.nth(1) else { return None };
    let text: syn::LitStr = syn::parse_str(&text.to_string()).ok()?;
    is_doc.then(|| text.value().trim_end().to_owned())
}

/// Checks that the code equals the model's, except for strings, and for names that come from the
/// texts.
pub(crate) fn same(family: Family, code: &Code, model: &Code, hostile: &Texts, plain: &Texts) -> Result<(), String> {
    // In states, only the compiler's table makes names.
    let derived = family == Family::Names;
    let texts: BTreeMap<&str, &str> = plain.iter().zip(hostile.iter()).collect();
    let mut names: BTreeMap<&str, &str> = BTreeMap::new();
    // The names of the locals of each open block, and of those that the next block declares.
    let mut blocks: Vec<BTreeMap<&str, &str>> = vec![BTreeMap::new()];
    let mut of_next: BTreeMap<&str, &str> = BTreeMap::new();
    let mut depth = 0;
    for at in 0..code.tokens.len().max(model.tokens.len()) {
        let (token, expected) = (code.tokens.get(at), model.tokens.get(at));
        let differ = || {
            let near = |tokens: &[Token]| {
                format!("{:?}", tokens.iter().skip(at.saturating_sub(6)).take(14).collect::<Vec<_>>())
            };
            Err(format!(
                "another structure: {} where the plain definition has {}",
                near(&code.tokens),
                near(&model.tokens)
            ))
        };
        match (token, expected) {
            (Some(Token::Doc(_)), Some(Token::Doc(_))) => {}
            (Some(Token::Sign(one)), Some(Token::Sign(other))) if one == other => {
                depth += i32::from(*one == '{') - i32::from(*one == '}');
                match one {
                    '{' => blocks.push(std::mem::take(&mut of_next)),
                    '}' => drop(blocks.pop()),
                    _ => {}
                }
                // A variable of a definition has one name in the states, and may have another one
                // in an authored function.
                if !derived && *one == '}' && depth == 1 {
                    names.clear();
                    // The parameters of the function.
                    blocks.last_mut().into_iter().for_each(BTreeMap::clear);
                }
            }
            (Some(Token::Literal(one)), Some(Token::Literal(other))) if is_alike(one, other) => {}
            (Some(Token::Name(name)), Some(Token::Name(plain)))
                if matches!(family, Family::Jq | Family::Jsonata)
                    && is_local(&code.tokens, at)
                    && is_local(&model.tokens, at) =>
            {
                // The name of a local comes from its contents, if these have a name. Each scope
                // numbers its names separately. No plain word is a plural, whose singular would
                // name the items.
                let known = match blocks.iter().rev().find_map(|block| block.get(&**plain)) {
                    _ if is_of_next_block(&model.tokens, at) => {
                        of_next.insert(plain, name);
                        &**name
                    }
                    Some(known) => *known,
                    None => {
                        blocks.last_mut().and_then(|block| block.insert(plain, name));
                        &**name
                    }
                };
                if without_number(plain) != "item" && without_number(known) != without_number(name) {
                    return Err(format!("`{plain}` is `{known}` first, and `{name}` later"));
                }
            }
            (Some(Token::Name(name)), Some(Token::Name(model))) => {
                if is_from_text(model, &texts) {
                    let known = names.entry(model).or_insert(name);
                    // Every scope numbers its names separately.
                    let is_same = known == name || derived && without_number(known) == without_number(name);
                    // A part of the text that names a state may name the method of a task.
                    let is_part = |one: &str, other: &str| {
                        derived && one.strip_prefix(other).is_some_and(|rest| rest.starts_with('_'))
                    };
                    // A task is named by its state if its resource has no usable character.
                    let has_name = |text: &str| text.chars().any(unicode_ident::is_xid_continue);
                    let is_named = !derived || words_in(model, &texts).all(has_name);
                    if is_named && !is_same && !is_part(known, name) && !is_part(name, known) {
                        return Err(format!("`{model}` is `{known}` first, and `{name}` later"));
                    }
                    check_name(name, model, &texts, derived)?;
                } else if without_number(name) != without_number(model) {
                    return differ();
                }
            }
            _ => return differ(),
        }
    }
    check_distinct(code, model)
}

/// Returns `true` for the name of a variable: not a keyword, type, function, member, or segment of
/// a path.
fn is_local(tokens: &[Token], at: usize) -> bool {
    let Token::Name(name) = &tokens[at] else { return false };
    let sign = |at: Option<usize>| match at.and_then(|at| tokens.get(at)) {
        Some(Token::Sign(sign)) => *sign,
        _ => ' ',
    };
    let before = [sign(at.checked_sub(2)), sign(at.checked_sub(1))];
    let after = [sign(Some(at + 1)), sign(Some(at + 2))];
    let is_other = before == [':', ':'] || before[1] == '.' || matches!(after, [':', ':'] | ['(' | '!', _]);
    !is_other && !name.starts_with(char::is_uppercase) && syn::parse_str::<syn::Ident>(name).is_ok()
}

/// Returns `true` if two literals may stand for each other: two strings, or two numbers that are
/// hashes. Other numbers have to be equal.
fn is_alike(one: &str, other: &str) -> bool {
    let kind = |text: &str| text.chars().next().filter(|c| !c.is_ascii_digit());
    match (kind(one), kind(other)) {
        (None, None) => one == other || one.len() > 9 && other.len() > 9,
        // A raw string counts as a string.
        (Some('"' | 'r'), Some('"' | 'r')) => true,
        (one, other) => one == other,
    }
}

fn is_from_text(model: &str, texts: &BTreeMap<&str, &str>) -> bool {
    words_in(model, texts).next().is_some()
}

/// Returns the texts in whose places the plain words of a name stand.
fn words_in<'a>(model: &str, texts: &BTreeMap<&'a str, &'a str>) -> impl Iterator<Item = &'a str> {
    let model = model.to_lowercase();
    texts.iter().filter(move |(word, _)| model.contains(**word)).map(|(_, text)| *text)
}

/// Checks that a name is made from the texts in its place.
fn check_name(name: &str, model: &str, texts: &BTreeMap<&str, &str>, derived: bool) -> Result<(), String> {
    if name.strip_prefix("r#").is_some() || !name.starts_with(|c| c == '_' || unicode_ident::is_xid_start(c)) {
        return Err(format!("`{name}` is not a plain identifier"));
    }
    if derived {
        // A task is named by a part of its resource. Equal names get numbers, and so does a name
        // that a type has already.
        let expected: String = expected_name(without_number(model), texts).nfc().collect();
        let stripped = without_number(name).trim_start_matches('_');
        let stripped = stripped.strip_suffix("Workflow").unwrap_or(stripped);
        // The part of a text that names a task may have no usable character, as that of `x.{}`.
        // Then the name is that of the state or task around it.
        let is_other = || {
            texts.values().any(|text| {
                let names = [snake_case(text), snake_case(text).to_uppercase(), camel_case(text)];
                names.iter().any(|name| name.contains(stripped))
            })
        };
        let is_unnamed = stripped.eq_ignore_ascii_case("unnamed");
        return match expected.contains(stripped) || is_unnamed || is_other() {
            true => Ok(()),
            false => Err(format!("`{name}` is not made of the text in its place, for `{model}`: `{expected}`")),
        };
    }
    let mut letters = BTreeSet::new();
    for text in texts.values() {
        letters.extend(text.chars());
        letters.extend(text.nfc());
        letters.extend(text.to_lowercase().chars());
        letters.extend(text.to_uppercase().chars());
    }
    match name.chars().find(|c| !c.is_ascii() && !letters.contains(c)) {
        None => Ok(()),
        Some(c) => Err(format!("`{name}` has `{c}`, which no text has")),
    }
}

/// Returns the name that the compiler's table makes where the model has `model`.
fn expected_name(model: &str, texts: &BTreeMap<&str, &str>) -> String {
    let is_upper = model.chars().all(|c| !c.is_lowercase());
    let is_camel = !is_upper && model.starts_with(char::is_uppercase);
    // Words are separated, so that a text is not joined with the words around it.
    let words = if is_camel { spaced(model) } else { model.to_lowercase().replace('_', " ") };
    let authored = with_texts(&words, texts, |text| format!(" {text} "));
    match (is_upper, is_camel) {
        (true, _) => snake_case(&authored).to_uppercase(),
        (false, true) => camel_case(&authored),
        (false, false) => snake_case(&authored),
    }
}

/// Replaces plain words by their texts, which may contain plain words themselves.
fn with_texts(model: &str, texts: &BTreeMap<&str, &str>, text: impl Fn(&str) -> String) -> String {
    let mut replaced = String::new();
    let mut rest = model;
    while let Some(first) = rest.chars().next() {
        if let Some((word, found)) = texts.iter().find(|(word, _)| rest.starts_with(**word)) {
            replaced.push_str(&text(found));
            rest = &rest[word.len()..];
        } else {
            replaced.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    replaced
}

/// Separates plain words: `ZqaqzRetry` becomes ` zqaqz Retry`.
fn spaced(model: &str) -> String {
    let mut spaced = String::new();
    for c in model.chars() {
        if c.is_uppercase() {
            spaced.push(' ');
        }
        // Only plain words begin with this letter.
        spaced.push(if c == 'Z' { 'z' } else { c });
    }
    spaced
}

/// Returns a name without the number that makes it unique.
fn without_number(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '_')
}

/// Returns `true` for a name of the block that follows: the parameter of a closure, the error that
/// a block catches, or the items of a loop.
fn is_of_next_block(tokens: &[Token], at: usize) -> bool {
    is_parameter(tokens, at) || is_caught(tokens, at) || is_item_of_loop(tokens, at)
}

/// Returns `true` if a name stands in the pattern of a loop: between `for` and `in`.
fn is_item_of_loop(tokens: &[Token], at: usize) -> bool {
    let is_in_pattern = |token: &&Token| match token {
        Token::Name(word) => !matches!(&**word, "for" | "in"),
        token => matches!(token, Token::Sign('(' | ')' | ',' | '_' | '&')),
    };
    let before = tokens[..at].iter().rev().find(|token| !is_in_pattern(token));
    matches!(before, Some(Token::Name(word)) if &**word == "for")
}

/// Checks that names which differ in the model differ in the code: in the declarations of the
/// module, and in every block of a function. Rust compares names in normal form C.
fn check_distinct(code: &Code, model: &Code) -> Result<(), String> {
    // The names of the items, and those of each open block of a function. Items are at depth 1.
    let mut items: BTreeMap<String, &str> = BTreeMap::new();
    let mut blocks: Vec<BTreeMap<String, &str>> = Vec::new();
    let mut depth = 0;
    let mut before: Option<&Token> = None;
    for (at, (token, expected)) in code.tokens.iter().zip(&model.tokens).enumerate() {
        match (token, expected) {
            (Token::Sign('{'), _) => {
                depth += 1;
                if !blocks.is_empty() {
                    blocks.push(BTreeMap::new());
                }
            }
            (Token::Sign('}'), _) => {
                depth -= 1;
                blocks.pop();
                if depth == 1 {
                    blocks.clear();
                }
            }
            (Token::Name(name), Token::Name(expected)) => {
                let declares = |words: &[&str]| matches!(before, Some(Token::Name(word)) if words.contains(&&**word));
                let is_item = depth == 1 && declares(&["fn", "static", "const"]);
                if depth == 1 && declares(&["fn"]) {
                    blocks = vec![BTreeMap::new()];
                }
                // Members, paths and types have namespaces of their own.
                let leads_on = code.tokens.get(at + 1..at + 3) == Some(&[Token::Sign(':'), Token::Sign(':')]);
                let is_member = leads_on || matches!(before, Some(Token::Sign('.' | ':')));
                let is_type = expected.starts_with(char::is_uppercase) && expected.chars().any(char::is_lowercase);
                let is_of_next = is_of_next_block(&code.tokens, at);
                let name: String = name.nfc().collect();
                let outer = blocks.iter().find_map(|block| block.get(&name)).copied();
                let known = match (blocks.last_mut(), outer) {
                    _ if is_item => *items.entry(name.clone()).or_insert(expected),
                    (Some(_), _) if is_member || is_type || is_of_next => expected,
                    (Some(_), Some(outer)) => outer,
                    (Some(block), None) => *block.entry(name.clone()).or_insert(expected),
                    (None, _) => expected,
                };
                if known != expected {
                    return Err(format!("`{known}` and `{expected}` are both `{name}`"));
                }
            }
            _ => {}
        }
        before = Some(token);
    }
    Ok(())
}

/// Returns `true` for the first parameter of a closure. `||` is an operator.
fn is_parameter(tokens: &[Token], at: usize) -> bool {
    let sign = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    sign(1) == Some(&Token::Sign('|')) && sign(2) != Some(&Token::Sign('|'))
}

/// Returns `true` for the name in `if let Err(name)`.
fn is_caught(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(2).and_then(|from| tokens.get(from..at));
    matches!(before, Some([Token::Name(word), Token::Sign('(')]) if word == "Err")
}

/// Checks code with types, which are ordered by their names. The code must have the tokens of the
/// model's, each as often. Every name that the model does not have must consist of letters of the
/// texts.
pub(crate) fn same_types(code: &Code, model: &Code, hostile: &Texts, plain: &Texts) -> Result<(), String> {
    let texts: BTreeMap<&str, &str> = plain.iter().zip(hostile.iter()).collect();
    let own: BTreeSet<&str> = names(model).collect();
    // The generator of types numbers variants, items and values, writes signs, and puts an `x`
    // before a name that would begin with another character.
    let words = hostile.iter().chain(["input", "output", "variant", "item", "value", "x", "minus", "plus"]);
    let words: String = words.collect();
    // Upper case may turn one letter into several: `ŉ` becomes `ʼN`.
    let letters: BTreeSet<char> = (folded(&words) + &folded(&words.to_uppercase())).chars().collect();
    let known: BTreeSet<String> = own.iter().map(|name| with_texts(&folded(name), &texts, folded)).collect();
    for name in names(code).filter(|name| !own.contains(name)) {
        let folded = folded(name);
        // Equal names get numbers.
        let is_numbered = own.contains(without_number(name)) || known.contains(without_number(&folded));
        let is_made = is_numbered || folded.chars().all(|c| letters.contains(&c) || c.is_ascii_digit());
        if !is_made {
            return Err(format!("`{name}` is not made of a text"));
        }
    }
    Ok(())
}

fn names(code: &Code) -> impl Iterator<Item = &str> {
    code.tokens.iter().filter_map(|token| if let Token::Name(name) = token { Some(&**name) } else { None })
}

fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
