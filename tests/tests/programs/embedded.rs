//! Programs with several versions of a workflow: an execution ends on the version that started it.

use serde::Deserialize;
use std::sync::Mutex;
use workflow_runtime::machine::{Command, Execution, Outcome, Program, Start};
use workflow_runtime::testing::block_on;
use workflow_runtime::{Fault, TaskContext, Value, Workflow, include_workflow, value};

/// The input of a charge.
#[derive(Deserialize)]
pub struct Card {
    card: u32,
}

include_workflow!(
    "versions/order.asl.json",
    versions: { "versions/order.2025.asl.json" => order_2025, "versions/order.2024.asl.json" => order_2024 },
    tasks: { "charge" => charge(Card), "Fax" => fax(Card) },
);

/// An earlier version of the program.
mod last_year {
    use super::Card;
    use workflow_runtime::include_workflow;

    include_workflow!("versions/order.2025.asl.json", tasks: { "charge" => charge(Card) });
}

mod by_build_script {
    use super::Card;

    include!(concat!(env!("OUT_DIR"), "/parcel.rs"));
}

/// The tasks of the current version, which note their calls.
#[derive(Default)]
struct Shop(Mutex<Vec<String>>);

impl Shop {
    fn does(&self, what: &str) -> Outcome {
        self.0.lock().expect("nobody panicked").push(what.to_owned());
        Ok(value!(what))
    }
}

impl order::Tasks for Shop {
    async fn reserve(&self, _: Value, _: TaskContext) -> Outcome {
        self.does("reserve")
    }

    async fn charge(&self, card: Card, _: TaskContext) -> Outcome {
        self.does(&format!("charge {}", card.card))
    }

    async fn post(&self, _: Value, _: TaskContext) -> Outcome {
        self.does("post")
    }
}

/// The task that only the older version has.
impl order_2025::Tasks for Shop {
    async fn fax(&self, card: Card, _: TaskContext) -> Outcome {
        self.does(&format!("fax {}", card.card))
    }
}

/// Returns the notes of the tasks after `run`, in order.
fn done<F: Future<Output = Result<Value, Fault>>>(run: impl FnOnce(&'static Shop) -> F) -> Vec<String> {
    let shop: &'static Shop = Box::leak(Box::default());
    block_on(run(shop)).expect("it ends").expect("nothing fails");
    shop.0.lock().expect("nobody panicked").clone()
}

fn input() -> Value {
    value!({ "card": 7 })
}

#[test]
fn each_version_does_its_own_by_tasks_that_are_written_once() {
    assert_eq!(done(|shop| order::Order::run(shop, input())), ["reserve", "charge 7", "post"]);
    assert_eq!(done(|shop| order_2025::Order::run(shop, input())), ["charge 7", "fax 7", "post"]);
    assert_eq!(done(|shop| order_2024::Order::run(shop, input())), ["charge 7"]);
}

#[test]
fn an_execution_ends_on_the_version_that_it_started_with() {
    let mut start = Start::new(input());
    start.seed = Some(1);
    let before = Program::of::<last_year::order::Order>();
    let mut execution = before.start(start);
    let step = |execution: &mut Box<dyn Execution>| {
        let Some((op, Command::Invoke(call))) = execution.next_command() else { panic!("a task is invoked") };
        assert!(execution.complete(op, call.issued, Ok(value!(call.task.key))));
    };
    step(&mut execution);
    let snapshot = execution.save();

    let versions =
        [Program::of::<order::Order>(), Program::of::<order_2025::Order>(), Program::of::<order_2024::Order>()];
    assert!(versions.iter().all(|version| version.definition.name == "order"));
    let same: Vec<&Program> =
        versions.iter().filter(|version| version.definition.hash == before.definition.hash).collect();
    let [own] = same[..] else { panic!("one version is that of before") };
    assert_eq!(own.definition.source, order_2025::Order::DEFINITION.source);

    let refused = versions[0].load(&snapshot).map(|_| ()).expect_err("there is no fax today");
    assert!(refused.to_string().contains("Fax"), "{refused}");
    let mut execution = own.load(&snapshot).expect("its own version");
    step(&mut execution);
    step(&mut execution);
    assert_eq!(execution.result(), Some(&Ok(value!("post"))));
}

struct Depot(Shop);

impl by_build_script::parcel::Tasks for Depot {
    async fn reserve(&self, _: Value, _: TaskContext) -> Outcome {
        self.0.does("reserve")
    }

    async fn charge(&self, card: Card, _: TaskContext) -> Outcome {
        self.0.does(&format!("charge {}", card.card))
    }

    async fn post(&self, _: Value, _: TaskContext) -> Outcome {
        self.0.does("post")
    }
}

impl by_build_script::parcel_2025::Tasks for Depot {
    async fn fax(&self, card: Card, _: TaskContext) -> Outcome {
        self.0.does(&format!("fax {}", card.card))
    }
}

#[test]
fn build_scripts_embed_versions_too() {
    let depot = Depot(Shop::default());
    block_on(by_build_script::parcel_2025::Parcel::run(&depot, input())).expect("it ends").expect("nothing fails");
    assert_eq!(*depot.0.0.lock().expect("nobody panicked"), ["charge 7", "fax 7", "post"]);
    assert_eq!(by_build_script::parcel_2025::DEFINITION.name, by_build_script::parcel::DEFINITION.name);
    assert_ne!(by_build_script::parcel_2025::DEFINITION.hash, by_build_script::parcel::DEFINITION.hash);
}
