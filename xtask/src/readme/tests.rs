//! Checks of README that build nothing.

use super::blocks::{Origin, blocks};
use crate::workspace::{files, read, root};
use workflow_compiler::diagnostics::{Diagnostic, render::render};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, check_only};

#[test]
fn code_is_that_of_the_files_and_errors_are_what_the_compiler_says() {
    let text = read(&root().join("README.md")).expect("README");
    let mut definition = None;
    for block in blocks(&text).expect("blocks that say where they come from") {
        let place = format!("README.md:{}", block.line);
        match &block.origin {
            Origin::File(name) => {
                let file = read(&root().join(name)).expect("the file that README names");
                assert!(file.contains(&block.text), "{place}: this is not what {name} says");
            }
            Origin::Definition(name) => definition = Some(Source::new(name.clone(), block.text.clone())),
            Origin::Findings => {
                let source = definition.take().expect("a definition before what check says of it");
                let output = check_only(source, &Options::default());
                let shown = |found: &Diagnostic| render(found, &output.sources, false).trim_end().to_owned();
                let shown: Vec<String> = output.diagnostics.iter().map(shown).collect();
                assert_eq!(block.text.trim_end(), shown.join("\n\n"), "{place}");
            }
            Origin::Run | Origin::NotRun | Origin::Output(_) | Origin::Manifest(_) => {}
        }
    }
}

#[test]
fn links_lead_to_files() {
    let pages = ["README.md", "ARCHITECTURE.md", "SECURITY.md"].map(|page| root().join(page));
    let pages = pages.into_iter().chain(files(&root().join("docs")));
    for file in pages.filter(|file| file.extension().is_some_and(|extension| extension == "md")) {
        let page = file.display();
        let text = read(&file).expect("a page");
        let folder = file.parent().expect("a folder");
        // Code holds examples of links.
        let prose: String = text.split('`').step_by(2).collect();
        for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let (path, _anchor) = link.split_once('#').unwrap_or((link, ""));
            // No machine that builds this needs the network.
            let is_elsewhere = path.starts_with("https://");
            assert!(is_elsewhere || path.is_empty() || folder.join(path).exists(), "{page}: nothing at {link}");
        }
    }
}

#[test]
fn a_block_that_does_not_say_where_it_comes_from_is_named() {
    let page = "# Title\n\n```sh\nls\n```\n";
    assert_eq!(blocks(page).err().as_deref(), Some("line 3: nothing says where this code comes from"));
    let page = "<!-- output of: ls -->\n```text\nsrc\n```\n";
    let found = blocks(page).expect("a block");
    assert_eq!((found[0].text.as_str(), &found[0].origin), ("src\n", &Origin::Output("ls".to_owned())));
}
