//! The search for names of runtime functions in the texts of a graph.

use super::{Defect, DefectKind};
use workflow_compiler::graph::{Graph, Region, is_internal};

/// Other names of functions of the runtime that no author writes before a parenthesis.
const INTERNAL: [&str; 20] = [
    "exists",
    "holds",
    "equal",
    "less",
    "only",
    "filtered",
    "searches",
    "members",
    "equals",
    "require_path",
    "path_at",
    "at_steps",
    "selected",
    "choice_variable",
    "seconds_path",
    "timestamp_path",
    "timeout_path",
    "max_concurrency_path",
    "is_null",
    "argument",
];

/// Returns the texts with a name of a runtime function before a parenthesis.
pub fn internal(graph: &Graph) -> Vec<Defect> {
    let mut texts = Vec::new();
    collect(&graph.region, &mut texts);
    let bad = texts.into_iter().filter(|text| shows_internal(text));
    bad.map(|text| Defect { kind: DefectKind::InternalName, what: format!("{}: `{text}`", graph.name) }).collect()
}

fn collect<'a>(region: &'a Region, texts: &mut Vec<&'a str>) {
    texts.extend([&*region.label, &*region.starts_on]);
    texts.extend(region.edges.iter().flat_map(|edge| &edge.labels).map(String::as_str));
    for node in &region.nodes {
        texts.extend(node.details.iter().map(String::as_str));
        node.regions.iter().for_each(|region| collect(region, texts));
    }
}

/// Returns `true` if a text contains a name of a runtime function before a parenthesis.
pub fn shows_internal(text: &str) -> bool {
    text.match_indices('(').any(|(at, _)| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let before = &text[..at];
        let (before, name) = before.split_at(before.trim_end_matches(is_part).len());
        // Functions of JSONata begin with a `$`.
        !before.ends_with('$') && (is_internal(name) || INTERNAL.contains(&name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_before_parentheses_are_found() {
        for text in ["$.a[?jayway_equal(@.b, 1)]", "not exists(@.b)", "States.Format(array_length($.a))"] {
            assert!(shows_internal(text), "{text}");
        }
        for text in [
            "$.jayway_equal",
            "length(@.b) == 2",
            "States.MathAdd($.a, 1)",
            "(.a | length) > 2",
            "$.a is present",
            "$exists($a)",
        ] {
            assert!(!shows_internal(text), "{text}");
        }
    }
}
