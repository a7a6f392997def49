//! Expressions of a definition: parsed once, evaluated any number of times.

use std::rc::Rc;
use std::sync::OnceLock;

use workflow_jsonata::{Node, SyntaxError, parse};

use super::convert;
use super::environment::JsonataEnvironment;
use super::error::{JsonataError, Result};
use super::item::{Item, List};
use super::run::Evaluation;
use super::scope::VariableScope;
use crate::value::Value;

/// An expression of a definition, parsed at its first evaluation.
pub struct JsonataProgram {
    source: &'static str,
    variables: &'static [&'static str],
    parsed: OnceLock<std::result::Result<Node, SyntaxError>>,
}

/// The result of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum JsonataOutcome {
    /// A value. NaN and the infinities have become strings.
    Value(Value),
    /// Nothing: undefined.
    Nothing,
    /// A function, or a value with a function inside of it.
    Function,
}

impl JsonataProgram {
    /// Creates the program of a text whose variables have these names (without `$`). Generated
    /// code calls this.
    pub const fn new(source: &'static str, variables: &'static [&'static str]) -> JsonataProgram {
        JsonataProgram { source, variables, parsed: OnceLock::new() }
    }

    /// Evaluates the expression. It sees no input document.
    ///
    /// # Errors
    /// An error that the expression raises, an exceeded limit, or a syntax error, which the
    /// compiler should have reported.
    pub fn evaluate(&self, environment: JsonataEnvironment<'_>) -> Result<JsonataOutcome> {
        self.run(environment, None)
    }

    /// Evaluates the expression with an input document, as the tests of the language need it.
    ///
    /// # Errors
    /// See [`JsonataProgram::evaluate`].
    #[doc(hidden)]
    pub fn evaluate_document(&self, environment: JsonataEnvironment<'_>, document: &Value) -> Result<JsonataOutcome> {
        self.run(environment, Some(document))
    }

    fn run(&self, environment: JsonataEnvironment<'_>, document: Option<&Value>) -> Result<JsonataOutcome> {
        let parsed = self.parsed.get_or_init(|| parse(self.source));
        let node = parsed.as_ref().map_err(|error| JsonataError::new(error.code, error.message.as_str()))?;
        let mut run = Evaluation::new(environment, self.variables);
        run.root = document.map(|document| Item::Value(document.clone()));
        let context = match &run.root {
            // An array is one input, not several items.
            Some(root) if root.is_array() => {
                let wrapper = Rc::new(List {
                    items: vec![root.clone()],
                    is_sequence: true,
                    keeps_singleton: false,
                    is_constructed: false,
                });
                run.wrapper = Some(Rc::clone(&wrapper));
                Some(Item::List(wrapper))
            }
            root => root.clone(),
        };
        let scope = Rc::new(VariableScope::default());
        let value = run.evaluate(node, context.as_ref(), &scope)?;
        outcome(&mut run, value)
    }
}

/// Returns the result of an expression that has this value.
///
/// # Errors
/// Fails if a limit is exceeded.
pub(super) fn outcome(run: &mut Evaluation, value: Option<Item>) -> Result<JsonataOutcome> {
    Ok(match value {
        None => JsonataOutcome::Nothing,
        Some(Item::Value(value)) => JsonataOutcome::Value(value),
        Some(item) => convert::to_value(run, item)?.map_or(JsonataOutcome::Function, JsonataOutcome::Value),
    })
}
