//! Two versions of a definition: the result of `cargo workflow diff`, and the executions of the
//! old version that the code of the new one loads.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, RustCode, TaskBinding, compile, pretty, rustfmt};
use workflow_runtime::machine::{Command, Execution, Op, Outcome, Program, Start, Stop};
use workflow_runtime::{CloudEvent, Fault, Timestamp, Value, value};
use workflow_tests::{definitions, golden, package};
use workflow_tools::compare::{Comparison, StateComparison, Verdict, compare};

include!(concat!(env!("OUT_DIR"), "/versions.rs"));

/// The way to drive an execution.
#[derive(Clone, Copy, Debug)]
struct Way {
    /// The task that fails once.
    fails: Option<&'static str>,
    /// `true` if the last request ends first.
    backwards: bool,
}

fn ways(program: Program) -> impl Iterator<Item = Way> {
    let failing = std::iter::once(None).chain(program.definition.tasks.iter().map(|task| Some(task.key)));
    failing.flat_map(|fails| [false, true].map(|backwards| Way { fails, backwards }))
}

/// An execution, with its pending requests.
struct Driven {
    execution: Box<dyn Execution>,
    open: Vec<(Op, Command)>,
    now: Timestamp,
    way: Way,
}

impl Driven {
    fn new(execution: Box<dyn Execution>, now: Timestamp, way: Way) -> Driven {
        let mut driven = Driven { execution, open: Vec::new(), now, way };
        driven.collect();
        driven
    }

    fn collect(&mut self) {
        while let Some(command) = self.execution.next_command() {
            self.open.push(command);
        }
        while let Some(stop) = self.execution.next_stop() {
            match stop {
                Stop::Op(gone) => self.open.retain(|(op, _)| *op != gone),
                Stop::All => unreachable!("these executions do not terminate"),
            }
        }
        self.open.sort_by_key(|(op, _)| *op);
    }

    /// Completes one pending request. Returns `false` if there is none.
    fn step(&mut self) -> bool {
        let next =
            if self.way.backwards { self.open.pop() } else { (!self.open.is_empty()).then(|| self.open.remove(0)) };
        let Some((op, command)) = next else { return false };
        let outcome = match command {
            Command::Sleep { until } => {
                self.now = self.now.max(until);
                Ok(Value::Null)
            }
            Command::Invoke(call) if self.way.fails == Some(call.task.key) && call.attempt == 1 => {
                Err(Fault::new("Flaky", format!("{} fails once", call.task.key)))
            }
            Command::Invoke(call) => Ok(value!({
                "done": (call.task.key), "limit": 5, "total": 7, "card": {}, "receipt": { "id": 1 }, "sum": 2.5, "to": "x",
                "address": "y"
            })),
            Command::Receive(reception) => {
                let kind = reception.events.first().expect("it waits for some");
                let (id, source) = (op.id.to_string(), kind.source.unwrap_or("/source"));
                Ok(CloudEvent::new(id, source, kind.kind.unwrap_or(kind.name)).to_value())
            }
            other => panic!("nobody asked for {other:?}"),
        };
        self.now = self.now.plus(Duration::from_secs(1));
        assert!(self.execution.complete(op, self.now, outcome));
        self.collect();
        true
    }

    fn finish(mut self) -> Outcome {
        while self.step() {}
        self.execution.result().cloned().expect("nothing is waited for")
    }
}

/// Saves executions of the old version wherever they wait, loads them with the code of the new
/// one, and checks that this succeeds or fails as the comparison says.
fn check(name: &str, old: Program, new: Program) {
    let comparison = compared(name);
    let states: BTreeMap<&str, (&StateComparison, Verdict)> = comparison
        .states
        .iter()
        .flat_map(|state| state.points.iter().map(move |point| (&*point.point, (state, point.verdict))))
        .collect();
    let mut left: BTreeSet<&str> = states.keys().copied().collect();
    for way in ways(old) {
        let now = Timestamp::from_seconds(1_700_000_000);
        let mut start = Start::new(value!({ "limit": 3, "total": 1, "items": [1, 2, 3], "card": {}, "to": "x" }));
        (start.seed, start.time, start.name) = (Some(1), Some(now), Some("e".into()));
        let mut driven = Driven::new(old.start(start), now, way);
        while driven.execution.result().is_none() {
            let snapshot = driven.execution.save();
            let waiting: Vec<&'static str> = driven.execution.describe().iter().map(|waiting| waiting.point).collect();
            waiting.iter().for_each(|point| _ = left.remove(point));
            let verdict = waiting.iter().map(|point| states[point].1).max();
            let loaded = new.load(&snapshot);
            let expected = verdict == Some(Verdict::Safe);
            assert_eq!(loaded.is_ok(), expected, "{name}, at {waiting:?}, {way:?}: {verdict:?}, {:?}", loaded.err());
            // The old version can still load the snapshot.
            let stays = old.load(&snapshot).expect("the old version knows it");
            if let Ok(loaded) = loaded {
                let follows_alike = waiting.iter().all(|point| {
                    let (state, _) = states[point];
                    state.differs.is_empty() && state.remarks.is_empty()
                });
                if follows_alike {
                    let expected = Driven::new(stays, driven.now, way).finish();
                    assert_eq!(Driven::new(loaded, driven.now, way).finish(), expected, "{name}, from {waiting:?}");
                }
            }
            driven.step();
        }
    }
    assert!(left.is_empty(), "{name}: nothing waited at {left:?}");
}

