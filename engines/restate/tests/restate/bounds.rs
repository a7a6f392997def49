//! Schedules that bound starts, by clients and by parents, and schemas that data has to meet.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::net::TcpListener;
use workflow_restate::{Client, Endpoint, Executions, Service};
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{TaskContext, Value, include_workflow, value};

use crate::server::server;

include_workflow!("tests/flows/season.sw.json");
include_workflow!("tests/flows/winter.sw.json");
include_workflow!("tests/flows/summer.sw.json");
include_workflow!("tests/flows/parcel.sw.json");

/// Tasks that record their calls. A weighed item is as heavy as its input says.
#[derive(Clone, Default)]
struct Hands(Arc<Mutex<Vec<&'static str>>>);

impl Invoke for Hands {
    fn invoke<'a>(&'a self, task: &'static Task, input: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            self.0.lock().unwrap().push(task.key);
            Ok(value!({ "weight": input.get("kg").cloned().unwrap_or_default() }))
        })
    }
}

/// Serves all workflows. Returns their executions.
async fn serve(hands: &Hands) -> Option<Client> {
    let restate = server()?;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let endpoint = Endpoint::new()
        .service(Service::of::<season::Season>(hands.clone()))
        .service(Service::of::<winter::Winter>(hands.clone()))
        .service(Service::of::<summer::Summer>(hands.clone()))
        .service(Service::of::<parcel::Parcel>(hands.clone()));
    tokio::spawn(async move {
        let _refused = endpoint.serve(listener).await;
    });
    let client = Client::new(&restate.ingress, &restate.admin);
    client.replace(&format!("http://{address}")).await.unwrap();
    Some(client)
}

async fn run(executions: &Executions, key: &str, input: Value) -> Outcome {
    assert!(!executions.start(key, input).await.unwrap().existed);
    tokio::time::timeout(Duration::from_secs(60), executions.attach(key)).await.expect("it ends").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sub_flow_outside_of_its_interval_completes_at_once_with_its_input_and_data_have_to_fit_their_schemas() {
    let hands = Hands::default();
    let Some(client) = serve(&hands).await else { return };
    // Awaited and detached children.
    let season = client.workflow::<season::Season>();
    assert_eq!(run(&season, "year", value!({ "year": 7 })).await, Ok(value!({ "year": 7, "sun": true })));
    assert_eq!(*hands.0.lock().unwrap(), [""; 0]);
    // A direct start is refused.
    let fault = run(&client.workflow::<winter::Winter>(), "own", value!({})).await.unwrap_err();
    assert_eq!(fault.error(), Some(workflow_runtime::fault::names::INACTIVE));

    let parcels = client.workflow::<parcel::Parcel>();
    let fault = run(&parcels, "none", value!({ "kg": "much" })).await.unwrap_err();
    assert_eq!(fault.error(), Some("Schema.Violation"), "{fault}");
    assert_eq!(*hands.0.lock().unwrap(), [""; 0]);
    let sent = run(&parcels, "light", value!({ "kg": 5, "address": "Basel" })).await;
    assert_eq!(sent, Ok(value!({ "kg": 5, "address": "Basel", "weight": 5, "sent": true })));
    // The violation is an error of the state, which it may handle.
    let heavy = run(&parcels, "heavy", value!({ "kg": 50, "address": "Basel" })).await.expect("it is handled");
    assert_eq!([heavy.get("returned"), heavy.get("sent")], [Some(&true.into()), None], "{heavy}");
    let fault = run(&parcels, "nowhere", value!({ "kg": 5 })).await.unwrap_err();
    assert_eq!(fault.error(), Some("Schema.Violation"), "{fault}");
    assert!(fault.to_string().contains("schemas/addressed.json"), "{fault}");
    assert_eq!(*hands.0.lock().unwrap(), ["weigh"; 3]);
}
