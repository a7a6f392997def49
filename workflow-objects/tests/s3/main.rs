//! S3 for real: a server of the Python package `moto`.

mod server;
mod workflow;

use workflow_objects::Bytes;
use workflow_objects::reader::{
    ItemReader, ItemSource, Position, ReaderArguments, ReaderConfig, ReaderError, ReaderResource, ReaderSettings,
};
use workflow_objects::store::{CloudStore, ObjectStore, S3, StoreErrorKind, Stores, Wanted};
use workflow_objects::writer::{
    ChildOutcome, ChildRecord, ResultWriter, WriterConfig, WriterSettings, WriterState, WriterTarget,
};
use workflow_runtime::Value;

use server::{Moto, SECRET, answer_all};

const BUCKET: &str = "bucket";

async fn put(store: &CloudStore, key: &str, parts: Vec<Vec<u8>>) -> String {
    let mut upload = store.put(key).await.expect("the upload begins");
    for part in parts {
        upload.write(Bytes::from(part)).await.expect("the part is written");
    }
    upload.finish().await.expect("the object is written").etag.to_string()
}

async fn get(store: &CloudStore, key: &str, wanted: Wanted<'_>) -> Vec<u8> {
    let mut download = store.get(key, wanted).await.expect("the object is there");
    let mut bytes = Vec::new();
    while let Some(chunk) = download.body.next().await.expect("the object is read") {
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

fn reader(resource: ReaderResource, input: Option<&str>, key: &str, prefix: &str) -> ItemReader {
    let settings = ReaderSettings { input_type: input.map(str::to_owned), ..ReaderSettings::default() };
    let config = ReaderConfig::new(resource, &settings).expect("the configuration is accepted");
    let arguments = ReaderArguments { bucket: BUCKET.into(), key: key.into(), version: None, prefix: prefix.into() };
    ItemReader::new(config, arguments, None).expect("the arguments are accepted")
}

#[tokio::test]
async fn a_server_of_s3_is_read_and_written() {
    let Some(server) = Moto::start() else { return };
    let created = server.request("PUT", "/bucket", "").expect("the server answers");
    assert!(created.contains(" 200 "), "{created}");
    let store = server.bucket(BUCKET);
    let stores = Stores::new().with(BUCKET, store.clone());
    objects(&store).await;
    listings(&store, &stores).await;
    items(&store, &stores).await;
    results(&store, &stores).await;
    markers(&server).await;
    errors(&server).await;
}

/// Small objects, ranges, objects of many parts, and aborted uploads.
async fn objects(store: &CloudStore) {
    let etag = put(store, "small", vec![b"0123456789".to_vec()]).await;
    for (start, end, expected) in [
        (0, None, "0123456789"),
        (4, None, "456789"),
        (4, Some(6), "45"),
        (8, Some(99), "89"),
        (10, None, ""),
        (99, None, ""),
        (3, Some(3), ""),
    ] {
        let wanted = Wanted { start, end, etag: Some(&etag), version: None };
        assert_eq!(get(store, "small", wanted).await, expected.as_bytes(), "{start} {end:?}");
    }
    put(store, "small", vec![b"another".to_vec()]).await;
    let wanted = Wanted { etag: Some(&etag), ..Wanted::default() };
    let error = store.get("small", wanted).await.err().expect("it was replaced");
    assert_eq!(error.kind(), StoreErrorKind::Changed);
    put(store, "empty", Vec::new()).await;
    assert_eq!(get(store, "empty", Wanted::default()).await, b"");
    let error = store.get("nothing", Wanted::default()).await.err().expect("it is not there");
    assert_eq!(error.kind(), StoreErrorKind::NotFound);
    assert!(store.get("/small", Wanted::default()).await.is_err());

    let part = |byte: u8| vec![byte; 7_000_000];
    put(store, "large", vec![part(1), part(2), part(3)]).await;
    let large = get(store, "large", Wanted::default()).await;
    assert_eq!(large, [part(1), part(2), part(3)].concat());

    let mut upload = store.put("half").await.expect("the upload begins");
    upload.write(Bytes::from(vec![0; 20_000_000])).await.expect("the parts are written");
    upload.abort().await.expect("the upload is aborted");
    let error = store.get("half", Wanted::default()).await.err().expect("it is not there");
    assert_eq!(error.kind(), StoreErrorKind::NotFound);
}

async fn listings(store: &CloudStore, stores: &Stores) {
    for number in 0..1100 {
        put(store, &format!("l/{number:04}"), vec![b"x".to_vec()]).await;
    }
    put(store, "lx", Vec::new()).await;
    let reader = reader(ReaderResource::ListObjects, None, "", "l/");
    let mut source = ItemSource::open(stores, &reader, None).await.expect("the listing is open");
    let mut positions: Vec<Position> = Vec::new();
    while let Some(item) = source.next().await.expect("the listing is read") {
        assert_eq!(item.value.get("Key"), Some(&format!("l/{:04}", item.index).into()));
        assert_eq!(item.value.get("Size"), Some(&1.into()));
        positions.push(source.position());
    }
    assert_eq!(positions.len(), 1100);
    let mut rest = ItemSource::open(stores, &reader, Some(&positions[1042])).await.expect("the listing is open");
    let item = rest.next().await.expect("the listing is read").expect("there is another one");
    assert_eq!((item.index, item.value.get("Key")), (1043, Some(&"l/1043".into())));
}

async fn items(store: &CloudStore, stores: &Stores) {
    let lines: String = (0..100_000).map(|number| format!("{{\"n\":{number}}}\n")).collect();
    put(store, "lines.jsonl", vec![lines.into_bytes()]).await;
    let reader = reader(ReaderResource::GetObject, Some("JSONL"), "lines.jsonl", "");
    let mut source = ItemSource::open(stores, &reader, None).await.expect("the object is open");
    let mut position = Position::default();
    let mut count = 0;
    while let Some(item) = source.next().await.expect("the object is read") {
        count += 1;
        if item.index == 77_777 {
            position = source.position();
        }
    }
    assert_eq!(count, 100_000);
    let mut rest = ItemSource::open(stores, &reader, Some(&position)).await.expect("the object is open");
    let item = rest.next().await.expect("the object is read").expect("there is another one");
    assert_eq!(item.value.get("n"), Some(&77_778.into()));
    put(store, "lines.jsonl", vec![b"1\n".to_vec()]).await;
    let error = ItemSource::open(stores, &reader, Some(&position)).await.err().expect("it was replaced");
    assert!(error.cause().starts_with("s3://bucket/lines.jsonl changed while it was read: "), "{error}");
}

async fn results(store: &CloudStore, stores: &Stores) {
    let target = WriterTarget {
        bucket: BUCKET.into(),
        prefix: "results".into(),
        run: "run".into(),
        map_run_arn: "arn:run".into(),
    };
    let config = WriterConfig::new(&WriterSettings::default(), true).expect("nothing is set");
    let writer = ResultWriter::open(stores, target, config, WriterState::default());
    let mut writer = writer.expect("the bucket is there");
    let output = Value::from("x".repeat(1_000_000));
    for number in 0..25 {
        let record = ChildRecord {
            execution_arn: "arn:child".into(),
            name: format!("{number}").into(),
            state_machine_arn: "arn:machine".into(),
            input: number.into(),
            outcome: ChildOutcome::Succeeded { output: output.clone() },
            redrive_count: 0,
            redrive_status: "NOT_REDRIVABLE".into(),
            redrive_status_reason: None,
            start_date: None,
            stop_date: None,
        };
        writer.write(&record).await.expect("the result is written");
        if number % 10 == 9 {
            writer.end_files().await.expect("the file is written");
        }
    }
    writer.finish().await.expect("the manifest is written");
    let manifest = Value::from_json_slice(&get(store, "results/run/manifest.json", Wanted::default()).await);
    let manifest = manifest.expect("the manifest is JSON");
    let files = manifest.get("ResultFiles").and_then(|files| files.get("SUCCEEDED")).and_then(Value::as_array);
    let mut count = 0;
    for file in files.expect("files are listed") {
        let key = file.get("Key").and_then(Value::as_str).expect("a file has a key");
        let records = Value::from_json_slice(&get(store, key, Wanted::default()).await).expect("a file is JSON");
        count += records.as_array().expect("a file is an array").len();
    }
    assert_eq!(count, 25);
}

/// Returns the error of a reader that does not get to an item.
async fn failure(stores: &Stores, reader: &ItemReader) -> ReaderError {
    match ItemSource::open(stores, reader, None).await {
        Err(error) => error,
        Ok(mut source) => source.next().await.expect_err("there is no item"),
    }
}

async fn errors(server: &Moto) {
    let missing = Stores::new().with(BUCKET, server.bucket("missing"));
    for (resource, input) in [(ReaderResource::GetObject, Some("JSONL")), (ReaderResource::ListObjects, None)] {
        let reader = reader(resource, input, "key", "");
        let error = failure(&missing, &reader).await;
        assert_eq!(error.store_kind(), Some(StoreErrorKind::NotFound), "{error}");
        assert!(error.fault().is(&["States.ItemReaderFailed"]));
    }
    // From here on, the server wants to know the keys.
    let reset = server.request("POST", "/moto-api/reset-auth", "0").expect("the server answers");
    assert!(reset.contains(" 200 "), "{reset}");
    let store = server.bucket(BUCKET);
    let denied = store.get("small", Wanted::default()).await.err().expect("the key is unknown");
    assert_eq!(denied.kind(), StoreErrorKind::Denied, "{denied:?}");
    let reader = reader(ReaderResource::GetObject, Some("JSONL"), "small", "");
    let stores = Stores::new().with(BUCKET, store.clone());
    let error = failure(&stores, &reader).await;
    assert!(error.cause().starts_with("s3://bucket/small may not be read: "), "{error}");
    let listed = store.list("", None).next().await.expect_err("the key is unknown");
    assert_eq!(listed.kind(), StoreErrorKind::Denied, "{listed:?}");
    let target = WriterTarget {
        bucket: BUCKET.into(),
        prefix: "results".into(),
        run: "run".into(),
        map_run_arn: "arn:run".into(),
    };
    let config = WriterConfig::new(&WriterSettings::default(), true).expect("nothing is set");
    let writer = ResultWriter::open(&stores, target, config, WriterState::default());
    let unwritten = writer.expect("the bucket is there").finish().await.expect_err("the key is unknown");
    assert!(unwritten.cause().starts_with("s3://bucket/results/run/manifest.json may not be written: "), "{unwritten}");
    assert!(unwritten.fault().is(&["States.ResultWriterFailed"]));
    for text in [
        format!("{unwritten:?}"),
        format!("{listed:?}"),
        format!("{denied:?}"),
        error.cause().to_owned(),
        format!("{error:?}"),
        format!("{store:?}"),
    ] {
        assert!(!text.contains(SECRET), "{text}");
    }
    let builder = S3::new("b").credentials("some-key", SECRET, Some("a-token"));
    assert_eq!(format!("{builder:?}"), "S3(\"b\")");
}

#[tokio::test]
async fn what_a_server_repeats_of_a_request_is_in_no_error() {
    let port = answer_all(
        "403 Forbidden",
        "<Error><Code>SignatureDoesNotMatch</Code><Message>It does not match.</Message>\
         <AWSAccessKeyId>some-key</AWSAccessKeyId><CanonicalRequest>x-amz-security-token:a-token</CanonicalRequest>\
         </Error>",
    );
    let store = S3::new(BUCKET).endpoint(&format!("http://127.0.0.1:{port}")).region("us-east-1");
    let store = store.credentials("some-key", SECRET, Some("a-token")).build().expect("the settings are complete");
    let stores = Stores::new().with(BUCKET, store.clone());
    let read = failure(&stores, &reader(ReaderResource::GetObject, Some("JSONL"), "small", "")).await;
    assert!(read.cause().contains("403 Forbidden: SignatureDoesNotMatch: It does not match."), "{read}");
    let listed = store.list("", None).next().await.expect_err("it is refused");
    let mut upload = store.put("a").await.expect("nothing is sent");
    upload.write(Bytes::from("a")).await.expect("nothing is sent");
    let written = upload.finish().await.map(drop).expect_err("it is refused");
    for error in [format!("{read:?}"), format!("{listed:?}"), format!("{written:?}")] {
        assert!(error.contains("SignatureDoesNotMatch"), "{error}");
        assert!(["a-token", "some-key", SECRET].iter().all(|secret| !error.contains(secret)), "{error}");
    }
}

async fn markers(server: &Moto) {
    // The crate of the stores writes no markers.
    for key in ["marked/", "marked/sub/", "marked/sub/a"] {
        let body = if key.ends_with('/') { "" } else { "1" };
        let written = server.request("PUT", &format!("/bucket/{key}"), body).expect("the server answers");
        assert!(written.contains(" 200 "), "{written}");
    }
    let store = server.bucket(BUCKET);
    let page = store.list("marked/", None).next().await.expect("it is listed").expect("a page");
    let keys: Vec<&str> = page.iter().map(|object| object.key.as_str()).collect();
    assert_eq!(keys, ["marked/", "marked/sub/", "marked/sub/a"]);
    let page = store.list("marked/", Some("marked/sub/")).next().await.expect("it is listed").expect("a page");
    assert_eq!(page.iter().map(|object| object.key.as_str()).collect::<Vec<_>>(), ["marked/sub/a"]);
    let stores = Stores::new().with(BUCKET, store);
    let settings = ReaderSettings {
        input_type: Some("JSONL".to_owned()),
        transformation: Some("LOAD_AND_FLATTEN".to_owned()),
        ..ReaderSettings::default()
    };
    let config = ReaderConfig::new(ReaderResource::ListObjects, &settings).expect("the configuration is accepted");
    let arguments = ReaderArguments { bucket: BUCKET.into(), key: "".into(), version: None, prefix: "marked/".into() };
    let reader = ItemReader::new(config, arguments, None).expect("the arguments are accepted");
    let mut source = ItemSource::open(&stores, &reader, None).await.expect("it opens");
    let mut items = Vec::new();
    while let Some(item) = source.next().await.expect("an item") {
        items.push(item.value);
    }
    assert_eq!(items, [Value::from(1)]);
}

/// A page of a listing with these keys.
fn page_of(keys: &[&str]) -> String {
    let contents = keys.iter().map(|key| {
        format!(
            "<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
             <ETag>e</ETag><Size>1</Size></Contents>"
        )
    });
    format!("<ListBucketResult><Name>{BUCKET}</Name>{}</ListBucketResult>", contents.collect::<String>())
}

#[tokio::test]
async fn keys_that_are_no_plain_paths_do_not_hide_the_others() {
    let keys = ["/a", "a", "a//b.csv", "a/../b", "a/", "c&amp;d"];
    let port = answer_all("200 OK", Box::leak(page_of(&keys).into_boxed_str()));
    let store = S3::new(BUCKET).endpoint(&format!("http://127.0.0.1:{port}")).region("us-east-1");
    let store = store.credentials("some-key", SECRET, None).build().expect("the settings are complete");
    let page = store.list("", None).next().await.expect("it is listed").expect("a page");
    let listed: Vec<&str> = page.iter().map(|object| object.key.as_str()).collect();
    assert_eq!(listed, ["/a", "a", "a//b.csv", "a/../b", "a/", "c&d"]);
    // A server that includes the key itself, as that of Azure does.
    let page = store.list("", Some("/a")).next().await.expect("it is listed").expect("a page");
    assert_eq!(page[0].key.as_str(), "a");
    let stores = Stores::new().with(BUCKET, store);
    // The client cannot ask for a key whose first segment is empty, or goes up.
    for key in ["/a", "a/../b"] {
        let error = failure(&stores, &reader(ReaderResource::GetObject, Some("JSONL"), key, "")).await;
        let expected = format!("s3://bucket/{key} cannot be read: the key {key:?} is not a plain path");
        assert!(error.cause().starts_with(&expected), "{error}");
    }
}
