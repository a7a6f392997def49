//! Known deviations of single cases of a dialect, with the reasons.

/// Cases by a part of their id, each with its reason.
pub struct Rulings {
    /// Cases that are not tried.
    pub out_of_scope: &'static [(&'static str, &'static str)],
    /// Cases that are tried, and whose failure is intended.
    pub decided_otherwise: &'static [(&'static str, &'static str)],
}

/// Returns the reason that a table has for a case.
pub fn reason(table: &[(&str, &'static str)], id: &str) -> Option<&'static str> {
    table.iter().find(|(part, _)| id.contains(part)).map(|(_, reason)| *reason)
}
