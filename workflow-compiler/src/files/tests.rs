//! Tests of the files around a definition.

use super::*;
use crate::Options;
use crate::source::Span;

fn path(value: &str) -> Text {
    Text::verbatim(value, Span::new(FileId(0), 0, 0), 0)
}

fn inputs(folder: &str) -> Inputs {
    let files = Files::new(|path| match path.as_str() {
        "a.json" => Ok(b"{\"a\": 1, \"b\": 2}".to_vec()),
        "same.json" => Ok(b"{\"b\":2,\"a\":1}".to_vec()),
        "long.json" => Ok(vec![b' '; MAX_FILE_BYTES + 1]),
        path if path.starts_with("many") => Ok(b"1".to_vec()),
        _ => Err("does not exist".to_owned()),
    });
    let mut sources = Sources::default();
    let file = sources.add(Source::new(format!("{folder}flow.json"), "{}").with_files(files));
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
    let messages: Vec<String> = diagnostics.finish().into_iter().map(|diagnostic| diagnostic.message).collect();
    assert_eq!(messages, ["the file `missing.json` does not exist"]);
    let (sources, read) = inputs.finish();
    let names: Vec<&str> = sources.iter().map(|(_, source)| source.name.as_str()).collect();
    assert_eq!(names, ["flows/flow.json", "flows/a.json"]);
    assert_eq!(read.iter().map(|input| input.path.as_str()).collect::<Vec<_>>(), ["a.json"]);
}

/// The layout of a tree has no influence on the hash. The file name has, because it is part of the
/// definition.
#[test]
fn the_content_of_files_is_part_of_the_hash() {
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
    let messages: Vec<String> = diagnostics.finish().into_iter().map(|diagnostic| diagnostic.message).collect();
    assert_eq!(
        messages,
        [
            "the file `long.json` is longer than 16777216 bytes",
            "the file `many255` is one too many: a definition can name at most 256 files"
        ]
    );
}

#[cfg(feature = "openapi")]
#[test]
fn files_that_are_read_only_if_they_exist_have_a_limit_of_their_own() {
    let (mut inputs, mut diagnostics, mut problems) = (inputs(""), Diagnostics::default(), Diagnostics::default());
    for at in 0..MOST {
        assert!(
            inputs.document_for(FileUse::Optional, &path(&format!("many{at}.json")), &mut problems).is_some(),
            "{at}"
        );
    }
    assert!(inputs.document_for(FileUse::Optional, &path("many-more.json"), &mut problems).is_none());
    for at in MOST..2 * MOST {
        assert!(inputs.bytes(&path(&format!("many{at}.json")), &mut diagnostics).is_some(), "{at}");
    }
    assert!(inputs.bytes(&path("many-more.json"), &mut diagnostics).is_none());
    assert_eq!((diagnostics.finish().len(), problems.finish().len()), (1, 1));
}

#[cfg(feature = "openapi")]
#[test]
fn an_optional_file_that_is_needed_later_counts_to_the_needed_ones() {
    let (mut inputs, mut diagnostics, mut problems) = (inputs(""), Diagnostics::default(), Diagnostics::default());
    for at in 0..MOST {
        assert!(
            inputs.document_for(FileUse::Optional, &path(&format!("many{at}.json")), &mut problems).is_some(),
            "{at}"
        );
    }
    assert!(inputs.bytes(&path("many0.json"), &mut diagnostics).is_some());
    assert!(inputs.bytes(&path("many0.json"), &mut diagnostics).is_some());
    assert!(inputs.document_for(FileUse::Optional, &path("many-more.json"), &mut problems).is_some());
    for at in MOST..2 * MOST - 1 {
        assert!(inputs.bytes(&path(&format!("many{at}.json")), &mut diagnostics).is_some(), "{at}");
    }
    assert_eq!((diagnostics.finish().len(), problems.finish().len()), (0, 0));
    assert_eq!(inputs.counts.map(|count| (count.files, count.bytes)), [(MOST, MOST), (0, 0), (MOST, MOST)]);
}

#[cfg(feature = "openapi")]
#[test]
fn a_file_counts_to_the_first_of_its_uses() {
    let (mut inputs, mut diagnostics) = (inputs(""), Diagnostics::default());
    let read = |inputs: &mut Inputs, file_use: FileUse, diagnostics: &mut Diagnostics| {
        assert!(inputs.document_for(file_use, &path("many.json"), diagnostics).is_some(), "{file_use:?}");
        inputs.counts.map(|count| (count.files, count.bytes))
    };
    let (none, one) = ((0, 0), (1, 1));
    for (file_use, expected) in [
        (FileUse::Optional, [none, none, one]),
        (FileUse::Referenced, [none, one, none]),
        (FileUse::Optional, [none, one, none]),
        (FileUse::Named, [one, none, none]),
        (FileUse::Referenced, [one, none, none]),
    ] {
        assert_eq!(read(&mut inputs, file_use, &mut diagnostics), expected, "{file_use:?}");
    }
    // A file that cannot be read counts once.
    for _ in 0..2 {
        assert!(inputs.document_for(FileUse::Referenced, &path("none.json"), &mut diagnostics).is_none());
    }
    assert_eq!(inputs.counts.map(|count| count.files), [1, 1, 0]);
    assert_eq!(diagnostics.finish().len(), 1);
}

