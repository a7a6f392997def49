//! Schedules that bound starts, by clients and by parents, and schemas that data has to meet.

use std::sync::{Arc, Mutex};

use crate::place::{Place, clock, process, until};
use workflow_runtime::machine::{Outcome, Task};
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{TaskContext, Value, include_workflow, value};
use workflow_sqlite::{Engine, Error, Filter, Status};

include_workflow!("../restate/tests/flows/season.sw.json");
include_workflow!("../restate/tests/flows/winter.sw.json");
include_workflow!("../restate/tests/flows/summer.sw.json");
include_workflow!("../restate/tests/flows/parcel.sw.json");

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

impl Hands {
    fn done(&self) -> Vec<&'static str> {
        self.0.lock().unwrap().clone()
    }
}

/// Returns a builder with all workflows of these tests.
async fn open(place: &Place, hands: &Hands) -> Engine {
    let builder = Engine::at(place.file())
        .clock(clock())
        .workflow::<season::Season>(hands.clone())
        .workflow::<winter::Winter>(hands.clone())
        .workflow::<summer::Summer>(hands.clone())
        .workflow::<parcel::Parcel>(hands.clone());
    builder.open().await.expect("a database")
}

/// Returns the workflows of all executions, oldest first.
fn workflows(engine: &Engine) -> Vec<String> {
    engine.list(&Filter::default()).expect("a list").into_iter().rev().map(|one| one.workflow).collect()
}

#[test]
fn a_sub_flow_outside_of_its_interval_completes_at_once_with_its_input() {
    let (place, hands) = (Place::new("bounds-season"), Hands::default());
    process(async {
        let engine = open(&place, &hands).await;
        let year =
            engine.start::<season::Season>(value!({ "year": 7 })).id("year").submit().await.expect("it is put in");
        // Awaited and detached children.
        assert_eq!(year.result().await.expect("a result"), Ok(value!({ "year": 7, "sun": true })));
        assert_eq!((hands.done(), workflows(&engine)), (vec![], vec!["season".to_owned(), "summer".to_owned()]));
        // A direct start is refused.
        let refused = engine.start::<winter::Winter>(value!({})).submit().await.map(drop);
        assert!(matches!(refused, Err(Error::Inactive(_))), "{refused:?}");
    });
    // No work of it is left.
    process(async {
        let engine = open(&place, &hands).await;
        let all = || engine.list(&Filter::default()).expect("a list");
        until("both have ended", || all().iter().all(|one| one.status == Status::Succeeded)).await;
        assert_eq!((hands.done(), all().len()), (vec![], 2));
    });
}

#[test]
fn data_have_to_fit_their_schemas() {
    let (place, hands) = (Place::new("bounds-parcel"), Hands::default());
    process(async {
        let engine = open(&place, &hands).await;
        let refused = engine.start::<parcel::Parcel>(value!({ "kg": "much" })).id("none").submit().await.map(drop);
        assert!(matches!(&refused, Err(Error::InputRefused { .. })), "{refused:?}");
        assert!(workflows(&engine).is_empty() && hands.done().is_empty());
        let run = async |id: &str, input: Value| -> Outcome {
            let one = engine.start::<parcel::Parcel>(input).id(id).submit().await.expect("it is put in");
            one.result().await.expect("a result")
        };
        let sent = run("light", value!({ "kg": 5, "address": "Basel" })).await;
        assert_eq!(sent, Ok(value!({ "kg": 5, "address": "Basel", "weight": 5, "sent": true })));
        // The violation is an error of the state, which it may handle.
        let heavy = run("heavy", value!({ "kg": 50, "address": "Basel" })).await.expect("it is handled");
        assert_eq!([heavy.get("returned"), heavy.get("sent")], [Some(&true.into()), None], "{heavy}");
        let fault = run("nowhere", value!({ "kg": 5 })).await.unwrap_err();
        assert_eq!(fault.error(), Some("Schema.Violation"), "{fault}");
        assert!(fault.to_string().contains("schemas/addressed.json"), "{fault}");
        assert_eq!(hands.done(), ["weigh"; 3]);
    });
}
