//! CPU time, which other programs on the machine disturb less than elapsed time.

use std::process::{Command, ExitCode};
use std::time::Instant;

/// The variable that names the file to which the wrapper of rustc adds the time of each call.
const REPORT: &str = "WORKFLOW_BENCH_RUSTC";

/// Clock ticks per second in `/proc`: always 100, whatever the kernel's own clock.
const TICKS_PER_SECOND: f64 = 100.0;

/// Makes cargo call rustc through this program for the packages of its workspace. The program adds
/// lines `CRATE SECONDS` to a file.
pub fn measure_rustc<'a>(command: &'a mut Command, report: &std::path::Path) -> Result<&'a mut Command, String> {
    let this = std::env::current_exe().map_err(|error| format!("cannot find the path of this program: {error}"))?;
    Ok(command.env("RUSTC_WORKSPACE_WRAPPER", this).env(REPORT, report))
}

/// Runs rustc if cargo has called this program as its wrapper.
pub fn as_wrapper() -> Option<ExitCode> {
    let report = std::env::var_os(REPORT)?;
    let mut arguments = std::env::args_os().skip(1);
    let rustc = arguments.next()?;
    let arguments: Vec<_> = arguments.collect();
    let start = Instant::now();
    // Processes that rustc starts, such as the linker, count as part of rustc. They must not be
    // measured a second time.
    let status = Command::new(rustc).args(&arguments).env_remove(REPORT).status();
    let seconds = seconds_of_children().unwrap_or_else(|| start.elapsed().as_secs_f64());
    let named = arguments.iter().skip_while(|argument| *argument != "--crate-name").nth(1);
    if let Some(name) = named.and_then(|name| name.to_str()) {
        // The reader of the report fails if a crate is missing in it.
        let _ = append(report.as_ref(), &format!("{name} {seconds}\n"));
    }
    match status {
        Ok(status) if status.success() => Some(ExitCode::SUCCESS),
        _ => Some(ExitCode::FAILURE),
    }
}

fn append(file: &std::path::Path, line: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    std::fs::OpenOptions::new().create(true).append(true).open(file)?.write_all(line.as_bytes())
}

/// Returns the user seconds of the children that have ended. Works on Linux only.
pub fn seconds_of_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name in parentheses, which may contain spaces.
    let (_, fields) = stat.rsplit_once(") ")?;
    let ticks: f64 = fields.split(' ').nth(13)?.parse().ok()?;
    Some(ticks / TICKS_PER_SECOND)
}
