//! Shapes as text: `{ id: string, amount?: number, … } | null`.

use super::kind::{Kinds, Numbers, Strings};
use super::{ArrayShape, RecordShape, Shape};
use crate::escape::shown;
use std::fmt::{self, Display, Formatter};

/// One line.
impl Display for Shape {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        match self.kinds() {
            None => out.write_str("any"),
            Some(kinds) => write!(out, "{kinds}"),
        }
    }
}

impl Display for Kinds {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.object.as_ref().map(RecordShape::to_string));
        parts.extend(self.array.as_ref().map(ArrayShape::to_string));
        match &self.strings {
            Strings::Any => parts.push("string".to_owned()),
            Strings::Known(known) => parts.extend(known.iter().map(|text| format!("\"{}\"", shown(text)))),
        }
        match &self.numbers {
            Numbers::Any => parts.push("number".to_owned()),
            Numbers::Whole => parts.push("integer".to_owned()),
            Numbers::Known(known) => parts.extend(known.iter().map(i64::to_string)),
        }
        match (self.can_be_false, self.can_be_true) {
            (true, true) => parts.push("boolean".to_owned()),
            (true, false) => parts.push("false".to_owned()),
            (false, true) => parts.push("true".to_owned()),
            (false, false) => {}
        }
        if self.null {
            parts.push("null".to_owned());
        }
        if parts.is_empty() {
            parts.push("never".to_owned());
        }
        out.write_str(&parts.join(" | "))
    }
}

impl Display for ArrayShape {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let optional = |at: usize| if at < self.least { "" } else { "?" };
        let mut parts: Vec<String> =
            self.prefix.iter().enumerate().map(|(at, shape)| format!("{shape}{}", optional(at))).collect();
        if !self.rest.is_never() {
            parts.push(format!("{}…", self.rest));
        }
        write!(out, "[{}]", parts.join(", "))
    }
}

impl Display for RecordShape {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        for (name, field) in &self.fields {
            let optional = if field.required { "" } else { "?" };
            parts.push(format!("{}{optional}: {}", shown(name), field.shape));
        }
        if self.rest.is_any() {
            parts.push("…".to_owned());
        } else if !self.rest.is_never() {
            parts.push(format!("…: {}", self.rest));
        }
        match parts.is_empty() {
            true => out.write_str("{}"),
            false => write!(out, "{{ {} }}", parts.join(", ")),
        }
    }
}
