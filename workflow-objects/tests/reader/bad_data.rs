//! Bad data: the error names the object and the place, and the items before it are not lost.

use crate::support::{bucket, gzip, read_some, reader, zstd};

const CSV: &str = r#"{ "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" }"#;
const LINES: &str = r#"{ "InputType": "JSONL" }"#;
const JSON: &str = r#"{ "InputType": "JSON" }"#;
const FLATTEN: &str = r#"{ "InputType": "JSONL", "Transformation": "LOAD_AND_FLATTEN" }"#;

/// Checks the number of items before an error, and its cause, in chunks of several sizes.
async fn check(objects: &[(&str, &[u8])], key: &str, config: &str, count: usize, expected: &str) {
    for chunk in [1, 3, 1 << 20] {
        if chunk < 100 && objects.iter().any(|(_, object)| object.len() > 100_000) {
            continue;
        }
        let (stores, _) = bucket(objects, chunk);
        let (items, error) = read_some(&stores, &reader(key, config), None).await;
        let error = error.unwrap_or_else(|| panic!("{expected}: there is no error"));
        let cause = error.cause();
        match expected.strip_suffix('…') {
            Some(start) => assert!(cause.starts_with(start), "{cause}"),
            None => assert_eq!(cause, expected),
        }
        assert_eq!(items.len(), count, "{expected}");
    }
}

