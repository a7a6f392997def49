//! Resolution of paths between files that refer to each other.

use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// Resolves a path that `file` names, relative to the base folder of `file`.
pub fn resolve(file: &str, path: &str) -> String {
    let path = percent_decoded(path);
    // The readers of files refuse paths with a scheme.
    if path.starts_with('/') || path.split('/').next().is_some_and(|first| first.contains(':')) {
        return path;
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Decodes percent-encoding. A `%` without two hexadecimal digits is kept, and a text whose
/// decoded form is not UTF-8 is returned unchanged.
pub fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_file_that_names_them() {
        for (file, path, expected) in [
            ("bank.json", "common.yaml", "common.yaml"),
            ("apis/bank.json", "./common.yaml", "apis/common.yaml"),
            ("apis/bank.json", "../common/all%20of%20it.yaml", "common/all of it.yaml"),
            ("apis/bank.json", "../../a.json", "../a.json"),
            ("../bank.json", "../a.json", "../../a.json"),
            ("apis/bank.json", "https://example.com/a.json", "https://example.com/a.json"),
            ("apis/bank.json", "/etc/a.json", "/etc/a.json"),
        ] {
            assert_eq!(resolve(file, path), expected, "{path} in {file}");
        }
    }

    #[test]
    fn text_without_encoding_is_unchanged() {
        for (text, expected) in [("a%20b", "a b"), ("100%", "100%"), ("%zz", "%zz"), ("%ff", "%ff"), ("%C3%A9", "é")] {
            assert_eq!(percent_decoded(text), expected);
        }
    }
}
