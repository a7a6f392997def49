//! Tests of the distributed Maps of cases.

use super::super::{Coverage, check, read};
use workflow_runtime::{Workflow, include_workflow};

include_workflow!("tests/flows/rows.asl.json");
use rows::Rows;

/// Returns the failures and notes of the only run of a file.
fn found(text: &str) -> (Vec<String>, Vec<String>) {
    let runs = read("case.toml", text).unwrap_or_else(|problem| panic!("{text}\n{problem}")).runs;
    let [run] = &runs[..] else { panic!("one run") };
    let verdict = check::<Rows>(run, &Coverage::new(Rows::DEFINITION));
    (verdict.failures, verdict.notes)
}

/// The end of a run whose rows were all imported.
const ENDS: &str = "expect = { output_json = '[{\"Key\": \"bucket\", \"Value\": \"shop\"}]' }";

#[test]
fn rows_are_mocked_and_results_compared() {
    let tasks = "tasks.import = [\
        { ok = 1, after = '10s', to = { value = 'a', from = 's3://shop/rows.json' } }, { error = 'Bad', cause = 'why' }]";
    let items = "map.EachRow.items = ['a', 'b']";
    let written = |written: &str| found(&format!("[[run]]\n{ENDS}\n{tasks}\n{items}\nmap.EachRow.written = {written}"));
    let right = "[{ output = 1, input = { value = 'a', from = 's3://shop/rows.json' } }, { error = 'Bad' }]";
    assert_eq!(written(right), (vec![], vec![]));
    assert_eq!(written("[{}, { error = 'Bad', cause = 'why' }]"), (vec![], vec![]));
    assert_eq!(
        written("[{ output = 2, input = 7 }, { pending = true }, {}]").0,
        [
            "expected the input 7 in result 1 of `EachRow`\n     got {\"value\":\"a\",\"from\":\"s3://shop/rows.json\"}",
            "expected output 2 as result 1 of `EachRow`\n     got output 1",
            "expected a child that never started as result 2 of `EachRow`\n     got error Bad: why",
            "expected 3 results of `EachRow`\n     got 2: output 1, error Bad: why",
        ]
    );
    let alone = found("[[run]]\nmap.EachRow = { items = [], written = [] }");
    assert_eq!(alone, (vec![], vec![]), "`written` is an expectation");
}

#[test]
fn virtual_time_holds_for_the_children() {
    let text = format!(
        "[[run]]\n{ENDS}\nvirtual_time = '20s'\nmap.EachRow.items = [1, 2]\n\
         tasks.import = [{{ ok = 1, after = '10s', times = 2 }}]"
    );
    assert_eq!(found(&text), (vec![], vec![]));
}

#[test]
fn a_table_at_the_top_is_for_runs_without_their_own() {
    let text = format!(
        "[map.EachRow]\nitems_json = '{{\"x\": null}}'\nsource = 's3://elsewhere'\n[[run]]\n{ENDS}\n\
         tasks.import = [{{ ok = 1, to_json = '{{\"value\": null, \"from\": \"s3://elsewhere\"}}' }}]"
    );
    assert_eq!(found(&text), (vec![], vec![]));
    let own = format!("[map.EachRow]\nerror = 'E'\n[[run]]\n{ENDS}\nmap.EachRow.items = []");
    assert_eq!(found(&own), (vec![], vec![]));
    let shared = "[map.EachRow]\nerror = 'States.ItemReaderFailed'\ncause = 'gone'\n[[run]]\n\
                  expect = { error = 'States.ItemReaderFailed', cause = 'gone' }";
    assert_eq!(found(shared), (vec![], vec![]));
}

#[test]
fn a_reader_without_items_fails_the_run() {
    let (failures, _) = found("[[run]]\nexpect = { error = 'States.Runtime' }");
    let expected = "the distributed Map `EachRow` has no items\n= help: add `[run.map.EachRow]` with `items = […]`";
    assert_eq!(failures, [expected]);
}

