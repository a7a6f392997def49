//! Events that an execution declines, and reports of the events that it waits for.

use workflow_runtime::value;

use crate::program::Place;
use crate::{STRUCTURED, waits};

pub fn a_declined_event_is_compared_with_what_is_awaited() {
    let place = Place::new("declined");
    let server = place.serve(&[]);
    waits(&server, "one", 3);
    let shipped = value!({"specversion": "1.0", "id": "1", "source": "/x", "type": "order.shipped", "tenant": "b"});
    let refused = server.post("/executions/one/events", STRUCTURED, &shipped.to_string());
    let expected = value!({
        "error": "the execution `one` does not wait for this event: `paid` needs the subject `Paid`, found none; \
                  `shipped` needs the tenant `a`, found `b`; `done` needs the type `errand.done`, found `order.shipped`",
        "help": "`GET /executions/{id}` has the events that it waits for at the moment",
        "awaited": [
            {
                "name": "paid", "subject": "Paid",
                "differs": [{"attribute": "subject", "expected": "Paid", "found": null}],
            },
            {
                "name": "shipped", "type": "order.shipped", "attributes": {"tenant": "a"},
                "differs": [{"attribute": "tenant", "expected": "a", "found": "b"}],
            },
            {
                "name": "done", "type": "errand.done",
                "differs": [{"attribute": "type", "expected": "errand.done", "found": "order.shipped"}],
            },
        ],
    });
    assert_eq!((refused.status, &refused.body), (422, &expected));

    // The other workflow correlates: the value of the execution is in the answer, too.
    assert_eq!(server.post("/each?id=x&correlate=order=17", "", "{}").status, 201);
    let placed = value!({"specversion": "1.0", "id": "2", "source": "/shop", "type": "order.placed", "order": "18"});
    let refused = server.post("/executions/x/events", STRUCTURED, &placed.to_string());
    let differs = value!([{"attribute": "order", "expected": "17", "found": "18"}]);
    let first = refused.body.get("awaited").and_then(|awaited| awaited.as_array()?.iter().next().cloned());
    let first = first.expect("an awaited event");
    assert_eq!(
        (refused.status, first.get("name"), first.get("differs")),
        (422, Some(&"placed".into()), Some(&differs))
    );
    assert_eq!(first.get("correlation"), Some(&"order".into()));
    let expected = "`placed` needs the correlation value `17` in `order`, found `18`";
    assert!(refused.text("error").contains(expected), "{}", refused.body);
}

pub fn awaited_events_have_their_attributes() {
    let place = Place::new("awaited");
    let server = place.serve(&[]);
    assert_eq!(server.post("/each?id=x&correlate=order=17", "", "{}").status, 201);
    let shown = server.until("/executions/x", |answer| answer.body.to_string().contains("\"for\":\"event\""));
    let events = value!([{"name": "placed", "type": "order.placed", "correlation": "order"}]);
    let waiting = shown.at(&["waiting"]);
    assert_eq!(waiting.as_array().and_then(|all| all.iter().next()?.get("events").cloned()), Some(events));
    assert_eq!(shown.text("correlation"), "17");
    let (status, text, _) = place.run(&["show", "x"]);
    assert!(text.contains("the event `placed` (type `order.placed`, correlated by `order`)"), "{text}");
    assert!(status == 0 && text.contains("correlation    17\n"), "{text}");
    let (_, text, _) = place.run(&["list"]);
    assert!(text.contains("Place: an event (placed)"), "{text}");
}
