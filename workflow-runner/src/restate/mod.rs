//! Executions on a Restate server. This program serves their tasks to the server, and starts,
//! shows and changes the executions through its ingress.

mod executions;
mod in_flight;
mod serve;

use std::process::ExitCode;
use std::sync::Arc;

use workflow_restate::{Client, Service};
use workflow_runtime::task::Invoke;
use workflow_runtime::{CloudEvent, Workflow};

use crate::command_line::RunOptions;
use crate::engine::Where;

pub(crate) use executions::{ExecutionCommand, must_be_there};
use in_flight::InFlight;
pub(crate) use serve::RestateServeOptions;

/// The default addresses of the ingress and the admin interface.
const INGRESS: &str = "http://127.0.0.1:8080";
const ADMIN: &str = "http://127.0.0.1:9070";

/// A command for Restate other than `run`.
pub enum RestateCommand {
    Serve(RestateServeOptions),
    Execution { ingress: String, command: ExecutionCommand },
    Publish { ingress: String, event: CloudEvent, start: bool },
}

/// The configuration of the service for a program's workflow.
pub struct ServiceSetup {
    tasks: Arc<dyn Invoke>,
    service: ConfigureService,
}

/// A function that configures a service further.
pub type ConfigureService = Box<dyn FnOnce(Service) -> Service>;

impl ServiceSetup {
    pub fn new(tasks: Arc<dyn Invoke>, service: ConfigureService) -> ServiceSetup {
        ServiceSetup { tasks, service }
    }

    /// Returns the name of the service.
    fn name<W: Workflow>(self) -> String {
        (self.service)(Service::of::<W>(self.tasks)).name().to_owned()
    }
}

/// Runs an execution on the server.
pub fn run<W: Workflow>(options: RunOptions, setup: ServiceSetup) -> Result<ExitCode, String> {
    let ingress = match &options.place {
        Where::Restate(ingress) => ingress.clone(),
        _ => INGRESS.to_owned(),
    };
    executions::run(options, W::DEFINITION, ingress, &setup.name::<W>())
}

/// Carries out a command.
pub fn execute<W: Workflow>(command: RestateCommand, setup: ServiceSetup) -> Result<ExitCode, String> {
    match command {
        RestateCommand::Serve(options) => serve::serve::<W>(options, setup),
        RestateCommand::Publish { ingress, event, start } => {
            executions::publish(&ingress, &event, start, &setup.name::<W>())
        }
        RestateCommand::Execution { ingress, command } => executions::execute(ingress, command, &setup.name::<W>()),
    }
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

/// Returns a client for the two interfaces.
fn client(ingress: &str, admin: &str) -> Client {
    Client::new(ingress, admin)
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
