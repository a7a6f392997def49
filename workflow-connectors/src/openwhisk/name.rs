//! Names of actions: `pay`, `shop/pay`, `/ns/pay`, `/ns/shop/pay`.

use reqwest::Url;

/// Longest part of a name, in characters.
const LONGEST: usize = 256;
/// Namespace of the API key's owner.
pub(super) const DEFAULT_NAMESPACE: &str = "_";

/// Name of an action.
#[derive(Debug, PartialEq)]
pub(super) struct Name<'n> {
    /// `None` for the default namespace.
    namespace: Option<&'n str>,
    package: Option<&'n str>,
    action: &'n str,
}

impl<'n> Name<'n> {
    /// Reads a name. The error describes the problem. `ns/shop/pay` is read as `/ns/shop/pay`, as
    /// other clients do.
    pub(super) fn parse(name: &'n str) -> Result<Name<'n>, String> {
        let wrong = |what: String| format!("`{}` is not an action name: {what}", name.escape_debug());
        let (absolute, rest) = name.strip_prefix('/').map_or((false, name), |rest| (true, rest));
        let parts: Vec<&str> = rest.split('/').collect();
        let (namespace, package, action) = match (absolute, &parts[..]) {
            (false, &[action]) => (None, None, action),
            (false, &[package, action]) => (None, Some(package), action),
            (true, &[namespace, action]) => (Some(namespace), None, action),
            (_, &[namespace, package, action]) => (Some(namespace), Some(package), action),
            (true, [_]) => return Err(wrong("the action is missing after the namespace".to_owned())),
            _ => return Err(wrong("expected at most a namespace, a package and an action".to_owned())),
        };
        for (what, part) in [("namespace", namespace), ("package", package), ("action", Some(action))] {
            part.map_or(Ok(()), |part| check_part(part).map_err(|problem| wrong(format!("its {what} {problem}"))))?;
        }
        Ok(Name { namespace: namespace.filter(|namespace| *namespace != DEFAULT_NAMESPACE), package, action })
    }

    /// Returns the address of the action below the API address.
    pub(super) fn address(&self, api: &Url, namespace: &str) -> Url {
        let mut parts = vec!["namespaces", self.namespace.unwrap_or(namespace), "actions"];
        parts.extend(self.package);
        parts.push(self.action);
        below(api, &parts)
    }
}

/// Appends path segments to an address, each encoded.
pub(super) fn below(api: &Url, parts: &[&str]) -> Url {
    let mut url = api.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().extend(parts);
    }
    url
}

/// Checks a part of a name. It consists of letters, digits and `_`, and, after its first
/// character, also of `@`, `.`, `&`, `-` and blanks. It does not end with a blank.
pub(super) fn check_part(part: &str) -> Result<(), String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let Some(first) = part.chars().next() else { return Err("is empty".to_owned()) };
    if !is_word(first) {
        return Err(format!("starts with {first:?} instead of a letter, a digit or `_`"));
    }
    if let Some(other) = part.chars().find(|c| !is_word(*c) && !"@ .&-".contains(*c)) {
        return Err(format!("contains {other:?}, which is not allowed"));
    }
    if part.ends_with(' ') {
        return Err("ends with a space".to_owned());
    }
    if part.len() > LONGEST {
        return Err(format!("has {} characters; the maximum is {LONGEST}", part.len()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_addresses() {
        let api = Url::parse("https://host.example/api/v1").unwrap();
        let cases = [
            ("pay", "/api/v1/namespaces/home/actions/pay"),
            ("shop/pay", "/api/v1/namespaces/home/actions/shop/pay"),
            ("/_/pay", "/api/v1/namespaces/home/actions/pay"),
            ("/_/shop/pay", "/api/v1/namespaces/home/actions/shop/pay"),
            ("/guest/pay", "/api/v1/namespaces/guest/actions/pay"),
            ("/whisk.system/utils/echo", "/api/v1/namespaces/whisk.system/actions/utils/echo"),
            ("whisk.system/utils/echo", "/api/v1/namespaces/whisk.system/actions/utils/echo"),
            ("/me@mail.example_dev/a b/c&d.app", "/api/v1/namespaces/me@mail.example_dev/actions/a%20b/c&d.app"),
        ];
        for (name, path) in cases {
            assert_eq!(Name::parse(name).unwrap().address(&api, "home").path(), path, "{name}");
        }
    }

    #[test]
    fn an_invalid_name_is_reported() {
        let long = "a".repeat(257);
        let cases = [
            ("", "its action is empty"),
            ("/", "the action is missing after the namespace"),
            ("/guest", "the action is missing after the namespace"),
            ("shop/", "its action is empty"),
            ("//pay", "its namespace is empty"),
            ("/a/b/c/d", "at most a namespace, a package and an action"),
            ("a/b/c/d", "at most a namespace, a package and an action"),
            ("../pay", "its package starts with '.'"),
            ("pay?blocking=false", "its action contains '?'"),
            ("shop%2Fpay", "its action contains '%'"),
            ("pay\r\nX: y", "its action contains '\\r'"),
            ("päy", "its action contains 'ä'"),
            ("pay ", "its action ends with a space"),
            (&long, "has 257 characters; the maximum is 256"),
        ];
        for (name, problem) in cases {
            let message = Name::parse(name).unwrap_err();
            assert!(message.contains(problem) && !message.contains('\n'), "{name}: {message}");
        }
    }
}
