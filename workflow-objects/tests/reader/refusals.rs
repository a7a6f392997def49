//! The settings of readers that AWS refuses.

use workflow_objects::reader::{ReaderConfig, ReaderResource, ReaderSettings};
use workflow_runtime::machine::ReaderKind;
use workflow_runtime::machine::reader_rules::{self, ReaderFields};

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
    get(r#"{ "InputType": "JSON", "ItemsPointer": "" }"#, &[]);
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

/// The compiler checks by the same rules.
#[test]
fn exactly_the_settings_that_the_rules_refuse_are_refused() {
    let or_none = |words: &'static [&'static str]| [None].into_iter().chain(words.iter().copied().map(Some));
    let mut accepted = 0;
    for input_type in or_none(reader_rules::INPUT_TYPES) {
        for manifest_type in or_none(reader_rules::MANIFEST_TYPES) {
            for transformation in or_none(reader_rules::TRANSFORMATIONS) {
                for csv_header_location in or_none(reader_rules::CSV_HEADER_LOCATIONS) {
                    for (has_csv_headers, items_pointer) in [(false, None), (true, None), (false, Some("/a"))] {
                        let csv_delimiter = has_csv_headers.then_some("TAB");
                        accepted += check_fields(&ReaderFields {
                            input_type,
                            manifest_type,
                            transformation,
                            csv_header_location,
                            has_csv_headers,
                            csv_delimiter,
                            items_pointer,
                        });
                    }
                }
            }
        }
    }
    assert!(accepted > 20, "{accepted}");
}

/// Checks that the reader refuses what the rules refuse. Returns the number of accepted readers.
fn check_fields(fields: &ReaderFields<'_>) -> usize {
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let settings = ReaderSettings {
        input_type: owned(fields.input_type),
        manifest_type: owned(fields.manifest_type),
        transformation: owned(fields.transformation),
        csv_header_location: owned(fields.csv_header_location),
        csv_headers: fields.has_csv_headers.then(|| vec!["a".to_owned()]),
        csv_delimiter: owned(fields.csv_delimiter),
        items_pointer: owned(fields.items_pointer),
    };
    let kinds =
        [(ReaderKind::GetObject, ReaderResource::GetObject), (ReaderKind::ListObjects, ReaderResource::ListObjects)];
    let is_accepted = |(kind, resource)| {
        let expected: Vec<String> = fields.refusals(kind).into_iter().map(|refusal| refusal.message).collect();
        let refused = ReaderConfig::new(resource, &settings).err().unwrap_or_default();
        let found: Vec<String> = refused.into_iter().map(|refusal| refusal.message).collect();
        assert_eq!(found, expected, "{kind:?} {fields:?}");
        found.is_empty()
    };
    kinds.into_iter().filter(|kind| is_accepted(*kind)).count()
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
