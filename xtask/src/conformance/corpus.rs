//! Finds the case files, and reads each with the reader of its dialect.

use super::asl;
use super::case::{Case, CaseFile, Catalogue, Plan};
use crate::workspace::files;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Reads one case file of a dialect: its name, its cases.
pub type Reader = fn(&Value, &mut Catalogue) -> Result<Plan, String>;

/// Reads the files named, and those in the folders named.
pub fn read(paths: &[PathBuf], catalogue: &mut Catalogue) -> Result<Vec<CaseFile>, String> {
    let mut found = Vec::new();
    for path in paths {
        match path.is_dir() {
            true => {
                found.extend(files(path).into_iter().filter(|file| file.extension().is_some_and(|end| end == "json")))
            }
            false => found.push(path.clone()),
        }
    }
    found.iter().map(|path| read_file(path, catalogue)).collect()
}

fn read_file(path: &Path, catalogue: &mut Catalogue) -> Result<CaseFile, String> {
    let part = |path: Option<&Path>| path.and_then(Path::file_name).unwrap_or_default().to_string_lossy().into_owned();
    let (dialect, file) = (part(path.parent()), part(Some(path)));
    let name = format!("{dialect}/{file}");
    let text = crate::workspace::read(path)?;
    let document: Value = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
    let cases = document["cases"].as_array().ok_or_else(|| format!("{name} has no `cases`"))?;
    let reader = reader(&dialect, &file);
    let mut read = Vec::with_capacity(cases.len());
    for (at, case) in cases.iter().enumerate() {
        let own = ["id", "name"].iter().find_map(|key| case[*key].as_str());
        let id = own.map_or_else(|| format!("#{at}"), str::to_owned);
        let plan = match reader {
            Some(reader) => reader(case, catalogue).map_err(|error| format!("{name} {id}: {error}"))?,
            None => Plan::Unsupported("no reader for this file yet".to_owned()),
        };
        read.push(Case { id: format!("{name} {id}"), plan });
    }
    Ok(CaseFile { name, cases: read })
}

fn reader(dialect: &str, file: &str) -> Option<Reader> {
    match dialect {
        "asl" => asl::reader(file),
        _ => None,
    }
}
