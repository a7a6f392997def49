//! The memory that a compilation takes grows with the definition and no faster. The kernel counts
//! for the whole process, so this is the only test of its binary.

#![cfg(target_os = "linux")]

use workflow_compiler::source::Source;
use workflow_compiler::{Options, compile, pretty};

/// Maximum growth of the process, in bytes for each byte of the definition.
const MOST: usize = 640;

/// Returns a value of the process in bytes: `VmRSS`, its memory, or `VmHWM`, the most that it had.
fn memory(name: &str) -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux has this file");
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).expect("it has this line");
    let kilobytes: usize = line.trim().trim_end_matches(" kB").parse().expect("a number");
    kilobytes * 1024
}

#[test]
fn the_memory_of_a_compilation_is_a_multiple_of_the_definition() {
    let states: Vec<String> = (0..10_000)
        .map(|at| format!(r#""S{at}": {{"Type": "Task", "Resource": "work", "Next": "S{}"}}"#, at + 1))
        .chain([r#""S10000": {"Type": "Succeed"}"#.to_owned()])
        .collect();
    let text = format!(r#"{{"StartAt": "S0", "States": {{{}}}}}"#, states.join(",\n"));
    let (size, before) = (text.len(), memory("VmRSS"));
    let output = compile(Source::new("large.asl.json", text), &Options::default());
    let code = pretty(&output).expect("the definition is sound");
    assert!(code.len() > size);
    let grown = memory("VmHWM") - before;
    assert!(grown <= MOST * size, "{grown} bytes, {} for each byte of the definition", grown / size);
}
