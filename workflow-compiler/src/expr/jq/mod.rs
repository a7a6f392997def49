//! Compilation of jq to Rust.
//!
//! A text is parsed to a tree with byte ranges (`ast`), and its names are resolved (`names`). The
//! result is a function of the expression core (`lower`), or the reason why an engine
//! has to run the program. The semantics are those of jq 1.8.
//!
//! The parser does not build on `jaq-core`, whose parser deviates from jq's grammar: `//` binds
//! tighter than `=`, and `==` binds looser than `<`. It also lacks `?//`, surrogate pairs in
//! strings, and locations of operators.

mod ast;
mod builtins;
pub mod codes;
mod lex;
mod lower;
mod names;
mod parse;
mod print;
pub mod shapes;
#[cfg(test)]
mod tests;

pub use lower::Cardinality;

use crate::diagnostics::Diagnostics;
use crate::diagnostics::codes::expressions::{WF0327, WF0375};
use crate::expr::core::ownership::Ownership;
use crate::expr::core::{self, CoreFunction};
use crate::expr::error::{ExprError, report_all};
use crate::expr::jq::codes::WF0341;
use crate::names::NameScope;
use crate::syntax::Text;
use ast::{Term, TermKind};
use proc_macro2::{Ident, TokenStream};
use std::sync::Arc;

/// The treatment of the values that a program yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResultMode {
    /// A single value is yielded as it is. Several values, or none, become an array.
    Value,
    /// A test that there is exactly one value and that it is `true`.
    Test,
    /// All values, as an array.
    All,
}

/// A parsed and checked program.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// The text as written.
    pub source: String,
    /// The variables that the program reads, without `$`, in parameter order.
    pub variables: Vec<String>,
    /// The treatment of the values.
    pub mode: ResultMode,
    /// The untranslatable construct, if an engine has to run the program.
    pub engine: Option<String>,
    /// The properties of the function.
    pub properties: FunctionProperties,
    program: Term,
    /// The function of the core, if the program is translated.
    translation: Option<Arc<Translation>>,
}

/// A program as a function of the core.
#[derive(Debug, Clone, PartialEq)]
struct Translation {
    function: CoreFunction,
    ownership: Ownership,
}

/// The properties of a program's function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FunctionProperties {
    /// `true` if the function can fail.
    pub fails: bool,
    /// `true` if the function runs within the evaluation limits.
    pub loops: bool,
    /// `true` if the function takes the current time.
    pub now: bool,
    /// `true` if the function takes its input by value, in order to change it.
    pub takes_ownership: bool,
    /// The number of values that the program yields.
    pub cardinality: Cardinality,
}

/// Compiles a program outside of a definition. `variables` are the available variables, without
/// `$`.
///
/// # Errors
/// Returns the first error of the program, in one line.
pub fn read_text(source: &str, variables: &[&str], mode: ResultMode) -> Result<Filter, String> {
    let errors = match checked(source, variables) {
        Ok(program) => return Ok(lower(program, source, variables, mode)),
        Err(errors) => errors,
    };
    let describe = |error: ExprError| {
        let help = error.help.map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}{help}", error.message)
    };
    Err(errors.into_iter().next().map(describe).unwrap_or_default())
}

/// Parses a program and resolves its names.
fn checked(source: &str, variables: &[&str]) -> Result<Term, Vec<ExprError>> {
    let program = parse::parse(source).map_err(|error| vec![error])?;
    let errors = names::check(&program, source, variables);
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

/// Returns `true` if the only errors of a program are calls of unknown functions.
pub fn calls_unknown_function(source: &str) -> bool {
    checked(source, &[]).is_err_and(|errors| errors.iter().all(|error| error.code.id == WF0341.id))
}

/// Compiles a program. `variables` are the available variables, without `$`. `engine` states
/// whether an engine is available for programs that cannot be translated. Returns `None` after
/// reporting errors.
pub fn read(
    text: &Text,
    variables: &[&str],
    mode: ResultMode,
    engine: bool,
    diagnostics: &mut Diagnostics,
) -> Option<Filter> {
    let program = checked(&text.value, variables).map_err(|errors| report_all(errors, text, diagnostics)).ok()?;
    let filter = lower(program, &text.value, variables, mode);
    if let Some(reason) = &filter.engine {
        if !engine {
            let message = format!("this expression cannot be translated to Rust: {reason} is not supported");
            let help = "rewrite the expression, or enable the feature `jq-engine`";
            let error = ExprError::new(&WF0327, 0..text.value.len(), message).help(help);
            diagnostics.push(error.in_text(text));
            return None;
        }
        let message = format!("this expression runs on the jq engine: {reason} is not translated to Rust");
        let help = "rewrite the expression without it: translated expressions are faster and need no engine";
        diagnostics.push(ExprError::new(&WF0375, 0..text.value.len(), message).help(help).in_text(text));
    }
    Some(filter)
}

/// Returns the type of a program's result if the outermost operation implies it: `string`,
/// `number`, `boolean`, `array`, `object` or `null`.
pub fn evident_type(source: &str) -> Option<&'static str> {
    evident(&parse::parse(source).ok()?)
}

