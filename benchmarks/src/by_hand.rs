//! `flows/ten.asl.json` by hand: one enum of all states and one loop over it, on the runtime's own
//! `Value` and `Turn`.

use crate::members::{get, set};
use workflow_runtime::__private::{
    Definition, ErrorMatch, LoadError, Machine, Outcome, Reader, Retrier, Retries, StateInfo, SuspensionPoint, Task,
    Turn, TurnResult, Value, Workflow, Writer, done, object, string, wait,
};

static TASKS: &[&Task] = &[
    &Task::new(0, "Fetch", "", "Fetch", 1),
    &Task::new(1, "Enrich", "", "Enrich", 1),
    &Task::new(2, "Right", "", "Right", 1),
    &Task::new(3, "Price", "", "Price", 1),
];
static STATES: &[StateInfo] = &[];
static POINT: SuspensionPoint = SuspensionPoint::new("by hand", "", 0);
static BUSY: &[Retrier] = &[Retrier::new(&[ErrorMatch::Named("Busy")], 1.0, 3, 2.0)];

static DEFINITION: Definition = Definition {
    name: "by_hand",
    dialect: "none",
    source: "by_hand.rs",
    hash: 0,
    states: STATES,
    tasks: TASKS,
    ..Definition::VERSION_0_1_0
};

/// The workflow.
#[derive(Debug)]
pub struct ByHand;

impl Workflow for ByHand {
    type State = State;
    const DEFINITION: &'static Definition = &DEFINITION;
}

/// All states.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum State {
    Init(Value),
    Fetch(Value),
    FetchDone(Value),
    Gate(Value),
    Enrich(Value, Retries),
    EnrichDone(Value, Retries),
    Fan(Value),
    FanDone(Value),
    Left(Value),
    Right(Value),
    RightDone,
    Each(Value),
    EachDone(Value),
    Price(Value),
    PriceDone(Value),
    Sum(Value),
    Check(Value),
    Tag(Value),
    Done(Value),
}

impl State {
    fn run(mut self, turn: &mut Turn<State>) -> TurnResult<State> {
        loop {
            self = match self {
                State::Init(mut d) => {
                    turn.enter("Init", &d);
                    set(&mut d, "meta", object([("source", string("bench")), ("version", Value::Int(3))]))?;
                    State::Fetch(d)
                }
                State::Fetch(d) => {
                    turn.enter("Fetch", &d);
                    turn.invoke(TASKS[0], d.clone()).timeout_seconds(60.0);
                    return wait(State::FetchDone(d));
                }
                State::Gate(d) => {
                    turn.enter("Gate", &d);
                    let gift = get(&d, &["order", "kind"])?.as_str() == Some("gift");
                    let large = get(&d, &["order", "total"])?.as_f64().is_some_and(|total| total > 100000.0);
                    let noted = get(&d, &["order", "note"]).is_ok();
                    if large || gift && noted { State::Tag(d) } else { State::Enrich(d, Retries::new()) }
                }
                State::Enrich(d, retries) => {
                    turn.enter("Enrich", &d);
                    let input = object([
                        ("id", get(&d, &["order", "id"])?.clone()),
                        ("total", get(&d, &["order", "total"])?.clone()),
                        ("source", get(&d, &["meta", "source"])?.clone()),
                    ]);
                    turn.invoke(TASKS[1], input).timeout_seconds(60.0);
                    return wait(State::EnrichDone(d, retries));
                }
                State::Fan(d) => {
                    turn.enter("Fan", &d);
                    turn.fork(2);
                    return wait(State::FanDone(d));
                }
                State::Left(d) => {
                    turn.enter("Left", &d);
                    return done(object([("id", get(&d, &["order", "id"])?.clone())]));
                }
                State::Right(d) => {
                    turn.enter("Right", &d);
                    let input = object([("score", get(&d, &["enriched", "score"])?.clone())]);
                    turn.invoke(TASKS[2], input).timeout_seconds(60.0);
                    return wait(State::RightDone);
                }
                State::Each(d) => {
                    turn.enter("Each", &d);
                    let items = get(&d, &["order", "items"])?.clone();
                    turn.for_each(&items, Default::default());
                    return wait(State::EachDone(d));
                }
                State::Price(d) => {
                    turn.enter("Price", &d);
                    turn.invoke(TASKS[3], d.clone()).timeout_seconds(60.0);
                    return wait(State::PriceDone(d));
                }
                State::Sum(mut d) => {
                    turn.enter("Sum", &d);
                    let total = get(&d, &["order", "total"])?.as_i64().unwrap_or(0);
                    let score = get(&d, &["enriched", "score"])?.as_i64().unwrap_or(0);
                    set(&mut d, "sum", object([("sum", Value::Int(total + score))]))?;
                    State::Check(d)
                }
                State::Check(d) => {
                    turn.enter("Check", &d);
                    let negative = get(&d, &["sum", "sum"])?.as_f64().is_some_and(|sum| sum < 0.0);
                    if negative { State::Done(d) } else { State::Tag(d) }
                }
                State::Tag(mut d) => {
                    turn.enter("Tag", &d);
                    set(&mut d, "tag", string("done"))?;
                    State::Done(d)
                }
                State::Done(d) => {
                    turn.enter("Done", &d);
                    return done(d);
                }
                waiting => return wait(waiting),
            }
        }
    }
}

impl Machine for State {
    const POINTS: &'static [SuspensionPoint] = &[];

    fn start(input: Value) -> Self {
        State::Init(input)
    }

    fn enter(self, turn: &mut Turn<Self>) -> TurnResult<Self> {
        self.run(turn)
    }

    fn resume(self, outcome: Outcome, turn: &mut Turn<Self>) -> TurnResult<Self> {
        let next = match self {
            State::FetchDone(mut d) => {
                set(&mut d, "order", outcome?)?;
                State::Gate(d)
            }
            State::EnrichDone(mut d, mut retries) => match outcome {
                Ok(result) => {
                    let selected = object([("score", get(&result, &["total"])?.clone()), ("by", string("enrich"))]);
                    set(&mut d, "enriched", selected)?;
                    State::Fan(d)
                }
                Err(fault) => {
                    let fault = turn.locate(fault);
                    if turn.retry(BUSY, &mut retries, &fault) {
                        return wait(State::Enrich(d, retries));
                    }
                    return Err(fault);
                }
            },
            State::FanDone(mut d) => {
                set(&mut d, "fan", outcome?)?;
                State::Each(d)
            }
            State::RightDone => return done(outcome?),
            State::EachDone(mut d) => {
                set(&mut d, "priced", outcome?)?;
                State::Sum(d)
            }
            State::PriceDone(mut d) => {
                set(&mut d, "price", outcome?)?;
                turn.enter("Mark", &d);
                set(&mut d, "priced", Value::Bool(true))?;
                return done(d);
            }
            other => other,
        };
        next.run(turn)
    }

    fn child(&self, index: usize, item: &Value) -> Option<Self> {
        match self {
            State::FanDone(d) if index == 0 => Some(State::Left(d.clone())),
            State::FanDone(d) => Some(State::Right(d.clone())),
            State::EachDone(_) => Some(State::Price(item.clone())),
            _ => None,
        }
    }

    fn point(&self) -> &'static SuspensionPoint {
        &POINT
    }

    fn save(&self, _: &mut Writer) {}

    fn load(point: &str, _: &mut Reader<'_>) -> Result<Self, LoadError> {
        Err(LoadError::unknown_point(point))
    }
}
