//! The reference pages list every name that they have to: features of published packages,
//! variables of the environment, arguments of the macro, methods of build scripts, and keys of
//! `workflow.toml` and `case.toml`. A name is listed if it stands in backticks in a heading or in
//! a row of a table.

use std::collections::BTreeSet;

use super::File;
use super::packages::section;
use super::source::code;

const FEATURES: &str = "docs/reference/features.md";
const ENVIRONMENT: &str = "docs/reference/environment.md";

/// The pages that list all names in one file of the code: the page, the file, and the function
/// that returns the names.
const PAGES: [(&str, &str, Names); 5] = [
    ("docs/reference/macro.md", "workflow-macros/src/arguments.rs", arguments),
    ("docs/reference/build-script.md", "workflow-compiler/src/build.rs", methods),
    ("docs/reference/workflow-toml.md", "cargo-workflow/src/config.rs", fields),
    ("docs/reference/workflow-toml.md", "cargo-workflow/src/task_table.rs", constants),
    ("docs/reference/case-toml.md", "workflow-runner/src/cases/read.rs", slices),
];

type Names = fn(&File) -> BTreeSet<&str>;

/// Returns the names that a page does not list, and the features on the page that do not exist.
pub fn check(files: &[File]) -> Vec<String> {
    let find = |name: &str| files.iter().find(|file| file.name == name);
    let mut broken = Vec::new();
    for (page, source, names) in PAGES {
        let (source, page) = match (find(source), find(page)) {
            (Some(source), Some(page)) => (source, page),
            (None, Some(_)) => {
                broken.push(format!("{page}: lists the names in {source}, which does not exist"));
                continue;
            }
            (Some(_), None) => {
                broken.push(format!("{source}: has names that {page} lists, which does not exist"));
                continue;
            }
            (None, None) => continue,
        };
        let names = names(source);
        if names.is_empty() {
            broken.push(format!("{}: has none of the names that {} lists", source.name, page.name));
        }
        broken.extend(names.into_iter().filter(|name| !lists(page, name)).map(|name| missing(page, name, source)));
    }
    let manifests = || files.iter().filter(|file| is_published(file));
    if let Some(page) = find(FEATURES) {
        broken.extend(manifests().flat_map(|manifest| check_features(page, manifest)));
    }
    if let Some(page) = find(ENVIRONMENT) {
        let sources: Vec<String> = manifests().map(|file| file.name.replace("Cargo.toml", "src/")).collect();
        let is_shipped = |file: &&File| sources.iter().any(|folder| file.name.starts_with(folder));
        for source in files.iter().filter(|file| file.is_source() && !file.is_test()).filter(is_shipped) {
            let names = variables(source).into_iter().filter(|name| !lists(page, name));
            broken.extend(names.map(|name| missing(page, name, source)));
        }
    }
    broken
}

fn missing(page: &File, name: &str, source: &File) -> String {
    format!("{}: does not list `{name}` of {}", page.name, source.name)
}

/// Returns `true` if a heading or a row of the page has the name: `` `name` ``, `` `name: …` ``,
/// `` `name(…)` ``, or `` `NAME_…` `` for a name that ends with `_`.
fn lists(page: &File, name: &str) -> bool {
    let begins = format!("`{name}");
    page.text.lines().filter(|line| line.starts_with(['|', '#'])).any(|line| {
        let mut rests = line.match_indices(&begins).map(|(at, _)| &line[at + begins.len()..]);
        rests.any(|rest| name.ends_with('_') || rest.starts_with(['`', ':', '(']))
    })
}

fn is_published(file: &File) -> bool {
    let is_manifest = file.name.ends_with("/Cargo.toml") && section(file, "[package]").next().is_some();
    is_manifest && !section(file, "[package]").any(|(_, line)| line == "publish = false")
}

/// Compares the features of a package with the table in the section of the page that is named
/// after the package.
fn check_features(page: &File, manifest: &File) -> Vec<String> {
    let name = section(manifest, "[package]").find_map(|(_, line)| line.strip_prefix("name = "));
    let name = name.unwrap_or_default().trim_matches('"');
    let heading = format!("## {name}");
    let mut lines = page.text.lines().skip_while(|line| *line != heading);
    if lines.next().is_none() {
        return vec![format!("{}: has no section `{heading}`", page.name)];
    }
    let rows = lines.take_while(|line| !line.starts_with("## ")).filter_map(|line| line.strip_prefix("| `"));
    let listed: BTreeSet<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let features = section(manifest, "[features]").filter_map(|(_, line)| line.split_once(" = "));
    // Features that begin with an underscore are internal.
    let features: BTreeSet<&str> =
        features.map(|(feature, _)| feature).filter(|feature| !feature.starts_with('_')).collect();
    let new = features.difference(&listed).map(|feature| missing(page, feature, manifest));
    let stale = listed.difference(&features);
    new.chain(stale.map(|feature| format!("{}: lists `{feature}`, which `{name}` does not have", page.name))).collect()
}

