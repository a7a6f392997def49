//! Platform settings of the environment: inside of an action, or for the command `wsk`.

use std::collections::HashMap;
use std::path::PathBuf;

use super::ConfigError;
use super::builder::OpenWhiskBuilder;

/// Names of the host: in actions, in variables of `wsk`, and in its file.
pub(super) const HOST: [&str; 3] = ["__OW_API_HOST", "WHISK_APIHOST", "APIHOST"];
pub(super) const KEY: [&str; 3] = ["__OW_API_KEY", "WHISK_AUTH", "AUTH"];
const NAMESPACE: [&str; 3] = ["__OW_NAMESPACE", "WHISK_NAMESPACE", "NAMESPACE"];

/// Returns a builder with the settings of the environment, to which others can be added.
pub(super) fn builder() -> Result<OpenWhiskBuilder, ConfigError> {
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let file = match variable("WSK_CONFIG_FILE") {
        Some(file) => Some((PathBuf::from(file), true)),
        None => std::env::home_dir().map(|home| (home.join(".wskprops"), false)),
    };
    let properties = match file {
        None => HashMap::new(),
        Some((file, named)) => match std::fs::read_to_string(&file) {
            Ok(text) => properties(&text),
            Err(error) if named => {
                let file = file.display();
                return Err(ConfigError::new(format!("cannot read {file}, named by `WSK_CONFIG_FILE`: {error}")));
            }
            Err(_) => HashMap::new(),
        },
    };
    Ok(from(variable, &properties))
}

fn from(variable: impl Fn(&str) -> Option<String>, properties: &HashMap<String, String>) -> OpenWhiskBuilder {
    let find = |[action, shell, property]: [&str; 3]| {
        variable(action).or_else(|| variable(shell)).or_else(|| properties.get(property).cloned())
    };
    let mut builder = OpenWhiskBuilder::new();
    builder.api_host = find(HOST);
    builder.api_key = find(KEY);
    builder.namespace = find(NAMESPACE);
    builder.from_env = true;
    builder
}

/// Reads the lines `NAME=VALUE` of a file, and ignores others.
fn properties(text: &str) -> HashMap<String, String> {
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    let pairs = pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()));
    pairs.filter(|(_, value)| !value.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "# mine\nAPIHOST=file.example\nAUTH = file:key=\nNAMESPACE=\nno line\n";

    fn found(variables: &[(&str, &str)]) -> (Option<String>, Option<String>, Option<String>) {
        let variable =
            |name: &str| variables.iter().find(|(own, _)| *own == name).map(|(_, value)| (*value).to_owned());
        let builder = from(variable, &properties(FILE));
        (builder.api_host, builder.api_key, builder.namespace)
    }

    #[test]
    fn an_action_precedes_the_shell_and_the_shell_precedes_the_file() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(found(&[]), (some("file.example"), some("file:key="), None));
        let shell = [("WHISK_APIHOST", "shell.example"), ("WHISK_NAMESPACE", "guest")];
        assert_eq!(found(&shell), (some("shell.example"), some("file:key="), some("guest")));
        let action = [("__OW_API_HOST", "action.example"), ("__OW_API_KEY", "a:b"), ("WHISK_APIHOST", "no.example")];
        assert_eq!(found(&action), (some("action.example"), some("a:b"), None));
    }

    #[test]
    fn a_missing_host_is_reported_with_its_sources() {
        let message = from(|_| None, &HashMap::new()).build().unwrap_err().to_string();
        let expected = "the API host is missing: set `WHISK_APIHOST` (the platform sets `__OW_API_HOST` in an action), or `APIHOST` in \
                        `~/.wskprops`";
        assert_eq!(message, expected);
    }
}
