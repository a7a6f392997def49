//! A workflow whose shape its input determines: deep, wide, long or endless.

use workflow_runtime::__private::{self as rt, Outcome, Value};

type Turn = rt::Turn<State>;
type TurnResult = rt::TurnResult<State>;

pub struct Extremes;

impl rt::Workflow for Extremes {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

pub static DEFINITION: rt::Definition = rt::Definition {
    name: "extremes",
    dialect: "asl",
    source: "extremes.asl.json",
    hash: 1,
    states: &[
        rt::StateInfo::new("Deep", "Pass", 1, &[]),
        rt::StateInfo::new("Wide", "Pass", 1, &[]),
        rt::StateInfo::new("Item", "Pass", 1, &[]),
        rt::StateInfo::new("Sleep", "Pass", 1, &[]),
        rt::StateInfo::new("Spin", "Pass", 1, &[]),
        rt::StateInfo::new("SpinFork", "Pass", 1, &[]),
        rt::StateInfo::new("Work", "Pass", 1, &[]),
        rt::StateInfo::new("Bad", "Pass", 1, &[]),
    ],
    tasks: &[&ITEM, &WORK],
    points: &POINTS,
    ..rt::Definition::VERSION_0_1_0
};

static ITEM: rt::Task = rt::Task::new(0, "Item", "item", "Item", 1);
static WORK: rt::Task = rt::Task::new(1, "Work", "work", "Work", 1);

#[derive(Debug)]
pub enum State {
    Start(Value),
    /// A fork of one branch that forks one branch …
    Deep(i64),
    /// A Map over `items` with `concurrency`, in which every item is a task or does nothing.
    Wide(bool),
    Item(Value, bool),
    ItemRun,
    /// A branch that sleeps for a month, and a sibling that works `n` times.
    Beside(i64),
    Month,
    Works(i64),
    Work(i64),
    /// A cycle without a wait.
    Spin(i64),
    SpinFork(i64),
    SpinBranch,
    /// A fork without branches.
    Bad,
}

fn begin(d: &Value, turn: &mut Turn) -> TurnResult {
    let n = d.get("n").and_then(Value::as_i64).unwrap_or(0);
    match d.get("mode").and_then(Value::as_str) {
        Some("deep") => deep(n, turn),
        Some("wide") => {
            turn.enter("Wide", d);
            let items = d.get("items").cloned().unwrap_or_default();
            let limits = rt::Limits {
                concurrency: n.unsigned_abs(),
                tolerated_count: d.get("count").and_then(Value::as_i64).map(i64::unsigned_abs),
                tolerated_percentage: d.get("percentage").and_then(Value::as_f64),
                ..rt::Limits::default()
            };
            turn.for_each(&items, limits);
            rt::wait(State::Wide(d.get("pure").is_some()))
        }
        Some("beside") => {
            turn.fork(2);
            rt::wait(State::Beside(n))
        }
        Some("spin") => rt::next(State::Spin(n)),
        Some("spin-fork") => rt::next(State::SpinFork(n)),
        Some("bad") => {
            turn.enter("Bad", d);
            turn.fork(2);
            rt::wait(State::Bad)
        }
        Some("nothing") => rt::wait(State::Bad),
        _ => rt::done(d.clone()),
    }
}

fn deep(n: i64, turn: &mut Turn) -> TurnResult {
    turn.enter("Deep", &Value::Null);
    if n == 0 {
        turn.invoke(&ITEM, Value::Null);
        return rt::wait(State::ItemRun);
    }
    turn.fork(1);
    rt::wait(State::Deep(n))
}

impl rt::Machine for State {
    const POINTS: &'static [rt::SuspensionPoint] = &POINTS;

