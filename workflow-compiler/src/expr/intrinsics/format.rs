//! Constant templates of `States.Format`.

use crate::expr::error::ExprError;
use crate::expr::intrinsics::codes::WF0314;
use std::ops::Range;

/// Splits a constant template at its placeholders, and checks that there are `arguments` of them.
/// `raw` is the text between the quotes, which starts at the byte `start`. `call` is the byte
/// range of the whole call.
///
/// `${Name}`, an unreplaced placeholder of a deployment template, is left unchanged
/// ([A39](docs/amazon-states-language.md#a39)).
pub(super) fn pieces(
    raw: &str,
    start: usize,
    arguments: usize,
    call: Range<usize>,
) -> Result<Vec<String>, Box<ExprError>> {
    let mut pieces = vec![String::new()];
    let mut characters = raw.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let piece = pieces.last_mut();
        match c {
            // The parser has checked the escapes.
            '\\' => piece.into_iter().for_each(|piece| piece.extend(characters.next().map(|(_, c)| c))),
            '{' if raw[at..].starts_with("{}") => {
                characters.next();
                pieces.push(String::new());
            }
            '{' if raw[..at].ends_with('$') && is_name(&raw[at + 1..]) => {
                let end = at + raw[at..].find('}').unwrap_or(0);
                piece.into_iter().for_each(|piece| piece.push_str(&raw[at..=end]));
                while characters.next_if(|(at, _)| *at <= end).is_some() {}
            }
            '{' | '}' => {
                let place = start + at..start + at + 1;
                let error = ExprError::new(&WF0314, place, format!("`{c}` is not part of a placeholder `{{}}`"));
                return Err(error.help(format!("escape a literal brace: `\\\\{c}`")).into());
            }
            c => piece.into_iter().for_each(|piece| piece.push(c)),
        }
    }
    let placeholders = pieces.len() - 1;
    if placeholders == arguments {
        return Ok(pieces);
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let message = format!(
        "the template has {placeholders} placeholder{}, but there are {arguments} argument{}",
        plural(placeholders),
        plural(arguments)
    );
    Err(ExprError::new(&WF0314, call, message).help("every `{}` stands for one argument after the template").into())
}

/// Returns `true` if the text begins with the name of a placeholder and its `}`.
fn is_name(text: &str) -> bool {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    end.is_some_and(|end| end > 0 && text[end..].starts_with('}'))
}
