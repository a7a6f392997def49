//! The data operations of OpenWhisk Composer: parameters, and the stack of compositions whose
//! stack has no static shape.
//!
//! Parameters are always an object. If the result of a Task has the key `error`, the parameters
//! become an error object, which has only the key `error`.

use std::sync::Arc;

use crate::fault::Fault;
use crate::panics;
use crate::value::{Array, Str, Value, object};

/// Converts the outcome of a Task to parameters. An object with the key `error`, whatever its
/// value, becomes an error object and keeps only that key. A value that is not an object is
/// wrapped as `{"value": …}`.
pub fn outcome(result: Value) -> Value {
    match result {
        Value::Object(members) => match members.get("error") {
            Some(_) if members.len() == 1 => Value::Object(members),
            Some(error) => object([("error", error.clone())]),
            None => Value::Object(members),
        },
        other => object([("value", other)]),
    }
}

/// Converts the input of an execution to parameters. A value that is not an object is wrapped as
/// `{"value": …}`. Null becomes the empty object.
pub fn parameters(input: Value) -> Value {
    match input {
        Value::Object(_) => input,
        Value::Null => object([]),
        other => object([("value", other)]),
    }
}

/// Returns `true` if parameters are an error object. Only the presence of the key `error` counts,
/// not its value.
pub fn is_error(parameters: &Value) -> bool {
    parameters.get("error").is_some()
}

/// Returns `true` if a Choice goes to `Then`: the value is `true`.
pub fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Bool(true)))
}

/// Converts the fault of an action, passed as `{"Error": …, "Cause": …}`, to an error object. The
/// empty cause of a time-out adds nothing to its name.
pub fn error_object(fault: Value) -> Value {
    let part = |name: &str| fault.get(name).filter(|part| !part.is_null()).cloned();
    let fault = match part("Error") {
        Some(name) => Fault::from_parts(Some(name), part("Cause").filter(|cause| cause.as_str() != Some(""))),
        None => Fault::from_error_object(part("Cause").unwrap_or_default()),
    };
    object([("error", fault.to_error())])
}

/// Returns the fault of an execution that ends with parameters that have the key `error`. Further
/// members become the cause: they exist where no Task reduced the parameters to an error object.
pub fn failure(parameters: Value) -> Fault {
    let Value::Object(mut members) = parameters else { return Fault::from_error_object(parameters) };
    match members.get("error").cloned() {
        Some(Value::String(name)) if members.len() > 1 => {
            Arc::make_mut(&mut members).remove("error");
            Fault::new(name, Value::Object(members))
        }
        Some(_) if members.len() > 1 => Fault::from_error_object(Value::Object(members)),
        error => Fault::from_error_object(error.unwrap_or_default()),
    }
}

/// The variables that are visible to a function of a composition: the variables of the Let states
/// around it, by name. An inner variable shadows outer variables of the same name.
///
/// ```
/// use workflow_runtime::{Fault, Value, Variables, value};
///
/// /// Replaces a function of a composition, which reads and writes the variable `total`.
/// fn add(item: Value, variables: &mut Variables<'_>) -> Result<Value, Fault> {
///     if let Some(total) = variables.get_mut("total") {
///         let sum = total.as_f64().unwrap_or_default() + item.get("price").and_then(Value::as_f64).unwrap_or_default();
///         *total = sum.into();
///     }
///     Ok(value!({ "total": variables.get("total").cloned().unwrap_or_default() }))
/// }
/// ```
pub struct Variables<'v>(Vec<(&'static str, &'v mut Value)>);

impl Variables<'_> {
    /// Returns the value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| &**value)
    }

    /// Returns the value of a variable for modification.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(own, _)| *own == name).map(|(_, value)| &mut **value)
    }
}

