//! Checks of the result files of distributed Maps, and of their rows in the file of effects:
//!
//! - `rows CHILD booked ROW,… PROCESS`, `rows CHILD refused ROW,… PROCESS`: a process handles a
//!   batch of rows, and its results are to be written, or those of a failure.
//! - `begin KEY ATTEMPT TIME …`: a task has begun at this time, in microseconds.
//! - `result ID right COUNT KEY`: a Map over this many rows has ended. Its manifest has this key.
//!
//! Each row must have been processed by one child, again and again only if its process or a server
//! was killed. The files must list each row once, in order, and nothing else may be beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::workspace::{files, read};

/// The name of a manifest.
const MANIFEST: &str = "manifest.json";

/// The share of all children, one in this many, that each process runs at least.
const SHARE: u64 = 10;

/// The check of the results in a folder.
pub struct ResultFiles<'a> {
    /// The folder of the bucket.
    folder: &'a Path,
    /// The broken guarantees.
    pub violations: Vec<String>,
    maps: u64,
    rows: u64,
    files: u64,
    /// The numbers of children by process, each child where it ran first.
    children: BTreeMap<String, u64>,
    /// The microseconds between the first and the last task.
    time: u64,
}

/// The rows of an execution in the file of effects.
#[derive(Default)]
struct Processed<'a> {
    /// The child that has processed a row, and whether the row was booked.
    rows: BTreeMap<u64, (&'a str, bool)>,
}

impl<'a> ResultFiles<'a> {
    /// Returns the check of the results in a folder.
    pub fn of(folder: &'a Path) -> ResultFiles<'a> {
        ResultFiles { folder, violations: Vec::new(), maps: 0, rows: 0, files: 0, children: BTreeMap::new(), time: 0 }
    }

    /// Checks the manifests that there are now: each lists complete files.
    ///
    /// # Errors
    /// The first violation.
    pub fn check_manifests(&self) -> Result<(), String> {
        let mut manifests = files(self.folder).into_iter().filter(|path| path.ends_with(MANIFEST));
        manifests.try_for_each(|manifest| self.listed(&manifest).map(drop))
    }

    /// Checks the results of all Maps in a file of effects.
    pub fn check(&mut self, effects: &str) {
        let mut processed: BTreeMap<&str, Processed<'_>> = BTreeMap::new();
        let (mut ended, mut children) = (BTreeMap::new(), BTreeMap::new());
        let mut times: Vec<u64> = Vec::new();
        for line in effects.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["begin", _, _, at, ..] => times.extend(at.parse::<u64>()),
                ["rows", child, done, rows, process] => {
                    children.entry(child).or_insert(process);
                    let map = child.split('.').next().unwrap_or_default();
                    let numbers = rows.split(',').filter_map(|row| row.parse().ok());
                    let problem = processed.entry(map).or_default().add(child, done == "booked", numbers);
                    self.violations.extend(problem);
                }
                ["result", id, "right", count, key] => {
                    ended.insert(id, (count.parse().unwrap_or_default(), key));
                }
                _ => {}
            }
        }
        for process in children.into_values() {
            *self.children.entry(process.to_owned()).or_default() += 1;
        }
        self.time = times.iter().max().zip(times.iter().min()).map_or(0, |(last, first)| last - first);
        for (id, (count, key)) in ended {
            self.maps += 1;
            let processed = processed.remove(id).unwrap_or_default();
            if let Err(problem) = self.check_map(id, count, key, &processed) {
                self.violations.push(format!("{id}: {problem}"));
            }
        }
        if self.maps == 0 {
            self.violations.push("no Map has ended".to_owned());
        }
    }

    /// Returns the counts in one line.
    pub fn summary(&self) -> String {
        let ResultFiles { maps, rows, files, children, time, .. } = self;
        let children: Vec<String> = children.values().map(u64::to_string).collect();
        let rate = rows.saturating_mul(1_000_000).checked_div(*time).unwrap_or_default();
        format!(
            "{maps} Maps with {rows} rows, in {files} result files; {rate} rows a second; children by process: {}",
            children.join(", ")
        )
    }

    /// Adds a violation unless this many processes have run children, each a share of them.
    pub fn require_shares(&mut self, count: usize) {
        let found = self.children.len();
        if found != count {
            self.violations.push(format!("{found} processes have run children, not {count}"));
        }
        let all: u64 = self.children.values().sum();
        let few = self.children.iter().filter(|(_, children)| **children * SHARE < all);
        self.violations.extend(few.map(|(process, few)| format!("{process} has run only {few} of {all} children")));
    }

    fn check_map(&mut self, id: &str, count: u64, key: &str, processed: &Processed<'_>) -> Result<(), String> {
        let there: BTreeSet<PathBuf> = files(&self.folder.join(id)).into_iter().collect();
        let manifest = self.folder.join(key);
        let (succeeded, failed) = self.listed(&manifest)?;
        let listed: BTreeSet<PathBuf> = succeeded.iter().chain(&failed).cloned().chain([manifest]).collect();
        if let Some(other) = there.symmetric_difference(&listed).next() {
            return Err(format!("{} is not what the manifest lists", other.display()));
        }
        let booked = rows_in(&succeeded, |line| number(&line["row"]).into_iter().collect())?;
        let refused = rows_in(&failed, rows_of_record)?;
        let mut all: Vec<u64> = booked.iter().chain(&refused).copied().collect();
        all.sort_unstable();
        if let Some(wrong) = (0..count).zip(all.iter().copied().chain([u64::MAX])).find(|(row, listed)| row != listed) {
            return Err(format!("the row {} is not listed once in its place", wrong.0));
        }
        if all.len() as u64 != count {
            return Err(format!("the files list {} rows, and the Map has {count}", all.len()));
        }
        for (rows, is_booked) in [(&booked, true), (&refused, false)] {
            match rows.iter().find(|row| processed.rows.get(row).is_none_or(|(_, booked)| *booked != is_booked)) {
                None => {}
                Some(row) => return Err(format!("the row {row} was not processed as the files say")),
            }
        }
        self.rows += count;
        self.files += listed.len() as u64;
        Ok(())
    }

    /// Returns the files that a manifest lists: those of the children that have succeeded, and of
    /// those that have failed. Each has the size in the manifest.
    fn listed(&self, manifest: &Path) -> Result<(Vec<PathBuf>, Vec<PathBuf>), String> {
        let text = read(manifest)?;
        let problem = |what: &str| format!("{}: {what}", manifest.display());
        let parsed: Value = serde_json::from_str(&text).map_err(|error| problem(&error.to_string()))?;
        let list = |status: &str| -> Result<Vec<PathBuf>, String> {
            let list = parsed["ResultFiles"][status].as_array().ok_or_else(|| problem("a list is missing"))?;
            let file = |file: &Value| {
                let path = self.folder.join(file["Key"].as_str().ok_or_else(|| problem("a file has no key"))?);
                let size = std::fs::metadata(&path).map(|file| file.len());
                match size.ok() == file["Size"].as_u64() {
                    true => Ok(path),
                    false => Err(problem(&format!("{} does not have the size in the manifest", path.display()))),
                }
            };
            list.iter().map(file).collect()
        };
        match list("PENDING")?.is_empty() {
            true => Ok((list("SUCCEEDED")?, list("FAILED")?)),
            false => Err(problem("rows are pending")),
        }
    }
}

