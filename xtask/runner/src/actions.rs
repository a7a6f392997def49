//! The actions that cases of OpenWhisk Composer invoke, as the notes on the cases describe them.

use workflow_runtime::value::object;
use workflow_runtime::{Fault, Str, Value};

/// Returns the answer of an action. An unknown action fails as in OpenWhisk.
pub fn answer(action: &str, params: &Value) -> Result<Value, Fault> {
    let n = || params.get("n").and_then(Value::as_f64).unwrap_or(f64::NAN);
    let text = |name: &str| params.get(name).and_then(Value::as_str);
    let value = |value: bool| object([("value", value.into())]);
    let error = |error: Value| object([("error", error)]);
    Ok(match action {
        "isNotOne" => value(n() != 1.0),
        "isEven" => value(n() % 2.0 == 0.0),
        "DivideByTwo" => object([("n", number(n() / 2.0))]),
        "TripleAndIncrement" => object([("n", number(n() * 3.0 + 1.0))]),
        "echo" | "/whisk.system/utils/echo" => params.clone(),
        "foo" | "bar" => {
            let mut marked = params.clone();
            if let Some(members) = marked.as_object_mut() {
                members.insert(Str::from(action), true);
            }
            marked
        }
        "authenticate" => value(text("token") == Some("secret")),
        "welcome" => page(&format!("welcome {}!", text("name").unwrap_or("undefined"))),
        "login" => page("please say the magic word."),
        "validate" if text("str").is_some_and(is_base64) => object([("ok", true.into())]),
        "validate" => error("argument is not a base64 encoded string.".into()),
        "failWithDetails" => error("KO".into()),
        "failWithObject" => error(object([("code", 42.into()), ("reason", "bad".into())])),
        "boom" => error("An error has occurred: Error: boom".into()),
        "returnsNumber" => error("The action did not return a dictionary.".into()),
        "returnsNothing" => object([]),
        "returnsLists" => object([("value", (1..=3).map(Value::from).collect())]),
        _ => return Err(Fault::from_error_object(format!("The requested resource does not exist: {action}").into())),
    })
}

fn page(body: &str) -> Value {
    object([("html", format!("<html><body>{body}</body></html>").into())])
}

/// Returns a number as JSON has it: an integer if it is whole, and null if it is not finite.
fn number(value: f64) -> Value {
    match value.fract() == 0.0 && value.abs() < 9e15 {
        true => Value::Int(value as i64),
        false => Value::from(value),
    }
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let plain = body.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    !text.is_empty() && text.len().is_multiple_of(4) && text.len() - body.len() <= 2 && plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::value;

    #[test]
    fn actions_answer_by_name() {
        assert_eq!(answer("isEven", &value!({"n": 4})), Ok(value!({"value": true})));
        assert_eq!(answer("DivideByTwo", &value!({"n": 4})), Ok(value!({"n": 2})));
        assert_eq!(answer("foo", &value!({"a": 1})), Ok(value!({"a": 1, "foo": true})));
        assert_eq!(answer("validate", &value!({"str": "YWI="})), Ok(value!({"ok": true})));
        assert!(answer("validate", &value!({"str": "YWI"})).is_ok_and(|answer| answer.get("error").is_some()));
        assert!(answer("nobody", &value!({})).is_err());
    }
}
