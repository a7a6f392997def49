//! Tests of the fields of distributed Maps.

use super::{machine, read, read_with};
use crate::Options;
use crate::diagnostics::Severity;
use crate::model::reader_rules::ReaderFields;
use crate::model::{ReaderKind, reader_rules};

/// Returns a Map state with `fields`, whose processor has `config`.
fn map(fields: &str, config: &str) -> String {
    let comma = if fields.is_empty() { "" } else { ", " };
    machine(&format!(
        r#"{{"Type": "Map", {fields}{comma}"ItemProcessor": {{{config}"StartAt": "I",
            "States": {{"I": {{"Type": "Succeed"}}}}}}, "End": true}}"#
    ))
}

/// Returns a Map state in the mode `DISTRIBUTED`.
fn distributed(fields: &str) -> String {
    map(fields, r#""ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "#)
}

/// Returns a reader of one object.
fn object(config: &str) -> String {
    format!(
        r#""ItemReader": {{"Resource": "arn:aws:states:::s3:getObject", "Parameters": {{"Bucket": "b", "Key": "k"}},
            "ReaderConfig": {config}}}"#
    )
}

/// Returns a reader of a listing.
fn listing(config: &str) -> String {
    format!(
        r#""ItemReader": {{"Resource": "arn:aws:states:::s3:listObjectsV2", "Parameters": {{"Bucket": "b"}},
            "ReaderConfig": {config}}}"#
    )
}

/// Returns the diagnostics of a definition: the code and the message of each.
fn diagnostics(text: &str, options: &Options) -> Vec<String> {
    let read = read_with(text, options);
    read.diagnostics.iter().map(|found| format!("{} {}", found.code.id, found.message)).collect()
}

/// Checks that `fields` of a distributed Map have the only diagnostic `expected`.
fn check(fields: &str, expected: &str) {
    assert_eq!(diagnostics(&distributed(fields), &Options::default()), [expected], "{fields}");
}

