//! A workflow in the form of the compiler's output: a task with retries and a catcher, a loop, a
//! wait, a Parallel, a Map, and a task whose outcome arrives by token.

use workflow_runtime::__private::{self as rt, Fault, Get as _, Outcome, Retries, Value};

type Turn = rt::Turn<State>;
type TurnResult = rt::TurnResult<State>;

pub struct Order;

impl rt::Workflow for Order {
    type State = State;
    const DEFINITION: &'static rt::Definition = &DEFINITION;
}

pub static DEFINITION: rt::Definition = rt::Definition {
    name: "order",
    dialect: "asl",
    source: "flows/order.asl.json",
    hash: 0x1234_5678_9abc_def0,
    timeout_seconds: Some(86_400),
    context: true,
    states: &[
        rt::StateInfo::new("Charge", "Task", 1, &["Count", "Notify"]),
        rt::StateInfo::new("Count", "Choice", 1, &["Less", "Cool"]),
        rt::StateInfo::new("Less", "Pass", 1, &["Count"]),
        rt::StateInfo::new("Cool", "Wait", 1, &["Fan"]),
        rt::StateInfo::new("Fan", "Parallel", 1, &["Each"]),
        rt::StateInfo::new("Reserve", "Task", 1, &[]),
        rt::StateInfo::new("Rest", "Wait", 1, &["Label"]),
        rt::StateInfo::new("Label", "Task", 1, &[]),
        rt::StateInfo::new("Each", "Map", 1, &["Approve", "Notify"]),
        rt::StateInfo::new("Pack", "Task", 1, &[]),
        rt::StateInfo::new("Approve", "Task", 1, &[]),
        rt::StateInfo::new("Notify", "Task", 1, &[]),
    ],
    tasks: &[&CHARGE_CARD, &RESERVE, &LABEL, &PACK, &SEND_MESSAGE, &NOTIFY],
    points: &POINTS,
    graph: "stateDiagram-v2",
    ..rt::Definition::VERSION_0_1_0
};

static CHARGE_CARD: rt::Task =
    rt::Task::new(0, "ChargeCard", "arn:aws:lambda:us-east-1:1:function:ChargeCard", "Charge", 1);
static RESERVE: rt::Task = rt::Task::new(1, "Reserve", "arn:aws:lambda:us-east-1:1:function:Reserve", "Reserve", 1);
static LABEL: rt::Task = rt::Task::new(2, "Label", "arn:aws:lambda:us-east-1:1:function:Label", "Label", 1);
static PACK: rt::Task = rt::Task::new(3, "Pack", "arn:aws:lambda:us-east-1:1:function:Pack", "Pack", 1);
static SEND_MESSAGE: rt::Task =
    rt::Task::new(4, "sqs:sendMessage", "arn:aws:states:::sqs:sendMessage.waitForTaskToken", "Approve", 1);
static NOTIFY: rt::Task = rt::Task::new(5, "Notify", "arn:aws:lambda:us-east-1:1:function:Notify", "Notify", 1);

static CHARGE_RETRY: &[rt::Retrier] = &[rt::Retrier {
    errors: &[rt::ErrorMatch::Named("Flaky"), rt::ErrorMatch::Timeout],
    interval_seconds: 1.0,
    max_attempts: 3,
    backoff_rate: 2.0,
    max_delay_seconds: None,
    increment_seconds: 0.0,
    jitter: workflow_runtime::machine::Jitter::None,
}];

static EACH_RETRY: &[rt::Retrier] = &[rt::Retrier {
    errors: &[rt::ErrorMatch::Named("Busy")],
    interval_seconds: 10.0,
    max_attempts: 2,
    backoff_rate: 1.0,
    max_delay_seconds: None,
    increment_seconds: 0.0,
    jitter: workflow_runtime::machine::Jitter::Full,
}];

pub enum State {
    Start(Value),
    Charge(Value, Retries),
    ChargeRetry(Value, Retries),
    Count(Value),
    Cool(Value),
    Fan(Value),
    FanLeft(Value),
    FanRight(Value),
    Reserve,
    Rest(Value),
    Label,
    Each(Value, Retries),
    EachRetry(Value, Retries),
    EachItem(Value, Value),
    Pack,
    Approve(Value),
    Notify,
}

fn charge(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Charge", &d);
    charge_try(d, Retries::new(), turn)
}

fn charge_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
    let input = match member(&d, "card") {
        Ok(v) => v,
        Err(fault) => return charge_failed(d, retries, fault, turn),
    };
    turn.invoke(&CHARGE_CARD, input).timeout_seconds(60.0).heartbeat_seconds(20.0);
    rt::wait(State::Charge(d, retries))
}

fn charge_done(d: Value, retries: Retries, done: Outcome, turn: &mut Turn) -> TurnResult {
    let result = match done {
        Ok(v) => v,
        Err(fault) => return charge_failed(d, retries, fault, turn),
    };
    let d = put(d, "charge", result);
    count(d, turn)
}

