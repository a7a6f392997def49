//! Finds the case files, and reads each with the reader of its dialect.

use super::case::{Case, CaseFile, Catalogue, Plan};
use super::rulings::{Rulings, reason};
use super::{asl, composer, serverless_workflow, sm4c, workflow_dsl};
use crate::workspace::files;
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Decides what is done with a case.
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
    let dialect = dialect_of(&dialect);
    let reader = dialect.as_ref().and_then(|dialect| (dialect.reader)(&file));
    let cases = match document.get("cases").unwrap_or(&document).as_array() {
        Some(cases) => cases.as_slice(),
        // Data that cases of other files refer to.
        None if reader.is_none() => &[],
        None => return Err(format!("{name} has no `cases`")),
    };
    let mut read = Vec::with_capacity(cases.len());
    let mut ids = HashSet::new();
    for (at, case) in cases.iter().enumerate() {
        let own = ["id", "name"].iter().find_map(|key| case[*key].as_str());
        let mut id = own.map_or_else(|| format!("#{at}"), str::to_owned);
        if !ids.insert(id.clone()) {
            id = format!("{id} #{at}");
        }
        let ruled =
            |table: fn(&Rulings) -> Table| dialect.as_ref().and_then(|dialect| reason(table(&dialect.rulings), &id));
        let plan = match (reader, ruled(|rulings| rulings.out_of_scope)) {
            (_, Some(reason)) => Plan::Unsupported(reason.to_owned()),
            (Some(reader), None) => reader(case, catalogue).map_err(|error| format!("{name} {id}: {error}"))?,
            (None, None) => Plan::Unsupported("there is no reader for this file".to_owned()),
        };
        let decided = ruled(|rulings| rulings.decided_otherwise);
        read.push(Case { id: format!("{name} {id}"), plan, decided });
    }
    Ok(CaseFile { name, cases: read })
}

type Table = &'static [(&'static str, &'static str)];

/// What there is for the cases of a dialect.
struct Dialect {
    reader: fn(&str) -> Option<Reader>,
    rulings: Rulings,
}

fn dialect_of(folder: &str) -> Option<Dialect> {
    match folder {
        "asl" => Some(Dialect { reader: asl::reader, rulings: asl::RULINGS }),
        "composer" => Some(Dialect { reader: composer::reader, rulings: composer::RULINGS }),
        "serverless-workflow" => {
            Some(Dialect { reader: serverless_workflow::reader, rulings: serverless_workflow::RULINGS })
        }
        "sm4c" => Some(Dialect { reader: sm4c::reader, rulings: sm4c::RULINGS }),
        "workflow-dsl" => Some(Dialect { reader: workflow_dsl::reader, rulings: workflow_dsl::RULINGS }),
        _ => None,
    }
}
