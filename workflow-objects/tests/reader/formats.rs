//! The items of each format.

use workflow_runtime::Value;

use crate::support::{bucket, gzip, inputs, read, reader, try_reader, zstd};

const FIRST_ROW: &str = r#"{ "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW" }"#;
const LINES: &str = r#"{ "InputType": "JSONL" }"#;
const JSON: &str = r#"{ "InputType": "JSON" }"#;

/// Checks the items of an object, in chunks of several sizes.
async fn check(config: &str, object: &[u8], expected: &str) {
    let expected = Value::from_json(expected).expect("the expected items are JSON");
    let zipped = [("a.gz", gzip(object)), ("a.zst", zstd(object)), ("a", object.to_vec())];
    for (key, bytes) in &zipped {
        for chunk in [1, 2, 3, 7, 100_000] {
            let (stores, _) = bucket(&[(key, bytes)], chunk);
            let items = read(&stores, &reader(key, config), None).await;
            let items = items.unwrap_or_else(|error| panic!("{error} in {:?}", String::from_utf8_lossy(object)));
            assert_eq!(inputs(&items), expected, "{:?} in chunks of {chunk}", String::from_utf8_lossy(object));
            let numbers: Vec<u64> = items.iter().map(|(item, _)| item.index).collect();
            assert!(numbers.iter().copied().eq(0..items.len() as u64));
            assert!(items.iter().all(|(item, _)| item.source.as_str() == format!("s3://b/{key}")));
        }
    }
}

