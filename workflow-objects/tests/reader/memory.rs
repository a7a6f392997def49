//! The memory of readers: data of any size goes through a few chunks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use workflow_objects::Bytes;
use workflow_objects::reader::ItemSource;
use workflow_objects::store::{
    CHUNK, Download, MemoryStore, ObjectInfo, ObjectStore, Parts, Pending, StoreError, StoreErrorKind, Stores, Upload,
    Wanted,
};

use crate::support::reader;

/// A store whose only object is made while it is read: a beginning, a part many times, and an end.
struct Endless {
    beginning: &'static str,
    part: &'static str,
    end: &'static str,
    live: Arc<AtomicUsize>,
}

/// The number of chunks of an object.
const CHUNKS: usize = 100;

impl ObjectStore for Endless {
    fn get<'a>(&'a self, _key: &'a str, _wanted: Wanted<'a>) -> Pending<'a, Result<Download, StoreError>> {
        let many = self.part.repeat(CHUNK / self.part.len());
        let body = Making { beginning: self.beginning, many, end: self.end, made: 0, live: self.live.clone() };
        Box::pin(async move { Ok(Download { size: u64::MAX, etag: "".into(), body: Box::new(body) }) })
    }

    fn list(&self, prefix: &str, after: Option<&str>) -> Box<dyn Parts<Vec<ObjectInfo>>> {
        MemoryStore::new().list(prefix, after)
    }

    fn put<'a>(&'a self, _key: &'a str) -> Pending<'a, Result<Box<dyn Upload>, StoreError>> {
        Box::pin(async { Err(StoreError::new(StoreErrorKind::Denied, "it is read-only")) })
    }
}

struct Making {
    beginning: &'static str,
    many: String,
    end: &'static str,
    made: usize,
    live: Arc<AtomicUsize>,
}

impl Parts<Bytes> for Making {
    fn next(&mut self) -> Pending<'_, Result<Option<Bytes>, StoreError>> {
        self.made += 1;
        let text = match self.made {
            1 => self.beginning,
            made if made <= CHUNKS => &self.many,
            made if made == CHUNKS + 1 => self.end,
            _ => return Box::pin(async { Ok(None) }),
        };
        self.live.fetch_add(1, Ordering::Relaxed);
        let chunk = Chunk { bytes: text.as_bytes().to_vec(), live: self.live.clone() };
        Box::pin(async move { Ok(Some(Bytes::from_owner(chunk))) })
    }
}

/// A chunk that counts as live until nobody holds a part of it.
struct Chunk {
    bytes: Vec<u8>,
    live: Arc<AtomicUsize>,
}

impl AsRef<[u8]> for Chunk {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        self.live.fetch_sub(1, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_reader_holds_one_chunk() {
    let csv = r#"{ "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" }"#;
    let table = [
        (csv, "a,b\n", "1,\"some text\"\n", ""),
        (r#"{ "InputType": "JSONL" }"#, "", "{\"a\": [1, \"text\"]}\n", ""),
        (r#"{ "InputType": "JSON" }"#, "[0", ",{\"a\": [1, \"text\"]}", "]"),
        (r#"{ "InputType": "JSON", "ItemsPointer": "/b" }"#, "{\"a\": [0", ",{\"a\": [1, 2]}", "], \"b\": [1]}"),
    ];
    for (config, beginning, part, end) in table {
        let live = Arc::new(AtomicUsize::new(0));
        let stores = Stores::new().with("b", Endless { beginning, part, end, live: live.clone() });
        let mut source = ItemSource::open(&stores, &reader("a", config), None).await.expect("the object is open");
        let mut count = 0;
        while source.next().await.expect("the object is read").is_some() {
            count += 1;
            assert!(live.load(Ordering::Relaxed) <= 2, "{config}");
        }
        let expected = (CHUNKS - 1) * (CHUNK / part.len());
        let beside = config.contains("Pointer") && count == 1;
        assert!(beside || count - expected <= 1, "{count} items of {config}");
        drop(source);
        assert_eq!(live.load(Ordering::Relaxed), 0);
    }
}
