//! The files that writers write.

use workflow_objects::store::{MemoryStore, StoreErrorKind, Stores};
use workflow_objects::writer::{
    ChildOutcome, ChildRecord, OutputType, ResultWriter, Transformation, WriterConfig, WriterSettings, WriterState,
    WriterTarget,
};
use workflow_runtime::{Value, value};

const NO_STORE: &str = "there is no store for the bucket \"b\": add it to the table [stores] of workflow.toml, by --store \
                        or by Stores::with";

fn target(prefix: &str) -> WriterTarget {
    WriterTarget {
        bucket: "b".into(),
        prefix: prefix.into(),
        run: "r1".into(),
        map_run_arn: "arn:aws:states:us-east-1:111111111111:mapRun:m/l:r1".into(),
    }
}

fn record(number: i64, outcome: ChildOutcome) -> ChildRecord {
    ChildRecord {
        execution_arn: format!("arn:{number}").into(),
        name: format!("{number}").into(),
        state_machine_arn: "arn:m".into(),
        input: value!({ "n": number }),
        outcome,
        redrive_count: 0,
        redrive_status: "NOT_REDRIVABLE".into(),
        redrive_status_reason: None,
        start_date: Some("2026-01-31T12:00:00.000Z".into()),
        stop_date: Some("2026-01-31T12:00:01.000Z".into()),
    }
}

fn succeeded(number: i64, output: Value) -> ChildRecord {
    record(number, ChildOutcome::Succeeded { output })
}

fn failed(number: i64) -> ChildRecord {
    let (error, cause) = (Some("E".into()), Some("C".into()));
    record(number, ChildOutcome::Failed { status: "FAILED".into(), error, cause })
}

fn config(transformation: &str, output: &str) -> WriterConfig {
    let settings =
        WriterSettings { transformation: Some(transformation.to_owned()), output_type: Some(output.to_owned()) };
    WriterConfig::new(&settings, true).expect("the configuration is accepted")
}

fn text(store: &MemoryStore, key: &str) -> String {
    let bytes = store.bytes(key).unwrap_or_else(|| panic!("{key} is not there, but {:?}", store.keys()));
    String::from_utf8(bytes.to_vec()).expect("it is text")
}

#[tokio::test]
async fn results_and_a_manifest_are_written() {
    let store = MemoryStore::new();
    let stores = Stores::new().with("b", store.clone());
    let mut writer = ResultWriter::open(&stores, target("jobs"), config("COMPACT", "JSON"), WriterState::default())
        .expect("the bucket is there");
    writer.write(&succeeded(0, value!([1, 2]))).await.expect("it is written");
    writer.write(&failed(1)).await.expect("it is written");
    writer.write(&succeeded(2, Value::Null)).await.expect("it is written");
    let mut pending = record(3, ChildOutcome::Pending);
    (pending.start_date, pending.stop_date) = (None, None);
    writer.write(&pending).await.expect("it is written");
    assert_eq!(store.keys().len(), 0);
    let result = writer.finish().await.expect("the manifest is written");
    assert_eq!(
        result,
        value!({
            "MapRunArn": "arn:aws:states:us-east-1:111111111111:mapRun:m/l:r1",
            "ResultWriterDetails": { "Bucket": "b", "Key": "jobs/r1/manifest.json" },
        })
    );
    assert_eq!(text(&store, "jobs/r1/SUCCEEDED_0.json"), "[[1,2],null]");
    assert_eq!(
        text(&store, "jobs/r1/FAILED_0.json"),
        "[{\"Cause\":\"C\",\"Error\":\"E\",\"ExecutionArn\":\"arn:1\",\"Input\":\"{\\\"n\\\":1}\",\
         \"InputDetails\":{\"Included\":true},\"Name\":\"1\",\"RedriveCount\":0,\"RedriveStatus\":\"NOT_REDRIVABLE\",\
         \"StartDate\":\"2026-01-31T12:00:00.000Z\",\"StateMachineArn\":\"arn:m\",\"Status\":\"FAILED\",\
         \"StopDate\":\"2026-01-31T12:00:01.000Z\"}]"
    );
    let pending = Value::from_json(&text(&store, "jobs/r1/PENDING_0.json")).expect("it is JSON");
    assert_eq!(pending.get(0).and_then(|record| record.get("Status")), Some(&"PENDING".into()));
    let size = |key: &str| i64::try_from(text(&store, key).len()).expect("it is small");
    let entry = |key: &str| value!([{ "Key": key, "Size": size(key) }]);
    assert_eq!(
        Value::from_json(&text(&store, "jobs/r1/manifest.json")).expect("it is JSON"),
        value!({
            "DestinationBucket": "b",
            "MapRunArn": "arn:aws:states:us-east-1:111111111111:mapRun:m/l:r1",
            "ResultFiles": {
                "FAILED": entry("jobs/r1/FAILED_0.json"),
                "PENDING": entry("jobs/r1/PENDING_0.json"),
                "SUCCEEDED": entry("jobs/r1/SUCCEEDED_0.json"),
            },
        })
    );
}

