//! Events in a program whose executions are kept: over HTTP in the three modes of CloudEvents, by
//! its commands, and across the ends of its processes. This test program is also that program:
//! with arguments of a command, it runs the command.

mod bodies;
mod busy;
mod calls;
mod correlation;
mod crowd;
mod declined;
mod described;
mod documents;
#[path = "../../../workflow-runtime/tests/machines/errand.rs"]
mod errand;
#[cfg(feature = "metrics")]
mod exposition;
mod followed;
#[path = "../../../workflow-runtime/tests/machines/gather.rs"]
mod gather;
#[cfg(unix)]
mod interrupted;
mod keys;
mod logged;
mod mapped;
#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "restate")]
mod on_restate;
mod program;
mod remote;
mod served;
#[cfg(unix)]
mod shell;
mod sink;
mod starting;
mod tokens;

use std::process::ExitCode;
use std::time::Duration;

use calls::Recorder;
use errand::Errand;
use program::{Answer, Place, Program};
use workflow_runtime::machine::Task;
use workflow_runtime::task::{Invoke, TaskFuture};
use workflow_runtime::{TaskContext, Value, value};

/// Tasks, one of which never ends.
struct Tasks;

impl Invoke for Tasks {
    fn invoke<'a>(&'a self, task: &'static Task, _: Value, _: TaskContext) -> TaskFuture<'a> {
        Box::pin(async move {
            match task.key {
                "Work" => std::future::pending().await,
                _ => Ok(task.key.into()),
            }
        })
    }
}

