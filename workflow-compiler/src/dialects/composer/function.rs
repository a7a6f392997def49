//! Function tasks: JavaScript, or a method of the program that replaces it.

use super::ast::State;
use crate::Options;
use crate::diagnostics::codes::expressions::{WF0327, WF0375};
use crate::diagnostics::{Diagnostic, Diagnostics, Severity};
use crate::expr::{Script, javascript};
use crate::syntax::Text;

/// Reports syntax errors in a function.
pub fn check_syntax(state: &str, function: &Text, options: &Options, diagnostics: &mut Diagnostics) {
    if options.functions.iter().any(|binding| binding.state == state) {
        return;
    }
    let mut all = Diagnostics::default();
    javascript::read(&javascript::FunctionText { text: function, variables: &[] }, &mut all);
    all.finish()
        .into_iter()
        .filter(|diagnostic| diagnostic.severity() == Severity::Error)
        .for_each(|diagnostic| diagnostics.push(diagnostic));
}

/// Returns the method of the program that replaces a state's function, if there is one.
pub fn method(state: &State, options: &Options) -> Option<String> {
    options.functions.iter().find(|binding| *binding.state == *state.name.value)?.method()?.ok()
}

/// Compiles the function of a state, which sees the variables of these names. Returns `None` after
/// reporting an error.
pub fn read(
    state: &State,
    function: &Text,
    visible: &[String],
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Script> {
    if let Some(binding) = options.functions.iter().find(|binding| *binding.state == *state.name.value) {
        return Some(Script::Rust { function: binding.function.clone(), variables: visible.to_vec() });
    }
    let mut script = javascript::read(&javascript::FunctionText { text: function, variables: visible }, diagnostics)?;
    if let Some(reason) = script.engine.clone() {
        let span = script.engine_at.unwrap_or(function.span);
        let name = &state.name.value;
        if !options.engine.unwrap_or(cfg!(feature = "javascript")) {
            let message = format!("the function of state `{name}` cannot be translated to Rust: {reason}");
            diagnostics.push(Diagnostic::new(&WF0327, span, message).help(
                "rewrite the function, replace it with a function of the program (`functions`), or enable the feature \
                 `javascript`",
            ));
            return None;
        }
        // The variables that the function uses are unknown, because it may look them up by `eval`.
        script.variables = visible.to_vec();
        let message = format!("the function of state `{name}` runs on a JavaScript engine: {reason}");
        diagnostics.push(
            Diagnostic::new(&WF0375, span, message)
                .help("rewrite it so that it can be translated to Rust, which is faster and needs no engine"),
        );
    }
    Some(Script::JavaScript(Box::new(script)))
}