#[cfg(feature = "openapi")]
#[test]
fn too_many_files_of_a_document_are_not_those_of_the_definition() {
    let (mut inputs, mut diagnostics) = (inputs(""), Diagnostics::default());
    for at in 0..=MOST {
        inputs.document_for(FileUse::Referenced, &path(&format!("many{at}.json")), &mut diagnostics);
    }
    assert!(inputs.bytes(&path("many-more.json"), &mut diagnostics).is_some());
    let messages: Vec<String> = diagnostics.finish().into_iter().map(|diagnostic| diagnostic.message).collect();
    let expected = "the file `many256.json` is one too many: for its calls, the OpenAPI documents of a definition can refer to at most 256 files";
    assert_eq!(messages, [expected]);
}

#[cfg(feature = "openapi")]
#[test]
fn an_optional_file_that_is_one_too_many_of_the_needed_ones_is_refused() {
    let (mut inputs, mut diagnostics, mut problems) = (inputs(""), Diagnostics::default(), Diagnostics::default());
    assert!(inputs.document_for(FileUse::Optional, &path("many.json"), &mut problems).is_some());
    for at in 0..MOST {
        assert!(inputs.bytes(&path(&format!("many{at}.json")), &mut diagnostics).is_some(), "{at}");
    }
    assert_eq!((diagnostics.errors(), problems.errors()), (0, 0));
    for _ in 0..2 {
        assert!(inputs.bytes(&path("many.json"), &mut diagnostics).is_none());
    }
    let messages: Vec<String> = diagnostics.finish().into_iter().map(|diagnostic| diagnostic.message).collect();
    assert_eq!(messages, ["the file `many.json` is one too many: a definition can name at most 256 files"]);
}

#[cfg(feature = "rpc")]
#[test]
fn files_that_would_be_taken_first_are_listed() {
    let mut inputs = inputs("");
    let found = inputs.first_existing(["none.json", "a.json", "other.json"].map(str::to_owned));
    assert_eq!(found.as_deref(), Some("a.json"));
    assert_eq!(inputs.missing().map(RelativePath::as_str).collect::<Vec<_>>(), ["none.json"]);
}

#[cfg(feature = "openapi")]
#[test]
fn files_that_would_be_read_are_listed_until_they_are_needed() {
    let (mut inputs, mut diagnostics, mut problems) = (inputs(""), Diagnostics::default(), Diagnostics::default());
    // Only a file that does not exist, and may exist, can appear.
    for name in ["none.json", "other.json", "a.json", "long.json", "../none.json", "own/../../none.json", "/none.json"]
    {
        inputs.document_for(FileUse::Optional, &path(name), &mut problems);
    }
    assert_eq!(inputs.missing().map(RelativePath::as_str).collect::<Vec<_>>(), ["none.json", "other.json"]);
    assert!(inputs.bytes(&path("none.json"), &mut diagnostics).is_none());
    assert_eq!(inputs.missing().map(RelativePath::as_str).collect::<Vec<_>>(), ["other.json"]);
}

#[test]
fn a_text_alone_has_no_files() {
    let text = r#"{"name": "t", "version": "1", "events": "e.json", "states": [{"name": "A", "start": true}]}"#;
    let output = crate::check_only(Source::new("flow.json", text), &Options::default());
    if cfg!(feature = "sm4c") {
        let diagnostic = &output.diagnostics[0];
        assert_eq!(diagnostic.message, "the file `e.json` cannot be read: the compiler has no access to files");
    }
    assert_eq!(output.inputs, []);
}

fn read_in(files: &Files, path: &str) -> Result<usize, String> {
    let path = RelativePath::new(path).map_err(|flaw| flaw.message)?;
    files.read(&path).expect("there are files").map(|bytes| bytes.len())
}

#[test]
fn folders_and_missing_files_have_different_messages() {
    let files = Files::in_folder(env!("CARGO_MANIFEST_DIR"));
    assert!(read_in(&files, "Cargo.toml").is_ok_and(|bytes| bytes > 0));
    assert_eq!(read_in(&files, "src"), Err("is not a file".to_owned()));
    assert_eq!(read_in(&files, "no/such/file"), Err("does not exist".to_owned()));
}

