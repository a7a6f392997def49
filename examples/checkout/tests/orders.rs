//! Tests of the program itself with the shop: orders that survive restarts, messages as
//! CloudEvents, and the final results.

mod program;

use std::time::{Duration, Instant};

use checkout::shop::ADDRESS;
use program::{Program, folder, noted};
use workflow_runtime::{Value, value};

impl Program {
    /// Cancels an order, with a CloudEvent in structured mode.
    fn cancel(&self, id: &str) {
        let event = value!({ "specversion": "1.0", "id": "2", "source": "/me", "type": "any", "subject": "Cancelled" });
        let head = "Content-Type: application/cloudevents+json\r\n";
        let (status, body) = self.ask(&format!("POST /executions/{id}/events"), head, &event.to_string());
        assert_eq!(status, 202, "{body}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_outlive_the_program_and_are_booked_once() {
    let folder = folder("orders");
    let shop = program::open(2).await;
    let mail = format!("{}/mail", shop.address);
    let program = Program::serve(&folder, &mail);
    // The shop answers "busy" to the first two requests, and books the third.
    program.order("ann", "Ann", 12);
    noted(&shop, "order O-1 of Ann").await;
    program.order("bob", "Bob", 12);
    program.order("eve", "Eve", 40);
    program.order("joe", "Joe", 40);
    for line in ["of Bob", "of Eve", "of Joe"] {
        let start = Instant::now();
        while !shop.log().iter().any(|known| known.ends_with(line)) {
            assert!(start.elapsed() < Duration::from_secs(30), "{:?}", shop.log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    program.pay("eve");
    let number = |result: &Value| result.get("number").and_then(Value::as_str).unwrap_or_default().to_owned();
    let eve = program.result("eve");
    assert_eq!(eve.get("verdict"), Some(&"accepted".into()), "{eve}");
    // The program is killed while three orders wait for their payment.
    drop(program);
    let program = Program::serve(&folder, &mail);
    program.pay("ann");
    program.pay("bob");
    program.cancel("joe");
    let (ann, bob, joe) = (program.result("ann"), program.result("bob"), program.result("joe"));
    let verdict = |result: &Value| result.get("verdict").and_then(Value::as_str).unwrap_or_default().to_owned();
    assert_eq!([&ann, &bob, &joe].map(verdict), ["accepted", "rejected", "cancelled"]);
    assert_eq!(ann.get("number"), Some(&"O-1".into()));
    let log = shop.log();
    assert_eq!(log.iter().filter(|line| *line == "busy").count(), 2, "{log:?}");
    assert_eq!(log.iter().filter(|line| line.starts_with("order ")).count(), 4, "{log:?}");
    for (name, result) in [("Ann", &ann), ("Bob", &bob), ("Eve", &eve), ("Joe", &joe)] {
        let line = format!("mail for {name}@example.com: Your order {} is {}.", number(result), verdict(result));
        assert_eq!(log.iter().filter(|known| **known == line).count(), 1, "`{line}` in {log:?}");
    }
    drop(program);
    let _ = std::fs::remove_dir_all(folder);
}

/// The workflows contain the addresses, so that a program which allows other addresses is refused
/// before anything runs.
#[test]
fn a_shop_that_the_workflows_do_not_call_is_refused() {
    assert!(checkout::tasks(&format!("http://{ADDRESS}")).is_ok());
    let message = checkout::tasks("http://127.0.0.1:1").map(drop).expect_err("no tasks").to_string();
    let expected = format!("`POST http://{ADDRESS}/orders`: the address http://{ADDRESS} is not allowed");
    assert!(message.contains(&expected), "{message}");
}
