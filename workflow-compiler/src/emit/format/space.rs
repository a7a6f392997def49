//! Spaces between the tokens of one line.

use super::read::is_keyword;
use super::tree::{Fix, Kind, Role, Tree};

/// Returns the position of an operator after `before`.
pub fn fix(op: &str, before: &[Tree]) -> Fix {
    let operand = before.last().is_some_and(ends_operand);
    match op {
        "." => Fix::Tight,
        "::" | ".." | "..=" | "..." if operand => Fix::Tight,
        "," | ";" | ":" => Fix::Postfix,
        "?" if operand => Fix::Postfix,
        "!" if operand => Fix::Bang,
        "||" if !operand => Fix::Closure,
        "::" | ".." | "..=" | "..." | "?" | "#" | "$" | "~" | "'" => Fix::Prefix,
        "!" | "&" | "&&" | "*" | "-" if !operand => Fix::Prefix,
        _ => Fix::Infix,
    }
}

/// Returns `true` if an operand can end with `tree`.
pub fn ends_operand(tree: &Tree) -> bool {
    match &tree.kind {
        Kind::Word(word) => !is_keyword(word),
        Kind::Literal(_) => true,
        Kind::Op(op, fix) => *op == "?" && *fix == Fix::Postfix,
        // The body of a closure follows its parameters. A statement can follow a block.
        Kind::Group(group) => group.role != Role::Params && group.role.open() != "{",
        Kind::Attribute(_) => false,
    }
}

/// Returns `true` if there is a space between `before` and `next`.
pub fn is_spaced(before: &[Tree], next: &Kind) -> bool {
    let Some(last) = before.last() else { return false };
    match next {
        Kind::Op(_, Fix::Postfix | Fix::Bang | Fix::Tight) => false,
        Kind::Op(_, Fix::Infix) => true,
        Kind::Op(_, Fix::Prefix | Fix::Closure) => is_apart(last),
        Kind::Group(group) if group.role == Role::Generics => match &last.kind {
            Kind::Word(word) => is_keyword(word) && !matches!(&word[..], "impl" | "for" | "fn"),
            _ => is_apart(last),
        },
        Kind::Group(group) if matches!(group.role, Role::Parens | Role::Brackets) => match &last.kind {
            Kind::Word(word) => {
                // A word after parentheses is a keyword of Rust or of a table.
                let keyword =
                    is_keyword(word) || matches!(before, [.., group, _] if group.role() == Some(Role::Parens));
                keyword && !matches!(&word[..], "pub" | "fn") || word.starts_with('\'')
            }
            Kind::Op(_, Fix::Bang) => false,
            Kind::Op(_, Fix::Postfix) => last.is_op(",") || last.is_op(";") || last.is_op(":"),
            Kind::Group(group) => !matches!(group.role, Role::Parens | Role::Brackets | Role::Generics),
            _ => is_apart(last),
        },
        _ => is_apart(last),
    }
}

/// Returns `true` if an operand is separated from what precedes it.
fn is_apart(last: &Tree) -> bool {
    !matches!(last.fix(), Some(Fix::Prefix | Fix::Tight))
}
