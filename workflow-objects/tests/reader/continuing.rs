//! Positions: a reader that continues behind any item yields the items that follow.

use workflow_objects::reader::{ItemReader, Position};
use workflow_objects::store::{StoreErrorKind, Stores};

use crate::support::{bucket, gzip, read, reader, zstd};

/// Checks that a reader yields the same items from every position, which is stored as JSON.
async fn check(stores: &Stores, reader: &ItemReader, count: usize) {
    let items = read(stores, reader, None).await.expect("the data is read");
    assert_eq!(items.len(), count);
    for (at, (_, position)) in items.iter().enumerate() {
        let stored = serde_json::to_string(position).expect("a position is stored");
        assert!(stored.len() < 300, "{stored}");
        let position: Position = serde_json::from_str(&stored).expect("a position is read");
        let rest = read(stores, reader, Some(&position)).await;
        let rest = rest.unwrap_or_else(|error| panic!("{error} behind item {at}: {stored}"));
        assert_eq!(rest, items[at + 1..], "behind item {at}: {stored}");
    }
}

/// A small generator of numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<'a>(&mut self, parts: &[&'a str]) -> &'a str {
        parts[self.below(parts.len())]
    }
}

#[tokio::test]
async fn every_position_of_a_file_continues() {
    let fields = ["", "x", "\"a,b\nc\"", "\"\"\"\"", "\\,", "ä", "  ", "1.5", "\"\\\"\""];
    let values = ["1", "\"a\\\"]\"", "{}", "[1,[2]]", "{\"a\": {\"b\": \"}\"}}", "null", "-1e3", "\"\u{e4}\""];
    let blanks = ["", " ", "\n", "\r\n  "];
    let mut numbers = Numbers(1);
    for _ in 0..40 {
        let count = numbers.below(6);
        let mark = numbers.pick(&["", "\u{feff}"]);
        let (mut csv, mut lines) = (format!("{mark}h1,h2\n"), mark.to_owned());
        let (mut array, mut members) = (format!("{mark}["), "{\"x\": [1], \"a\": {".to_owned());
        for at in 0..count {
            csv += &format!(
                "{},{}{}",
                numbers.pick(&fields),
                numbers.pick(&fields),
                numbers.pick(&["\n", "\r\n", "\n\n"])
            );
            lines += &format!("{}{}", numbers.pick(&values), numbers.pick(&["\n", "\r\n", "\n \n"]));
            let comma = if at > 0 { "," } else { "" };
            let (before, behind) = (numbers.pick(&blanks), numbers.pick(&blanks));
            array += &format!("{comma}{before}{}{behind}", numbers.pick(&values));
            members += &format!("{comma}{before}\"k{at}\"{behind}:{before}{}{behind}", numbers.pick(&values));
        }
        array += "]";
        members += "}}";
        let table = [
            (r#"{ "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" }"#, csv.as_str()),
            (r#"{ "InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["h1"] }"#, csv.as_str()),
            (r#"{ "InputType": "JSONL" }"#, lines.as_str()),
            (r#"{ "InputType": "JSON" }"#, array.as_str()),
            (r#"{ "InputType": "JSON", "ItemsPointer": "/a" }"#, members.as_str()),
        ];
        let chunk = 1 + numbers.below(20);
        for (config, object) in table {
            let given = usize::from(config.contains("GIVEN"));
            let (plain, zipped, zst) = (object.as_bytes(), gzip(object.as_bytes()), zstd(object.as_bytes()));
            let (stores, _) = bucket(&[("a", plain), ("a.gz", &zipped), ("a.zstd", &zst)], chunk);
            for key in ["a", "a.gz", "a.zstd"] {
                check(&stores, &reader(key, config), count + given).await;
            }
        }
    }
}

#[tokio::test]
async fn every_position_of_listings_and_manifests_continues() {
    let inventory = br#"{ "fileSchema": "Key", "files": [{ "key": "f/1.gz" }, { "key": "f/2" }, { "key": "f/3" }] }"#;
    let (stores, _) = bucket(
        &[
            ("f/1.gz", &gzip(b"1\n2\n3\n")),
            ("f/2", b""),
            ("f/3", b"4\n5"),
            ("inventory", inventory),
            ("lines", b"s3://b/f/3\ns3://b/f/2\n\ns3://b/f/1.gz\ns3://b/f/3\n"),
        ],
        2,
    );
    check(&stores, &reader("*", "{}"), 5).await;
    check(&stores, &reader("f/*", r#"{ "InputType": "JSONL", "Transformation": "LOAD_AND_FLATTEN" }"#), 5).await;
    check(&stores, &reader("inventory", r#"{ "InputType": "MANIFEST" }"#), 5).await;
    check(&stores, &reader("lines", r#"{ "InputType": "JSONL", "ManifestType": "ATHENA_DATA" }"#), 7).await;
}

#[tokio::test]
async fn an_object_that_was_replaced_is_named() {
    let table = [
        ("a", r#"{ "InputType": "JSONL" }"#, "a"),
        ("f/*", r#"{ "InputType": "JSONL", "Transformation": "LOAD_AND_FLATTEN" }"#, "f/1"),
        ("lines", r#"{ "InputType": "JSONL", "ManifestType": "ATHENA_DATA" }"#, "f/1"),
        ("lines", r#"{ "InputType": "JSONL", "ManifestType": "ATHENA_DATA" }"#, "lines"),
        ("inventory", r#"{ "InputType": "MANIFEST" }"#, "inventory"),
    ];
    for (key, config, replaced) in table {
        let inventory = br#"{ "fileSchema": "Key", "files": [{ "key": "f/1" }] }"#;
        let objects: &[(&str, &[u8])] =
            &[("a", b"1\n2\n"), ("f/1", b"1\n2\n"), ("lines", b"s3://b/f/1"), ("inventory", inventory)];
        let (stores, store) = bucket(objects, 100);
        let reader = reader(key, config);
        let items = read(&stores, &reader, None).await.expect("the data is read");
        let object = store.bytes(replaced).expect("it is there");
        store.insert(replaced, object);
        let error = read(&stores, &reader, Some(&items[0].1)).await.expect_err("the object is another one");
        assert_eq!(error.store_kind(), Some(StoreErrorKind::Changed));
        let cause = format!("s3://b/{replaced} changed while it was read: \"{replaced}\" was replaced");
        assert_eq!(error.cause(), cause);
    }
}
