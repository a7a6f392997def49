//! The values of the context object that AWS makes up for a test of a single state. They are
//! compared by their form.

use serde_json::{Map, Value, json};

/// Returns a value whose context objects have, in place of each value that AWS makes up, the form
/// of the value. AWS makes up the name of the state also for a case that names it (recorded).
pub fn without_made_up(value: &Value) -> Value {
    match value {
        Value::Object(members) if is_context(members) => {
            let forms = members.iter().map(|(part, value)| (part.clone(), part_without(part, value)));
            Value::Object(forms.collect())
        }
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, value)| (name.clone(), without_made_up(value))).collect())
        }
        Value::Array(items) => items.iter().map(without_made_up).collect(),
        other => other.clone(),
    }
}

fn is_context(members: &Map<String, Value>) -> bool {
    ["Execution", "State", "StateMachine"].iter().all(|part| members.get(*part).is_some_and(Value::is_object))
}

/// Returns a part of a context object with forms in place of values.
fn part_without(part: &str, value: &Value) -> Value {
    let Some(members) = value.as_object() else { return value.clone() };
    let formed = members.iter().map(|(name, value)| (name.clone(), form(part, name, value)));
    Value::Object(formed.collect())
}

fn form(part: &str, name: &str, value: &Value) -> Value {
    let text = value.as_str();
    let named = |name: &str, is_of_form: bool| if is_of_form { json!({ "a form": name }) } else { value.clone() };
    match (part, name) {
        ("Execution" | "StateMachine", "Id") => {
            named("id", text.is_some_and(|text| text.starts_with("arn:aws:states:")))
        }
        ("Execution" | "StateMachine" | "State", "Name") => named("name", text.is_some_and(|text| !text.is_empty())),
        ("Execution", "StartTime") | ("State", "EnteredTime") => named("time", text.is_some_and(is_time)),
        // AWS shows the role of the caller, if there is one.
        ("Execution", "RoleArn") => {
            named("role", value.is_null() || text.is_some_and(|text| text.starts_with("arn:aws:iam:")))
        }
        _ => value.clone(),
    }
}

/// Returns `true` for the time `2026-11-20T09:16:31.000Z`, and for the word that stands for a time
/// in the records.
fn is_time(text: &str) -> bool {
    let pattern = "dddd-dd-ddTdd:dd:dd.dddZ";
    let fits = |(c, p): (char, char)| if p == 'd' { c.is_ascii_digit() } else { c == p };
    text == "date" || text.len() == pattern.len() && text.chars().zip(pattern.chars()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(id: &str, time: &str, input: i32) -> Value {
        json!({ "ctx": [{
            "Execution": { "Id": id, "Name": "n", "StartTime": time, "RoleArn": null, "Input": { "Name": input } },
            "StateMachine": { "Id": id, "Name": "m" },
            "State": { "Name": "s", "EnteredTime": time, "RetryCount": 0 },
        }] })
    }

    #[test]
    fn values_that_aws_makes_up_are_compared_by_their_form() {
        let recorded = without_made_up(&context("arn:aws:states:<resource:1>", "date", 1));
        let same = |id: &str, time: &str, input: i32| without_made_up(&context(id, time, input)) == recorded;
        assert!(same("arn:aws:states:local:0:execution:a:b", "2026-11-20T09:16:31.000Z", 1));
        assert!(!same("execution:a:b", "2026-11-20T09:16:31.000Z", 1));
        assert!(!same("arn:aws:states:local:0:execution:a:b", "2026-11-20T09:16:31Z", 1));
        assert!(!same("arn:aws:states:local:0:execution:a:b", "2026-11-20T09:16:31.000Z", 2));
    }

    #[test]
    fn other_objects_stay_as_they_are() {
        let value = json!({ "Execution": { "Id": "arn:aws:states:x" }, "State": { "Name": "s" } });
        assert_eq!(without_made_up(&value), value);
    }
}
