//! Stores in memory and in folders.

use std::path::PathBuf;

use workflow_objects::Bytes;
use workflow_objects::store::{
    FolderStore, MemoryStore, ObjectInfo, ObjectStore, PAGE, StoreError, StoreErrorKind, Stores, Wanted,
};

/// A folder that is removed at the end.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str) -> Temporary {
        let folder = std::env::temp_dir().join(format!("workflow-objects-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        Temporary(folder)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn put(store: &dyn ObjectStore, key: &str, parts: &[&str]) -> Result<String, StoreError> {
    let mut upload = store.put(key).await?;
    for part in parts {
        upload.write(Bytes::copy_from_slice(part.as_bytes())).await?;
    }
    upload.finish().await.map(|stored| stored.etag.to_string())
}

async fn get(store: &dyn ObjectStore, key: &str, wanted: Wanted<'_>) -> Result<String, StoreError> {
    let mut download = store.get(key, wanted).await?;
    let mut text = Vec::new();
    while let Some(chunk) = download.body.next().await? {
        text.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8(text).expect("the object is text"))
}

async fn list(store: &dyn ObjectStore, prefix: &str, after: Option<&str>) -> Result<Vec<ObjectInfo>, StoreError> {
    let mut pages = store.list(prefix, after);
    let mut objects = Vec::new();
    while let Some(page) = pages.next().await? {
        assert!(page.len() <= PAGE);
        objects.extend(page);
    }
    Ok(objects)
}

/// Checks what every store does.
async fn check(store: &dyn ObjectStore) {
    let first = put(store, "a/b.txt", &["0123", "", "456789"]).await.expect("the object is written");
    assert_eq!(get(store, "a/b.txt", Wanted::default()).await.expect("it is there"), "0123456789");
    for (start, end, expected) in [
        (0, None, "0123456789"),
        (3, None, "3456789"),
        (3, Some(5), "34"),
        (8, Some(99), "89"),
        (10, None, ""),
        (99, None, ""),
    ] {
        let wanted = Wanted { start, end, etag: Some(&first), version: None };
        assert_eq!(get(store, "a/b.txt", wanted).await.expect("it is there"), expected, "{start} {end:?}");
    }
    // A new object has a new ETag.
    let second = put(store, "a/b.txt", &["new and longer text"]).await.expect("the object is replaced");
    let wanted = Wanted { etag: Some(&first), ..Wanted::default() };
    let error = get(store, "a/b.txt", wanted).await.expect_err("it was replaced");
    assert_eq!(error.kind(), StoreErrorKind::Changed);
    let download = store.get("a/b.txt", Wanted::default()).await.expect("it is there");
    assert_eq!((download.size, download.etag.as_str()), (19, second.as_str()));

    let error = get(store, "a/c", Wanted::default()).await.expect_err("it is not there");
    assert_eq!(error.kind(), StoreErrorKind::NotFound);
    assert!(get(store, "a", Wanted::default()).await.is_err());

    // An upload that is not finished does not appear.
    let mut upload = store.put("a/half").await.expect("the upload begins");
    upload.write(Bytes::from_static(b"x")).await.expect("it is written");
    drop(upload);
    let mut upload = store.put("a/half").await.expect("the upload begins");
    upload.write(Bytes::from_static(b"x")).await.expect("it is written");
    assert_eq!(list(store, "a/h", None).await.expect("it is listed"), []);
    upload.abort().await.expect("it is aborted");
    assert_eq!(list(store, "", None).await.expect("it is listed").len(), 1);

    // Keys are listed in the order of their bytes, in which `.` and `-` come before `/`.
    for key in ["a.txt", "a-b/c", "a/b/c/d", "a/b", "aa", "ä/ö", "b"] {
        match put(store, key, &[key]).await {
            Ok(_) => {}
            // A folder cannot be a file, too.
            Err(error) => assert!(key == "a/b" && error.kind() != StoreErrorKind::NotFound, "{error:?}"),
        }
    }
    let all = list(store, "", None).await.expect("it is listed");
    let keys: Vec<&str> = all.iter().map(|object| object.key.as_str()).filter(|key| *key != "a/b").collect();
    assert_eq!(keys, ["a-b/c", "a.txt", "a/b.txt", "a/b/c/d", "aa", "b", "ä/ö"]);
    assert_eq!(all[0].size, 5);
    for prefix in ["", "a", "a/", "a/b", "a/b/", "x", "ä"] {
        for after in all.iter().map(|object| object.key.as_str()).chain(["", "a/", "a/b/z", "zz"]) {
            let expected: Vec<&ObjectInfo> =
                all.iter().filter(|object| object.key.starts_with(prefix) && object.key.as_str() > after).collect();
            let found = list(store, prefix, Some(after)).await.expect("it is listed");
            assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{prefix:?} behind {after:?}");
        }
    }
}

#[tokio::test]
async fn a_store_in_memory_keeps_objects() {
    check(&MemoryStore::new()).await;
}

#[tokio::test]
async fn a_folder_keeps_objects() {
    let folder = Temporary::new("keeps");
    let store = FolderStore::in_root(&folder.0, "bucket").expect("the name is allowed");
    check(&store).await;
    // Nothing else is left there.
    let left = std::fs::read_dir(folder.0.join("bucket")).expect("the folder is there");
    let hidden =
        left.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with('.')));
    assert_eq!(hidden.count(), 0);
}

