//! Tasks that are operations of services: connectors with what bindings and the environment say of these.

use std::collections::BTreeMap;

use workflow_connectors::Rest;
use workflow_connectors::rest::Service;
use workflow_runtime::machine::{Definition, Task};
use workflow_runtime::operation::Operation;

use super::Binding;
use super::variables::expand;

/// A connector for each binding to one, by its name. It is an error if anything is not there that a task needs.
pub fn connectors(
    bindings: &BTreeMap<String, Binding>,
    definition: &Definition,
) -> Result<BTreeMap<String, Rest>, String> {
    let mut connectors = BTreeMap::new();
    for (name, binding) in bindings {
        let Binding::Rest { url, credentials } = binding else { continue };
        let wrong = |problem: String| format!("`{name}` cannot be called: {problem}");
        // A binding of a state goes before one of the key.
        let meant = |task: &&Task| task.state == name || (task.key == name && !bindings.contains_key(task.state));
        let tasks: Vec<&Task> = definition.tasks.iter().filter(meant).collect();
        let mut builder = Rest::from_env().map_err(|error| wrong(error.to_string()))?;
        for task in &tasks {
            let Some(Operation::Rest(operation)) = task.operation else {
                return Err(wrong(format!(
                    "the task `{}` of the state `{}` is no operation that an OpenAPI document describes",
                    task.key, task.state
                )));
            };
            if let Some(url) = url {
                let mut service = Service::new(url);
                for (scheme, secret) in credentials {
                    let what = format!("the scheme `{scheme}`");
                    service = service.credentials(scheme, expand(&what, secret).map_err(wrong)?);
                }
                builder = builder.service(operation.service, service);
            }
        }
        let rest = builder.build().map_err(|error| wrong(error.to_string()))?;
        tasks.iter().try_for_each(|task| rest.check_task(task)).map_err(|error| wrong(error.to_string()))?;
        connectors.insert(name.clone(), rest);
    }
    Ok(connectors)
}
