//! Checks of the fields of a case. An unknown field makes the case unsupported, because it may
//! change the meaning of the case.

use serde_json::Value;

/// Fails with the name of the first member of an object that is not among `known`. A value that is
/// not an object has no members. `owner` names the object in the message: `` `expected` ``.
pub fn check(owner: &str, object: &Value, known: &[&str]) -> Result<(), String> {
    let mut members = object.as_object().into_iter().flatten();
    match members.find(|(name, _)| !known.contains(&name.as_str())) {
        Some((name, _)) => Err(format!("unknown field `{name}` of {owner}")),
        None => Ok(()),
    }
}

/// Does the same for each object of a list.
pub fn check_each(owner: &str, list: &Value, known: &[&str]) -> Result<(), String> {
    list.as_array().into_iter().flatten().try_for_each(|object| check(owner, object, known))
}

/// Fails unless a field is absent, null, or one of the `known` texts.
pub fn check_text(name: &str, value: &Value, known: &[&str]) -> Result<(), String> {
    let is_known = value.is_null() || value.as_str().is_some_and(|text| known.contains(&text));
    if is_known { Ok(()) } else { Err(format!("unknown value {value} of the field `{name}`")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unknown_fields_and_values_are_named() {
        assert_eq!(check("a case", &json!({ "id": 1 }), &["id"]), Ok(()));
        assert_eq!(check("a case", &json!(["id"]), &[]), Ok(()));
        let unknown = check("a case", &json!({ "id": 1, "mood": 2 }), &["id"]);
        assert_eq!(unknown, Err("unknown field `mood` of a case".to_owned()));
        assert!(check_each("a stub", &json!([{ "a": 1 }, { "b": 1 }]), &["a"]).is_err_and(|text| text.contains("`b`")));
        assert_eq!(check_text("tier", &Value::Null, &[]), Ok(()));
        assert_eq!(check_text("tier", &json!("pure"), &["pure"]), Ok(()));
        assert!(check_text("tier", &json!("odd"), &["pure"]).is_err_and(|text| text.contains("`tier`")));
    }
}
