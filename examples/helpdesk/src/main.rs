//! Answers three tickets: an outage, a question, and one that the classifier cannot read.

use helpdesk::{Desk, helpdesk::Helpdesk};
use workflow_runtime::{Value, value};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let tickets: [Value; 3] = [
        value!({ "id": 1, "subject": "  Nothing works!", "customer": { "plan": "free" } }),
        value!({ "id": 2, "subject": "How do I pay?" }),
        value!({ "id": 3, "subject": "" }),
    ];
    for ticket in tickets {
        match Helpdesk::run(&Desk, ticket).await {
            Ok(summary) => println!("{summary}"),
            Err(fault) => println!("failed: {fault}"),
        }
    }
}
