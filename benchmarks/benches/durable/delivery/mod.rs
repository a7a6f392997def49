//! The time of the delivery of an event among waiting executions, which must not depend on their
//! number where one of them receives it.

mod desk;

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use workflow_runtime::{CloudEvent, Object, value};
use workflow_sqlite::{Engine, Filter, Status};

use crate::{Countdown, MEMORY, report, runtime};
use desk::{Desk, Order};

/// The numbers of waiting executions.
const WAITING: [usize; 3] = [10, 1_000, 10_000];

/// The number of deliveries of each kind.
const ROUNDS: usize = 60;

/// The time in which an execution processes an event, before the next delivery is measured.
const PAUSE: Duration = Duration::from_millis(3);

/// A delivery to be measured.
#[derive(Clone, Copy)]
enum Case {
    /// For the correlation key of one execution, which awaits it.
    Correlated,
    /// For the correlation key of one execution, which may await it later.
    CorrelatedLater,
    /// For the correlation key of one of the executions that wait in their first state.
    Start,
    /// For any execution in its first state. One is there, the others await another event.
    AnyStart,
    /// For any execution in its first state. None is there, so that one starts.
    StartNew,
    /// For all executions, which may await it later.
    All,
}

/// The cases in which one execution receives the event, and the names of their measurements.
const ONE: [(Case, &str); 5] = [
    (Case::Correlated, "correlated"),
    (Case::CorrelatedLater, "correlated-later"),
    (Case::Start, "start"),
    (Case::AnyStart, "any-start"),
    (Case::StartNew, "start-new"),
];

/// Measures in a file system in memory, where a sync takes no time. The deliveries among few and
/// among many executions take turns, so that other work of the machine affects them equally.
/// Prints the medians in microseconds.
pub fn measure() {
    if !Path::new(MEMORY).is_dir() {
        return;
    }
    let folder = Path::new(MEMORY).join(format!("workflow-delivery-{}", std::process::id()));
    runtime().block_on(async {
        let mut desks = Vec::new();
        for waiting in WAITING {
            desks.push(FullDesk::open(&folder.join(waiting.to_string()), waiting).await);
        }
        for (case, name) in ONE {
            let mut times = WAITING.map(|_| Vec::new());
            for round in 0..ROUNDS {
                for (desk, times) in desks.iter().zip(&mut times) {
                    times.push(desk.deliver(case, round).await);
                }
            }
            for (times, waiting) in times.iter_mut().zip(WAITING) {
                times.sort_unstable();
                report(&format!("delivery-{name}-{waiting}"), times[times.len() / 2].as_secs_f64() * 1e6);
            }
        }
        for (desk, waiting) in desks.iter().zip(WAITING) {
            report(&format!("delivery-all-{waiting}"), desk.deliver(Case::All, 0).await.as_secs_f64() * 1e6);
        }
        for desk in desks {
            desk.engine.shut_down(Duration::from_secs(5)).await;
        }
    });
    let _ = std::fs::remove_dir_all(&folder);
}

/// An engine with waiting executions: as many of `Desk`, which await a payment, as of `Order`,
/// which wait in their first state.
struct FullDesk {
    engine: Engine,
    waiting: usize,
}

impl FullDesk {
    async fn open(folder: &Path, waiting: usize) -> FullDesk {
        std::fs::create_dir_all(folder).expect("a folder");
        let builder = Engine::at(folder.join("desk.db")).workflow::<Desk>(Countdown::default());
        let engine = builder.workflow::<Order>(Countdown::default()).open().await.expect("a database");
        let mut submitted = JoinSet::new();
        for number in 0..waiting {
            let engine = engine.clone();
            submitted.spawn(async move {
                let desk = engine.start::<Desk>(value!({ "next": "Pay" })).id(format!("desk-{number}"));
                desk.submit().await.expect("a start");
                engine.start::<Order>(Object::new()).id(format!("order-{number}")).submit().await.expect("a start");
            });
        }
        submitted.join_all().await;
        let desk = FullDesk { engine, waiting };
        while !desk.has_begun() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
        desk
    }

    fn has_begun(&self) -> bool {
        self.engine.list(&Filter::all().status(Status::Queued).limit(1)).expect("a list").is_empty()
    }

    /// Delivers an event, and returns the time.
    async fn deliver(&self, case: Case, round: usize) -> Duration {
        // Another execution each time.
        let number = round * 7 % self.waiting;
        let id = format!("{}-{round}", case as usize);
        let event = |kind: &str, next: &str| {
            CloudEvent::new(id.as_str(), "/desk", kind).data(value!({ "next": next.to_owned() }))
        };
        let for_one = |event: CloudEvent, workflow: &str| event.extension("order", format!("{workflow}-{number}"));
        let event = match case {
            Case::Correlated => for_one(event("desk.paid", "Pay"), "desk"),
            Case::CorrelatedLater => for_one(event("desk.closed", "end"), "desk"),
            Case::Start => for_one(event("order.placed", "Place"), "order"),
            Case::AnyStart | Case::StartNew => event("desk.placed", "end"),
            Case::All => event("desk.noted", "end"),
        };
        if let Case::AnyStart = case {
            self.engine.start::<Desk>(Object::new()).submit().await.expect("a start");
            tokio::time::sleep(PAUSE).await;
        }
        let began = Instant::now();
        let reached = self.engine.publish_and_start(vec![event], &Object::new()).await.expect("it is delivered");
        let time = began.elapsed();
        let expected = match case {
            Case::StartNew => (0, 1),
            Case::All => (self.waiting, 0),
            _ => (1, 0),
        };
        assert_eq!((reached[0].executions, reached[0].started), expected);
        tokio::time::sleep(PAUSE).await;
        time
    }
}
