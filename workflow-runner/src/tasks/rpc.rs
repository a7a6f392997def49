//! Tasks that are methods of gRPC services: connectors configured by bindings and the environment.

use std::collections::BTreeMap;

use workflow_connectors::Rpc;
use workflow_connectors::rpc::RpcService;
use workflow_runtime::machine::Definition;
use workflow_runtime::operation::Operation;

use super::variables::expand;
use super::{Binding, tasks_of};

/// Returns a connector for each binding to a method, by the name of the binding. A missing setting
/// of a service is an error.
pub fn connectors(
    bindings: &BTreeMap<String, Binding>,
    definition: &Definition,
) -> Result<BTreeMap<String, Rpc>, String> {
    let mut connectors = BTreeMap::new();
    for (name, binding) in bindings {
        let Binding::Rpc { address, token, plaintext } = binding else { continue };
        let wrong = |problem: String| format!("cannot call `{name}`: {problem}");
        if address.is_none() && (token.is_some() || *plaintext) {
            return Err(wrong("a token and `plaintext` need the address of the service".to_owned()));
        }
        let tasks = tasks_of(name, bindings, definition);
        let mut builder = Rpc::from_env().map_err(|error| wrong(error.to_string()))?;
        for task in &tasks {
            let Some(Operation::Rpc(operation)) = task.operation else {
                return Err(wrong(format!(
                    "the task `{}` of the state `{}` is not a method of a gRPC service",
                    task.key, task.state
                )));
            };
            if let Some(address) = address {
                let mut service = RpcService::at(address).plaintext(*plaintext);
                if let Some(token) = token {
                    service = service.bearer(expand("the token", token).map_err(wrong)?);
                }
                builder = builder.service(operation.service, service);
            }
        }
        let rpc = builder.build().map_err(|error| wrong(error.to_string()))?;
        tasks.iter().try_for_each(|task| rpc.check_task(task)).map_err(|error| wrong(error.to_string()))?;
        connectors.insert(name.clone(), rpc);
    }
    Ok(connectors)
}
