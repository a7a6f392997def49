//! Parser of timespans.

use super::super::Sm4cParseCx;
use super::super::ast::Timespan;
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::dialects::object::Object;
use crate::dialects::sm4c::codes as own;
use crate::dialects::timespan::read;
use crate::syntax::{Node, Tree, shown};

/// Returns the member `name` as a timespan.
pub fn maybe_timespan(members: &Object<'_>, name: &str, cx: &mut Sm4cParseCx) -> Option<Timespan> {
    timespan(members.get(name)?, name, cx)
}

/// Returns the timespan that `node` is, or reports an error for the member `name`. Warns if the
/// timespan is a bare number, which counts days ([S19](docs/sm4c.md#s19)).
pub fn timespan(node: &Node, name: &str, cx: &mut Sm4cParseCx) -> Option<Timespan> {
    let Some(text) = node.as_text() else {
        let message = format!("`{name}` must be a timespan, found {}", node.kind());
        let help = match node.tree {
            Tree::Int(count @ 0..60) => format!("write {count} seconds as `\"00:00:{count:02}\"` or `\"PT{count}S\"`"),
            _ => "write ten seconds as `\"00:00:10\"` or `\"PT10S\"`".to_owned(),
        };
        cx.push(Diagnostic::new(&codes::WF0403, node.span, message).help(help));
        return None;
    };
    match read(&text.value) {
        Ok(found) => {
            if let Some(days) = found.bare_days.filter(|days| *days > 0) {
                let written = text.value.trim();
                let message = match days {
                    1 => format!("`{written}` is read as one day, because it has no unit"),
                    _ => format!("`{written}` is read as {days} days, because it has no unit"),
                };
                let seconds = if days < 60 { format!("`00:00:{days:02}`") } else { format!("`PT{days}S`") };
                cx.push(
                    Diagnostic::new(&own::WF0852, text.span, message)
                        .help(format!("write `P{days}D` for days, {seconds} for seconds")),
                );
            }
            Some(Timespan::new(found.duration, text.span))
        }
        Err(error) => {
            let message = format!("`{}` {}", shown(&text.value), error.message);
            cx.push(Diagnostic::new(&codes::WF0421, text.span, message).help(error.help));
            None
        }
    }
}
