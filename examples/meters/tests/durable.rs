//! Tests of the program with a database: a month that is killed goes on where it was.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use workflow_runtime::Value;

/// The number of readings. A million in the documentation.
const ROWS: usize = 10_000;

/// The input of the month.
const INPUT: &str = r#"{"month": "2026-10", "centsPerUnit": 31, "batch": 10}"#;

/// The folder of a test, with the readings, the bills and the database.
struct Place(PathBuf);

impl Place {
    fn new() -> Place {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("meters-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("readings/2026-10")).expect("a folder");
        let mut rows = "meter,before,after\n".to_owned();
        // Of each hundred readings, one has no second number.
        (0..ROWS).for_each(|row| {
            let after = if row % 100 == 99 { String::new() } else { (row + 7).to_string() };
            writeln!(rows, "m-{row},{row},{after}").expect("a string takes all");
        });
        std::fs::write(folder.join("readings/2026-10/all.csv"), rows).expect("a file");
        Place(folder)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_meters-durable"));
        command.args(arguments).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    fn start(&self) -> Child {
        let stores = ["--store", "readings=folder:readings", "--store", "bills=folder:bills"];
        let mut command = self.command(&["run", "--id", "october", "--db", "meters.db", "--input", INPUT]);
        command.args(stores).args(["--progress", "none"]).stdout(Stdio::piped()).spawn().expect("the program starts")
    }

    fn show(&self, id: &str) -> String {
        let output = self.command(&["show", id, "--db", "meters.db"]).output().expect("the program runs");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Returns the counts of items that `show` prints: pending, running, succeeded and failed.
    fn counts(&self, id: &str) -> Option<[u64; 4]> {
        let text = self.show(id);
        let counts = text.split("its items, ").nth(1)?.lines().next()?;
        let mut counts = counts.split(", ").map(|count| count.split(' ').next()?.parse().ok());
        Some([counts.next()??, counts.next()??, counts.next()??, counts.next()??])
    }

    /// Returns the lines of all result files of a status.
    fn lines(&self, manifest: &Value, status: &str) -> Vec<Value> {
        let files = manifest.get("ResultFiles").and_then(|files| files.get(status)).and_then(Value::as_array);
        let keys = files.expect("files").iter().map(|file| file.get("Key").and_then(Value::as_str).expect("a key"));
        let texts: Vec<String> = keys.map(|key| read(&self.0.join("bills").join(key))).collect();
        texts.iter().flat_map(|text| text.lines()).map(|line| Value::from_json(line).expect("JSON")).collect()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn a_month_that_is_killed_twice_bills_every_reading_once() {
    let place = Place::new();
    let mut seen = 0;
    for _ in 0..2 {
        let mut program = place.start();
        let start = Instant::now();
        let counts = loop {
            assert!(start.elapsed() < Duration::from_secs(120), "no counts: {:?}", program.try_wait());
            match place.counts("october.1-0") {
                Some(counts) if counts[2] > seen => break counts,
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        // A crash takes nothing from the counts.
        seen = counts[2] + 1000;
        assert!(counts.iter().sum::<u64>() <= ROWS as u64, "{counts:?}");
        assert!(program.try_wait().expect("a status").is_none(), "it ended before it was killed");
        program.kill().expect("it is killed");
        program.wait().expect("it has ended");
    }
    let output = place.start().wait_with_output().expect("the program runs");
    assert!(output.status.success());
    let billed = Value::from_json_slice(&output.stdout).expect("JSON");
    let manifest = billed.get("manifest").and_then(Value::as_str).expect("a manifest");
    let manifest = Value::from_json(&read(&place.0.join("bills").join(manifest))).expect("JSON");
    let bills = place.lines(&manifest, "SUCCEEDED");
    let meters = bills.iter().filter_map(|bill| bill.get("meter").and_then(Value::as_str));
    let meters: BTreeSet<&str> = meters.collect();
    // A batch of ten fails with each bad reading.
    assert_eq!((bills.len(), meters.len()), (ROWS / 10 * 9, ROWS / 10 * 9));
    assert_eq!(place.lines(&manifest, "FAILED").len(), ROWS / 100);
    let items = format!("items          0 pending, 0 running, {} succeeded, {} failed", ROWS / 10 * 9, ROWS / 10);
    let shown = place.show("october.1-0");
    assert!(shown.lines().any(|line| line == items), "{shown}");
    // The bills are in the order of the rows.
    let numbers = bills.iter().filter_map(|bill| bill.get("meter")?.as_str()?.strip_prefix("m-")?.parse::<u32>().ok());
    assert!(numbers.is_sorted());
}
