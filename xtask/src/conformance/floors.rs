//! The floors in `xtask/floors.toml`: the least number of cases of each file that have to pass,
//! and of expressions that have to be translated. Floors only rise.

use super::report::Report;
use crate::workspace::{read, root, write_if_changed};
use std::collections::BTreeMap;

const FILE: &str = "xtask/floors.toml";
const HEADER: &str =
    "# How many cases of each file pass, at least. `cargo xtask conformance PATH --raise` raises them.\n";
/// The word that a floor of translated expressions has after the file.
const TRANSLATED: &str = "translated";

/// Compares a report with the floors. `raise` raises the floors that the report exceeds.
pub fn check(report: &Report, raise: bool) -> Result<(), String> {
    let path = root().join(FILE);
    let mut floors = parse(&read(&path)?)?;
    let mut broken = Vec::new();
    for (file, count) in &report.files {
        let floor = floors.get(file).copied().unwrap_or(0);
        if count.passed < floor {
            broken.push(format!("{file}: {} passed, the floor is {floor}", count.passed));
        }
        if raise && count.passed > floor {
            floors.insert(file.clone(), count.passed);
        }
        let name = format!("{file} {TRANSLATED}");
        let floor = floors.get(&name).copied().unwrap_or(0);
        if count.translated < floor {
            broken.push(format!("{file}: {} translated, the floor is {floor}", count.translated));
        }
        if raise && count.translated > floor {
            floors.insert(name, count.translated);
        }
    }
    if raise {
        let lines = floors.iter().map(|(file, floor)| format!("\"{file}\" = {floor}\n"));
        write_if_changed(&path, &format!("{HEADER}{}", lines.collect::<String>()))?;
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

/// Reads lines of the form `"asl/valid.json" = 96`.
fn parse(text: &str) -> Result<BTreeMap<String, usize>, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| parse_line(line).ok_or_else(|| format!("{FILE}: cannot read `{line}`"))).collect()
}

fn parse_line(line: &str) -> Option<(String, usize)> {
    let (file, floor) = line.split_once('=')?;
    let file = file.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((file.to_owned(), floor.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_read_and_nonsense_is_named() {
        let floors = parse("# comment\n\"asl/valid.json\" = 96\n").expect("readable");
        assert_eq!(floors.get("asl/valid.json"), Some(&96));
        assert!(parse("asl/valid.json = many").is_err_and(|error| error.contains("many")));
    }
}
