//! Paths in files that refer to each other.

/// The path of a file that another one names, relative to what that one's is relative to.
pub fn beside(file: &str, path: &str) -> String {
    let path = percent_decoded(path);
    // What has a scheme is refused by those who read files.
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

/// A text without the percent-encoding that parts of URIs have; it stays as it is where that is none.
pub fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, others)) = rest.split_first() {
        let digits = others.get(..2).filter(|digits| *first == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let decoded = digits.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &others[2..] } else { others };
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_beside_the_file_that_names_them() {
        for (file, path, expected) in [
            ("bank.json", "common.yaml", "common.yaml"),
            ("apis/bank.json", "./common.yaml", "apis/common.yaml"),
            ("apis/bank.json", "../common/all%20of%20it.yaml", "common/all of it.yaml"),
            ("apis/bank.json", "../../a.json", "../a.json"),
            ("../bank.json", "../a.json", "../../a.json"),
            ("apis/bank.json", "https://example.com/a.json", "https://example.com/a.json"),
            ("apis/bank.json", "/etc/a.json", "/etc/a.json"),
        ] {
            assert_eq!(beside(file, path), expected, "{path} in {file}");
        }
    }

    #[test]
    fn what_is_not_encoded_stays() {
        for (text, expected) in [("a%20b", "a b"), ("100%", "100%"), ("%zz", "%zz"), ("%ff", "%ff"), ("%C3%A9", "é")] {
            assert_eq!(percent_decoded(text), expected);
        }
    }
}
