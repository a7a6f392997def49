//! Citations lead to their target. A comment cites a ruling as
//! `[A9](docs/amazon-states-language.md#a9)`, and the page has the section. A section of a
//! specification is cited with the name of the document.

use super::File;
use super::comments::comments;
use std::collections::BTreeSet;

/// The pages with rulings, each with the letter that its rulings begin with.
const PAGES: &[(char, &str)] = &[
    ('A', "docs/amazon-states-language.md"),
    ('Q', "docs/composer.md"),
    ('R', "docs/serverless-workflow.md"),
    ('S', "docs/sm4c.md"),
    ('W', "docs/workflow-dsl.md"),
];

/// Returns the citations that lead nowhere.
pub fn check(files: &[File]) -> Vec<String> {
    let mut broken = Vec::new();
    for file in files.iter().filter(|file| file.is_source()) {
        for comment in comments(file) {
            let problems = check_text(comment.text, files);
            broken.extend(problems.into_iter().map(|problem| format!("{}:{}: {problem}", file.name, comment.line)));
        }
    }
    broken
}

fn check_text(text: &str, files: &[File]) -> Vec<String> {
    let mut broken = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, from)) = rest.split_once("](docs/") {
        let (target, after) = from.split_once(')').unwrap_or((from, ""));
        let label = before.rsplit_once('[').map_or("", |(_, label)| label);
        plain.push_str(before.rsplit_once('[').map_or(before, |(words, _)| words));
        broken.extend(check_link(label, &format!("docs/{target}"), files));
        rest = after;
    }
    plain.push_str(rest);
    let lower = plain.to_lowercase();
    if ["ruling ", "rulings "].iter().any(|word| lower.contains(word)) && words(&plain).any(|word| page(word).is_some())
    {
        broken.push("cites a ruling without a link: `[A9](docs/amazon-states-language.md#a9)`".to_owned());
    }
    let section = lower.find("section ").map(|at| &lower[at + "section ".len()..]);
    let is_numbered = section.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if is_numbered && lower.contains("of the specification") {
        broken.push("cites a section of \"the specification\": name the document and its edition".to_owned());
    }
    broken
}

/// Checks that the page has the section, and that the page of a ruling is that of its dialect.
fn check_link(label: &str, target: &str, files: &[File]) -> Option<String> {
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let Some(file) = files.iter().find(|file| file.name == path) else {
        return Some(format!("cites `{path}`, which does not exist"));
    };
    if let Some(expected) = page(label).filter(|expected| *expected != path) {
        return Some(format!("cites {label} on `{path}` instead of `{expected}`"));
    }
    if page(label).is_some() && anchor != label.to_lowercase() {
        return Some(format!("cites {label} by `#{anchor}` instead of `#{}`", label.to_lowercase()));
    }
    let is_there = anchor.is_empty() || anchors(&file.text).contains(anchor);
    (!is_there).then(|| format!("cites `{target}`: the page has no such section"))
}

/// Returns the page of a ruling. `None` if the word is not the identifier of a ruling.
fn page(word: &str) -> Option<&'static str> {
    let mut chars = word.chars();
    let letter = chars.next()?;
    let number = chars.as_str();
    let is_number = !number.is_empty() && number.len() < 3 && number.bytes().all(|byte| byte.is_ascii_digit());
    PAGES.iter().find(|(known, _)| *known == letter && is_number).map(|(_, page)| *page)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
}

/// Returns the anchors of the headings of a page. The second of two equal headings has `-1` at its
/// end, as in GitHub and mdBook.
pub fn anchors(page: &str) -> BTreeSet<String> {
    let (mut found, mut is_code) = (BTreeSet::new(), false);
    for line in page.lines() {
        is_code ^= line.starts_with("```");
        if is_code || !line.starts_with('#') {
            continue;
        }
        let anchor = slug(line.trim_start_matches('#').trim());
        let mut numbered = std::iter::once(anchor.clone()).chain((1..).map(|n| format!("{anchor}-{n}")));
        found.extend(numbered.find(|anchor| !found.contains(anchor)));
    }
    found
}

/// Returns the anchor of a heading.
fn slug(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_headings_have_different_anchors() {
        let found = anchors("# A `b`\n## The same\n```sh\n# a comment\n```\n## The same\n");
        assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), ["a-b", "the-same", "the-same-1"]);
    }

    #[test]
    fn citations_lead_to_sections() {
        let page = File { name: PAGES[0].1.to_owned(), text: "# A\n### A9\nIt holds.\n## Data flow\n".to_owned() };
        let broken = |text: &str| {
            let source = File { name: "a/src/b.rs".to_owned(), text: format!("// {text}\n") };
            let page = File { name: page.name.clone(), text: page.text.clone() };
            check(&[source, page]).len()
        };
        assert_eq!(broken("Refused: [A9](docs/amazon-states-language.md#a9)."), 0);
        assert_eq!(broken("[the flow](docs/amazon-states-language.md#data-flow)"), 0);
        assert_eq!(broken("[A10](docs/amazon-states-language.md#a10)"), 1);
        assert_eq!(broken("[S9](docs/amazon-states-language.md#a9)"), 1);
        assert_eq!(broken("[A8](docs/amazon-states-language.md#a9)"), 1);
        assert_eq!(broken("[A9](docs/amazon-states-language.md)"), 1);
        assert_eq!(broken("[A9](docs/nowhere.md#a9)"), 1);
        assert_eq!(broken("By ruling A9."), 1);
        assert_eq!(broken("Objects in S3 buckets."), 0);
        assert_eq!(broken("By section 2.3 of the specification."), 1);
        assert_eq!(broken("By section 2.3 of RFC 9535."), 0);
    }
}
