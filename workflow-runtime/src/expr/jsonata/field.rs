//! Expressions as fields of states: their inputs, their types, and their faults.

use super::environment::{JsonataEnvironment, JsonataLimits, States};
use super::error::JsonataError;
use super::program::{JsonataOutcome, JsonataProgram};
use crate::fault::{Fault, names};
use crate::machine::{self, Core, FunctionLimits};
use crate::value::{EXCERPT, Value};

/// The place of an expression, as faults name it.
pub(super) struct FieldSite {
    /// The text of the expression.
    pub source: &'static str,
    /// The field, such as `Output/total`.
    pub field: &'static str,
}

impl FieldSite {
    /// Returns the value that an expression yields.
    pub(super) fn value(&self, result: Result<JsonataOutcome, JsonataError>) -> Result<Value, Fault> {
        match result {
            Ok(JsonataOutcome::Value(value)) => Ok(value),
            Ok(JsonataOutcome::Nothing) => Err(self.fault("returned nothing (undefined).")),
            Ok(JsonataOutcome::Function) => Err(self.fault("returned an unsupported result type.")),
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Returns the fault of an expression that fails.
    #[cold]
    pub(super) fn failure(&self, error: &JsonataError) -> Fault {
        let message = error.message();
        match error.code() {
            "" => self.fault(&format!("threw an error during evaluation: {message}")),
            code => self.fault(&format!("threw an error during evaluation. {code}: {message}")),
        }
    }

    /// Returns the fault of a value that is not of the wanted type.
    #[cold]
    pub(super) fn mismatch(&self, wanted: &str, value: &Value) -> Fault {
        let (found, shown) = (type_of(value), value.excerpt(EXCERPT));
        self.fault(&format!(
            "returned an unexpected result type. Expected '{wanted}', but was '{found}' for value: {shown}"
        ))
    }

    /// Returns the fault of an expression that has no usable value.
    #[cold]
    fn fault(&self, problem: &str) -> Fault {
        let FieldSite { source, field } = self;
        let cause = format!("The JSONata expression '{source}' specified for the field '{field}' {problem}");
        Fault::evaluation(names::QUERY_EVALUATION_ERROR, cause)
    }
}

/// Returns the environment of an evaluation in a turn.
pub(super) fn environment<'a>(
    states: States<'a>,
    values: &'a [Option<Value>],
    core: &'a mut Core,
) -> JsonataEnvironment<'a> {
    let now = core.now().as_micros().div_euclid(1_000);
    let FunctionLimits { steps, memory, .. } = core.function_limits();
    let total_memory = usize::try_from(memory).unwrap_or(usize::MAX);
    let most = core.jsonata_limits();
    let depth = most.depth.min(machine::JsonataLimits::MAX_DEPTH) as usize;
    // On a machine of 32 bits no text is larger.
    let memory = usize::try_from(most.bytes).unwrap_or(usize::MAX);
    let limits = JsonataLimits { depth, memory, total_memory, steps };
    JsonataEnvironment { states, values, now, random: core, limits }
}

/// An expression in a field of a state.
pub struct JsonataField {
    /// The expression. To it, all of `reads` are variables: no variable has a name with a dot, so
    /// that members of `$states` are not found as variables.
    program: JsonataProgram,
    site: FieldSite,
    reads: &'static [&'static str],
}

impl JsonataField {
    /// Creates the expression `source` of the field at this place, such as `Output/total`. `reads`
    /// are the names of the values that it reads: members of `$states`, such as `states.input`,
    /// and variables. Generated code calls this.
    pub const fn new(source: &'static str, field: &'static str, reads: &'static [&'static str]) -> JsonataField {
        JsonataField { program: JsonataProgram::new(source, reads), site: FieldSite { source, field }, reads }
    }

    /// Evaluates the expression. `values` are the values of the names, in their order.
    fn value(&self, values: &[Option<&Value>], core: &mut Core) -> Result<Value, Fault> {
        let mut states = States::default();
        for (name, value) in self.reads.iter().zip(values) {
            match *name {
                "states.input" => states.input = *value,
                "states.result" => states.result = *value,
                "states.errorOutput" => states.error_output = *value,
                "states.context" => states.context = *value,
                _ => {}
            }
        }
        let values: Vec<Option<Value>> = values.iter().map(|value| value.cloned()).collect();
        self.site.value(self.program.evaluate(environment(states, &values, core)))
    }

    /// Evaluates the expression, whose value has to be of a type.
    fn typed(
        &self,
        wanted: &str,
        is_wanted: fn(&Value) -> bool,
        values: &[Option<&Value>],
        core: &mut Core,
    ) -> Result<Value, Fault> {
        let value = self.value(values, core)?;
        if is_wanted(&value) { Ok(value) } else { Err(self.site.mismatch(wanted, &value)) }
    }
}

/// Returns the name of a type in AWS's messages.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Int(_) | Value::Float(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Evaluates an expression whose value may have any type.
///
/// # Errors
/// An error of the expression, an exceeded limit, and a result that is undefined or a function are
/// faults that can be caught.
pub fn evaluate(field: &JsonataField, values: &[Option<&Value>], core: &mut Core) -> Result<Value, Fault> {
    field.value(values, core)
}

/// Evaluates an expression whose value has to be an array.
///
/// # Errors
/// See [`evaluate`]. A value of another type is such a fault, too.
pub fn evaluate_array(field: &JsonataField, values: &[Option<&Value>], core: &mut Core) -> Result<Value, Fault> {
    field.typed("array", |value| matches!(value, Value::Array(_)), values, core)
}

/// Evaluates an expression whose value has to be an array or an object: the items of a distributed
/// Map.
///
/// # Errors
/// See [`evaluate_array`].
pub fn evaluate_items(field: &JsonataField, values: &[Option<&Value>], core: &mut Core) -> Result<Value, Fault> {
    field.typed("array", |value| matches!(value, Value::Array(_) | Value::Object(_)), values, core)
}

/// Evaluates an expression whose value has to be an object.
///
/// # Errors
/// See [`evaluate_array`].
pub fn evaluate_object(field: &JsonataField, values: &[Option<&Value>], core: &mut Core) -> Result<Value, Fault> {
    field.typed("object", |value| matches!(value, Value::Object(_)), values, core)
}

/// Evaluates an expression whose value has to be a boolean.
///
/// # Errors
/// See [`evaluate_array`].
pub fn evaluate_boolean(field: &JsonataField, values: &[Option<&Value>], core: &mut Core) -> Result<bool, Fault> {
    let value = field.typed("boolean", |value| matches!(value, Value::Bool(_)), values, core)?;
    Ok(value == Value::Bool(true))
}

/// Evaluates an expression whose value has to be a number.
///
/// # Errors
/// See [`evaluate_array`].
pub fn evaluate_number(field: &JsonataField, values: &[Option<&Value>], core: &mut Core) -> Result<Value, Fault> {
    field.typed("number", |value| matches!(value, Value::Int(_) | Value::Float(_)), values, core)
}

/// Evaluates an expression whose value has to be a string.
///
/// # Errors
/// See [`evaluate_array`].
pub fn evaluate_string(field: &JsonataField, values: &[Option<&Value>], core: &mut Core) -> Result<Value, Fault> {
    field.typed("string", |value| matches!(value, Value::String(_)), values, core)
}
