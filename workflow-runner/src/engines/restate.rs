//! Executions on a Restate server.

use std::sync::Arc;

use workflow_restate::Engine as OnRestate;
pub use workflow_restate::{Client, ClientError, Endpoint, Service};
use workflow_runtime::Workflow;
use workflow_runtime::engine::{Capability, Engine, EngineError};
use workflow_runtime::machine::Definition;
use workflow_runtime::task::Invoke;

/// The default addresses of the ingress and the admin interface.
pub const INGRESS: &str = "http://127.0.0.1:8080";
const ADMIN: &str = "http://127.0.0.1:9070";

/// The configuration of the service for a program's workflow.
pub struct ServiceSetup {
    pub tasks: Arc<dyn Invoke>,
    pub service: ConfigureService,
}

/// A function that configures a service further.
pub type ConfigureService = Box<dyn FnOnce(Service) -> Service>;

impl ServiceSetup {
    /// Returns the name of the service.
    pub fn name<W: Workflow>(self) -> String {
        (self.service)(Service::of::<W>(self.tasks)).name().to_owned()
    }
}

/// Returns the engine for the executions of a service. `admin` is the address of the admin
/// interface, if it is not the default.
pub fn engine(ingress: &str, admin: Option<&str>, definition: &'static Definition, service: &str) -> Arc<dyn Engine> {
    Arc::new(OnRestate::new(Client::new(ingress, admin.unwrap_or(ADMIN))).service(definition, service))
}

/// Checks that a command exists for executions on Restate. The error names the alternative.
pub fn must_be_there(command: &str) -> Result<(), String> {
    let needed = match command {
        "list" => Capability::Lists,
        "history" => Capability::Histories,
        "purge" => Capability::Purges,
        _ => return Ok(()),
    };
    OnRestate::supported().check(needed).map_err(|error| match error {
        EngineError::Unsupported { instead, .. } => {
            format!("`{command}` does not support `--engine restate`: {instead}")
        }
        error => error.to_string(),
    })
}

/// Returns the address of the ingress: the given one, or the default.
pub fn ingress(url: Option<String>) -> Result<String, String> {
    url.map_or_else(|| Ok(INGRESS.to_owned()), |url| checked("ingress", url))
}

/// Returns the address of the admin interface: the given one, or the default.
pub fn admin(url: Option<String>) -> Result<String, String> {
    url.map_or_else(|| Ok(ADMIN.to_owned()), |url| checked("admin", url))
}

/// Checks that this program can connect to an address.
fn checked(option: &str, url: String) -> Result<String, String> {
    let secure = url.strip_prefix("https://");
    if secure.is_some() && cfg!(not(feature = "restate-tls")) {
        return Err(format!(
            "`--{option} {url}`: this program was built without TLS to Restate: enable the feature `restate-tls` of \
             workflow-runner, or use the `http://` address of a TLS proxy on this machine"
        ));
    }
    let host = url.strip_prefix("http://").or(secure).unwrap_or_default().trim_end_matches('/');
    match host.is_empty() || host.starts_with(':') || host.contains(char::is_whitespace) {
        true => Err(format!("invalid `--{option} {url}`: write `http://HOST:PORT`")),
        false => Ok(url.trim_end_matches('/').to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_those_of_restate_or_given() {
        assert_eq!(ingress(None).as_deref(), Ok(INGRESS));
        assert_eq!(admin(Some("http://restate:9070/".to_owned())).as_deref(), Ok("http://restate:9070"));
        let secure = ingress(Some("https://restate/".to_owned()));
        match cfg!(feature = "restate-tls") {
            true => assert_eq!(secure.as_deref(), Ok("https://restate")),
            false => assert!(secure.is_err_and(|error| error.contains("without TLS"))),
        }
        for wrong in ["restate:8080", "http://", "http://:80", "http://a b"] {
            assert!(ingress(Some(wrong.to_owned())).is_err_and(|error| error.contains("http://HOST:PORT")), "{wrong}");
        }
    }
}