impl<'a> Processed<'a> {
    /// Adds the rows of a child. Returns the violation, if another child has one of them.
    fn add(&mut self, child: &'a str, booked: bool, rows: impl Iterator<Item = u64>) -> Option<String> {
        let mut problem = None;
        for row in rows {
            let first = *self.rows.entry(row).or_insert((child, booked));
            if first != (child, booked) {
                problem = Some(format!("{child}: the row {row} was processed by {}", first.0));
            }
        }
        problem
    }
}

/// Returns the rows in files of lines, which must be in order.
fn rows_in(files: &[PathBuf], rows: impl Fn(&Value) -> Vec<u64>) -> Result<Vec<u64>, String> {
    let mut all: Vec<u64> = Vec::new();
    for file in files {
        let text = read(file)?;
        for line in text.lines() {
            let line = serde_json::from_str(line).map_err(|error| format!("{}: {error}", file.display()))?;
            let found = rows(&line);
            if found.is_empty() {
                return Err(format!("{}: a line has no rows", file.display()));
            }
            all.extend(found);
        }
    }
    match all.windows(2).find(|pair| pair[0] >= pair[1]) {
        None => Ok(all),
        Some(pair) => Err(format!("the row {} comes after {}", pair[1], pair[0])),
    }
}

/// Returns the rows in the input of a child that has failed.
fn rows_of_record(record: &Value) -> Vec<u64> {
    let input = record["Input"].as_str().and_then(|input| serde_json::from_str::<Value>(input).ok());
    let items = input.as_ref().and_then(|input| input["Items"].as_array()).into_iter().flatten();
    items.filter_map(|item| number(&item["row"])).collect()
}