fn evident(term: &Term) -> Option<&'static str> {
    match &term.kind {
        TermKind::Number(_) => Some("number"),
        TermKind::Text(..) => is_single(term).then_some("string"),
        TermKind::Array(_) => Some("array"),
        // An object with a part that yields several values becomes several objects.
        TermKind::Object(members) => {
            let is_one = |member: &ast::Member| is_single(&member.key) && member.value.as_ref().is_none_or(is_single);
            members.iter().all(is_one).then_some("object")
        }
        TermKind::Negate(inner) => (evident(inner) == Some("number")).then_some("number"),
        TermKind::Call(name, arguments) if arguments.is_empty() => match name.as_str() {
            "true" | "false" | "not" => Some("boolean"),
            "null" => Some("null"),
            _ => None,
        },
        TermKind::Pipe(parts) if parts.iter().rev().skip(1).all(is_single) => evident(parts.last()?),
        TermKind::Binary(operator, left, right) if operator.is_test() && is_single(left) && is_single(right) => {
            Some("boolean")
        }
        _ => None,
    }
}

/// Returns the names of the members that a program evidently reads from its input, and `.` if it
/// reads the whole input.
pub fn members_read(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    if let Ok(program) = parse::parse(source) {
        collect_members_read(&program, &mut names);
    }
    names
}

fn collect_members_read(term: &Term, names: &mut Vec<String>) {
    match &term.kind {
        // The later filters of a pipe have another input.
        TermKind::Pipe(parts) => parts.first().into_iter().for_each(|first| collect_members_read(first, names)),
        TermKind::Index(of, key, _) if matches!(of.kind, TermKind::Identity) => {
            if let TermKind::Text(_, pieces) = &key.kind
                && let [ast::StringPiece::Text(name)] = &pieces[..]
            {
                names.push(name.clone());
            }
        }
        TermKind::Identity => names.push(".".to_owned()),
        _ => term.children(&mut |child| collect_members_read(child, names)),
    }
}

/// Returns `true` if a term is certain to yield one value.
fn is_single(term: &Term) -> bool {
    match &term.kind {
        TermKind::Identity | TermKind::Number(_) | TermKind::Array(_) | TermKind::Variable(_) => true,
        TermKind::Text(_, pieces) => pieces.iter().all(|piece| match piece {
            ast::StringPiece::Text(_) => true,
            ast::StringPiece::Term(term) => is_single(term),
        }),
        // Where the value has no members, an optional step yields nothing.
        TermKind::Index(of, key, optional) => !optional && is_single(of) && is_single(key),
        TermKind::Pipe(parts) => parts.iter().all(is_single),
        _ => evident(term).is_some(),
    }
}

fn lower(program: Term, source: &str, variables: &[&str], mode: ResultMode) -> Filter {
    // The function takes only the variables that the program reads.
    let variables: Vec<String> =
        variables.iter().filter(|name| mentions(&program, name)).map(|name| (*name).to_owned()).collect();
    let (engine, properties, translation) = match lower::function(&program, &variables, mode) {
        Ok(lowered) => {
            let lower::LoweredProgram { mut function, loops, now, cardinality } = lowered;
            let ownership = function.optimise();
            let fails = function.fails();
            let takes_ownership = function.params.first().is_some_and(|input| !ownership.is_borrowed(*input));
            let properties = FunctionProperties { fails, loops, now, takes_ownership, cardinality };
            (None, properties, Some(Arc::new(Translation { function, ownership })))
        }
        Err(reason) => {
            let properties = FunctionProperties {
                fails: true,
                loops: true,
                now: false,
                takes_ownership: false,
                cardinality: Cardinality::Many,
            };
            (Some(reason.0), properties, None)
        }
    };
    Filter { source: source.to_owned(), variables, mode, engine, properties, program, translation }
}

impl Filter {
    /// Returns the program as a Rust function of this name, or `None` if an engine has to run it.
    ///
    /// The parameters are the input, the variables as `&Value`, and the time in seconds if the
    /// program reads it. The locals avoid the identifiers of `constants`.
    pub fn emit(&self, name: &Ident, constants: &Arc<NameScope>) -> Option<TokenStream> {
        let Translation { function, ownership } = &**self.translation.as_ref()?;
        Some(core::emit::emit(function, ownership, "jq", name, NameScope::of_jq(constants)))
    }

    /// Returns the size of the function that the program becomes, or zero if an engine runs it.
    pub fn size(&self) -> usize {
        self.translation.as_ref().map_or(0, |translation| translation.function.size())
    }

    /// Returns the program for an engine, with parentheses that make its structure explicit.
    pub fn engine_text(&self) -> String {
        self.program.to_string()
    }
}

fn mentions(term: &Term, variable: &str) -> bool {
    let mut mentioned = matches!(&term.kind, ast::TermKind::Variable(name) if name == variable);
    term.children(&mut |child| mentioned |= mentions(child, variable));
    mentioned
}
