//! Arguments of functions against their signatures.

use workflow_jsonata::{Param, Signature};

use super::convert;
use super::error::{JsonataError, Result};
use super::item::Item;
use super::path::elements;
use super::run::Evaluation;
use super::view::View;

/// The letter of a missing argument.
const MISSING: char = 'm';

/// Returns the arguments that a function is called with. The context item stands for an argument
/// that is missing and takes it. A value that is no array becomes one where an array is expected.
///
/// # Errors
/// T0410, T0411 and T0412 for arguments that do not match.
pub(super) fn validated(
    run: &mut Evaluation,
    signature: &Signature,
    args: &[Option<Item>],
    context: Option<&Item>,
    name: Option<&str>,
) -> Result<Vec<Option<Item>>> {
    let letters: Vec<char> = args.iter().map(|arg| letter(arg.as_ref())).collect();
    let Some(counts) = counts(run, &signature.params, &letters)? else {
        return Err(mismatch(run, &signature.params, &letters, name)?);
    };
    let mut valid = Vec::with_capacity(signature.params.len().max(args.len()));
    // The place of the argument, and the number of arguments that parameters have matched.
    let (mut at, mut taken) = (0, 0);
    for (param, count) in signature.params.iter().zip(counts) {
        if count == 0 {
            if !param.takes_context {
                // As in jsonata-js, an argument of the next parameter stands here, too.
                valid.push(args.get(at).cloned().flatten());
                at += 1;
                continue;
            }
            if !accepts(param, letter(context)) {
                let name = quoted_name(name);
                let message =
                    format!("Context value is not a compatible type with argument {} of function {name}", at + 1);
                return Err(JsonataError::new("T0411", message));
            }
            valid.push(run.unwrapped(context));
            continue;
        }
        let matched = &letters[taken..taken + count];
        for place in at..at + count {
            let arg = args.get(place).and_then(Option::as_ref);
            valid.push(value_for(run, param, arg, matched, place, name)?);
        }
        at += count;
        taken += count;
    }
    Ok(valid)
}

/// Returns an argument as its parameter takes it.
fn value_for(
    run: &mut Evaluation,
    param: &Param,
    arg: Option<&Item>,
    matched: &[char],
    place: usize,
    name: Option<&str>,
) -> Result<Option<Item>> {
    let Some(arg) = arg else { return Ok(None) };
    if param.types != "a" {
        return Ok(Some(arg.clone()));
    }
    let items = elements(arg);
    if let Some(wanted) = &param.items {
        let is_right = match items {
            // A value that becomes the only element.
            None => matched.iter().copied().eq(wanted.chars()),
            Some(items) => {
                run.steps(items.len() as u64)?;
                let wanted = wanted.chars().next();
                items.iter().all(|item| Some(letter_of(item)) == wanted)
            }
        };
        if !is_right {
            let name = quoted_name(name);
            let kind = plural(wanted);
            return Err(JsonataError::new(
                "T0412",
                format!("Argument {} of function {name} must be an array of {kind}", place + 1),
            ));
        }
    }
    Ok(Some(if items.is_some() { arg.clone() } else { convert::array(vec![arg.clone()]) }))
}

/// Returns how many arguments each parameter takes, or nothing if the arguments do not match.
/// Parameters take as many as possible.
fn counts(run: &mut Evaluation, params: &[Param], letters: &[char]) -> Result<Option<Vec<usize>>> {
    let width = letters.len() + 1;
    // `ends[param * width + at]`: the parameters from `param` on take exactly the arguments from
    // `at` on.
    let size = (params.len() + 1).saturating_mul(width);
    run.charge(size / 8)?;
    let mut ends = vec![false; size];
    ends[size - 1] = true;
    for (place, param) in params.iter().enumerate().rev() {
        for at in (0..width).rev() {
            let (here, next) = (place * width + at, (place + 1) * width + at);
            let takes = letters.get(at).is_some_and(|letter| accepts(param, *letter));
            // After one argument, a repeated parameter takes the next one or ends.
            let after_one = takes && (ends[next + 1] || (param.is_repeated && ends[here + 1]));
            ends[here] = after_one || (may_miss(param) && ends[next]);
        }
    }
    if !ends[0] {
        return Ok(None);
    }
    let mut at = 0;
    let mut counts = Vec::with_capacity(params.len());
    for (place, param) in params.iter().enumerate() {
        let mut count = 0;
        let is_end = |at: usize| ends[(place + 1) * width + at];
        let mut longest = may_miss(param).then_some(0).filter(|_| is_end(at));
        while letters.get(at + count).is_some_and(|letter| accepts(param, *letter)) {
            count += 1;
            if is_end(at + count) {
                longest = Some(count);
            }
            if !param.is_repeated {
                break;
            }
        }
        let count = longest.unwrap_or(0);
        counts.push(count);
        at += count;
    }
    Ok(Some(counts))
}

/// Returns the error for arguments that do not match: it names the first one that does not.
#[cold]
fn mismatch(run: &mut Evaluation, params: &[Param], letters: &[char], name: Option<&str>) -> Result<JsonataError> {
    let mut good = 0;
    for end in 1..=params.len() {
        match longest(run, &params[..end], letters)? {
            Some(length) => good = length,
            None => break,
        }
    }
    let name = quoted_name(name);
    Ok(JsonataError::new(
        "T0410",
        format!("Argument {} of function {name} does not match function signature", good + 1),
    ))
}

/// Returns how many arguments from the first on the parameters take, if they can.
fn longest(run: &mut Evaluation, params: &[Param], letters: &[char]) -> Result<Option<usize>> {
    for length in (0..=letters.len()).rev() {
        if counts(run, params, &letters[..length])?.is_some() {
            return Ok(Some(length));
        }
    }
    Ok(None)
}

/// Returns `true` if the parameter may have no argument.
fn may_miss(param: &Param) -> bool {
    param.is_optional || param.takes_context
}

/// Returns `true` if the parameter takes an argument of this letter.
fn accepts(param: &Param, letter: char) -> bool {
    match &*param.types {
        "f" => letter == 'f',
        "a" | "x" => true,
        "j" => letter != 'f',
        types => letter == MISSING || types.contains(letter),
    }
}

fn letter(item: Option<&Item>) -> char {
    item.map_or(MISSING, |item| letter_of(View::from(item)))
}

/// Returns the letter of the type of a value.
fn letter_of(view: View<'_>) -> char {
    match view {
        View::Null => 'l',
        View::Bool(_) => 'b',
        View::Int(_) | View::Float(_) => 'n',
        View::String(_) => 's',
        View::Array(_) => 'a',
        View::Object(_) => 'o',
        View::Function(_) => 'f',
    }
}

/// Returns the name of the elements of an array.
fn plural(letters: &str) -> &'static str {
    match letters {
        "a" => "\"arrays\"",
        "b" => "\"booleans\"",
        "f" => "\"functions\"",
        "n" => "\"numbers\"",
        "o" => "\"objects\"",
        "s" => "\"strings\"",
        _ => "undefined",
    }
}

fn quoted_name(name: Option<&str>) -> String {
    name.map_or_else(|| "undefined".to_owned(), |name| format!("\"{name}\""))
}
