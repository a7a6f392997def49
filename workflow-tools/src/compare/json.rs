//! Printing of comparisons as lines of JSON, for scripts.
//!
//! The first line describes the comparison, each further line a state. Every object has all of
//! these members, in this order. A member that does not apply is `null` or an empty array:
//!
//! ```json
//! {
//!   "workflow": "order", "same": false, "verdict": "breaking",
//!   "old": {"file": "order.2025.asl.json", "hash": "4ac1f8203be95d76"},
//!   "new": {"file": "order.asl.json", "hash": "90d1b2e4c5f60718"},
//!   "notes": [{"verdict": "safe", "text": "the time-out changed from …"}]
//! }
//! {
//!   "state": "ShipFromNorth", "within": ["Ship"], "line": 14, "verdict": "migration",
//!   "reasons": ["its task changed from …"], "differs": [{"state": "Notify", "what": ["its retriers"]}], "remarks": [],
//!   "renamed": {"state": "ShipNorth", "line": 15},
//!   "points": [{"point": "ShipFromNorth", "verdict": "migration"}]
//! }
//! ```
//!
//! A verdict is `safe`, `migration` or `breaking`. Members may be added; those above stay.

use super::{Comparison, StateComparison, Verdict, Version};
use workflow_compiler::diagnostics::json::escape_into;

impl Comparison {
    /// Returns the comparison as lines of JSON, each with its line end.
    pub fn to_json_lines(&self) -> String {
        let version = |version: &Version| {
            format!("{{\"file\":{},\"hash\":{}}}", text(&version.file), text(&format!("{:016x}", version.hash)))
        };
        let notes = self.notes.iter();
        let notes =
            notes.map(|note| format!("{{\"verdict\":{},\"text\":{}}}", verdict(note.verdict), text(&note.text)));
        let mut lines = format!(
            "{{\"workflow\":{},\"same\":{},\"verdict\":{},\"old\":{},\"new\":{},\"notes\":{}}}\n",
            text(&self.new.workflow),
            self.is_same(),
            verdict(self.verdict()),
            version(&self.old),
            version(&self.new),
            array(notes),
        );
        for state in &self.states {
            lines.push_str(&state.to_json());
            lines.push('\n');
        }
        lines
    }
}

impl StateComparison {
    fn to_json(&self) -> String {
        let texts = |texts: &[String]| array(texts.iter().map(|one| text(one)));
        let differs = self.differs.iter().map(|differing| {
            let what = array(differing.what.iter().map(|what| text(what)));
            format!("{{\"state\":{},\"what\":{what}}}", text(&differing.state))
        });
        let renamed = self.renamed.as_ref().map_or("null".to_owned(), |renamed| {
            format!("{{\"state\":{},\"line\":{}}}", text(&renamed.state), renamed.line)
        });
        let points = self.points.iter();
        let points =
            points.map(|point| format!("{{\"point\":{},\"verdict\":{}}}", text(&point.point), verdict(point.verdict)));
        format!(
            "{{\"state\":{},\"within\":{},\"line\":{},\"verdict\":{},\"reasons\":{},\"differs\":{},\"remarks\":{},\
             \"renamed\":{renamed},\"points\":{}}}",
            text(&self.state),
            texts(&self.within),
            self.line,
            verdict(self.verdict),
            texts(&self.reasons),
            array(differs),
            texts(&self.remarks),
            array(points),
        )
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Safe => "\"safe\"",
        Verdict::Migration => "\"migration\"",
        Verdict::Breaking => "\"breaking\"",
    }
}

fn text(text: &str) -> String {
    let mut out = "\"".to_owned();
    escape_into(text, &mut out);
    out.push('"');
    out
}

fn array(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(","))
}
