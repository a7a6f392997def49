//! All codes of diagnostics. The command `explain` lists them, and options name them.
//!
//! A code that only one dialect or expression language reports is in the table of its folder:
//! `codes.rs`, with the explanations in the folder `codes` beside it. The codes that several
//! report are in `diagnostics/codes.rs`. Tables do not depend on features, so that every compiler
//! explains every code, except those of the dialect of the tests.

mod former;

pub use former::former_ids;

use crate::diagnostics::codes::{expressions, fields, graph, output, syntax};
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Code, Severity};
use crate::dialects::{DIALECTS, asl};
use crate::expr::{cel, intrinsics, javascript, jq, jsonata, jsonpath, spel};
use crate::{openapi, rpc, schema, shapes};
use std::sync::LazyLock;

/// Errors that the options can turn into warnings: AWS accepts such a definition, and every run
/// fails ([A37](docs/amazon-states-language.md#a37)).
pub static ALLOWABLE: &[&Code] = &[
    &asl::codes::WF0307,
    &intrinsics::codes::WF0312,
    &intrinsics::codes::WF0313,
    &intrinsics::codes::WF0314,
    &shapes::codes::WF1901,
    &shapes::codes::WF1902,
    &shapes::codes::WF1903,
    &shapes::codes::WF1904,
    &shapes::codes::WF1905,
    &shapes::codes::WF1906,
];

/// The tables of codes, without those of the dialects.
static TABLES: &[&[&Code]] = &[
    syntax::ALL,
    graph::ALL,
    expressions::ALL,
    fields::ALL,
    output::ALL,
    cel::codes::ALL,
    intrinsics::codes::ALL,
    javascript::codes::ALL,
    jq::codes::ALL,
    jsonata::codes::ALL,
    jsonpath::codes::ALL,
    spel::codes::ALL,
    openapi::codes::ALL,
    rpc::codes::ALL,
    schema::codes::ALL,
    shapes::codes::ALL,
];

/// Iterates over all codes of the compiler, in the order of their ids.
pub fn all() -> impl Iterator<Item = &'static Code> {
    static ALL: LazyLock<Vec<&Code>> = LazyLock::new(|| {
        let dialects = DIALECTS.iter().flat_map(|dialect| dialect.codes);
        let mut codes: Vec<&Code> = TABLES.iter().copied().flatten().chain(dialects).copied().collect();
        codes.sort_unstable_by_key(|code| code.id);
        codes
    });
    ALL.iter().copied()
}

/// Iterates over the codes that documents list, in the order of their ids.
pub fn published() -> impl Iterator<Item = &'static Code> {
    let of_tests = || DIALECTS.iter().filter(|dialect| !dialect.is_published).flat_map(|dialect| dialect.codes);
    all().filter(move |code| !of_tests().any(|other| other == code))
}

/// Returns the entry of a code, by its id or a former id, such as `E0203`. The letter case is
/// ignored.
pub fn find(id: &str) -> Option<&'static Code> {
    let id = id.to_ascii_uppercase();
    all().find(|code| code.id == id).or_else(|| former::by_id(&id))
}

/// Returns the entry of a code, by its id or its name, or by a former one.
///
/// # Errors
///
/// Returns a help line if there is no such code.
pub fn lookup(text: &str) -> Result<&'static Code, String> {
    let by_name = || all().find(|code| code.name.eq_ignore_ascii_case(text));
    find(text).or_else(by_name).or_else(|| former::by_name(text)).ok_or_else(|| {
        let upper = text.to_ascii_uppercase();
        let by_id = did_you_mean(&upper, published().map(|code| code.id));
        let by_name = did_you_mean(text, published().map(|code| code.name));
        let help = if text.len() > "WF0000".len() { by_name.or(by_id) } else { by_id.or(by_name) };
        help.unwrap_or_else(|| "use `cargo workflow explain` to list all codes".to_owned())
    })
}

/// Returns the entry of a code that an option can allow: that of a warning, of a note, or of one
/// of the [`ALLOWABLE`] errors.
///
/// # Errors
///
/// Returns a message and a help line if there is no such code, and for the code of another error.
pub fn allowable(text: &str) -> Result<&'static Code, (String, String)> {
    match lookup(text) {
        Ok(code) if code.severity == Severity::Error && !ALLOWABLE.contains(&code) => Err((
            format!("`{}` is an error and cannot be allowed", code.id),
            "remove the code from the option, and correct the definition".to_owned(),
        )),
        Ok(code) => Ok(code),
        Err(help) => Err((format!("unknown code `{text}`"), help)),
    }
}

/// Iterates over the codes that the option `allow` names and can allow.
pub fn allowed(names: &[String]) -> impl Iterator<Item = &'static Code> {
    names.iter().filter_map(|name| allowable(name).ok())
}

/// Returns `true` if a rendered diagnostic, which begins with its code, is an error.
#[cfg(test)]
pub fn is_error(rendered: &str) -> bool {
    rendered.split(' ').next().and_then(find).is_some_and(|code| code.severity == Severity::Error)
}

#[cfg(test)]
mod tests;
