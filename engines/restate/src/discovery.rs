//! Manifest of the services, which Restate reads when it registers an endpoint.

use workflow_runtime::{Array, Value, value};

use crate::endpoint::Service;
use crate::events::{self, EventHandler};
use crate::handlers::Handler;

/// Content type of the manifest.
pub const CONTENT_TYPE: &str = "application/vnd.restate.endpointmanifest.v3+json";

/// Range of protocol versions that the shared core speaks.
const PROTOCOL: (i64, i64) = (5, 8);

/// Returns the manifest.
pub fn manifest(services: &[Service]) -> Value {
    let objects = services.iter().filter(|service| service.has_objects()).map(objects);
    let services = Array::from(services.iter().map(service).chain(objects).collect::<Vec<_>>());
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

/// Returns the manifest entry of a service's objects.
fn objects(service: &Service) -> Value {
    let handlers = EventHandler::ALL.into_iter().filter(|(handler, _)| handler.is_served_by(service));
    let handlers = handlers.map(|(handler, name)| {
        value!({
            "name": name,
            "ty": if handler.is_shared() { "SHARED" } else { "EXCLUSIVE" },
            "input": { "required": false, "contentType": "*/*" },
            "output": { "contentType": "application/json", "setContentTypeIfEmpty": false },
            "ingressPrivate": !handler.is_public(),
        })
    });
    value!({
        "name": events::name(&service.name),
        "ty": "VIRTUAL_OBJECT",
        // A request needs few of the records of events.
        "enableLazyState": true,
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
            // The time-outs are for stuck processes, not for long tasks. While a task runs, its
            // input must stay open, or the process learns of nothing else before the task ends.
            let patience = i64::try_from(service.patience().as_millis()).unwrap_or(i64::MAX);
            described.insert("inactivityTimeout", patience);
            described.insert("abortTimeout", patience);
        }
        if matches!(handler, Handler::Segment | Handler::Batch | Handler::Deliver | Handler::Prove) {
            described.insert("ingressPrivate", true);
        }
    }
    described
}

#[cfg(test)]
#[path = "../../../workflow-runtime/tests/machines/maps.rs"]
mod maps;

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::time::Duration;

    use super::*;

    workflow_runtime::include_workflow!("tests/flows/approval.asl.json");
    workflow_runtime::include_workflow!("tests/flows/patience.asl.json");
    workflow_runtime::include_workflow!("tests/flows/later.asl.json");

    /// Task implementation that does nothing.
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

    /// Returns the time-outs in a manifest, in seconds.
    fn time_outs(service: Service) -> BTreeSet<i64> {
        let manifest = manifest(&[service]);
        let handlers = manifest.get("services").unwrap().get(0).unwrap().get("handlers").unwrap().clone();
        let names = ["inactivityTimeout", "abortTimeout"];
        let times =
            handlers.as_array().unwrap().iter().flat_map(|handler| names.map(|name| handler.get(name).cloned()));
        times.flatten().map(|time| time.as_i64().unwrap() / 1000).collect()
    }

    #[test]
    fn restate_waits_for_the_longest_task_of_the_definition() {
        // The longest time-out of its tasks is 60 seconds. So is the default of tasks without one.
        assert_eq!(time_outs(Service::of::<patience::Patience>(Nobody)), [120].into());
        assert_eq!(time_outs(Service::of::<approval::Approval>(Nobody)), [120].into());
        // One time-out is computed.
        assert_eq!(time_outs(Service::of::<later::Later>(Nobody)), [24 * 3600].into());
        let service = Service::of::<patience::Patience>(Nobody).longest_task(Duration::from_secs(7));
        assert_eq!(time_outs(service), [7].into());
        // A part of the items or results of a distributed Map may take five minutes.
        let service = Service::of::<maps::Flow>(Nobody).longest_task(Duration::from_secs(7));
        assert_eq!(time_outs(service), [300].into());
    }
}
