//! The times of jq expressions, translated, compared with jaq on its own values.

use super::divan::Table;
use super::report::BenchReport;

/// An expression, and the least factor by which it must be faster than jaq.
struct Measure {
    name: &'static str,
    limit: f64,
}

const MEASURES: &[Measure] = &[
    Measure { name: "condition", limit: 40.0 },
    Measure { name: "construction", limit: 20.0 },
    Measure { name: "selection", limit: 45.0 },
    Measure { name: "update", limit: 6.0 },
    Measure { name: "fold", limit: 33.0 },
];

/// Reports the measurements.
pub fn report(table: &Table, report: &mut BenchReport) -> Result<(), String> {
    report.section("jq expressions (fastest sample)");
    for Measure { name, limit } in MEASURES {
        for (benchmark, size) in [("filter", "1 KB"), ("filter_90_kb", "90 KB")] {
            let translated = table.nanoseconds(&format!("{benchmark}/{name}"))?;
            let jaq = table.nanoseconds(&format!("{benchmark}_by_jaq/{name}"))?;
            report.plain(&format!("{name}, {size}, translated"), translated, "ns");
            report.at_least(&format!("{name}, {size}, jaq : translated"), jaq / translated, *limit, "x");
        }
    }
    Ok(())
}