const TESTS: &[(&str, fn())] = &[
    (
        "events_arrive_in_the_three_modes_and_survive_the_server",
        events_arrive_in_the_three_modes_and_survive_the_server,
    ),
    ("what_is_no_event_is_refused", what_is_no_event_is_refused),
    ("a_request_that_is_not_clear_is_refused", keys::a_request_that_is_not_clear_is_refused),
    ("ids_are_safe_in_paths", keys::ids_are_safe_in_paths),
    ("a_key_that_is_chosen_stands_for_no_event", keys::a_key_that_is_chosen_stands_for_no_event),
    ("a_declined_event_is_compared_with_what_is_awaited", declined::a_declined_event_is_compared_with_what_is_awaited),
    ("awaited_events_have_their_attributes", declined::awaited_events_have_their_attributes),
    ("the_log_has_what_executions_and_requests_came_to", logged::the_log_has_what_executions_and_requests_came_to),
    ("the_log_of_text_is_made_of_lines", logged::the_log_of_text_is_made_of_lines),
    ("the_log_has_the_levels_of_a_variable", logged::the_log_has_the_levels_of_a_variable),
    #[cfg(feature = "restate")]
    ("the_log_has_executions_on_restate", logged::the_log_has_executions_on_restate),
    ("a_server_carries_out_outcomes_by_token", remote::a_server_carries_out_outcomes_by_token),
    ("a_server_carries_out_commands_on_executions", remote::a_server_carries_out_commands_on_executions),
    ("a_server_redrives_executions", remote::a_server_redrives_executions),
    ("a_server_runs_executions", remote::a_server_runs_executions),
    ("the_end_of_an_execution_on_a_server_is_reported", remote::the_end_of_an_execution_on_a_server_is_reported),
    ("a_server_purges_executions", remote::a_server_purges_executions),
    #[cfg(feature = "metrics")]
    ("metrics_count_what_executions_and_requests_come_to", metrics::metrics_count_what_executions_and_requests_come_to),
    #[cfg(feature = "metrics")]
    ("metrics_need_the_token_of_the_server", metrics::metrics_need_the_token_of_the_server),
    (
        "events_arrive_as_they_are_recorded_and_again_behind_the_last",
        followed::events_arrive_as_they_are_recorded_and_again_behind_the_last,
    ),
    ("streams_show_no_tokens", followed::streams_show_no_tokens),
    #[cfg(unix)]
    ("streams_have_places_and_end_with_the_server", followed::streams_have_places_and_end_with_the_server),
    ("answers_have_tags", followed::answers_have_tags),
    ("lists_are_filtered_and_have_pages", followed::lists_are_filtered_and_have_pages),
    (
        "the_server_describes_its_operations_and_their_parameters",
        described::the_server_describes_its_operations_and_their_parameters,
    ),
    ("a_run_receives_outcomes_by_token", tokens::a_run_receives_outcomes_by_token),
    ("the_port_of_a_run_can_be_chosen", tokens::the_port_of_a_run_can_be_chosen),
    #[cfg(unix)]
    ("a_resumed_run_announces_what_it_waits_for", tokens::a_resumed_run_announces_what_it_waits_for),
    #[cfg(unix)]
    ("an_interrupted_run_names_what_it_has_cut_off", interrupted::an_interrupted_run_names_what_it_has_cut_off),
    ("a_server_with_a_token_needs_it", remote::a_server_with_a_token_needs_it),
    ("a_server_that_does_not_answer_is_an_error", remote::a_server_that_does_not_answer_is_an_error),
    ("a_batch_arrives_or_does_not", a_batch_arrives_or_does_not),
    ("commands_deliver_events", commands_deliver_events),
    ("parents_and_children_are_shown", parents_and_children_are_shown),
    #[cfg(feature = "restate")]
    ("commands_deliver_events_on_restate", commands_deliver_events_on_restate),
    ("events_start_executions_once", starting::events_start_executions_once),
    #[cfg(feature = "restate")]
    ("the_routes_are_there_on_restate", on_restate::the_routes_are_there_on_restate),
    #[cfg(feature = "restate")]
    ("outcomes_arrive_over_http_on_restate", on_restate::outcomes_arrive_over_http_on_restate),
    #[cfg(feature = "restate")]
    ("a_map_run_is_changed_on_restate", on_restate::a_map_run_is_changed_on_restate),
    #[cfg(feature = "restate")]
    ("events_start_executions_on_restate", starting::events_start_executions_on_restate),
    (
        "executions_correlate_by_what_is_said_at_their_start",
        correlation::executions_correlate_by_what_is_said_at_their_start,
    ),
    ("a_schedule_refuses_what_starts_outside_of_it", correlation::a_schedule_refuses_what_starts_outside_of_it),
    ("keys_that_are_there_twice_are_refused", bodies::keys_that_are_there_twice_are_refused),
    (
        "arguments_in_which_keys_are_there_twice_are_refused",
        bodies::arguments_in_which_keys_are_there_twice_are_refused,
    ),
    ("silent_connections_shut_nobody_out", crowd::silent_connections_shut_nobody_out),
    (
        "connections_that_send_a_byte_now_and_then_shut_nobody_out",
        crowd::connections_that_send_a_byte_now_and_then_shut_nobody_out,
    ),
    ("requests_that_wait_shut_nobody_out_and_are_answered", crowd::requests_that_wait_shut_nobody_out_and_are_answered),
    #[cfg(unix)]
    ("a_task_dies_with_its_engine", shell::a_task_dies_with_its_engine),
    #[cfg(unix)]
    (
        "a_task_that_is_given_up_ends_with_all_it_has_started",
        shell::a_task_that_is_given_up_ends_with_all_it_has_started,
    ),
    #[cfg(unix)]
    (
        "a_task_that_has_closed_its_output_dies_with_its_engine",
        shell::a_task_that_has_closed_its_output_dies_with_its_engine,
    ),
    #[cfg(unix)]
    ("a_task_has_its_whole_input_or_does_not_run", shell::a_task_has_its_whole_input_or_does_not_run),
    #[cfg(unix)]
    ("commands_answer_as_they_do_in_a_shell", shell::commands_answer_as_they_do_in_a_shell),
    ("readings_of_patients_are_noted_once", served::readings_of_patients_are_noted_once),
    ("documents_are_collected_by_applicant", served::documents_are_collected_by_applicant),
    ("a_set_that_is_not_complete_fails", served::a_set_that_is_not_complete_fails),
    ("the_bureau_answers_the_right_check", served::the_bureau_answers_the_right_check),
    (
        "what_waits_in_its_first_state_takes_what_starts_others",
        served::what_waits_in_its_first_state_takes_what_starts_others,
    ),
    ("no_crash_loses_or_doubles_an_event", served::no_crash_loses_or_doubles_an_event),
    ("cases_say_what_events_correlate_by", served::cases_say_what_events_correlate_by),
    ("a_season_that_is_over_sells_nothing", served::a_season_that_is_over_sells_nothing),
    ("how_long_events_are_known_is_said", correlation::how_long_events_are_known_is_said),
    ("events_start_nothing_where_that_is_said", starting::events_start_nothing_where_that_is_said),
    #[cfg(feature = "events")]
    ("events_are_lines_of_standard_output", sink::events_are_lines_of_standard_output),
    ("what_doubles_leaves_by_no_exit", documents::what_doubles_leaves_by_no_exit),
    ("an_answer_has_a_limit", documents::an_answer_has_a_limit),
    ("a_large_input_is_shown_by_its_beginning", documents::a_large_input_is_shown_by_its_beginning),
    ("a_sink_makes_sense_or_is_refused", sink::a_sink_makes_sense_or_is_refused),
    #[cfg(feature = "events")]
    ("events_leave_for_the_address_that_is_given", sink::events_leave_for_the_address_that_is_given),
    #[cfg(feature = "events")]
    ("an_event_is_sent_again_after_the_end_of_a_process", sink::an_event_is_sent_again_after_the_end_of_a_process),
    #[cfg(all(feature = "events", feature = "restate"))]
    ("events_leave_from_restate", sink::events_leave_from_restate),
    ("a_server_answers_while_every_worker_computes", busy::a_server_answers_while_every_worker_computes),
    #[cfg(unix)]
    ("a_server_ends_in_time_while_every_worker_computes", busy::a_server_ends_in_time_while_every_worker_computes),
    #[cfg(unix)]
    ("a_second_signal_ends_a_server_at_once", busy::a_second_signal_ends_a_server_at_once),
    ("an_execution_that_computes_for_too_long_fails", busy::an_execution_that_computes_for_too_long_fails),
    ("a_map_run_is_changed_while_it_runs", mapped::a_map_run_is_changed_while_it_runs),
    ("a_server_answers_while_it_checks_inputs", busy::a_server_answers_while_it_checks_inputs),
];

