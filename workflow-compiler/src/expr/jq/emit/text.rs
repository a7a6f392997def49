//! Emission of strings with interpolations.

use super::code::JqCode;
use super::scope::JqScope;
use super::{Emitter, Input, Res, Then};
use crate::expr::Literal;
use crate::expr::jq::ast::StringPiece;
use proc_macro2::TokenStream;
use quote::quote;

impl<'p> Emitter<'p> {
    /// Emits `@name` as a function.
    pub(super) fn format(&mut self, format: &str, value: JqCode) -> Res<JqCode> {
        let value = value.as_ref();
        let function = super::code::ident(format.trim_start_matches('@'));
        Ok(match format {
            "@text" => self.checked(quote!(jq::tostring(#value))),
            "@json" => self.checked(quote!(jq::tojson(#value))),
            _ => self.checked(quote!(jq::#function(#value))),
        })
    }

    pub(super) fn text(
        &mut self,
        format: Option<&str>,
        pieces: &'p [StringPiece],
        scope: &JqScope<'p>,
        input: &Input,
        before: &mut TokenStream,
    ) -> Res<JqCode> {
        let mut parts = Vec::new();
        // jq evaluates the last interpolation first.
        for piece in pieces.iter().rev() {
            let mut own = TokenStream::new();
            let code = match piece {
                StringPiece::Text(text) => JqCode::literal(Literal::String(text.clone())),
                StringPiece::Term(term) => apply_format(self.one(term, scope, &input.shared(), &mut own)?, format),
            };
            parts.push((code, own, "part"));
        }
        let mut parts = self.in_order(parts, before);
        parts.reverse();
        self.text_of(format, parts, before)
    }

    pub(super) fn each_text(
        &mut self,
        format: Option<&str>,
        pieces: &'p [StringPiece],
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        self.each_piece(format, pieces, Vec::new(), scope, input, then)
    }

    /// Emits loops over the values of pieces. The last piece is the outermost loop.
    fn each_piece(
        &mut self,
        format: Option<&str>,
        pieces: &'p [StringPiece],
        done: Vec<JqCode>,
        scope: &JqScope<'p>,
        input: &Input,
        then: Then<'_, 'p>,
    ) -> Res<TokenStream> {
        let Some((last, rest)) = pieces.split_last() else {
            let mut before = TokenStream::new();
            let text = self.text_of(format, done, &mut before)?;
            before.extend(then(self, text)?);
            return Ok(before);
        };
        let mut go_on = |emitter: &mut Self, code: JqCode| {
            let mut done = done.clone();
            done.insert(0, code);
            emitter.nest(|emitter| emitter.each_piece(format, rest, done, scope, input, then))
        };
        match last {
            StringPiece::Text(text) => go_on(self, JqCode::literal(Literal::String(text.clone()))),
            StringPiece::Term(term) => {
                self.each_bind(term, scope, input, &mut |emitter, code| go_on(emitter, apply_format(code, format)))
            }
        }
    }

    /// Emits the text of these parts.
    fn text_of(&mut self, format: Option<&str>, parts: Vec<JqCode>, before: &mut TokenStream) -> Res<JqCode> {
        match &parts[..] {
            [] => return Ok(JqCode::literal(Literal::String(String::new()))),
            [only] if matches!(only.literal, Some(Literal::String(_))) => return Ok(only.clone()),
            _ => {}
        }
        let text = self.fresh("text");
        let mut written = quote!(let mut #text = ::std::string::String::new(););
        for part in parts {
            if let Some(Literal::String(part)) = &part.literal {
                written.extend(quote!(#text.push_str(#part);));
                continue;
            }
            let value = match format {
                None | Some("@text") => part.as_ref(),
                Some(format) => self.format(format, part)?.as_ref(),
            };
            let pushed = self.check(&quote!(jq::push(&mut #text, #value)));
            written.extend(quote!(#pushed;));
        }
        before.extend(written);
        Ok(JqCode::owned(quote!(Value::from(#text))))
    }
}

/// Applies the format to an interpolated value, also to a constant.
fn apply_format(code: JqCode, format: Option<&str>) -> JqCode {
    match format {
        None => code,
        Some(_) => JqCode { literal: None, ..code },
    }
}