#[tokio::test]
async fn bad_rows_are_named() {
    let long = [b"a,b\n1,2\n3,".as_slice(), &vec![b'x'; 100_000_000], b"\n"].concat();
    let quoted = [b"a,b\n1,2\n3,\"".as_slice(), &vec![b'\n'; 17_000_000]].concat();
    let wide = (0..20_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    let table: &[(&[u8], usize, &str)] = &[
        (b"a,b\n1,2\n3,\"4\n5,6\n", 1, "s3://b/a, record 2 from byte 8: a quoted field does not end"),
        (b"a\n\"\\", 0, "s3://b/a, record 1 from byte 0: a quoted field does not end"),
        (b"a,b\n1,\xff\n", 0, "s3://b/a, record 1 from byte 0: the row is not UTF-8"),
        (b"a,\xe4\n", 0, "s3://b/a, record 1 from byte 0: the row is not UTF-8"),
        (b"\xff\xfea\0\n\0", 0, "s3://b/a, record 1 from byte 0: the row is not UTF-8"),
        (b"a,b\n1,2\n\xc3,\xa4\n", 1, "s3://b/a, record 2 from byte 8: a field is not UTF-8"),
        (b"a,b\n\xc3\\,\xa4\n", 0, "s3://b/a, record 1 from byte 0: the row is not UTF-8"),
        (b"a,b,a\n1,2,3\n", 0, "CSV headers cannot contain duplicates."),
        (b"a,,b,\n", 0, "CSV headers cannot contain duplicates."),
        (&long, 1, "s3://b/a, record 2 from byte 8: the row is longer than 16777216 bytes…"),
        (&quoted, 1, "s3://b/a, record 2 from byte 8: the row is longer than 16777216 bytes…"),
        (wide.as_bytes(), 0, "s3://b/a, record 1 from byte 0: there are 20000 CSV headers, and at most 16384 are…"),
    ];
    for (object, count, expected) in table {
        check(&[("a", object)], "a", CSV, *count, expected).await;
    }
}

#[tokio::test]
async fn bad_lines_are_named() {
    let long = [b"1\n".as_slice(), &vec![b' '; 100_000_000]].concat();
    let deep = ["1\n", &"[".repeat(200_000)].concat();
    let table: &[(&[u8], usize, &str)] = &[
        (b"1\n{\n2", 1, "s3://b/a, record 2 from byte 2: the line is not JSON: …"),
        (b"1\n2 3\n", 1, "s3://b/a, record 2 from byte 2: the line is not JSON: …"),
        (b"1\n\"\xff\"\n", 1, "s3://b/a, record 2 from byte 2: the line is not UTF-8"),
        (b"1\n{\"a\":", 1, "s3://b/a, record 2 from byte 2: the line is not JSON: …"),
        (&long, 1, "s3://b/a, record 2 from byte 2: the line is longer than 16777216 bytes"),
        (deep.as_bytes(), 1, "s3://b/a, record 2 from byte 2: the line is not JSON: …"),
    ];
    for (object, count, expected) in table {
        check(&[("a", object)], "a", LINES, *count, expected).await;
    }
}

#[tokio::test]
async fn bad_documents_are_named() {
    let long = [b"[1, \"".as_slice(), &vec![b'x'; 100_000_000], b"\"]"].concat();
    let deep = ["[1, ", &"[".repeat(200_000)].concat();
    let nothing = "Attempting to map over non-iterable node.";
    let table: &[(&[u8], usize, &str)] = &[
        (b"{\"Hello\": \"world\"}", 0, nothing),
        (b"7", 0, nothing),
        (b"nonsense", 0, nothing),
        (b"", 0, "s3://b/a, record 1 from byte 0: there is no JSON"),
        (b"[1, 2", 1, "s3://b/a, record 2 from byte 2: the JSON ends too early"),
        (b"[1, \"x", 1, "s3://b/a, record 2 from byte 2: the JSON ends too early"),
        (b"[1, 2,]", 2, "s3://b/a, record 3 from byte 5: it is not JSON: unexpected ']'"),
        (b"[,1]", 0, "s3://b/a, record 1 from byte 0: it is not JSON: unexpected ','"),
        (b"[1 2]", 1, "s3://b/a, record 2 from byte 2: it is not JSON: unexpected '2'"),
        (b"[1, nul]", 1, "s3://b/a, record 2 from byte 2: it is not JSON: …"),
        (b"[1, {\"a\":]", 1, "s3://b/a, record 2 from byte 2: a bracket in the JSON has no partner"),
        (b"[1] 2", 1, "s3://b/a, record 2 from byte 2: it is not JSON: unexpected '2'"),
        (b"[1, \"\xff\"]", 1, "s3://b/a, record 2 from byte 2: it is not JSON: …"),
        (&long, 1, "s3://b/a, record 2 from byte 2: an item of the JSON is longer than 16777216 bytes"),
        (deep.as_bytes(), 1, "s3://b/a, record 2 from byte 2: the JSON is nested deeper than 127 levels"),
    ];
    for (object, count, expected) in table {
        check(&[("a", object)], "a", JSON, *count, expected).await;
    }
}

#[tokio::test]
async fn pointers_that_lead_nowhere_are_named() {
    let table: &[(&str, &[u8])] = &[
        ("/a", b"{}"),
        ("/a", b"{\"b\": [1]}"),
        ("/a", b"[1]"),
        ("/3", b"[1, 2]"),
        ("/01", b"[1, [2]]"),
        ("/a/b", b"{\"a\": 1}"),
        ("/0", b"[]"),
    ];
    for (pointer, object) in table {
        let config = format!(r#"{{ "InputType": "JSON", "ItemsPointer": "{pointer}" }}"#);
        let expected = format!("Attempting to map over non-iterable node. The ItemsPointer {pointer} leads nowhere");
        check(&[("a", object)], "a", &config, 0, &expected).await;
    }
    let config = r#"{ "InputType": "JSON", "ItemsPointer": "/a" }"#;
    check(&[("a", b"{\"a\": 1}")], "a", config, 0, "Attempting to map over non-iterable node.").await;
    check(&[("a", b"{\"b\": ")], "a", config, 0, "s3://b/a, record 1 from byte 0: the JSON ends too early").await;
}

#[tokio::test]
async fn truncated_compressed_data_is_named() {
    let text: Vec<u8> = (0..3000).flat_map(|n| format!("{}\n", n * 7919).into_bytes()).collect();
    let (zipped, zst) = (gzip(&text), zstd(&text));
    for length in [0, 1, 5, 15, zipped.len() / 2, zipped.len() - 9, zipped.len() - 1] {
        let (stores, _) = bucket(&[("a.gz", &zipped[..length])], 1000);
        let (items, error) = read_some(&stores, &reader("a.gz", LINES), None).await;
        let error = error.expect("the data is truncated");
        assert!(error.cause().starts_with("s3://b/a.gz, record "), "{error}");
        assert!(error.cause().contains("the gzip data is damaged or ends too early"), "{error}");
        assert!(items.len() <= 3000);
    }
    for length in [0, 1, 5, zst.len() / 2, zst.len() - 1] {
        let (stores, _) = bucket(&[("a.zst", &zst[..length])], 1000);
        let (_, error) = read_some(&stores, &reader("a.zst", LINES), None).await;
        let error = error.expect("the data is truncated");
        assert!(error.cause().contains("the zstd data ends too early"), "{length}: {error}");
    }
    let mut damaged = zst.clone();
    damaged[zst.len() - 1] ^= 1;
    let expected = "s3://b/a.zst, record 1 from byte 0: the zstd data is damaged: its checksum differs";
    check(&[("a.zst", &damaged)], "a.zst", LINES, 0, expected).await;
    check(&[("a.zst", b"1\n2\n3\n")], "a.zst", LINES, 0, "s3://b/a.zst, record 1 from byte 0: it is not zstd data")
        .await;
    check(&[("a.gz", b"1\n2\n3\n4\n5\n6\n7\n8\n")], "a.gz", LINES, 0, "s3://b/a.gz, record 1 from byte 0: the gzip…")
        .await;
}

#[tokio::test]
async fn a_bomb_is_refused_as_a_long_record() {
    let bomb = gzip(&vec![b' '; 200_000_000]);
    assert!(bomb.len() < 300_000);
    let expected = "s3://b/a.gz, record 1 from byte 0: the line is longer than 16777216 bytes";
    check(&[("a.gz", &bomb)], "a.gz", LINES, 0, expected).await;
}

#[tokio::test]
async fn missing_buckets_and_objects_are_named() {
    let expected = "s3://b/a does not exist: there is no object \"a\"";
    check(&[], "a", LINES, 0, expected).await;
    let manifest = r#"{ "InputType": "JSONL", "ManifestType": "ATHENA_DATA" }"#;
    let lines: &[(&str, &[u8])] = &[("m", b"s3://b/x\ns3://b/a\n"), ("x", b"1\n")];
    check(lines, "m", manifest, 1, expected).await;
    let other = "s3://other/a does not exist: there is no store for the bucket \"other\": add it to the table \
                 [stores] of workflow.toml, by --store or by Stores::with";
    check(&[("m", b"s3://other/a")], "m", manifest, 0, other).await;
    check(&[("m", b"oops")], "m", manifest, 0, "s3://b/m has a line that is not s3://bucket/key: \"oops\"").await;
    let inventory = r#"{ "InputType": "MANIFEST" }"#;
    for bad in
        ["", "[]", "{}", r#"{"fileSchema": "a"}"#, r#"{"fileSchema": "a", "files": [{}]}"#, r#"{"fileFormat":"ORC"}"#]
    {
        check(&[("m", bad.as_bytes())], "m", inventory, 0, "s3://b/m is not the manifest of an S3 inventory: …").await;
    }
}

#[tokio::test]
async fn a_listing_that_changes_while_it_is_read_is_named() {
    let objects: &[(&str, &[u8])] = &[("f/1", b"1\n2\n"), ("f/2", b"3\n")];
    for replaced in [true, false] {
        let (stores, store) = bucket(objects, 100);
        let reader = reader("f/*", FLATTEN);
        let source = workflow_objects::reader::ItemSource::open(&stores, &reader, None).await;
        let mut source = source.expect("the listing is open");
        source.next().await.expect("the first item is there");
        match replaced {
            true => drop(store.insert("f/2", b"4\n".to_vec())),
            false => drop(store.remove("f/2")),
        }
        source.next().await.expect("the second item is there");
        let error = source.next().await.expect_err("the listed object is not there any more");
        let expected = if replaced { "s3://b/f/2 changed while it was read: " } else { "s3://b/f/2 does not exist: " };
        assert!(error.cause().starts_with(expected), "{error}");
        // Who continues at the position gets the same error, and no item is lost.
        let again = crate::support::read(&stores, &reader, Some(&source.position())).await;
        assert_eq!(again.expect_err("it is still not there").cause(), error.cause());
    }
}
