//! Templates of `States.Format` that are known when compiled.

use crate::diagnostics::codes::expressions::E0314;
use crate::expr::flaw::Flaw;
use std::ops::Range;

/// The text around the placeholders of a template as written between its quotes, which start at the byte `start`; there
/// must be `arguments` placeholders in it. `call` is the place of the whole call.
///
/// `${Name}`, a placeholder of SAM and CloudFormation that nothing has replaced, is left as it is.
pub(super) fn pieces(raw: &str, start: usize, arguments: usize, call: Range<usize>) -> Result<Vec<String>, Box<Flaw>> {
    let mut pieces = vec![String::new()];
    let mut characters = raw.char_indices().peekable();
    while let Some((at, c)) = characters.next() {
        let piece = pieces.last_mut();
        match c {
            // The escapes have been checked.
            '\\' => piece.into_iter().for_each(|piece| piece.extend(characters.next().map(|(_, c)| c))),
            '{' if raw[at..].starts_with("{}") => {
                characters.next();
                pieces.push(String::new());
            }
            '{' if raw[..at].ends_with('$') && raw[at..].contains('}') => {
                let end = at + raw[at..].find('}').unwrap_or(0);
                piece.into_iter().for_each(|piece| piece.push_str(&raw[at..=end]));
                while characters.next_if(|(at, _)| *at <= end).is_some() {}
            }
            '{' | '}' => {
                let place = start + at..start + at + 1;
                let flaw = Flaw::new(&E0314, place, format!("this `{c}` is not a part of a placeholder `{{}}`"));
                return Err(flaw.help(format!("escape a brace that is meant as itself: `\\\\{c}`")).into());
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
        "the template has {placeholders} placeholder{} `{{}}` for {arguments} argument{}",
        plural(placeholders),
        plural(arguments)
    );
    Err(Flaw::new(&E0314, call, message).help("every `{}` stands for one argument after the template").into())
}
