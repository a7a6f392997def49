//! Tests of parsing and emission. `differential/jq` compares results with those of jq.

#[cfg(feature = "asl")]
mod applied;
mod diagnostics;
mod emitted;
mod interpreted;
mod limits;
mod lowered;
mod scoping;
mod shared;
mod types;
mod verified;

use super::{Filter, ResultMode, read};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::source::{Source, Sources, Span};
use crate::syntax::Text;

/// Compiles a program that is the whole of its file, with the variable `$value`.
fn try_read(source: &str, mode: ResultMode) -> (Option<Filter>, Vec<Diagnostic>) {
    let mut sources = Sources::default();
    let file = sources.add(Source::new("filter.jq", source));
    let text = Text::verbatim(source, Span::new(file, 0, source.len()), 0);
    let mut diagnostics = Diagnostics::default();
    let filter = read(&text, &["value"], mode, true, &mut diagnostics);
    (filter, diagnostics.finish())
}

/// Compiles a program that must have no errors.
fn filter(source: &str, mode: ResultMode) -> Filter {
    let (filter, diagnostics) = try_read(source, mode);
    assert!(diagnostics.is_empty(), "{source}: {diagnostics:?}");
    filter.expect("a filter")
}
