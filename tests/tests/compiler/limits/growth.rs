//! Tests that code grows linearly with the definition, and that compiling the same twice gives the
//! same code.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, compile, pretty, rustfmt};
use workflow_tests::definitions;

/// The most lines of formatted code for each state of a definition that mixes all kinds.
const LINES_PER_STATE: usize = 24;

/// The maximum memory of a compilation for each state of such a definition, in KiB. The limit on
/// the nodes of a workflow thereby limits the memory.
#[cfg(target_os = "linux")]
const MEMORY_PER_STATE: usize = 32;
/// The maximum memory for each operation of a JavaScript function, in KiB: an operation is four
/// nodes.
#[cfg(target_os = "linux")]
const MEMORY_PER_OPERATION: usize = 8;
/// The variable with a kind of definition and its size. It makes this program compile the
/// definition, and print the peak of its memory in KiB.
#[cfg(target_os = "linux")]
const AS_COMPILER: &str = "WORKFLOW_TESTS_DEFINITION";
/// The operations in a function of [`composition`].
const OPERATIONS: usize = 8_000;

/// Returns a definition of `count` states: tasks with retriers and catchers, choices, waits,
/// computed values.
fn definition(count: usize) -> String {
    let mut text = String::from("{\n  \"StartAt\": \"S0\",\n  \"States\": {\n");
    for at in 0..count {
        let next = if at + 1 < count { format!("\"Next\": \"S{}\"", at + 1) } else { "\"End\": true".to_owned() };
        let body = match at % 5 {
            _ if at + 1 == count => format!(r#""Type": "Pass", {next}"#),
            0 => format!(
                r#""Type": "Task", "Resource": "arn:aws:lambda:r:1:function:f{at}", "ResultPath": "$.r{at}",
      "Retry": [{{ "ErrorEquals": ["Busy"], "MaxAttempts": 3 }}],
      "Catch": [{{ "ErrorEquals": ["States.ALL"], "ResultPath": "$.error", "Next": "S{}" }}], {next}"#,
                count - 1
            ),
            1 => format!(
                r#""Type": "Choice", "Choices": [{{ "Variable": "$.n{at}", "NumericGreaterThan": {at}, "Next": "S{}" }}],
      "Default": "S{}""#,
                count - 1,
                at + 1
            ),
            2 => format!(r#""Type": "Wait", "SecondsPath": "$.pause", {next}"#),
            3 => format!(
                r#""Type": "Pass", "Parameters": {{ "id": {at}, "sum.$": "States.MathAdd($.sum, {at})", "pause": 1, "n{}": 1 }}, {next}"#,
                at + 3
            ),
            _ => format!(r#""Type": "Pass", "Result": {{ "list": [{at}, {at}] }}, "ResultPath": "$.c{at}", {next}"#),
        };
        let _ = writeln!(text, "    \"S{at}\": {{ {body} }}{}", if at + 1 < count { "," } else { "" });
    }
    text.push_str("  }\n}\n");
    text
}

/// Returns a composition of functions with [`OPERATIONS`] operations each.
fn composition(functions: usize) -> Source {
    let mut states = String::new();
    for at in 0..functions {
        let function = format!("p => {{ p.r{at} = [{}]; return p }}", "p.a,".repeat(OPERATIONS));
        let next = if at + 1 < functions { format!(", \"Next\": \"S{}\"", at + 1) } else { String::new() };
        let comma = if at > 0 { "," } else { "" };
        let _ = write!(states, "{comma}\"S{at}\": {{ \"Type\": \"Task\", \"Function\": \"{function}\"{next} }}");
    }
    let text = format!("{{ \"Entry\": \"S0\", \"Exit\": \"S{}\", \"States\": {{ {states} }} }}", functions - 1);
    Source::new("flow.composer.json", text)
}

fn compiled(count: usize) -> (Output, Duration) {
    let source = Source::new("flow.asl.json", definition(count));
    let start = Instant::now();
    let output = compile(source, &Options::default());
    (output, start.elapsed())
}

#[test]
fn code_and_time_grow_with_the_definition() {
    let mut per_state = Vec::new();
    for count in [10, 100, 1000] {
        let (output, took) = compiled(count);
        assert!(output.diagnostics.is_empty(), "{}", workflow_tests::golden::findings(&output));
        let lines = rustfmt(pretty(&output).unwrap_or_default()).lines().count();
        assert!(lines > count && lines < 120 + LINES_PER_STATE * count, "{lines} lines for {count} states");
        per_state.push(took / count as u32);
    }
    // Quadratic work would make a state of the largest a hundred times as expensive as a state of
    // the smallest.
    assert!(per_state[2] < per_state[0].max(per_state[1]) * 10 + Duration::from_micros(500), "{per_state:?}");
}

/// Returns the peak memory of this process in KiB.
#[cfg(target_os = "linux")]
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(target_os = "linux")]
#[test]
fn memory_grows_with_the_definition() {
    if let Ok(what) = std::env::var(AS_COMPILER) {
        let (kind, count) = what.split_once(' ').expect("a kind and a size");
        let count = count.parse().expect("a size");
        let output = match kind {
            "states" => compiled(count).0,
            _ => compile(composition(count), &Options::default()),
        };
        assert!(output.tokens.is_some(), "{}", workflow_tests::golden::findings(&output));
        return println!("peak: {}", peak().expect("a line of the kernel"));
    }
    let program = std::env::current_exe().expect("a program");
    let growth = |kind: &str, small: usize, large: usize| {
        let [small, large] = [small, large].map(|count| {
            let mut command = std::process::Command::new(&program);
            command.args(["--exact", "limits::growth::memory_grows_with_the_definition", "--nocapture"]);
            let output = command.env(AS_COMPILER, format!("{kind} {count}")).output().expect("the program runs");
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let peak = text.lines().find_map(|line| line.split("peak: ").nth(1)?.parse::<usize>().ok());
            peak.unwrap_or_else(|| panic!("{text}"))
        });
        large.saturating_sub(small)
    };
    let per_state = growth("states", 10, 2_010) / 2_000;
    assert!(per_state < MEMORY_PER_STATE, "{per_state} KiB for a state");
    let per_operation = growth("functions", 1, 3) / (2 * OPERATIONS);
    assert!(per_operation < MEMORY_PER_OPERATION, "{per_operation} KiB for an operation");
}

#[test]
fn a_composition_of_large_functions_is_refused() {
    let output = compile(composition(40), &Options::default());
    assert!(output.is_refused());
    let found = &output.diagnostics[0];
    let expected = "the workflow is too large: it has more than 500000 nodes";
    assert_eq!((found.code.id, &*found.message), ("WF0113", expected));
}

#[test]
fn the_same_definition_gives_the_same_code() {
    let all = definitions::cases(workflow_tests::package()).unwrap_or_else(|message| panic!("{message}"));
    for case in all {
        let twice = [case.compile(), case.compile()].map(|output| output.ok().and_then(|output| pretty(&output)));
        assert!(twice[0].is_some() && twice[0] == twice[1], "{}", case.name);
    }
}

#[test]
fn a_snapshot_does_not_mind_how_a_definition_is_laid_out() {
    let hash = |text: &str| {
        let output = compile(Source::new("flow.asl.json", text), &Options::default());
        let code = pretty(&output).unwrap_or_default();
        code.lines().find(|line| line.trim_start().starts_with("hash: ")).map(str::to_owned)
    };
    let plain = hash(r#"{"StartAt":"A","States":{"A":{"Type":"Pass","Result":1,"End":true}}}"#);
    let apart =
        hash("{\n \"States\": {\"A\": {\"End\": true,\n\"Result\": 1, \"Type\": \"Pass\"}},\n\n\"StartAt\": \"A\"}");
    let other = hash(r#"{"StartAt":"A","States":{"A":{"Type":"Pass","Result":2,"End":true}}}"#);
    assert!(plain.is_some());
    assert_eq!(plain, apart);
    assert_ne!(plain, other);
}