fn main() -> ExitCode {
    let folder = std::env::current_dir().unwrap_or_default();
    let is_in = |name: &str| folder.iter().any(|part| part.to_string_lossy().starts_with(name));
    if is_in("errand-shell-") {
        return workflow_runner::bound_main::<Errand>();
    }
    let first = std::env::args().nth(1).unwrap_or_default();
    let commands = ["run", "serve", "list", "show", "history", "send", "publish", "redrive", "update", "help"];
    let commands = [&commands[..], &["cancel", "succeed", "fail", "heartbeat", "purge"]].concat();
    if commands.contains(&first.as_str()) {
        if is_in("errand-doubling-") {
            return workflow_runner::Durable::<documents::doubling::Doubling>::new(Tasks).main();
        }
        if is_in("errand-permit-") {
            return workflow_runner::Durable::<tokens::permit::Permit>::new(Tasks).main();
        }
        if is_in("errand-each-") {
            return workflow_runner::Durable::<gather::each::Each>::new(Tasks).main();
        }
        if is_in("errand-spread-") {
            return workflow_runner::Durable::<mapped::spread::Spread>::new(Tasks).main();
        }
        if is_in("errand-sale-") {
            return workflow_runner::Durable::<gather::sale::Sale>::new(Tasks).main();
        }
        return workflow_runner::Durable::<Errand>::new(Tasks)
            .engine(|engine| {
                let engine = engine.workflow::<starting::Parcel>(Tasks);
                let engine = engine.workflow::<gather::each::Each>(Tasks).workflow::<gather::set::Gather>(Tasks);
                let engine = engine.workflow::<gather::sale::Sale>(Tasks);
                let engine = engine.workflow::<logged::refund::Refund>(logged::Refunds);
                let engine = engine.workflow::<remote::ask::Ask>(Tasks);
                let engine = engine.workflow::<served::vitals::Vitals>(Recorder);
                let engine = engine.workflow::<served::tenancy::Tenancy>(Recorder);
                let engine =
                    engine.workflow::<served::pair::Pair>(Recorder).workflow::<served::season::Season>(Recorder);
                let engine = engine.workflow::<served::credit::Credit>(Recorder).workflow::<busy::spin::Spin>(Tasks);
                let engine = engine.workflow::<busy::deep::Deep>(Tasks);
                match busy::is_limited() {
                    true => engine.turn_time(Duration::from_secs(2)),
                    false => engine,
                }
            })
            .main();
    }
    let chosen = |(name, _): &&(&str, fn())| first.starts_with('-') || name.contains(&first);
    for (name, test) in TESTS.iter().filter(chosen) {
        test();
        println!("test {name} ... ok");
    }
    ExitCode::SUCCESS
}

