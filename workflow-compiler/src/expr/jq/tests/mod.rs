//! Tests of what is read, and of what is made of it. What it yields is compared with jq's own results in `differential/jq`.

#[cfg(feature = "asl")]
mod applied;
mod emitted;
mod findings;
mod limits;
mod scoping;
mod types;

use super::{Filter, Mode, read};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{Source, Sources, Span};
use crate::syntax::Text;

/// Reads a program that stands in a file of its own, with the variable `$value`.
fn try_read(source: &str, mode: Mode) -> (Option<Filter>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("filter.jq", source));
    let text = Text::verbatim(source, Span::new(file, 0, source.len()), 0);
    let mut diagnostics = Diagnostics::default();
    let filter = read(&text, &["value"], mode, true, &mut diagnostics);
    (filter, diagnostics.finish())
}

/// As [`try_read`], of a program without flaws.
fn filter(source: &str, mode: Mode) -> Filter {
    let (filter, diagnostics) = try_read(source, mode);
    assert!(diagnostics.is_empty(), "{source}: {diagnostics:?}");
    filter.expect("a filter")
}
