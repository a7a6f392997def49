//! The path of a key within a folder. Keys are hostile: none leads outside of the folder except by
//! a link that is in it, and none to anything but a regular file, on any system.

use std::path::{Path, PathBuf};

use super::{StoreError, StoreErrorKind};

/// The longest key in bytes, as S3 has it.
const MAX_KEY: usize = 1024;

/// The longest name in a folder in bytes, as most file systems have it.
const MAX_NAME: usize = 255;

/// The beginning of the names of files that are being written, which are no objects.
pub(super) const UPLOAD: &str = ".workflow-upload-";

/// Names that are devices on Windows, with any extension.
const DEVICES: [&str; 6] = ["aux", "con", "nul", "prn", "conin$", "conout$"];

/// Returns the path of an object.
///
/// # Errors
/// The key is not allowed in folders.
pub(super) fn path_of(folder: &Path, key: &str) -> Result<PathBuf, StoreError> {
    if let Some(reason) = refusal(key) {
        return Err(StoreError::new(StoreErrorKind::Denied, format!("the key {key:?} is not allowed: {reason}")));
    }
    let mut path = folder.to_path_buf();
    path.extend(key.split('/'));
    Ok(path)
}

/// Returns the reason why a key is not allowed in folders.
pub(super) fn refusal(key: &str) -> Option<&'static str> {
    if key.len() > MAX_KEY {
        return Some("it is longer than 1024 bytes");
    }
    key.split('/').find_map(refusal_of_name)
}

/// Returns the reason why a name is not allowed in a folder. What is special on one system is
/// refused on all of them, so that a definition runs alike everywhere.
pub(super) fn refusal_of_name(name: &str) -> Option<&'static str> {
    let special = |byte: u8| byte < 0x20 || matches!(byte, b'\\' | b':' | b'<' | b'>' | b'"' | b'|' | b'?' | b'*');
    match name {
        "" => Some("it has an empty name"),
        "." | ".." => Some("it leads to another folder"),
        _ if name.len() > MAX_NAME => Some("a name in it is longer than 255 bytes"),
        _ if name.bytes().any(special) => Some("it has a character that is special in folders"),
        _ if name.ends_with(['.', ' ']) => Some("a name in it ends with a dot or a blank"),
        _ if name.starts_with(UPLOAD) => Some("it is a name of files that are being written"),
        _ if is_device(name) => Some("it has the name of a device"),
        _ => None,
    }
}

/// Returns `true` if a name is that of a device on Windows.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_lowercase();
    let numbered = |device: &str| {
        let rest = stem.strip_prefix(device);
        rest.is_some_and(|rest| rest.chars().count() == 1 && rest.chars().all(|c| "0123456789¹²³".contains(c)))
    };
    DEVICES.contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_lead_elsewhere_are_refused() {
        let refused = [
            "",
            "/",
            "/etc/passwd",
            "..",
            "a/../b",
            "../a",
            "a/..",
            ".",
            "a/./b",
            "a//b",
            "a/",
            "a\0b",
            "a\\b",
            "..\\a",
            "C:/a",
            "C:a",
            "file:stream",
            "nul",
            "NUL.txt",
            "a/con",
            "com1",
            "LPT9.csv",
            "lpt¹",
            "aux ",
            "a.",
            "a /b",
            "a\nb",
            ".workflow-upload-1",
            "a/.workflow-upload-2/b",
            "a?b",
            "a*b",
            "CONIN$",
        ];
        for key in refused {
            assert!(path_of(Path::new("/root"), key).is_err(), "{key:?}");
        }
        assert!(path_of(Path::new("/root"), &"a".repeat(256)).is_err());
        assert!(path_of(Path::new("/root"), &"a/".repeat(600)).is_err());
    }

    #[test]
    fn ordinary_keys_are_paths_within_the_folder() {
        for key in ["a", "a/b.csv", "...a", ".hidden", "~", "-", "com", "com10", "console", "ä/ö", "a b", "a=1/b=2/c"]
        {
            let path = path_of(Path::new("/root"), key).expect("the key is allowed");
            assert_eq!(path, Path::new("/root").join(key));
        }
    }
}
