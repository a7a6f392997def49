//! The settings of readers that AWS refuses.

use workflow_objects::reader::{ReaderConfig, ReaderResource};

use crate::support::{settings, try_reader};

fn check(resource: ReaderResource, config: &str, expected: &[&str]) {
    let messages: Vec<String> = match ReaderConfig::new(resource, &settings(config)) {
        Ok(_) => Vec::new(),
        Err(refusals) => refusals.into_iter().map(|refusal| refusal.message).collect(),
    };
    assert_eq!(messages, expected, "{config}");
}

#[test]
fn settings_are_refused_as_by_aws() {
    let get = |config: &str, expected: &[&str]| check(ReaderResource::GetObject, config, expected);
    let list = |config: &str, expected: &[&str]| check(ReaderResource::ListObjects, config, expected);
    get("{}", &["The field 'InputType' is required"]);
    get(r#"{ "InputType": "JSON" }"#, &[]);
    get(r#"{ "InputType": "PARQUET" }"#, &[]);
    get(r#"{ "InputType": "MANIFEST" }"#, &[]);
    get(r#"{ "InputType": "MANIFEST", "ManifestType": "S3_INVENTORY" }"#, &[]);
    get(r#"{ "ManifestType": "S3_INVENTORY" }"#, &[]);
    get(r#"{ "InputType": "JSONL", "ManifestType": "ATHENA_DATA" }"#, &[]);
    get(r#"{ "InputType": "XML" }"#, &["Value should be one of the following: [CSV, JSON, JSONL, PARQUET, MANIFEST]"]);
    get(r#"{ "InputType": "JSON", "ItemsPointer": "/a/b" }"#, &[]);
    get(
        r#"{ "InputType": "JSON", "ItemsPointer": "data/items" }"#,
        &[r#"Invalid input: JSON Pointer expression must start with '/': "data/items""#],
    );
    get(r#"{ "InputType": "JSONL", "ItemsPointer": "/a" }"#, &["Field 'ItemsPointer' is not supported"]);
    get(r#"{ "InputType": "JSON", "ManifestType": "ATHENA_DATA" }"#, &["Field 'ManifestType' is not supported"]);
    get(r#"{ "InputType": "JSON", "Transformation": "NONE" }"#, &["Field 'Transformation' is not supported"]);
    get(r#"{ "InputType": "CSV" }"#, &["These fields are required: [CSVHeaderLocation]"]);
    get(r#"{ "InputType": "CSV", "CSVHeaderLocation": "GIVEN" }"#, &["These fields are required: [CSVHeaders]"]);
    get(
        r#"{ "InputType": "JSONL", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["id"] }"#,
        &["Field 'CSVHeaderLocation' is not supported", "Field 'CSVHeaders' is not supported"],
    );
    get(
        r#"{ "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "CSVHeaders": ["id"] }"#,
        &["Field 'CSVHeaders' is not supported"],
    );
    list("{}", &[]);
    list(r#"{ "Transformation": "NONE" }"#, &[]);
    list(r#"{ "Transformation": "LOAD_AND_FLATTEN" }"#, &["The field 'InputType' is required"]);
    list(r#"{ "Transformation": "LOAD_AND_FLATTEN", "InputType": "JSON", "ItemsPointer": "/a" }"#, &[]);
    list(r#"{ "InputType": "JSON" }"#, &["Field 'InputType' is not supported"]);
}

#[test]
fn arguments_are_refused_as_by_aws() {
    let json = r#"{ "InputType": "JSON" }"#;
    let error = try_reader("a", json, Some(-1)).expect_err("it is negative");
    assert_eq!(error.cause(), "field MaxItems must be positive");
    let twice = r#"{ "InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a", "b", "a"] }"#;
    let error = try_reader("a", twice, None).expect_err("a header is there twice");
    assert_eq!(error.cause(), "CSV headers cannot contain duplicates.");
    assert!(error.fault().is(&["States.ItemReaderFailed"]));
}
