//! Environment variables in bindings.

/// Replaces `${NAME}` by the value of that environment variable. `what` names the text in errors.
pub fn expand(what: &str, value: &str) -> Result<String, String> {
    let mut expanded = String::new();
    let mut rest = value;
    while let Some(start) = rest.find("${") {
        let Some(end) = rest[start..].find('}') else { break };
        let name = &rest[start + 2..start + end];
        let found = std::env::var(name).map_err(|_| format!("{what} needs the environment variable `{name}`"))?;
        expanded.push_str(&rest[..start]);
        expanded.push_str(&found);
        rest = &rest[start + end + 1..];
    }
    Ok(expanded + rest)
}