#[tokio::test]
async fn transformations_and_formats_shape_the_files() {
    let table: &[(&str, &str, &str, &str)] = &[
        ("COMPACT", "JSON", "SUCCEEDED_0.json", "[[1,[2]],[],{\"a\":3}]"),
        ("COMPACT", "JSONL", "SUCCEEDED_0.jsonl", "[1,[2]]\n[]\n{\"a\":3}\n"),
        ("FLATTEN", "JSON", "SUCCEEDED_0.json", "[1,[2],{\"a\":3}]"),
        ("FLATTEN", "JSONL", "SUCCEEDED_0.jsonl", "1\n[2]\n{\"a\":3}\n"),
    ];
    for (transformation, output, file, expected) in table {
        let store = MemoryStore::new();
        let stores = Stores::new().with("b", store.clone());
        let config = config(transformation, output);
        let writer = ResultWriter::open(&stores, target("p/"), config, WriterState::default());
        let mut writer = writer.expect("the bucket is there");
        for (number, output) in (0..).zip([value!([1, [2]]), value!([]), value!({ "a": 3 })]) {
            writer.write(&succeeded(number, output)).await.expect("it is written");
        }
        writer.finish().await.expect("the manifest is written");
        assert_eq!(text(&store, &format!("p/r1/{file}")), *expected);
        assert_eq!(store.keys().len(), 2);
    }
}

#[tokio::test]
async fn a_run_without_results_has_a_manifest() {
    let store = MemoryStore::new();
    let stores = Stores::new().with("b", store.clone());
    let writer = ResultWriter::open(&stores, target(""), config("NONE", "JSONL"), WriterState::default());
    writer.expect("the bucket is there").finish().await.expect("the manifest is written");
    assert_eq!(store.keys(), ["r1/manifest.json"]);
}

/// A crash at any point: a writer that goes on from the stored state ends with the same objects.
#[tokio::test]
async fn a_writer_continues_from_every_state() {
    let records: Vec<ChildRecord> = (0..40)
        .map(|number| match number % 4 {
            3 => failed(number),
            _ => succeeded(number, value!({ "text": "x".repeat(usize::try_from(number).expect("it is small")) })),
        })
        .collect();
    let whole = MemoryStore::new();
    // Files are ended behind three records. What is stored is their number, and the state.
    let run = async |store: &MemoryStore, (done, state): (usize, WriterState), crash: usize| {
        let stores = Stores::new().with("b", store.clone());
        let writer = ResultWriter::open(&stores, target("p"), config("NONE", "JSON"), state.clone());
        let mut writer = writer.expect("the bucket is there");
        let mut stored = (done, state);
        for (at, record) in records.iter().enumerate().skip(done) {
            if at >= crash {
                return Some(stored);
            }
            writer.write(record).await.expect("it is written");
            if at % 3 == 2 {
                writer.end_files().await.expect("the files are written");
                stored = (at + 1, writer.state().clone());
            }
        }
        writer.finish().await.expect("the manifest is written");
        None
    };
    assert_eq!(run(&whole, Default::default(), usize::MAX).await, None);
    assert!(whole.keys().len() > 10);
    for crash in 0..=records.len() {
        let store = MemoryStore::new();
        if let Some((done, state)) = run(&store, Default::default(), crash).await {
            assert!(store.bytes("p/r1/manifest.json").is_none());
            let text = serde_json::to_string(&state).expect("a state is stored");
            let state = serde_json::from_str(&text).expect("a state is read");
            assert_eq!(run(&store, (done, state), usize::MAX).await, None);
        }
        assert_eq!(store.keys(), whole.keys());
        assert!(store.keys().iter().all(|key| store.bytes(key) == whole.bytes(key)));
    }
}