const STRUCTURED: &str = "Content-Type: application/cloudevents+json\r\n";
const BATCHED: &str = "Content-Type: application/cloudevents-batch+json; charset=UTF-8\r\n";
const BINARY: &str = "ce-specversion: 1.0\r\nce-type: payment\r\nce-source: /bank\r\nce-subject: Paid\r\n";

/// Returns an event that executions wait for, in the JSON format.
fn paid(id: &str, data: impl Into<Value>) -> Value {
    value!({"specversion": "1.0", "id": id, "source": "/bank", "type": "payment", "subject": "paid", "data": data.into()})
}

/// Starts an execution that waits for a number of events.
fn waits(server: &Program, id: &str, events: i64) {
    let input = value!({"do": "wait", "events": events}).to_string();
    assert_eq!(server.post(&format!("/errand?id={id}"), "", &input).status, 201);
}

/// Waits for the end of an execution, and returns the events that it consumed.
fn got(server: &Program, id: &str) -> Value {
    let result = server.get(&format!("/executions/{id}/result?wait=30s"));
    assert_eq!((result.status, result.text("status")), (200, "succeeded"), "{}", result.body);
    result.at(&["outcome", "output", "got"])
}

/// Returns the HTTP status, the number of delivered events and the number of duplicates.
fn taken(answer: &Answer) -> (u16, Option<i64>, Option<i64>) {
    let number = |name: &str| answer.body.get(name).and_then(Value::as_i64);
    (answer.status, number("delivered"), number("known"))
}

fn events_arrive_in_the_three_modes_and_survive_the_server() {
    let place = Place::new("modes");
    let mut server = place.serve(&[]);
    waits(&server, "all", 7);
    let send = |server: &Program, head: &str, body: &str| server.post("/executions/all/events", head, body);
    let new = (202, Some(1), Some(0));
    assert_eq!(taken(&send(&server, STRUCTURED, &paid("1", "structured").to_string())), new);
    let batch = Value::from_iter([paid("2", "batched"), paid("3", "batched, too")]).to_string();
    assert_eq!(taken(&send(&server, BATCHED, &batch)), (202, Some(2), Some(0)));
    let binary = |id: &str, more: &str| format!("{BINARY}ce-id: {id}\r\n{more}");
    let json = binary("4", "Content-Type: application/json\r\n");
    assert_eq!(taken(&send(&server, &json, "{\"is\": \"JSON\"}")), new);
    // Delivered events survive a kill of the server.
    server.kill();
    let server = place.serve(&[]);
    assert_eq!(taken(&send(&server, &json, "{\"is\": \"JSON\"}")), (202, Some(0), Some(1)));
    assert_eq!(taken(&send(&server, &binary("%35", "Content-Type: text/plain\r\n"), "grüße")), new);
    assert_eq!(taken(&send(&server, &binary("\"six\"", "Content-Type: image/png\r\n"), "\u{1}\u{2}")), new);
    assert_eq!(taken(&send(&server, &binary("7", "CE-Tenant: a%20b\r\n"), "")), new);
    let expected = value!(["structured", "batched", "batched, too", {"is": "JSON"}, "grüße", "time-out", null]);
    // Base64 is not JSON data: the workflow finds no data.
    assert_eq!(got(&server, "all"), expected);
    let history = server.get("/executions/all/history").body;
    let received: Vec<String> = history
        .get("events")
        .and_then(Value::as_array)
        .expect("events")
        .iter()
        .filter(|event| event.get("event") == Some(&"EventReceived".into()))
        .filter_map(|event| event.get("id")?.as_str().map(str::to_owned))
        .collect();
    assert_eq!(received, ["1", "2", "3", "4", "5", "six", "7"]);

    // An event for all executions reaches a delayed one, and not one that has ended.
    waits(&server, "one", 1);
    waits(&server, "later&delay=1h", 1);
    let reached = server.post("/events", STRUCTURED, &paid("8", 8).to_string());
    assert_eq!((reached.status, reached.body), (200, value!({"executions": 2, "started": 0, "full": 0})));
    assert_eq!(got(&server, "one"), value!([8]));
    let nobody = value!({"specversion": "1.0", "id": "9", "source": "/x", "type": "unknown"});
    let batch = Value::from_iter([paid("8", 8), paid("9", 9), nobody]).to_string();
    let reached = server.post("/events", BATCHED, &batch);
    let each = value!([{"executions": 1, "started": 0, "full": 0}, {"executions": 1, "started": 0, "full": 0}, {"executions": 0, "started": 0, "full": 0}]);
    assert_eq!((reached.status, reached.body), (200, each));
}

