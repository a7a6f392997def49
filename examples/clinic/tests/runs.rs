//! Tests of the workflow with mocked tasks, in virtual time.

use std::time::Duration;

use clinic::clinic::Clinic;
use workflow_runtime::testing::{Mocks, Reply, Report, run};
use workflow_runtime::{Builder, CloudEvent, Value, value};

const MINUTE: Duration = Duration::from_secs(60);

fn event(kind: &str, patient: &str, data: Value) -> CloudEvent {
    let source = if kind == "clinic.decision" { "/doctors" } else { "/ward" };
    CloudEvent::new(format!("{kind} of {patient}"), source, kind).data(data).extension("patient", patient)
}

/// Returns mocks with both readings of Ada, and their assessment.
fn read(level: &str) -> Mocks {
    let signs = value!({ "patient": "ada", "degrees": 39.5, "beats": 88 });
    Mocks::new()
        .event(MINUTE, event("clinic.temperature", "ada", value!({ "degrees": 39.5 })))
        .event(2 * MINUTE, event("clinic.pulse", "bob", value!({ "beats": 200 })))
        .event(3 * MINUTE, event("clinic.pulse", "ada", value!({ "beats": 88 })))
        .task("assess", [Reply::ok(value!({ "patient": "ada", "level": level })).to(signs)])
}

/// Runs an execution for Ada.
fn ada(mocks: &Mocks) -> Report {
    run(Builder::<Clinic>::new().correlate("ada"), mocks, Value::Null)
}

#[test]
fn readings_of_the_patient_alone_are_assessed() {
    let mocks = read("normal");
    let report = ada(&mocks);
    let signs = value!({ "degrees": 39.5, "beats": 88, "patient": "ada", "level": "normal", "filed": true });
    assert_eq!(report.outcome, Ok(signs));
    assert_eq!(report.visited, ["Read vital signs", "How is the patient", "File"]);
    assert_eq!(report.elapsed, 3 * MINUTE);
}

#[test]
fn what_the_doctor_prescribes_is_given_when_the_pharmacy_has_time() {
    let mocks = read("high")
        .task("page", [Reply::ok(Value::Null)])
        .event(10 * MINUTE, event("clinic.decision", "ada", value!({ "medicine": "paracetamol" })))
        .task("give", [Reply::error("PharmacyBusy", ""), Reply::error("PharmacyBusy", ""), Reply::ok(Value::Null)]);
    let report = ada(&mocks);
    assert!(report.outcome.is_ok(), "{report:?}");
    // The retries come after one and two seconds.
    assert_eq!(report.elapsed, 10 * MINUTE + Duration::from_secs(3));
    let sent: Vec<_> = report.sent.iter().map(|event| (&*event.kind, event.data.to_string())).collect();
    assert_eq!(sent, [("clinic.treated", r#"{"patient":"ada","medicine":"paracetamol"}"#.to_owned())]);
    assert_eq!(report.sent[0].attribute("patient"), Some("ada".into()));
}

#[test]
fn the_head_of_the_ward_is_called_where_nobody_answers_or_the_pharmacy_cannot() {
    let mocks = read("raised").task("page", [Reply::ok(Value::Null), Reply::ok(Value::Null)]);
    let report = ada(&mocks);
    assert!(report.outcome.is_ok(), "{report:?}");
    assert_eq!(report.visited[2..], ["Ask a doctor", "What does the doctor say", "Call the head of the ward"]);
    assert_eq!(report.elapsed, 33 * MINUTE);

    let mocks = read("raised")
        .task("page", [Reply::ok(Value::Null), Reply::ok(Value::Null)])
        .event(4 * MINUTE, event("clinic.decision", "ada", value!({ "medicine": "quinine" })))
        .task("give", [Reply::error("PharmacyClosed", "until tomorrow")]);
    let report = ada(&mocks);
    let error = report.outcome.as_ref().ok().and_then(|output| output.get("error")?.get("message")).cloned();
    assert_eq!(error, Some("until tomorrow".into()), "{report:?}");
    assert_eq!(report.visited[4..], ["Treat", "Call the head of the ward"]);
}

#[test]
fn null_is_an_answer() {
    let mocks = read("raised")
        .task("page", [Reply::ok(Value::Null)])
        .event(4 * MINUTE, event("clinic.decision", "ada", value!({ "medicine": null })));
    let report = ada(&mocks);
    assert_eq!(report.visited[3..], ["What does the doctor say", "File"], "{report:?}");
}

#[test]
fn one_reading_is_not_enough() {
    let mocks = Mocks::new().event(MINUTE, event("clinic.pulse", "ada", value!({ "beats": 88 })));
    let report = ada(&mocks);
    let fault = report.outcome.expect_err("the other reading is missing");
    assert_eq!(fault.error(), Some("States.IncompleteEvents"));
    assert_eq!(report.elapsed, 16 * MINUTE);
}
