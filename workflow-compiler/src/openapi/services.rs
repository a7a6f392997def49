//! Names of services.

use crate::model::operation::Rest;
use std::collections::BTreeMap;

/// Assigns the names under which services are configured: the file name of the document without
/// folder and extension, or the whole path if several documents share that name.
pub fn name_services<'a>(operations: impl Iterator<Item = &'a mut Rest>) {
    let mut operations: Vec<&mut Rest> = operations.collect();
    let mut owners: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for rest in &operations {
        for name in [short_name(&rest.document), &rest.document] {
            let documents = owners.entry(folded(name)).or_default();
            if !documents.contains(&rest.document) {
                documents.push(rest.document.clone());
            }
        }
    }
    for rest in &mut operations {
        let place = |name: &str| {
            let documents = owners.get(&folded(name))?;
            Some((documents.iter().position(|document| *document == rest.document)?, documents.len()))
        };
        let (short, whole) = (short_name(&rest.document), &rest.document);
        rest.service = match (place(short), place(whole)) {
            (Some((_, 1)), _) => short.to_owned(),
            // The paths differ only in characters that names ignore. All but the first get a
            // number.
            (_, Some((at @ 1.., _))) => format!("{whole} {}", at + 1),
            _ => whole.clone(),
        };
    }
}

/// Returns the form in which names of services are compared, which is that of environment
/// variables.
fn folded(name: &str) -> String {
    name.chars().flat_map(char::to_uppercase).map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

/// Returns the file name without folder and extension: `bank` for `apis/bank.openapi.json`.
pub(super) fn short_name(document: &str) -> &str {
    let file = document.rsplit('/').next().unwrap_or(document);
    file.split('.').find(|part| !part.is_empty()).unwrap_or(file)
}