fn what_is_no_event_is_refused() {
    let place = Place::new("refused");
    let server = place.serve(&["--max-body", "2KB"]);
    waits(&server, "one", 1);
    waits(&server, "gone", 1);
    assert_eq!(server.post("/executions/gone/cancel?wait=10s", "", "").text("status"), "cancelled");
    let good = paid("1", 1).to_string();
    let with = |name: &str, value: Value| {
        let mut event = paid("1", 1);
        event.as_object_mut().expect("an object").insert(name, value);
        event.to_string()
    };
    let large = paid("1", "x".repeat(3_000)).to_string();
    let json = format!("{BINARY}ce-id: 1\r\nContent-Type: application/json\r\n");
    let text = format!("{BINARY}ce-id: 1\r\nContent-Type: text/plain; charset=latin1\r\n");
    let without = |name: &str| {
        json.lines().filter(|line| !line.starts_with(name)).fold(String::new(), |head, line| head + line + "\r\n")
    };
    let (one, all) = ("/executions/one/events", "/events");
    for (path, head, body, status, expected) in [
        (one, STRUCTURED, with("id", Value::Null), 400, "not a CloudEvent: `id` is missing"),
        (all, STRUCTURED, with("id", Value::Null), 400, "not a CloudEvent: `id` is missing"),
        (one, STRUCTURED, with("id", "".into()), 400, "`id` must be a non-empty string"),
        (one, STRUCTURED, with("specversion", "0.3".into()), 400, "`specversion` must be 1.0, found 0.3"),
        (one, STRUCTURED, with("time", "noon".into()), 400, "`time` must be an RFC 3339 time"),
        (one, STRUCTURED, with("source", "a b".into()), 400, "`source` must be a URI"),
        (all, STRUCTURED, with("source", "http://[".into()), 400, "`source` must be a URI"),
        (one, STRUCTURED, with("tenantId", "a".into()), 400, "`tenantId` is not a valid attribute name"),
        (one, STRUCTURED, with("data_base64", "AA==".into()), 400, "`data` and `data_base64` cannot be used together"),
        (one, STRUCTURED, String::new(), 400, "the body is empty"),
        (one, STRUCTURED, "{\n  \"id\": 1,\n}".to_owned(), 400, "the body is not JSON: "),
        (one, STRUCTURED, format!("[{good}]"), 400, "an event must be an object"),
        (one, BATCHED, good.clone(), 400, "a batch must be an array of CloudEvents"),
        (one, BATCHED, format!("[{good}, 7]"), 400, "event 2 of 2 is not a CloudEvent: an event must be an object"),
        (one, STRUCTURED, large.clone(), 413, "the body is larger than"),
        (one, &json, large, 413, "the body is larger than"),
        (one, "", good.clone(), 415, "the request contains no CloudEvent"),
        (all, "Content-Type: application/json\r\n", good.clone(), 415, "the request contains no CloudEvent"),
        (one, "Content-Type: application/cloudevents+avro\r\n", good.clone(), 415, "`application/cloudevents+avro`"),
        (one, "Content-Type: application/cloudevents+json; charset=utf-16\r\n", good.clone(), 415, "`utf-16`"),
        (one, &text, "x".to_owned(), 415, "`latin1`"),
        (one, &without("ce-id"), "1".to_owned(), 400, "`id` is missing"),
        (one, &without("ce-specversion"), "1".to_owned(), 400, "`specversion` is missing"),
        (one, &json, "{".to_owned(), 400, "the data is not JSON"),
        (one, &format!("{json}ce-id: 2\r\n"), "1".to_owned(), 400, "duplicate header `ce-id`"),
        (one, &format!("{json}ce-tenant: %zz\r\n"), "1".to_owned(), 400, "`ce-tenant` has invalid percent-encoding"),
        (one, &format!("{json}ce-tenant: \"a\r\n"), "1".to_owned(), 400, "`ce-tenant` has an unterminated quote"),
        (one, &format!("{json}ce-tenant-id: a\r\n"), "1".to_owned(), 400, "`tenant-id` is not a valid attribute name"),
        (one, &format!("{json}ce-datacontenttype: a/b\r\n"), "1".to_owned(), 400, "as `Content-Type`"),
        (one, &format!("{json}ce-data: a\r\n"), "1".to_owned(), 400, "the data must be the body"),
        ("/executions/none/events", STRUCTURED, good.clone(), 404, "execution `none` not found"),
        ("/executions/gone/events", STRUCTURED, good.clone(), 409, "was cancelled and cannot be sent an event"),
        (one, STRUCTURED, with("subject", "Refunded".into()), 422, "does not wait for this event"),
        ("/executions/one/events?wait=1s", STRUCTURED, good.clone(), 400, "unknown parameter `wait`"),
    ] {
        let answer = server.post(path, head, &body);
        let error = answer.text("error");
        assert!(
            answer.status == status && error.contains(expected),
            "{path} {head} {body}: {} {}",
            answer.status,
            answer.body
        );
    }
    assert_eq!(server.get("/events").status, 405);
    assert_eq!(server.text(&format!("PUT {one}"), "").0, 405);
    // None of these events was delivered.
    assert_eq!(taken(&server.post(one, STRUCTURED, &good)), (202, Some(1), Some(0)));
    assert_eq!(got(&server, "one"), value!([1]));
    // A client that missed the answer repeats the request. The event is a duplicate even if it has
    // ended the execution.
    assert_eq!(taken(&server.post(one, STRUCTURED, &good)), (202, Some(0), Some(1)));
}

