//! The reference pages in `docs/reference` show the help texts of all commands. `cargo xtask
//! generate` writes the texts into the blocks of the pages.

use std::path::Path;
use std::process::Command;

/// The beginning of the comment before a block with a help text.
const ORIGIN: &str = "<!-- output of: cargo workflow ";

#[test]
fn pages_show_the_help_texts() {
    for name in ["cli.md", "workflow-toml.md", "case-toml.md"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference").join(name);
        let page = std::fs::read_to_string(&file).expect("a page");
        let expected = with_help_texts(&page);
        assert!(page == expected, "docs/reference/{name} is not up to date: run `cargo xtask generate`");
    }
}

#[test]
fn every_command_and_topic_is_on_a_page() {
    let overview = output("help");
    let mut commands: Vec<&str> = overview.split("  cargo workflow ").skip(1).filter_map(first_word).collect();
    commands.extend(overview.split("`help ").skip(1).filter_map(first_word));
    assert!(commands.contains(&"check") && commands.contains(&"toml"), "{commands:?}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/reference");
    let pages: String = ["cli.md", "workflow-toml.md", "case-toml.md"]
        .map(|name| std::fs::read_to_string(folder.join(name)).expect("a page"))
        .concat();
    for command in commands {
        assert!(pages.contains(&format!("\n{ORIGIN}help {command} -->\n")), "no page shows `help {command}`");
    }
}

/// Returns the page with the current help texts in its blocks.
fn with_help_texts(page: &str) -> String {
    let mut made = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        made.push_str(&format!("{line}\n"));
        let arguments = line.strip_prefix(ORIGIN).and_then(|rest| rest.strip_suffix(" -->"));
        let Some(arguments) = arguments.filter(|arguments| arguments.starts_with("help")) else { continue };
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with("```"), "no block follows {line}");
        let _old = lines.by_ref().find(|line| *line == "```");
        made.push_str(&format!("{fence}\n{}```\n", output(arguments)));
    }
    made
}

fn output(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-workflow")).args(arguments.split(' ')).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "`cargo workflow {arguments}` fails");
    String::from_utf8(output.stdout).expect("text")
}

fn first_word(text: &str) -> Option<&str> {
    text.split(|c: char| !c.is_ascii_alphanumeric()).next().filter(|word| !word.is_empty() && *word != "help")
}
