//! The formats of reports.

use std::fmt::Write as _;

use workflow_runtime::machine::Outcome;
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Value, value};

use super::{Case, Ended, Suite};
use crate::duration;
use crate::visible::visible;

/// The most bytes of a document in a report: 1 MiB.
const SHOWN: u64 = 1 << 20;

impl Suite {
    /// Returns the report as text.
    pub fn text(&self) -> String {
        let mut report = String::new();
        for (Case { name, line, .. }, ended) in self.ended() {
            let took = duration::show(ended.virtual_time);
            match ended.failures.is_empty() {
                true => report.push_str(&format!("ok      {} ({took})\n", visible(name))),
                false => report.push_str(&format!("FAILED  {} ({}:{line})\n", visible(name), visible(&self.file))),
            }
            for line in ended.failures.iter().chain(&ended.notes).flat_map(|message| indented(message)) {
                report.push_str(&line);
            }
        }
        let (failed, skipped) = (self.number_failed(), self.number_skipped());
        let passed = self.results.len() - failed - skipped;
        let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
        report.push_str(&format!("\n{passed} passed, {failed} failed{skipped}\n"));
        let (visited, missed) = self.coverage.states();
        report.push_str(&format!("states visited: {visited} of {}{}\n", visited + missed.len(), left_out(&missed)));
        let (taken, missed) = self.coverage.transitions();
        let missed: Vec<String> = missed.iter().map(|(from, to)| format!("{from} → {to}")).collect();
        report.push_str(&format!("transitions taken: {taken} of {}{}\n", taken + missed.len(), left_out(&missed)));
        if let Some(mistake) = self.uncovered() {
            report.push_str(&format!("FAILED  coverage\n{}", indented(&mistake).collect::<String>()));
        }
        report
    }

    /// Returns the report as JSON, one object per line: each run, then a summary.
    pub fn json(&self) -> String {
        let texts = |texts: &[String]| Value::from_iter(texts.iter().map(|text| Value::from(&**text)));
        let run = |case: &Case| match &case.result {
            None => value!({ "run": (&*case.name), "line": (case.line), "status": "skipped" }),
            Some(ended) => value!({
                "run": (&*case.name),
                "line": (case.line),
                "status": (if ended.failures.is_empty() { "passed" } else { "failed" }),
                "outcome": (outcome(&ended.outcome)),
                "visited": (Value::from_iter(ended.visited.iter().copied())),
                "virtual_seconds": (ended.virtual_time.as_secs_f64()),
                "failures": (texts(&ended.failures)),
                "notes": (texts(&ended.notes)),
            }),
        };
        let (visited, missed) = self.coverage.states();
        let states = visited + missed.len();
        let missed_states = Value::from_iter(missed.into_iter().map(Value::from));
        let (taken, missed) = self.coverage.transitions();
        let transitions = taken + missed.len();
        let missed_transitions =
            Value::from_iter(missed.into_iter().map(|(from, to)| value!({ "from": (from), "to": (to) })));
        let (failed, skipped) = (self.number_failed(), self.number_skipped());
        let summary = value!({
            "workflow": (self.definition.name),
            "file": (&*self.file),
            "status": (if self.failed() { "failed" } else { "passed" }),
            "passed": (self.results.len() - failed - skipped),
            "failed": (failed),
            "skipped": (skipped),
            "states": { "visited": (visited), "total": (states), "missed": (missed_states) },
            "transitions": { "taken": (taken), "total": (transitions), "missed": (missed_transitions) },
            "min_coverage": (self.required.as_ref().map_or(Value::Null, |required| u32::from(required.percent).into())),
            "coverage_failure": (self.uncovered().map_or(Value::Null, Value::from)),
        });
        let lines = self.results.iter().map(run).chain([summary]);
        lines.filter_map(|line| line.to_json(TEXT_LIMIT).ok()).map(|line| line + "\n").collect()
    }