/// Reads a number, or the text of one.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const EFFECTS: &str = "open\nbegin rows/m-1.1-0.1-0/1-0 1 500000 \nrows m-1.1-0.1-0 booked 0,1 a\n\
                           rows m-1.1-0.2-0 refused 2 b\nopen\nrows m-1.1-0.2-0 refused 2 a\n\
                           begin rows/m-1.1-0.3-0/1-0 1 2500000 \nrows m-1.1-0.3-0 booked 3 a\n\
                           result m-1 right 4 m-1/r/manifest.json\n";

    const MANIFEST_TEXT: &str = r#"{"ResultFiles":{"PENDING":[],
        "FAILED":[{"Key":"m-1/r/FAILED_0.jsonl","Size":49}],
        "SUCCEEDED":[{"Key":"m-1/r/SUCCEEDED_0.jsonl","Size":20},{"Key":"m-1/r/SUCCEEDED_1.jsonl","Size":10}]}}"#;

    /// The files of the Map in the effects.
    const FILES: [(&str, &str); 4] = [
        (MANIFEST, MANIFEST_TEXT),
        ("SUCCEEDED_0.jsonl", "{\"row\":0}\n{\"row\":1}\n"),
        ("SUCCEEDED_1.jsonl", "{\"row\":3}\n"),
        ("FAILED_0.jsonl", "{\"Input\":\"{\\\"Items\\\":[{\\\"row\\\":\\\"2\\\"}]}\",\"A\":12}\n"),
    ];

    /// Checks the files, some of them with another content, or none.
    fn check(name: &str, changed: &[(&str, &str)], effects: &str) -> (Vec<String>, String) {
        let folder = std::env::temp_dir().join(format!("xtask-results-{}-{name}", std::process::id()));
        let run = folder.join("m-1/r");
        std::fs::create_dir_all(&run).expect("a folder");
        for (file, text) in FILES.iter().chain(changed) {
            std::fs::write(run.join(file), text).expect("a file");
        }
        let mut results = ResultFiles::of(&folder);
        results.check(effects);
        let manifests = results.check_manifests();
        let mut violations = std::mem::take(&mut results.violations);
        violations.extend(manifests.err());
        let _ = std::fs::remove_dir_all(&folder);
        (violations, results.summary())
    }

    #[test]
    fn complete_results_are_counted() {
        let summary = "1 Maps with 4 rows, in 4 result files; 2 rows a second; children by process: 2, 1".to_owned();
        assert_eq!(check("right", &[], EFFECTS), (Vec::new(), summary));
    }

    #[test]
    fn all_processes_must_run_children() {
        let mut results = ResultFiles::of(Path::new("none"));
        results.check("rows m-1.1-0.1-0 booked 0,1 a\nrows m-1.1-0.2-0 refused 2 b\n");
        results.violations.clear();
        results.require_shares(2);
        assert_eq!(results.violations, Vec::<String>::new());
        results.require_shares(3);
        assert_eq!(results.violations, ["2 processes have run children, not 3"]);
        results.children.insert("a".to_owned(), 10);
        results.violations.clear();
        results.require_shares(2);
        assert_eq!(results.violations, ["b has run only 1 of 11 children"]);
    }

    #[test]
    fn faults_in_result_files_are_found() {
        for (number, (file, text, problem)) in [
            ("SUCCEEDED_0.jsonl", "{\"row\":1}\n{\"row\":0}\n", "the row 0 comes after 1"),
            ("SUCCEEDED_0.jsonl", "{\"row\":0}\n{\"row\":0}\n", "the row 0 comes after 0"),
            ("SUCCEEDED_1.jsonl", "{\"row\":4}\n", "the row 3 is not listed once"),
            ("SUCCEEDED_1.jsonl", "{\"row\":2}\n", "the row 3 is not listed once"),
            ("SUCCEEDED_1.jsonl", "", "does not have the size"),
            ("SUCCEEDED_1.jsonl", "{\"row\":3}", "does not have the size"),
            ("SUCCEEDED_1.jsonl", "{\"rox\":3}\n", "a line has no rows"),
            ("SUCCEEDED_2.jsonl", "{\"row\":4}\n", "is not what the manifest lists"),
            ("other.json", MANIFEST_TEXT, "is not what the manifest lists"),
            (MANIFEST, &MANIFEST_TEXT[..100], "manifest.json"),
            (MANIFEST, &MANIFEST_TEXT.replace("[],", "[{}],"), "a file has no key"),
        ]
        .into_iter()
        .enumerate()
        {
            let (violations, _) = check(&format!("file-{number}"), &[(file, text)], EFFECTS);
            assert!(violations.iter().any(|found| found.contains(problem)), "{file}: {text}: {violations:?}");
        }
    }

    #[test]
    fn faults_in_rows_are_found() {
        for (number, (from, to, problem)) in [
            ("rows m-1.1-0.3-0 booked 3 a\n", "", "the row 3 was not processed"),
            ("rows m-1.1-0.3-0 booked 3", "rows m-1.1-0.3-0 refused 3", "the row 3 was not processed as the files"),
            ("rows m-1.1-0.3-0 booked 3", "rows m-1.1-0.3-0 booked 1,3", "the row 1 was processed by m-1.1-0.1-0"),
            ("right 4 ", "right 5 ", "the row 4 is not listed once"),
            ("right 4 ", "right 3 ", "the files list 4 rows, and the Map has 3"),
            ("result m-1", "result m-2", "m-2: "),
            ("result m-1 right", "result m-1 wrong", "no Map has ended"),
        ]
        .into_iter()
        .enumerate()
        {
            let (violations, _) = check(&format!("rows-{number}"), &[], &EFFECTS.replace(from, to));
            assert!(violations.iter().any(|found| found.contains(problem)), "{to}: {violations:?}");
        }
    }
}