#[test]
fn results_without_a_store_are_shaped() {
    let flat = succeeded(0, value!([1, 2]));
    assert_eq!(Transformation::Compact.results(&flat), [value!([1, 2])]);
    assert_eq!(Transformation::Flatten.results(&flat), [Value::from(1), Value::from(2)]);
    assert_eq!(Transformation::None.results(&flat)[0].get("Output"), Some(&"[1,2]".into()));
    let tolerated = value!({ "Status": "FAILED", "Error": "E", "Cause": "C" });
    for transformation in [Transformation::Compact, Transformation::Flatten] {
        assert_eq!(transformation.results(&failed(1)), std::slice::from_ref(&tolerated));
    }
    let default = WriterConfig::new(&WriterSettings::default(), false).expect("nothing is set");
    assert_eq!(default, WriterConfig { transformation: Transformation::Compact, output: OutputType::Json });
    let default = WriterConfig::new(&WriterSettings::default(), true).expect("nothing is set");
    assert_eq!(default.transformation, Transformation::None);
    let wrong = WriterSettings { transformation: Some("X".to_owned()), output_type: Some("CSV".to_owned()) };
    let refusals = WriterConfig::new(&wrong, true).expect_err("both are wrong");
    let messages: Vec<&str> = refusals.iter().map(|refusal| refusal.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "Value should be one of the following: [NONE, COMPACT, FLATTEN]",
            "Value should be one of the following: [JSON, JSONL]",
        ]
    );
}

#[tokio::test]
async fn a_bucket_that_is_not_there_is_named() {
    let opened = ResultWriter::open(&Stores::new(), target("p"), config("NONE", "JSON"), WriterState::default());
    let error = opened.err().expect("there is no bucket");
    assert_eq!(error.cause(), format!("s3://b does not exist: {NO_STORE}"));
    assert_eq!(error.store_kind(), StoreErrorKind::NotFound);
    assert!(error.fault().is(&["States.ResultWriterFailed"]));
}

#[tokio::test]
async fn a_redrive_keeps_the_files_of_those_that_succeeded_and_replaces_none() {
    let store = MemoryStore::new();
    let stores = Stores::new().with("b", store.clone());
    let config = config("COMPACT", "JSON");
    let open = |state| ResultWriter::open(&stores, target("p"), config, state).expect("the bucket is there");
    let mut writer = open(WriterState::default());
    writer.write(&succeeded(0, 0.into())).await.expect("it is written");
    writer.write(&failed(1)).await.expect("it is written");
    writer.end_files().await.expect("it is written");
    let mut state = writer.state().clone();
    writer.write(&succeeded(2, 2.into())).await.expect("it is written");
    writer.write(&record(3, ChildOutcome::Pending)).await.expect("it is written");
    writer.finish().await.expect("the manifest is written");
    let before = ["FAILED_0", "PENDING_0", "SUCCEEDED_0", "SUCCEEDED_1"].map(|name| format!("p/r1/{name}.json"));
    let texts = before.each_ref().map(|key| text(&store, key));

    state.redrive();
    let mut writer = open(state);
    for number in 1..4 {
        writer.write(&succeeded(number, number.into())).await.expect("it is written");
    }
    writer.write(&failed(4)).await.expect("it is written");
    writer.finish().await.expect("the manifest is written");
    assert_eq!(before.each_ref().map(|key| text(&store, key)), texts);
    let manifest = Value::from_json(&text(&store, "p/r1/manifest.json")).expect("it is JSON");
    let listed = |status: &str| {
        let files = manifest.get("ResultFiles").and_then(|files| files.get(status)?.as_array()).expect("files").iter();
        files.map(|file| file.get("Key").expect("a key").to_string()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(listed("SUCCEEDED"), r#""p/r1/SUCCEEDED_0.json" "p/r1/SUCCEEDED_2.json""#);
    assert_eq!((listed("FAILED"), listed("PENDING")), (r#""p/r1/FAILED_2.json""#.to_owned(), String::new()));
    assert_eq!(text(&store, "p/r1/SUCCEEDED_2.json"), "[1,2,3]");
}