    fn start(input: Value) -> State {
        State::Start(input)
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Start(d) => begin(&d, turn),
            State::Deep(n) => deep(n, turn),
            State::Item(item, true) => {
                turn.enter("Item", &item);
                rt::done(item)
            }
            State::Item(item, false) => {
                turn.enter("Item", &item);
                turn.invoke(&ITEM, item);
                rt::wait(State::ItemRun)
            }
            State::Month => {
                turn.enter("Sleep", &Value::Null);
                turn.sleep_seconds(30.0 * 86_400.0);
                rt::wait(State::Month)
            }
            State::Works(0) => rt::done(Value::Null),
            State::Works(n) => {
                turn.enter("Work", &Value::Null);
                turn.invoke(&WORK, n.into()).timeout_seconds(60.0);
                rt::wait(State::Work(n))
            }
            State::Spin(0) | State::SpinFork(0) => rt::done("spun".into()),
            State::Spin(n) => {
                turn.enter("Spin", &Value::Null);
                rt::next(State::Spin(n - 1))
            }
            State::SpinFork(n) => {
                turn.enter("SpinFork", &Value::Null);
                turn.fork(2);
                rt::wait(State::SpinFork(n))
            }
            State::SpinBranch => {
                turn.enter("Spin", &Value::Null);
                rt::done(Value::Null)
            }
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, done: Outcome, _turn: &mut Turn) -> TurnResult {
        let done = done?;
        match self {
            State::Deep(n) => rt::done(rt::array([done, n.into()])),
            State::Month => rt::done("a month later".into()),
            State::Work(n) => rt::next(State::Works(n - 1)),
            State::SpinFork(n) => rt::next(State::SpinFork(n - 1)),
            _ => rt::done(done),
        }
    }

    fn child(&self, index: usize, item: &Value) -> Option<State> {
        match (self, index) {
            (State::Deep(n), _) => Some(State::Deep(n - 1)),
            (State::Wide(pure), _) => Some(State::Item(item.clone(), *pure)),
            (State::Beside(_), 0) => Some(State::Month),
            (State::Beside(n), _) => Some(State::Works(*n)),
            (State::SpinFork(_), _) => Some(State::SpinBranch),
            _ => None,
        }
    }

    fn point(&self) -> &'static rt::SuspensionPoint {
        &POINTS[match self {
            State::Start(_) => 0,
            State::Deep(_) => 1,
            State::Wide(_) => 2,
            State::Item(..) => 3,
            State::ItemRun => 4,
            State::Beside(_) => 5,
            State::Month => 6,
            State::Works(_) => 7,
            State::Work(_) => 8,
            State::Spin(_) => 9,
            State::SpinFork(_) => 10,
            State::SpinBranch => 11,
            State::Bad => 12,
        }]
    }

    fn save(&self, w: &mut rt::Writer) {
        match self {
            State::Start(d) => w.put(d),
            State::Item(d, pure) => {
                w.put(d);
                w.put(pure);
            }
            State::Wide(pure) => w.put(pure),
            State::Deep(n)
            | State::Beside(n)
            | State::Works(n)
            | State::Work(n)
            | State::Spin(n)
            | State::SpinFork(n) => w.put(n),
            State::ItemRun | State::Month | State::SpinBranch | State::Bad => {}
        }
    }

    fn load(point: &str, r: &mut rt::Reader<'_>) -> Result<State, rt::LoadError> {
        Ok(match point {
            "Start" => State::Start(r.take()?),
            "Deep" => State::Deep(r.take()?),
            "Wide" => State::Wide(r.take()?),
            "Item" => State::Item(r.take()?, r.take()?),
            "ItemRun" => State::ItemRun,
            "Beside" => State::Beside(r.take()?),
            "Month" => State::Month,
            "Works" => State::Works(r.take()?),
            "Work" => State::Work(r.take()?),
            "Spin" => State::Spin(r.take()?),
            "SpinFork" => State::SpinFork(r.take()?),
            "SpinBranch" => State::SpinBranch,
            "Bad" => State::Bad,
            other => return Err(rt::LoadError::unknown_point(other)),
        })
    }
}

static POINTS: [rt::SuspensionPoint; 13] = [
    rt::SuspensionPoint::new("Start", "", 7),
    rt::SuspensionPoint::new("Deep", "", 7),
    rt::SuspensionPoint::new("Wide", "", 7),
    rt::SuspensionPoint::new("Item", "", 7),
    rt::SuspensionPoint::new("ItemRun", "", 7),
    rt::SuspensionPoint::new("Beside", "", 7),
    rt::SuspensionPoint::new("Month", "", 7),
    rt::SuspensionPoint::new("Works", "", 7),
    rt::SuspensionPoint::new("Work", "", 7),
    rt::SuspensionPoint::new("Spin", "", 7),
    rt::SuspensionPoint::new("SpinFork", "", 7),
    rt::SuspensionPoint::new("SpinBranch", "", 7),
    rt::SuspensionPoint::new("Bad", "", 7),
];