#[test]
fn readers_are_refused_in_the_words_of_aws() {
    let reader = |fields: &str| format!(r#""ItemReader": {{{fields}}}"#);
    let get = r#""Resource": "arn:aws:states:::s3:getObject""#;
    for (fields, expected) in [
        (
            reader(&format!(r#"{get}, "Parameters": {{"Bucket": "b", "Key": "k"}}"#)),
            "The field 'InputType' is required",
        ),
        (
            reader(&format!(r#"{get}, "Parameters": {{"Bucket.$": "$.b"}}, "ReaderConfig": {{"InputType": "JSON"}}"#)),
            "The field 'Key' is required but was missing",
        ),
        (
            reader(&format!(r#"{get}, "Parameters": {{"Key": "k"}}, "ReaderConfig": {{"InputType": "JSON"}}"#)),
            "The field 'Bucket' is required but was missing",
        ),
        (object("{}"), "The field 'InputType' is required"),
        (object(r#"{"InputType": "CSV"}"#), "These fields are required: [CSVHeaderLocation]"),
        (object(r#"{"InputType": "CSV", "CSVHeaderLocation": "GIVEN"}"#), "These fields are required: [CSVHeaders]"),
        (listing(r#"{"Transformation": "LOAD_AND_FLATTEN"}"#), "The field 'InputType' is required"),
    ] {
        check(&fields, &format!("WF0401 {expected}"));
    }
    for (fields, field) in [
        (object(r#"{"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "CSVHeaders": ["a"]}"#), "CSVHeaders"),
        (object(r#"{"InputType": "JSONL", "CSVDelimiter": "TAB"}"#), "CSVDelimiter"),
        (object(r#"{"InputType": "MANIFEST", "CSVHeaderLocation": "FIRST_ROW"}"#), "CSVHeaderLocation"),
        (object(r#"{"InputType": "JSONL", "ItemsPointer": "/a"}"#), "ItemsPointer"),
        (object(r#"{"InputType": "JSONL", "Transformation": "NONE"}"#), "Transformation"),
        (object(r#"{"InputType": "JSON", "ManifestType": "ATHENA_DATA"}"#), "ManifestType"),
        (object(r#"{"InputType": "MANIFEST", "ManifestType": "ATHENA_DATA"}"#), "ManifestType"),
        (listing(r#"{"InputType": "JSON"}"#), "InputType"),
        (listing(r#"{"InputType": "JSON", "Transformation": "NONE"}"#), "InputType"),
        (listing(r#"{"ManifestType": "S3_INVENTORY"}"#), "ManifestType"),
    ] {
        check(&fields, &format!("WF0406 Field '{field}' is not supported"));
    }
    check(
        &object(r#"{"InputType": "JSON", "ItemsPointer": "a"}"#),
        "WF0410 Invalid input: JSON Pointer expression must start with '/': \"a\"",
    );
    check(
        &listing(r#"{"InputType": "MANIFEST", "Transformation": "LOAD_AND_FLATTEN"}"#),
        "WF0407 Value should be one of the following: [CSV, JSON, JSONL, PARQUET]",
    );
    check(&listing(r#"{"MaxItems": -1}"#), "WF0404 `MaxItems` must be a whole number of at least 0");
    check(
        &listing(r#"{"MaxItems": 1, "MaxItemsPath": "$.n"}"#),
        "WF0405 `MaxItems` and `MaxItemsPath` cannot be used together",
    );
}

#[test]
fn a_number_of_items_has_no_maximum() {
    for number in ["0", "100000000", "5000000000", "1e300"] {
        let text = distributed(&listing(&format!(r#"{{"MaxItems": {number}}}"#)));
        assert_eq!(diagnostics(&text, &Options::default()), [""; 0], "{number}");
    }
}

#[test]
fn constant_arguments_are_strings() {
    for (constant, kind) in [
        ("1", "a number"),
        ("null", "null"),
        ("true", "a boolean"),
        (r#"["a"]"#, "an array"),
        (r#"{"a.$": "$.a"}"#, "an object"),
    ] {
        for (name, of) in [("Bucket", r#""Bucket": "b""#), ("Key", r#""Key": "k""#), ("VersionId", r#""Key": "k""#)] {
            let is_optional = name == "VersionId";
            let kept = if is_optional { r#""Key": "k", "# } else { "" };
            let fields = object(r#"{"InputType": "JSON"}"#).replace(of, &format!(r#"{kept}"{name}": {constant}"#));
            check(&fields, &format!("WF0403 `{name}` must be a string, found {kind}"));
            let jsonata = fields.replace("\"Parameters\"", "\"Arguments\"");
            let jsonata = distributed(&format!(r#""QueryLanguage": "JSONata", {jsonata}"#));
            let expected = format!("WF0403 `{name}` must be a string, found {kind}");
            assert_eq!(diagnostics(&jsonata, &Options::default()), [expected], "{jsonata}");
        }
    }
}

#[test]
fn rows_that_are_lost_are_shown() {
    let lost = r#"{"InputType": "CSV", "ManifestType": "ATHENA_DATA", "CSVHeaderLocation": "FIRST_ROW"}"#;
    check(
        &object(lost),
        "WF0463 the CSV objects of a manifest of Athena have no header row: the first row of each is lost",
    );
    for kept in [
        r#"{"InputType": "CSV", "ManifestType": "ATHENA_DATA", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["a"]}"#,
        r#"{"InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW"}"#,
        r#"{"InputType": "JSONL", "ManifestType": "ATHENA_DATA"}"#,
    ] {
        assert_eq!(diagnostics(&distributed(&object(kept)), &Options::default()), [""; 0], "{kept}");
    }
}

#[test]
fn labels_are_names() {
    let longest = "a".repeat(40);
    for (label, expected) in [
        ("Map", None),
        ("label_1-x.é", None),
        (&*longest, None),
        ("", Some("`Label` is empty")),
        ("a b", Some("`Label` cannot contain ` `")),
        ("a/b", Some("`Label` cannot contain `/`")),
        ("a\u{a0}b", Some("`Label` cannot contain `\\u{a0}`")),
        (&*"a".repeat(41), Some("`Label` has 41 characters, but the maximum is 40")),
    ] {
        let found = diagnostics(&distributed(&format!(r#""Label": "{label}""#)), &Options::default());
        let expected = expected.map(|message| format!("WF0410 {message}"));
        assert_eq!(found, Vec::from_iter(expected), "{label:?}");
    }
}

#[test]
fn a_label_is_used_once() {
    let inner = distributed(r#""Label": "Each""#);
    let text = inner.replace(
        r#"{"I": {"Type": "Succeed"}}"#,
        r#"{"I": {"Type": "Map", "Label": "Each", "End": true, "ItemProcessor": {
            "ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"},
            "StartAt": "J", "States": {"J": {"Type": "Succeed"}}}}}"#,
    );
    assert_eq!(diagnostics(&text, &Options::default()), ["WF0416 two Map states have the `Label` `Each`"]);
    let read = read(&text);
    let related: Vec<&str> = read.diagnostics[0].related.iter().map(|(_, label)| &**label).collect();
    assert_eq!(related, ["first used here"]);
}

#[test]
fn advice_on_the_mode_fits_its_config() {
    let batcher = r#""ItemBatcher": {"MaxItemsPerBatch": 2}"#;
    let both = "set `Mode` to `DISTRIBUTED`, and add `ExecutionType`";
    for (config, expected) in [
        ("{}", both),
        (r#"{"Mode": "INLINE"}"#, both),
        (r#"{"ExecutionType": "STANDARD"}"#, "set `Mode` to `DISTRIBUTED`"),
        ("[]", "set `Mode` to `DISTRIBUTED`"),
    ] {
        let read = read(&map(batcher, &format!(r#""ProcessorConfig": {config}, "#)));
        let found = read.diagnostics.iter().find(|found| found.code.id == "WF0462");
        assert_eq!(found.and_then(|found| found.help.as_deref()), Some(expected), "{config}");
    }
}

#[test]
fn a_wrong_mode_is_the_only_mistake() {
    let config = r#""ProcessorConfig": {"Mode": "DISTRIBUTD", "ExecutionType": "STANDARD"}, "#;
    let found = diagnostics(&map(r#""Label": "L""#, config), &Options::default());
    assert!(matches!(&found[..], [only] if only.starts_with("WF0407 ")), "{found:?}");
}

#[test]
fn batchers_and_writers_are_refused() {
    for (fields, expected) in [
        (
            r#""ItemBatcher": {"BatchInput": {}}"#,
            "WF0401 an `ItemBatcher` needs `MaxItemsPerBatch` or `MaxInputBytesPerBatch`",
        ),
        (
            r#""ItemBatcher": {"MaxInputBytesPerBatch": 262145}"#,
            "WF0404 `MaxInputBytesPerBatch` must be a whole number from 1 to 262144",
        ),
        (
            r#""ItemBatcher": {"MaxItemsPerBatch": 0}"#,
            "WF0404 `MaxItemsPerBatch` must be a whole number from 1 to 4294967295",
        ),
        (r#""ResultWriter": {}"#, "WF0401 missing field `Resource` in a `ResultWriter`"),
        (r#""ResultWriter": {"WriterConfig": {}}"#, "WF0401 The field 'OutputType' is required but was missing"),
        (
            r#""ResultWriter": {"Resource": "arn:aws:states:::s3:putObject", "Parameters": {"Prefix": "p"}}"#,
            "WF0401 The field 'Bucket' is required but was missing",
        ),
    ] {
        check(fields, expected);
    }
}

#[test]
fn the_arguments_of_jsonata_are_objects_or_expressions() {
    let writer = |arguments: &str| {
        distributed(&format!(
            r#""QueryLanguage": "JSONata", "ResultWriter": {{"Resource": "arn:aws:states:::s3:putObject",
                "Arguments": {arguments}}}"#
        ))
    };
    for (arguments, expected) in [
        (r#"{"Bucket": "b"}"#, None),
        (r#""{% $states.input %}""#, None),
        (r#""b""#, Some("WF0403 `Arguments` must be an object or a JSONata expression, found a constant string")),
        (r#"{"Prefix": "p"}"#, Some("WF0401 The field 'Bucket' is required but was missing")),
    ] {
        let found = diagnostics(&writer(arguments), &Options::default());
        assert_eq!(found, Vec::from_iter(expected), "{arguments}");
    }
}

#[test]
fn express_workflows_have_no_distributed_maps() {
    let express = Options { express: true, ..Options::default() };
    let batcher = r#""ItemBatcher": {"MaxItemsPerBatch": 2}"#;
    for text in [distributed(""), map(batcher, ""), distributed(batcher)] {
        let expected = "WF0419 Express workflows do not support distributed Map states";
        assert_eq!(diagnostics(&text, &express), [expected], "{text}");
    }
    assert_eq!(
        diagnostics(&map("", r#""ProcessorConfig": {"Mode": "DISTRIBUTED"}, "#), &Options::default()),
        ["WF0401 The field 'ExecutionType' is required but was missing"]
    );
}

#[test]
fn fields_without_effect_are_shown() {
    let inline = r#""ProcessorConfig": {"Mode": "INLINE", "ExecutionType": "EXPRESS"}, "#;
    for (text, expected) in [
        (
            distributed(&format!(r#""ItemsPath": "$.x", {}"#, listing("{}"))),
            "WF0455 `ItemsPath` has no effect beside `ItemReader`",
        ),
        (map(r#""Label": "L""#, ""), "WF0455 `Label` has no effect in an inline Map"),
        (map("", inline), "WF0455 `ExecutionType` has no effect in an inline Map"),
    ] {
        assert_eq!(diagnostics(&text, &Options::default()), [expected], "{text}");
    }
}

#[test]
fn arguments_without_effect_are_shown() {
    for (arguments, expected, help) in [
        (r#""VersionID": "1""#, "VersionID", "did you mean `VersionId`?"),
        (r#""Range.$": "$.r""#, "Range", "the arguments are `Bucket`, `Key` and `VersionId`"),
    ] {
        let text = distributed(
            &object(r#"{"InputType": "JSON"}"#).replace(r#""Key": "k""#, &format!(r#""Key": "k", {arguments}"#)),
        );
        assert_eq!(
            diagnostics(&text, &Options::default()),
            [format!("WF0455 the argument `{expected}` has no effect")]
        );
        assert_eq!(read(&text).diagnostics[0].help.as_deref(), Some(help));
    }
}

#[test]
fn every_refusal_becomes_one_error() {
    let or_none = |words: &'static [&'static str]| [None].into_iter().chain(words.iter().copied().map(Some));
    let states = or_none(reader_rules::INPUT_TYPES).flat_map(|input_type| {
        or_none(reader_rules::MANIFEST_TYPES).flat_map(move |manifest_type| {
            or_none(reader_rules::TRANSFORMATIONS).flat_map(move |transformation| {
                or_none(reader_rules::CSV_HEADER_LOCATIONS).flat_map(move |csv_header_location| {
                    let others = [
                        (false, None, None),
                        (true, None, None),
                        (false, Some("TAB"), None),
                        (true, Some("TAB"), None),
                        (false, None, Some("/a")),
                    ];
                    others.map(|(has_csv_headers, csv_delimiter, items_pointer)| ReaderFields {
                        input_type,
                        manifest_type,
                        transformation,
                        csv_header_location,
                        has_csv_headers,
                        csv_delimiter,
                        items_pointer,
                    })
                })
            })
        })
    });
    for fields in states {
        for kind in [ReaderKind::GetObject, ReaderKind::ListObjects] {
            let config = written(&fields);
            let reader = if kind == ReaderKind::GetObject { object(&config) } else { listing(&config) };
            let read = read(&distributed(&reader));
            let errors = read.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
            let mut found: Vec<&str> = errors.map(|found| &*found.message).collect();
            let refusals = fields.refusals(kind);
            let mut expected: Vec<&str> = refusals.iter().map(|refusal| &*refusal.message).collect();
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected, "{kind:?} {config}");
        }
    }
}

/// Returns the fields as a definition has them.
fn written(fields: &ReaderFields<'_>) -> String {
    let texts = [
        ("InputType", fields.input_type),
        ("ManifestType", fields.manifest_type),
        ("Transformation", fields.transformation),
        ("CSVHeaderLocation", fields.csv_header_location),
        ("CSVDelimiter", fields.csv_delimiter),
        ("ItemsPointer", fields.items_pointer),
    ];
    let texts = texts.into_iter().filter_map(|(name, text)| text.map(|text| format!(r#""{name}": "{text}""#)));
    let headers = fields.has_csv_headers.then(|| r#""CSVHeaders": ["a"]"#.to_owned());
    let members: Vec<String> = texts.chain(headers).collect();
    format!("{{{}}}", members.join(", "))
}
