//! The composition as its program runs it.

use helpdesk::{Desk, helpdesk::Helpdesk};
use workflow_runtime::{Value, value};

fn answer(ticket: Value) -> Value {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(Helpdesk::run(&Desk, ticket)).expect("an answer")
}

#[test]
fn an_outage_is_paged() {
    let answer = answer(value!({ "id": 1, "subject": " Nothing works! " }));
    assert_eq!(answer, value!({ "value": "#1 \"Nothing works!\": pager, at once" }));
}

#[test]
fn a_ticket_without_text_is_queued_with_a_remark() {
    let answer = answer(value!({ "id": 3, "subject": "" }));
    let remark = "#3 \"\": queue, not classified: NoText: there is nothing to read";
    assert_eq!(answer, value!({ "value": remark }));
}
