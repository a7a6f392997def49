//! jq, compiled to Rust.
//!
//! Text → tree (`ast`, with places) → names are looked up (`names`) → a Rust function (`emit`) over the values of the
//! runtime, or the reason why an engine has to run the program. The meaning is that of jq 1.8.
//!
//! The parser is our own. That of `jaq-core`, which was looked at first, lets `//` bind tighter than `=` and `==` looser than
//! `<`, both against jq's grammar; it knows neither `?//` nor surrogate pairs in strings, and its operators have no places.

mod ast;
mod builtins;
mod emit;
mod lex;
mod names;
mod parse;
mod print;
#[cfg(test)]
mod tests;

pub use emit::Cardinality;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::expressions::{E0341, E0345, N0340};
use crate::expr::flaw::Flaw;
use crate::passes::names::Scope;
use crate::syntax::Text;
use ast::{Binary, Kind, Term};
use proc_macro2::{Ident, Span, TokenStream};
use std::sync::Arc;

/// What is made of the values that a program yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Exactly one is wanted: several, or none, become an array of them.
    Value,
    /// Whether there is exactly one, and it is `true`.
    Test,
    /// All of them, as an array.
    All,
}

/// A program that was read, and found to make sense.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The text as it was written.
    pub source: String,
    /// The variables that it is given, without `$`, in the order in which the function takes them.
    pub variables: Vec<String>,
    /// What is made of the values.
    pub mode: Mode,
    /// Why an engine has to run it, if it is not translated.
    pub engine: Option<String>,
    /// What is known of the function.
    pub facts: Facts,
    program: Term,
}

/// What is known of the function that a program becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Facts {
    /// Whether it can fail.
    pub fails: bool,
    /// Whether it is to be run within limits.
    pub loops: bool,
    /// Whether it takes the time.
    pub now: bool,
    /// Whether it takes its input as a `Value`, to change it.
    pub takes: bool,
    /// How many values the program yields.
    pub cardinality: Cardinality,
}

/// Reads a program that stands in no definition; `variables` are those that it is given, without `$`.
///
/// # Errors
/// What is wrong with it, the first finding only, in one line.
pub fn read_text(source: &str, variables: &[&str], mode: Mode) -> Result<Filter, String> {
    let program = parse::parse(source);
    let flaw = match program {
        Err(flaw) => flaw,
        Ok(program) => match names::check(&program, source, variables).into_iter().next() {
            Some(flaw) => flaw,
            None => return Ok(lower(program, source, variables, mode)),
        },
    };
    let help = flaw.help.map(|help| format!("; {help}")).unwrap_or_default();
    Err(format!("{}{help}", flaw.message))
}

/// Whether a program is one but for a function that there is none of.
pub fn names_unknown(source: &str) -> bool {
    let Ok(program) = parse::parse(source) else { return false };
    let flaws = names::check(&program, source, &[]);
    !flaws.is_empty() && flaws.iter().all(|flaw| flaw.code.id == E0341.id)
}

/// Reads a program; `variables` are those that it is given, without `$`, and `engine` is whether there is one for what is not
/// translated. What is wrong with it is reported, and none returned then.
pub fn read(
    text: &Text,
    variables: &[&str],
    mode: Mode,
    engine: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Filter> {
    let program = match parse::parse(&text.value) {
        Ok(program) => program,
        Err(flaw) => {
            diagnostics.push(flaw.in_text(text));
            return None;
        }
    };
    let flaws = names::check(&program, &text.value, variables);
    if !flaws.is_empty() {
        flaws.into_iter().for_each(|flaw| diagnostics.push(flaw.in_text(text)));
        return None;
    }
    let filter = lower(program, &text.value, variables, mode);
    if let Some(reason) = &filter.engine {
        if !engine {
            let message = format!("this expression cannot be translated to Rust: {reason} is not");
            let help = "write it another way, or turn on the feature `jq-engine`";
            let flaw = Flaw::new(&E0345, 0..text.value.len(), message).help(help);
            diagnostics.push(flaw.in_text(text));
            return None;
        }
        let message = format!("this runs on an engine, for {reason} is not translated to Rust");
        let help = "what is translated to Rust is faster, and needs no engine in the program";
        diagnostics.push(Flaw::new(&N0340, 0..text.value.len(), message).help(help).in_text(text));
    }
    Some(filter)
}

/// The type of what an expression yields, where its outermost part tells: `string`, `number`, `boolean`, `array`, `object` or
/// `null`.
pub fn evident_type(source: &str) -> Option<&'static str> {
    evident(&parse::parse(source).ok()?)
}

