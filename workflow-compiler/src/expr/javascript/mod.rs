//! JavaScript functions in definitions, and their translation to Rust.
//!
//! A function is parsed with oxc and lowered to a tree of our own, in which names are resolved and what is known
//! of values is written down. [`Script::emit`] prints the tree as a Rust function over `js::Js`, the values of the
//! runtime. What cannot be translated is named, so that the function can be run by an engine, or be refused.

mod emit;
pub mod globals;
mod infer;
mod ir;
mod lower;
mod parse;
#[cfg(test)]
mod tests;
mod walk;

use crate::diagnostics::codes::expressions::{E0330, W0330, W0331};
use crate::diagnostics::{Diagnostics, suggest};
use crate::expr::flaw::Flaw;
use crate::passes::names::Scope;
use crate::source::Span;
use crate::syntax::Text;
use ir::Unit;
use parse::Refusal;
use proc_macro2::{Ident, TokenStream};
use std::sync::Arc;

/// Where a function stands in a definition.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The text of the function.
    pub text: &'a Text,
    /// The Let variables that are visible there, innermost first, each name once.
    pub variables: &'a [String],
}

/// A function of a definition that was read.
#[derive(Debug, Clone)]
pub struct Script {
    /// The text as it was written.
    pub source: String,
    /// The Let variables that it mentions, in the order in which [`Script::emit`] takes them.
    pub variables: Vec<String>,
    /// What is not translated, and where; the function then needs an engine.
    pub engine: Option<String>,
    /// The place of that in the definition.
    pub engine_at: Option<Span>,
    unit: Option<Unit>,
}

/// Reads a function; reports what is wrong with it. None where it cannot be used at all.
pub fn read(site: &Site<'_>, diagnostics: &mut Diagnostics) -> Option<Script> {
    let text = &site.text.value;
    let lowered = match parse::parse(text, site.variables) {
        Ok(lowered) => lowered,
        Err(Refusal::Syntax { at, message }) => {
            let message = format!("this is not JavaScript: {message}");
            let found = Flaw::new(&E0330, at, message).help("functions are read in strict mode");
            diagnostics.push(found.in_text(site.text));
            return None;
        }
        Err(Refusal::Semicolon { at }) => {
            let found = Flaw::new(&E0330, at, "this is not JavaScript: the expression ends before the `;`")
                .help("remove the `;`: a function is an expression, not a statement");
            diagnostics.push(found.in_text(site.text));
            return None;
        }
        Err(Refusal::NotAFunction { at }) => {
            let found =
                Flaw::new(&W0331, at, "this is JavaScript, but not a function: to call it is a TypeError at run time")
                    .help("write a function such as `params => ({ value: params.value })`");
            diagnostics.push(found.in_text(site.text));
            let thrower =
                format!("() => {{ throw new TypeError({:?}) }}", format!("{} is not a function", text.trim()));
            parse::parse(&thrower, &[]).ok()?
        }
        Err(Refusal::Computed { at }) => {
            let reason =
                format!("an expression that has to be evaluated to be a function, at {}", position(text, at.start));
            return Some(Script {
                source: text.clone(),
                variables: site.variables.to_vec(),
                engine: Some(reason),
                engine_at: Some(site.text.span_of(at.start, at.end)),
                unit: None,
            });
        }
    };
    for (name, at) in &lowered.free {
        let help = suggest::did_you_mean(name, site.variables.iter().map(String::as_str)).unwrap_or_else(|| {
            format!("declare it in the function, or around the state: a Let state with the symbol `{name}`")
        });
        let message = format!("nothing declares `{name}`: to use it is a ReferenceError at run time");
        diagnostics.push(Flaw::new(&W0330, at.clone(), message).help(help).in_text(site.text));
    }
    let (unit, engine, engine_at) = match lowered.unit {
        Ok(unit) => (Some(unit), None, None),
        Err(stop) => {
            let span = site.text.span_of(stop.at.start, stop.at.end);
            (None, Some(format!("{} at {}", stop.what, position(text, stop.at.start))), Some(span))
        }
    };
    Some(Script { source: text.clone(), variables: lowered.variables, engine, engine_at, unit })
}

impl Script {
    /// Whether it may read the variable of this number, in the order of [`Script::variables`], before it has written to it.
    pub fn reads(&self, variable: usize) -> bool {
        self.unit.as_ref().is_none_or(|unit| walk::reads_first(&unit.function, variable))
    }

    /// Prints the function; none where it needs an engine.
    ///
    /// The code is `fn NAME(run: &js::Run, params: Js, [a, b]: [js::Var; 2]) -> js::Result { … }`, with the parameter
    /// named as the author named it, and the variables in the order of [`Script::variables`]. It uses `js` and `Js` of
    /// the runtime, and the prelude. Its locals have none of the identifiers of `constants`.
    pub fn emit(&self, name: &Ident, constants: &Arc<Scope>) -> Option<TokenStream> {
        self.unit.as_ref().map(|unit| emit::emit(unit, &self.variables, name, constants))
    }
}

/// `line 2, column 7 of the function`, or the column only where there is one line.
fn position(text: &str, at: usize) -> String {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    match text.contains('\n') {
        true => format!("line {line}, column {column} of the function"),
        false => format!("column {column} of the function"),
    }
}