/// Calls a function of the program in place of a function that the definition contains. The result
/// is an outcome. A fault or a panic becomes an error object, as for an action.
pub fn call<const N: usize>(
    document: &mut Value,
    variables: [(&'static str, &mut Value); N],
    function: impl FnOnce(Value, &mut Variables<'_>) -> Result<Value, Fault>,
) {
    let parameters = document.take();
    let mut variables = Variables(variables.into_iter().collect());
    *document = match panics::catch(|| function(parameters, &mut variables)) {
        Ok(Ok(result)) => outcome(result),
        Ok(Err(fault)) => object([("error", fault.to_error())]),
        Err(said) => object([("error", format!("the function panicked: {said}").into())]),
    };
}

// The stack of a composition that enters states with stacks of different shapes
// ([Q13](docs/composer.md#q13)) is an array of `{"params": …}`, `{"catch": state}` and `{"let":
// {name: value}}`.

fn push(stack: &mut Value, entry: Value) {
    if let Value::Array(entries) = stack {
        Arc::make_mut(entries).push(entry);
    }
}

/// Pushes saved parameters.
pub fn push_params(stack: &mut Value, params: Value) {
    push(stack, object([("params", params)]));
}

/// Pushes an error handler.
pub fn push_handler(stack: &mut Value, state: &'static str) {
    push(stack, object([("catch", Value::String(Str::from_static(state)))]));
}

/// Pushes a variable.
pub fn push_variable(stack: &mut Value, name: &'static str, value: Value) {
    push(stack, object([("let", object([(name, value)]))]));
}

/// Returns the parameters on top of the stack. Any other entry, or an empty stack, is an
/// uncatchable fault.
pub fn params(stack: &Value, state: &'static str) -> Result<Value, Fault> {
    top(stack, "params", "saved parameters", state)
}

/// Returns the handler on top of the stack, with the faults of [`params`].
pub fn handler(stack: &Value, state: &'static str) -> Result<Value, Fault> {
    top(stack, "catch", "a handler", state)
}

/// Returns the variable on top of the stack, with the faults of [`params`].
pub fn variable(stack: &Value, state: &'static str) -> Result<Value, Fault> {
    top(stack, "let", "a variable", state)
}

fn top(stack: &Value, kind: &str, wanted: &str, state: &str) -> Result<Value, Fault> {
    let top = entries(stack).last();
    let Some(value) = top.and_then(|top| top.get(kind)) else {
        let there = match top.and_then(Value::as_object).and_then(|top| top.keys().next().cloned()).as_deref() {
            None => "the stack is empty",
            Some("params") => "the top entry is saved parameters",
            Some("catch") => "the top entry is a handler",
            Some(_) => "the top entry is a variable",
        };
        return Err(Fault::runtime(format!("the state `{state}` expects {wanted} on the stack, but {there}")));
    };
    Ok(value.clone())
}

fn entries(stack: &Value) -> &[Value] {
    stack.as_array().map_or(&[], |entries| entries)
}

/// Pops the top of the stack.
pub fn pop(stack: &mut Value) {
    if let Value::Array(entries) = stack {
        Arc::make_mut(entries).pop();
    }
}

/// Pops all entries above the topmost handler, or all entries if the stack has no handler.
pub fn unwind(stack: &mut Value) {
    while entries(stack).last().is_some_and(|top| top.get("catch").is_none()) {
        pop(stack);
    }
}

/// Returns `true` if the handler on top is this state.
pub fn is_handler(stack: &Value, state: &'static str) -> bool {
    entries(stack).last().and_then(|top| top.get("catch")).and_then(Value::as_str) == Some(state)
}

/// Returns the topmost variable of a name, or null if the stack has none.
pub fn read(stack: &Value, name: &'static str) -> Value {
    let variable = entries(stack).iter().rev().find_map(|entry| entry.get("let").and_then(|entry| entry.get(name)));
    variable.cloned().unwrap_or_default()
}

/// Assigns the topmost variable of a name.
pub fn write(stack: &mut Value, name: &'static str, value: Value) {
    let Value::Array(entries) = stack else { return };
    let entries: &mut Array = Arc::make_mut(entries);
    let variable =
        entries.iter_mut().rev().find_map(|entry| entry.get_mut("let").and_then(|entry| entry.get_mut(name)));
    if let Some(variable) = variable {
        *variable = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    #[test]
    fn outcomes_are_objects_and_errors_stand_alone() {
        let cases = [
            (value!({"a": 1}), value!({"a": 1})),
            (value!([1]), value!({"value": [1]})),
            (value!(null), value!({"value": null})),
            (value!({"error": null, "a": 1}), value!({"error": null})),
            (value!({"error": {"code": 4}}), value!({"error": {"code": 4}})),
        ];
        for (result, expected) in cases {
            assert_eq!(outcome(result), expected);
        }
        assert!(is_error(&value!({"error": false})));
        assert!(!is_error(&value!({"value": "error"})));
    }

    #[test]
    fn error_objects_survive_as_faults() {
        for error in [value!("boom"), value!(null), value!({"code": 42}), value!(""), value!([1])] {
            let object = value!({"error": error});
            assert_eq!(value!({"error": failure(object.clone()).to_error()}), object);
            assert_eq!(error_object(failure(object.clone()).output()), object);
        }
        let more = failure(value!({"error": "boom", "a": 1}));
        assert_eq!((more.error(), more.cause()), (Some("boom"), Some(&value!({"a": 1}))));
        let declined = Fault::new("Declined", "by the bank");
        assert_eq!(error_object(declined.output()), value!({"error": "Declined: by the bank"}));
        assert_eq!(error_object(Fault::timeout().output()), value!({"error": "States.Timeout"}));
    }

    #[test]
    fn functions_of_the_program_take_parameters_and_variables() {
        let (mut document, mut n) = (value!({"a": 1}), value!(1));
        call(&mut document, [("n", &mut n)], |mut parameters, variables| {
            let n = variables.get("n").cloned().unwrap_or_default();
            parameters.as_object_mut().and_then(|members| members.insert("b", n));
            if let Some(n) = variables.get_mut("n") {
                *n = 2.into();
            }
            Ok(parameters)
        });
        assert_eq!((document, n), (value!({"a": 1, "b": 1}), value!(2)));
        let mut document = value!({});
        call(&mut document, [], |_, _| Err(Fault::new("Declined", "by the bank")));
        assert_eq!(document, value!({"error": "Declined: by the bank"}));
        call(&mut document, [], |_, _| panic!("no more"));
        assert_eq!(document, value!({"error": "the function panicked: no more"}));
    }

    #[test]
    fn a_function_of_the_program_may_throw_what_panics_in_its_turn() {
        struct Spiteful;
        impl Drop for Spiteful {
            fn drop(&mut self) {
                panic!("once more");
            }
        }
        let mut document = value!({});
        call(&mut document, [], |_, _| std::panic::panic_any(Spiteful));
        assert_eq!(document, value!({"error": "the function panicked: no message"}));
    }

    #[test]
    fn a_checked_stack_reports_what_is_missing() {
        let mut stack = value!([]);
        assert!(params(&stack, "pop").is_err_and(|fault| fault.to_string().contains("the stack is empty")));
        push_variable(&mut stack, "n", value!(1));
        push_handler(&mut stack, "failed");
        push_params(&mut stack, value!({"a": 1}));
        assert!(handler(&stack, "catch").is_err_and(|fault| fault.is_uncatchable()));
        write(&mut stack, "n", value!(2));
        assert_eq!((read(&stack, "n"), read(&stack, "m")), (value!(2), Value::Null));
        unwind(&mut stack);
        assert!(is_handler(&stack, "failed") && !is_handler(&stack, "other"));
        pop(&mut stack);
        assert_eq!(variable(&stack, "end"), Ok(value!({"n": 2})));
    }
}