fn charge_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
    let fault = turn.locate(fault);
    if turn.retry(CHARGE_RETRY, &mut retries, &fault) {
        return rt::wait(State::ChargeRetry(d, retries));
    }
    if fault.is(&["Declined"]) {
        let d = put(d, "error", fault.output());
        return notify(d, turn);
    }
    Err(fault)
}

fn count(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Count", &d);
    if d.get("count").and_then(Value::as_i64).unwrap_or(0) > 0 { less(d, turn) } else { cool(d, turn) }
}

fn less(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Less", &d);
    let left = d.get("count").and_then(Value::as_i64).unwrap_or(0) - 1;
    rt::next(State::Count(put(d, "count", left.into())))
}

fn cool(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Cool", &d);
    turn.sleep_seconds(30.0);
    rt::wait(State::Cool(d))
}

fn fan(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Fan", &d);
    turn.fork(2);
    rt::wait(State::Fan(d))
}

fn fan_done(d: Value, done: Outcome, turn: &mut Turn) -> TurnResult {
    let results = match done {
        Ok(v) => v,
        Err(fault) => {
            let fault = turn.locate(fault);
            if fault.is_catchable() {
                return notify(put(d, "error", fault.output()), turn);
            }
            return Err(fault);
        }
    };
    each(put(d, "fan", results), turn)
}

fn reserve(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Reserve", &d);
    turn.invoke(&RESERVE, d);
    rt::wait(State::Reserve)
}

fn rest(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Rest", &d);
    turn.sleep_seconds(5.0);
    rt::wait(State::Rest(d))
}

fn label(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Label", &d);
    let input = rt::object([("id", Value::from(turn.uuid())), ("context", turn.context())]);
    turn.invoke(&LABEL, input).timeout_seconds(100.0);
    rt::wait(State::Label)
}

fn each(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Each", &d);
    each_try(d, Retries::new(), turn)
}

fn each_try(d: Value, retries: Retries, turn: &mut Turn) -> TurnResult {
    let items = match member(&d, "items") {
        Ok(v) => v,
        Err(fault) => return each_failed(d, retries, fault, turn),
    };
    turn.for_each(&items, rt::Limits { concurrency: 3, ..rt::Limits::default() });
    rt::wait(State::Each(d, retries))
}

fn each_failed(d: Value, mut retries: Retries, fault: Fault, turn: &mut Turn) -> TurnResult {
    let fault = turn.locate(fault);
    if turn.retry(EACH_RETRY, &mut retries, &fault) {
        return rt::wait(State::EachRetry(d, retries));
    }
    if fault.is_catchable() {
        return notify(put(d, "error", fault.output()), turn);
    }
    Err(fault)
}

fn each_done(d: Value, retries: Retries, done: Outcome, turn: &mut Turn) -> TurnResult {
    match done {
        Ok(results) => approve(put(d, "packed", results), turn),
        Err(fault) => each_failed(d, retries, fault, turn),
    }
}

fn pack(d: Value, item: Value, turn: &mut Turn) -> TurnResult {
    let item = rt::object([("order", d.get("id").cloned().unwrap_or_default()), ("item", item)]);
    turn.enter("Pack", &item);
    turn.invoke(&PACK, item).timeout_seconds(1000.0);
    rt::wait(State::Pack)
}

fn approve(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Approve", &d);
    let context = turn.context();
    let token = context.get("Task").get("Token").cloned().unwrap_or_default();
    turn.invoke(&SEND_MESSAGE, rt::object([("token", token)])).callback().timeout_seconds(3600.0);
    rt::wait(State::Approve(d))
}

fn notify(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Notify", &d);
    turn.invoke(&NOTIFY, d);
    rt::wait(State::Notify)
}

impl rt::Machine for State {
    const POINTS: &'static [rt::SuspensionPoint] = &POINTS;

    fn start(input: Value) -> State {
        State::Start(input)
    }

    fn enter(self, turn: &mut Turn) -> TurnResult {
        match self {
            State::Start(d) => charge(d, turn),
            State::Count(d) => count(d, turn),
            State::FanLeft(d) => reserve(d, turn),
            State::FanRight(d) => rest(d, turn),
            State::EachItem(d, item) => pack(d, item, turn),
            waiting => rt::wait(waiting),
        }
    }

    fn resume(self, done: Outcome, turn: &mut Turn) -> TurnResult {
        match self {
            State::Charge(d, retries) => charge_done(d, retries, done, turn),
            State::ChargeRetry(d, retries) => {
                done?;
                charge_try(d, retries, turn)
            }
            State::Cool(d) => {
                done?;
                fan(d, turn)
            }
            State::Fan(d) => fan_done(d, done, turn),
            State::Reserve | State::Label | State::Pack | State::Notify => rt::done(done?),
            State::Rest(d) => {
                done?;
                label(d, turn)
            }
            State::Each(d, retries) => each_done(d, retries, done, turn),
            State::EachRetry(d, retries) => {
                done?;
                each_try(d, retries, turn)
            }
            State::Approve(d) => rt::done(put(d, "approval", done?)),
            waiting => rt::wait(waiting),
        }
    }