#[test]
fn names_of_maps_are_checked() {
    let (failures, notes) = found(
        "[[run]]\nexpect = { error = 'States.Runtime' }\n[run.map.EachRwo]\nitems = []\n[run.map.Import]\nwritten = []\n\
         [run.map.EachWord]\nitems = []",
    );
    assert_eq!(
        failures[..3],
        [
            "`map.EachRwo` (3:10): the definition has no distributed Map `EachRwo`\n= help: did you mean `EachRow`?",
            "`map.EachWord` (7:10): the Map `EachWord` has no `ItemReader`\n\
             = help: remove `items`: its items are those of its input",
            "`map.Import` (5:10): the definition has no distributed Map `Import`\n\
             = help: its distributed Maps are `EachRow`, `EachWord`",
        ]
    );
    assert_eq!(notes, ["note: unused items of the Map `EachRwo`", "note: unused items of the Map `EachWord`"]);
}

#[test]
fn a_map_without_a_reader_or_writer_in_a_store_has_none_to_mock() {
    let reader = "the Map `EachWord` has no `ItemReader`\n= help: remove";
    let writer =
        "the Map `EachWord` has no results in a store: it has no `Resource` in a `ResultWriter`\n= help: remove";
    for (keys, expected) in [
        ("error = 'E'", format!("{reader} `error`: its items are those of its input")),
        ("items_json = '[]'", format!("{reader} `items`: its items are those of its input")),
        ("written = []", format!("{writer} `written`: compare its output with `expect`")),
        ("write_error = 'E'", format!("{writer} `write_error`")),
    ] {
        let text = format!("[[run]]\n{ENDS}\nmap.EachRow.items = []\n[run.map.EachWord]\n{keys}");
        assert_eq!(found(&text).0, [format!("`map.EachWord` (4:10): {expected}")]);
    }
}

#[test]
fn a_writer_that_fails_fails_its_map_before_the_first_child() {
    let text = "[[run]]\nexpect = { error = 'States.ResultWriterFailed', cause = 'no bucket' }\n[run.map.EachRow]\n\
                written = []\nwrite_error = 'States.ResultWriterFailed'\nwrite_cause = 'no bucket'";
    assert_eq!(found(text), (vec![], vec![]));
}

#[test]
fn mistakes_have_a_place() {
    for (text, expected) in [
        ("map = 1", "case.toml:2:7: `map` must be a table, found integer"),
        ("map.A = 1", "case.toml:2:9: the Map A must be a table"),
        ("map.A = {}", "case.toml:2:9: a Map needs `items`, `error`, `written` or `write_error`"),
        ("map.A = { items = [], write_cause = 'c' }", "case.toml:2:9: `write_cause` needs `write_error = \"Name\"`"),
        ("map.A = { itmes = [] }", "case.toml:2:11: unknown key `itmes`: expected one of `items`"),
        ("map.A = { items = 1 }", "case.toml:2:19: the items must be an array, or a table of items by their keys"),
        ("map.A = { items_json = '[' }", "case.toml:2:24: `items_json` is not JSON"),
        ("map.A = { items = [], error = 'E' }", "case.toml:2:9: a reader must be `items = …`"),
        ("map.A = { cause = 'c' }", "case.toml:2:9: a reader must be"),
        ("map.A = { error = 'E', source = 's' }", "case.toml:2:9: a reader must be"),
        ("map.A = { written = 1 }", "case.toml:2:21: `written` must be an array"),
        ("map.A = { written = [{ ok = 1 }] }", "case.toml:2:24: unknown key `ok`"),
        ("map.A = { written = [{ output = 1, error = 'E' }] }", "case.toml:2:22: a written result must be"),
        ("map.A = { written = [{ cause = 'c' }] }", "case.toml:2:22: a written result must be"),
    ] {
        let problem = read("case.toml", &format!("[[run]]\n{text}\n")).expect_err(text).to_string();
        assert!(problem.starts_with(expected), "{text}\n{problem}");
    }
}
