//! Correlation keys, schedules and the deduplication window, on the command line and over HTTP.

use std::time::Duration;

use workflow_runtime::{Value, value};

use crate::program::Place;
use crate::{STRUCTURED, paid, taken, waits};

fn order(id: &str, kind: &str, order: &str) -> String {
    value!({"specversion": "1.0", "id": id, "source": "/shop", "type": format!("order.{kind}"), "order": order})
        .to_string()
}

pub fn executions_correlate_by_what_is_said_at_their_start() {
    let place = Place::new("correlation");
    let mut server = place.serve(&[]);
    assert_eq!(server.post("/each?id=x&correlate=order%3D17", "", "{}").status, 201);
    let answer = server.post("/each?correlate=colour=red", "", "{}");
    let expected = "no event of `each` correlates by `colour`: the correlation attributes are `order`";
    assert_eq!((answer.status, answer.text("error")), (400, expected), "{}", answer.body);
    server.kill();
    let server = place.serve(&[]);
    let put = |event: String| {
        let answer = server.post("/events", STRUCTURED, &event);
        (answer.at(&["executions"]), answer.at(&["started"]))
    };
    // Each event also starts an execution of the other workflow, whose events do not correlate.
    assert_eq!(put(order("1", "placed", "17")), (1.into(), 1.into()));
    assert_eq!(put(order("2", "placed", "18")), (0.into(), 2.into()));
    let refused = server.post("/executions/x/events", STRUCTURED, &order("3", "paid", "18"));
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(put(order("4", "paid", "17")), (1.into(), 0.into()));
    let result = server.get("/executions/x/result?wait=30s");
    assert_eq!(result.at(&["outcome", "output"]), value!(["1", "4"]), "{}", result.body);
    drop(server);
    let (status, _, error) = place.run(&["run", "--memory", "--correlate", "order=17"]);
    assert!(
        status == 2
            && error.contains("no event of `errand` correlates by `order`: its events have no correlation attributes"),
        "{error}"
    );
    let (status, _, error) = place.run(&["run", "--correlate", "17"]);
    assert!(status == 2 && error.contains("write `ATTRIBUTE=VALUE`"), "{error}");
}

pub fn a_schedule_refuses_what_starts_outside_of_it() {
    let place = Place::new("schedule");
    let long_ago = "2020-01-01T00:00:00Z";
    let server = place.serve(&["--deployed-at", long_ago]);
    let answer = server.post("/sale?id=one", "", "{}");
    let expected = "`sale` is no longer active: it can be started from 2020-01-01T00:00:00.000Z until 2020-01-02T00:00:00.000Z (`P1D`)";
    assert!(answer.status == 409 && answer.text("error").starts_with(expected), "{}", answer.body);
    let bought = value!({"specversion": "1.0", "id": "1", "source": "/shop", "type": "sale.bought"}).to_string();
    let answer = server.post("/events", STRUCTURED, &bought);
    assert_eq!((answer.status, answer.at(&["started"])), (200, 0.into()), "{}", answer.body);
    drop(server);
    // By default, the time of deployment is the time at which the database was first opened.
    let server = place.serve(&[]);
    assert_eq!(server.post("/sale?id=one", "", "{}").status, 201);
    drop(server);
    // The program in this folder runs the workflow itself.
    let place = Place::new("sale");
    for more in [&["--memory"][..], &[]] {
        let (status, out, error) = place.run(&[&["run", "--deployed-at", long_ago], more].concat());
        assert!(status == 2 && out.is_empty() && error.contains(expected), "{error}");
    }
    let (status, _, error) = place.run(&["run", "--deployed-at", "yesterday"]);
    assert!(status == 2 && error.contains("write a time such as `2026-01-31T12:30:00Z`"), "{error}");
}

pub fn how_long_events_are_known_is_said() {
    let place = Place::new("known");
    let server = place.serve(&["--events-known-for", "2s"]);
    waits(&server, "one", 3);
    let send = || taken(&server.post("/executions/one/events", STRUCTURED, &paid("1", Value::Null).to_string()));
    assert_eq!(send(), (202, Some(1), Some(0)));
    assert_eq!(send(), (202, Some(0), Some(1)));
    std::thread::sleep(Duration::from_millis(2_100));
    assert_eq!(send(), (202, Some(1), Some(0)));
}
