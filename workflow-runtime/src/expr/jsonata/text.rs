//! The text of values: `$string`, and the operands of `&`.

use super::decimal::number_text;
use super::error::{JsonataError, Result};
use super::item::Item;
use super::run::Evaluation;
use super::truth::out_of_range;
use super::view::{ElementsView, MembersView, View};
use crate::value::Str;

/// Returns the text of a value: a string itself, nothing for a function, else JSON. `pretty`
/// writes several lines.
///
/// # Errors
/// Fails with D3001 for NaN and the infinities, with D1001 for an infinity inside of an array or
/// object, and if a limit is exceeded.
pub(crate) fn string(run: &mut Evaluation, item: &Item, pretty: bool) -> Result<Str> {
    match View::from(item) {
        View::String(text) => Ok(text.clone()),
        View::Function(_) => Ok(Str::default()),
        View::Float(value) if !value.is_finite() => {
            Err(JsonataError::new("D3001", "Attempting to invoke string function on Infinity or NaN"))
        }
        view => json(run, view, pretty).map(Str::from),
    }
}

/// An array or object that is being written, with the number of parts that are done.
enum Open<'a> {
    Array(ElementsView<'a>, usize),
    Object(MembersView<'a>, usize),
}

impl<'a> Open<'a> {
    /// Returns `true` for the first part, and the next part with its name.
    fn advance(&mut self) -> (bool, Option<(Option<&'a Str>, View<'a>)>) {
        let (next, at) = match self {
            Open::Array(elements, at) => (elements.get(*at).map(|element| (None, element)), at),
            Open::Object(members, at) => (members.at(*at).map(|(name, value)| (Some(name), value)), at),
        };
        *at += 1;
        (*at == 1, next)
    }
}

/// Returns the JSON text of a value. NaN becomes null, and a function the empty string.
///
/// # Errors
/// Fails with D1001 for an infinity, and if a limit is exceeded.
pub(crate) fn json(run: &mut Evaluation, view: View<'_>, pretty: bool) -> Result<String> {
    let mut writer = Writer { run, out: String::new(), pretty };
    let mut open: Vec<Open<'_>> = Vec::new();
    writer.head(view, &mut open)?;
    while let Some(innermost) = open.last_mut() {
        let (is_first, next) = innermost.advance();
        let Some((name, view)) = next else {
            let end = if matches!(innermost, Open::Array(..)) { "]" } else { "}" };
            open.pop();
            if !is_first {
                writer.new_line(open.len())?;
            }
            writer.push(end)?;
            continue;
        };
        if !is_first {
            writer.push(",")?;
        }
        writer.new_line(open.len())?;
        if let Some(name) = name {
            writer.quoted(name)?;
            writer.push(if pretty { ": " } else { ":" })?;
        }
        writer.head(view, &mut open)?;
    }
    Ok(writer.out)
}

struct Writer<'r, 'a> {
    run: &'r mut Evaluation<'a>,
    out: String,
    pretty: bool,
}

impl Writer<'_, '_> {
    /// Counts bytes that are about to be written.
    fn charge(&mut self, bytes: usize) -> Result<()> {
        self.run.fits_bytes(self.out.len() + bytes)?;
        self.run.charge_bytes(bytes)
    }

    fn push(&mut self, text: &str) -> Result<()> {
        self.charge(text.len())?;
        self.out.push_str(text);
        Ok(())
    }

    /// Starts a line, if the text has several lines.
    fn new_line(&mut self, depth: usize) -> Result<()> {
        if self.pretty {
            self.charge(1 + 2 * depth)?;
            self.out.push('\n');
            self.out.extend(std::iter::repeat_n("  ", depth));
        }
        Ok(())
    }

    /// Writes a string with its quotes and escapes.
    fn quoted(&mut self, text: &str) -> Result<()> {
        self.charge(text.len() + 2)?;
        let quoted = serde_json::to_string(text).unwrap_or_default();
        self.charge(quoted.len() - text.len())?;
        self.out.push_str(&quoted);
        Ok(())
    }

    /// Writes a value. Of an array or object, writes the opening bracket only.
    fn head<'a>(&mut self, view: View<'a>, open: &mut Vec<Open<'a>>) -> Result<()> {
        match view {
            View::Null => self.push("null"),
            View::Bool(true) => self.push("true"),
            View::Bool(false) => self.push("false"),
            View::Int(value) => self.push(&value.to_string()),
            View::Float(value) if value.is_nan() => self.push("null"),
            View::Float(value) if value.is_infinite() => Err(out_of_range()),
            View::Float(value) => self.push(&number_text(value)),
            View::String(text) => self.quoted(text),
            View::Function(_) => self.push("\"\""),
            View::Array(elements) => {
                self.run.steps(elements.len() as u64)?;
                open.push(Open::Array(elements, 0));
                self.push("[")
            }
            View::Object(members) => {
                self.run.steps(members.len() as u64)?;
                open.push(Open::Object(members, 0));
                self.push("{")
            }
        }
    }
}