#[test]
fn a_folder_works_without_a_runtime() {
    use std::task::{Context, Poll, Waker};
    let folder = Temporary::new("alone");
    let store = FolderStore::new(&folder.0);
    let mut future = std::pin::pin!(put(&store, "a", &["b"]));
    let result = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(result, Poll::Ready(Ok(_))));
}

#[tokio::test]
async fn hostile_names_reach_nothing() {
    let folder = Temporary::new("hostile");
    std::fs::create_dir_all(folder.0.join("bucket")).expect("the folder is created");
    std::fs::write(folder.0.join("secret"), "x").expect("the file is written");
    let stores = FolderStore::all_in(&folder.0);
    let store = stores.bucket("bucket").expect("it is a folder");
    for key in ["../secret", "/etc/passwd", "a/../../secret", "..", "", "a\0"] {
        let error = get(&*store, key, Wanted::default()).await.expect_err("the key is refused");
        assert_eq!(error.kind(), StoreErrorKind::Denied, "{key:?}");
        assert!(put(&*store, key, &["x"]).await.is_err());
    }
    for bucket in ["", "..", ".", "bucket/../..", "/", "a\\b"] {
        assert!(stores.bucket(bucket).is_err(), "{bucket:?}");
    }
    let missing = stores.bucket("other").expect("the name is allowed");
    let error = list(&*missing, "", None).await.expect_err("there is no such folder");
    assert_eq!(error.kind(), StoreErrorKind::NotFound);
}

#[tokio::test]
async fn a_file_that_no_key_names_fails_the_listing() {
    let folder = Temporary::new("unnamed");
    let store = FolderStore::new(&folder.0);
    std::fs::create_dir_all(folder.0.join("a")).expect("the folder is created");
    std::fs::write(folder.0.join("a/b.csv"), "x").expect("the file is written");
    std::fs::write(folder.0.join(".workflow-upload-1"), "x").expect("the file is written");
    assert_eq!(list(&store, "", None).await.expect("it is listed").len(), 1);
    let bad = |name: &str, reason: &str| format!("the folder has a file that cannot be an object: {name:?}: {reason}");
    for (name, shown, reason) in [
        (&b"c:d.csv"[..], "c:d.csv", "it has a character that is special in folders"),
        (b"a?.csv", "a?.csv", "it has a character that is special in folders"),
        (b"note.", "note.", "a name in it ends with a dot or a blank"),
        (b"nul", "nul", "it has the name of a device"),
        #[cfg(unix)]
        (b"x\xff", "x\u{fffd}", "its name is not UTF-8"),
    ] {
        #[cfg(unix)]
        let name = std::os::unix::ffi::OsStrExt::from_bytes(name);
        #[cfg(not(unix))]
        let name = std::ffi::OsStr::new(str::from_utf8(name).expect("it is text"));
        // Some systems do not have such files.
        let path = folder.0.join::<&std::ffi::OsStr>(name);
        if std::fs::write(&path, "x").is_err() {
            continue;
        }
        let error = list(&store, "", None).await.expect_err("a file has no key");
        assert_eq!((error.kind(), error.to_string()), (StoreErrorKind::Denied, bad(shown, reason)));
        // It does not belong to this listing.
        assert_eq!(list(&store, "a/", None).await.expect("it is listed").len(), 1);
        std::fs::remove_file(path).expect("the file is removed");
    }
}

#[tokio::test]
async fn a_key_below_a_file_is_refused_at_once() {
    let folder = Temporary::new("below");
    let store = FolderStore::new(&folder.0);
    put(&store, "a/b.csv", &["x"]).await.expect("the object is written");
    for (key, reason) in [
        ("a/b.csv/c", "\"a/b.csv\" is a file, and no folder"),
        ("a/b.csv/c/d", "\"a/b.csv\" is a file, and no folder"),
        ("a", "there is a folder of this name"),
    ] {
        let error = store.put(key).await.err().expect("it cannot be written");
        assert_eq!(error.to_string(), format!("cannot write {key:?}: {reason}"));
    }
    assert!(store.put("a/c/d").await.is_ok());
    let inner = FolderStore::new(folder.0.join("a/b.csv"));
    let error = inner.put("c").await.err().expect("the bucket is a file");
    assert!(error.to_string().ends_with("b.csv\" is a file, and no folder"), "{error}");
}

#[tokio::test]
async fn a_file_that_changes_while_it_is_read_is_an_error() {
    let folder = Temporary::new("changes");
    let store = FolderStore::new(&folder.0);
    put(&store, "a", &["x".repeat(1_000_000).as_str()]).await.expect("the object is written");
    let mut download = store.get("a", Wanted::default()).await.expect("it is there");
    download.body.next().await.expect("the first chunk is read");
    std::fs::write(folder.0.join("a"), "short").expect("the file is written");
    let error = download.body.next().await.expect_err("the file changed");
    assert_eq!(error.kind(), StoreErrorKind::Changed);
    // A file with a new name for the object is no change of the one that is read.
    put(&store, "b", &["x".repeat(1_000_000).as_str()]).await.expect("the object is written");
    let mut download = store.get("b", Wanted::default()).await.expect("it is there");
    put(&store, "b", &["short"]).await.expect("the object is replaced");
    let mut size = 0;
    while let Some(chunk) = download.body.next().await.expect("the old object is read") {
        size += chunk.len();
    }
    assert_eq!(size, 1_000_000);
}

#[test]
fn unknown_buckets_are_named() {
    let error = Stores::new().bucket("x").err().expect("there are no buckets");
    assert_eq!(
        error.to_string(),
        "there is no store for the bucket \"x\": add it to the table [stores] of workflow.toml, by --store or by \
         Stores::with"
    );
}
