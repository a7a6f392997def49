//! Which services there are, and within which bounds they are called.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::service::{Checked, Service};
use super::{ConfigError, Rpc, Shared, environment};

/// As long as a call may take by default.
const TIMEOUT: Duration = Duration::from_secs(60);
/// What gRPC lets an answer have by default.
const MOST_BYTES: usize = 4 << 20;

/// Sets up an [`Rpc`].
#[derive(Debug, Clone)]
pub struct Builder {
    services: BTreeMap<String, Service>,
    others: Option<Service>,
    /// What the environment tells, by the names of its variables.
    environment: Option<BTreeMap<String, Service>>,
    timeout: Duration,
    max_message_bytes: usize,
}

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            services: BTreeMap::new(),
            others: None,
            environment: None,
            timeout: TIMEOUT,
            max_message_bytes: MOST_BYTES,
        }
    }

    pub(super) fn with_environment(self, services: BTreeMap<String, Service>) -> Builder {
        Builder { environment: Some(services), ..self }
    }

    /// Says where a service is; its name has its package: `acme.Bank`. This goes before what the environment says.
    pub fn service(mut self, name: impl Into<String>, service: Service) -> Builder {
        self.services.insert(name.into(), service);
        self
    }

    /// Says where all services are that nothing else is said of.
    pub fn others(mut self, service: Service) -> Builder {
        self.others = Some(service);
        self
    }

    /// How long a call may take; by default a minute. The deadline of a task counts too.
    pub fn timeout(mut self, timeout: Duration) -> Builder {
        self.timeout = timeout;
        self
    }

    /// The largest request that is sent, and the largest answer that is read; by default 4 MiB. A quarter as many fields of an
    /// answer may have a value, `0`, `""` or `[]`, without having been sent.
    pub fn max_message_bytes(mut self, bytes: usize) -> Builder {
        self.max_message_bytes = bytes;
        self
    }

    /// Checks what was given. No connection is made yet.
    pub fn build(self) -> Result<Rpc, ConfigError> {
        let check = |name: String, service: &Service| match service.check() {
            Ok(checked) => Ok((name, Arc::new(checked))),
            Err(problem) => Err(ConfigError::new(format!("`{}`: {problem}", name.escape_debug()))),
        };
        let all = |services: BTreeMap<String, Service>| -> Result<BTreeMap<String, Arc<Checked>>, ConfigError> {
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
    /// The service of this name, or where it was looked for.
    pub(super) fn service(&self, name: &str) -> Result<&Arc<Checked>, String> {
        if let Some(service) = self.services.get(name) {
            return Ok(service);
        }
        let variable = environment::variable(name);
        let told = self.environment.as_ref();
        let told = told.and_then(|told| told.get(&variable).or_else(|| told.get(environment::OTHERS)));
        // What the program says of all services is more than what the environment says of all.
        let own = self.environment.as_ref().and_then(|told| told.get(&variable));
        own.or(self.others.as_ref()).or(told).ok_or_else(|| match self.environment {
            Some(_) => format!("nothing says where the service is: set `{variable}`"),
            None => "nothing says where the service is".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_one_service_goes_first() {
        let at = |port: u16| Service::at(format!("http://localhost:{port}"));
        let environment: BTreeMap<String, Service> =
            [(environment::variable("a.B"), at(1)), (environment::OTHERS.to_owned(), at(2))].into();
        let found = |builder: Builder, name: &str| {
            let rpc = builder.build().unwrap();
            rpc.0.service(name).map(|service| format!("{service:?}"))
        };
        let port = |found: Result<String, String>, port: u16| found.unwrap().contains(&format!("localhost:{port}/"));
        let builder = Builder::new().with_environment(environment);
        assert!(port(found(builder.clone(), "a.B"), 1));
        assert!(port(found(builder.clone(), "a.C"), 2));
        assert!(port(found(builder.clone().others(at(3)), "a.B"), 1));
        assert!(port(found(builder.clone().others(at(3)), "a.C"), 3));
        assert!(port(found(builder.service("a.B", at(4)), "a.B"), 4));
        let told = found(Builder::new().with_environment(BTreeMap::new()), "a.B").unwrap_err();
        assert_eq!(told, "nothing says where the service is: set `WORKFLOW_RPC_A_B_ADDRESS`");
        assert_eq!(found(Builder::new(), "a.B").unwrap_err(), "nothing says where the service is");
    }

    #[test]
    fn what_is_wrong_is_told_without_secrets() {
        let builder = Builder::new().service("a.B", Service::at("http://example.com").bearer("hidden"));
        assert!(!format!("{builder:?}").contains("hidden"));
        let told = builder.build().unwrap_err().to_string();
        assert!(told.starts_with("`a.B`: the address cannot be used: "), "{told}");
        let rpc = Builder::new().others(Service::at("localhost").bearer("hidden")).build().unwrap();
        assert!(!format!("{rpc:?}").contains("hidden"), "{rpc:?}");
    }
}
