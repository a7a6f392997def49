//! Checks of the pages that build nothing.

use super::blocks::{Origin, blocks};
use super::{TESTS, blocks_of, findings, pages, program};
use crate::tidy::anchors;
use crate::workspace::{files, read, root};
use std::collections::BTreeMap;

#[test]
fn code_is_that_of_the_files_and_errors_are_what_the_compiler_says() {
    let problems: Vec<String> = pages().iter().flat_map(|page| problems_of(page)).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Returns the blocks of a page that are not what their origins say.
fn problems_of(page: &str) -> Vec<String> {
    let blocks = match blocks_of(page) {
        Ok(blocks) => blocks,
        Err(problem) => return vec![problem],
    };
    let mut problems = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let place = format!("{page}:{}", block.line);
        match &block.origin {
            Origin::File(name) => {
                let file = read(&root().join(name)).unwrap_or_default();
                if !file.contains(&block.text) {
                    problems.push(format!("{place}: this is not in {name}"));
                }
            }
            Origin::Definition(name) => {
                let shown = findings(name, &block.text);
                let expected = blocks.get(at + 1).filter(|next| next.origin == Origin::Findings);
                let expected = expected.map_or("", |next| next.text.trim_end());
                if shown != expected {
                    problems.push(format!("{place}: the compiler says\n{shown}"));
                }
            }
            Origin::Run => {
                let members = read(&root().join("Cargo.toml")).unwrap_or_default();
                let packages = block.text.lines().filter_map(|line| line.strip_prefix(TESTS));
                for package in packages.filter(|package| !members.contains(&format!("examples/{package}\""))) {
                    problems.push(format!("{place}: the workspace has no example `{package}`"));
                }
            }
            _ => {}
        }
    }
    problems
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = read(&root().join("docs/SUMMARY.md")).expect("a summary");
    for file in files(&root().join("docs")).iter().filter(|file| file.extension().is_some_and(|end| end == "md")) {
        let name = file.strip_prefix(root().join("docs")).expect("a page").to_string_lossy().replace('\\', "/");
        let listed = summary.matches(&format!("]({name})")).count();
        assert_eq!(listed, usize::from(name != "SUMMARY.md"), "{name}");
    }
}

#[test]
fn every_example_has_a_page_with_commands() {
    let pages = pages();
    for folder in std::fs::read_dir(root().join("examples")).expect("the examples").map_while(Result::ok) {
        let page = format!("examples/{}/README.md", folder.file_name().to_string_lossy());
        assert!(pages.contains(&page), "{page}");
        let blocks = blocks_of(&page).expect("blocks");
        assert!(blocks.iter().any(|block| block.origin == Origin::Run), "{page} has no commands that are run");
    }
}

#[test]
fn links_lead_to_files_and_sections() {
    let pages = ["README.md", "ARCHITECTURE.md", "SECURITY.md"].map(|page| root().join(page));
    let pages = pages.into_iter().chain(files(&root().join("docs"))).chain(files(&root().join("examples")));
    let mut anchors_of = BTreeMap::new();
    for file in pages.filter(|file| file.extension().is_some_and(|extension| extension == "md")) {
        let page = file.display();
        let text = read(&file).expect("a page");
        let folder = file.parent().expect("a folder");
        // Code holds examples of links.
        let prose: String = text.split('`').step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            // No machine that builds this needs the network.
            if link.starts_with("https://") {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { file.clone() } else { folder.join(path) };
            assert!(target.exists(), "{page}: no file at {link}");
            if !anchor.is_empty() {
                let sections =
                    anchors_of.entry(target.clone()).or_insert_with(|| anchors(&read(&target).expect("a page")));
                assert!(sections.contains(anchor), "{page}: no section at {link}");
            }
        }
    }
}

#[test]
fn a_block_that_does_not_say_where_it_comes_from_is_named() {
    let page = "# Title\n\n```sh\nls\n```\n";
    assert_eq!(blocks(page).err().as_deref(), Some("line 3: the block has no comment with its origin"));
    let page = "<!-- output of: ls -->\n```text\nsrc\n```\n";
    let found = blocks(page).expect("a block");
    assert_eq!((found[0].text.as_str(), &found[0].origin), ("src\n", &Origin::Output("ls".to_owned())));
}

#[test]
fn the_alias_runs_the_package_whose_program_stands_for_it() {
    let aliases = read(&root().join(".cargo/config.toml")).expect("the file of aliases");
    assert!(aliases.contains("\nworkflow = \"run -q -p cargo-workflow --\"\n"), "{aliases}");
}

#[test]
fn programs_of_examples_are_those_of_the_workspace() {
    assert_eq!(program("cargo workflow check a.json"), Some(("cargo-workflow", "check a.json")));
    assert_eq!(program("cargo run -p booking"), Some(("booking", "")));
    assert_eq!(
        program("cargo run -p meters --bin meters-durable -- run --id a"),
        Some(("meters-durable", "run --id a"))
    );
    for line in [
        "cargo run -p order",
        "cargo run -p order --example traced",
        "cargo run -p approval --features restate -- help",
    ] {
        assert_eq!(program(line), None);
    }
}
