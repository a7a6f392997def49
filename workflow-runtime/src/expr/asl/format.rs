//! The intrinsic function `States.Format` (Amazon States Language, Appendix B).

use super::intrinsic::{failed, refused, string};
use crate::budget;
use crate::fault::Fault;
use crate::value::text::push_text;
use crate::value::{Str, Value};

/// Implements `States.Format` with a template of the definition. `pieces` are the texts around its
/// placeholders.
pub fn format(pieces: &[&'static str], values: &[&Value]) -> Value {
    let mut text = String::new();
    for (number, piece) in pieces.iter().enumerate() {
        text.push_str(piece);
        if let Some(value) = values.get(number) {
            write(&mut text, value);
        }
    }
    text.into()
}

/// Implements `States.Format` with a template from the data.
pub fn format_template(template: &Value, values: &[&Value], call: &'static str) -> Result<Value, Fault> {
    let template = string(template, call)?;
    let mut text = String::new();
    let mut rest = values.iter();
    budget::spend_text(template);
    let mut characters = template.chars();
    while let Some(c) = characters.next() {
        match c {
            '\\' => match characters.next() {
                Some(escaped @ ('\'' | '{' | '}' | '\\')) => text.push(escaped),
                _ => return Err(refused(call)),
            },
            '{' if characters.as_str().starts_with('}') => {
                characters.next();
                write(&mut text, rest.next().ok_or_else(|| refused(call))?);
            }
            '{' => return Err(unmatched('{', '}', call)),
            '}' => return Err(unmatched('}', '{', call)),
            c => text.push(c),
        }
    }
    if rest.next().is_some() {
        return Err(refused(call));
    }
    Ok(text.into())
}

/// Returns the fault of a template with a brace that is not part of a placeholder.
fn unmatched(brace: char, other: char, call: &'static str) -> Fault {
    failed(call, format_args!("Invalid template in States.Format: matching '{other}' not found for '{brace}'."))
}

/// A part that remains to be written.
enum Part<'a> {
    Value(&'a Value),
    Key(&'a Str),
    Text(&'static str),
}

/// Appends a string unchanged, and any other value as Java's `toString` writes it: `{Arg1=1,
/// Arg2=[]}` (recorded on AWS).
fn write(text: &mut String, value: &Value) {
    let mut waiting = vec![Part::Value(value)];
    while let Some(part) = waiting.pop() {
        let goes_on = match part {
            Part::Text(piece) => push_text(text, piece),
            Part::Key(key) => push_text(text, key) && push_text(text, "="),
            Part::Value(Value::String(string)) => push_text(text, string),
            Part::Value(Value::Array(items)) => {
                text.push('[');
                waiting.push(Part::Text("]"));
                for (number, item) in items.iter().enumerate().rev() {
                    waiting.push(Part::Value(item));
                    waiting.extend((number > 0).then_some(Part::Text(", ")));
                }
                budget::spend(items.len() + 1)
            }
            Part::Value(Value::Object(members)) => {
                text.push('{');
                waiting.push(Part::Text("}"));
                for (number, (key, member)) in members.iter().enumerate().rev() {
                    waiting.push(Part::Value(member));
                    waiting.push(Part::Key(key));
                    waiting.extend((number > 0).then_some(Part::Text(", ")));
                }
                budget::spend(members.len() + 1)
            }
            Part::Value(scalar) => push_text(text, &scalar.to_string()),
        };
        if !goes_on {
            return;
        }
    }
}
