//! Validated relative paths of files that a definition names.

use crate::escape::{is_disruptive, shown};
use std::fmt;

/// The path of a file, relative to the folder of a definition. Its segments are separated by `/`
/// and are neither empty nor `.`. `..` occurs at the start only. It contains no control
/// characters, line separators or bidirectional marks, so it can be printed on a line of its own.
///
/// ```
/// use workflow_compiler::RelativePath;
///
/// assert_eq!(RelativePath::new("common/./events.json").unwrap().as_str(), "common/events.json");
/// let refused = RelativePath::new("https://example.com/events.json").unwrap_err();
/// assert!(refused.message.contains("is a URL"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelativePath(String);

/// The error for a text that is not the relative path of a file.
///
/// See the example of [`RelativePath`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAPath {
    /// The message, which names the text.
    pub message: String,
    /// The help.
    pub help: &'static str,
}

impl RelativePath {
    /// Parses a URI reference. Accepts `file://` before a relative name, which people write for a
    /// file beside the definition.
    pub fn new(uri: &str) -> Result<RelativePath, NotAPath> {
        const RELATIVE: &str = "write a path relative to the definition, like `common/events.json`";
        let refuse = |message: &str, help| Err(NotAPath { message: format!("`{}` {message}", shown(uri)), help });
        let scheme = uri.split_once(':').map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
        let path = match &scheme {
            Some((scheme, rest)) if scheme == "file" => rest.strip_prefix("//").unwrap_or(rest),
            Some((scheme, _)) if scheme == "http" || scheme == "https" => {
                let help = "copy the file to the folder of the definition, and write the path of the copy";
                return refuse("is a URL: the compiler does not read from the network", help);
            }
            Some((scheme, rest)) if is_scheme(scheme) && (scheme.len() > 1 || rest.starts_with(['/', '\\'])) => {
                return refuse("is not the path of a file", RELATIVE);
            }
            _ => uri,
        };
        if let Some(found) = path.chars().find(|c| is_disruptive(*c)) {
            let message = format!("contains the invalid character U+{:04X}", u32::from(found));
            return refuse(&message, "rename the file");
        }
        if path.starts_with('/') || path.contains('\\') {
            return refuse("is not a path relative to the definition", RELATIVE);
        }
        let mut parts: Vec<&str> = Vec::new();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if parts.last().is_some_and(|last| *last != "..") => _ = parts.pop(),
                part => parts.push(part),
            }
        }
        let is_folder = path.ends_with('/') || path.ends_with("/.") || path.ends_with("..");
        if is_folder || parts.last().is_none_or(|last| last.trim().is_empty()) {
            return refuse("is not the path of a file", RELATIVE);
        }
        Ok(RelativePath(parts.join("/")))
    }

    /// Returns the path with `/` between segments.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the number of leading `..`. 0 means that the path stays in the folder.
    pub fn levels_up(&self) -> usize {
        self.0.split('/').take_while(|part| *part == "..").count()
    }
}

impl fmt::Display for RelativePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(uri: &str) -> Result<(String, usize), NotAPath> {
        RelativePath::new(uri).map(|path| (path.to_string(), path.levels_up()))
    }

    #[test]
    fn paths_are_relative_to_the_definition() {
        for (uri, expected, levels) in [
            ("events.json", "events.json", 0),
            ("./events.json", "events.json", 0),
            ("common//./events v2.json", "common/events v2.json", 0),
            ("common/../events.json", "events.json", 0),
            ("../events.json", "../events.json", 1),
            ("./../../a/../events.json", "../../events.json", 2),
            ("a/../../events.json", "../events.json", 1),
            ("file://events.json", "events.json", 0),
            ("FILE:common/events.json", "common/events.json", 0),
            ("a b: c.json", "a b: c.json", 0),
            ("..a/b..", "..a/b..", 0),
        ] {
            match uri.ends_with("..") {
                true => assert!(read(uri).is_err()),
                false => assert_eq!(read(uri), Ok((expected.to_owned(), levels)), "{uri}"),
            }
        }
        for uri in [
            "",
            " ",
            "./",
            "..",
            "a/..",
            "../",
            "a/",
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
        ] {
            assert!(read(uri).is_err(), "{uri}");
        }
    }

    #[test]
    fn names_are_on_one_line() {
        for c in ['\0', '\n', '\r', '\t', '\u{1b}', '\u{85}', '\u{2028}', '\u{202e}', '\u{61c}'] {
            let refuse = RelativePath::new(&format!("api{c}cargo::rustc-env=A=b{c}.json"));
            let message = refuse.map_err(|refuse| refuse.message).expect_err("it is refused");
            assert!(message.contains(&format!("contains the invalid character U+{:04X}", u32::from(c))), "{message}");
        }
        assert!(RelativePath::new("\u{1f469}\u{200d}\u{1f4bb}.json").is_ok());
    }
}
