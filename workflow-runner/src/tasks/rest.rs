//! Tasks that are operations of services: connectors configured by bindings and the environment.

use std::collections::BTreeMap;

use workflow_connectors::Rest;
use workflow_connectors::rest::RestService;
use workflow_runtime::machine::Definition;
use workflow_runtime::operation::Operation;

use super::variables::expand;
use super::{Binding, tasks_of};

/// Returns a connector for each binding to an operation, by the name of the binding. A missing
/// address, secret or credential is an error.
pub fn connectors(
    bindings: &BTreeMap<String, Binding>,
    definition: &Definition,
) -> Result<BTreeMap<String, Rest>, String> {
    let mut connectors = BTreeMap::new();
    for (name, binding) in bindings {
        let Binding::Rest { url, credentials } = binding else { continue };
        let wrong = |problem: String| format!("cannot call `{name}`: {problem}");
        if url.is_none() && !credentials.is_empty() {
            return Err(wrong("credentials need the address of the service".to_owned()));
        }
        let tasks = tasks_of(name, bindings, definition);
        let mut builder = Rest::from_env().map_err(|error| wrong(error.to_string()))?;
        for task in &tasks {
            let service_name = match task.operation {
                Some(Operation::Rest(operation)) => operation.service,
                // A request has no service, so any name serves.
                Some(Operation::Http(_)) => name,
                _ => {
                    return Err(wrong(format!(
                        "the task `{}` of the state `{}` is neither an operation of an OpenAPI document nor an HTTP request",
                        task.key, task.state
                    )));
                }
            };
            if let Some(url) = url {
                let mut service = RestService::new(url);
                for (scheme, secret) in credentials {
                    let what = format!("the scheme `{scheme}`");
                    service = service.credentials(scheme, expand(&what, secret).map_err(wrong)?);
                }
                builder = builder.service(service_name, service);
            }
        }
        let rest = builder.build().map_err(|error| wrong(error.to_string()))?;
        tasks.iter().try_for_each(|task| rest.check_task(task)).map_err(|error| wrong(error.to_string()))?;
        connectors.insert(name.clone(), rest);
    }
    Ok(connectors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::machine::Task;
    use workflow_runtime::operation::{Http, SecretHeader};

    static OPERATION: Operation =
        Operation::Http(Http::new("GET", "https://api.example.com/orders/").goes_on().secrets(&[SecretHeader::new(
            "Authorization",
            "Bearer ",
            "token",
        )]));
    static DEFINITION: Definition = Definition {
        name: "shop",
        dialect: "none",
        source: "shop.json",
        hash: 1,
        tasks: &[
            &Task::new(0, "order", "GET https://api.example.com/orders/${ .id }", "Order", 1).operation(&OPERATION),
            &Task::new(1, "log", "log", "Log", 2),
        ],
        ..Definition::VERSION_0_1_0
    };

    fn bound(name: &str, url: Option<&str>, credentials: &[(&str, &str)]) -> Result<usize, String> {
        let credentials = credentials.iter().map(|(name, secret)| ((*name).to_owned(), (*secret).to_owned())).collect();
        let binding = Binding::Rest { url: url.map(str::to_owned), credentials };
        let bindings = BTreeMap::from([(name.to_owned(), binding)]);
        connectors(&bindings, &DEFINITION).map(|connectors| connectors.len())
    }

    #[test]
    fn requests_without_a_document_go_to_the_address_of_their_binding() {
        assert_eq!(bound("order", Some("https://api.example.com"), &[("token", "t")]), Ok(1));
        for (name, url, credentials, expected) in [
            ("order", None, &[][..], "the address https://api.example.com is not allowed"),
            ("order", Some("https://api.example.com"), &[], "missing secret `token` for https://api.example.com"),
            (
                "order",
                Some("https://example.com"),
                &[("token", "t")],
                "the address https://api.example.com is not allowed",
            ),
            ("order", None, &[("token", "t")], "credentials need the address of the service"),
            ("log", Some("https://example.com"), &[], "nor an HTTP request"),
        ] {
            let problem = bound(name, url, credentials).expect_err(expected);
            assert!(problem.starts_with(&format!("cannot call `{name}`: ")) && problem.contains(expected), "{problem}");
        }
    }
}
