//! Pages name the version of the Restate server that the tests run, and the version of the shared
//! core that the engine uses. Names of services on pages end with a placeholder, because the hash
//! of a definition changes.

use super::File;

/// The file with the version that the tests run.
const SERVER: &str = "engines/restate/testing/src/lib.rs";
/// The names of the server on pages, each with the character before its version: the package of
/// npm, and the image.
const SERVERS: [(&str, char); 2] = [("@restatedev/restate-server", '@'), ("restatedev/restate:", ':')];
/// The manifest with the version of the shared core.
const ENGINE: &str = "engines/restate/Cargo.toml";
const CORE: &str = "restate-sdk-shared-core";
/// The placeholder for the hash of a definition in the name of a service.
const HASH: &str = "1a2b3c4d";
/// The page that has to name both versions.
const PAGE: &str = "docs/how-to/deploy-on-restate.md";

/// Returns the places that name another version, or none.
pub fn check(files: &[File]) -> Vec<String> {
    let find = |name: &str| files.iter().find(|file| file.name == name);
    let (Some(server), Some(engine), Some(page)) = (find(SERVER), find(ENGINE), find(PAGE)) else {
        return Vec::new();
    };
    let tested = between(&server.text, "const PACKAGE: &str = \"@restatedev/restate-server@", "\"");
    let used = between(&engine.text, &format!("{CORE} = {{ version = \"="), "\"");
    let (Some(tested), Some(used)) = (tested, used) else {
        return vec![format!("{SERVER}, {ENGINE}: the version of Restate's server or shared core is not exact")];
    };
    let pages = files.iter().filter(|file| file.name.ends_with(".md"));
    let mut broken: Vec<String> =
        pages.flat_map(|page| other_versions(page, tested).into_iter().chain(hashes(page))).collect();
    if !page.text.contains(&format!("`{CORE}` {used}")) {
        broken.push(format!("{PAGE}: does not name `{CORE}` {used}, the version in {ENGINE}"));
    }
    if !page.text.contains(&format!("@restatedev/restate-server@{tested}")) {
        broken.push(format!("{PAGE}: does not name the server {tested}, the version in {SERVER}"));
    }
    broken
}

/// Returns the places of a page that name the server with another version than the tested one, or
/// without a version.
fn other_versions(page: &File, tested: &str) -> Vec<String> {
    let mut broken = Vec::new();
    for (at, line) in page.text.lines().enumerate() {
        for (name, before) in SERVERS {
            let name = name.trim_end_matches(before);
            for (begin, _) in line.match_indices(name) {
                let rest = &line[begin + name.len()..];
                // The image's name is also the beginning of the package's.
                if rest.starts_with('-') {
                    continue;
                }
                let version = rest.strip_prefix(before).unwrap_or_default();
                let end = version.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(version.len());
                if version[..end].trim_end_matches('.') != tested {
                    broken.push(format!("{}:{}: needs `{name}{before}{tested}`", page.name, at + 1));
                }
            }
        }
    }
    broken
}

/// Returns the places of a page that have the hash of a definition in the name of a service:
/// `orders-` and eight hexadecimal digits, not all of them decimal, as in a date.
fn hashes(page: &File) -> Vec<String> {
    let is_hash = |word: &str| {
        let hash = word.rsplit_once('-').map_or("", |(_, hash)| hash);
        let is_hexadecimal = hash.len() == 8 && hash.chars().all(|c| c.is_ascii_digit() || ('a'..='f').contains(&c));
        is_hexadecimal && hash != HASH && hash.contains(|c: char| c.is_ascii_alphabetic())
    };
    let mut broken = Vec::new();
    for (at, line) in page.text.lines().enumerate() {
        for word in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| is_hash(word)) {
            broken.push(format!("{}:{}: `{word}` has the hash of a definition: write `{HASH}`", page.name, at + 1));
        }
    }
    broken
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> Option<&'a str> {
    Some(text.split_once(start)?.1.split_once(end)?.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(line: &str) -> Vec<String> {
        let page = format!("`{CORE}` 8.2.0, `npm install @restatedev/restate-server@1.7.12`\n{line}\n");
        let files = [
            (SERVER, "const PACKAGE: &str = \"@restatedev/restate-server@1.7.12\";\n"),
            (ENGINE, "restate-sdk-shared-core = { version = \"=8.2.0\", default-features = false }\n"),
            (PAGE, &*page),
        ];
        check(&files.map(|(name, text)| File { name: name.to_owned(), text: text.to_owned() }))
    }

    #[test]
    fn another_version_of_the_server_is_found() {
        for line in [
            "npm install @restatedev/restate-server",
            "npm install @restatedev/restate-server@1.7.1",
            "image: docker.restate.dev/restatedev/restate:latest",
            "image: docker.restate.dev/restatedev/restate:1.7.13",
        ] {
            assert_eq!(problems(line).len(), 1, "{line}");
        }
        for line in ["@restatedev/restate-server@1.7.12.", "docker.restate.dev/restatedev/restate:1.7.12", "restate"] {
            assert_eq!(problems(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn the_hash_of_a_definition_is_found() {
        assert_eq!(problems("curl localhost:8080/orders-48fd6591/order-7/status").len(), 1);
        for line in ["`orders-1a2b3c4d.events`", "2026-01-31T12:30:00", "a-20260131", "self-feedback", "9dda141f-70a0"]
        {
            assert_eq!(problems(line), [""; 0], "{line}");
        }
    }

    #[test]
    fn the_page_names_both_versions() {
        let file = |name: &str, text: &str| File { name: name.to_owned(), text: text.to_owned() };
        let server = file(SERVER, "const PACKAGE: &str = \"@restatedev/restate-server@1.7.12\";\n");
        let engine = file(ENGINE, "restate-sdk-shared-core = { version = \"=8.2.0\" }\n");
        assert_eq!(check(&[server, engine, file(PAGE, "nothing\n")]).len(), 2);
    }
}