    /// Returns the report as JUnit XML. The required coverage is a test case of its own.
    pub fn junit(&self) -> String {
        let uncovered = self.uncovered();
        let extra = usize::from(self.required.is_some());
        let failed = self.number_failed() + usize::from(uncovered.is_some());
        let counts = format!("tests=\"{}\" failures=\"{failed}\" errors=\"0\"", self.results.len() + extra);
        let time: f64 = self.ended().map(|(_, ended)| ended.real_time.as_secs_f64()).sum();
        let (visited, missed) = self.coverage.states();
        let (taken, untaken) = self.coverage.transitions();
        let name = Xml(self.definition.name);
        let mut xml = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuites {counts} time=\"{time:.3}\">\n\
             \x20 <testsuite name=\"{name}\" {counts} skipped=\"{}\" time=\"{time:.3}\">\n\
             \x20   <properties>\n\
             \x20     <property name=\"states.visited\" value=\"{visited} of {}\"/>\n\
             \x20     <property name=\"transitions.taken\" value=\"{taken} of {}\"/>\n\
             \x20   </properties>\n",
            self.number_skipped(),
            visited + missed.len(),
            taken + untaken.len(),
        );
        for case in &self.results {
            let time = case.result.as_ref().map_or(0.0, |ended| ended.real_time.as_secs_f64());
            let start = format!("    <testcase name=\"{}\" classname=\"{name}\" time=\"{time:.3}\"", Xml(&case.name));
            let place = format!("{}:{}", self.file, case.line);
            match &case.result {
                None => push_case(&mut xml, &start, "      <skipped/>\n"),
                Some(Ended { failures, .. }) if failures.is_empty() => push_case(&mut xml, &start, ""),
                Some(Ended { failures, notes, .. }) => {
                    let texts: Vec<&str> = failures.iter().chain(notes).map(String::as_str).collect();
                    push_case(&mut xml, &start, &failure(&place, &texts));
                }
            }
        }
        if self.required.is_some() {
            let body = uncovered.map(|mistake| failure(&self.file, &[&mistake])).unwrap_or_default();
            push_case(&mut xml, &format!("    <testcase name=\"coverage\" classname=\"{name}\" time=\"0.000\""), &body);
        }
        xml + "  </testsuite>\n</testsuites>\n"
    }
}

/// Returns the outcome of an execution as `{"output": …}` or `{"error": …, "cause": …}`. Documents
/// above the limit are left out.
fn outcome(outcome: &Outcome) -> Value {
    let within = |value: &Value| if value.json_len(SHOWN).is_ok() { value.clone() } else { Value::Null };
    match outcome {
        Ok(output) => value!({ "output": (within(output)) }),
        Err(fault) => value!({
            "error": (fault.error().map_or(Value::Null, Value::from)),
            "cause": (fault.cause().map_or(Value::Null, within)),
        }),
    }
}

fn push_case(xml: &mut String, start: &str, body: &str) {
    xml.push_str(start);
    match body.is_empty() {
        true => xml.push_str("/>\n"),
        false => xml.push_str(&format!(">\n{body}    </testcase>\n")),
    }
}

/// Returns the element of a failure, with the first line as its message.
fn failure(place: &str, texts: &[&str]) -> String {
    let first = texts.first().and_then(|text| text.lines().next()).unwrap_or_default();
    let all = format!("{place}\n{}", texts.join("\n"));
    format!("      <failure type=\"failed\" message=\"{}\">{}</failure>\n", Xml(first), Xml(&all))
}

/// A string as text or as the value of an attribute in XML. Characters that XML 1.0 does not allow
/// become U+FFFD.
struct Xml<'a>(&'a str);

impl std::fmt::Display for Xml<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' | '\t' | '\r' => write!(f, "&#{};", u32::from(c))?,
                '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Returns the lines of a message, indented.
fn indented(message: &str) -> impl Iterator<Item = String> {
    message.lines().map(|line| format!("  {}\n", visible(line)))
}

fn left_out(names: &[impl AsRef<str>]) -> String {
    if names.is_empty() {
        return String::new();
    }
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    format!("; not {}", visible(&names.join(", ")))
}
