//! What compositions of OpenWhisk Composer do to their parameters and, where it has no static shape, to their stack.
//!
//! Parameters are an object at all times. An object that the outcome of a Task makes an error object has the one key `error`.

use std::sync::Arc;

use crate::fault::Fault;
use crate::panics;
use crate::value::{Array, Str, Value, object};

/// The outcome of a Task as parameters: an object with the key `error`, whatever its value, is an error object and keeps
/// that key only; what is no object is wrapped as `{"value": …}`.
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

/// The input of an execution as parameters. What is no object is wrapped, and nothing is the empty object.
pub fn parameters(input: Value) -> Value {
    match input {
        Value::Object(_) => input,
        Value::Null => object([]),
        other => object([("value", other)]),
    }
}

/// Whether parameters are an error object: the key counts, whatever its value.
pub fn is_error(parameters: &Value) -> bool {
    parameters.get("error").is_some()
}

/// Whether a Choice goes to `Then`: nothing but `true` is true.
pub fn is_true(value: Option<&Value>) -> bool {
    matches!(value, Some(Value::Bool(true)))
}

/// The error object of the fault of an action, which is given as `{"Error": …, "Cause": …}`.
pub fn error_object(fault: Value) -> Value {
    let part = |name: &str| fault.get(name).filter(|part| !part.is_null()).cloned();
    let fault = match part("Error") {
        Some(name) => Fault::from_parts(Some(name), part("Cause")),
        None => Fault::from_error_object(part("Cause").unwrap_or_default()),
    };
    object([("error", fault.to_error())])
}

/// The fault of an execution that ends with parameters that have the key `error`. What else they have, because no Task made
/// an error object of them, is its cause.
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

/// The variables that a function of a composition sees: those that Let states declared around it, each by its name. Of
/// several of one name it sees the innermost.
pub struct Variables<'v>(Vec<(&'static str, &'v mut Value)>);

impl Variables<'_> {
    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, value)| &**value)
    }

    /// The value of a variable, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        self.0.iter_mut().find(|(own, _)| *own == name).map(|(_, value)| &mut **value)
    }
}

/// Calls a function of the program in the place of one that the definition carries. Its result is an outcome, and so is its
/// fault or its panic: an error object, as that of an action.
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

// The stack of a composition whose states are entered with several shapes of it (ruling Q13): an array of
// `{"params": …}`, `{"catch": state}` and `{"let": {name: value}}`.

fn push(stack: &mut Value, entry: Value) {
    if let Value::Array(entries) = stack {
        Arc::make_mut(entries).push(entry);
    }
}

/// Saves parameters.
pub fn push_params(stack: &mut Value, params: Value) {
    push(stack, object([("params", params)]));
}

/// Sets up a handler.
pub fn push_handler(stack: &mut Value, state: &'static str) {
    push(stack, object([("catch", Value::String(Str::from_static(state)))]));
}

/// Declares a variable.
pub fn push_variable(stack: &mut Value, name: &'static str, value: Value) {
    push(stack, object([("let", object([(name, value)]))]));
}

/// The parameters on top; a fault that no handler sees where there are none.
pub fn params(stack: &Value, state: &'static str) -> Result<Value, Fault> {
    taken(stack, "params", "saved parameters", state)
}

/// The handler on top, as [`params`].
pub fn handler(stack: &Value, state: &'static str) -> Result<Value, Fault> {
    taken(stack, "catch", "a handler", state)
}

/// The variable on top, as [`params`].
pub fn variable(stack: &Value, state: &'static str) -> Result<Value, Fault> {
    taken(stack, "let", "a variable", state)
}

fn taken(stack: &Value, kind: &str, wanted: &str, state: &str) -> Result<Value, Fault> {
    let top = entries(stack).last();
    let Some(value) = top.and_then(|top| top.get(kind)) else {
        let there = match top.and_then(Value::as_object).and_then(|top| top.keys().next().cloned()).as_deref() {
            None => "the stack is empty",
            Some("params") => "on top there are saved parameters",
            Some("catch") => "on top there is a handler",
            Some(_) => "on top there is a variable",
        };
        return Err(Fault::runtime(format!("state `{state}` takes {wanted} from the stack, and {there}")));
    };
    Ok(value.clone())
}

fn entries(stack: &Value) -> &[Value] {
    stack.as_array().map_or(&[], |entries| entries)
}

/// Takes off what is on top.
pub fn pop(stack: &mut Value) {
    if let Value::Array(entries) = stack {
        Arc::make_mut(entries).pop();
    }
}

/// Takes off everything above the topmost handler, or everything.
pub fn unwind(stack: &mut Value) {
    while entries(stack).last().is_some_and(|top| top.get("catch").is_none()) {
        pop(stack);
    }
}

/// Whether the handler on top is this state.
pub fn is_handler(stack: &Value, state: &'static str) -> bool {
    entries(stack).last().and_then(|top| top.get("catch")).and_then(Value::as_str) == Some(state)
}

/// The topmost variable of a name; null where there is none.
pub fn read(stack: &Value, name: &'static str) -> Value {
    let found = entries(stack).iter().rev().find_map(|entry| entry.get("let").and_then(|variable| variable.get(name)));
    found.cloned().unwrap_or_default()
}

/// Changes the topmost variable of a name.
pub fn write(stack: &mut Value, name: &'static str, value: Value) {
    let Value::Array(entries) = stack else { return };
    let entries: &mut Array = Arc::make_mut(entries);
    let found = entries.iter_mut().rev().find_map(|entry| entry.get_mut("let").and_then(|entry| entry.get_mut(name)));
    if let Some(variable) = found {
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
    fn a_checked_stack_tells_what_is_missing() {
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