#[tokio::test]
async fn rows_follow_the_rules_of_aws() {
    let table: &[(&str, &str)] = &[
        ("a,b\n1,2\n", r#"[{ "a": "1", "b": "2" }]"#),
        ("a,b\r\n1,2\r\n", r#"[{ "a": "1", "b": "2" }]"#),
        ("a,b\n1,2", r#"[{ "a": "1", "b": "2" }]"#),
        ("a,b\n1,2\r", "[{ \"a\": \"1\", \"b\": \"2\\r\" }]"),
        ("\u{feff}a,b\n1,2", r#"[{ "a": "1", "b": "2" }]"#),
        // Short and long rows.
        ("a,b\n1\n,\n1,2,3\n", r#"[{ "a": "1", "b": "" }, { "a": "", "b": "" }, { "a": "1", "b": "2" }]"#),
        ("a,\n1,2,3\n", r#"[{ "a": "1", "": "2" }]"#),
        ("a,b\n   \n", r#"[{ "a": "   ", "b": "" }]"#),
        // Empty lines are no rows, but an empty field in quotes is one.
        ("a\n\n\r\n1\n\n\"\"\n", r#"[{ "a": "1" }, { "a": "" }]"#),
        // Quotes.
        ("a,b\n\"1,\n2\",\"x\"\"y\"\n", r#"[{ "a": "1,\n2", "b": "x\"y" }]"#),
        ("a,b\n\"1\"x,y\"z\"\n", r#"[{ "a": "1x", "b": "y\"z\"" }]"#),
        ("a\n\"1\"", r#"[{ "a": "1" }]"#),
        ("a\n\"\"\"\"\n", r#"[{ "a": "\"" }]"#),
        // Backslashes.
        (
            r"a,b
1\,2,3\\4",
            r#"[{ "a": "1,2", "b": "3\\4" }]"#,
        ),
        (
            r#"a,b
\"1\",\n2"#,
            r#"[{ "a": "\"1\"", "b": "n2" }]"#,
        ),
        (
            r#"a
"1\"2\\\x""#,
            r#"[{ "a": "1\"2\\x" }]"#,
        ),
        // Text.
        ("ä,b\nö,'x'\n", r#"[{ "ä": "ö", "b": "'x'" }]"#),
        ("", "[]"),
        ("\n\n", "[]"),
        ("a,b\n", "[]"),
        ("a,b", "[]"),
    ];
    for (object, expected) in table {
        check(FIRST_ROW, object.as_bytes(), expected).await;
    }
}

#[tokio::test]
async fn delimiters_and_headers_are_chosen() {
    let table: &[(&str, &str)] = &[("COMMA", ","), ("PIPE", "|"), ("SEMICOLON", ";"), ("SPACE", " "), ("TAB", "\t")];
    for (name, delimiter) in table {
        let config = format!(
            r#"{{ "InputType": "CSV", "CSVHeaderLocation": "GIVEN", "CSVHeaders": ["x", "y"], "CSVDelimiter": "{name}" }}"#
        );
        let object = format!("1{delimiter}2\n3\\{delimiter}4{delimiter}\"5{delimiter}6\"\n");
        let expected =
            format!("[{{ \"x\": \"1\", \"y\": \"2\" }}, {{ \"x\": \"3{delimiter}4\", \"y\": \"5{delimiter}6\" }}]");
        check(&config, object.as_bytes(), &expected.replace('\t', "\\t")).await;
    }
}

#[tokio::test]
async fn lines_are_values() {
    let table: &[(&str, &str)] = &[
        ("{\"a\":1}\n[2]\r\n\n  \n\"x\"\nnull", r#"[{ "a": 1 }, [2], "x", null]"#),
        ("", "[]"),
        ("\n\n", "[]"),
        ("\u{feff}1\n", "[1]"),
    ];
    for (object, expected) in table {
        check(LINES, object.as_bytes(), expected).await;
    }
}

#[tokio::test]
async fn elements_of_arrays_are_items() {
    let table: &[(&str, &str)] = &[
        ("[]", "[]"),
        (" [ ] ", "[]"),
        ("[1,2]", "[1, 2]"),
        ("[ 1 , -2.5e3 , true,null, \"]\" ,[], {} ]\n", r#"[1, -2500.0, true, null, "]", [], {}]"#),
        ("[{\"a\":\"\\\"]}\"},[[1],[2,{}]]]", r#"[{ "a": "\"]}" }, [[1], [2, {}]]]"#),
        ("\u{feff}[\"\\\\\", \"ä\"]", r#"["\\", "ä"]"#),
    ];
    for (object, expected) in table {
        check(JSON, object.as_bytes(), expected).await;
    }
}

#[tokio::test]
async fn pointers_lead_to_items() {
    let table: &[(&str, &str, &str)] = &[
        ("/data/items", r#"{ "x": [1, "}"], "data": { "y": {}, "items": [1, 2] }, "rest": 1 }"#, "[1, 2]"),
        ("/1/0", "[ [5], [[6, 7], 8] ]", "[6, 7]"),
        ("/a~1b/~01", r#"{ "a/b": { "~1": [1] } }"#, "[1]"),
        ("/ä", r#"{ "\u00e4": [1] }"#, "[1]"),
        ("/", r#"{ "": [1] }"#, "[1]"),
        ("", "[1]", "[1]"),
        ("/a", r#"{ "a": [] "#, "[]"),
        // An object has pairs.
        (
            "/a",
            r#"{ "a": { "x": 1, "y": { "z": [2] } } }"#,
            r#"[{ "Key": "x", "Value": 1 }, { "Key": "y", "Value": { "z": [2] } }]"#,
        ),
        ("/a", r#"{ "a": {} }"#, "[]"),
    ];
    for (pointer, object, expected) in table {
        let config = format!(r#"{{ "InputType": "JSON", "ItemsPointer": "{pointer}" }}"#);
        check(&config, object.as_bytes(), expected).await;
    }
}

#[tokio::test]
async fn listings_are_items() {
    let objects: Vec<String> = (0..2500).map(|n| format!("p/{n:04}")).collect();
    let mut all: Vec<(&str, &[u8])> = objects.iter().map(|key| (key.as_str(), &b"xyz"[..])).collect();
    all.push(("q", b""));
    let (stores, _) = bucket(&all, 10);
    let items = read(&stores, &reader("p/*", "{}"), None).await.expect("the listing is read");
    assert_eq!(items.len(), 2500);
    let item = &items[1234].0;
    assert_eq!((item.index, item.source.as_str()), (1234, "s3://b"));
    assert_eq!(item.value.get("Key"), Some(&"p/1234".into()));
    assert_eq!(item.value.get("Size"), Some(&3.into()));
    assert_eq!(item.value.get("StorageClass"), Some(&"STANDARD".into()));
    let keys: Vec<&str> = item.value.as_object().expect("it is an object").keys().map(|key| key.as_str()).collect();
    assert_eq!(keys, ["Etag", "LastModified", "Key", "Size", "StorageClass"]);
    assert_eq!(read(&stores, &reader("*", "{}"), None).await.expect("the listing is read").len(), 2501);
}

#[tokio::test]
async fn objects_of_listings_are_loaded() {
    let (stores, _) = bucket(
        &[
            ("f/", b""),
            ("f/a.csv", b"x\n1\n2\n"),
            ("f/b.csv.gz", &gzip(b"y\n3\n")),
            ("f/c.csv", b"z\n"),
            ("f/d.csv", b"x\n4"),
            ("g", b"x\n5"),
        ],
        3,
    );
    let config = r#"{ "InputType": "CSV", "CSVHeaderLocation": "FIRST_ROW", "Transformation": "LOAD_AND_FLATTEN" }"#;
    let items = read(&stores, &reader("f/*", config), None).await.expect("the objects are read");
    let expected = r#"[{ "x": "1" }, { "x": "2" }, { "y": "3" }, { "x": "4" }]"#;
    assert_eq!(inputs(&items), Value::from_json(expected).expect("it is JSON"));
    let sources: Vec<&str> = items.iter().map(|(item, _)| item.source.as_str()).collect();
    assert_eq!(sources, ["s3://b/f/a.csv", "s3://b/f/a.csv", "s3://b/f/b.csv.gz", "s3://b/f/d.csv"]);
}

#[tokio::test]
async fn manifests_name_the_objects() {
    let inventory = br#"{ "sourceBucket": "x", "destinationBucket": "arn:aws:s3:::b", "fileFormat": "CSV",
        "fileSchema": "Bucket, Key, Size", "files": [{ "key": "1.csv.gz", "size": 1 }, { "key": "2.csv.gz" }] }"#;
    let (stores, _) = bucket(
        &[
            ("manifest.json", inventory),
            ("1.csv.gz", &gzip(b"\"x\",\"k1\",\"5\"\n\"x\",\"k2\",\"6\"\n")),
            ("2.csv.gz", &gzip(b"\"x\",\"k3\",\"7\"\n")),
            ("lines", b"s3://b/1.jsonl\n\ns3://b/2.jsonl"),
            ("1.jsonl", b"1\n2\n"),
            ("2.jsonl", b"3\n"),
        ],
        5,
    );
    let items = read(&stores, &reader("manifest.json", r#"{ "InputType": "MANIFEST" }"#), None).await;
    let items = items.expect("the inventory is read");
    let keys: Vec<Option<&Value>> = items.iter().map(|(item, _)| item.value.get("Key")).collect();
    assert_eq!(keys, [Some(&"k1".into()), Some(&"k2".into()), Some(&"k3".into())]);
    assert_eq!(items[2].0.source.as_str(), "s3://b/2.csv.gz");

    let config = r#"{ "InputType": "JSONL", "ManifestType": "ATHENA_DATA" }"#;
    let items = read(&stores, &reader("lines", config), None).await.expect("the manifest is read");
    assert_eq!(inputs(&items), Value::from_json("[1, 2, 3]").expect("it is JSON"));
}

#[tokio::test]
async fn the_number_of_items_is_limited() {
    let (stores, _) = bucket(&[("a", b"[1, 2, 3]")], 4);
    for (max, expected) in [(None, 3), (Some(0), 3), (Some(1), 1), (Some(3), 3), (Some(i64::MAX), 3)] {
        let reader = try_reader("a", JSON, max).expect("the number is allowed");
        assert_eq!(read(&stores, &reader, None).await.expect("the array is read").len(), expected, "{max:?}");
    }
}
