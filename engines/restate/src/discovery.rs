//! What is told to Restate when the services are registered.

use workflow_runtime::{Array, Value, value};

use crate::bus;
use crate::endpoint::Service;
use crate::handlers::Handler;

/// The form of the manifest.
pub const CONTENT_TYPE: &str = "application/vnd.restate.endpointmanifest.v3+json";

/// The versions of the protocol that the shared core speaks.
const PROTOCOL: (i64, i64) = (5, 8);

/// The services.
pub fn manifest(services: &[Service]) -> Value {
    let buses = services.iter().filter(|service| service.has_bus()).map(bus);
    let services = Array::from(services.iter().map(service).chain(buses).collect::<Vec<_>>());
    value!({
        "protocolMode": "BIDI_STREAM",
        "minProtocolVersion": PROTOCOL.0,
        "maxProtocolVersion": PROTOCOL.1,
        "services": services,
    })
}

fn service(service: &Service) -> Value {
    let handlers = Array::from(Handler::ALL.map(|handler| self::handler(handler, service)).to_vec());
    let definition = service.program.definition;
    value!({
        "name": service.name.as_str(),
        "ty": "WORKFLOW",
        "metadata": {
            "workflow": definition.name,
            "definition": format!("{:016x}", definition.hash),
        },
        "handlers": handlers,
    })
}

/// The bus beside a service.
fn bus(service: &Service) -> Value {
    let handlers = bus::Handler::ALL.into_iter().filter(|handler| handler.is_there(service)).map(|handler| {
        value!({
            "name": handler.name(),
            "ty": if handler.is_shared() { "SHARED" } else { "EXCLUSIVE" },
            "input": { "required": false, "contentType": "*/*" },
            "output": { "contentType": "application/json", "setContentTypeIfEmpty": false },
            "ingressPrivate": !handler.is_public(),
        })
    });
    value!({
        "name": bus::name(&service.name),
        "ty": "VIRTUAL_OBJECT",
        "metadata": { "workflow": service.program.definition.name },
        "handlers": Array::from(handlers.collect::<Vec<_>>()),
    })
}

fn handler(handler: Handler, service: &Service) -> Value {
    let ty = if handler == Handler::Run { "WORKFLOW" } else { "SHARED" };
    let mut described = value!({
        "name": handler.name(),
        "ty": ty,
        "input": { "required": false, "contentType": "*/*" },
        "output": { "contentType": "application/json", "setContentTypeIfEmpty": false },
    });
    if let Some(described) = described.as_object_mut() {
        if matches!(handler, Handler::Run | Handler::Segment | Handler::Batch) {
            // Only a process that is stuck is to be stopped, not one whose task takes its time. Nor is its input to be
            // closed meanwhile, or it learns of nothing else before the task has ended.
            let patience = i64::try_from(service.patience().as_millis()).unwrap_or(i64::MAX);
            described.insert("inactivityTimeout", patience);
            described.insert("abortTimeout", patience);
        }
        if matches!(handler, Handler::Segment | Handler::Batch | Handler::Hear) {
            described.insert("ingressPrivate", true);
        }
    }
    described
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use super::*;

    workflow_runtime::include_workflow!("tests/flows/approval.asl.json");
    workflow_runtime::include_workflow!("tests/flows/patience.asl.json");
    workflow_runtime::include_workflow!("tests/flows/later.asl.json");

    /// Does nothing.
    struct Nobody;

    impl workflow_runtime::task::Invoke for Nobody {
        fn invoke<'a>(
            &'a self,
            _: &'static workflow_runtime::machine::Task,
            _: Value,
            _: workflow_runtime::TaskContext,
        ) -> workflow_runtime::task::TaskFuture<'a> {
            Box::pin(std::future::ready(Ok(Value::Null)))
        }
    }

    /// The time-outs that are told, in seconds.
    fn told(service: Service) -> BTreeSet<i64> {
        let manifest = manifest(&[service]);
        let handlers = manifest.get("services").unwrap().get(0).unwrap().get("handlers").unwrap().clone();
        let names = ["inactivityTimeout", "abortTimeout"];
        let told = handlers.as_array().unwrap().iter().flat_map(|handler| names.map(|name| handler.get(name).cloned()));
        told.flatten().map(|time| time.as_i64().unwrap() / 1000).collect()
    }

    #[test]
    fn restate_waits_for_the_longest_task_of_the_definition() {
        // Its longest time-out is 60 seconds; so is that of tasks that name none.
        assert_eq!(told(Service::of::<patience::Patience>(Nobody)), [120].into());
        assert_eq!(told(Service::of::<approval::Approval>(Nobody)), [120].into());
        // One is computed.
        assert_eq!(told(Service::of::<later::Later>(Nobody)), [24 * 3600].into());
        let service = Service::of::<patience::Patience>(Nobody).longest_task(Duration::from_secs(7));
        assert_eq!(told(service), [7].into());
    }
}
