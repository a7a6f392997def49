//! Stores and readers of tests.

use workflow_objects::Bytes;
use workflow_objects::reader::{
    Item, ItemReader, ItemSource, Position, ReaderArguments, ReaderConfig, ReaderError, ReaderResource, ReaderSettings,
};
use workflow_objects::store::{
    Download, MemoryStore, ObjectInfo, ObjectStore, Parts, Pending, StoreError, Stores, Upload, Wanted,
};
use workflow_runtime::{Value, value};

/// A store whose chunks and pages are small.
#[derive(Clone)]
pub struct Trickle {
    pub store: MemoryStore,
    pub chunk: usize,
}

impl ObjectStore for Trickle {
    fn get<'a>(&'a self, key: &'a str, wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>> {
        Box::pin(async move {
            let download = self.store.get(key, wanted).await?;
            let body = Drops { body: download.body, rest: Bytes::new(), chunk: self.chunk };
            Ok(Download { body: Box::new(body), ..download })
        })
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>> {
        self.store.list(prefix, after)
    }

    fn put<'a>(&'a self, key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>> {
        self.store.put(key)
    }
}

struct Drops {
    body: Box<dyn Parts<Bytes>>,
    rest: Bytes,
    chunk: usize,
}

impl Parts<Bytes> for Drops {
    fn next(&mut self) -> Pending<'_, Result<Option<Bytes>, StoreError>> {
        Box::pin(async move {
            if self.rest.is_empty() {
                self.rest = self.body.next().await?.unwrap_or_default();
            }
            let length = self.chunk.min(self.rest.len());
            Ok(Some(self.rest.split_to(length)).filter(|chunk| !chunk.is_empty()))
        })
    }
}

/// Returns the bucket `b` with objects, and its store.
pub fn bucket(objects: &[(&str, &[u8])], chunk: usize) -> (Stores, MemoryStore) {
    let store = MemoryStore::new();
    for (key, bytes) in objects {
        store.insert(*key, bytes.to_vec());
    }
    (Stores::new().with("b", Trickle { store: store.clone(), chunk }), store)
}

/// Returns settings, which are written as in a definition.
pub fn settings(config: &str) -> ReaderSettings {
    settings_of(&Value::from_json(config).expect("the configuration is JSON"))
}

pub fn settings_of(config: &Value) -> ReaderSettings {
    let text = |key: &str| config.get(key).and_then(Value::as_str).map(str::to_owned);
    let headers = config.get("CSVHeaders").and_then(Value::as_array);
    let name = |value: &Value| value.as_str().expect("a header is text").to_owned();
    ReaderSettings {
        input_type: text("InputType"),
        manifest_type: text("ManifestType"),
        transformation: text("Transformation"),
        csv_header_location: text("CSVHeaderLocation"),
        csv_headers: headers.map(|headers| headers.iter().map(name).collect()),
        csv_delimiter: text("CSVDelimiter"),
        items_pointer: text("ItemsPointer"),
    }
}

/// Returns the reader of an object in the bucket `b`, or of those with a prefix before a `*`.
pub fn reader(key: &str, config: &str) -> ItemReader {
    try_reader(key, config, None).expect("the reader is accepted")
}

pub fn try_reader(key: &str, config: &str, max_items: Option<i64>) -> Result<ItemReader, ReaderError> {
    let (resource, prefix) = match key.strip_suffix('*') {
        Some(prefix) => (ReaderResource::ListObjects, prefix),
        None => (ReaderResource::GetObject, ""),
    };
    let config = ReaderConfig::new(resource, &settings(config)).expect("the configuration is accepted");
    let arguments = ReaderArguments { bucket: "b".into(), key: key.into(), version: None, prefix: prefix.into() };
    ItemReader::new(config, arguments, max_items)
}

/// Returns all items, and the position behind each.
pub async fn read(
    stores: &Stores,
    reader: &ItemReader,
    position: Option<&Position>,
) -> Result<Vec<(Item, Position)>, ReaderError> {
    let (items, error) = read_some(stores, reader, position).await;
    error.map_or(Ok(items), Err)
}

/// Returns the items before an error, and the error.
pub async fn read_some(
    stores: &Stores,
    reader: &ItemReader,
    position: Option<&Position>,
) -> (Vec<(Item, Position)>, Option<ReaderError>) {
    let mut items = Vec::new();
    let mut source = match ItemSource::open(stores, reader, position).await {
        Ok(source) => source,
        Err(error) => return (items, Some(error)),
    };
    loop {
        match source.next().await {
            Ok(Some(item)) => items.push((item, source.position())),
            Ok(None) => return (items, None),
            Err(error) => return (items, Some(error)),
        }
    }
}

/// Returns the input of a child execution: the value of an item, or a pair if it has a key.
pub fn input(item: &Item) -> Value {
    match &item.key {
        None => item.value.clone(),
        Some(key) => value!({ "Key": key.clone(), "Value": item.value.clone() }),
    }
}

/// Returns the items' inputs as an array.
pub fn inputs(items: &[(Item, Position)]) -> Value {
    items.iter().map(|(item, _)| input(item)).collect()
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("a vector takes all");
    encoder.finish().expect("a vector takes all")
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}
