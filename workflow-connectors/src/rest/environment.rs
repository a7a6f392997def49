//! Services of the environment: `WORKFLOW_REST_BANK_URL`, and `WORKFLOW_REST_BANK_TOKEN` for the
//! scheme `token`.

use std::collections::BTreeMap;

use super::ConfigError;
use super::builder::{RestBuilder, RestService};

/// Prefix of the variables.
pub(super) const PREFIX: &str = "WORKFLOW_REST_";
const URL: &str = "_URL";

/// Returns a builder with the services of the environment, to which others can be added.
pub(super) fn builder() -> Result<RestBuilder, ConfigError> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok()?;
        let name = name.strip_prefix(PREFIX)?.to_owned();
        Some((name, value.into_string().ok()))
    });
    let mut texts = BTreeMap::new();
    for (name, value) in variables {
        let value = value.ok_or_else(|| ConfigError::new(format!("`{PREFIX}{name}` is not UTF-8")))?;
        if !value.trim().is_empty() {
            texts.insert(name, value);
        }
    }
    from(&texts)
}

fn from(variables: &BTreeMap<String, String>) -> Result<RestBuilder, ConfigError> {
    let mut services: BTreeMap<&str, RestService> = variables
        .iter()
        .filter_map(|(name, value)| {
            Some((name.strip_suffix(URL).filter(|name| !name.is_empty())?, RestService::new(value)))
        })
        .collect();
    for (name, value) in variables.iter().filter(|(name, _)| !is_url(name)) {
        // With services `BANK` and `BANK_EU`, the variable `BANK_EU_TOKEN` belongs to the longer
        // name.
        let owner = services.keys().filter(|service| scheme(name, service).is_some()).max_by_key(|name| name.len());
        let Some(owner) = owner.copied() else {
            let problem =
                format!("`{PREFIX}{name}` belongs to no service: set the address of the service in `{PREFIX}…{URL}`");
            return Err(ConfigError::new(problem));
        };
        if let (Some(service), Some(scheme)) = (services.remove(owner), scheme(name, owner)) {
            services.insert(owner, service.credentials(scheme, value));
        }
    }
    Ok(services.into_iter().fold(RestBuilder::new(), |builder, (name, service)| builder.service(name, service)))
}

fn is_url(name: &str) -> bool {
    name.strip_suffix(URL).is_some_and(|name| !name.is_empty())
}

/// Returns the security scheme in the name of a variable, if it belongs to the service.
fn scheme<'n>(name: &'n str, service: &str) -> Option<&'n str> {
    name.strip_prefix(service)?.strip_prefix('_').filter(|scheme| !scheme.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(variables: &[(&str, &str)]) -> Result<String, String> {
        let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let rest = from(&variables).and_then(RestBuilder::build).map_err(|error| error.to_string())?;
        let services = rest.services.iter().map(|(name, service)| {
            let schemes: Vec<&str> = service.credentials.keys().map(String::as_str).collect();
            format!("{name} {} {}", service.base, schemes.join("+"))
        });
        Ok(services.collect::<Vec<_>>().join(", "))
    }

    #[test]
    fn services_and_their_schemes_are_distinguished() {
        let variables = [
            ("BANK_URL", "http://127.0.0.1:1/v1/"),
            ("BANK_EU_URL", " http://127.0.0.1:2 "),
            ("BANK_API_KEY", "a"),
            ("BANK_EU_TOKEN", "b"),
        ];
        assert_eq!(
            shown(&variables).as_deref(),
            Ok("BANK http://127.0.0.1:1/v1 API_KEY, BANK_EU http://127.0.0.1:2 TOKEN")
        );
        let problem = "`WORKFLOW_REST_HOTEL_TOKEN` belongs to no service: set the address of the service in `WORKFLOW_REST_…_URL`";
        assert_eq!(shown(&[("HOTEL_TOKEN", "hidden")]), Err(problem.to_owned()));
    }
}
