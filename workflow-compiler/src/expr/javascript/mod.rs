//! JavaScript functions of definitions, and their translation to Rust.
//!
//! A function is parsed with oxc and lowered to a tree (`ir`), in which names are resolved and
//! types of values are annotated. [`read`] lowers the tree to the expression core to find out its
//! size, and [`JsScript::emit`] to print it as a Rust function over `js::Js`, the values of the
//! runtime. A function with an untranslatable construct has to be run by an engine or rejected.

pub mod codes;
pub mod globals;
mod infer;
mod ir;
mod lower;
mod names;
mod parse;
mod shapes;
#[cfg(test)]
mod tests;
mod to_core;
mod walk;

use crate::diagnostics::{Diagnostics, suggest};
use crate::expr::core;
use crate::expr::error::ExprError;
use crate::expr::javascript::codes::{WF0330, WF0380, WF0381};
use crate::names::NameScope;
use crate::source::Span;
use crate::syntax::Text;
use ir::Unit;
use lower::Stop;
use parse::Refusal;
use proc_macro2::{Ident, TokenStream};
pub use shapes::JsOutcome;
use std::sync::Arc;

/// A function within a definition.
#[derive(Debug, Clone, Copy)]
pub struct FunctionText<'a> {
    /// The text of the function.
    pub text: &'a Text,
    /// The Let variables in scope, innermost first and without duplicates.
    pub variables: &'a [String],
}

/// A parsed function.
#[derive(Debug, Clone)]
pub struct JsScript {
    /// The text as written.
    pub source: String,
    /// The Let variables that the function mentions, in the parameter order of [`JsScript::emit`].
    pub variables: Vec<String>,
    /// The untranslatable construct and its position. The function needs an engine if there is
    /// one.
    pub engine: Option<String>,
    /// The span of the untranslatable construct.
    pub engine_at: Option<Span>,
    unit: Option<Unit>,
    /// The size of the translated function.
    size: usize,
}

/// Reads a function and reports its errors and warnings. Returns `None` if the function cannot be
/// used.
pub fn read(site: &FunctionText<'_>, diagnostics: &mut Diagnostics) -> Option<JsScript> {
    let text = &site.text.value;
    let lowered = match parse::parse(text, site.variables) {
        Ok(lowered) => lowered,
        Err(Refusal::Syntax { at, message }) => {
            let message = format!("invalid JavaScript: {message}");
            let error = ExprError::new(&WF0330, at, message).help("write a function that is valid in strict mode");
            diagnostics.push(error.in_text(site.text));
            return None;
        }
        Err(Refusal::Semicolon { at }) => {
            let error = ExprError::new(&WF0330, at, "invalid JavaScript: the expression ends before the `;`")
                .help("remove the `;`: a function is an expression, not a statement");
            diagnostics.push(error.in_text(site.text));
            return None;
        }
        Err(Refusal::NotAFunction { at }) => {
            let error = ExprError::new(&WF0381, at, "not a function: the call throws a TypeError at run time")
                .help("write a function such as `params => ({ value: params.value })`");
            diagnostics.push(error.in_text(site.text));
            let thrower =
                format!("() => {{ throw new TypeError({:?}) }}", format!("{} is not a function", text.trim()));
            parse::parse(&thrower, &[]).ok()?
        }
        Err(Refusal::Computed { at }) => {
            let reason =
                format!("an expression that must be evaluated to obtain a function, at {}", position(text, at.start));
            return Some(JsScript {
                source: text.clone(),
                variables: site.variables.to_vec(),
                engine: Some(reason),
                engine_at: Some(site.text.span_of(at.start, at.end)),
                unit: None,
                size: 0,
            });
        }
    };
    for (name, at) in &lowered.free {
        let help = suggest::did_you_mean(name, site.variables.iter().map(String::as_str)).unwrap_or_else(|| {
            format!("declare `{name}` in the function, or as the variable of an enclosing Let state")
        });
        let message = format!("`{name}` is not declared: its use throws a ReferenceError at run time");
        diagnostics.push(ExprError::new(&WF0380, at.clone(), message).help(help).in_text(site.text));
    }
    let translated = lowered.unit.and_then(|unit| {
        let function = to_core::function(&unit, &lowered.variables, &Arc::default());
        match function.accepted_size() {
            Some(size) => Ok((unit, size)),
            None => Err(Stop { what: "a function this large".to_owned(), at: 0..text.len() }),
        }
    });
    let (source, variables) = (text.clone(), lowered.variables);
    Some(match translated {
        Ok((unit, size)) => JsScript { source, variables, engine: None, engine_at: None, unit: Some(unit), size },
        Err(stop) => {
            let engine = Some(format!("{} at {}", stop.what, position(text, stop.at.start)));
            let engine_at = Some(site.text.span_of(stop.at.start, stop.at.end));
            JsScript { source, variables, engine, engine_at, unit: None, size: 0 }
        }
    })
}

impl JsScript {
    /// Returns `true` if the function may read the variable at this index of
    /// [`JsScript::variables`] before writing to it.
    pub fn reads(&self, variable: usize) -> bool {
        self.unit.as_ref().is_none_or(|unit| walk::reads_first(&unit.function, variable))
    }

    /// Returns the number of nodes of the translated function, before the passes of the expression
    /// core. A function for an engine is a text.
    pub fn nodes(&self) -> usize {
        1 + self.size
    }

    /// Prints the function, or returns `None` if it needs an engine.
    ///
    /// The code is `fn NAME(run: &js::Run, params: Js, [a, b]: [js::Var; 2]) -> js::Result { … }`.
    /// The parameter has the author's name, and the variables have the order of
    /// [`JsScript::variables`]. The code uses `js` and `Js` of the runtime, and the prelude. Its
    /// locals avoid the identifiers of `constants`.
    pub fn emit(&self, name: &Ident, constants: &Arc<NameScope>) -> Option<TokenStream> {
        let unit = self.unit.as_ref()?;
        let mut function = to_core::function(unit, &self.variables, constants);
        let ownership = function.optimise();
        Some(core::emit::emit_javascript(&function, &ownership, name))
    }
}

/// Formats a position: `line 2, column 7 of the function`, or the column alone in a text of one
/// line.
fn position(text: &str, at: usize) -> String {
    let before = &text[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    match text.contains('\n') {
        true => format!("line {line}, column {column} of the function"),
        false => format!("column {column} of the function"),
    }
}
