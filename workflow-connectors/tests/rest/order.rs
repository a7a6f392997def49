//! Workflow as the compiler prints it, with one task that is a request without a document.

use workflow_runtime::__private::{self as rt, Value, operation};

pub struct Order;

static OPERATION_1: rt::Operation = rt::Operation::Http(
    operation::Http::new("GET", "http://127.0.0.1:").goes_on().secrets(&[operation::SecretHeader::new(
        "Authorization",
        "Bearer ",
        "token",
    )]),
);

rt::definition! {
    VERSION_0_1_0 Order "order", "none", "order.json", 0x5eed, None, None, false, None;
    graph "stateDiagram-v2";
    settings;
    states;
    "Order" "Task" 1 =>;
    tasks;
    ORDER 0 "order" "Order" 1 "GET http://127.0.0.1:${ .port }/v1/orders" => OPERATION_1;
}

rt::machine! {
    pub enum State(item) from Begin(item);
    Begin(d: Value) = "begin", "", 1 => enter begin(d);
    Order() = "Order", "Order", 2 => resume done();
}

fn begin(d: Value, turn: &mut Turn) -> TurnResult {
    turn.enter("Order", &d);
    turn.invoke(ORDER, d);
    rt::wait(State::Order())
}

fn done(result: Value, _: &mut Turn) -> TurnResult {
    rt::done(result)
}
