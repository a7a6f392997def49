//! Workflows of Serverless Workflow on a server that is killed. Events come out of order, more
//! than once, with other correlation keys and without one, before and after an execution waits for
//! them. Each event is delivered once, to the right execution.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use workflow_runner::cases::{self, Coverage, Verdict};
use workflow_runtime::{Value, Workflow, include_workflow, value};

use crate::STRUCTURED;
use crate::program::{Place, Program, ask};

include_workflow!("tests/errand/flows/vitals.sw.json");
include_workflow!("tests/errand/flows/tenancy.sw.json");
include_workflow!("tests/errand/flows/pair.sw.json");
include_workflow!("tests/errand/flows/credit.sw.json");
include_workflow!("tests/errand/flows/season.sw.json");

/// A server that is killed repeatedly, on one database.
struct Site {
    place: Place,
    server: Program,
    log: Receiver<String>,
}

impl Site {
    fn new(name: &str) -> Site {
        let place = Place::new(name);
        let (server, log) = place.serve_and_log(&[]);
        Site { place, server, log }
    }

    /// Kills the process, and starts another one.
    fn crash(&mut self) {
        self.server.kill();
        (self.server, self.log) = self.place.serve_and_log(&[]);
    }

    /// Posts an event for all executions. Returns the number of executions that have it, and the
    /// number that it starts.
    fn post(&self, event: &Value) -> (i64, i64) {
        let answer = self.server.post("/events", STRUCTURED, &event.to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        let number = |name: &str| answer.at(&[name]).as_i64().expect("a number");
        (number("executions"), number("started"))
    }

    /// Posts an event that nothing takes, and waits for the line of the log that reports it.
    fn lost(&self, event: &Value) {
        assert_eq!(self.post(event), (0, 0), "{event}");
        let text = |name: &str| event.get(name).and_then(Value::as_str).unwrap_or_default();
        let line = format!(
            "WARN workflow: no execution receives the event id=\"{}\" source=\"{}\" type=\"{}\" reason=\"no subscribers\"",
            text("id"),
            text("source"),
            text("type")
        );
        while !self.log.recv_timeout(Duration::from_secs(30)).expect("a line").ends_with(&line) {}
    }

    /// Posts events one after the other, while the server is killed again and again, at a
    /// different moment each time. Posts unanswered events again.
    fn post_in_a_storm(&mut self, events: &[Value]) {
        let posted = AtomicUsize::new(0);
        for crash in 1.. {
            let address = self.server.address();
            std::thread::scope(|scope| {
                let poster = scope.spawn(|| {
                    while let Some(event) = events.get(posted.load(Ordering::Acquire)) {
                        let Some(answer) = ask(&address, "POST /events", STRUCTURED, &event.to_string()) else { break };
                        assert_eq!(answer.status, 200, "{}", answer.body);
                        posted.fetch_add(1, Ordering::AcqRel);
                    }
                });
                let until = events.len().min(posted.load(Ordering::Acquire) + 10);
                while posted.load(Ordering::Acquire) < until && !poster.is_finished() {
                    std::thread::sleep(Duration::from_micros(100));
                }
                std::thread::sleep(Duration::from_micros(crash * 397 % 3_000));
                self.server.kill();
            });
            self.crash();
            if posted.load(Ordering::Acquire) == events.len() {
                return;
            }
        }
    }

    /// Returns all executions of a workflow, the oldest first, as soon as the condition holds for
    /// them.
    fn executions(&self, workflow: &str, holds: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        for _ in 0..1_500 {
            let list = self.server.get(&format!("/executions?workflow={workflow}")).at(&["executions"]);
            let ids = list.as_array().into_iter().flatten().rev().map(|one| text(one, "id"));
            let all: Vec<Value> = ids.map(|id| self.server.get(&format!("/executions/{id}")).body).collect();
            if holds(&all) {
                return all;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        panic!("the executions of `{workflow}` are never so");
    }

    /// Waits until an execution waits in a state for an event or a task.
    fn waits(&self, id: &str, state: &str, what: &str) {
        self.server.until(&format!("/executions/{id}"), |answer| is_waiting(&answer.body, state, what));
    }

    /// Starts a credit check of a customer.
    fn check(&self, id: &str, customer: &str, sum: i64) {
        let answer = self.server.post(
            &format!("/credit?id={id}&correlate=customer={customer}"),
            "",
            &value!({"sum": sum}).to_string(),
        );
        assert_eq!(answer.status, 201, "{}", answer.body);
    }

    /// Waits for the end of an execution, and returns its output.
    fn output(&self, id: &str) -> Value {
        let result = self.server.get(&format!("/executions/{id}/result?wait=30s"));
        assert_eq!((result.status, result.text("status")), (200, "succeeded"), "{}", result.body);
        result.at(&["outcome", "output"])
    }
}

fn text(value: &Value, name: &str) -> String {
    value.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn is_waiting(execution: &Value, state: &str, what: &str) -> bool {
    let waiting = execution.get("waiting").and_then(Value::as_array);
    waiting.into_iter().flatten().any(|one| text(one, "state") == state && text(one, "for") == what)
}

/// Returns the number of executions with this status.
fn count(all: &[Value], status: &str) -> usize {
    all.iter().filter(|one| text(one, "status") == status).count()
}

fn output(execution: &Value) -> Value {
    execution.get("outcome").and_then(|outcome| outcome.get("output")).cloned().unwrap_or_default()
}

/// Returns a CloudEvent, with a correlation attribute if one is given.
fn event(id: &str, kind: &str, source: &str, correlation: Option<(&str, &str)>, data: Value) -> Value {
    let mut event = value!({"specversion": "1.0", "id": id, "source": source, "type": kind, "data": data});
    if let (Some((name, value)), Some(members)) = (correlation, event.as_object_mut()) {
        members.insert(name, value);
    }
    event
}

fn reading(id: &str, kind: &str, patient: &str, data: Value) -> Value {
    event(id, &format!("ward.{kind}"), "/ward/monitors", Some(("patient", patient)), data)
}

fn seen(id: &str, patient: &str) -> Value {
    event(id, "ward.seen", "/ward/nurses", Some(("patient", patient)), value!({"seen": id}))
}

pub fn readings_of_patients_are_noted_once() {
    let mut site = Site::new("vitals");
    let fever = reading("1", "temperature", "ada", value!({"degrees": 39}));
    let pulse = reading("2", "pulse", "ada", value!({"rate": 90}));
    let breath = reading("3", "breath", "bob", value!({"rate": 20}));
    site.place.hold("notePulse");
    assert_eq!(site.post(&fever), (0, 1));
    assert_eq!(site.post(&fever).1, 0);
    assert_eq!(site.post(&pulse), (0, 1));
    // The first reading has been recorded, and the second is being recorded.
    let all = site.executions("vitals", |all| {
        all.len() == 2 && is_waiting(&all[0], "Nurse", "event") && is_waiting(&all[1], "Reading", "task")
    });
    let (first, second) = (text(&all[0], "id"), text(&all[1], "id"));
    // A reading without a patient, and a reading from another source.
    site.lost(&event("4", "ward.pulse", "/ward/monitors", None, value!({"rate": 1})));
    site.lost(&event("5", "ward.pulse", "/elsewhere", Some(("patient", "ada")), value!({"rate": 1})));
    // No execution waits for the nurse of this patient. The second execution buffers the event
    // that the first one waits for.
    site.lost(&seen("6", "bob"));
    assert_eq!(site.post(&seen("7", "ada")), (2, 0));
    assert_eq!(
        output(&site.executions("vitals", |all| count(all, "succeeded") == 1)[0]),
        value!({"degrees": 39, "seen": "7"})
    );
    // The server is killed after the answer, at an unknown point of its processing.
    assert_eq!(site.post(&breath), (0, 1));
    site.server.kill();
    site.place.let_go("notePulse");
    site.crash();
    for again in [&fever, &pulse, &breath, &seen("7", "ada")] {
        assert_eq!(site.post(again).1, 0, "{again}");
    }
    assert_eq!(site.output(&second), value!({"rate": 90, "seen": "7"}));
    let all = site.executions("vitals", |all| all.len() == 3 && is_waiting(&all[2], "Nurse", "event"));
    assert_eq!([text(&all[0], "id"), text(&all[1], "id")], [first, second]);
    let third = text(&all[2], "id");
    site.lost(&event("8", "ward.seen", "/ward/nurses", None, Value::Null));
    site.lost(&seen("9", "ada"));
    let refused = site.server.post(&format!("/executions/{third}/events"), STRUCTURED, &seen("9", "ada").to_string());
    assert_eq!(refused.status, 422, "{}", refused.body);
    assert_eq!(site.post(&seen("10", "bob")), (1, 0));
    site.crash();
    assert_eq!(site.output(&third), value!({"rate": 20, "seen": "10"}));
    assert_eq!(site.post(&seen("10", "bob")).1, 0);
    // A new reading of the same patient starts another execution. Each reading has been recorded
    // once.
    assert_eq!(site.post(&reading("11", "breath", "ada", value!({"rate": 21}))), (0, 1));
    site.executions("vitals", |all| all.len() == 4 && is_waiting(&all[3], "Nurse", "event"));
    let noted = |task: &str| site.place.called_with(task);
    let ada = || "ada".to_owned();
    assert_eq!(noted("noteTemperature"), [(ada(), value!({"degrees": 39, "whose": "ada"}))]);
    assert_eq!(noted("notePulse"), [(ada(), value!({"rate": 90, "whose": "ada"}))]);
    // The task was running when the process ended.
    assert_eq!(site.place.calls("notePulse").len(), 2);
    let breaths =
        [("bob".to_owned(), value!({"rate": 20, "whose": "bob"})), (ada(), value!({"rate": 21, "whose": "ada"}))];
    assert_eq!(noted("noteBreath"), breaths);
}

/// Returns a document of an applicant for a tenancy.
fn letter(id: &str, kind: &str, applicant: &str) -> Value {
    let data = value!({(kind): format!("{applicant} {id}")});
    event(id, &format!("tenancy.{kind}"), "/letters", Some(("applicant", applicant)), data)
}

/// Returns the input of the decision, by the numbers of the documents.
fn documents(applicant: &str, [card, slip, reference]: [&str; 3]) -> (String, Value) {
    let of = |id: &str| format!("{applicant} {id}");
    let input = value!({"card": of(card), "slip": of(slip), "reference": of(reference), "whose": applicant});
    (applicant.to_owned(), input)
}

pub fn documents_are_collected_by_applicant() {
    let mut site = Site::new("tenancy");
    assert_eq!(site.post(&letter("1", "slip", "ada")), (0, 1));
    assert_eq!(site.post(&letter("2", "reference", "bob")), (0, 1));
    assert_eq!(site.post(&letter("3", "card", "ada")), (1, 0));
    site.lost(&event("4", "tenancy.card", "/letters", None, Value::Null));
    site.crash();
    // A duplicate, and another document of a kind that is already there.
    assert_eq!(site.post(&letter("1", "slip", "ada")).1, 0);
    assert_eq!(site.post(&letter("5", "reference", "bob")), (1, 0));
    assert_eq!(site.post(&letter("6", "card", "bob")), (1, 0));
    assert!(site.place.calls("decide").is_empty());
    // The last document of one applicant. The server is killed between the answer and its effect.
    assert_eq!(site.post(&letter("7", "reference", "ada")), (1, 0));
    site.crash();
    assert_eq!(site.post(&letter("7", "reference", "ada")).1, 0);
    let all = site.executions("tenancy", |all| all.len() == 2 && count(all, "succeeded") == 1);
    assert_eq!(output(&all[0]), value!({"card": "ada 3", "slip": "ada 1", "reference": "ada 7"}));
    assert!(is_waiting(&all[1], "Documents", "event"), "{}", all[1]);
    // The last document of the other applicant. The server is killed during the decision.
    site.place.hold("decide");
    assert_eq!(site.post(&letter("8", "slip", "bob")), (1, 0));
    site.executions("tenancy", |all| is_waiting(&all[1], "Documents", "task"));
    site.place.let_go("decide");
    site.crash();
    site.executions("tenancy", |all| all.len() == 2 && count(all, "succeeded") == 2);
    // Duplicates of all documents start no execution. New documents of the same applicant start
    // one when all are there.
    for (id, kind) in [("3", "card"), ("1", "slip"), ("7", "reference")] {
        assert_eq!(site.post(&letter(id, kind, "ada")).1, 0, "{id}");
    }
    let new = [
        letter("9", "slip", "ada"),
        letter("10", "card", "ada"),
        letter("9", "slip", "ada"),
        letter("11", "reference", "ada"),
    ];
    let answer = site.server.post("/events", crate::BATCHED, &Value::from_iter(new).to_string());
    let started = |one: &Value| one.get("started").and_then(Value::as_i64);
    let started: Vec<_> = answer.body.as_array().into_iter().flatten().map(started).collect();
    assert_eq!(started, [Some(1), Some(0), Some(0), Some(0)], "{}", answer.body);
    site.executions("tenancy", |all| all.len() == 3 && count(all, "succeeded") == 3);
    let decided =
        [documents("ada", ["3", "1", "7"]), documents("bob", ["6", "8", "2"]), documents("ada", ["10", "9", "11"])];
    assert_eq!(site.place.called_with("decide"), decided);
}

pub fn a_set_that_is_not_complete_fails() {
    let mut site = Site::new("pair");
    let signed = |id: &str, who: &str, contract: &str| {
        event(id, &format!("contract.{who}"), "/letters", Some(("contract", contract)), Value::Null)
    };
    assert_eq!(site.post(&signed("1", "tenant", "x")), (0, 1));
    let failed =
        |all: &[Value], count: usize| all.len() == count && all.iter().all(|one| text(one, "status") == "failed");
    let all = site.executions("pair", |all| failed(all, 1));
    // The time-out of this execution ends in another process.
    assert_eq!(site.post(&signed("2", "landlord", "y")), (0, 1));
    site.crash();
    let more = site.executions("pair", |all| failed(all, 2));
    for execution in [&all[0], &more[1]] {
        let outcome = execution.get("outcome").expect("an outcome");
        assert_eq!(text(outcome, "error"), "States.IncompleteEvents", "{outcome}");
        assert!(text(outcome, "cause").ends_with("waited for 2 events, but only 1 arrived in time"), "{outcome}");
    }
    // The other half is too late: it starts a new execution. The duplicate does not.
    assert_eq!(site.post(&signed("1", "tenant", "x")).1, 0);
    assert_eq!(site.post(&signed("3", "landlord", "x")), (0, 1));
    site.executions("pair", |all| failed(all, 3));
    assert!(site.place.calls("file").is_empty());
}

/// Returns an event with the bureau's answer about a customer.
fn answer(id: &str, customer: &str, data: Value) -> Value {
    event(id, "bureau.answer", "/bureau", Some(("customer", customer)), data)
}

pub fn the_bureau_answers_the_right_check() {
    let mut site = Site::new("credit");
    let refused = site.server.post("/credit?correlate=colour=red", "", "{}");
    assert_eq!(refused.status, 400, "{}", refused.body);
    // The bureau answers while the task that asks it is still running.
    site.place.hold("askBureau");
    site.check("early", "7", 100);
    site.waits("early", "Ask", "task");
    let granted = answer("1", "7", value!({"decision": "granted", "limit": 500}));
    site.lost(&answer("2", "8", value!({"decision": "denied"})));
    site.lost(&event("3", "bureau.answer", "/bureau", None, value!({"decision": "denied"})));
    let other = answer("4", "8", value!({"decision": "denied"})).to_string();
    assert_eq!(site.server.post("/executions/early/events", STRUCTURED, &other).status, 422);
    assert_eq!(site.post(&granted), (1, 0));
    assert_eq!(site.post(&granted).1, 0);
    // The event is a duplicate on every path.
    let again = site.server.post("/executions/early/events", STRUCTURED, &granted.to_string());
    assert_eq!(crate::taken(&again), (202, Some(0), Some(1)), "{}", again.body);
    site.waits("early", "Ask", "task");
    site.server.kill();
    site.place.let_go("askBureau");
    site.crash();
    assert_eq!(site.output("early"), value!({"sum": 100, "decision": "granted", "limit": 500}));
    assert_eq!(site.place.calls("askBureau").len(), 2);
    // The bureau answers an execution that waits. An execution of another customer waits, too.
    site.check("late", "8", 200);
    site.check("other", "9", 300);
    site.waits("late", "Ask", "event");
    site.waits("other", "Ask", "event");
    site.crash();
    // The first answer for this customer came before the execution started, so it is not
    // delivered.
    site.waits("late", "Ask", "event");
    let denied = answer("5", "8", value!({"decision": "denied"}));
    assert_eq!(site.post(&denied), (1, 0));
    site.crash();
    assert_eq!(site.post(&denied).1, 0);
    assert_eq!(site.output("late"), value!({"sum": 200, "decision": "denied"}));
    site.waits("other", "Ask", "event");
    // The answer is too late for that execution. Two executions of another customer receive both
    // answers, in order.
    site.lost(&answer("5b", "8", value!({"decision": "granted"})));
    site.place.hold("askBureau");
    site.check("one", "5", 1);
    site.check("two", "5", 2);
    site.waits("one", "Ask", "task");
    site.waits("two", "Ask", "task");
    assert_eq!(site.post(&answer("open", "5", value!({"decision": "open"}))), (2, 0));
    assert_eq!(site.post(&answer("closed", "5", value!({"decision": "denied"}))), (2, 0));
    site.server.kill();
    site.place.let_go("askBureau");
    site.crash();
    assert_eq!(site.output("one"), value!({"sum": 1, "decision": "denied"}));
    assert_eq!(site.output("two"), value!({"sum": 2, "decision": "denied"}));
    // The answer leaves the decision open, and no other follows.
    assert_eq!(site.post(&answer("6", "9", value!({"decision": "open"}))), (1, 0));
    assert_eq!(site.output("other"), value!({"sum": 300, "decision": "open"}));
    // An execution with a delayed start buffers events.
    let later = site.server.post("/credit?id=later&correlate=customer=7&delay=1s", "", "{\"sum\": 400}");
    assert_eq!(later.status, 201, "{}", later.body);
    assert_eq!(site.post(&answer("7", "7", value!({"decision": "granted", "limit": 600}))), (1, 0));
    site.crash();
    assert_eq!(site.output("later"), value!({"sum": 400, "decision": "granted", "limit": 600}));
    // An equal request returns the same execution. With another customer, it is a conflict.
    let again = |customer: &str| {
        site.server.post(&format!("/credit?id=late&correlate=customer={customer}"), "", "{\"sum\": 200}")
    };
    assert_eq!([again("8").status, again("9").status], [200, 409]);
    let called = |task: &str| site.place.called_with(task);
    let of = |customer: &str, input: Value| (customer.to_owned(), input);
    let asked = called("askBureau");
    assert_eq!(asked.len(), 6, "{asked:?}");
    assert!(
        asked.contains(&of("7", value!({"sum": 100}))) && asked.contains(&of("9", value!({"sum": 300}))),
        "{asked:?}"
    );
    assert_eq!(
        called("grant"),
        [of("7", value!({"sum": 100, "limit": 500})), of("7", value!({"sum": 400, "limit": 600}))]
    );
    let denied = called("deny");
    assert_eq!((denied.len(), &denied[0]), (3, &of("8", value!({"sum": 200, "decision": "denied"}))), "{denied:?}");
    let insisted = called("insist");
    assert_eq!((insisted.len(), &insisted[2]), (3, &of("9", value!({"sum": 300, "decision": "open"}))), "{insisted:?}");
    assert_eq!(called("escalate"), [of("9", value!({"sum": 300, "decision": "open"}))]);
}

/// Checks executions that were started by a request: they wait for the events that start others.
pub fn what_waits_in_its_first_state_takes_what_starts_others() {
    let mut site = Site::new("by-hand");
    assert_eq!(site.server.post("/vitals?id=a&correlate=patient=ada", "", "{\"bed\": 1}").status, 201);
    assert_eq!(site.server.post("/tenancy?id=b&correlate=applicant=bob", "", "{\"flat\": 2}").status, 201);
    site.waits("a", "Reading", "event");
    site.waits("b", "Documents", "event");
    site.crash();
    assert_eq!(site.post(&reading("1", "pulse", "bob", value!({"rate": 1}))), (0, 1));
    assert_eq!(site.post(&reading("2", "pulse", "ada", value!({"rate": 2}))), (1, 0));
    assert_eq!(site.post(&letter("1", "card", "bob")), (1, 0));
    assert_eq!(site.post(&letter("2", "card", "ada")), (0, 1));
    assert_eq!(site.post(&letter("3", "slip", "bob")), (1, 0));
    site.crash();
    assert_eq!(site.post(&reading("2", "pulse", "ada", value!({"rate": 2}))).1, 0);
    assert_eq!(site.post(&letter("1", "card", "bob")).1, 0);
    assert_eq!(site.post(&letter("4", "reference", "bob")), (1, 0));
    assert_eq!(site.post(&seen("3", "ada")), (1, 0));
    assert_eq!(site.output("a"), value!({"bed": 1, "rate": 2, "seen": "3"}));
    let output = value!({"flat": 2, "card": "bob 1", "slip": "bob 3", "reference": "bob 4"});
    assert_eq!(site.output("b"), output);
    assert_eq!(site.executions("vitals", |_| true).len(), 2);
    assert_eq!(site.executions("tenancy", |_| true).len(), 2);
}

pub fn no_crash_loses_or_doubles_an_event() {
    const ALL: usize = 16;
    let mut site = Site::new("storm");
    let kinds = ["card", "slip", "reference"];
    let name = |at: usize| format!("n{at}");
    for at in 0..ALL {
        site.check(&format!("check-{at}"), &name(at), at as i64);
    }
    let mut events = Vec::new();
    for round in 0..3 {
        for at in 0..ALL {
            let kind = kinds[(round + at) % 3];
            events.push(letter(kind, kind, &name(at)));
            match round {
                0 => events.push(reading(&format!("pulse {at}"), "pulse", &name(at), value!({"rate": at as i64}))),
                1 => events.push(answer(
                    &format!("{at}"),
                    &name(at),
                    value!({"decision": "granted", "limit": at as i64}),
                )),
                _ => events.push(seen(&format!("seen {at}"), &name(at))),
            }
            // A duplicate of an earlier event.
            events.push(events[events.len() / 2].clone());
        }
    }
    // A source gives each event a unique id.
    for event in events.iter_mut().filter(|event| text(event, "source") == "/letters") {
        let id = format!("{} of {}", text(event, "id"), text(event, "applicant"));
        event.as_object_mut().expect("an object").insert("id", id);
    }
    site.post_in_a_storm(&events);
    let all_succeed = |all: &[Value]| count(all, "succeeded") == ALL;
    for workflow in ["vitals", "tenancy", "credit"] {
        site.executions(workflow, all_succeed);
    }
    for event in &events {
        assert_eq!(site.post(event).1, 0, "{event}");
    }
    for workflow in ["vitals", "tenancy", "credit"] {
        assert_eq!(site.executions(workflow, all_succeed).len(), ALL, "{workflow}");
    }
    for task in ["notePulse", "decide", "askBureau", "grant"] {
        let mut called = site.place.called_with(task);
        called.sort_by_key(|(name, _)| name[1..].parse().unwrap_or(usize::MAX));
        let expected: Vec<(String, Value)> = (0..ALL)
            .map(|at| match task {
                "notePulse" => (name(at), value!({"rate": at as i64, "whose": name(at)})),
                "decide" => documents(&name(at), kinds),
                "askBureau" => (name(at), value!({"sum": at as i64})),
                _ => (name(at), value!({"sum": at as i64, "limit": at as i64})),
            })
            .collect();
        assert_eq!(called, expected, "{task}");
    }
}

pub fn a_season_that_is_over_sells_nothing() {
    let site = Site::new("season");
    let answer = site.server.post("/season", "", "{}");
    let expected =
        "`season` is no longer active: it can be started from 2020-06-01T00:00:00.000Z until 2020-07-01T00:00:00.000Z";
    assert!(answer.status == 409 && answer.text("error").starts_with(expected), "{} {}", answer.status, answer.body);
    site.lost(&event("1", "season.bought", "/shop", None, Value::Null));
    assert!(site.executions("season", |_| true).is_empty());
    assert!(site.place.calls("print").is_empty());
}

/// Returns the verdicts of the runs of a case file.
fn verdicts<W: Workflow>(text: &str) -> Vec<Verdict> {
    let runs = cases::read("case.toml", text).expect("runs").runs;
    runs.iter().map(|run| cases::check::<W>(run, &Coverage::new(W::DEFINITION))).collect()
}

pub fn cases_say_what_events_correlate_by() {
    let text = r#"
        [[run]]
        name = "one of two answers is for it"
        correlate = "customer=7"
        input = { sum = 1 }
        tasks = { askBureau = [{ ok_json = "null" }], grant = [{ ok_json = "null" }] }
        events = [
            { after = "1s", type = "bureau.answer", source = "/bureau", attributes = { customer = "8" }, data = { decision = "denied" } },
            { after = "2s", type = "bureau.answer", source = "/bureau", attributes = { customer = "7" }, data = { decision = "granted" } },
        ]
        expect = { output = { sum = 1, decision = "granted" } }
        virtual_time = "2s"

        [[run]]
        correlate = "colour=red"
        tasks = { askBureau = [{ never = true }] }
        expect = { error = "States.Runtime" }
    "#;
    let [right, wrong] = &verdicts::<credit::Credit>(text)[..] else { panic!("two runs") };
    assert_eq!(right.failures, Vec::<String>::new());
    assert_eq!(
        wrong.failures,
        ["no event of `credit` correlates by `colour`: the correlation attributes are `customer`"]
    );
    // The first document starts the execution. The others are documents of the same applicant.
    let text = r#"
        [[run]]
        tasks = { decide = [{ ok = { flat = 3 } }] }
        events = [
            { after = "3s", type = "tenancy.reference", source = "/letters", attributes = { applicant = "ada" } },
            { after = "4s", type = "tenancy.card", source = "/letters", attributes = { applicant = "bob" } },
            { after = "2s", type = "tenancy.slip", source = "/letters", attributes = { applicant = "ada" } },
            { after = "5s", type = "tenancy.card", source = "/letters", attributes = { applicant = "ada" } },
        ]
        expect = { output = { flat = 3 } }
        virtual_time = "5s"
    "#;
    assert_eq!(verdicts::<tenancy::Tenancy>(text)[0].failures, Vec::<String>::new());
}
