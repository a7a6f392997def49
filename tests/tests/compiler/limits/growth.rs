//! Tests that code grows linearly with the definition, and that compiling the same twice gives the
//! same code.

use std::fmt::Write as _;
use std::time::{Duration, Instant};
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, compile, pretty};
use workflow_tests::definitions;

/// The most lines of formatted code for each state of a definition that mixes all kinds.
const LINES_PER_STATE: usize = 24;

/// The maximum memory of a compilation for each state of such a definition, in KiB. The limit on
/// the nodes of a workflow thereby limits the memory.
#[cfg(target_os = "linux")]
const MEMORY_PER_STATE: usize = 32;
/// The variable with a number of states. It makes this program compile a definition with as many
/// states, and print the peak of its memory in KiB.
#[cfg(target_os = "linux")]
const AS_COMPILER: &str = "WORKFLOW_TESTS_STATES";

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
                r#""Type": "Pass", "Parameters": {{ "id": {at}, "sum.$": "States.MathAdd($.sum, {at})", "pause": 1 }}, {next}"#
            ),
            _ => format!(r#""Type": "Pass", "Result": {{ "list": [{at}, {at}] }}, "ResultPath": "$.c{at}", {next}"#),
        };
        let _ = writeln!(text, "    \"S{at}\": {{ {body} }}{}", if at + 1 < count { "," } else { "" });
    }
    text.push_str("  }\n}\n");
    text
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
        let lines = pretty(&output).unwrap_or_default().lines().count();
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
    if let Some(count) = std::env::var(AS_COMPILER).ok().and_then(|count| count.parse().ok()) {
        assert!(compiled(count).0.tokens.is_some());
        return println!("peak: {}", peak().expect("a line of the kernel"));
    }
    let program = std::env::current_exe().expect("a program");
    let [small, large] = [10, 2_010].map(|count| {
        let mut command = std::process::Command::new(&program);
        command.args(["--exact", "limits::growth::memory_grows_with_the_definition", "--nocapture"]);
        let output = command.env(AS_COMPILER, count.to_string()).output().expect("the program runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let peak = text.lines().find_map(|line| line.split("peak: ").nth(1)?.parse::<usize>().ok());
        peak.unwrap_or_else(|| panic!("{text}"))
    });
    let per_state = large.saturating_sub(small) / 2_000;
    assert!(per_state < MEMORY_PER_STATE, "{per_state} KiB for a state: {small} and {large}");
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
        code.split("\"asl\", \"flow.asl.json\", ").nth(1).and_then(|rest| rest.split(',').next()).map(str::to_owned)
    };
    let plain = hash(r#"{"StartAt":"A","States":{"A":{"Type":"Pass","Result":1,"End":true}}}"#);
    let apart =
        hash("{\n \"States\": {\"A\": {\"End\": true,\n\"Result\": 1, \"Type\": \"Pass\"}},\n\n\"StartAt\": \"A\"}");
    let other = hash(r#"{"StartAt":"A","States":{"A":{"Type":"Pass","Result":2,"End":true}}}"#);
    assert!(plain.is_some());
    assert_eq!(plain, apart);
    assert_ne!(plain, other);
}
