//! Tests of the reader of case files.

use super::*;
use workflow_runtime::testing::Reply;
use workflow_runtime::{CloudEvent, Fault, value};

#[test]
fn a_case_file_is_read() {
    let runs = read(
        "case.toml",
        r#"
[[run]]
name = "first"
input = '{ "id": 7, "none": null }'
settings = { Stage = "test" }
expect = { output_json = 'null' }
visited = ["A", "B"]
virtual_time = "1m 1s"

[run.tasks]
"svc:act" = [{ error = "Flaky", times = 2 }, { ok = { at = 1979-05-27, n = 0x10, f = 1.5 }, after = "2s" }]
Send = [{ ok_json = "[1]", to = { id = 1 } }, { never = true }, { error = "E", cause_json = '{"a": 1}' }]

[run.workflows]
child = [{ ok = 1 }]

[[run.events]]
name = "paid"
[[run.events]]
after = "5s"
type = "order.shipped"
source = "/depot"
id = "x"
data_json = '[null]'
attributes = { tenant = "a" }

[[run]]
input = { id = 1 }
expect = { error = "E", cause = "c" }
"#,
    )
    .expect("it is in order")
    .runs;
    let [first, second] = &runs[..] else { panic!("{runs:?}") };
    assert_eq!((first.name.as_str(), first.line, second.name.as_str()), ("first", 2, "line 27"));
    assert_eq!(first.input, value!({ "id": 7, "none": null }));
    assert_eq!(first.settings.get("Stage"), Some(&value!("test")));
    assert_eq!(first.expect, Some(Expect::Output(value!(null))));
    assert_eq!(first.visited.as_deref(), Some(&["A".to_owned(), "B".to_owned()][..]));
    assert_eq!(first.virtual_time, Some(Duration::from_secs(61)));
    let flaky = Reply::fault(Fault::from_parts(Some("Flaky".into()), None));
    let mocks: Vec<(&str, usize, &[Reply])> =
        first.tasks.iter().map(|mock| (mock.name.as_str(), mock.line, mock.replies.as_slice())).collect();
    assert_eq!(
        mocks,
        [
            (
                "Send",
                12,
                &[
                    Reply::ok(value!([1])).to(value!({ "id": 1 })),
                    Reply::never(),
                    Reply::error("E", value!({ "a": 1 }))
                ][..]
            ),
            (
                "svc:act",
                11,
                &[
                    flaky.clone(),
                    flaky,
                    Reply::ok(value!({ "at": "1979-05-27", "n": 16, "f": 1.5 })).after(Duration::from_secs(2))
                ][..]
            ),
        ]
    );
    let [child] = &first.workflows[..] else { panic!("{:?}", first.workflows) };
    assert_eq!((child.name.as_str(), &child.replies[..]), ("child", &[Reply::ok(1)][..]));
    let shipped = CloudEvent::new("x", "/depot", "order.shipped").data(value!([null])).extension("tenant", "a");
    let paid = CloudEvent::new("1", "/case", "paid").subject("paid");
    assert_eq!(first.events, [(Duration::ZERO, paid), (Duration::from_secs(5), shipped)]);
    assert_eq!(second.input, value!({ "id": 1 }));
    assert_eq!(second.expect, Some(Expect::Error { error: Some("E".to_owned()), cause: Some(value!("c")) }));
    assert_eq!((&second.visited, second.virtual_time, second.tasks.len()), (&None, None, 0));
}

