//! Tests of the files around a definition.

use super::*;
use crate::Options;
use crate::source::Span;

fn path(value: &str) -> Text {
    Text::verbatim(value, Span::new(FileId(0), 0, 0), 0)
}

#[test]
fn paths_are_relative_to_the_definition() {
    for (uri, expected) in [
        ("events.json", "events.json"),
        ("./events.json", "events.json"),
        ("common/events v2.json", "common/events v2.json"),
        ("../events.json", "../events.json"),
        ("file://events.json", "events.json"),
        ("FILE:common/events.json", "common/events.json"),
        ("a b: c.json", "a b: c.json"),
    ] {
        assert_eq!(relative_path(uri).as_deref(), Ok(expected), "{uri}");
    }
    for uri in [
        "",
        " ",
        "./",
        "/a",
        "file:/a",
        "file:///a",
        "http://a/b",
        "HTTPS:b",
        "ftp:a",
        "urn:a:b",
        "c:/a",
        "C:\\a",
        "\\\\a\\b",
        "a\\b",
        "a\0",
    ] {
        assert!(relative_path(uri).is_err(), "{uri}");
    }
}

fn inputs(folder: &str) -> Inputs {
    let files = Files::new(|path| match path {
        "a.json" => Ok(b"{\"a\": 1, \"b\": 2}".to_vec()),
        "same.json" => Ok(b"{\"b\":2,\"a\":1}".to_vec()),
        "long.json" => Ok(vec![b' '; MAX_BYTES + 1]),
        path if path.starts_with("many") => Ok(b"1".to_vec()),
        _ => Err("does not exist".to_owned()),
    });
    let mut sources = Sources::default();
    let file = sources.add(Source::new(format!("{folder}flow.json"), "{}").among(files));
    Inputs::new(sources, file)
}

#[test]
fn a_file_is_read_once() {
    let (mut inputs, mut diagnostics) = (inputs("flows/"), Diagnostics::default());
    for _ in 0..2 {
        assert!(inputs.tree(&path("a.json"), &mut diagnostics).is_some());
        assert!(inputs.tree(&path("missing.json"), &mut diagnostics).is_none());
        assert!(inputs.bytes(&path("./a.json"), &mut diagnostics).is_some());
    }
    let found: Vec<String> = diagnostics.finish().into_iter().map(|found| found.message).collect();
    assert_eq!(found, ["the file `missing.json` does not exist"]);
    let (sources, read) = inputs.finish();
    let names: Vec<&str> = sources.iter().map(|(_, source)| source.name.as_str()).collect();
    assert_eq!(names, ["flows/flow.json", "flows/a.json"]);
    assert_eq!(read.iter().map(|input| input.path.as_str()).collect::<Vec<_>>(), ["a.json"]);
}

/// The layout of a tree makes no difference; its name does, since it is part of the definition.
#[test]
fn what_was_read_is_part_of_the_meaning() {
    let mut diagnostics = Diagnostics::default();
    assert_eq!(inputs("").hash(), None);
    let mut hash = |name: &str, as_tree: bool| {
        let mut inputs = inputs("");
        let read = if as_tree {
            inputs.tree(&path(name), &mut diagnostics).is_some()
        } else {
            inputs.bytes(&path(name), &mut diagnostics).is_some()
        };
        assert!(read);
        inputs.hash()
    };
    assert_eq!(hash("a.json", true), hash("./a.json", true));
    assert_ne!(hash("a.json", true), hash("a.json", false));
    assert_ne!(hash("a.json", true), hash("many", true));
}

#[test]
fn there_are_limits() {
    let (mut inputs, mut diagnostics) = (inputs(""), Diagnostics::default());
    assert!(inputs.bytes(&path("long.json"), &mut diagnostics).is_none());
    for at in 0..MOST {
        inputs.bytes(&path(&format!("many{at}")), &mut diagnostics);
    }
    let found: Vec<String> = diagnostics.finish().into_iter().map(|found| found.message).collect();
    assert_eq!(
        found,
        [
            "the file `long.json` is longer than 16777216 bytes",
            "the file `many255` is one of more than 256 files that the definition names"
        ]
    );
}

#[test]
fn a_text_alone_has_no_files() {
    let text = r#"{"name": "t", "version": "1", "events": "e.json", "states": [{"name": "A", "start": true}]}"#;
    let output = crate::check_only(Source::new("flow.json", text), &Options::default());
    if cfg!(feature = "sm4c") {
        let found = &output.diagnostics[0];
        assert_eq!(found.message, "the file `e.json` cannot be read: only the definition was given to the compiler");
    }
    assert_eq!(output.inputs, []);
}

#[test]
fn folders_and_missing_files_are_told_apart() {
    let Files(Some(read)) = Files::in_folder(env!("CARGO_MANIFEST_DIR")) else { panic!("there are files") };
    assert!(read("Cargo.toml").is_ok_and(|bytes| bytes.starts_with(b"[package]")));
    assert_eq!(read("src"), Err("is not a file".to_owned()));
    assert_eq!(read("no/such/file"), Err("does not exist".to_owned()));
}