fn compared(name: &str) -> Comparison {
    let pairs = definitions::pairs(package()).unwrap_or_else(|message| panic!("{message}"));
    let is_it = |pair: &&definitions::Pair| format!("{}/{}", pair.dialect, pair.name) == name;
    let pair = pairs.iter().find(is_it).unwrap_or_else(|| panic!("there is no {name}"));
    let [old, new] = ["old", "new"].map(|version| pair.compile(version).unwrap_or_else(|message| panic!("{message}")));
    compare(&old, &new).unwrap_or_else(|| panic!("{name} is refused"))
}

#[test]
fn comparisons_are_kept() {
    let pairs = definitions::pairs(package()).unwrap_or_else(|message| panic!("{message}"));
    let problems: Vec<String> = pairs
        .iter()
        .filter_map(|pair| {
            let shown = compared(&format!("{}/{}", pair.dialect, pair.name)).to_string();
            golden::check(&pair.folder, &pair.name, &shown).err()
        })
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

const JSON: &str = r#"{
  "StartAt": "Charge",
  "States": {
    "Charge": {
      "Type": "Task", "Resource": "arn:aws:lambda:eu-west-1:123456789012:function:charge",
      "Retry": [{ "ErrorEquals": ["Flaky"], "MaxAttempts": 2 }],
      "ResultPath": "$.receipt", "Next": "Cool"
    },
    "Cool": { "Type": "Wait", "Seconds": 10, "End": true }
  }
}"#;
/// The same definition in another order, with another layout, and with comments.
const YAML: &str = r#"
# How an order is paid.
States:
  Cool: {End: true, Seconds: 10, Type: Wait}
  Charge:
    Next: Cool
    ResultPath: $.receipt   # Beside the order.
    Retry:
      - MaxAttempts: 2
        ErrorEquals: [Flaky]
    Resource: "arn:aws:lambda:eu-west-1:123456789012:function:charge"
    Type: Task
StartAt: Charge
"#;

/// Returns the rows of the table of suspension points in generated code.
fn points(code: &str) -> Vec<&str> {
    let lines = code.lines().skip_while(|line| !line.contains("rt::suspension_points!(")).skip(1);
    let mut points: Vec<&str> = lines.take_while(|line| line.trim() != ");").map(str::trim).collect();
    points.sort_unstable();
    points
}

#[test]
fn a_definition_that_is_laid_out_otherwise_is_the_same() {
    let [json, yaml] = [("order.asl.json", JSON), ("order.asl.yaml", YAML)]
        .map(|(name, text)| compile(Source::new(name, text), &Options::default()));
    assert_eq!(json.hash, yaml.hash);
    let codes = [&json, &yaml].map(|output| rustfmt(pretty(output).expect("it is not refused")));
    assert!(points(&codes[0]).iter().any(|point| point.contains("\"Charge retry\"")), "{:?}", points(&codes[0]));
    assert_eq!(points(&codes[0]), points(&codes[1]));
    let comparison = compare(&json, &yaml).expect("neither is refused");
    assert!(
        comparison.is_same()
            && comparison.to_string().starts_with("nothing changed: both definitions have the same meaning (")
    );
}

/// Snapshots do not contain the user's types: suspension points carry values of the runtime.
#[test]
fn types_of_the_program_are_no_part_of_layouts() {
    let compile = |options: &Options| {
        let output = compile(Source::new("order.asl.json", JSON), options);
        rustfmt(pretty(&output).expect("it is not refused"))
    };
    let ty = |name: &str| Some(RustCode::from(name));
    let task =
        TaskBinding { task: "charge".into(), method: "charge".into(), input: ty("Order"), output: ty("Receipt") };
    let typed = Options { tasks: vec![task], input: ty("Order"), output: ty("Shipment"), ..Options::default() };
    let (plain, typed) = (compile(&Options::default()), compile(&typed));
    assert_ne!(plain, typed);
    assert_eq!(points(&plain), points(&typed));
}

#[test]
fn changes_that_concern_all_states_are_reported() {
    let compiled = |text: &str, change: fn(&mut Options)| {
        let mut options = Options::default();
        change(&mut options);
        compile(Source::new("order.asl.json", text), &options)
    };
    let old = compiled(JSON, |_| {});
    let renamed = compare(&old, &compiled(JSON, |options| options.name = Some("orders".into()))).expect("compared");
    assert_eq!((renamed.verdict(), renamed.count(Verdict::Breaking)), (Verdict::Breaking, 2));
    assert_eq!(renamed.states[0].reasons, ["the name of the workflow changed from `order` to `orders`"]);

    let changed = JSON
        .replacen('{', "{ \"TimeoutSeconds\": 60,", 1)
        .replace("\"Seconds\": 10,", "\"Seconds\": 10, \"Comment\": \"${Stage}\", \"Assign\": { \"stage\": \"${Stage}\", \"by.$\": \"$$.Execution.Input.id\" },");
    let changed = compare(&old, &compiled(&changed, |options| options.payload_limit = Some(1000))).expect("compared");
    let notes: Vec<&str> = changed.notes.iter().map(|note| &*note.text).collect();
    let expected = [
        "the time-out changed from none to 60 s, but running executions keep their deadline",
        "the data limit changed from none to 1000 bytes, but running executions keep their limit",
        "new setting `Stage`: its value is null in running executions",
        "the new definition reads the context object, and `$$.Execution.Input` is null in running executions",
    ];
    assert_eq!(notes, expected);
    assert_eq!(changed.verdict(), Verdict::Safe);
}