fn a_batch_arrives_or_does_not() {
    let place = Place::new("batch");
    let server = place.serve(&[]);
    waits(&server, "one", 3);
    let send =
        |events: Vec<Value>| server.post("/executions/one/events", BATCHED, &Value::from_iter(events).to_string());
    let other = value!({"specversion": "1.0", "id": "x", "source": "/x", "type": "unknown"});
    assert_eq!(send(vec![paid("1", 1), other]).status, 422);
    assert_eq!(send(vec![paid("1", 1), paid("", 2)]).status, 400);
    assert_eq!(taken(&send(Vec::new())), (202, Some(0), Some(0)));
    assert_eq!(taken(&send(vec![paid("2", 2), paid("3", 3), paid("2", 2)])), (202, Some(2), Some(1)));
    let done =
        |id: i64| value!({"specversion": "1.0", "id": id.to_string(), "source": "/errands", "type": "errand.done"});
    let large = send((0..1_001).map(done).collect());
    assert_eq!((large.status, large.text("error").contains("at most 1000 events")), (413, true), "{}", large.body);
    // The events fill the inbox but for one.
    for (first, next) in (0..9_999).step_by(1_000).map(|first| (first, 9_999.min(first + 1_000))) {
        assert_eq!(taken(&send((first..next).map(done).collect())), (202, Some(next - first), Some(0)));
    }
    let full = send((9_999..10_001).map(done).collect());
    assert_eq!(
        (full.status, full.text("error").contains("is full: it holds 10000 events")),
        (429, true),
        "{}",
        full.body
    );
    assert_eq!(taken(&send(vec![paid("4", 4)])), (202, Some(1), Some(0)));
    assert_eq!(got(&server, "one"), value!([2, 3, 4]));
}

