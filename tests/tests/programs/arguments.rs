//! Arguments of the macro and methods of build scripts. `docs/reference` quotes them.

use std::time::Duration;
use workflow_runtime::testing::{Mocks, Reply, run};
use workflow_runtime::{Fault, JsonataLimits, Workflow, include_workflow, value};

include_workflow!(
    "arguments/flows/draft.json",
    name: "report",
    dialect: "asl",
    substitutions: { "Stage" => "test" },
    default_task_timeout: 300,
    jsonata_limits: { bytes = 1_000 },
    express: true,
    allow: ["WF0251"],
);

include_workflow!(
    "arguments/flows/draft.json",
    name: "described",
    dialect: "asl",
    substitutions: { "Stage" => "test" },
    schemas: {
        input = "arguments/flows/schemas/draft.json",
        "Publish" => { input = "arguments/flows/schemas/draft.json", output = "arguments/flows/schemas/publication.json" },
    },
    allow: ["WF0251"],
);

include_workflow!("arguments/flows/transfer.sm4c.json", root: "arguments");

mod by_build_script {
    include!(concat!(env!("OUT_DIR"), "/draft.rs"));
    include!(concat!(env!("OUT_DIR"), "/transfer.rs"));
    include!(concat!(env!("OUT_DIR"), "/couple.rs"));
    include!(concat!(env!("OUT_DIR"), "/application.rs"));
    include!(concat!(env!("OUT_DIR"), "/described.rs"));
}

/// Runs a workflow with the task `Publish-test`, which never ends. Returns the time until the
/// execution has failed, and the name of the error.
fn time_out<W: Workflow>() -> (Duration, Option<String>) {
    let mocks = Mocks::new().task("Publish-test", [Reply::never()]);
    let report = run(workflow_runtime::Builder::<W>::new(), &mocks, value!({}));
    let error = report.outcome.as_ref().err().and_then(Fault::error).map(str::to_owned);
    (report.elapsed, error)
}

#[test]
fn options_are_those_of_the_arguments() {
    let expected = (Duration::from_secs(300), Some("States.Timeout".to_owned()));
    assert_eq!(time_out::<report::Report>(), expected);
    assert_eq!(time_out::<by_build_script::draft::Draft>(), expected);
    assert_eq!(report::Report::DEFINITION.name, "report");
    assert_eq!(by_build_script::draft::Draft::DEFINITION.name, "draft");
    assert_eq!(report::Report::DEFINITION.data_limit, None);
    assert_eq!(by_build_script::draft::Draft::DEFINITION.data_limit, Some(262_144));
    let defaults = JsonataLimits::default();
    let limits = [report::Report::DEFINITION, by_build_script::draft::Draft::DEFINITION].map(|it| it.jsonata_limits);
    let expected = [JsonataLimits { bytes: 1_000, ..defaults }, JsonataLimits { depth: 50, ..defaults }];
    assert_eq!(limits, expected.map(Some));
}

#[test]
fn an_input_must_fit_the_schema_of_the_arguments() {
    fn refused<W: Workflow>() -> Option<String> {
        let mocks = Mocks::new().task("Publish-test", [Reply::ok(value!({ "published": true }))]);
        let report = run(workflow_runtime::Builder::<W>::new(), &mocks, value!({ "title": 7 }));
        report.outcome.as_ref().err().and_then(Fault::cause).map(|cause| cause.to_string())
    }
    for cause in [refused::<described::Described>(), refused::<by_build_script::described::Described>()] {
        assert!(cause.as_ref().is_some_and(|cause| cause.contains("the input")), "{cause:?}");
    }
    assert_eq!(refused::<report::Report>(), None);
}

#[test]
fn definitions_name_files_below_the_root() {
    for definition in [transfer::Transfer::DEFINITION, by_build_script::transfer::Transfer::DEFINITION] {
        let [task] = definition.tasks else { panic!("one task") };
        assert!(task.operation.is_some(), "{}", task.key);
    }
}

#[test]
fn a_build_script_binds_a_correlation_key_and_checks_sub_flows() {
    let correlation = by_build_script::couple::Couple::DEFINITION.correlation;
    assert_eq!(correlation.map(|by| by.attributes), Some(&["pair"][..]));
    assert_eq!(by_build_script::application::Application::DEFINITION.name, "application");
}
