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
    let handlers = bus::Handler::ALL.map(|handler| {
        value!({
            "name": handler.name(),
            "ty": "EXCLUSIVE",
            "input": { "required": false, "contentType": "*/*" },
            "output": { "contentType": "application/json", "setContentTypeIfEmpty": false },
            "ingressPrivate": handler != bus::Handler::Publish,
        })
    });
    value!({
        "name": bus::name(&service.name),
        "ty": "VIRTUAL_OBJECT",
        "metadata": { "workflow": service.program.definition.name },
        "handlers": Array::from(handlers.to_vec()),
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
        if matches!(handler, Handler::Run | Handler::Segment) {
            // Only a process that is stuck is to be stopped, not one whose task takes its time. Nor is its input to be
            // closed meanwhile, or it learns of nothing else before the task has ended.
            let longest = i64::try_from(service.longest_task.as_millis()).unwrap_or(i64::MAX);
            described.insert("inactivityTimeout", longest);
            described.insert("abortTimeout", longest);
        }
        if matches!(handler, Handler::Segment | Handler::Hear) {
            described.insert("ingressPrivate", true);
        }
    }
    described
}
