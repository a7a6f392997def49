//! The evaluation of one expression: what functions need of it.

use super::error::Result;
use super::item::Item;
use super::regex::{JsonataRegex, NextMatch};
use crate::value::Value;
use std::rc::Rc;

/// The evaluation of one expression.
pub(crate) struct Run {
    /// The instant of the evaluation, in milliseconds since 1970: `$now` and `$millis`.
    pub now: i64,
}

/// A function as a value.
pub(crate) enum Function {
    /// A function of the language.
    Native(&'static Native),
    /// A regular expression.
    Regex(Rc<JsonataRegex>),
    /// The function `next` of a match.
    NextMatch(NextMatch),
}

/// A function of the language.
pub(crate) struct Native {
    /// The name, without `$`.
    pub name: &'static str,
    /// The signature, or an empty text for a function that checks its arguments itself.
    pub signature: &'static str,
    /// The largest number of arguments that a function such as `$map` calls it with.
    pub arity: usize,
    /// The code. The arguments have passed the signature: a missing one is `None`.
    pub code: fn(&mut Run, &[Option<Item>]) -> Result<Option<Item>>,
}

impl Run {
    /// Calls a function.
    pub fn apply(&mut self, function: &Function, args: &[Option<Item>]) -> Result<Option<Item>> {
        match function {
            Function::Native(native) => (native.code)(self, args),
            Function::Regex(regex) => match args.first() {
                Some(Some(Item::Value(Value::String(text)))) => {
                    NextMatch::first(Rc::clone(regex), text.clone()).call(self)
                }
                _ => Ok(None),
            },
            Function::NextMatch(next) => next.call(self),
        }
    }

    /// Counts elements that a function visits or makes. Fails if the limit of the evaluation is
    /// exceeded. A function counts before it allocates.
    pub fn charge(&mut self, _elements: usize) -> Result<()> {
        Ok(())
    }

    /// Counts the bytes of a text that a function is about to make.
    pub fn charge_bytes(&mut self, _bytes: usize) -> Result<()> {
        Ok(())
    }

    /// Returns the next random number, at least 0 and less than 1.
    pub fn random(&mut self) -> f64 {
        0.5
    }

    /// Returns a new UUID of version 4 in lower case.
    pub fn uuid(&mut self) -> String {
        String::new()
    }
}