    fn child(&self, index: usize, item: &Value) -> Option<State> {
        match (self, index) {
            (State::Fan(d), 0) => Some(State::FanLeft(d.clone())),
            (State::Fan(d), 1) => Some(State::FanRight(d.clone())),
            (State::Each(d, _), _) => Some(State::EachItem(d.clone(), item.clone())),
            _ => None,
        }
    }

    fn point(&self) -> &'static rt::SuspensionPoint {
        &POINTS[match self {
            State::Start(_) => 0,
            State::Charge(..) => 1,
            State::ChargeRetry(..) => 2,
            State::Count(_) => 3,
            State::Cool(_) => 4,
            State::Fan(_) => 5,
            State::FanLeft(_) => 6,
            State::FanRight(_) => 7,
            State::Reserve => 8,
            State::Rest(_) => 9,
            State::Label => 10,
            State::Each(..) => 11,
            State::EachRetry(..) => 12,
            State::EachItem(..) => 13,
            State::Pack => 14,
            State::Approve(_) => 15,
            State::Notify => 16,
        }]
    }

    fn save(&self, w: &mut rt::Writer) {
        match self {
            State::Reserve | State::Label | State::Pack | State::Notify => {}
            State::Start(d)
            | State::Count(d)
            | State::Cool(d)
            | State::Fan(d)
            | State::FanLeft(d)
            | State::FanRight(d)
            | State::Rest(d)
            | State::Approve(d) => w.put(d),
            State::EachItem(d, item) => {
                w.put(d);
                w.put(item);
            }
            State::Charge(d, retries)
            | State::ChargeRetry(d, retries)
            | State::Each(d, retries)
            | State::EachRetry(d, retries) => {
                w.put(d);
                w.put(retries);
            }
        }
    }

    fn load(point: &str, r: &mut rt::Reader<'_>) -> Result<State, rt::LoadError> {
        Ok(match point {
            "Start" => State::Start(r.take()?),
            "Charge" => State::Charge(r.take()?, r.take()?),
            "Charge.retry" => State::ChargeRetry(r.take()?, r.take()?),
            "Count" => State::Count(r.take()?),
            "Cool" => State::Cool(r.take()?),
            "Fan" => State::Fan(r.take()?),
            "Fan.0" => State::FanLeft(r.take()?),
            "Fan.1" => State::FanRight(r.take()?),
            "Reserve" => State::Reserve,
            "Rest" => State::Rest(r.take()?),
            "Label" => State::Label,
            "Each" => State::Each(r.take()?, r.take()?),
            "Each.retry" => State::EachRetry(r.take()?, r.take()?),
            "Each.item" => State::EachItem(r.take()?, r.take()?),
            "Pack" => State::Pack,
            "Approve" => State::Approve(r.take()?),
            "Notify" => State::Notify,
            other => return Err(rt::LoadError::unknown_point(other)),
        })
    }
}

static POINTS: [rt::SuspensionPoint; 17] = [
    rt::SuspensionPoint::new("Start", "", 1),
    rt::SuspensionPoint::new("Charge", "Charge", 2),
    rt::SuspensionPoint::new("Charge.retry", "Charge", 2),
    rt::SuspensionPoint::new("Count", "Count", 1),
    rt::SuspensionPoint::new("Cool", "Cool", 1),
    rt::SuspensionPoint::new("Fan", "Fan", 1),
    rt::SuspensionPoint::new("Fan.0", "Fan", 1),
    rt::SuspensionPoint::new("Fan.1", "Fan", 1),
    rt::SuspensionPoint::new("Reserve", "Reserve", 0),
    rt::SuspensionPoint::new("Rest", "Rest", 1),
    rt::SuspensionPoint::new("Label", "Label", 0),
    rt::SuspensionPoint::new("Each", "Each", 2),
    rt::SuspensionPoint::new("Each.retry", "Each", 2),
    rt::SuspensionPoint::new("Each.item", "Each", 3),
    rt::SuspensionPoint::new("Pack", "Pack", 0),
    rt::SuspensionPoint::new("Approve", "Approve", 1),
    rt::SuspensionPoint::new("Notify", "Notify", 0),
];

/// Evaluates a reference path.
fn member(d: &Value, key: &str) -> Result<Value, Fault> {
    let missing = || Fault::runtime(format!("The JSONPath '$.{key}' could not be found in the input '{d}'"));
    d.get(key).cloned().ok_or_else(missing)
}

/// Applies a `ResultPath`.
fn put(mut d: Value, key: &'static str, value: Value) -> Value {
    if let Some(members) = d.as_object_mut() {
        members.insert(key, value);
    }
    d
}