fn evident(term: &Term) -> Option<&'static str> {
    match &term.kind {
        Kind::Number(_) => Some("number"),
        Kind::Text(..) => is_single(term).then_some("string"),
        Kind::Array(_) => Some("array"),
        // An object whose parts yield several values becomes several objects.
        Kind::Object(members) => {
            let is_one = |member: &ast::Member| is_single(&member.key) && member.value.as_ref().is_none_or(is_single);
            members.iter().all(is_one).then_some("object")
        }
        Kind::Negate(inner) => (evident(inner) == Some("number")).then_some("number"),
        Kind::Call(name, arguments) if arguments.is_empty() => match name.as_str() {
            "true" | "false" | "not" => Some("boolean"),
            "null" => Some("null"),
            _ => None,
        },
        Kind::Pipe(parts) if parts.iter().rev().skip(1).all(is_single) => evident(parts.last()?),
        Kind::Binary(
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::Greater
            | Binary::GreaterOrEqual
            | Binary::And
            | Binary::Or,
            left,
            right,
        ) if is_single(left) && is_single(right) => Some("boolean"),
        _ => None,
    }
}

/// The names of members that an expression evidently reads off its input, and `.` where it has use for all of that.
#[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
pub fn members_read(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(program) = parse::parse(source) {
        read_off(&program, &mut names);
    }
    names
}

#[cfg(any(feature = "serverless-workflow", feature = "workflow-dsl"))]
fn read_off(term: &Term, names: &mut Vec<String>) {
    match &term.kind {
        // What follows has another input.
        Kind::Pipe(parts) => parts.first().into_iter().for_each(|first| read_off(first, names)),
        Kind::Index(of, key, _) if matches!(of.kind, Kind::Identity) => {
            if let Kind::Text(_, pieces) = &key.kind
                && let [ast::Piece::Text(name)] = &pieces[..]
            {
                names.push(name.clone());
            }
        }
        Kind::Identity => names.push(".".to_owned()),
        _ => term.children(&mut |child| read_off(child, names)),
    }
}

/// Whether a term certainly yields one value.
fn is_single(term: &Term) -> bool {
    match &term.kind {
        Kind::Identity | Kind::Number(_) | Kind::Array(_) | Kind::Variable(_) => true,
        Kind::Text(_, pieces) => pieces.iter().all(|piece| match piece {
            ast::Piece::Text(_) => true,
            ast::Piece::Term(term) => is_single(term),
        }),
        Kind::Index(of, key, _) => is_single(of) && is_single(key),
        Kind::Pipe(parts) => parts.iter().all(is_single),
        _ => evident(term).is_some(),
    }
}

fn lower(program: Term, source: &str, variables: &[&str], mode: Mode) -> Filter {
    // Only what is mentioned is given.
    let variables: Vec<String> =
        variables.iter().filter(|name| mentions(&program, name)).map(|name| (*name).to_owned()).collect();
    let name = Ident::new("filter", Span::call_site());
    let (engine, facts) = match emit::function(&program, &variables, mode, &name, &Arc::default()) {
        Ok(made) => {
            let emit::Function { fails, loops, now, takes, cardinality, .. } = made;
            (None, Facts { fails, loops, now, takes, cardinality })
        }
        Err(reason) => {
            let facts = Facts { fails: true, loops: true, now: false, takes: false, cardinality: Cardinality::Many };
            (Some(reason.0), facts)
        }
    };
    Filter { source: source.to_owned(), variables, mode, engine, facts, program }
}

impl Filter {
    /// The program as a Rust function of this name; none if an engine has to run it.
    ///
    /// It takes the input, the variables as `&Value`, and the time in seconds if it asks for it. Its locals have none of the
    /// identifiers of `constants`.
    pub fn emit(&self, name: &Ident, constants: &Arc<Scope>) -> Option<TokenStream> {
        emit::function(&self.program, &self.variables, self.mode, name, constants).ok().map(|made| made.tokens)
    }

    /// The program for an engine: with parentheses around all that an operator could take apart.
    pub fn engine_text(&self) -> String {
        self.program.to_string()
    }
}

fn mentions(term: &Term, variable: &str) -> bool {
    let mut found = matches!(&term.kind, ast::Kind::Variable(name) if name == variable);
    term.children(&mut |child| found |= mentions(child, variable));
    found
}
