//! Tests of the translation of JavaScript functions.

use super::{FunctionText, JsScript, read};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{FileId, Span};
use crate::syntax::Text;

mod assigned;
mod chosen;
mod corpus;
mod diagnostics;
mod emitted;
mod interpreted;
mod scoping;

/// Reads a function whose text needs no escapes in the definition.
fn read_text(text: &str, variables: &[&str]) -> (Option<JsScript>, Vec<Diagnostic>) {
    let span = Span::new(FileId(0), 0, text.len());
    read_site(&Text::verbatim(text, span, 0), variables)
}

fn read_site(text: &Text, variables: &[&str]) -> (Option<JsScript>, Vec<Diagnostic>) {
    let variables: Vec<String> = variables.iter().map(|name| (*name).to_owned()).collect();
    let mut diagnostics = Diagnostics::default();
    let script = read(&FunctionText { text, variables: &variables }, &mut diagnostics);
    (script, diagnostics.finish())
}

/// Returns the emitted function, or the reason why there is none.
fn printed(text: &str, variables: &[&str]) -> String {
    let (script, found) = read_text(text, variables);
    let Some(script) = script else { return format!("refused: {found:?}") };
    let name = proc_macro2::Ident::new("state", proc_macro2::Span::call_site());
    interpreted::passes_keep_results(&script);
    match script.emit(&name, &std::sync::Arc::default()) {
        Some(tokens) => crate::pretty::layout(tokens),
        None => format!("engine: {}", script.engine.unwrap_or_default()),
    }
}
