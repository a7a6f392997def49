//! Recordings of AWS, which are beside the repository where `cargo xtask ci` runs. Without them,
//! the test is skipped.

use std::path::Path;

use workflow_objects::reader::{ItemReader, ItemSource, ReaderArguments, ReaderConfig, ReaderError, ReaderResource};
use workflow_objects::store::{MemoryStore, Stores};
use workflow_runtime::Value;
use workflow_runtime::value::Get;

use crate::support::{input, settings_of};

#[tokio::test]
async fn recorded_readers_yield_the_recorded_items() {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo runs the test");
    let corpus = Path::new(&package).join("../../shared/corpus/asl2");
    if !corpus.is_dir() {
        eprintln!("skipped: there are no recordings");
        return;
    }
    let mut read = 0;
    for file in ["executions_distributed.json", "executions_measured.json"] {
        let path = corpus.join(file);
        let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let document = Value::from_json_slice(&text).expect("the file is JSON");
        for case in document.get("cases").and_then(Value::as_array).expect("there are cases").iter() {
            read += usize::from(check(case).await);
        }
    }
    assert!(read >= 10, "{read} cases have readers");
}

/// Checks a case of an item reader. Returns `false` if it is none.
async fn check(case: &Value) -> bool {
    let states = case.get("definition").get("States").and_then(Value::as_object);
    let map = states.and_then(|states| states.values().find(|state| state.get("ItemReader").is_some()));
    let Some(map) = map else { return false };
    let objects = case.get("fixtures").get("s3_objects").and_then(Value::as_array);
    // The engine does the rest of a recorded case.
    let more = ["ItemBatcher", "ResultWriter"].iter().any(|field| map.get(*field).is_some());
    let (Some(objects), false) = (objects, more) else { return false };
    let mut stores = Stores::new();
    let bucket = MemoryStore::new();
    for object in objects.iter() {
        let member = |key: &str| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        bucket.insert(member("Key"), member("Body").into_bytes());
        stores = stores.with(member("Bucket"), bucket.clone());
    }
    let id = case.get("id").and_then(Value::as_str).unwrap_or_default();
    let expected = case.get("expected").expect("a case expects something");
    let result = items(case, map, &stores).await;
    match (expected.get("output"), result) {
        (Some(output), Ok(items)) => {
            let output = output.as_array().expect("the output is an array");
            assert_eq!(items.len(), output.len(), "{id}");
            for (item, expected) in items.iter().zip(output.iter()) {
                // The recording has placeholders for what differs between runs.
                let same = |(key, value): (&workflow_runtime::Str, &Value)| {
                    value.as_str().is_some_and(|text| text.starts_with('<')) || item.get(key.as_str()) == Some(value)
                };
                let alike = match expected.as_object() {
                    Some(members) => {
                        members.iter().all(same) && item.as_object().map(|item| item.len()) == Some(members.len())
                    }
                    None => item == expected,
                };
                assert!(alike, "{id}: {item} is not {expected}");
            }
        }
        (None, Err(error)) => {
            let cause = expected.get("cause").and_then(Value::as_str);
            assert!(cause.is_none_or(|cause| error.cause() == cause), "{id}: {error}");
        }
        (_, result) => panic!("{id}: {result:?} is not {expected}"),
    }
    true
}

/// Returns the inputs of the children.
async fn items(case: &Value, map: &Value, stores: &Stores) -> Result<Vec<Value>, ReaderError> {
    let reader = map.get("ItemReader").expect("there is a reader");
    let resource = match reader.get("Resource").and_then(Value::as_str) {
        Some("arn:aws:states:::s3:listObjectsV2") => ReaderResource::ListObjects,
        _ => ReaderResource::GetObject,
    };
    let nothing = Value::from_json("{}").expect("it is JSON");
    let config = reader.get("ReaderConfig").unwrap_or(&nothing);
    // The cases' paths are members of the input.
    let argument = |name: &str| {
        let arguments = reader.get("Parameters");
        let path = arguments.get(format!("{name}.$").as_str()).and_then(Value::as_str);
        let value = match path.and_then(|path| path.strip_prefix("$.")) {
            Some(member) => case.get("input").get(member),
            None => arguments.get(name),
        };
        value.and_then(Value::as_str).map(workflow_runtime::Str::from)
    };
    let arguments = ReaderArguments {
        bucket: argument("Bucket").unwrap_or_default(),
        key: argument("Key").unwrap_or_default(),
        version: argument("VersionId"),
        prefix: argument("Prefix").unwrap_or_default(),
    };
    let by_path = config.get("MaxItemsPath").and_then(Value::as_str);
    let number = |path: &str| {
        let name = path.trim_start_matches(['$', '.']);
        let states = case.get("definition").get("States").and_then(Value::as_object);
        let assigned = states.into_iter().flat_map(|states| states.values());
        let assigned = assigned.filter_map(|state| state.get("Assign").get(name)).next();
        let value = assigned.or_else(|| case.get("input").get(name)).expect("the path leads somewhere");
        value.as_i64().or_else(|| value.as_str()?.parse().ok()).expect("it is a number")
    };
    let max_items = by_path.map(number).or_else(|| config.get("MaxItems").and_then(Value::as_i64));
    let config = ReaderConfig::new(resource, &settings_of(config)).expect("the configuration is accepted");
    let reader = ItemReader::new(config, arguments, max_items)?;
    let mut source = ItemSource::open(stores, &reader, None).await?;
    let mut items = Vec::new();
    while let Some(item) = source.next().await? {
        let selector = map.get("ItemSelector").and_then(Value::as_object);
        items.push(match selector {
            None => input(&item),
            Some(selector) => {
                let chosen = selector.iter().map(|(key, path)| {
                    let value = match path.as_str() {
                        Some("$$.Map.Item.Source") => Value::from(item.source.clone()),
                        Some("$$.Map.Item.Value") => item.value.clone(),
                        Some("$$.Map.Item.Value.Key") => item.value.get("Key").cloned().unwrap_or_default(),
                        other => panic!("the selector {other:?} is not one of the cases'"),
                    };
                    (workflow_runtime::Str::from(key.trim_end_matches(".$")), value)
                });
                Value::from(chosen.collect::<workflow_runtime::Object>())
            }
        });
    }
    Ok(items)
}
