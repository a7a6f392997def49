//! The rule that functions take the turn if and only if they use it.

use super::Token;
use std::collections::BTreeMap;

/// A function that returns a `TurnResult`.
struct Function<'t> {
    name: &'t str,
    takes_turn: bool,
    body: &'t [Token],
}

/// Checks the functions that return a `TurnResult`: each has the parameter `turn` if and only if
/// its body mentions it, and each call of such a function passes `turn` if and only if the
/// function has the parameter.
pub(super) fn check_turns(tokens: &[Token]) -> Result<(), String> {
    let functions: Vec<Function<'_>> = (0..tokens.len()).filter_map(|at| function(&tokens[at..])).collect();
    let takes_turn: BTreeMap<&str, bool> =
        functions.iter().map(|function| (function.name, function.takes_turn)).collect();
    for Function { name, takes_turn: takes, body } in &functions {
        if *takes != mentions_turn(body) {
            return Err(match takes {
                true => format!("`{name}` takes the turn without a use"),
                false => format!("`{name}` uses the turn without the parameter"),
            });
        }
        for at in 0..body.len() {
            let Some((callee, arguments)) = call(body, at) else { continue };
            let passes = matches!(arguments.last(), Some(Token::Name(last)) if last == "turn");
            if takes_turn.get(callee).is_some_and(|takes| *takes != passes) {
                return Err(format!("`{name}` calls `{callee}` {} the turn", if passes { "with" } else { "without" }));
            }
        }
    }
    Ok(())
}

/// Reads a function that returns a `TurnResult` at the start of tokens.
fn function(tokens: &[Token]) -> Option<Function<'_>> {
    let [Token::Name(keyword), Token::Name(name), rest @ ..] = tokens else { return None };
    let (params, rest) = group(rest, '(', ')').filter(|_| keyword == "fn")?;
    let [Token::Sign('-'), Token::Sign('>'), Token::Name(returned), rest @ ..] = rest else { return None };
    let (body, _) = group(rest, '{', '}').filter(|_| returned == "TurnResult")?;
    Some(Function { name, takes_turn: mentions_turn(params), body })
}

/// Reads the call of a function of the module: its name and its arguments.
fn call(tokens: &[Token], at: usize) -> Option<(&str, &[Token])> {
    let Token::Name(name) = &tokens[at] else { return None };
    let (arguments, _) = group(&tokens[at + 1..], '(', ')').filter(|_| !is_member(tokens, at))?;
    Some((name, arguments))
}

/// Returns what is inside the brackets at the start of tokens, and what follows them.
fn group(tokens: &[Token], open: char, close: char) -> Option<(&[Token], &[Token])> {
    let mut depth = 0;
    if tokens.first() != Some(&Token::Sign(open)) {
        return None;
    }
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign(sign) if *sign == open => depth += 1,
            Token::Sign(sign) if *sign == close => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((&tokens[1..at], &tokens[at + 1..]));
        }
    }
    None
}

fn mentions_turn(tokens: &[Token]) -> bool {
    let is_turn = |at: usize| matches!(&tokens[at], Token::Name(name) if name == "turn");
    (0..tokens.len()).any(|at| is_turn(at) && !is_member(tokens, at))
}

/// Returns `true` for a name after a dot or in a path.
fn is_member(tokens: &[Token], at: usize) -> bool {
    let sign = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
    sign(1) == Some(&Token::Sign('.')) || sign(1) == Some(&Token::Sign(':')) && sign(2) == Some(&Token::Sign(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defect(code: &str) -> String {
        let found = check_turns(&super::super::flat(code.parse().expect("it is Rust")));
        found.err().unwrap_or_default()
    }

    #[test]
    fn a_function_takes_the_turn_that_it_uses() {
        for sound in [
            "fn a(turn: &mut Turn) -> TurnResult { rt::end(turn) }",
            "fn a() -> TurnResult { rt::turn(x.turn) }",
            "fn a(_: &mut Turn) -> TurnResult { rt::end(x) }",
            "fn a(turn: &mut Turn) -> Value { x }",
        ] {
            assert_eq!(defect(sound), "", "{sound}");
        }
        let unused = "fn a(d: Value, turn: &mut Turn) -> TurnResult { if x { Ok(d) } else { y } }";
        assert_eq!(defect(unused), "`a` takes the turn without a use");
        let missing = "fn a(d: Value) -> TurnResult { rt::end(turn, d) }";
        assert_eq!(defect(missing), "`a` uses the turn without the parameter");
    }

    #[test]
    fn a_call_passes_the_turn_that_its_function_takes() {
        let with = |call: &str| {
            defect(&format!(
                "fn a(d: Value, turn: &mut Turn) -> TurnResult {{ rt::locate(turn, 1); {call} }}
                fn b(d: Value, turn: &mut Turn) -> TurnResult {{ rt::end(turn, d) }}
                fn c(d: Value) -> TurnResult {{ Ok(d) }}"
            ))
        };
        for sound in ["b(f(d), turn)", "c(d)", "rt::c(d, turn)", "x.b(d)", "if let Ok(b) = f(d) { b }"] {
            assert_eq!(with(sound), "", "{sound}");
        }
        assert_eq!(with("match d { _ => b(d) }"), "`a` calls `b` without the turn");
        assert_eq!(with("match d { _ => c(d, turn) }"), "`a` calls `c` with the turn");
    }
}
