//! The metrics of a server: they are valid text of Prometheus, and count what happens.

use crate::exposition::Exposition;
use crate::logged::until;
use crate::program::{Place, Program};
use crate::{STRUCTURED, paid, waits};

/// Returns the metrics of a server, which must be valid.
fn scrape(server: &Program) -> Exposition {
    let (status, head, body) = server.text("GET /metrics", "");
    assert_eq!(status, 200, "{body}");
    assert!(head.contains("content-type: text/plain; version=0.0.4; charset=utf-8"), "{head}");
    Exposition::read(&body).unwrap_or_else(|problem| panic!("{problem}\n{body}"))
}

pub fn metrics_count_what_executions_and_requests_come_to() {
    let place = Place::new("metrics");
    let mut server = place.serve(&[]);
    assert_eq!(server.post("/refund?id=secret-id&wait=30s", "", r#"{"card": "s3cret"}"#).text("status"), "failed");
    waits(&server, "two", 1);
    waits(&server, "later&delay=1h", 2);
    waits(&server, "gone", 1);
    for id in ["1", "2"] {
        assert_eq!(server.post("/executions/later/events", STRUCTURED, &paid(id, 1).to_string()).status, 202);
    }
    assert_eq!(server.post("/executions/gone/cancel?wait=30s", "", "").text("status"), "cancelled");
    assert_eq!(server.get("/executions/secret-id").status, 200);
    assert_eq!(server.get("/executions/none").status, 404);
    assert_eq!(server.get("/no/such/route").status, 404);
    server.until("/executions/two", |answer| answer.text("status") == "running");
    let metrics = scrape(&server);
    let executions = [
        ("workflow_executions{workflow=\"refund\",status=\"failed\"}", 1.0),
        ("workflow_executions{workflow=\"errand\",status=\"running\"}", 1.0),
        ("workflow_executions{workflow=\"errand\",status=\"queued\"}", 1.0),
        ("workflow_executions{workflow=\"errand\",status=\"cancelled\"}", 1.0),
        ("workflow_inboxes", 1.0),
        ("workflow_inbox_events", 2.0),
    ];
    for (series, value) in executions.into_iter().chain([
        ("workflow_executions_started_total{workflow=\"refund\"}", 1.0),
        ("workflow_executions_started_total{workflow=\"errand\"}", 2.0),
        ("workflow_executions_ended_total{workflow=\"refund\",outcome=\"failed\"}", 1.0),
        ("workflow_executions_ended_total{workflow=\"errand\",outcome=\"cancelled\"}", 1.0),
        ("workflow_tasks_total{workflow=\"refund\",state=\"Pay back\",outcome=\"failed\"}", 2.0),
        ("workflow_state_retries_total{workflow=\"refund\",state=\"Pay back\"}", 1.0),
        ("workflow_task_duration_seconds_count{workflow=\"refund\",state=\"Pay back\"}", 2.0),
        ("workflow_http_requests_total{method=\"POST\",route=\"/{workflow}\",status=\"201\"}", 4.0),
        ("workflow_http_requests_total{method=\"POST\",route=\"/executions/{id}/events\",status=\"202\"}", 2.0),
        ("workflow_http_requests_total{method=\"GET\",route=\"/executions/{id}\",status=\"404\"}", 1.0),
        ("workflow_http_requests_total{method=\"GET\",route=\"other\",status=\"404\"}", 1.0),
        ("workflow_store_failed_transactions_total", 0.0),
    ]) {
        assert_eq!(metrics.value(series), value, "{series} {metrics:#?}");
    }
    let transactions = metrics.value("workflow_store_transaction_duration_seconds_count");
    assert!(transactions >= 5.0 && metrics.value("workflow_store_writes_total") >= transactions, "{transactions}");
    let documented = include_str!("../../../docs/durable.md");
    for family in metrics.families() {
        assert!(documented.contains(&format!("| `{family}` |")), "docs/durable.md does not list {family}");
    }
    let secret = metrics.series().find(|series| series.contains("secret") || series.contains("s3cret"));
    assert_eq!(secret, None);
    // The numbers of what the database has survive the process, and events that are processed are
    // no longer in an inbox.
    server.kill();
    let server = place.serve(&[]);
    let metrics = scrape(&server);
    for (series, value) in executions {
        assert_eq!(metrics.value(series), value, "{series} {metrics:#?}");
    }
    assert_eq!(server.post("/executions/later/cancel?wait=30s", "", "").status, 200);
    let metrics = scrape(&server);
    assert_eq!([metrics.value("workflow_inboxes"), metrics.value("workflow_inbox_events")], [0.0, 0.0]);
    assert_eq!(metrics.value("workflow_executions{workflow=\"errand\",status=\"cancelled\"}"), 2.0);
}

pub fn metrics_need_the_token_of_the_server() {
    let place = Place::new("metrics-token");
    std::fs::write(place.file("token"), "s3cret").expect("a file");
    let (server, log) = place.serve_and_log(&["--token-file", "token"]);
    assert_eq!(server.text("GET /metrics", "").0, 401);
    until(&log, &mut Vec::new(), |line| line.contains("path=\"/metrics\"") && line.contains("status=401"));
    let (status, _, body) = server.text("GET /metrics", "Authorization: Bearer s3cret\r\n");
    assert_eq!(status, 200);
    assert!(Exposition::read(&body).is_ok());
    assert_eq!(server.post("/metrics", "Authorization: Bearer s3cret\r\n", "").status, 405);
}