/// Returns the variables in `env::var("…")`, and all that begin with `WORKFLOW_`.
fn variables(file: &File) -> BTreeSet<&str> {
    let is_read = |line: &str, name: &str| {
        ["env::var(", "env::var_os(", "variable("].iter().any(|call| line.contains(&format!("{call}\"{name}\"")))
    };
    let is_name = |text: &str| text.len() > 1 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let names = code(file).flat_map(|(_, line)| quoted(line).map(move |text| (line, text)));
    names
        .filter(|(line, text)| is_name(text) && (text.starts_with("WORKFLOW_") || is_read(line, text)))
        .map(|(_, text)| text)
        .collect()
}

/// Returns the arguments in the list of the macro's error for an unknown one.
fn arguments(file: &File) -> BTreeSet<&str> {
    let list = between(&file.text, "const ARGUMENTS: &str = \"", "\";").next().unwrap_or_default();
    list.split('`').skip(1).step_by(2).collect()
}

fn methods(file: &File) -> BTreeSet<&str> {
    code(file).filter_map(|(_, line)| line.strip_prefix("    pub fn ")?.split('(').next()).collect()
}

/// Returns the fields of the type that `workflow.toml` is read as.
fn fields(file: &File) -> BTreeSet<&str> {
    let body = between(&file.text, "struct Written {", "}").next().unwrap_or_default();
    body.lines().filter_map(|line| Some(line.split_once(": ")?.0.trim())).collect()
}

/// Returns the strings in the constants of a file.
fn constants(file: &File) -> BTreeSet<&str> {
    between(&file.text, "\nconst ", "];").flat_map(quoted).collect()
}

/// Returns the strings in the slices of a file: `&["a", "b"]`.
fn slices(file: &File) -> BTreeSet<&str> {
    between(&file.text, "&[", "]").flat_map(quoted).collect()
}

fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

/// Returns the strings of a line that contain no quotes.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('"').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &str) -> File {
        File { name: name.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn names_that_a_page_does_not_list_are_found() {
        let source =
            file("workflow-macros/src/arguments.rs", "const ARGUMENTS: &str = \"`name`, `tasks`, `root`, `input`\";\n");
        let page = file("docs/reference/macro.md", "## `name`\n`tasks` binds.\n| `root: \"…\"` | | `inputs` |\n");
        let source_name = source.name.clone();
        assert_eq!(
            check(&[source, page]),
            ["input", "tasks"].map(|name| format!("docs/reference/macro.md: does not list `{name}` of {source_name}"))
        );
    }

    #[test]
    fn a_page_or_a_source_that_does_not_exist_is_found() {
        let [(page, source, _), ..] = PAGES;
        assert_eq!(check(&[file(page, "")]), [format!("{page}: lists the names in {source}, which does not exist")]);
        assert_eq!(
            check(&[file(source, "")]),
            [format!("{source}: has names that {page} lists, which does not exist")]
        );
    }

    #[test]
    fn keys_and_methods_are_read_from_the_code() {
        let read =
            file("a.rs", "const A: &[&str] = &[\n    \"x\",\n    \"y\",\n];\nlet known = &[\"z\"];\n[\"no\"];\n");
        assert_eq!(slices(&read), BTreeSet::from(["x", "y", "z"]));
        let table = file("a.rs", "\nconst A: [&str; 1] = [\"x\"];\nconst B: [(&str, &str); 1] = [(\"y\", \"x\")];\n");
        assert_eq!(constants(&table), BTreeSet::from(["x", "y"]));
        let config = file("a.rs", "struct Written {\n    name: Option<String>,\n    allow: Vec<String>,\n}\n");
        assert_eq!(fields(&config), BTreeSet::from(["allow", "name"]));
        let build = file("a.rs", "    pub fn task(mut self) {\n    fn read() {\n");
        assert_eq!(methods(&build), BTreeSet::from(["task"]));
    }

    #[test]
    fn features_and_variables_of_published_packages_are_listed() {
        let manifest = "[package]\nname = \"p\"\n\n[features]\n# Why.\nnew = []\n_internal = []\nlong = [\n    \"new\",\n]\n\n[dependencies]\na = \"1\"\n";
        let code = "//! `WORKFLOW_NO`\nconst P: &str = \"WORKFLOW_A_\";\nlet a = std::env::var(\"HOME\");\nlet b = f(\"OTHER\");\n";
        let hidden = manifest.replace("name = ", "publish = false\nname = ");
        let files = [
            file("p/Cargo.toml", manifest),
            file("p/src/a.rs", code),
            file("q/Cargo.toml", &hidden),
            file("q/src/a.rs", code),
            file(FEATURES, "## p\n\n| `long` | |\n| `old` | |\n"),
            file(ENVIRONMENT, "| `WORKFLOW_A_…_URL` | |\n"),
        ];
        assert_eq!(
            check(&files),
            [
                format!("{FEATURES}: does not list `new` of p/Cargo.toml"),
                format!("{FEATURES}: lists `old`, which `p` does not have"),
                format!("{ENVIRONMENT}: does not list `HOME` of p/src/a.rs"),
            ]
        );
    }
}
