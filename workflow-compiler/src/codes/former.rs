//! Ids and names of codes in former versions. Options and the command `explain` accept them.

use super::all;
use crate::diagnostics::codes::expressions::{WF0304, WF0325, WF0326, WF0327, WF0375};
use crate::diagnostics::codes::fields::{WF0401, WF0407, WF0421, WF0422, WF0423, WF0460, WF0461};
use crate::diagnostics::codes::graph::{WF0202, WF0206, WF0207, WF0208};
use crate::diagnostics::codes::syntax::{WF0112, WF0132};
use crate::diagnostics::{Code, Severity};

/// The former ids and names of a code.
pub(super) struct Former {
    pub code: &'static Code,
    pub ids: &'static [&'static str],
    /// The names that differ from the name of today.
    pub names: &'static [&'static str],
}

pub(super) static FORMER: &[Former] = &[
    Former { code: &WF0112, ids: &["WF0812"], names: &["member_twice"] },
    Former {
        code: &WF0132,
        ids: &["WF0126", "WF1215", "WF1405"],
        names: &["dialect_not_built_in", "yaml_not_supported", "language_not_built_in", "schemas_not_built"],
    },
    Former {
        code: &WF0202,
        ids: &["WF0802", "WF1103", "WF1202"],
        names: &["duplicate_state", "defined_twice", "duplicate_message"],
    },
    Former { code: &WF0206, ids: &["WF1205"], names: &["no_end_state"] },
    Former { code: &WF0207, ids: &["WF0801", "WF1201"], names: &["start_definition"] },
    Former { code: &WF0208, ids: &["WF0803", "WF1101", "WF1204"], names: &["not_defined", "unknown_message"] },
    Former { code: &WF0304, ids: &["WF1305", "WF1604"], names: &["path_pattern", "spel_pattern", "cel_pattern"] },
    Former { code: &WF0325, ids: &["WF0807", "WF1106"], names: &["not_an_expression"] },
    Former { code: &WF0326, ids: &["WF1304", "WF1603"], names: &["spel_type", "cel_type"] },
    Former { code: &WF0327, ids: &["WF0332", "WF0345"], names: &["untranslated_function", "untranslated_expression"] },
    Former { code: &WF0375, ids: &["WF0382", "WF0390"], names: &["engine_function", "engine_expression"] },
    Former { code: &WF0401, ids: &["WF1210"], names: &["end_without_event"] },
    Former { code: &WF0407, ids: &["WF1212"], names: &["expression_language"] },
    Former { code: &WF0421, ids: &["WF0808", "WF1105", "WF1211"], names: &["invalid_timespan", "retry_interval"] },
    Former { code: &WF0422, ids: &["WF0809", "WF1208"], names: &["branch_count"] },
    Former { code: &WF0423, ids: &["WF0810", "WF1214"], names: &["function_resource"] },
    Former { code: &WF0460, ids: &["WF0851"], names: &[] },
    Former { code: &WF0461, ids: &["WF1155"], names: &[] },
];

/// Iterates over the former ids of a code.
pub fn former_ids(code: &Code) -> impl Iterator<Item = &'static str> {
    FORMER.iter().filter(move |former| former.code == code).flat_map(|former| former.ids).copied()
}

/// Returns the entry of a code by a former id in upper case.
pub(super) fn by_id(id: &str) -> Option<&'static Code> {
    of_table(id).or_else(|| by_letter(id))
}

/// Returns the entry of a code by a former name.
pub(super) fn by_name(name: &str) -> Option<&'static Code> {
    let is_named = |former: &&Former| former.names.iter().any(|known| known.eq_ignore_ascii_case(name));
    FORMER.iter().find(is_named).map(|former| former.code)
}

fn of_table(id: &str) -> Option<&'static Code> {
    FORMER.iter().find(|former| former.ids.contains(&id)).map(|former| former.code)
}

/// Returns the entry of a code by an id of the first version: a letter for the severity, and four
/// digits. The digits are those of later ids for an error, and 50 less for a warning.
fn by_letter(id: &str) -> Option<&'static Code> {
    let severity = match id.bytes().next()? {
        b'E' => Severity::Error,
        b'W' => Severity::Warning,
        b'N' => Severity::Note,
        _ => return None,
    };
    let digits = id.get(1..).filter(|digits| digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    let number: u32 = digits.parse().ok()?;
    let number = match (severity, number) {
        (Severity::Error, number) => number,
        (Severity::Note, 330) => 382,
        (Severity::Note, 1401) => 1452,
        (_, number) => number + 50,
    };
    let id = format!("WF{number:04}");
    all().find(|code| code.id == id).or_else(|| of_table(&id)).filter(|code| code.severity == severity)
}
