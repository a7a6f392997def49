//! Tests of the shapes of data and of what they show.

use super::*;
use crate::passes::infer_shapes;

/// Returns the heads of the diagnostics of states after `Prepare`, whose output is `prepared`.
pub(super) fn after_prepare(prepared: &str, states: &str) -> String {
    let text = format!(
        "StartAt: Prepare\nStates:\n  Prepare: {{ Type: Pass, Result: {prepared}, Next: Use }}\n{}",
        states.lines().map(|line| format!("  {}\n", line.trim())).collect::<String>()
    );
    heads(&diagnostics("asl", &text))
}

/// Returns a state in which `ITEMS` stands for the rest of a Map state.
pub(super) fn with_items(state: &str) -> String {
    state.replace("ITEMS", "ItemProcessor: { StartAt: E, States: { E: { Type: Succeed } } }, End: true")
}

#[test]
fn a_member_that_no_value_has_is_an_error_at_its_name() {
    let found = diagnostics(
        "asl",
        "
        StartAt: Charge
        States:
          Charge: { Type: Pass, Result: { id: 7, amount: 12 }, ResultPath: $.receipt, Next: Notify }
          Notify: { Type: Pass, Parameters: { id.$: $.receipt.id, paid.$: $.receipt.ammount }, End: true }
        ",
    );
    insta::assert_snapshot!(found, @r"
    error[WF1901]: `$.receipt` has no member `ammount`
     --> flow.asl.yaml:4:77
      |
    3 |   Charge: { Type: Pass, Result: { id: 7, amount: 12 }, ResultPath: $.receipt, Next: Notify }
      |                                 --------------------- `$.receipt` is set by `Charge`: { amount: 12, id: 7 }
    4 |   Notify: { Type: Pass, Parameters: { id.$: $.receipt.id, paid.$: $.receipt.ammount }, End: true }
      |                                                                             ^^^^^^^
      = help: did you mean `amount`?
    ");
}

#[test]
fn paths_to_nowhere_are_errors_in_every_field() {
    for (state, expected) in [
        ("{ Type: Pass, InputPath: $.idd, End: true }", "`$` has no member `idd`"),
        ("{ Type: Pass, OutputPath: $.idd, End: true }", "`$` has no member `idd`"),
        ("{ Type: Pass, Parameters: { x.$: $.id.x }, End: true }", "`$.id` is a number and has no member `x`"),
        ("{ Type: Pass, Parameters: { x.$: '$.list[3]' }, End: true }", "`$.list` has no element 3"),
        ("{ Type: Pass, Parameters: { x.$: '$.id[0]' }, End: true }", "`$.id` is a number and has no elements"),
        ("{ Type: Pass, Parameters: { x.$: States.ArrayLength($.lisst) }, End: true }", "`$` has no member `lisst`"),
        ("{ Type: Task, Resource: t, Parameters: { x.$: $.idd }, End: true }", "`$` has no member `idd`"),
        ("{ Type: Task, Resource: t, TimeoutSecondsPath: $.idd, End: true }", "`$` has no member `idd`"),
        ("{ Type: Wait, SecondsPath: $.idd, End: true }", "`$` has no member `idd`"),
        ("{ Type: Wait, TimestampPath: $.idd, End: true }", "`$` has no member `idd`"),
        ("{ Type: Fail, ErrorPath: $.idd }", "`$` has no member `idd`"),
        ("{ Type: Pass, Assign: { x.$: $.idd }, End: true }", "`$` has no member `idd`"),
        ("{ Type: Map, ItemsPath: $.lisst, ITEMS }", "`$` has no member `lisst`"),
        (
            "{ Type: Choice, Choices: [{ Variable: $.idd, NumericEquals: 1, Next: E }], Default: E }
             E: { Type: Succeed }",
            "`$` has no member `idd`",
        ),
    ] {
        let found = after_prepare("{ id: 7, list: [1, two] }", &format!("Use: {}", with_items(state)));
        assert_eq!(found, format!("error[WF1901]: {expected}"), "{state}");
    }
}

#[test]
fn values_of_a_wrong_kind_are_errors() {
    for (state, expected) in [
        ("{ Type: Wait, SecondsPath: $.text, End: true }", "`$.text` must be a number, found a string"),
        ("{ Type: Wait, TimestampPath: $.id, End: true }", "`$.id` must be a string, found a number"),
        ("{ Type: Fail, CausePath: $.id }", "`$.id` must be a string, found a number"),
        (
            "{ Type: Pass, Parameters: { x.$: States.ArrayLength($.text) }, End: true }",
            "`$.text` must be an array, found a string",
        ),
        (
            "{ Type: Pass, Parameters: { x.$: 'States.MathAdd($.text, 1)' }, End: true }",
            "`$.text` must be a number, found a string",
        ),
        ("{ Type: Map, ItemsPath: $.text, ITEMS }", "`$.text` must be an array, found a string"),
    ] {
        let found = after_prepare("{ id: 7, text: x }", &format!("Use: {}", with_items(state)));
        assert_eq!(found, format!("error[WF1902]: {expected}"), "{state}");
    }
}

#[test]
fn nothing_is_claimed_of_unknown_data() {
    for state in [
        "{ Type: Pass, Parameters: { x.$: $.anything.at.all }, End: true }",
        "{ Type: Task, Resource: t, ResultPath: $.result, Next: More }
         More: { Type: Pass, OutputPath: $.result.x, End: true }",
        "{ Type: Task, Resource: t, Next: More }\nMore: { Type: Pass, OutputPath: $.result.x, End: true }",
        "{ Type: Map, ItemProcessor: { StartAt: E, States: { E: { Type: Succeed, OutputPath: $.x } } }, Next: More }
         More: { Type: Pass, InputPath: '$[0].y', End: true }",
    ] {
        let text = format!(
            "StartAt: Use\nStates:\n{}",
            format!("Use: {state}").lines().map(|line| format!("  {}\n", line.trim())).collect::<String>()
        );
        assert_eq!(diagnostics("asl", &text), "", "{state}");
    }
}

#[test]
fn outputs_of_branches_and_iterations_are_known() {
    let branches = "{ Type: Parallel, Branches: [\
                    { StartAt: A, States: { A: { Type: Pass, Result: { a: 1 }, End: true } } }, \
                    { StartAt: B, States: { B: { Type: Pass, Result: { b: 1 }, End: true } } }], Next: More }";
    let found = after_prepare(
        "{}",
        &format!("Use: {branches}\nMore: {{ Type: Pass, Parameters: {{ x.$: '$[0].a', y.$: '$[1].a' }}, End: true }}"),
    );
    assert_eq!(found, "warning[WF1901]: `$[1]` has no member `a`");
    let map = "{ Type: Map, ItemsPath: $.items, ItemProcessor: { StartAt: A, States: { \
               A: { Type: Pass, OutputPath: $.nme, End: true } } }, End: true }";
    let found = after_prepare("{ items: [{ name: a }, { name: b }] }", &format!("Use: {map}"));
    assert_eq!(found, "error[WF1901]: `$` has no member `nme`");
}

#[test]
fn error_outputs_have_an_error_and_a_cause() {
    let text = |path: &str| {
        format!(
            "
            StartAt: Try
            States:
              Try:
                Type: Task
                Resource: t
                Catch: [{{ ErrorEquals: [States.ALL], ResultPath: $.error, Next: Report }}]
                End: true
              Report: {{ Type: Pass, Parameters: {{ x.$: {path} }}, End: true }}
            "
        )
    };
    assert_eq!(diagnostics("asl", &text("$.error.Cause")), "");
    assert_eq!(heads(&diagnostics("asl", &text("$.error.cause"))), "warning[WF1901]: `$.error` has no member `cause`");
}

#[test]
fn tests_of_presence_and_kind_refine_what_is_known() {
    let either = "{ Type: Choice, Choices: [{ Variable: $.x, IsPresent: true, Next: Read }], Default: Skip }";
    let found = after_prepare(
        "{ y: 1 }",
        &format!("Use: {either}\nRead: {{ Type: Pass, InputPath: $.x.z, End: true }}\nSkip: {{ Type: Succeed }}"),
    );
    assert_eq!(found, "warning[WF1952]: this rule never matches");
    let joined = "
        Use: { Type: Task, Resource: t, Catch: [CATCHER], ResultPath: null, Next: Both }
        Both: { Type: Choice, Choices: [{ And: [PRESENT, TEST], Next: Read }], Default: Skip }
        Read: { Type: Pass, InputPath: $.error.Cause, End: true }
        Skip: { Type: Succeed }";
    let joined = joined.replace("CATCHER", "{ ErrorEquals: [States.ALL], ResultPath: $.error, Next: Both }");
    let joined = joined.replace("TEST", "{ Variable: $.error.Error, StringEquals: A }");
    let joined = joined.replace("PRESENT", "{ Variable: $.error, IsPresent: true }");
    assert_eq!(after_prepare("{ y: 1 }", &joined), "");
}

#[test]
fn conditions_that_are_decided_are_warnings() {
    let skip = "\nE: { Type: Succeed }\nF: { Type: Succeed }";
    for (rule, expected) in [
        ("Variable: $.text, NumericEquals: 1", "warning[WF1953]: the comparison never holds: `$.text` is \"x\""),
        ("Variable: $.text, IsNumeric: true", "warning[WF1953]: the test never holds: `$.text` is \"x\""),
        ("Variable: $.id, NumericEquals: 7", ""),
        ("Variable: $.text, StringEquals: unlike", ""),
        ("Variable: $.id, IsNumeric: true", "warning[WF1954]: this is never reached: a rule before it always matches"),
        ("Not: { Variable: $.id, IsPresent: true }", "warning[WF1952]: this rule never matches"),
        ("Variable: $.state, StringEquals: dnoe", "warning[WF1953]: the comparison never holds: `$.state` is \"done\""),
    ] {
        let choice = format!("Use: {{ Type: Choice, Choices: [{{ {rule}, Next: E }}], Default: F }}{skip}");
        assert_eq!(after_prepare("{ id: 7, text: x, state: done }", &choice), expected, "{rule}");
    }
}

#[test]
fn loops_end_and_keep_what_does_not_change() {
    let text = "
        StartAt: Begin
        States:
          Begin: { Type: Pass, Result: { n: 0, name: x }, Next: Count }
          Count: { Type: Pass, Parameters: { n.$: 'States.MathAdd($.n, 1)', name.$: $.name, deep.$: $ }, Next: Again }
          Again: { Type: Choice, Choices: [{ Variable: $.n, NumericLessThan: 9, Next: Count }], Default: Done }
          Done: { Type: Pass, OutputPath: $.nme, End: true }
        ";
    assert_eq!(heads(&diagnostics("asl", text)), "warning[WF1901]: `$` has no member `nme`");
}

#[test]
fn variables_keep_their_shapes() {
    let found = after_prepare(
        "{ id: 7 }",
        "Use: { Type: Pass, Assign: { order.$: $, n: 1 }, Next: More }
         More: { Type: Pass, Parameters: { x.$: $order.idd, n.$: $n }, End: true }",
    );
    assert_eq!(found, "error[WF1901]: `$order` has no member `idd`");
}

#[test]
fn a_result_that_cannot_be_put_is_an_error_unless_it_is_caught() {
    let put = |catch: &str| {
        after_prepare(
            "3",
            &format!("Use: {{ Type: Task, Resource: t, ResultPath: $.x{catch}, Next: E }}\nE: {{ Type: Succeed }}"),
        )
    };
    assert!(put("").contains("WF1903"), "{}", put(""));
    assert_eq!(put(", Catch: [{ ErrorEquals: [States.ALL], Next: E }]"), "");
}

#[test]
fn paths_that_select_nothing_are_warnings() {
    let found = after_prepare(
        "{ items: [{ price: 1 }] }",
        "Use: { Type: Pass, Parameters: { all.$: '$.items[*].price', none.$: '$.items[*].prize' }, End: true }",
    );
    assert_eq!(found, "warning[WF1951]: the path selects nothing: no value before it has a member `prize`");
}

#[test]
fn shapes_are_printed_by_state() {
    let workflow = asl("
        StartAt: Begin
        States:
          Begin: { Type: Pass, Result: { n: 0 }, Assign: { seen: [1, x] }, Next: Work }
          Work:
            Type: Task
            Resource: t
            ResultPath: $.done
            Catch: [{ ErrorEquals: [States.ALL], Next: End }]
            Next: End
          End: { Type: Succeed }
        ");
    let shapes = infer_shapes(&workflow, &mut Diagnostics::default()).expect("the definition is small");
    insta::assert_snapshot!(shapes.print(&workflow, None), @r"
    the top level:
      Begin
        input: any
        output: { n: 0 }
      Work
        input: { n: 0 }
        output: { Cause?: string | null, Error?: string | null, done?: any, n?: 0 }
      End
        input: { Cause?: string | null, Error?: string | null, done?: any, n?: 0 }
        output: { Cause?: string | null, Error?: string | null, done?: any, n?: 0 }
      output: { Cause?: string | null, Error?: string | null, done?: any, n?: 0 }
    ");
}

#[test]
fn the_selection_of_items_is_a_line_of_its_map() {
    let workflow = asl("
        StartAt: Begin
        States:
          Begin: { Type: Pass, Result: { n: 0, rows: [1, 2] }, Next: Each }
          Each:
            Type: Map
            ItemsPath: $.rows
            ItemSelector: { n.$: $.n, kind: row }
            ItemProcessor:
              ProcessorConfig: { Mode: DISTRIBUTED, ExecutionType: STANDARD }
              StartAt: Send
              States: { Send: { Type: Succeed } }
            End: true
        ");
    let shapes = infer_shapes(&workflow, &mut Diagnostics::default()).expect("the definition is small");
    let text = shapes.print(&workflow, None);
    assert!(text.contains("    selected: { kind: \"row\", n: "), "{text}");
    let json = shapes.json_schema(&workflow, None).to_string();
    assert!(json.contains("\"selected\""), "{json}");
    assert!(!text.contains("ItemSelector") && !json.contains("ItemSelector"), "{text}{json}");
    assert!(!workflow.reads_parquet());
}

#[test]
fn readers_of_parquet_are_found() {
    let workflow = asl("
        StartAt: Each
        States:
          Each:
            Type: Map
            ItemReader:
              Resource: arn:aws:states:::s3:getObject
              Parameters: { Bucket: b, Key: k }
              ReaderConfig: { InputType: PARQUET, MaxItems: 3 }
            ItemProcessor:
              ProcessorConfig: { Mode: DISTRIBUTED, ExecutionType: STANDARD }
              StartAt: Send
              States: { Send: { Type: Succeed } }
            End: true
        ");
    assert!(workflow.reads_parquet());
}

pub(super) fn jsonata(states: &str) -> String {
    let states: String = states.lines().map(|line| format!("  {}\n", line.trim())).collect();
    heads(&diagnostics("asl", &format!("QueryLanguage: JSONata\nStartAt: Prepare\nStates:\n{states}")))
}

#[test]
fn expressions_that_are_always_undefined_are_errors() {
    let prepare = "Prepare: { Type: Pass, Output: { id: 7, text: x, items: [{ name: a }, { name: b }] }, Next: Use }";
    for (state, expected) in [
        (
            "{ Type: Pass, Output: '{% $states.input.idd %}', End: true }",
            "error[WF1901]: `$states.input` has no member `idd`",
        ),
        (
            "{ Type: Pass, Output: '{% $states.input.items.nme %}', End: true }",
            "error[WF1901]: `$states.input.items` is an array and has no member `nme`",
        ),
        (
            "{ Type: Pass, Output: '{% $states.input.id.x %}', End: true }",
            "error[WF1901]: `$states.input.id` is a number and has no member `x`",
        ),
        (
            "{ Type: Wait, Seconds: '{% $states.input.text %}', End: true }",
            "error[WF1902]: this field must be a number, found a string",
        ),
        (
            "{ Type: Pass, Output: '{% $states.input.text + 1 %}', End: true }",
            "error[WF1902]: an operand of `+` must be a number, found a string",
        ),
        ("{ Type: Pass, Output: '{% $states.input.items.name %}', End: true }", ""),
        ("{ Type: Pass, Output: '{% $exists($states.input.idd) %}', End: true }", ""),
        ("{ Type: Pass, Output: '{% {\"x\": $states.input.idd} %}', End: true }", ""),
        ("{ Type: Pass, Output: '{% $states.input.idd ? 1 : 2 %}', End: true }", ""),
        ("{ Type: Pass, Output: '{% $states.input.items[name = \"a\"].name %}', End: true }", ""),
        ("{ Type: Pass, Output: '{% ($x := $states.input; $x.id + 1) %}', End: true }", ""),
    ] {
        assert_eq!(jsonata(&format!("{prepare}\nUse: {state}")), expected, "{state}");
    }
}

#[test]
fn conditions_in_jsonata_that_never_hold_are_warnings() {
    let found = jsonata(
        "Prepare: { Type: Pass, Output: { n: 7 }, Next: Use }
         Use: { Type: Choice, Choices: [{ Condition: '{% $states.input.n = \"7\" %}', Next: E }], Default: F }
         E: { Type: Succeed }
         F: { Type: Succeed }",
    );
    assert_eq!(found, "warning[WF1953]: the two values are never equal: 7 and \"7\"");
}

#[test]
fn catchers_that_cannot_put_the_error_output_are_warnings() {
    let found = after_prepare(
        "3",
        "Use: { Type: Task, Resource: t, Catch: [{ ErrorEquals: [States.ALL], ResultPath: $.error, Next: E }], Next: E }
         E: { Type: Succeed }",
    );
    assert_eq!(found, "warning[WF1956]: the result cannot be put at `$.error`: `$` is a number");
}

#[test]
fn constant_conditions_are_no_mistakes() {
    let found = jsonata(
        "Prepare: { Type: Choice, Choices: \
         [{ Condition: '{% false %}', Next: E }, { Condition: true, Next: E }], Default: F }
         E: { Type: Succeed }
         F: { Type: Succeed }",
    );
    assert_eq!(found, "");
}

#[test]
fn constants_that_are_siblings_are_not_misspelt() {
    let rule = |known: &str, text: &str| {
        after_prepare(
            &format!("{{ text: '{known}' }}"),
            &format!(
                "Use: {{ Type: Choice, Choices: [{{ Variable: $.text, StringEquals: '{text}', Next: E }}], Default: F }}
                 E: {{ Type: Succeed }}
                 F: {{ Type: Succeed }}"
            ),
        )
    };
    let expression = |known: &str, text: &str| {
        jsonata(&format!(
            "Prepare: {{ Type: Pass, Output: {{ text: '{known}' }}, Next: Use }}
             Use: {{ Type: Pass, Output: '{{% $states.input.text = \"{text}\" %}}', End: true }}"
        ))
    };
    for (known, text, is_misspelt) in [
        ("v1", "v2", false),
        ("us-east-1", "us-east-2", false),
        ("xl", "xxl", false),
        ("2023", "2024", false),
        ("done", "doen", true),
        ("us-east-1", "us-eats-1", true),
    ] {
        for found in [rule(known, text), expression(known, text)] {
            assert_eq!(found.contains("WF1953"), is_misspelt, "{known} {text}: {found}");
            assert_eq!(found.is_empty(), !is_misspelt, "{known} {text}: {found}");
        }
    }
}