/// Returns the messages about these paths in a definition with these files.
fn messages(files: &Files, paths: &[&str]) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("flows/flow.json", "{}").with_files(files.clone()));
    let (mut inputs, mut diagnostics) = (Inputs::new(sources, file), Diagnostics::default());
    for name in paths {
        inputs.bytes(&path(name), &mut diagnostics);
    }
    diagnostics.finish().into_iter().map(|diagnostic| diagnostic.message).collect()
}

/// Creates a folder for one test, with `flows/` in it.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("workflow-files-{name}-{}", std::process::id()));
    let _before = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("flows/own")).expect("a folder can be made");
    folder
}

#[test]
fn a_missing_file_has_a_similar_one() {
    let folder = folder("similar");
    for name in ["fulfilment.asl.json", "refund.asl.json"] {
        std::fs::write(folder.join(name), "{}").unwrap();
    }
    std::fs::create_dir_all(folder.join("fulfilments.asl.json")).unwrap();
    let problem = |name: &str| read_named(&folder.join(name)).unwrap_err().to_string();
    let similar = problem("fullfilment.asl.json");
    assert!(
        similar.ends_with(&format!("did you mean `{}`?", folder.join("fulfilment.asl.json").display())),
        "{similar}"
    );
    assert!(!problem("shipping.sm4c.yaml").contains("did you mean"));
    assert!(!problem("none/fulfilment.asl.json").contains("did you mean"));
}

#[test]
fn files_outside_of_the_root_are_not_read() {
    let around = folder("outside");
    for file in ["secret", "flows/a.json", "flows/own/b.json"] {
        std::fs::write(around.join(file), "secret").expect("a file can be written");
    }
    let outside = |path: &str| format!("the file `{path}` {OUTSIDE}");
    let files = Files::in_folder(around.join("flows"));
    assert_eq!(messages(&files, &["a.json", "own/b.json", "own/../a.json"]), Vec::<String>::new());
    let paths = ["../secret", "own/../../secret", "../flows/a.json", "../../no/such/file"];
    assert_eq!(
        messages(&files, &paths),
        [outside("../secret"), outside("../flows/a.json"), outside("../../no/such/file")],
        "files outside are not disclosed"
    );
    let files = Files::below(&around, around.join("flows")).expect("it is around");
    assert_eq!(messages(&files, &paths), [outside("../../no/such/file")]);
    let refused = Files::below(around.join("flows/own"), around.join("flows")).map_err(|refused| refused.to_string());
    assert!(refused.is_err_and(|message| message.ends_with("own` does not contain the folder of the definition")));
    assert!(Files::below(around.join("none"), around.join("flows")).is_err());
    let _after = std::fs::remove_dir_all(around);
}

#[cfg(unix)]
#[test]
fn symbolic_links_are_followed_inside_of_the_root() {
    use std::os::unix::fs::symlink;
    let around = folder("links");
    let write = |file: &str| std::fs::write(around.join(file), "secret").expect("a file can be written");
    ["secret", "flows/a.json"].into_iter().for_each(write);
    for (target, link) in [
        ("../secret", "flows/out.json"),
        ("..", "flows/up"),
        ("a.json", "flows/in.json"),
        ("out.json", "flows/twice.json"),
        ("missing", "flows/dangling.json"),
        ("flows", "linked"),
    ] {
        symlink(target, around.join(link)).expect("a link can be made");
    }
    let messages_of =
        |files: &Files| messages(files, &["in.json", "out.json", "up/secret", "twice.json", "dangling.json"]);
    let leads = |path: &str| format!("the file `{path}` {LEADS_OUTSIDE}");
    let dangling = "the file `dangling.json` does not exist".to_owned();
    for folder in ["flows", "linked"] {
        let found = messages_of(&Files::in_folder(around.join(folder)));
        assert_eq!(found, [leads("out.json"), leads("up/secret"), leads("twice.json"), dangling.clone()]);
        let wide = Files::below(&around, around.join(folder)).expect("it is around");
        assert_eq!(messages_of(&wide), std::slice::from_ref(&dangling));
    }
    let _after = std::fs::remove_dir_all(around);
}

#[test]
fn names_with_line_breaks_are_refused_before_anything_is_read() {
    let files = Files::new(|_| Ok(b"{}".to_vec()));
    let found = messages(&files, &["api\ncargo::rustc-env=A=b\n.json"]);
    assert_eq!(found.len(), 1);
    assert!(found[0].ends_with("contains the invalid character U+000A"), "{found:?}");
}
