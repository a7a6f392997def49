//! Lowering of strings with interpolations.

use super::scope::JqEnv;
use super::{Lowering, Res, Then, callees};
use crate::expr::Literal;
use crate::expr::core::{Atom, CoreArgument};
use crate::expr::jq::ast::StringPiece;

/// A part of a text.
#[derive(Debug, Clone)]
pub(super) enum TextPart {
    /// A constant.
    Text(String),
    /// A value, whose text is a part.
    Value(Atom),
}

impl TextPart {
    /// Returns the part for an interpolated value. A format applies to constants, too.
    fn interpolated(value: Atom, format: Option<&str>) -> TextPart {
        match (value, format) {
            (Atom::Literal(Literal::String(text)), None) => TextPart::Text(text),
            (value, _) => TextPart::Value(value),
        }
    }
}

impl<'p> Lowering<'p> {
    /// Lowers texts of all combinations of interpolated values. The last piece is the outermost
    /// loop. `done` are the parts so far, last to first.
    pub(super) fn each_text(
        &mut self,
        format: Option<&str>,
        pieces: &'p [StringPiece],
        mut done: Vec<TextPart>,
        env: JqEnv<'_, 'p>,
        then: Then<'_, 'p>,
    ) -> Res<()> {
        let mut pieces = pieces;
        while let Some((last, rest)) = pieces.split_last() {
            pieces = rest;
            let term = match last {
                StringPiece::Text(text) => {
                    done.push(TextPart::Text(text.clone()));
                    continue;
                }
                StringPiece::Term(term) => term,
            };
            if self.is_one(term, env.scope) {
                done.push(TextPart::interpolated(self.one(term, env)?, format));
                continue;
            }
            return self.each(term, env, &mut |lowering, value| {
                let part = TextPart::interpolated(value, format);
                let done = done.iter().cloned().chain([part]).collect();
                lowering.nest(|lowering| lowering.each_text(format, rest, done, env, then))
            });
        }
        let text = self.text_of(format, &done);
        then(self, text)
    }

    /// Returns the text of these parts, which are listed last to first.
    fn text_of(&mut self, format: Option<&str>, parts: &[TextPart]) -> Atom {
        match parts {
            [] => return Atom::Literal(Literal::String(String::new())),
            [TextPart::Text(text)] => return Atom::Literal(Literal::String(text.clone())),
            _ => {}
        }
        let text = self.list("text", callees::TEXT);
        for part in parts.iter().rev() {
            match (part, format) {
                (TextPart::Text(constant), _) => {
                    let args = vec![CoreArgument::Changed(text), CoreArgument::Text(constant.clone())];
                    self.builder.run(callees::PUSH_STR, args);
                }
                (TextPart::Value(value), None | Some("@text")) => self.add(text, callees::PUSH_TEXT, &[value]),
                (TextPart::Value(value), Some(format)) => {
                    let value = self.call("part", callees::format(format), &[value]);
                    self.add(text, callees::PUSH_TEXT, &[&value]);
                }
            }
        }
        self.call("text", callees::VALUE_FROM, &[&Atom::Local(text)])
    }
}
