//! The unsupported parts of the language. Cases that need them are not tried.

use serde_json::Value;

/// Fields of a Map state that belong to its distributed mode.
const DISTRIBUTED_FIELDS: &[&str] = &["ItemReader", "ItemBatcher", "ResultWriter", "Label"];

/// Returns the reason why a definition, or a single state, is not tried.
pub fn put_off(definition: &Value) -> Option<String> {
    if let Some(states) = definition["States"].as_object() {
        return states.values().find_map(put_off);
    }
    if definition["Type"] == "Map" {
        let field = DISTRIBUTED_FIELDS.iter().find(|field| definition.get(**field).is_some());
        if let Some(field) = field {
            return Some(format!("`{field}` of a Map state is put off"));
        }
    }
    for processor in ["ItemProcessor", "Iterator"].iter().filter_map(|field| definition.get(*field)) {
        if processor["ProcessorConfig"]["Mode"] == "DISTRIBUTED" {
            return Some("the distributed mode of a Map state is put off".to_owned());
        }
        if let Some(reason) = put_off(processor) {
            return Some(reason);
        }
    }
    definition["Branches"].as_array()?.iter().find_map(put_off)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_put_off_is_found_at_any_depth_and_nowhere_else() {
        let machine = |state: Value| json!({ "StartAt": "A", "States": { "A": state } });
        let distributed = json!({ "Type": "Map", "ItemProcessor": { "ProcessorConfig": { "Mode": "DISTRIBUTED" } } });
        let cases = [
            (machine(json!({ "Type": "Pass", "QueryLanguage": "JSONata" })), false),
            (machine(json!({ "Type": "Parallel", "Branches": [machine(distributed)] })), true),
            (machine(json!({ "Type": "Map", "Label": "x", "ItemProcessor": {} })), true),
            (machine(json!({ "Type": "Pass", "Result": { "Label": "x" } })), false),
        ];
        for (definition, is_put_off) in cases {
            assert_eq!(put_off(&definition).is_some(), is_put_off, "{definition}");
        }
    }
}