fn commands_deliver_events() {
    let place = Place::new("commands");
    let mut server = place.serve(&[]);
    waits(&server, "one", 4);
    waits(&server, "later&delay=1h", 1);
    server.kill();
    let paid = ["--type", "payment", "--source", "/bank", "--subject", "PAID"];
    let run = |command: &[&str], more: &[&str]| {
        let (status, out, error) = place.run(&[command, &paid, more].concat());
        assert_eq!(status, 0, "{error}");
        out
    };
    let noted = "event saved: the execution receives it when it runs next, with `run --id ID` or `serve`\n";
    assert_eq!(run(&["send", "one"], &["--id", "1", "--data", "{\"n\": 1}"]), noted);
    assert!(run(&["send", "one"], &["--id", "1"]).starts_with("duplicate event: `one` already received"));
    std::fs::write(place.file("data.json"), "[2]\n").expect("a file");
    assert_eq!(run(&["send", "one"], &["--data-file", "data.json"]), noted);
    let published = run(&["publish"], &["--data", "3"]);
    assert_eq!(published, "event saved for 2 executions, delivered when they run next\n");
    std::fs::write(place.file("event.json"), self::paid("4", 4).to_string()).expect("a file");
    let (status, out, error) = place.run(&["send", "one", "--event", "@event.json"]);
    assert_eq!((status, out.as_str()), (0, noted), "{error}");
    for (arguments, expected) in [
        (
            &["send", "none", "--type", "payment", "--source", "/bank", "--subject", "paid"][..],
            "execution `none` not found",
        ),
        (&["send", "one", "--type", "refund", "--source", "/bank"], "does not wait for this event"),
        (&["send", "--type", "payment", "--source", "/bank"], "`send` needs ID"),
        (&["publish", "one", "--type", "payment", "--source", "/bank"], "`publish`: unexpected argument `one`"),
        (&["send", "one", "--type", "payment"], "needs `--source`"),
        (&["show", "one", "--type", "payment"], "invalid option '--type'"),
    ] {
        let (status, _, error) = place.run(arguments);
        assert!(status == 2 && error.contains(expected), "{arguments:?}: {error}");
    }
    let (status, out, error) = place.run(&["run", "--id", "one", "--progress", "none"]);
    assert_eq!(status, 0, "{error}");
    let output = Value::from_json(&out).expect("JSON");
    assert_eq!(output.get("got"), Some(&value!([{"n": 1}, [2], 3, 4])));
}

