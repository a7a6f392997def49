//! Readers of timespans and of integers.

use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes, codes::state_machines as own};
use crate::dialects::object::Object;
use crate::dialects::object::numbers::{NumberRange, number};
use crate::dialects::timespan::{self, Timespan};
use crate::source::Spanned;
use crate::syntax::{Node, Tree, shown};

impl Object<'_> {
    /// Returns the member `name` as a timespan.
    pub fn timespan(&self, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
        timespan(self.get(name)?, name, diagnostics)
    }

    /// Returns the member `name` as an integer of at least `least`.
    pub fn whole_from(&self, name: &str, least: u32, diagnostics: &mut Diagnostics) -> Option<Spanned<u32>> {
        let number = number(self.get(name)?, name, NumberRange::Whole(least..=u32::MAX), diagnostics)?;
        Some(Spanned::new(number.value as u32, number.span))
    }
}

/// Returns the timespan that `node` is, or reports an error for the member `name`. Warns if the
/// timespan is a bare number, which counts days ([S19](docs/sm4c.md#s19)).
pub fn timespan(node: &Node, name: &str, diagnostics: &mut Diagnostics) -> Option<Timespan> {
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be a timespan, found {}", node.kind());
        let help = match node.tree {
            Tree::Int(count @ 0..60) => format!("write {count} seconds as `\"00:00:{count:02}\"` or `\"PT{count}S\"`"),
            _ => "write ten seconds as `\"00:00:10\"` or `\"PT10S\"`".to_owned(),
        };
        diagnostics.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
        return None;
    };
    match timespan::read(&text.value) {
        Ok(read) => {
            if let Some(days) = read.bare_days.filter(|days| *days > 0) {
                let written = text.value.trim();
                let message = match days {
                    1 => format!("`{written}` is read as one day, because it has no unit"),
                    _ => format!("`{written}` is read as {days} days, because it has no unit"),
                };
                let seconds = if days < 60 { format!("`00:00:{days:02}`") } else { format!("`PT{days}S`") };
                diagnostics.push(
                    Diagnostic::new(&own::WF0852, text.span, message)
                        .help(format!("write `P{days}D` for days, {seconds} for seconds")),
                );
            }
            Some(Timespan::new(read.duration, text.span))
        }
        Err(error) => {
            let message = format!("`{}` {}", shown(&text.value), error.message);
            diagnostics.push(Diagnostic::new(&own::WF0808, text.span, message).help(error.help));
            None
        }
    }
}
