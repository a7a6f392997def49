//! Tests of definitions and configurations that are not to be trusted.

use super::GOOD;
use super::common::Folder;

#[test]
fn foreign_text_does_not_control_the_terminal() {
    // A name with an escape sequence, U+009B, a line separator, and a line that looks like
    // another.
    let name = "A\\u001b[2J\u{9b}\\u2028\\nold.asl.json:1: `B`: safe";
    let definition = |task: &str| {
        format!(
            "{{ \"StartAt\": \"{name}\", \"States\": {{
                \"{name}\": {{ \"Type\": \"Task\", \"Resource\": \"{task}\", \"Next\": \"W\" }},
                \"W\": {{ \"Type\": \"Wait\", \"Seconds\": 1, \"End\": true }} }} }}"
        )
    };
    let crooked = definition("one").replace("\"Seconds\": 1,", "\"Comment\": \"\u{9b}2J\", \"Seconds\" = 1,");
    let folder =
        Folder::new("control").with("old.asl.json", &definition("one")).with("new.asl.json", &definition("two"));
    let folder = folder.with("crooked.asl.json", &crooked);
    for arguments in [&["diff", "old.asl.json", "new.asl.json"][..], &["fix", "--dry-run", "crooked.asl.json"]] {
        let done = folder.run(arguments);
        assert!(done.out.lines().count() > 1, "{} {}", done.out, done.err);
        let is_control = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{2028}');
        for text in [&done.out, &done.err] {
            assert!(!text.contains(is_control) && !text.contains("\nold.asl.json:1: `B`"), "{text:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_configuration_outside_of_the_folder_is_not_read() {
    let folder = Folder::new("linked").with("secret.toml", "password 123\n").with("flows/flow.asl.json", GOOD);
    let link = folder.0.join("flows/workflow.toml");
    std::os::unix::fs::symlink("../secret.toml", &link).expect("a link");
    let done = folder.run(["check", "flows/flow.asl.json"]);
    assert_eq!(done.status, 2, "{}", done.err);
    let expected = "`flows/workflow.toml` is a symbolic link that leads out of its folder";
    assert!(done.err.contains(expected) && !done.err.contains("123"), "{}", done.err);
    let folder = folder.with("flows/own.toml", "express = false\n");
    std::fs::remove_file(&link).expect("removed");
    std::os::unix::fs::symlink("own.toml", link).expect("a link");
    assert_eq!(folder.run(["check", "flows/flow.asl.json"]).status, 0);
    let folder = folder.with("flows/own.toml", &format!("# {}\n", "x".repeat(1 << 20)));
    let done = folder.run(["check", "flows/flow.asl.json"]);
    assert!(done.status == 2 && done.err.contains("is longer than 1048576 bytes"), "{}", done.err);
}