fn parents_and_children_are_shown() {
    let place = Place::new("parents");
    let server = place.serve(&[]);
    let input = value!({"ask": {"do": "wait", "events": 1}, "aside": 3, "events": 1}).to_string();
    assert_eq!(server.post("/errand?id=one", "", &input).status, 201);
    let child = server
        .until("/executions/one.3-0", |answer| answer.at(&["waiting"]).as_array().is_some_and(|all| !all.is_empty()));
    assert_eq!(child.text("parent"), "one");
    let waiting = child.at(&["waiting"]);
    let waiting = &waiting.as_array().expect("what it waits for")[0];
    let shipped = value!({"name": "shipped", "type": "order.shipped", "attributes": {"tenant": "a"}});
    let events = value!([{"name": "paid", "subject": "Paid"}, (shipped)]);
    assert_eq!((waiting.get("for"), waiting.get("events")), (Some(&"event".into()), Some(&events)));
    assert!(waiting.get("until").is_some());
    let parent = server.until("/executions/one", |answer| answer.at(&["children"]).to_string().contains("succeeded"));
    let children = value!([
        {"id": "one.3-0", "workflow": "errand", "status": "running", "awaited": true},
        {"id": "one.2-0", "workflow": "errand", "status": "succeeded", "awaited": false}
    ]);
    assert_eq!(parent.at(&["children"]), children);
    let waiting = value!([
        {"state": "Ask", "for": "execution", "workflow": "errand", "execution": "one.3-0", "end": "timeout"}
    ]);
    let mut seen = parent.at(&["waiting"]);
    let first = seen.as_array_mut().and_then(|all| all.first_mut()).and_then(Value::as_object_mut).expect("one");
    assert!(first.remove("until").is_some());
    assert_eq!(seen, waiting);

    let (_, text, _) = place.run(&["show", "one"]);
    for line in [
        "waits for      Ask: the execution one.3-0 of errand, times out ",
        "child          one.3-0, of errand: running\n",
        "child          one.2-0, of errand: succeeded\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let (_, text, _) = place.run(&["show", "one.3-0"]);
    for line in [
        "started by     one\n",
        "waits for      Await: one of the events `paid` (subject `Paid`), `shipped` (type `order.shipped`, tenant `a`), times out ",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let (_, text, _) = place.run(&["show", "one", "--format", "json"]);
    assert_eq!(Value::from_json(&text).expect("JSON").get("children"), Some(&children));
    let (_, text, _) = place.run(&["list"]);
    assert!(
        text.contains("Ask: the execution one.3-0 of errand") && text.contains("Await: an event (paid, shipped)"),
        "{text}"
    );
    let (_, text, _) = place.run(&["history", "one"]);
    assert!(text.contains("ChildStarted         Ask  child=\"errand\""), "{text}");
    let (_, text, _) = place.run(&["history", "one.3-0"]);
    assert!(text.contains("EventAwaited         Await  events=[\"paid\",\"shipped\"]"), "{text}");
}

/// Checks the commands against a Restate server. Without a server, the test reports that it was
/// skipped. With `CI` or `WORKFLOW_REQUIRE_RESTATE` set, it fails then.
#[cfg(feature = "restate")]
fn commands_deliver_events_on_restate() {
    let target = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a target folder");
    let Some(restate) = restate_testing::server(target, None) else { return };
    let place = Place::new("restate");
    let _served = place.serve_restate(&restate.ingress, &restate.admin, &[]);
    let at = ["--engine", "restate", "--ingress", &restate.ingress];
    let run = |command: &[&str]| place.run(&[command, &at].concat());
    let waits =
        place.start(&[&["run", "--id", "one", "--input", "{\"do\": \"wait\", \"events\": 3}"], &at[..]].concat());
    let shown = (0..300).map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        run(&["show", "one"]).1
    });
    let shown = shown.into_iter().find(|text| text.contains("waits for")).expect("it waits in time");
    assert!(shown.contains(": one of the events `paid` (subject `Paid`), `shipped` (type `order.shipped`"), "{shown}");

    let paid = ["--type", "payment", "--source", "/bank", "--subject", "PAID", "--data"];
    let send = |command: &[&str], data: &str| run(&[command, &paid, &[data]].concat());
    let noted = "event accepted: the execution consumes it as soon as it waits for it\n";
    assert_eq!(send(&["send", "one"], "{\"n\": 1}"), (0, noted.to_owned(), String::new()));
    assert_eq!(send(&["publish"], "2"), (0, "event accepted for 1 execution\n".to_owned(), String::new()));
    let (status, _, error) = run(&["send", "one", "--type", "refund", "--source", "/bank"]);
    assert!(status == 2 && error.contains("does not wait for this event: `paid` needs the subject `Paid`"), "{error}");
    let (status, _, error) = send(&["send", "none"], "3");
    assert!(status == 2 && error.contains("execution `none` of `errand-"), "{error}");
    assert_eq!(run(&["publish", "--type", "refund", "--source", "/bank"]).1, "event accepted for 0 executions\n");
    assert_eq!(send(&["send", "one"], "[3]").0, 0);

    let output = waits.join().expect("an outcome");
    let output = Value::from_json(&String::from_utf8(output.stdout).expect("text")).expect("JSON");
    assert_eq!(output.get("got"), Some(&value!([{"n": 1}, 2, [3]])), "{output}");
    let (status, _, error) = send(&["send", "one"], "4");
    assert_eq!((status, error.as_str()), (2, "error: the execution `one` has ended\n"));
}
