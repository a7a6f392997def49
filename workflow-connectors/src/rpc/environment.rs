//! Services of the environment.

use std::collections::BTreeMap;

use super::ConfigError;
use super::builder::RpcBuilder;
use super::service::RpcService;

const PREFIX: &str = "WORKFLOW_RPC_";
const ADDRESS: &str = "ADDRESS";
/// Variable with the address of all services without one of their own.
pub(super) const OTHERS: &str = "WORKFLOW_RPC_ADDRESS";

/// Returns the variable with the address of a service: `WORKFLOW_RPC_ACME_BANK_ADDRESS` for
/// `acme.Bank`.
pub(super) fn variable(service: &str) -> String {
    let name: String =
        service.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    format!("{PREFIX}{name}_{ADDRESS}")
}

/// Returns a builder with the services of the environment, to which others can be added.
pub(super) fn builder() -> Result<RpcBuilder, ConfigError> {
    // Variables that are not UTF-8 are ignored.
    let variables =
        std::env::vars_os().filter_map(|(name, value)| name.into_string().ok().zip(value.into_string().ok()));
    from(variables.filter(|(name, _)| name.starts_with(PREFIX)).collect())
}

fn from(variables: BTreeMap<String, String>) -> Result<RpcBuilder, ConfigError> {
    let mut services = BTreeMap::new();
    for (name, value) in variables.iter().filter(|(_, value)| !value.trim().is_empty()) {
        let Some(start) = name.strip_suffix(ADDRESS) else {
            // A token without an address is probably a mistake.
            if let Some(start) = ["TOKEN", "PLAINTEXT"].iter().find_map(|end| name.strip_suffix(end)) {
                let address = format!("{start}{ADDRESS}");
                if variables.get(&address).is_none_or(|address| address.trim().is_empty()) {
                    return Err(ConfigError::new(format!("`{name}` is set, but `{address}` is not")));
                }
            }
            continue;
        };
        let of = |what: &str| {
            variables.get(&format!("{start}{what}")).map(|value| value.trim()).filter(|value| !value.is_empty())
        };
        let mut service = RpcService::at(value);
        if let Some(token) = of("TOKEN") {
            service = service.bearer(token);
        }
        match of("PLAINTEXT") {
            None | Some("0" | "false") => {}
            Some("1" | "true") => service = service.plaintext(true),
            Some(_) => return Err(ConfigError::new(format!("`{start}PLAINTEXT` must be `true` or `false`"))),
        }
        services.insert(name.clone(), service);
    }
    Ok(RpcBuilder::new().with_environment(services))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(variables: &[(&str, &str)]) -> Result<String, String> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let rpc = from(variables.collect()).and_then(RpcBuilder::build).map_err(|error| error.to_string())?;
        rpc.0.service("acme.v1.Bank").map(|service| format!("{service:?}"))
    }

    #[test]
    fn a_service_is_found_by_its_name() {
        const OWN: &str = "WORKFLOW_RPC_ACME_V1_BANK_ADDRESS";
        assert_eq!(variable("acme.v1.Bank"), OWN);
        assert!(of(&[(OWN, "http://localhost:1"), (OTHERS, "localhost:2")]).unwrap().contains("http://localhost:1/"));
        assert!(of(&[(OWN, " "), (OTHERS, "localhost:2")]).unwrap().contains("https://localhost:2/"));
        let with_token = of(&[(OWN, "localhost"), ("WORKFLOW_RPC_ACME_V1_BANK_TOKEN", "hidden")]).unwrap();
        assert!(with_token.contains("authorization") && !with_token.contains("hidden"), "{with_token}");
        // The shared token is for the shared address only.
        let others = of(&[(OWN, "localhost"), (OTHERS, "localhost:2"), ("WORKFLOW_RPC_TOKEN", "hidden")]).unwrap();
        assert!(!others.contains("authorization"), "{others}");
        assert!(of(&[(OWN, "http://example.com"), ("WORKFLOW_RPC_ACME_V1_BANK_PLAINTEXT", "true")]).is_ok());
        assert_eq!(of(&[]), Err(format!("the address of the service is unknown: set `{OWN}`")));
    }

    #[test]
    fn what_is_wrong_names_the_variable() {
        for (variables, problem) in [
            (&[("WORKFLOW_RPC_A_ADDRESS", "http://example.com")][..], "`WORKFLOW_RPC_A_ADDRESS`: invalid address"),
            (
                &[("WORKFLOW_RPC_A_TOKEN", "hidden")],
                "`WORKFLOW_RPC_A_TOKEN` is set, but `WORKFLOW_RPC_A_ADDRESS` is not",
            ),
            (
                &[("WORKFLOW_RPC_ADDRESS", "localhost"), ("WORKFLOW_RPC_PLAINTEXT", "maybe")],
                "`WORKFLOW_RPC_PLAINTEXT` must be",
            ),
        ] {
            let message = of(variables).unwrap_err();
            assert!(message.contains(problem) && !message.contains("hidden"), "{message}");
        }
    }
}
