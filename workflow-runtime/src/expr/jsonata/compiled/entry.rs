//! Compiled expressions in fields of states.

use super::{Maybe, Run};
use crate::expr::jsonata::convert;
use crate::expr::jsonata::environment::{JsonataEnvironment, States};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::field::{FieldSite, environment};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::program::{JsonataOutcome, outcome};
use crate::fault::Fault;
use crate::machine::Core;
use crate::value::Value;

/// A compiled expression in a field of a state: what its faults say of it.
pub struct JsonataExpression {
    site: FieldSite,
    /// The levels that the expression is nested.
    levels: usize,
}

impl JsonataExpression {
    /// Creates the expression `source` of the field at this place, such as `Output/total`, which
    /// is nested these levels. Generated code calls this.
    pub const fn new(source: &'static str, field: &'static str, levels: usize) -> JsonataExpression {
        JsonataExpression { site: FieldSite { source, field }, levels }
    }

    /// Runs the code of the expression within the limits of the execution. Fails if the expression
    /// is nested more deeply than they allow, also if only a part that is not evaluated is.
    #[inline]
    fn run<T>(&self, core: &mut Core, code: impl FnOnce(&mut Run<'_>) -> Result<T>) -> Result<T> {
        let environment = environment(States::default(), &[], core);
        if self.levels > environment.limits.depth {
            return Err(JsonataError::depth());
        }
        code(&mut Run::new(environment, &[]))
    }
}

/// Runs the code, and returns the result of the expression.
#[inline]
fn end(code: impl FnOnce(&mut Run<'_>) -> Result<Maybe>, run: &mut Run<'_>) -> Result<JsonataOutcome> {
    match code(run)? {
        Some(Item::Value(value)) => Ok(JsonataOutcome::Value(value)),
        value => outcome(run, value),
    }
}

/// Evaluates an expression whose value may have any type.
///
/// # Errors
/// An error of the expression, an exceeded limit, and a result that is undefined or a function are
/// faults that can be caught.
#[inline]
pub fn value(
    expression: &JsonataExpression,
    core: &mut Core,
    code: impl FnOnce(&mut Run<'_>) -> Result<Maybe>,
) -> std::result::Result<Value, Fault> {
    let result = expression.run(core, |run| end(code, run));
    match result {
        Ok(JsonataOutcome::Value(value)) => Ok(value),
        result => expression.site.value(result),
    }
}

/// Runs the code of an expression as tests of the language need it.
///
/// # Errors
/// Fails if the expression does, or if a limit is exceeded.
#[doc(hidden)]
pub fn evaluate_translated(
    environment: JsonataEnvironment<'_>,
    code: impl FnOnce(&mut Run<'_>) -> Result<Maybe>,
) -> Result<JsonataOutcome> {
    let mut run = Run::new(environment, &[]);
    end(code, &mut run)
}

/// Returns the input document of such a test as the context item of names: an array is one item.
#[doc(hidden)]
pub fn wrapped(document: &Maybe) -> Maybe {
    match document {
        Some(item) if item.is_array() => Some(convert::sequence(vec![item.clone()])),
        document => document.clone(),
    }
}

/// Defines the evaluation of expressions whose values have to be of a type.
macro_rules! typed {
    ($($name:ident $described:literal $wanted:literal $pattern:pat,)*) => {
        $(
            #[doc = concat!("Evaluates an expression whose value has to be ", $described, ".")]
            ///
            /// # Errors
            /// See [`value`]. A value of another type is such a fault, too.
            #[inline]
            pub fn $name(
                expression: &JsonataExpression,
                core: &mut Core,
                code: impl FnOnce(&mut Run<'_>) -> Result<Maybe>,
            ) -> std::result::Result<Value, Fault> {
                match value(expression, core, code)? {
                    value @ $pattern => Ok(value),
                    value => Err(expression.site.mismatch($wanted, &value)),
                }
            }
        )*
    };
}

typed! {
    array "an array" "array" Value::Array(_),
    array_or_object "an array or an object" "array" (Value::Array(_) | Value::Object(_)),
    object_field "an object" "object" Value::Object(_),
    number "a number" "number" (Value::Int(_) | Value::Float(_)),
    string "a string" "string" Value::String(_),
}

/// Evaluates an expression whose value has to be a boolean.
///
/// # Errors
/// See [`array`].
#[inline]
pub fn boolean(
    expression: &JsonataExpression,
    core: &mut Core,
    code: impl FnOnce(&mut Run<'_>) -> Result<Maybe>,
) -> std::result::Result<bool, Fault> {
    match value(expression, core, code)? {
        Value::Bool(value) => Ok(value),
        value => Err(expression.site.mismatch("boolean", &value)),
    }
}

/// Evaluates an expression whose value is a boolean for sure.
///
/// # Errors
/// An error of the expression and an exceeded limit are faults that can be caught.
#[inline]
pub fn test(
    expression: &JsonataExpression,
    core: &mut Core,
    code: impl FnOnce(&mut Run<'_>) -> Result<bool>,
) -> std::result::Result<bool, Fault> {
    expression.run(core, code).map_err(|error| expression.site.failure(&error))
}
