//! Runs the benchmarks of a package and reads their table.

use crate::workspace::cargo;
use std::collections::BTreeMap;
use std::process::Stdio;

/// The fastest sample of each benchmark in nanoseconds, by `NAME` or `NAME/ARGUMENT`, and the peak
/// of allocated bytes, and the number of allocations. A benchmark without Divan prints lines of a
/// name and nanoseconds, or a count of instructions.
#[derive(Debug, Default, PartialEq)]
pub struct Table {
    nanoseconds: BTreeMap<String, f64>,
    bytes: BTreeMap<String, f64>,
    allocations: BTreeMap<String, f64>,
    /// The tables of the single processes. Empty in such a table.
    processes: Vec<Table>,
}

impl Table {
    /// Returns the fastest sample: other programs on the machine have disturbed it least.
    pub fn nanoseconds(&self, name: &str) -> Result<f64, String> {
        self.nanoseconds.get(name).copied().ok_or_else(|| format!("the benchmark {name} printed no time"))
    }

    /// Returns the time of a round of the calibration loop beside the benchmarks of a program.
    pub fn round(&self, program: &str) -> Result<f64, String> {
        self.nanoseconds(&format!("calibration/{program}"))
    }

    /// Returns a time in rounds of the calibration loop beside the benchmarks of a program: the
    /// lowest of all processes. Each process is compared with the rounds that it has run itself.
    pub fn rounds(&self, program: &str, time: impl Fn(&Table) -> Result<f64, String>) -> Result<f64, String> {
        let mut least = f64::INFINITY;
        for process in &self.processes {
            least = least.min(time(process)? / process.round(program)?);
        }
        Ok(least)
    }

    /// Adds the table of another process: the lower time and the higher peak of each benchmark.
    fn add(&mut self, other: Table) {
        for (name, time) in &other.nanoseconds {
            self.nanoseconds.entry(name.clone()).and_modify(|least| *least = least.min(*time)).or_insert(*time);
        }
        for (name, bytes) in &other.bytes {
            self.bytes.entry(name.clone()).and_modify(|most| *most = most.max(*bytes)).or_insert(*bytes);
        }
        self.allocations.extend(other.allocations.clone());
        self.processes.push(other);
    }

    /// Returns the number of instructions, or `None` if callgrind is not installed.
    pub fn instructions(&self, subject: &str) -> Option<f64> {
        self.nanoseconds.get(&format!("instructions/{subject}")).copied()
    }

    /// Returns the number of allocations. Those that grow are not among them.
    pub fn allocations(&self, name: &str) -> Result<f64, String> {
        self.allocations.get(name).copied().ok_or_else(|| format!("the benchmark {name} printed no allocations"))
    }

    /// Returns the peak of allocated bytes.
    pub fn bytes(&self, name: &str) -> Result<f64, String> {
        self.bytes.get(name).copied().ok_or_else(|| format!("the benchmark {name} printed no bytes"))
    }
}

/// The number of processes that run each benchmark. The addresses of code and data differ between
/// processes, and some benchmarks take a quarter longer in every second process.
const PROCESSES: u32 = 5;

/// Runs these benchmarks of a package with these features, in several processes.
pub fn run(package: &str, features: &str, benchmarks: &[&str]) -> Result<Table, String> {
    let mut fastest = Table::default();
    for _ in 0..PROCESSES {
        fastest.add(run_once(package, features, benchmarks)?);
    }
    Ok(fastest)
}

/// Runs these benchmarks once.
pub fn run_once(package: &str, features: &str, benchmarks: &[&str]) -> Result<Table, String> {
    let mut command = cargo(["bench", "--quiet", "--package", package, "--features", features]);
    command.args(benchmarks.iter().flat_map(|name| ["--bench", name]));
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| format!("cannot run cargo: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match output.status.success() {
        true => Ok(parse(&text)),
        false => Err(format!("the benchmarks failed: {}\n{text}", output.status)),
    }
}

/// Reads the lines of benchmarks.
pub fn parse(text: &str) -> Table {
    let mut table = Table::default();
    let (mut name, mut argument, mut at_most) = (String::new(), String::new(), false);
    let mut is_alloc = false;
    for line in text.lines() {
        let row = line.trim_start_matches(['│', ' ']);
        if let Some(row) = row.strip_prefix("├─ ").or_else(|| row.strip_prefix("╰─ ")) {
            let deep = line.starts_with(['│', ' ']);
            let (label, rest) = row.split_once(' ').unwrap_or((row, ""));
            match deep {
                true => argument = format!("/{label}"),
                false => (name, argument) = (label.to_owned(), String::new()),
            }
            if let Some(fastest) = quantity(rest) {
                table.nanoseconds.insert(format!("{name}{argument}"), fastest);
            }
            (at_most, is_alloc) = (false, false);
        } else if row.starts_with("max alloc:") {
            at_most = true;
        } else if row.starts_with("alloc:") {
            is_alloc = true;
        } else if let Some(Ok(count)) = row.split_whitespace().next().map(str::parse).filter(|_| is_alloc) {
            table.allocations.insert(format!("{name}{argument}"), count);
            is_alloc = false;
        } else if let Some(bytes) = quantity(row).filter(|_| at_most && unit(row).is_some_and(is_bytes)) {
            table.bytes.insert(format!("{name}{argument}"), bytes);
            at_most = false;
        } else if let Some((name, Ok(number))) = line.split_once(' ').map(|(name, rest)| (name, rest.parse())) {
            table.nanoseconds.insert(name.to_owned(), number);
        }
    }
    table
}

fn unit(cells: &str) -> Option<&str> {
    cells.split_whitespace().nth(1)
}

fn is_bytes(unit: &str) -> bool {
    unit.ends_with('B')
}

/// Reads the first number of a row with its unit, in nanoseconds or bytes.
fn quantity(cells: &str) -> Option<f64> {
    let number: f64 = cells.split_whitespace().next()?.parse().ok()?;
    let scale = match unit(cells)? {
        "ns" | "B" => 1.0,
        "µs" | "KB" => 1e3,
        "ms" | "MB" => 1e6,
        "s" | "GB" => 1e9,
        _ => return None,
    };
    Some(number * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_several_processes_the_lowest_time_and_the_highest_peak_count() {
        let table = |time: f64, round: f64, bytes: f64| Table {
            nanoseconds: [("command", time), ("calibration/machine", round)]
                .map(|(name, time)| (name.to_owned(), time))
                .into(),
            bytes: BTreeMap::from([("waiting".to_owned(), bytes)]),
            allocations: BTreeMap::new(),
            processes: Vec::new(),
        };
        let mut all = Table::default();
        all.add(table(340.0, 42.0, 10.0));
        all.add(table(325.0, 50.0, 12.0));
        all.add(table(480.0, 60.0, 11.0));
        assert_eq!((all.nanoseconds("command"), all.bytes("waiting")), (Ok(325.0), Ok(12.0)));
        assert_eq!(all.rounds("machine", |process| process.nanoseconds("command")), Ok(6.5));
    }
}
