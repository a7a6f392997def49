//! Tests of the results and the formats of suites.

use super::*;
use workflow_runtime::{Value, include_workflow, testing, value};

include_workflow!("tests/flows/refund.asl.json");
use refund::Refund;

const PAID: &str = r#"
[[run]]
name = "it is <paid>"
expect = { output = "p-1" }
[run.tasks]
Check = [{ ok = { allowed = true } }]
Pay = [{ ok = "p-1", after = "2s" }]
"#;

fn suite(cases: &str, options: &SuiteOptions) -> Result<Suite, String> {
    run_text::<Refund>("case.toml", cases, options)
}

/// Returns the failures of the only run.
fn failures(cases: &str) -> Vec<String> {
    let suite = suite(cases, &SuiteOptions::default()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(suite.failed(), suite.number_failed() > 0);
    let [Case { result: Some(ended), .. }] = &suite.results[..] else { panic!("one run") };
    ended.failures.clone()
}

#[test]
fn nothing_passes_silently() {
    for (text, expected) in [
        (
            "tasks = { Check = [{ ok = { allowed = true } }], Pay = [{ ok = 'p' }] }",
            &["the run has no expectation\n\
               = help: add `expect = { output_json = '\"p\"' }`, if this outcome is correct"][..],
        ),
        (
            "tasks = { Check = [{ ok = { allowed = false } }] }",
            &["the execution failed: Denied: 5 < 7 & \"more\"\n\
               = help: add `expect = { error = \"Denied\" }` if the execution should fail"],
        ),
        ("tasks = { Check = [{ ok = { allowed = false } }] }\nexpect = { error = 'Denied' }", &[]),
        ("tasks = { Check = [{ ok = { allowed = false } }] }\nexpect = { fails = true }", &[]),
        (
            "tasks = { Check = [{ ok = { allowed = true } }], Pay = [{ ok = 'p' }] }\nexpect = { fails = true }",
            &["expected any error\n     got output \"p\""],
        ),
        (
            "tasks = { Check = [{ ok = { allowed = false } }] }\nvisited = ['Check', 'IsAllowed', 'Denied']",
            &["the execution failed: Denied: 5 < 7 & \"more\"\n\
             = help: add `expect = { error = \"Denied\" }` if the execution should fail"],
        ),
        // A task without any reply, and one whose replies have run out.
        (
            "visited = ['Check']",
            &["no reply left for the task `Check` of the state `Check` with the input {}\n\
               = help: add one to `[run.tasks]`: `Check = [{ ok = … }]`, or `{ never = true }` in the list"],
        ),
        (
            "tasks = { Check = [{ ok = { allowed = true } }], Pay = [] }\nexpect = { error = 'States.Runtime' }",
            &["no reply left for the task `sqs:sendMessage` of the state `Pay` with the input …\n\
               = help: add one to `[run.tasks]`: `\"sqs:sendMessage\" = [{ ok = … }]`, or `{ never = true }` in the list"],
        ),
    ] {
        let mut found = failures(&format!("[[run]]\nname = 'x'\n{text}\n"));
        // The token differs between runs.
        if let Some((start, end)) = found.iter().find_map(|text| text.split_once("{\"token\"")) {
            let end = end.split_once("\"}").map_or("", |(_, end)| end);
            found = vec![format!("{start}…{end}")];
        }
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn contexts_are_those_of_tasks() {
    let context = testing::task_context::<Refund>("Check").expect("the task exists");
    assert_eq!((context.execution_id(), context.attempt(), context.token()), ("test", 1, Some("test-token")));
    let by_token = testing::task_context::<Refund>("sqs:sendMessage").expect("the task exists");
    assert_eq!((context.awaits_callback(), by_token.awaits_callback()), (false, true));
    let fault = testing::task_context::<Refund>("Chek").err().expect("no such task");
    let cause = "`refund` has no task `Chek`: the tasks are `Check`, `sqs:sendMessage`";
    assert_eq!(fault.cause(), Some(&Value::from(cause)));
}

#[test]
fn a_filter_without_a_match_is_an_error() {
    let options = SuiteOptions { filter: Some("piad".to_owned()), ..SuiteOptions::default() };
    let error = suite(PAID, &options).err().expect("it is refused");
    assert_eq!(error, "no run in case.toml has a name that contains \"piad\": the runs are \"it is <paid>\"");
}

#[test]
fn too_little_coverage_fails() {
    for (percent, failed) in [(0, false), (75, false), (76, true), (100, true)] {
        let suite =
            suite(PAID, &SuiteOptions { min_coverage: Some(percent), ..SuiteOptions::default() }).expect("it runs");
        assert_eq!((suite.number_failed(), suite.failed()), (0, failed), "{percent}");
    }
    let options = SuiteOptions { min_coverage: Some(80), ..SuiteOptions::default() };
    let report = suite(PAID, &options).expect("it runs").text();
    let expected = "\
ok      it is <paid> (2s)

1 passed, 0 failed
states visited: 3 of 4; not Denied
transitions taken: 2 of 3; not IsAllowed → Denied
FAILED  coverage
  the runs visit 3 of 4 states, which is 75 %: `--min-coverage` requires 80 %
  = help: add runs that visit Denied
";
    assert_eq!(report, expected);
    assert_eq!([percent("80"), percent("100%")], [Ok(80), Ok(100)]);
    for wrong in ["101", "-1", "", "a", "8.5"] {
        assert_eq!(percent(wrong), Err(format!("`--min-coverage {wrong}`: expected a whole number from 0 to 100")));
    }
}

#[test]
fn a_file_can_require_its_coverage() {
    let with = |required: &str| format!("min_coverage = {required}\n{PAID}");
    let all = SuiteOptions::default();
    for (percent, failed) in [(75, false), (76, true)] {
        assert_eq!(suite(&with(&percent.to_string()), &all).expect("it runs").failed(), failed, "{percent}");
    }
    let report = suite(&with("80"), &all).expect("it runs").text();
    assert!(report.contains("FAILED  coverage\n") && report.contains("75 %: `min_coverage` requires 80 %"), "{report}");
    // The option wins, and some of the runs need not reach what the file requires of all.
    let option = SuiteOptions { min_coverage: Some(70), ..SuiteOptions::default() };
    let some = SuiteOptions { filter: Some("paid".to_owned()), ..SuiteOptions::default() };
    for options in [&option, &some] {
        assert!(!suite(&with("100"), options).expect("it runs").failed(), "{options:?}");
    }
    let folder = std::env::temp_dir().join(format!("workflow-runner-coverage-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("case.toml");
    std::fs::write(&file, with("80")).expect("a file");
    let report = run_file::<Refund>(file.to_str().expect("UTF-8")).expect_err("too little is visited");
    assert!(report.contains("FAILED  coverage\n"), "{report}");
    std::fs::remove_dir_all(&folder).expect("the folder exists");
    for (wrong, column) in [("101", 16), ("-1", 16), ("'80'", 16), ("8.5", 16)] {
        let error = suite(&with(wrong), &all).err().expect("it is refused");
        let expected = format!("case.toml:1:{column}: `min_coverage` must be a whole number from 0 to 100");
        assert_eq!(error, expected, "{wrong}");
    }
}

/// Returns the suite of three runs, of which one passes, one fails and one is skipped, with
/// constant real times.
fn mixed() -> Suite {
    let denied = r#"
[[run]]
name = "it is \"denied\" \u001b"
tasks = { Check = [{ ok = { allowed = false }, times = 2 }] }
[[run]]
name = "other"
"#;
    let cases = [PAID, denied].concat();
    let options = SuiteOptions { filter: Some("it is".to_owned()), min_coverage: Some(100), ..SuiteOptions::default() };
    let mut suite = suite(&cases, &options).unwrap_or_else(|error| panic!("{error}"));
    for ended in suite.results.iter_mut().filter_map(|case| case.result.as_mut()) {
        ended.real_time = Duration::from_millis(2);
    }
    suite
}

#[test]
fn the_report_has_no_control_characters() {
    let report = mixed().text();
    assert!(report.contains("FAILED  it is \"denied\" \u{fffd} (case.toml:9)\n"), "{report}");
    assert!(!report.contains(|c: char| c.is_control() && c != '\n'), "{report:?}");
}

#[test]
fn the_report_can_be_junit_xml() {
    let expected = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites tests=\"4\" failures=\"1\" errors=\"0\" time=\"0.004\">
  <testsuite name=\"refund\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"0.004\">
    <properties>
      <property name=\"states.visited\" value=\"4 of 4\"/>
      <property name=\"transitions.taken\" value=\"3 of 3\"/>
    </properties>
    <testcase name=\"it is &lt;paid&gt;\" classname=\"refund\" time=\"0.002\"/>
    <testcase name=\"it is &quot;denied&quot; \u{fffd}\" classname=\"refund\" time=\"0.002\">
      <failure type=\"failed\" message=\"the execution failed: Denied: 5 &lt; 7 &amp; &quot;more&quot;\">case.toml:9&#10;the execution failed: Denied: 5 &lt; 7 &amp; &quot;more&quot;&#10;= help: add `expect = { error = &quot;Denied&quot; }` if the execution should fail&#10;note: unused replies of `Check`: 1</failure>
    </testcase>
    <testcase name=\"other\" classname=\"refund\" time=\"0.000\">
      <skipped/>
    </testcase>
    <testcase name=\"coverage\" classname=\"refund\" time=\"0.000\"/>
  </testsuite>
</testsuites>
";
    assert_eq!(mixed().report(ReportFormat::Junit), expected);
    let options = SuiteOptions { min_coverage: Some(80), ..SuiteOptions::default() };
    let uncovered = suite(PAID, &options).expect("it runs").report(ReportFormat::Junit);
    let failure =
        "classname=\"refund\" time=\"0.000\">\n      <failure type=\"failed\" message=\"the runs visit 3 of 4 states";
    assert!(uncovered.contains(failure) && uncovered.contains("tests=\"2\" failures=\"1\""), "{uncovered}");
}

#[test]
fn the_report_can_be_json() {
    let report = mixed().report(ReportFormat::Json);
    let lines: Vec<Value> = report.lines().map(|line| Value::from_json_strict(line).expect("JSON")).collect();
    let message = "the execution failed: Denied: 5 < 7 & \"more\"\n\
                   = help: add `expect = { error = \"Denied\" }` if the execution should fail";
    assert_eq!(
        lines,
        [
            value!({
                "run": "it is <paid>", "line": 2, "status": "passed", "outcome": { "output": "p-1" },
                "visited": ["Check", "IsAllowed", "Pay"], "virtual_seconds": 2.0, "failures": [], "notes": []
            }),
            value!({
                "run": "it is \"denied\" \u{1b}", "line": 9, "status": "failed",
                "outcome": { "error": "Denied", "cause": "5 < 7 & \"more\"" },
                "visited": ["Check", "IsAllowed", "Denied"], "virtual_seconds": 0.0,
                "failures": [(message)], "notes": ["note: unused replies of `Check`: 1"]
            }),
            value!({ "run": "other", "line": 12, "status": "skipped" }),
            value!({
                "workflow": "refund", "file": "case.toml", "status": "failed", "passed": 1, "failed": 1, "skipped": 1,
                "states": { "visited": 4, "total": 4, "missed": [] },
                "transitions": { "taken": 3, "total": 3, "missed": [] },
                "min_coverage": 100, "coverage_failure": null
            }),
        ]
    );
}