#[test]
fn problems_are_reported_with_their_place() {
    for (text, expected) in [
        ("", "case.toml:1:1: the file has no runs: add `[[run]]`"),
        ("run = []", "case.toml:1:1: the file has no runs: add `[[run]]`"),
        (
            "[[run]]\nnam = 1",
            "case.toml:2:1: unknown key `nam`: expected one of `name`, `input`, `input_json`, `settings`, `correlate`, `tasks`, `workflows`, `map`, `events`, `expect`, `visited`, `virtual_time`",
        ),
        ("run = 1", "case.toml:1:7: `run` must be an array, found integer"),
        ("[[run]]\nname = 1", "case.toml:2:8: `name` must be a string, found integer"),
        ("[[run]]\ninput = '{'", "case.toml:2:9: `input` is not JSON:"),
        (
            "[[run]]\ninput = {}\ninput_json = '1'",
            "case.toml:3:14: `input` and `input_json` have the same meaning: remove one of them",
        ),
        (
            "[[run]]\nvirtual_time = \"5\"",
            "case.toml:2:16: `5` is not a duration: write a duration such as `250ms`, `61s` or `1m 30s`",
        ),
        (
            "[[run]]\nexpect = {}",
            "case.toml:2:10: `expect` must be `{ output = … }`, `{ error = \"Name\", cause = \"…\" }` or `{ fails = true }`",
        ),
        ("[[run]]\nexpect = { output = 1, error = \"E\" }", "case.toml:2:10: `expect` must be"),
        ("[[run]]\nexpect = { fails = true, error = \"E\" }", "case.toml:2:10: `expect` must be"),
        ("[[run]]\nexpect = { fails = false }", "case.toml:2:"),
        ("[[run]]\nvisited = [1]", "case.toml:2:12: a state must be a string"),
        ("[[run]]\ntasks = { A = 1 }", "case.toml:2:15: the replies of a task must be an array"),
        ("[[run]]\ntasks = { A = [{ ok = 1, error = \"E\" }] }", "case.toml:2:16: a reply must be"),
        (
            "[[run]]\ntasks = { A = [{ ok = 1, times = -1 }] }",
            "case.toml:2:34: `times` must be an integer from 0 to 100000",
        ),
        ("[[run]]\nworkflows = { A = 1 }", "case.toml:2:19: the replies of a workflow must be an array"),
        ("[[run]]\nevents = [{ after = \"1s\" }]", "case.toml:2:11: an event needs `name` or `type`"),
        (
            "[[run]]\nevents = [{ name = \"a\", subject = \"b\" }]",
            "case.toml:2:11: `name` and `subject` have the same meaning: remove one of them",
        ),
        ("[[run]]\nevents = [{ type = \"\" }]", "case.toml:2:20: `type` must not be empty"),
        (
            "[[run]]\nevents = [{ type = \"a\", attributes = { time = \"b\" } }]",
            "case.toml:2:40: `time` is not allowed in `attributes`",
        ),
        ("[[run]]\nevents = [{ type = \"a\", kind = 1 }]", "case.toml:2:25: unknown key `kind`"),
        ("[[run]]\nsent = [{ after = \"1s\" }]", "case.toml:2:11: unknown key `after`"),
        (
            "[[run]]\nsent = [{ name = \"a\", subject = \"b\" }]",
            "case.toml:2:9: `name` and `subject` have the same meaning: remove one of them",
        ),
        ("[[run]]\nstarted = [{ input = 1 }]", "case.toml:2:12: a start needs `workflow`"),
        ("[[run]]\ntasks = { A = [{ okk = 1 }] }", "case.toml:2:18: unknown key `okk`"),
        (
            "[[run]]\ntasks = { A = [{ ok = inf }] }",
            "case.toml:2:23: the number is not finite, and JSON cannot represent it",
        ),
        ("[[run]]\ntasks = { A = [{ ok = 99999999999999999999 }] }", "case.toml:2:23:"),
        (
            "[[run]]\nname = \"a\"\n[[run]]\nname = \"a\"",
            "case.toml:3:1: duplicate name \"a\": the other run is in line 1",
        ),
        ("[[run]]\nname = \"é\" x", "case.toml:2:12:"),
    ] {
        let problem = read("case.toml", text).expect_err(text).to_string();
        assert!(problem.starts_with(expected), "{text}\n{problem}");
    }
}

#[test]
fn what_is_sent_and_started_is_compared() {
    let text = "[[run]]\nsent = [{ name = \"a\", data = 1, attributes = { tenant = \"x\" } }, { type = \"b\" }]\n\
                started = [{ workflow = \"w\", input = [1] }, { workflow = \"v\" }]\n";
    let runs = read("case.toml", text).expect("it is right").runs;
    let [Run { sent: Some(sent), started: Some(started), .. }] = &runs[..] else { panic!("{runs:?}") };
    let first = CloudEvent::new("1", "/x", "kind").subject("a").data(value!(1)).extension("tenant", "x");
    let second = CloudEvent::new("2", "/x", "b").data(value!("whatever"));
    assert_eq!(check::compare_sent(sent, &[first.clone(), second.clone()]), [] as [&str; 0]);
    assert_eq!(
        check::compare_sent(sent, &[second.clone(), first.clone(), second]),
        [
            "expected the subject \"a\" of sent event 1\n     got none",
            "expected the tenant \"x\" of sent event 1\n     got none",
            "expected the data 1 of sent event 1\n     got \"whatever\"",
            "expected the type \"b\" of sent event 2\n     got \"kind\"",
            "expected 2 sent events\n     got 3: b, a, b",
        ]
    );
    assert_eq!(check::compare_sent(sent, &[]), ["expected 2 sent events\n     got 0"]);
    let start = |name: &str, input: Value| (name.to_owned(), input);
    assert_eq!(check::compare_started(started, &[start("w", value!([1])), start("v", value!(2))]), [] as [&str; 0]);
    assert_eq!(
        check::compare_started(started, &[start("w", value!([2])), start("u", value!(2)), start("v", value!(2))]),
        [
            "expected the input [1] of `w`, started workflow 1\n     got [2]",
            "expected `v` as started workflow 2\n     got `u`",
            "expected 2 started workflows\n     got 3: w, u, v",
        ]
    );
}

#[test]
fn mocks_come_from_a_table_or_a_run() {
    let names = |text: &str, run: Option<&str>| {
        let mocks = read_mocks("mocks.toml", text, run).map_err(|problem| problem.to_string())?;
        Ok::<_, String>(mocks.into_iter().map(|mock| mock.name).collect::<Vec<_>>())
    };
    let table = "[tasks]\nA = [{ ok = 1 }]\n";
    let runs = "[[run]]\nname = \"x\"\ntasks = { B = [] }\n[[run]]\nname = \"y\"\ntasks = { C = [] }\n";
    assert_eq!(names(table, None), Ok(vec!["A".to_owned()]));
    assert_eq!(names(runs, None), Ok(vec!["B".to_owned()]));
    assert_eq!(names(runs, Some("y")), Ok(vec!["C".to_owned()]));
    assert_eq!(names(runs, Some("z")), Err("mocks.toml:1:1: unknown run: expected one of \"x\", \"y\"".to_owned()));
}
