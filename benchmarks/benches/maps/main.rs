//! The costs of distributed Maps over the rows of a CSV file, whose task is ready at once: in
//! memory, against programs that call the same function without an engine, and in SQLite. Prints
//! lines of a name and a number.
//!
//! Each subject runs in a process of its own, whose arguments are its name and the file: the
//! resident memory of a process never shrinks.

mod engines;
mod peers;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The rows of the file.
const ROWS: u64 = 1_000_000;

/// The rows of a smaller file. Python takes half a minute for the other one.
const FEW: u64 = 100_000;

/// The number of runs of each subject, of which the fastest counts: other programs on the machine
/// have disturbed it least.
const RUNS: usize = 5;

/// The number of runs in SQLite, which take longer.
const SQLITE_RUNS: usize = 2;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => measure(),
        [subject, file] => run(subject, file.as_ref()),
        _ => panic!("expected nothing, or a subject and a file"),
    }
}

/// Measures all subjects. Those in memory run alternately.
fn measure() {
    let many = write("many", ROWS);
    let few = write("few", FEW);
    let mut fastest = Fastest::default();
    for run in 0..RUNS {
        for subject in ["memory", "tokio", "threads"] {
            fastest.measure(subject, &many, ROWS);
        }
        if run < SQLITE_RUNS {
            fastest.measure("sqlite", &few, FEW);
            fastest.measure("sqlite-many", &many, ROWS);
        }
        if run == 0 {
            fastest.measure("python", &few, FEW);
        }
    }
    fastest.print();
}

/// Runs a subject in this process, and prints its numbers.
fn run(subject: &str, file: &Path) {
    let began = Instant::now();
    let charged = match subject {
        "memory" => engines::memory(file),
        "sqlite" | "sqlite-many" => engines::sqlite(file),
        "tokio" => peers::tokio(file),
        "threads" => peers::threads(file),
        "python" => match peers::python(file) {
            Some(charged) => charged,
            None => return,
        },
        _ => panic!("unknown subject `{subject}`"),
    };
    println!("seconds {}", began.elapsed().as_secs_f64());
    println!("charged {charged}");
    // Python is a process of its own.
    if subject != "python"
        && let Some(peak) = resident()
    {
        println!("resident {peak}");
    }
}

/// The least numbers of the subjects.
#[derive(Default)]
struct Fastest(BTreeMap<String, f64>);

impl Fastest {
    /// Runs a subject in another process. One that is not installed prints nothing.
    fn measure(&mut self, subject: &str, file: &Path, rows: u64) {
        let program = std::env::current_exe().expect("a program");
        let output = Command::new(program).arg(subject).arg(file).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{subject}: {}\n{text}", output.status);
        for line in text.lines() {
            let (name, number) = line.split_once(' ').expect("a name and a number");
            let mut number: f64 = number.parse().expect("a number");
            let name = match name {
                "seconds" => {
                    number *= 1e6 / rows as f64;
                    "microseconds"
                }
                "charged" => {
                    assert_eq!(number, sum(rows) as f64, "{subject}: all rows are charged");
                    continue;
                }
                name => name,
            };
            let least = self.0.entry(format!("{subject}-{name}")).or_insert(f64::INFINITY);
            *least = least.min(number);
        }
    }

    fn print(&self) {
        self.0.iter().for_each(|(name, number)| println!("{name} {number}"));
    }
}

/// Writes a file of rows, in a folder of its own.
fn write(name: &str, rows: u64) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("maps").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("rows.csv");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).expect("a file"));
    writeln!(file, "id,customer,amount,currency").expect("a row");
    for row in 0..rows {
        writeln!(file, "{row},customer-{},{}.50,EUR", row % 1_000, row % 97).expect("a row");
    }
    file.flush().expect("rows");
    path
}

/// Charges an amount: returns it in cents. Every subject calls this function, but Python, which
/// has its own.
fn charge(amount: &str) -> Option<i64> {
    let (whole, cents) = amount.split_once('.')?;
    Some(whole.parse::<i64>().ok()? * 100 + cents.parse::<i64>().ok()?)
}

/// Returns the sum of the charges of all rows.
fn sum(rows: u64) -> u64 {
    (0..rows).map(|row| row % 97 * 100 + 50).sum()
}

/// Returns the largest resident memory of this process so far in bytes, where the system reports
/// it.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.split_whitespace().next()?.parse::<f64>().ok()? * 1024.0)
}
