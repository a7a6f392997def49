//! Builder of the gRPC connector: services and limits.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::service::{GrpcChannel, RpcService};
use super::{ConfigError, Rpc, Shared, environment};

/// Default limit of a call.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Default limit of a message in bytes, the default of gRPC.
const MAX_BYTES: usize = 4 << 20;

/// Builder of an [`Rpc`].
///
/// See the example of [`Rpc`].
#[derive(Debug, Clone)]
pub struct RpcBuilder {
    services: BTreeMap<String, RpcService>,
    others: Option<RpcService>,
    /// Services of the environment, by variable name.
    environment: Option<BTreeMap<String, RpcService>>,
    timeout: Duration,
    max_message_bytes: usize,
}

impl RpcBuilder {
    pub(super) fn new() -> RpcBuilder {
        RpcBuilder {
            services: BTreeMap::new(),
            others: None,
            environment: None,
            timeout: TIMEOUT,
            max_message_bytes: MAX_BYTES,
        }
    }

    pub(super) fn with_environment(self, services: BTreeMap<String, RpcService>) -> RpcBuilder {
        RpcBuilder { environment: Some(services), ..self }
    }

    /// Adds a service by its full name, such as `acme.Bank`. It takes precedence over the
    /// environment.
    pub fn service(mut self, name: impl Into<String>, service: RpcService) -> RpcBuilder {
        self.services.insert(name.into(), service);
        self
    }

    /// Sets the service for all names without a service of their own.
    pub fn others(mut self, service: RpcService) -> RpcBuilder {
        self.others = Some(service);
        self
    }

    /// Limits the time of a call; by default a minute. The deadline of a task applies as well.
    pub fn timeout(mut self, timeout: Duration) -> RpcBuilder {
        self.timeout = timeout;
        self
    }

    /// Limits the size of requests and responses; by default 4 MiB. Of the fields of a response,
    /// at most a quarter of that number may have a default value (`0`, `""` or `[]`) without being
    /// sent.
    pub fn max_message_bytes(mut self, bytes: usize) -> RpcBuilder {
        self.max_message_bytes = bytes;
        self
    }

    /// Checks the configuration. Makes no connection yet.
    pub fn build(self) -> Result<Rpc, ConfigError> {
        let check = |name: String, service: &RpcService| match service.check() {
            Ok(checked) => Ok((name, Arc::new(checked))),
            Err(problem) => Err(ConfigError::new(format!("`{}`: {problem}", name.escape_debug()))),
        };
        let all = |services: BTreeMap<String, RpcService>| -> Result<BTreeMap<String, Arc<GrpcChannel>>, ConfigError> {
            services.into_iter().map(|(name, service)| check(name, &service)).collect()
        };
        let others = self.others.map(|service| check("others".to_owned(), &service)).transpose()?;
        Ok(Rpc(Arc::new(Shared {
            services: all(self.services)?,
            others: others.map(|(_, service)| service),
            environment: self.environment.map(all).transpose()?,
            timeout: self.timeout,
            max_message_bytes: self.max_message_bytes,
            methods: Default::default(),
        })))
    }
}

impl Shared {
    /// Returns the service of this name. The error names the settings that were tried.
    pub(super) fn service(&self, name: &str) -> Result<&Arc<GrpcChannel>, String> {
        if let Some(service) = self.services.get(name) {
            return Ok(service);
        }
        let variable = environment::variable(name);
        let environment = self.environment.as_ref();
        let shared =
            environment.and_then(|services| services.get(&variable).or_else(|| services.get(environment::OTHERS)));
        // The program's service for all names precedes that of the environment.
        let own = environment.and_then(|services| services.get(&variable));
        own.or(self.others.as_ref()).or(shared).ok_or_else(|| match self.environment {
            Some(_) => format!("the address of the service is unknown: set `{variable}`"),
            None => "the address of the service is unknown".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_one_service_goes_first() {
        let at = |port: u16| RpcService::at(format!("http://localhost:{port}"));
        let environment: BTreeMap<String, RpcService> =
            [(environment::variable("a.B"), at(1)), (environment::OTHERS.to_owned(), at(2))].into();
        let found = |builder: RpcBuilder, name: &str| {
            let rpc = builder.build().unwrap();
            rpc.0.service(name).map(|service| format!("{service:?}"))
        };
        let port = |found: Result<String, String>, port: u16| found.unwrap().contains(&format!("localhost:{port}/"));
        let builder = RpcBuilder::new().with_environment(environment);
        assert!(port(found(builder.clone(), "a.B"), 1));
        assert!(port(found(builder.clone(), "a.C"), 2));
        assert!(port(found(builder.clone().others(at(3)), "a.B"), 1));
        assert!(port(found(builder.clone().others(at(3)), "a.C"), 3));
        assert!(port(found(builder.service("a.B", at(4)), "a.B"), 4));
        let message = found(RpcBuilder::new().with_environment(BTreeMap::new()), "a.B").unwrap_err();
        assert_eq!(message, "the address of the service is unknown: set `WORKFLOW_RPC_A_B_ADDRESS`");
        assert_eq!(found(RpcBuilder::new(), "a.B").unwrap_err(), "the address of the service is unknown");
    }

    #[test]
    fn problems_are_reported_without_secrets() {
        let builder = RpcBuilder::new().service("a.B", RpcService::at("http://example.com").bearer("hidden"));
        assert!(!format!("{builder:?}").contains("hidden"));
        let message = builder.build().unwrap_err().to_string();
        assert!(message.starts_with("`a.B`: invalid address: "), "{message}");
        let rpc = RpcBuilder::new().others(RpcService::at("localhost").bearer("hidden")).build().unwrap();
        assert!(!format!("{rpc:?}").contains("hidden"), "{rpc:?}");
    }
}
